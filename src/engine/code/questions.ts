/** What is asked of the code of a recording. */
import { NONE } from "../../model/ids";
import { defineQuestion } from "../defineQuestion";
import { drawnScope, isExtreme } from "../flames/keptFlames";
import { shownCut } from "../resources/cut";
import { type CodeAreas, codeKinds, type CodeQuery } from "./codeApi";

/** Closed nodes that are drawn unless somebody asks for more. */
const MOST_CLOSED = 1500;

/** Exclusive of each folder, file and function at a cut of their hierarchy. @throws RequestError where nothing adds up */
export const codeAreas = defineQuestion(
  async (state, { scope, cut: wanted }: CodeQuery, task): Promise<CodeAreas> => {
    const { open, code } = state.get(scope.dataSet);
    const { tree, negative } = await code.of(drawnScope(scope), task);
    const isNothing = tree.names.length === 1;
    const { nodes, isClosed, depth } = shownCut(tree, wanted, MOST_CLOSED);
    const indexOf = new Map(Array.from(nodes, (node, at) => [node, at]));
    return {
      nodes: Array.from(nodes, (node, at) => ({
        ...(tree.functionOf[node] === NONE ? { name: tree.names[node] } : open.namedFunction(tree.functionOf[node])),
        id: node,
        key: tree.keys[node],
        kind: codeKinds.find((kind) => kind === tree.types[node]) ?? "all",
        parent: node === 0 ? NONE : (indexOf.get(tree.parent[node]) ?? NONE),
        isClosed: isClosed[at] === 1,
        functions: isNothing ? 0 : tree.leaves[node],
        function: tree.functionOf[node],
        group: tree.groupOf[node],
      })),
      values: Float64Array.from(nodes, (node) => tree.values[node]),
      isMean: isExtreme(scope),
      groups: tree.groups,
      isUnplaced: tree.isUnplaced,
      negative,
      depth,
      deepest: tree.deepest,
    };
  },
  ({ values }) => [values.buffer as ArrayBuffer],
);
