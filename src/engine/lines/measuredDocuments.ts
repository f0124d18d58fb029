/** What an open document shows of a measured call graph: every number is measured, none comes from estimated contexts. */
import { imbalancePart, statisticsOver } from "../../analysis/rankStatistics";
import { isFunctionKind } from "../../model/frames";
import type { MemberStatistics } from "../../analysis/rankStatistics";
import { entryOf } from "../../model/maps";
import { compareText } from "../../model/strings";
import { heaviestFirst } from "../rows";
import type { CallCost, FunctionCost, LineDetails } from "./lineApi";
import type { Scope } from "../scope";
import type { Measured, OpenDataSet } from "../dataSets/openDataSet";
import type { Placed } from "./placement";
import { listedContexts, oneByOne, ownRanges, type LineGroup } from "./lineGroups";

/**
 * Text on lines with calls: what the callees cost, as measured at the line. Calls of one line that hold one another
 * (recursion through several functions) do not make more than the callee costs in all.
 */
export function measuredCallCosts(
  open: OpenDataSet,
  measured: Measured,
  scope: Scope,
  here: readonly Placed[],
): CallCost[] {
  const inclusive = measured.inclusive.ofCalls(scope);
  const { functionInclusive, total } = open.numbers(scope);
  const { callee } = measured.callGraph.calls;
  const found = new Map<string, { line: number; callee: number; places: number; inclusive: number }>();
  for (const { line, link, contexts } of here) {
    // A call of which no line is known stands nowhere, not at its function's definition.
    if (link.rule !== "recorded-line") continue;
    for (const context of contexts) {
      for (const row of callRows(measured, context)) {
        const key = `${line},${callee[row]},${link.places.length}`;
        const empty = () => ({ line, callee: callee[row], places: link.places.length, inclusive: 0 });
        entryOf(found, key, empty).inclusive += inclusive[row];
      }
    }
  }
  const costs = [...found.values()].map((one): CallCost => {
    const cost = Math.min(one.inclusive, functionInclusive[one.callee]);
    const several = one.places > 1 ? { oneOf: one.places } : {};
    const { line, callee: id } = one;
    return { line, callee: open.shownFunction(id), function: id, inclusive: cost, share: cost / total, ...several };
  });
  return costs
    .filter((cost) => cost.inclusive !== 0)
    .sort((a, b) => a.line - b.line || b.inclusive - a.inclusive || compareText(a.callee, b.callee));
}

/** CodeLenses with the measured inclusive, instead of what the lines add up to. */
export function measuredFunctionCosts(
  open: OpenDataSet,
  measured: Measured,
  scope: Scope,
  costs: readonly FunctionCost[],
): FunctionCost[] {
  const { functionInclusive, total } = open.numbers(scope);
  return costs.map((cost): FunctionCost => {
    const inclusive = functionInclusive[cost.function];
    return {
      ...cost,
      imbalance: undefined,
      inclusive,
      atMost: measured.callGraph.atMost[cost.function] === 1,
      share: inclusive / total,
      ...imbalancePart(spreadOf(measured, scope, measured.inclusive.perRank(scope, cost.function))),
    };
  });
}

/** What the hover says: on a definition of the whole function, on a line of what stands on it and is called from it. */
export function measuredLineDetails(
  open: OpenDataSet,
  measured: Measured,
  scope: Scope,
  groups: readonly LineGroup[],
  line: number,
): LineDetails[] {
  const { flat } = measured;
  const numbers = open.numbers(scope);
  const calls = measured.inclusive.ofCalls(scope);
  const details = groups.map(({ function: id, contexts, link }): LineDetails => {
    const { tree, frames } = flat.dataSet;
    const isDefinition = contexts.some((context) => isFunctionKind(frames.kindOf(tree.frame[context])));
    const own = isDefinition ? ownRanges(flat, contexts) : oneByOne(contexts);
    const exclusive = flat.cost(scope, own);
    let called = 0;
    for (const context of contexts) for (const row of callRows(measured, context)) called += calls[row];
    const whole = numbers.functionInclusive[id];
    const estimated = contextsOf(open, id, new Set(Array.from(contexts, (context) => tree.frame[context])));
    return {
      line,
      ...open.namedFunction(id),
      function: id,
      exclusive,
      inclusive: isDefinition ? whole : Math.min(exclusive + called, Math.max(whole, exclusive)),
      atMost: measured.callGraph.atMost[id] === 1,
      share: exclusive / numbers.total,
      overRanks: spreadOf(measured, scope, flat.rankValues(scope).perRank(own)),
      ...imbalancePart(spreadOf(measured, scope, measured.inclusive.perRank(scope, id))),
      ...listedContexts(open, estimated, numbers),
      link,
    };
  });
  return details.sort(heaviestFirst);
}

function callRows({ callsAt }: Measured, context: number): Int32Array {
  return callsAt.row.subarray(callsAt.start[context], callsAt.start[context + 1]);
}

/** Spread over the chosen ranks; undefined where there is one rank or none. */
function spreadOf({ flat }: Measured, scope: Scope, perRank: Float64Array): MemberStatistics | undefined {
  return statisticsOver(flat.rankValues(scope).members, () => perRank);
}

/** Contexts of the estimated tree in this function with one of these frames. */
function contextsOf(open: OpenDataSet, id: number, wanted: ReadonlySet<number>): Int32Array {
  const { frame } = open.dataSet.tree;
  const found: number[] = [];
  open.functions.ofContext.forEach((own, context) => {
    if (own === id && wanted.has(frame[context])) found.push(context);
  });
  return Int32Array.from(found);
}
