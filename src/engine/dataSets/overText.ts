/** How numbers were combined over ranks, in words (semantics 1, Over ranks). Pure. */
import { type Chosen, chosenText, unitName } from "../../model/members";
import type { DataSetInfo } from "./dataSetApi";
import type { Scope } from "../scope";

/**
 * How ranks are combined, as written beside every number: `mean over 8 ranks`, `rank 3`, `mean over ranks 0, 4`,
 * `mean over 3 threads`, `mean over the 4 ranks of host 1`; what was combined before it was recorded says so.
 *
 * @returns "" where the recording has no ranks, or one: there is nothing to combine; `sum over 18 runs` where runs have none
 */
export function overText(
  info: Pick<DataSetInfo, "ranks" | "metrics" | "units">,
  scope: Pick<Scope, "metric" | "over" | "chosen">,
): string {
  if (info.metrics[scope.metric]?.reducedOverRanks) return "combined over ranks when recorded";
  if (typeof scope.over === "object") return `rank ${scope.over.rank}`;
  if (scope.chosen) return chosenOverText(info, scope.over, scope.chosen);
  const count = info.ranks.length;
  // Runs that have no ranks, as those of an ensemble, are added up.
  const runs = info.units.find(({ by }) => by === "run")?.members.length ?? 1;
  if (count === 0 && runs > 1) return `sum over ${runs} runs`;
  // One alone is the same however it is combined.
  if (count <= 1) return "";
  return `${scope.over} over ${count} ranks`;
}

function chosenOverText(info: Pick<DataSetInfo, "units">, over: string, chosen: Chosen): string {
  const { by, members } = chosen;
  const ranks = ranksThere(info, chosen);
  const count = `${members.length} ${unitName(by, members.length)}`;
  const named = chosenText(chosen);
  if (ranks !== undefined) return ranks === 1 ? `the rank of ${named}` : `${over} over the ${ranks} ranks of ${named}`;
  // One alone is the same however it is combined.
  if (members.length === 1) return named;
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
