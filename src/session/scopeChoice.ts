/** Which values are shown: starting values, and how they are said in words. Pure. */
import type { DataSetInfo, GroupMap, MetricInfo, OverRanks, Scope, TimeWindow } from "../engine/api";
import { overText } from "../engine/dataSets/overText";
import { type EventKind, kindsText } from "../model/eventKinds";
import { type Chosen, chosenText } from "../model/members";
import { shortName } from "../model/shortName";
import { joined } from "../model/texts";
import { formatStretch } from "../model/units";
import { visible } from "../model/unseen";

export { combinedUnit, overText, rankCount } from "../engine/dataSets/overText";

/** What a user chose for a data set; what is not chosen follows the defaults. */
export interface ScopeChoice {
  /** Name of the metric: indices may differ when the recording is read again. */
  readonly metric?: string;
  readonly over?: OverRanks;
  readonly chosen?: Chosen;
  readonly window?: TimeWindow;
  readonly kinds?: readonly EventKind[];
}

/** Times start as the setting `heatflow.overRanks` says, everything else as sum (semantics 1). */
export function startingOver(metric: Pick<MetricInfo, "kind">, overOfTimes: OverRanks): OverRanks {
  return metric.kind === "time" ? overOfTimes : "sum";
}

/**
 * The scope of a data set.
 *
 * @param overOfTimes how ranks of times are combined unless chosen
 * @param categories the user's table of kinds
 * @returns undefined where the recording has no metric
 */
export function scopeOf(
  info: DataSetInfo,
  choice: ScopeChoice,
  overOfTimes: OverRanks,
  categories: GroupMap = {},
): Scope | undefined {
  const named = choice.metric === undefined ? -1 : info.metrics.findIndex((metric) => metric.name === choice.metric);
  const whole = named >= 0 ? named : info.startingMetric;
  if (whole < 0 || whole >= info.metrics.length) return undefined;
  // Of a window, and of some kinds of work, only what the events say is known.
  const ofEvents = windowMetric(info, whole);
  const window = ofEvents >= 0 ? choice.window : undefined;
  const kinds = ofEvents >= 0 && choice.kinds?.length ? { of: choice.kinds, named: categories } : undefined;
  const metric = window || kinds ? ofEvents : whole;
  const chosen = presentOf(info, choice.chosen);
  const over = validOver(info, choice.over, chosen) ?? startingOver(info.metrics[metric], overOfTimes);
  return {
    dataSet: info.id,
    metric,
    over,
    ...(chosen ? { chosen } : {}),
    ...(window ? { window } : {}),
    ...(kinds ? { kinds } : {}),
  };
}

/** What numbers are restricted to, each by its name in chips. */
export function restrictionTexts({ chosen, window, kinds }: Pick<Scope, "chosen" | "window" | "kinds">) {
  return {
    ...(chosen ? { restriction: chosenText(chosen) } : {}),
    ...(window ? { window: formatStretch(window.from, window.to) } : {}),
    ...(kinds ? { kinds: kindsText(kinds.of) } : {}),
  };
}

/** The metric that is shown of a window of time: this one if it is of events, else the first that is; -1: none. */
export function windowMetric({ metrics }: Pick<DataSetInfo, "metrics">, shown: number): number {
  return metrics.at(shown)?.ofEvents ? shown : metrics.findIndex(({ ofEvents }) => ofEvents);
}

/** The part of a restriction that the recording has; undefined where nothing is left, or nothing left out. */
function presentOf({ units }: DataSetInfo, chosen: Chosen | undefined): Chosen | undefined {
  const unit = chosen && units.find(({ by }) => by === chosen.by);
  if (!chosen || !unit) return undefined;
  const wanted = new Set(chosen.members);
  const members = unit.members.filter((key) => wanted.has(key));
  return members.length > 0 ? { by: chosen.by, members } : undefined;
}

/** One rank that is not among those that count would show nothing but zeros. */
function validOver(
  { ranks }: DataSetInfo,
  over: OverRanks | undefined,
  chosen: Chosen | undefined,
): OverRanks | undefined {
  if (typeof over !== "object") return over;
  const isChosen = chosen === undefined || (chosen.by === "rank" && chosen.members.includes(`${over.rank}`));
  return isChosen && ranks.includes(over.rank) ? over : undefined;
}

/** Characters of a metric's name behind a number. */
const MOST_UNIT = 60;

/** What stands behind every number of a metric, which it must not turn: its unit, and of what has none its name: `1.20 M Ir`. */
export function shownUnit({ name, unit }: Pick<MetricInfo, "name" | "unit">): string {
  return visible(unit === "1" ? shortName(name, MOST_UNIT) : unit);
}

/** One line that says what every number on screen means: `time · mean over 8 ranks`, `Ir`. */
export function scopeText(info: DataSetInfo, scope: Scope): string {
  const { window, kinds } = restrictionTexts(scope);
  return joined([info.metrics[scope.metric]?.name ?? "no metric", overText(info, scope), window, kinds], " · ");
}
