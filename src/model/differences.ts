/** How differences are written, everywhere (semantics 10, Difference). */
import { formatRatio, formatShare, formatValue, noRankText } from "./units";

/** Sums of the same values in another order differ by less, as a share of them. */
const ROUNDING = 1e-12;

/**
 * Candidate − baseline; 0 where they are the same but for the order in which they were summed up.
 *
 * @param baseline null: that side lacks it, and it counts as 0
 */
export function differenceOf(baseline: number | null, candidate: number | null): number {
  const [had, has] = [baseline ?? 0, candidate ?? 0];
  return Math.abs(has - had) <= ROUNDING * Math.max(Math.abs(had), Math.abs(has)) ? 0 : has - had;
}

/** `+12.3 ms`, `−12.3 ms`, `±0 s`. */
export function signed(value: number, unit: string): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : "±"}${formatValue(Math.abs(value), unit)}`;
}

/**
 * Candidate − baseline, then how many times or how much more: `+101 ms · 10.6×`, `+120 ms · +9.02 %`, `+101 ms · new`.
 *
 * @param baseline null: that side lacks it, and it counts as 0
 */
export function differenceText(baseline: number | null, candidate: number | null, unit: string): string {
  const difference = signed(differenceOf(baseline, candidate), unit);
  const change = changeText(baseline, candidate);
  return change === "" ? difference : `${difference} · ${change}`;
}

/** `10.6×`, `+9.02 %`, `new`, `gone`; "" where the baseline is not positive, the candidate is negative, or less than 0.01 % changed. */
export function changeText(baseline: number | null, candidate: number | null): string {
  if (baseline === null) return candidate === null ? "" : "new";
  if (candidate === null) return "gone";
  if (!(baseline > 0) || candidate < 0 || differenceOf(baseline, candidate) === 0) return "";
  const ratio = candidate / baseline;
  if (ratio >= 2 || ratio <= 0.5) return formatRatio(ratio);
  const share = formatShare(Math.abs(ratio - 1));
  // Below what a share can say, the amount stands alone: `−<0.01 %` is no number that anybody reads.
  return share.startsWith("<") ? "" : `${ratio > 1 ? "+" : "−"}${share}`;
}

/** Candidate / baseline; null where that says nothing. */
export function ratioOf(baseline: number | null, candidate: number | null): number | null {
  return baseline !== null && baseline > 0 ? (candidate ?? 0) / baseline : null;
}

/** `slower in 5 of 5 runs, p = 0.008`; smaller p than 0.001 are said to be. */
export function significanceText(slower: number, of: number, p: number): string {
  const said = p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(p < 0.01 ? 3 : 2)}`;
  return `slower in ${slower} of ${of} runs, ${said}`;
}

/** Both sides of a comparison; what is of no rank, where a side is 0 for that. */
interface Both {
  readonly baseline: number | null;
  readonly candidate: number | null;
  readonly baselineNoRank?: number | undefined;
  readonly candidateNoRank?: number | undefined;
}

/** {@link differenceText}; where a side is of no rank, over which there is no difference, {@link bothText}. */
export function comparedText(both: Both, unit: string): string {
  const isRanked = both.baselineNoRank === undefined && both.candidateNoRank === undefined;
  return isRanked ? differenceText(both.baseline, both.candidate, unit) : bothText(both, unit);
}

/**
 * `10.5 ms → 112 ms`; what a side lacks is `none`, and what has no rank is said to: `276 ms, of no rank → none`.
 *
 * @param bounds sides of which it is only known that they have no more: `10.5 ms → at most 112 ms`
 */
export function bothText(both: Both, unit: string, bounds: readonly ("baseline" | "candidate")[] = []): string {
  return (["baseline", "candidate"] as const)
    .map((side) => {
      const value = both[side];
      const noRank = both[`${side}NoRank`];
      if (noRank !== undefined) return noRankText(noRank, unit);
      return value === null ? "none" : `${bounds.includes(side) ? "at most " : ""}${formatValue(value, unit)}`;
    })
    .join(" → ");
}
