import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Scope } from "../scope";
import type { CallerRow } from "./treeApi";
import type { Measured, OpenDataSet } from "../dataSets/openDataSet";

/** Who calls a function, as measured: callers ascending, each with the rows of its calls. */
type CallersOf = ReadonlyMap<number, ReadonlyMap<number, readonly number[]>>;

const known = new WeakMap<Measured, CallersOf>();

/** How many functions call this one. */
export function measuredCallerCount(measured: Measured, id: number): number {
  return callersOf(measured).get(id)?.size ?? 0;
}

/**
 * Callers of a chain of functions where calls were measured, not contexts. What a caller's calls cost is measured; its part
 * of the function's exclusive, and what comes from further up the chain, are shares in proportion to the measured calls.
 *
 * @param path the function asked for, then its callers, innermost first
 */
export function measuredCallerRows(
  open: OpenDataSet,
  measured: Measured,
  scope: Scope,
  path: readonly number[],
): CallerRow[] {
  const callers = callersOf(measured);
  const calls = measured.inclusive.ofCalls(scope);
  const costOf = (rows: readonly number[]) => rows.reduce((sum, row) => sum + calls[row], 0);
  const into = (id: number) => [...(callers.get(id)?.values() ?? [])].reduce((sum, rows) => sum + costOf(rows), 0);
  // What part of the first function's cost comes along the chain so far.
  let share = 1;
  for (let at = 1; at < path.length; at++) {
    const rows = callers.get(path[at - 1])?.get(path[at]);
    const all = into(path[at - 1]);
    share *= rows && all > 0 ? costOf(rows) / all : 0;
  }
  const [first] = path;
  const last = path[path.length - 1];
  const all = into(last);
  const numbers = open.numbers(scope);
  const rows: CallerRow[] = [];
  for (const [caller, own] of callers.get(last) ?? []) {
    const cost = costOf(own);
    const part = all > 0 ? share * (cost / all) : 0;
    const inclusive = path.length === 1 ? cost : part * into(first);
    rows.push({
      path: [...path, caller],
      ...open.namedFunction(caller),
      exclusive: part * numbers.functionExclusive[first],
      inclusive,
      // Further up a recursion is nothing that was not listed before.
      callers: path.includes(caller) ? 0 : (callers.get(caller)?.size ?? 0),
    });
  }
  return rows;
}

function callersOf(measured: Measured): CallersOf {
  const found = known.get(measured);
  if (found) return found;
  const callers = new Map<number, Map<number, number[]>>();
  const { calls } = measured.callGraph;
  for (let row = 0; row < calls.count; row++) {
    const ofCallee = entryOf(callers, calls.callee[row], () => new Map<number, number[]>());
    entryOf(ofCallee, calls.caller[row], () => []).push(row);
  }
  known.set(measured, callers);
  return callers;
}

/** The heaviest context of the estimated tree with this frame in this function; else of the function; else NONE. */
export function estimatedContext(open: OpenDataSet, scope: Scope, id: number, frame: number): number {
  const { inclusive } = open.numbers(scope);
  const { tree } = open.dataSet;
  let best: number = NONE;
  let exact = false;
  for (let context = 0; context < tree.size; context++) {
    if (open.functions.ofContext[context] !== id) continue;
    const same = tree.frame[context] === frame;
    if (best === NONE || (same && !exact) || (same === exact && inclusive[context] > inclusive[best])) {
      best = context;
      exact ||= same;
    }
  }
  return best;
}
