/** A tidy tree from left to right: a row for each context that calls nothing drawn, callers in the middle of what they call. Pure. */
import type { ApplicationNode } from "../../src/protocol/application";

/** Position in columns and pixels. */
export interface Spot {
  readonly column: number;
  /** Middle of its row. */
  readonly row: number;
}

export interface Tree {
  readonly spots: readonly Spot[];
  /** Rows of contexts that are not drawn, below the last callee of their caller; undefined if it has none. */
  readonly folded: readonly (Spot | undefined)[];
  readonly columns: number;
  /** Height of all rows. */
  readonly rows: number;
}

type Node = Pick<ApplicationNode, "parent"> & Partial<Pick<ApplicationNode, "folded">>;

/** An entry of the tree in preorder: a context, or the callees of a context that are not drawn. */
interface Entry {
  readonly node: number;
  readonly isFolded: boolean;
}

/**
 * @param nodes callers before what they call, callees of one together
 * @param heightOf height of the row of an entry without callees; 1 by default
 */
export function treeOf(nodes: readonly Node[], heightOf: (entry: Entry) => number = () => 1): Tree {
  const columns: number[] = [];
  for (const { parent } of nodes) columns.push(parent < 0 ? 0 : columns[parent] + 1);
  const calls = nodes.map(({ folded }) => (folded?.contexts ?? 0) > 0);
  for (const { parent } of nodes) if (parent >= 0) calls[parent] = true;
  let rows = 0;
  const leaf = (entry: Entry) => {
    const height = heightOf(entry);
    rows += height;
    return rows - height / 2 - 0.5;
  };
  const row = new Float64Array(nodes.length);
  const folded: (Spot | undefined)[] = nodes.map(() => undefined);
  for (const { node, isFolded } of entriesOf(nodes)) {
    if (isFolded) folded[node] = { column: columns[node] + 1, row: leaf({ node, isFolded }) };
    else if (!calls[node]) row[node] = leaf({ node, isFolded });
  }
  const [first, last] = [
    nodes.map((_, at) => folded[at]?.row ?? Infinity),
    nodes.map((_, at) => folded[at]?.row ?? -1),
  ];
  for (let at = nodes.length - 1; at >= 0; at--) {
    if (calls[at]) row[at] = (first[at] + last[at]) / 2;
    const { parent } = nodes[at];
    if (parent < 0) continue;
    first[parent] = Math.min(first[parent], row[at]);
    last[parent] = Math.max(last[parent], row[at]);
  }
  const widest = folded.reduce((most, spot) => Math.max(most, (spot?.column ?? -1) + 1), 0);
  return {
    spots: nodes.map((_, at) => ({ column: columns[at], row: row[at] })),
    folded,
    rows,
    columns: columns.reduce((most, column) => Math.max(most, column + 1), widest),
  };
}

/** Contexts in their order, what is not drawn behind the last callee that is. */
function entriesOf(nodes: readonly Node[]): Entry[] {
  const entries: Entry[] = [];
  const path: number[] = [];
  const leave = (caller: number) => {
    for (let top = path.at(-1); top !== undefined && top !== caller; top = path.at(-1)) {
      path.pop();
      if ((nodes[top].folded?.contexts ?? 0) > 0) entries.push({ node: top, isFolded: true });
    }
  };
  nodes.forEach(({ parent }, node) => {
    leave(parent);
    entries.push({ node, isFolded: false });
    path.push(node);
  });
  leave(-1);
  return entries;
}
