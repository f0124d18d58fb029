/** A tidy tree from left to right: a row for each context that calls nothing drawn, callers in the middle of what they call. Pure. */
import type { ApplicationNode } from "../../src/protocol/application";

/** In columns and rows. */
export interface Spot {
  readonly column: number;
  readonly row: number;
}

export interface Tree {
  readonly spots: readonly Spot[];
  readonly columns: number;
  readonly rows: number;
}

/** @param nodes callers before what they call, callees of one together */
export function treeOf(nodes: readonly Pick<ApplicationNode, "parent">[]): Tree {
  const columns: number[] = [];
  const last = nodes.map((_, at) => at);
  const first = nodes.map(() => -1);
  for (const { parent } of nodes) columns.push(parent < 0 ? 0 : columns[parent] + 1);
  nodes.forEach(({ parent }, at) => {
    if (parent >= 0 && first[parent] < 0) first[parent] = at;
    if (parent >= 0) last[parent] = at;
  });
  let rows = 0;
  const row = nodes.map((_, at) => (first[at] < 0 ? rows++ : 0));
  for (let at = nodes.length - 1; at >= 0; at--) if (first[at] >= 0) row[at] = (row[first[at]] + row[last[at]]) / 2;
  return {
    spots: nodes.map((_, at) => ({ column: columns[at], row: row[at] })),
    columns: columns.reduce((most, column) => Math.max(most, column + 1), 0),
    rows,
  };
}
