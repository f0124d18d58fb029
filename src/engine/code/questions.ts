/** What is asked of the code of a recording. */
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { defineQuestion } from "../defineQuestion";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { EngineState } from "../engineState";
import { drawnScope, isExtreme } from "../flames/keptFlames";
import { shownCut } from "../resources/cut";
import type { Scope } from "../scope";
import { type CodeAreas, codeKinds, type CodeQuery } from "./codeApi";
import { codeTree, type CodeTree } from "./codeTree";

/** Closed nodes that are drawn unless somebody asks for more. */
const MOST_CLOSED = 1500;

/** Exclusive of each folder, file and function at a cut of their hierarchy. @throws RequestError where nothing adds up */
export const codeAreas = defineQuestion(
  async (state, { scope, cut: wanted }: CodeQuery, task): Promise<CodeAreas> => {
    const { open } = state.get(scope.dataSet);
    const { tree, negative } = await treeIn(state, open, drawnScope(scope), task);
    const isNothing = tree.names.length === 1;
    const { nodes, isClosed, depth } = shownCut(tree, wanted, MOST_CLOSED);
    const indexOf = new Map(Array.from(nodes, (node, at) => [node, at]));
    return {
      nodes: Array.from(nodes, (node, at) => ({
        ...(tree.functionOf[node] === NONE ? { name: tree.names[node] } : open.namedFunction(tree.functionOf[node])),
        ...{ id: node, key: tree.keys[node], kind: codeKinds.find((kind) => kind === tree.types[node]) ?? "all" },
        parent: node === 0 ? NONE : (indexOf.get(tree.parent[node]) ?? NONE),
        ...{ isClosed: isClosed[at] === 1, functions: isNothing ? 0 : tree.leaves[node] },
        ...{ function: tree.functionOf[node], group: tree.groupOf[node] },
      })),
      values: Float64Array.from(nodes, (node) => tree.values[node]),
      ...{ isMean: isExtreme(scope), groups: tree.groups, negative, depth, deepest: tree.deepest },
    };
  },
  ({ values }) => [values.buffer as ArrayBuffer],
);

async function treeIn(
  state: EngineState,
  open: OpenDataSet,
  scope: Scope,
  task: Task,
): Promise<{ readonly tree: CodeTree; readonly negative: number }> {
  const { functionExclusive } = open.numbers(scope);
  const { fileOf, moduleOf } = await state.graphsOf({ scope }, task).sourceOfFunctions(scope, task);
  let negative = 0;
  const functions = Array.from(functionExclusive, (value, id) => ({ value, id })).filter(({ value }) => {
    if (value < 0) negative++;
    return value > 0;
  });
  const tree = codeTree(
    functions.map(({ value, id }) => ({
      ...{ function: id, name: open.functionName(id), value },
      ...{ file: fileOf(id), module: moduleOf(id) },
    })),
  );
  return { tree, negative };
}
