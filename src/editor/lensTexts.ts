/** What CodeLenses say. Pure. */
import type { FunctionCost } from "../engine/api";
import { addTo } from "../model/maps";
import { shortName, shownOf } from "../model/shortName";
import { formatRatio, formatShare, formatValue, noRankText } from "../model/units";
import { placesText } from "./heat";

/** Characters of the name of a recording, or of a run. */
export const MAX_RECORDING = 24;

/**
 * `2.40 s inclusive (57.3 %, imbalance 1.84×) · old.cali · 1.24 s exclusive · mean over 8 ranks`: the number first, since the end of a long
 * lens is not seen in a narrow editor. Of several functions on a line, each has its name behind that number.
 *
 * @param recordedUnit behind each number: may be a name from the recording
 * @param over how ranks were combined; "" where there are none
 * @param recording its name, if several are open
 */
export function lensTitle(
  cost: FunctionCost,
  recordedUnit: string,
  over: string,
  alone: boolean,
  recording?: string,
): string {
  const unit = lensName(recordedUnit);
  // The imbalance is that of the inclusive cost (semantics 1), so it stands with it.
  const imbalance = cost.imbalance === undefined ? "" : `, imbalance ${formatRatio(cost.imbalance)}`;
  const { noRank = { exclusive: 0, inclusive: 0 } } = cost;
  const inclusive = `${formatValue(cost.inclusive, unit)} inclusive (${formatShare(cost.share)}${imbalance})`;
  const parts = [
    noRank.inclusive > 0
      ? `${noRankText(noRank.inclusive, unit)}, inclusive`
      : `${cost.atMost ? "at most " : ""}${inclusive}`,
    ...(alone ? [] : [lensName(shownOf(cost))]),
    ...(recording === undefined ? [] : [lensName(recording, MAX_RECORDING)]),
    noRank.exclusive > 0
      ? `${noRankText(noRank.exclusive, unit)}, exclusive`
      : `${formatValue(cost.exclusive, unit)} exclusive`,
    ...(over === "" ? [] : [over]),
  ];
  return `${parts.join(" · ")}${placesText(cost.oneOf)}`;
}

/** A name in a title, where `$(error)` would become a picture. */
export function lensName(name: string, most?: number): string {
  return shortName(name, most).replace(/\$\((?=[\w-]+(?:~\w+)?\))/g, "\\$(");
}

/** Lines on which only one function stands. */
export function linesOfOne(costs: readonly Pick<FunctionCost, "line">[]): Set<number> {
  const counts = new Map<number, number>();
  for (const { line } of costs) addTo(counts, line, 1);
  return new Set([...counts].filter(([, count]) => count === 1).map(([line]) => line));
}

/** Functions below the least share, or with nothing measured, get no lens; what has no rank has no share. */
export function shownLenses(costs: readonly FunctionCost[], minimumShare: number): FunctionCost[] {
  return costs.filter(
    (cost) => (cost.inclusive > 0 && cost.share >= minimumShare) || (cost.noRank?.inclusive ?? 0) > 0,
  );
}
