import type { DataSet } from "../../../src/model/dataSet";
import { functionsOf } from "../../../src/model/functions";
import { quietTask } from "../../../src/model/task";
import type { GraphOperation, GroupBy } from "../../../src/supergraph/query";
import {
  type GraphBasis,
  graphBasis,
  graphStructure,
  type GraphStructure,
  type MeasuredGraph,
  measuredGraph,
} from "../../../src/supergraph/superGraph";

/** Where the functions of the sample program are defined. */
const MINIHEAT_FILES: ReadonlyMap<string, string> = new Map([
  ...inFile("main.cpp", "main", "timestep", "advance"),
  ...inFile("solver.cpp", "solve", "apply", "axpy", "dot"),
  ...inFile("halo.cpp", "operator()", "halo_pack", "halo_transfer", "halo_unpack", "globalSum"),
  ...inFile("physics.cpp", "initialTemperature", "updateConductivity", "reactionSource"),
  ...inFile("io.cpp", "write"),
  ...inFile("mesh.cpp", "decompose"),
]);

function inFile(file: string, ...names: string[]): [name: string, file: string][] {
  return names.map((name) => [name, `src/${file}`]);
}

/** Sums of a metric over all locations. */
export function sumsOf({ tree, values }: DataSet, metric: number): Float64Array {
  const { rowStart, value } = values[metric];
  const sums = new Float64Array(tree.size);
  for (let context = 0; context < tree.size; context++)
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++)
      if (Number.isFinite(value[cell])) sums[context] += value[cell];
  return sums;
}

export function graphOf(
  basis: GraphBasis,
  filter: number,
  groupBy: GroupBy,
  operations: readonly GraphOperation[] = [],
): MeasuredGraph {
  const structure = structureOf(basis, filter, groupBy, operations);
  return measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);
}

/** Grouped by what the recording says of functions, and by the files of the sample program. */
export function structureOf(
  basis: GraphBasis,
  filter: number,
  groupBy: GroupBy,
  operations: readonly GraphOperation[] = [],
): GraphStructure {
  const { frames, functions } = basis;
  const frameOf = (id: number) => frames.get(functions.frame[id] as never);
  const attributes = {
    file: (id: number) => frameOf(id).file ?? MINIHEAT_FILES.get(frameOf(id).name),
    className: () => undefined,
    module: (id: number) => frameOf(id).module,
  };
  return graphStructure(basis, attributes, { filter, groupBy, operations }, quietTask);
}

export function basisOf(dataSet: DataSet, metric: number): GraphBasis {
  const { tree, frames } = dataSet;
  return graphBasis(tree, frames, functionsOf(tree, frames), sumsOf(dataSet, metric));
}
