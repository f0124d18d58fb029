import type { ContextTree } from "../model/contextTree";
import { NONE } from "../model/ids";
import { quietTask, STEPS_BETWEEN_CHECKS, type Task } from "../model/task";
import type { SparseValues } from "../model/values";
import type { Warning } from "../model/dataSet";

/** How far below zero an exclusive value may be, as a share of the total, before that is worth a warning (semantics 1, Order). */
const ROUNDING = 1e-6;
/** A smaller share is shown as less than 0.01 %. */
const LEAST_SHOWN = 1e-4;

/**
 * Exclusive values where a tool gives inclusive ones only (semantics 1): inclusive − Σ inclusive of the children. A
 * context without a value of its own stands for its children, so what lies below it is taken from its parent.
 *
 * Sums run over children in canonical order. Rounding in the tool may leave small negative values: they stay.
 *
 * @param inclusive one row per context, as recorded
 */
export function exclusiveOf(
  tree: ContextTree,
  inclusive: SparseValues,
  locations: number,
  task: Pick<Task, "check"> = quietTask,
): SparseValues {
  const { rowStart, column, value } = inclusive;
  const children = new Float64Array(value.length);
  const contextOf = new Int32Array(value.length);
  for (let context = 0; context < tree.size; context++)
    contextOf.fill(context, rowStart[context], rowStart[context + 1]);
  // Cells by location, contexts ascending: parents come before their children.
  const start = new Int32Array(locations + 1);
  for (const place of column) start[place + 1]++;
  for (let place = 0; place < locations; place++) start[place + 1] += start[place];
  const next = start.slice(0, locations);
  const cells = new Int32Array(value.length);
  for (let cell = 0; cell < value.length; cell++) cells[next[column[cell]]++] = cell;
  task.check();
  // For each cell the nearest one above it that has a value: climbing by context would take hours on a deep tree.
  const above = new Int32Array(value.length).fill(NONE);
  for (let place = 0; place < locations; place++) {
    let nearest: number = NONE;
    for (let at = start[place]; at < start[place + 1]; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const cell = cells[at];
      if (!Number.isFinite(value[cell])) continue;
      while (nearest !== NONE && tree.end[contextOf[nearest]] <= contextOf[cell]) nearest = above[nearest];
      if (nearest !== NONE) children[nearest] += value[cell];
      above[cell] = nearest;
      nearest = cell;
    }
  }
  return { rowStart, column, value: value.map((one, cell) => one - children[cell]) };
}

/** The warning about exclusive values that are negative by more than rounding, where there are any. */
export function negativeExclusive(metric: string, { value }: SparseValues): Warning[] {
  let total = 0;
  let lowest = 0;
  for (const one of value) {
    if (!Number.isFinite(one)) continue;
    total += one;
    lowest = Math.min(lowest, one);
  }
  if (lowest >= -ROUNDING * Math.abs(total)) return [];
  const share = -lowest / Math.abs(total);
  return [
    {
      message: `${metric}: inclusive values are less than those of their children together, by up to ${(100 * share).toPrecision(2)} % of the total; such exclusive values are negative and stay in the sums`,
      ...(share < LEAST_SHOWN ? { isMinor: true } : {}),
    },
  ];
}

/**
 * What readers of a metric's sums should know: values that are left out of them, and finite values that add up to more than a
 * number can hold.
 *
 * @param notFinite how many recorded values are `nan` or `inf`
 */
export function sumWarnings(metric: string, notFinite: number, { value }: SparseValues, additive: boolean): Warning[] {
  const messages: string[] = [];
  if (notFinite > 0) messages.push(`${metric} has ${notFinite} values that are nan or inf: they are left out of sums`);
  // One value that is not finite, or too large a sum, shows in the sum of all: the usual case needs no look at each.
  let total = 0;
  for (let at = 0; at < value.length; at++) total += value[at];
  let beyond = 0;
  if (!Number.isFinite(total)) {
    total = 0;
    for (const one of value) {
      if (Number.isFinite(one)) total += one;
      else beyond++;
    }
  }
  if (additive && (!Number.isFinite(total) || (notFinite === 0 && beyond > 0)))
    messages.push(
      `${metric}: finite values add up to more than ${Number.MAX_VALUE.toPrecision(2)}, the most that a number can hold: such sums are inf, and left out of others`,
    );
  return messages.map((message) => ({ message }));
}
