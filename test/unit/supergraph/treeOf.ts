import { type ContextTree, ContextTreeBuilder } from "../../../src/model/contextTree";
import { type Frame, FrameTable } from "../../../src/model/frames";
import { functionsOf } from "../../../src/model/functions";
import { NONE } from "../../../src/model/ids";
import { StringTable } from "../../../src/model/strings";
import type { FunctionAttributes } from "../../../src/supergraph/grouping";
import { type GraphBasis, graphBasis } from "../../../src/supergraph/superGraph";
import { textTree } from "../textTree";

/** A context as tests write it: its frame's name, the index of its parent in the list (none: a root), its exclusive. */
export interface Row {
  readonly name: string;
  readonly parent?: number;
  readonly exclusive: number;
  readonly frame?: Partial<Frame>;
}

/** Rows as {@link textTree} reads them, their costs summed over ranks. */
export function rowsOf(text: string): Row[] {
  return textTree(text).map(({ name, parent, seconds, file }) => ({
    name,
    parent,
    exclusive: [...seconds.values()].reduce((sum, own) => sum + own, 0),
    frame: file === undefined ? {} : { file },
  }));
}

/** The tree that a reader would build from these rows, and the final number of each row. Parents stand before children. */
export function treeOf(rows: readonly Row[]): {
  tree: ContextTree;
  frames: FrameTable;
  exclusive: Float64Array;
  finalOf: Int32Array;
} {
  const frames = new FrameTable(new StringTable());
  const builder = new ContextTreeBuilder();
  const provisional: number[] = [];
  for (const { name, parent, frame } of rows) {
    const id = frames.intern({ name, kind: "function", ...frame });
    provisional.push(builder.child(parent === undefined ? NONE : provisional[parent], id));
  }
  const built = builder.build(frames.canonicalRanks());
  const exclusive = new Float64Array(built.tree.size);
  const finalOf = Int32Array.from(provisional, (id) => built.finalOf[id]);
  rows.forEach((row, at) => (exclusive[finalOf[at]] += row.exclusive));
  return { tree: built.tree, frames, exclusive, finalOf };
}

/** @param without names of functions that are known, and have no context */
export function basisOf(rows: readonly Row[], without: readonly string[] = []): GraphBasis {
  const { tree, frames, exclusive } = treeOf(rows);
  const known = without.map((name) => frames.intern({ name, kind: "function" }));
  return graphBasis(tree, frames, functionsOf(tree, frames, known), exclusive);
}

/** Attributes by function name, as a symbol index would give them. */
export function attributesOf(
  { frames, functions }: GraphBasis,
  known: { file?: (name: string) => string | undefined; module?: (name: string) => string | undefined },
): FunctionAttributes {
  const nameOf = (id: number) => frames.nameOf(functions.frame[id]);
  return {
    file: (id) => known.file?.(nameOf(id)),
    className: () => undefined,
    module: (id) => known.module?.(nameOf(id)),
  };
}
