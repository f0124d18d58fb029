/** Where a function or a bar changed most: of a bar's functions the one with the largest |difference| leads. */
import { differenceOf } from "../../model/differences";
import { NONE } from "../../model/ids";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import type { Target } from "../scope";
import { changedLines } from "./changedLines";
import { inverse, joinFunctions, sidesOf } from "./comparison";
import type { ChangedLine, ComparedPair } from "./comparisonApi";

interface ChangedLineQuery {
  readonly pair: ComparedPair;
  /** One of the two, whose target it is. */
  readonly dataSet: number;
  readonly target: Exclude<Target, { readonly kind: "context" }>;
}

export async function changedLine(
  state: EngineState,
  { pair, dataSet, target }: ChangedLineQuery,
  task: Task,
): Promise<ChangedLine | undefined> {
  const [[before], [after]] = sidesOf(state, { baseline: [pair.baseline], candidate: [pair.candidate] });
  const runs = [before, after] as const;
  const joint = joinFunctions(state, runs, pair, task);
  const functionsOf = async (side: 0 | 1): Promise<number[]> => {
    const { open, scope } = runs[side];
    if (target.kind === "function") return scope.dataSet === dataSet ? [open.checkFunction(target.function)] : [];
    // A graph of both has the bar in both; of one recording alone its functions are known by their names.
    const { query, bar } = target;
    const other = runs[1 - side].scope;
    const isBoth = query.compared !== undefined;
    if (!isBoth && scope.dataSet !== query.scope.dataSet) return [];
    const asked = isBoth ? { ...query, scope, compared: other } : query;
    const contexts = await state.contextsOf(scope.dataSet, { kind: "bar", query: asked, bar }, task);
    return [...new Set(Array.from(contexts, (context) => open.functions.ofContext[context]))];
  };
  const functions = new Set<number>();
  for (const side of [0, 1] as const)
    for (const id of await functionsOf(side)) if (id !== NONE) functions.add(joint.ofRun[side][id]);
  const idIn = runs.map((_, side) => inverse(joint, joint.ofRun[side]));
  const costIn = (side: 0 | 1, at: number) => {
    const id = idIn[side][at];
    return id === NONE ? null : runs[side].open.numbers(runs[side].scope).functionExclusive[id];
  };
  const nameOf = (at: number) => joint.order[joint.firstIn[at]].functionName(joint.firstId[at]);
  const [most] = [...functions]
    .map((at) => ({ at, change: Math.abs(differenceOf(costIn(0, at), costIn(1, at))) }))
    .sort((a, b) => b.change - a.change || compareText(nameOf(a.at), nameOf(b.at)));
  if (!most) return undefined;
  const [line] = await changedLines(state, runs, [[idIn[0][most.at], idIn[1][most.at]]], task);
  return line;
}
