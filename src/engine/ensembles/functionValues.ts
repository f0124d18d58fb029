/** The numbers of every function of an ensemble in every run, its contexts summed (semantics 10, Runs). */
import { inclusive } from "../../model/contextTree";
import { exclusiveByFunction, inclusiveByFunction } from "../../model/functions";
import { NONE } from "../../model/ids";
import { entryOf, keepNewest } from "../../model/maps";
import { type OverRanks, overRanksText } from "../../model/metrics";
import type { Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { Ensemble } from "./ensemble";

export interface FunctionValues {
  /** By run; NaN: it lacks the metric, or the rank that is asked for. */
  readonly totals: Float64Array;
  /** Rows are functions, columns runs; NaN where a run lacks the function or the metric. */
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
}

/** Scopes whose values are kept: most questions of a view are about one. */
const KEPT_SCOPES = 2;
const known = new WeakMap<Ensemble, Map<string, FunctionValues>>();

export function functionValues(
  ensemble: Ensemble,
  open: OpenDataSet,
  metric: number,
  over: OverRanks,
  task: Task,
): FunctionValues {
  const kept = entryOf(known, ensemble, () => new Map<string, FunctionValues>());
  const key = `${metric} ${overRanksText(over)}`;
  const values = kept.get(key) ?? foundValues(ensemble, open, metric, over, task);
  keepNewest(kept, key, values, KEPT_SCOPES);
  return values;
}

function foundValues(
  ensemble: Ensemble,
  { functions, dataSet: { tree } }: OpenDataSet,
  metric: number,
  over: OverRanks,
  task: Task,
): FunctionValues {
  const runs = ensemble.size;
  const totals = new Float64Array(runs).fill(NaN);
  const inclusives = new Float64Array(functions.size * runs).fill(NaN);
  const exclusives = new Float64Array(functions.size * runs).fill(NaN);
  const joined = new Float64Array(tree.size);
  const has = new Uint8Array(functions.size);
  for (const [run, { contextOf }] of ensemble.members.entries()) {
    task.check();
    // Each number is combined over ranks by itself: extremes do not add up.
    const all = ensemble.rankValues(run, metric, over)?.evaluate(over, (own) => {
      joined.fill(0);
      ensemble.addTo(joined, run, own);
      const sums = inclusive(tree, joined);
      const numbers = new Float64Array(2 * functions.size + 1);
      numbers.set(exclusiveByFunction(functions, joined), 0);
      numbers.set(inclusiveByFunction(functions, sums), functions.size);
      for (const value of own) numbers[2 * functions.size] += value;
      return numbers;
    });
    if (!all) continue;
    totals[run] = all[2 * functions.size];
    has.fill(0);
    for (const context of contextOf) has[functions.ofContext[context]] = 1;
    for (let id = 0; id < functions.size; id++) {
      if (has[id] === 0) continue;
      exclusives[id * runs + run] = all[id];
      inclusives[id * runs + run] = all[functions.size + id];
    }
    const measured = ensemble.measuredOf(run, metric, over);
    measured?.functions.forEach((id, own) => {
      if (id === NONE) return;
      exclusives[id * runs + run] = measured.exclusive[own];
      inclusives[id * runs + run] = measured.inclusive[own];
    });
  }
  return { totals, inclusive: inclusives, exclusive: exclusives };
}
