/** Rows of answers: their order, and how many of them are given. */
import { compareText } from "../model/strings";
import type { Rows } from "./traces/traceApi";

/** The first items as rows, and how many more there are. */
export function firstRows<Item, Row>(
  items: readonly Item[],
  limit: number,
  rowOf: (item: Item, at: number) => Row,
): Rows<Row> {
  const rows = items.slice(0, limit).map(rowOf);
  return { rows, more: items.length - rows.length };
}

interface Weighed {
  readonly exclusive: number;
  readonly inclusive: number;
  readonly name: string;
}

/** For `sort`: by exclusive, then inclusive value, the largest first; then by name. */
export function heaviestFirst(a: Weighed, b: Weighed): number {
  return b.exclusive - a.exclusive || b.inclusive - a.inclusive || compareText(a.name, b.name);
}
