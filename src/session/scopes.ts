/** Which values are shown: starting values, and how they are said in words. Pure. */
import type { DataSetInfo, MetricInfo, OverRanks, Scope } from "../engine/api";
import { type Chosen, chosenText, unitName } from "../model/members";
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
  const chosen = presentOf(info, choice.chosen);
  const over = validOver(info, choice.over, chosen) ?? startingOver(info.metrics[metric], overOfTimes);
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

/** What stands behind every number of a metric: its unit, and of what has none its name: `1.20 M Ir`. */
export function shownUnit({ name, unit }: Pick<MetricInfo, "name" | "unit">): string {
  return unit === "1" ? shortName(name, MOST_UNIT) : unit;
}

/** Characters of a list of ranks beyond which their number stands for it: the text stands beside every number. */
const MOST_LIST = 40;

/**
 * How ranks are combined, as written beside every number: `mean over 8 ranks`, `rank 3`, `1 rank`, `mean over ranks 0, 4`,
 * `mean over 3 threads`, `mean over the 4 ranks of host 1`; what was combined before it was recorded says so.
 *
 * @returns "" where the recording has no ranks, so that there is nothing to combine
 */
export function overText(
  info: Pick<DataSetInfo, "ranks" | "metrics" | "units">,
  scope: Pick<Scope, "metric" | "over" | "chosen">,
): string {
  if (info.metrics[scope.metric]?.reducedOverRanks) return "combined over ranks when recorded";
  if (typeof scope.over === "object") return `rank ${scope.over.rank}`;
  if (scope.chosen) return chosenOverText(info, scope.over, scope.chosen);
  const count = info.ranks.length;
  if (count === 0) return "";
  return count === 1 ? "1 rank" : `${scope.over} over ${count} ranks`;
}

function chosenOverText(info: Pick<DataSetInfo, "units">, over: string, chosen: Chosen): string {
  const { by, members } = chosen;
  const ranks = ranksThere(info, chosen);
  const count = `${members.length} ${unitName(by, members.length)}`;
  const listed = chosenText(chosen);
  const named = listed.length > MOST_LIST ? count : listed;
  if (ranks !== undefined) return ranks === 1 ? `the rank of ${named}` : `${over} over the ${ranks} ranks of ${named}`;
  // One alone is the same however it is combined.
  if (members.length === 1) return listed;
  return `${over} over ${by === "rank" ? named : count}`;
}

/** Of chosen hosts or runs: how many ranks are there; undefined where something else was chosen, or they have none. */
function ranksThere({ units }: Pick<DataSetInfo, "units">, { by, members }: Chosen): number | undefined {
  const unit = units.find((one) => one.by === by);
  if (!unit?.ranks) return undefined;
  const { ranks } = unit;
  const wanted = new Set(members);
  const there = new Set(unit.members.flatMap((key, at) => (wanted.has(key) ? ranks[at] : [])));
  return there.size === 0 ? undefined : there.size;
}

/** How many ranks (or what was chosen instead) numbers are over; 0 where the recording has none. */
export function rankCount(info: Pick<DataSetInfo, "ranks" | "units">, { chosen }: Pick<Scope, "chosen">): number {
  return chosen ? (ranksThere(info, chosen) ?? chosen.members.length) : info.ranks.length;
}

/** What numbers are combined over: `ranks`, and `threads` or `GPU streams` where these were chosen. */
export function combinedUnit(info: Pick<DataSetInfo, "units">, { chosen }: Pick<Scope, "chosen">): string {
  return unitName(chosen && ranksThere(info, chosen) === undefined ? chosen.by : "rank", 2);
}

/** One line that says what every number on screen means: `time · mean over 8 ranks`, `Ir`. */
export function scopeText(info: DataSetInfo, scope: Scope): string {
  return [info.metrics[scope.metric]?.name ?? "no metric", overText(info, scope)]
    .filter((part) => part !== "")
    .join(" · ");
}
