/** How costs are written in trees. Pure. */
import { joined } from "../model/texts";
import { formatShare, formatValue } from "../model/units";

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

interface Costs {
  readonly exclusive: number;
  readonly inclusive: number;
  /** The inclusive is only known not to be more. */
  readonly atMost?: boolean;
}

/** Row of a function: the cost that it is sorted by first. */
export function functionDescription(row: Costs, by: "exclusive" | "inclusive", scale: CostScale): string {
  const atMost = row.atMost ? "at most " : "";
  return by === "exclusive"
    ? `${costOf(row.exclusive, scale)} · inclusive ${atMost}${formatValue(row.inclusive, scale.unit)}`
    : `${atMost}${costOf(row.inclusive, scale)} · exclusive ${formatValue(row.exclusive, scale.unit)}`;
}

/** A row's tooltip, one fact per line. */
export function costTooltip(
  row: Costs & { readonly name: string; readonly detail?: string },
  meaning: string,
  scale: CostScale,
): string {
  const lines = [
    row.name,
    `inclusive ${row.atMost ? "at most " : ""}${costOf(row.inclusive, scale)}`,
    `exclusive ${costOf(row.exclusive, scale)}`,
    meaning,
    row.detail,
  ];
  return joined(lines, "\n");
}

/** The row behind a list that was cut. */
export function moreLabel(more: number): string {
  return `${more} more…`;
}
