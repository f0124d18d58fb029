/** What an independent program reads of a graph's basis: contexts with parents, functions with names, files and modules. */
import { NONE } from "../../../../src/model/ids";
import type { FunctionAttributes } from "../../../../src/supergraph/grouping";
import type { GraphBasis } from "../../../../src/supergraph/superGraph";

export interface Dump {
  readonly metric: string;
  readonly unit: string;
  readonly total: number;
  readonly parent: readonly number[];
  readonly of: readonly number[];
  readonly exclusive: readonly number[];
  readonly names: readonly string[];
  readonly files: readonly (string | null)[];
  readonly classes: readonly (string | null)[];
  readonly modules: readonly (string | null)[];
}

export function dumpOf(basis: GraphBasis, attributes: FunctionAttributes): Dump {
  const { tree, functions, frames, exclusive, total } = basis;
  const ids = Array.from(functions.frame.keys());
  return {
    metric: "cost",
    unit: "",
    total,
    parent: Array.from(tree.parent, (above) => (above === NONE ? -1 : above)),
    of: [...functions.ofContext],
    exclusive: [...exclusive],
    names: ids.map((id) => frames.nameOf(functions.frame[id])),
    files: ids.map((id) => attributes.file(id) ?? null),
    classes: ids.map((id) => attributes.className(id) ?? null),
    modules: ids.map((id) => attributes.module(id) ?? null),
  };
}
