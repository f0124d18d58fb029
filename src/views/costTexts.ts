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

/** Row of a function: the cost that it is sorted by first. */
export function functionDescription(
  row: { readonly exclusive: number; readonly inclusive: number },
  by: "exclusive" | "inclusive",
  scale: CostScale,
): string {
  const other = by === "exclusive" ? "inclusive" : "exclusive";
  return `${costOf(row[by], scale)} · ${other} ${formatValue(row[other], scale.unit)}`;
}

/** A row's tooltip, one fact per line. */
export function costTooltip(
  row: { readonly name: string; readonly detail?: string; readonly exclusive: number; readonly inclusive: number },
  meaning: string,
  scale: CostScale,
): string {
  const lines = [
    row.name,
    `inclusive ${costOf(row.inclusive, scale)}`,
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
