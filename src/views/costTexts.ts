/** How costs are written in trees. Pure. */
import type { FunctionRow, HotState } from "../engine/api";
import { namelessText } from "../model/namelessText";
import { counted, joined } from "../model/texts";
import { formatShare, formatValue, noRankText } from "../model/units";

export interface CostScale {
  readonly unit: string;
  /** What shares are shares of, under the same combination of ranks; undefined or 0: no shares. */
  readonly total: number | undefined;
}

/** `1.24 s · 31.5 %`, without the share where there is no total. */
export function costOf(value: number, scale: CostScale): string {
  const text = formatValue(value, scale.unit);
  return scale.total ? `${text} · ${formatShare(value / scale.total)}` : text;
}

type Costs = Pick<FunctionRow, "exclusive" | "inclusive" | "atMost" | "noRank">;

/** One cost of a row; {@link costOf} with its share, or what it is where all of it has no rank. */
function amountOf(row: Costs, of: "exclusive" | "inclusive", scale: CostScale, withShare: boolean): string {
  const unranked = row.noRank?.[of] ?? 0;
  if (unranked > 0) return noRankText(unranked, scale.unit);
  return withShare ? costOf(row[of], scale) : formatValue(row[of], scale.unit);
}

/** A row's cost that it is sorted by, with its share, then the other one. */
export function costsOf(row: Costs, by: "exclusive" | "inclusive", scale: CostScale): string {
  const other = by === "exclusive" ? "inclusive" : "exclusive";
  const atMost = (of: typeof by) => (row.atMost && of === "inclusive" ? "at most " : "");
  return `${atMost(by)}${amountOf(row, by, scale, true)} · ${other} ${atMost(other)}${amountOf(row, other, scale, false)}`;
}

/** A row's tooltip, one fact per line. */
export function costTooltip(
  row: Costs & Pick<FunctionRow, "name" | "nameless"> & { readonly detail?: string },
  meaning: string,
  scale: CostScale,
): string {
  const lines = [
    row.name,
    `inclusive ${row.atMost ? "at most " : ""}${amountOf(row, "inclusive", scale, true)}`,
    `exclusive ${amountOf(row, "exclusive", scale, true)}`,
    meaning,
    row.detail,
    row.nameless && namelessText(row.nameless),
  ];
  return joined(lines, "\n");
}

/** `280 s · 52.7 % · 148,800×`: exclusive time of a state with its share, and the number of its events. */
export function stateCosts({ seconds, count }: Pick<HotState, "seconds" | "count">, scale: CostScale): string {
  return `${costOf(seconds, scale)} · ${count.toLocaleString("en")}×`;
}

/** A state's tooltip, one fact per line. */
export function stateTooltip(state: Omit<HotState, "lines">, meaning: string, scale: CostScale): string {
  return [
    state.name,
    `exclusive ${costOf(state.seconds, scale)}`,
    `${counted(state.count, "event")}, the longest ${formatValue(state.longestSeconds, scale.unit)}`,
    state.kind,
    meaning,
  ].join("\n");
}

/** The row behind a list that was cut. */
export function moreLabel(more: number): string {
  return `${more} more…`;
}
