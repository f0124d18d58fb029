/** What is inside of a bar: its contexts by their paths of functions in it, with their numbers in every run (dissertation 4.4.2). */
import { inclusive } from "../../model/contextTree";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { EngineState } from "../engineState";
import { placeOfFunction } from "../lines/functionPlace";
import { rangesOf } from "../members/spreads";
import type { HierarchyQuery, RunHierarchy } from "./ensembleApi";
import { runsThatStay, withTargetRun } from "./ensembleGraphs";
import { binOf, countsOf, largestOf, orZero } from "./gradients";

interface Cells {
  readonly parent: number[];
  readonly function: number[];
  /** Contexts of the cell's calls, and all that belong to it, as loops of these do. */
  readonly calls: number[][];
  readonly contexts: number[][];
}

/** @throws RequestError where the target is not in the ensemble's recording */
export async function runHierarchy(
  state: EngineState,
  { scope, of, bins, target, most }: HierarchyQuery,
  task: Task,
): Promise<RunHierarchy> {
  const { ensemble, open } = state.ensemble(scope.dataSet);
  const staying = runsThatStay(ensemble, scope);
  const { own } = await rangesOf(open, (query) => state.graphsOf(query, task), of, task);
  const cells = cellsOf(open, own);
  const size = cells.parent.length;
  const inclusives = new Float64Array(size * ensemble.size).fill(NaN);
  const exclusives = new Float64Array(size * ensemble.size).fill(NaN);
  const { tree } = open.dataSet;
  const joined = new Float64Array(tree.size);
  for (const run of withTargetRun(staying, target)) {
    task.check();
    const numbers = ensemble.rankValues(run, scope.metric, scope.over)?.evaluate(scope.over, (values) => {
      joined.fill(0);
      ensemble.addTo(joined, run, values);
      const sums = inclusive(tree, joined);
      const total = (contexts: readonly number[], from: Float64Array) =>
        contexts.reduce((sum, context) => sum + from[context], 0);
      return Float64Array.from({ length: 2 * size }, (_, at) =>
        at < size ? total(cells.calls[at], sums) : total(cells.contexts[at - size], joined),
      );
    });
    if (!numbers) continue;
    const has = new Uint8Array(tree.size);
    for (const context of ensemble.members[run].contextOf) has[context] = 1;
    for (let cell = 0; cell < size; cell++) {
      if (!cells.contexts[cell].some((context) => has[context] === 1)) continue;
      inclusives[cell * ensemble.size + run] = numbers[cell];
      exclusives[cell * ensemble.size + run] = numbers[size + cell];
    }
  }
  const largest = orZero(largestOf(size, inclusives, ensemble.size, staying));
  // No cell has more than the one it is in, in any run: those that are left are whole from the top.
  const heaviest = [...largest.keys()].sort((a, b) => largest[b] - largest[a] || a - b).slice(0, most);
  const kept = heaviest.sort((a, b) => a - b);
  const placeOf = new Map(kept.map((cell, at) => [cell, at]));
  const ids = [...new Set(kept.map((cell) => cells.function[cell]))];
  const functions: RunHierarchy["functions"][number][] = [];
  const where = { dataSet: scope.dataSet, metric: scope.metric, over: "sum" } as const;
  for (const id of ids) {
    const place = await placeOfFunction(state, where, id, task);
    functions.push({ function: id, ...open.named(open.functionName(id)), ...place });
  }
  const counts = new Int32Array(kept.length * bins);
  kept.forEach((cell, at) => {
    if (!(largest[cell] > 0)) return;
    for (const run of staying) {
      const value = inclusives[cell * ensemble.size + run];
      if (!Number.isNaN(value)) counts[at * bins + binOf(value, largest[cell], bins)]++;
    }
  });
  const mostExclusive = orZero(largestOf(size, exclusives, ensemble.size, staying));
  const having = countsOf(size, inclusives, ensemble.size, staying);
  return {
    functions,
    function: Int32Array.from(kept, (cell) => ids.indexOf(cells.function[cell])),
    parent: Int32Array.from(kept, (cell) => placeOf.get(cells.parent[cell]) ?? NONE),
    context: Int32Array.from(kept, (cell) => cells.contexts[cell][0]),
    contexts: Int32Array.from(kept, (cell) => cells.contexts[cell].length),
    inclusive: Float64Array.from(kept, (cell) => largest[cell]),
    exclusive: Float64Array.from(kept, (cell) => mostExclusive[cell]),
    runs: Int32Array.from(kept, (cell) => having[cell]),
    counts,
    fullest: counts.reduce((a, b) => Math.max(a, b), 0),
    ...(target === undefined
      ? {}
      : { target: Float64Array.from(kept, (cell) => inclusives[cell * ensemble.size + target]) }),
    cellCount: size,
  };
}

/** Cells in preorder. @param own contexts, ascending */
function cellsOf({ dataSet, functions, callOf }: OpenDataSet, own: Iterable<readonly [number, number]>): Cells {
  const { end } = dataSet.tree;
  const cells: Cells = { parent: [], function: [], calls: [], contexts: [] };
  const childOf = new Map<number, Map<number, number>>();
  const cellOf = new Map<number, number>();
  /** Contexts inside of which we are. */
  const around: number[] = [];
  const contexts = [...own].flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => from + at));
  for (const context of contexts) {
    while (around.length > 0 && context >= end[around[around.length - 1]]) around.pop();
    const outer = around.at(-1);
    const above = outer === undefined ? NONE : (cellOf.get(outer) ?? NONE);
    const id = functions.ofContext[context];
    const isPart = callOf[context] !== context && above !== NONE && cells.function[above] === id;
    const siblings = entryOf(childOf, above, () => new Map<number, number>());
    const cell = isPart ? above : entryOf(siblings, id, () => cells.parent.push(above) - 1);
    cells.function[cell] ??= id;
    (cells.contexts[cell] ??= []).push(context);
    if (!isPart) (cells.calls[cell] ??= []).push(context);
    cellOf.set(context, cell);
    around.push(context);
  }
  return inPreorder(cells);
}

/** Cells are found as the first of their contexts is: what is below one may stand behind its siblings. */
function inPreorder(cells: Cells): Cells {
  const below = new Map<number, number[]>();
  cells.parent.forEach((above, cell) => entryOf(below, above, () => []).push(cell));
  const order: number[] = [];
  const pending = [...(below.get(NONE) ?? [])].reverse();
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    order.push(cell);
    appendAll(pending, [...(below.get(cell) ?? [])].reverse());
  }
  const placeOf = new Map(order.map((cell, at) => [cell, at]));
  return {
    parent: order.map((cell) => placeOf.get(cells.parent[cell]) ?? NONE),
    function: order.map((cell) => cells.function[cell]),
    calls: order.map((cell) => cells.calls[cell]),
    contexts: order.map((cell) => cells.contexts[cell]),
  };
}
