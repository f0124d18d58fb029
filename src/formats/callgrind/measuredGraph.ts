import type { CallGraph } from "../../model/callGraph";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { SparseBuilder, type SparseValues } from "../../model/values";
import { type Components, componentsOf } from "./components";
import { callEdges, groupRows, identity, type RecordedGraph } from "./recordedGraph";

/**
 * The measured values that views show: the levels of recursion of a function put together, no recursion counted twice.
 *
 * A function costs what its outermost calls cost. Where callgrind keeps levels of recursion apart (it does unless told
 * otherwise), that is what the first level costs, as measured. Where levels are not kept apart, calls inside a cycle of
 * functions hold one another: a function of the cycle is then given what it and its calls cost together, but no more than
 * all that goes into the cycle. Of the calls between two functions only the outermost ones count, which hold the others.
 */
export function measuredGraph(recorded: RecordedGraph, locations: number, task: Task): CallGraph {
  const { functionOf, functions, lines, calls, exclusive, inclusive, counts, lineRank } = recorded;
  const components = componentsOf(callEdges(recorded));
  const functionOfLine = lines.node.map((node) => functionOf[node]);
  const callerOf = calls.caller.map((node) => functionOf[node]);
  const calleeOf = calls.callee.map((node) => functionOf[node]);
  const pair = (row: number) => callerOf[row] * functions.length + calleeOf[row];
  const nesting = Uint8Array.from({ length: calls.count }, (_, row) => nestingOf(recorded, components, row));
  const least = new Map<number, number>();
  for (let row = 0; row < calls.count; row++)
    least.set(pair(row), Math.min(nesting[row], least.get(pair(row)) ?? INSIDE));
  const rankOf = (frame: number) => (frame === NONE ? 0 : lineRank[frame]);
  const lineRows = groupRows(functionOfLine, functions.length, (row) => rankOf(lines.frame[row]), task);
  const callKey = (row: number) => calleeOf[row] * (lineRank.length + 1) + rankOf(calls.frame[row]);
  const callRows = groupRows(callerOf, functions.length, callKey, task);
  const functionInclusive = exclusive.map((own, metric) => {
    task.check();
    return inclusiveOfFunctions(recorded, components, own, inclusive[metric], locations);
  });
  const numberOfCalls = new Float64Array(callRows.first.length);
  for (let row = 0; row < calls.count; row++)
    for (let at = counts.rowStart[row]; at < counts.rowStart[row + 1]; at++)
      numberOfCalls[callRows.groupOf[row]] += counts.value[at];
  return {
    functions,
    lines: {
      count: lineRows.first.length,
      function: lineRows.first.map((row) => functionOfLine[row]),
      frame: lineRows.first.map((row) => lines.frame[row]),
    },
    calls: {
      count: callRows.first.length,
      caller: callRows.first.map((row) => callerOf[row]),
      callee: callRows.first.map((row) => calleeOf[row]),
      frame: callRows.first.map((row) => calls.frame[row]),
      calls: numberOfCalls,
    },
    exclusive: exclusive.map((values) => regrouped(values, lineRows, locations, (_, __, value) => value)),
    inclusive: inclusive.map((values, metric) =>
      regrouped(values, callRows, locations, (row, location, value) => {
        if (nesting[row] !== least.get(pair(row))) return undefined;
        if (nesting[row] !== INSIDE) return value;
        return Math.min(value, cellAt(functionInclusive[metric], calleeOf[row], location));
      }),
    ),
    functionInclusive,
  };
}

/** How a call may lie in another one between the same functions: in none; in one of another level; in one of its own kind. */
const OUTERMOST = 0;
const BELOW = 1;
const INSIDE = 2;

/**
 * Where levels of recursion are kept apart, the first level of a function is on a path once, so calls from it or to it never
 * lie in one another.
 */
function nestingOf(
  { nodes, functionOf, functions, calls }: RecordedGraph,
  components: Components,
  row: number,
): number {
  const [caller, callee] = [calls.caller[row], calls.callee[row]];
  const first = (node: number) => node === 0 || functionOf[node - 1] !== functionOf[node];
  if (nodes > functions.length && (first(caller) || first(callee))) return OUTERMOST;
  if (components.of[caller] === components.of[callee]) return INSIDE;
  return nodes > functions.length ? BELOW : OUTERMOST;
}

function inclusiveOfFunctions(
  { nodes, functionOf, functions, lines, calls }: RecordedGraph,
  components: Components,
  exclusive: SparseValues,
  inclusive: SparseValues,
  locations: number,
): SparseValues {
  const ofNode = new SparseBuilder();
  const ofComponent = new SparseBuilder();
  eachCell(exclusive, (row, location, value) => {
    const node = lines.node[row];
    ofNode.add(node, location, value);
    ofComponent.add(components.of[node], location, value);
  });
  eachCell(inclusive, (row, location, value) => {
    const caller = calls.caller[row];
    const component = components.of[caller];
    if (calls.callee[row] !== caller) ofNode.add(caller, location, value);
    if (components.of[calls.callee[row]] !== component) ofComponent.add(component, location, value);
  });
  const places = identity(locations);
  const byNode = ofNode.build(nodes, identity(nodes), places);
  const byComponent = ofComponent.build(components.size, identity(components.size), places);
  const result = new SparseBuilder();
  for (let from = 0; from < nodes;) {
    let to = from + 1;
    while (to < nodes && functionOf[to] === functionOf[from]) to++;
    const seen = new Set<number>();
    // The outermost level that is there; what lies below it is part of it.
    for (let node = from; node < to; node++) {
      const component = components.of[node];
      const alone = components.start[component + 1] - components.start[component] === 1;
      for (let at = byNode.rowStart[node]; at < byNode.rowStart[node + 1]; at++) {
        const location = byNode.column[at];
        if (seen.has(location)) continue;
        seen.add(location);
        const value = byNode.value[at];
        result.add(
          functionOf[node],
          location,
          alone ? value : Math.min(value, cellAt(byComponent, component, location)),
        );
      }
    }
    from = to;
  }
  return result.build(functions.length, identity(functions.length), places);
}

function regrouped(
  values: SparseValues,
  rows: { readonly groupOf: Int32Array; readonly first: Int32Array },
  locations: number,
  counted: (row: number, location: number, value: number) => number | undefined,
): SparseValues {
  const builder = new SparseBuilder();
  eachCell(values, (row, location, value) => {
    const own = counted(row, location, value);
    if (own !== undefined) builder.add(rows.groupOf[row], location, own);
  });
  return builder.build(rows.first.length, identity(rows.first.length), identity(locations));
}

export function eachCell(
  { rowStart, column, value }: SparseValues,
  visit: (row: number, location: number, value: number) => void,
): void {
  for (let row = 0; row + 1 < rowStart.length; row++)
    for (let at = rowStart[row]; at < rowStart[row + 1]; at++) visit(row, column[at], value[at]);
}

/** The value of a row at a location; 0 where there is none. */
function cellAt({ rowStart, column, value }: SparseValues, row: number, location: number): number {
  let from = rowStart[row];
  let to = rowStart[row + 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (column[middle] < location) from = middle + 1;
    else to = middle;
  }
  return from < rowStart[row + 1] && column[from] === location ? value[from] : 0;
}
