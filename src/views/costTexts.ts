/** How costs are written in trees. Pure. */
import type { FunctionRow, HotState } from "../engine/api";
import { namelessText } from "../model/namelessText";
import { counted, joined } from "../model/texts";
import { formatShare, formatValue, noRankText } from "../model/units";

/** Between the number and the name of a label: an en space, wider than the space inside either. */
const FIRST_GAP = "\u2002";

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

/** One cost of a row without its share, or what it is where all of it has no rank. */
function amountOf(row: Costs, of: "exclusive" | "inclusive", { unit }: CostScale): string {
  const unranked = row.noRank?.[of] ?? 0;
  return unranked > 0 ? noRankText(unranked, unit) : formatValue(row[of], unit);
}

/** {@link amountOf}, with its share if it has ranks. */
function amountAndShare(row: Costs, of: "exclusive" | "inclusive", scale: CostScale): string {
  return (row.noRank?.[of] ?? 0) > 0 ? amountOf(row, of, scale) : costOf(row[of], scale);
}

/** Texts of a row beside its name. */
export interface RowCosts {
  /** Before the name, however long that is: the share of the cost that the row is sorted by, or its value without a total. */
  readonly first: string;
  /** Behind the name, cut if there is no room. */
  readonly further: string;
}

/** A row's cost that it is sorted by, and the other one. */
export function costsOf(row: Costs, by: "exclusive" | "inclusive", scale: CostScale): RowCosts {
  const other = by === "exclusive" ? "inclusive" : "exclusive";
  const atMost = (of: typeof by) => (row.atMost && of === "inclusive" ? "at most " : "");
  const further = `${other} ${atMost(other)}${amountOf(row, other, scale)}`;
  const value = `${atMost(by)}${amountOf(row, by, scale)}`;
  if (!scale.total || (row.noRank?.[by] ?? 0) > 0) return { first: value, further };
  return { first: `${atMost(by)}${formatShare(row[by] / scale.total)}`, further: `${value} · ${further}` };
}

/** A row's label: VS Code cuts it at its end. */
export function labelOf(first: string, name: string): string {
  return first === "" ? name : `${first}${FIRST_GAP}${name}`;
}

/** A row's tooltip, one fact per line. */
export function costTooltip(
  row: Costs & Pick<FunctionRow, "name" | "nameless"> & { readonly detail?: string },
  meaning: string,
  scale: CostScale,
): string {
  const lines = [
    row.name,
    `inclusive ${row.atMost ? "at most " : ""}${amountAndShare(row, "inclusive", scale)}`,
    `exclusive ${amountAndShare(row, "exclusive", scale)}`,
    meaning,
    row.detail,
    row.nameless && namelessText(row.nameless),
  ];
  return joined(lines, "\n");
}

/** `52.7 %`, then `280 s · 148,800×`: exclusive time of a state with its share, and the number of its events. */
export function stateCosts({ seconds, count }: Pick<HotState, "seconds" | "count">, scale: CostScale): RowCosts {
  const value = formatValue(seconds, scale.unit);
  const events = `${count.toLocaleString("en")}×`;
  return scale.total
    ? { first: formatShare(seconds / scale.total), further: `${value} · ${events}` }
    : { first: value, further: events };
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
