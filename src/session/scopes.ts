/** Which values are shown: starting values, and how they are said in words. Pure. */
import type { DataSetInfo, MetricInfo, OverRanks, Scope } from "../engine/api";
import { type Chosen, chosenText } from "../model/members";
import { shortName } from "../model/shortName";

/** What a user chose for a data set; what is not chosen follows the defaults. */
export interface ScopeChoice {
  /** Name of the metric: indices may differ when the recording is read again. */
  readonly metric?: string;
  readonly over?: OverRanks;
  readonly chosen?: Chosen;
}

/** Times start as the setting `heatflow.overRanks` says, everything else as sum (semantics 1). */
export function startingOver(metric: Pick<MetricInfo, "kind">, overOfTimes: OverRanks): OverRanks {
  return metric.kind === "time" ? overOfTimes : "sum";
}

/**
 * The scope of a data set.
 *
 * @param overOfTimes how ranks of times are combined unless chosen
 * @returns undefined where the recording has no metric
 */
export function scopeOf(info: DataSetInfo, choice: ScopeChoice, overOfTimes: OverRanks): Scope | undefined {
  const named = choice.metric === undefined ? -1 : info.metrics.findIndex((metric) => metric.name === choice.metric);
  const metric = named >= 0 ? named : info.defaultMetric;
  if (metric < 0 || metric >= info.metrics.length) return undefined;
  const over = validOver(info, choice.over) ?? startingOver(info.metrics[metric], overOfTimes);
  const chosen = presentOf(info, choice.chosen);
  return { dataSet: info.id, metric, over, ...(chosen ? { chosen } : {}) };
}

/** The part of a restriction that the recording has; undefined where nothing is left, or nothing left out. */
function presentOf({ units }: DataSetInfo, chosen: Chosen | undefined): Chosen | undefined {
  const unit = chosen && units.find(({ by }) => by === chosen.by);
  if (!chosen || !unit) return undefined;
  const wanted = new Set(chosen.members);
  const members = unit.members.filter((key) => wanted.has(key));
  return members.length > 0 ? { by: chosen.by, members } : undefined;
}

function validOver(info: DataSetInfo, over: OverRanks | undefined): OverRanks | undefined {
  if (typeof over === "object" && !info.ranks.includes(over.rank)) return undefined;
  return over;
}

/** Characters of a metric's name behind a number. */
const MOST_UNIT = 60;

/** What stands behind every number of a metric: its unit, and of what has none its name: `1.20 M Ir`. */
export function shownUnit({ name, unit }: Pick<MetricInfo, "name" | "unit">): string {
  return unit === "1" ? shortName(name, MOST_UNIT) : unit;
}

/**
 * How ranks are combined, as written beside every number: `mean over 8 ranks`, `rank 3`, `1 rank`; what was combined before
 * it was recorded says so.
 *
 * @returns "" where the recording has no ranks, so that there is nothing to combine
 */
export function overText(
  info: Pick<DataSetInfo, "ranks" | "metrics">,
  scope: Pick<Scope, "metric" | "over" | "chosen">,
): string {
  if (info.metrics[scope.metric]?.reducedOverRanks) return "combined over ranks when recorded";
  if (typeof scope.over === "object") return `rank ${scope.over.rank}`;
  if (scope.chosen) return `${scope.over} over ${chosenText(scope.chosen)}`;
  const count = info.ranks.length;
  if (count === 0) return "";
  return count === 1 ? "1 rank" : `${scope.over} over ${count} ranks`;
}

/** How many ranks (or what was chosen instead) numbers are over; 0 where the recording has none. */
export function rankCount(info: Pick<DataSetInfo, "ranks">, scope: Pick<Scope, "chosen">): number {
  return scope.chosen?.members.length ?? info.ranks.length;
}

/** One line that says what every number on screen means: `time · mean over 8 ranks`, `Ir`. */
export function scopeText(info: DataSetInfo, scope: Scope): string {
  return [info.metrics[scope.metric]?.name ?? "no metric", overText(info, scope)]
    .filter((part) => part !== "")
    .join(" · ");
}
