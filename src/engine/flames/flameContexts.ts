/** Which context of the tree a rectangle leads to. */
import { NONE } from "../../model/ids";
import type { LaidFlames } from "./keptFlames";
import type { OpenDataSet } from "../dataSets/openDataSet";

/** The heaviest of the contexts that a rectangle stands for, and how many there are. */
interface Represented {
  readonly context: number;
  readonly contexts: number;
}

/** Lines inside a context that is drawn are not counted by themselves. @param weight by context */
export function drawnContext(open: OpenDataSet, laid: LaidFlames, at: number, weight: Float64Array): Represented {
  const { parent } = open.dataSet.tree;
  const { nodeOf } = laid.shape;
  const wanted = laid.layout.node[at];
  return heaviest(weight, (context) => {
    const above = parent[context];
    return nodeOf[context] === wanted && (above === NONE || nodeOf[above] !== wanted);
  });
}

/** Of callers: the context of the caller in the heaviest of the calls that come along it. */
export function callerContext(open: OpenDataSet, laid: LaidFlames, at: number, weight: Float64Array): Represented {
  const { callOf, functions, dataSet } = open;
  const { shape, layout } = laid;
  const wanted = layout.node[at];
  const { context, contexts } = heaviest(
    weight,
    (call) =>
      functions.ofContext[call] === shape.calls &&
      functions.outermost[call] === 1 &&
      shape.nodeOf[call] >= wanted &&
      shape.nodeOf[call] < shape.end[wanted],
  );
  let caller = context;
  for (let step = layout.depth[at]; step > 0; step--) {
    const above = dataSet.tree.parent[caller];
    caller = callOf[above] === NONE ? above : callOf[above];
  }
  return { context: caller, contexts };
}

/** Of several equal ones the first. */
function heaviest(weight: Float64Array, counts: (context: number) => boolean): Represented {
  let context: number = NONE;
  let contexts = 0;
  for (let candidate = 0; candidate < weight.length; candidate++) {
    if (!counts(candidate)) continue;
    contexts++;
    if (context === NONE || weight[candidate] > weight[context]) context = candidate;
  }
  return { context, contexts };
}
