import type { CallGraph } from "../../../model/callGraph";
import { EntryLog } from "../../../model/entryLog";
import { NONE } from "../../../model/ids";
import { firstCell, type LineValues, locationOfCell } from "../../../model/lineValues";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import { SparseBuilder, type SparseValues } from "../../../model/values";
import { type Components, componentsOf } from "./components";
import { measuredLines } from "./measuredLines";
import { finalColumn, finalRows, identity, type RowKey, RowSorter } from "./orderedRows";
import { callEdges, type RecordedGraph } from "./recordedGraph";

/**
 * The measured values that views show: the levels of recursion of a function put together, no recursion counted twice.
 *
 * A function costs what its outermost calls cost. Where callgrind keeps levels of recursion apart (it does unless asked
 * otherwise), that is what the first level costs, as measured. Where levels are not kept apart, calls inside a cycle of
 * functions hold one another: a function of the cycle is then given what it and its calls cost together, but no more than
 * all that goes into the cycle. Of the calls between two functions only the outermost ones count, which hold the others.
 */
export function measuredGraph(recorded: RecordedGraph, locations: number, task: Task): CallGraph {
  const { functions, exclusive, inclusive } = recorded;
  const components = componentsOf(callEdges(recorded, task), task);
  const functionInclusive = exclusive.map((own, metric) =>
    inclusiveOfFunctions(recorded, components, own, inclusive[metric], locations, task),
  );
  return {
    functions,
    functionInclusive,
    atMost: atMost(recorded, components),
    ...measuredLines(recorded, locations, task),
    ...measuredCalls(recorded, components, functionInclusive, locations, task),
  };
}

/**
 * Functions of cycles whose calls may have held one another, where levels of recursion are not apart; not the one by which all calls
 * enter its cycle, which costs all that happens there.
 */
function atMost({ nodes, functions, functionOf, calls }: RecordedGraph, components: Components): Uint8Array {
  const found = new Uint8Array(functions.length);
  if (nodes > functions.length) return found;
  /** By component: the node that is called from outside; NONE: none is, or several are. */
  const entry = new Int32Array(components.size).fill(NONE);
  const several = new Uint8Array(components.size);
  for (let row = 0; row < calls.count; row++) {
    const component = components.of[calls.callee[row]];
    if (components.of[calls.caller[row]] === component) continue;
    if (entry[component] !== NONE && entry[component] !== calls.callee[row]) several[component] = 1;
    entry[component] = calls.callee[row];
  }
  for (let node = 0; node < nodes; node++) {
    const component = components.of[node];
    const alone = components.start[component + 1] - components.start[component] === 1;
    if (!alone && (several[component] === 1 || entry[component] !== node)) found[functionOf[node]] = 1;
  }
  return found;
}

function measuredCalls(
  recorded: RecordedGraph,
  components: Components,
  functionInclusive: readonly SparseValues[],
  locations: number,
  task: Task,
): Pick<CallGraph, "calls" | "inclusive"> {
  const { functionOf, calls, counts, inclusive } = recorded;
  const caller = { column: calls.caller, of: functionOf };
  const callee = { column: calls.callee, of: functionOf };
  const rows = merged(calls, [callee, caller], task);
  const final = {
    count: rows.groups,
    caller: finalColumn(rows, caller.column, caller.of, task),
    callee: finalColumn(rows, callee.column, callee.of, task),
    frame: finalColumn(rows, calls.frame, undefined, task),
  };
  const nesting = new Uint8Array(calls.count);
  let nested = false;
  const numberOfCalls = new Float64Array(rows.groups);
  const least = new Uint8Array(rows.groups).fill(INSIDE);
  for (let row = 0; row < calls.count; row++) {
    if (row % STEPS_BETWEEN_CHECKS === 0) task.check();
    const group = rows.groupOf[row];
    nesting[row] = nestingOf(recorded, components, row);
    least[group] = Math.min(least[group], nesting[row]);
    nested ||= nesting[row] !== OUTERMOST;
    for (let at = firstCell(counts, row); at < firstCell(counts, row + 1); at++)
      numberOfCalls[group] += counts.value[at];
  }
  if (!nested && recorded.nodes === recorded.functions.length)
    return { calls: { ...calls, calls: numberOfCalls }, inclusive };
  // The least of all calls between the same two functions, which follow one another.
  for (let from = 0; from < rows.groups;) {
    let to = from + 1;
    while (to < rows.groups && final.caller[to] === final.caller[from] && final.callee[to] === final.callee[from]) to++;
    least.fill(
      least.subarray(from, to).reduce((a, b) => Math.min(a, b)),
      from,
      to,
    );
    from = to;
  }
  return {
    calls: { ...final, calls: numberOfCalls },
    inclusive: inclusive.map((values, metric) =>
      regrouped(
        values,
        rows,
        locations,
        (row, location, value) => {
          if (nesting[row] !== least[rows.groupOf[row]]) return undefined;
          if (nesting[row] !== INSIDE) return value;
          return Math.min(value, cellAt(functionInclusive[metric], functionOf[calls.callee[row]], location));
        },
        task,
      ),
    ),
  };
}

/** Rows of a recorded graph as those of the measured one. */
interface MergedRows {
  readonly order: Int32Array;
  readonly begins: Uint8Array;
  readonly groups: number;
  /** Measured row of each recorded one. */
  readonly groupOf: Int32Array;
}

/** @param keys what rows are sorted by after their frames, the least first */
function merged(
  { count, frame }: { readonly count: number; readonly frame: Int32Array },
  keys: readonly RowKey[],
  task: Task,
): MergedRows {
  // From 0, which stands for no frame.
  const place = frame.map((own) => own + 1);
  const sorted = new RowSorter(count).sortBy(place, undefined, task);
  for (const { column, of } of keys) sorted.sortBy(column, of, task);
  const order = sorted.take();
  const { begins, groups } = finalRows(order, keys, frame, undefined, task);
  const groupOf = new Int32Array(count);
  for (let at = 0, group = -1; at < count; at++) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    group += begins[at];
    groupOf[order[at]] = group;
  }
  return { order, begins, groups, groupOf };
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
  exclusive: LineValues,
  inclusive: LineValues,
  locations: number,
  task: Task,
): SparseValues {
  const ofNode = new SparseBuilder();
  const ofComponent = new SparseBuilder();
  let node = 0;
  eachCell(
    exclusive,
    lines.count,
    (row, location, value) => {
      while (lines.start[node + 1] <= row) node++;
      ofNode.add(node, location, value);
      ofComponent.add(components.of[node], location, value);
    },
    task,
  );
  eachCell(
    inclusive,
    calls.count,
    (row, location, value) => {
      const caller = calls.caller[row];
      const component = components.of[caller];
      if (calls.callee[row] !== caller) ofNode.add(caller, location, value);
      if (components.of[calls.callee[row]] !== component) ofComponent.add(component, location, value);
    },
    task,
  );
  const places = identity(locations);
  const byNode = ofNode.build(nodes, identity(nodes), places, 1, 1, task);
  const byComponent = ofComponent.build(components.size, identity(components.size), places, 1, 1, task);
  const result = new EntryLog();
  const seen = new Set<number>();
  for (let from = 0; from < nodes;) {
    let to = from + 1;
    while (to < nodes && functionOf[to] === functionOf[from]) to++;
    task.check();
    seen.clear();
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
  return result.build(functions.length, identity(functions.length), places, 1, 1, task);
}

function regrouped(
  values: LineValues,
  rows: MergedRows,
  locations: number,
  counted: (row: number, location: number, value: number) => number | undefined,
  task: Task,
): SparseValues {
  const log = new EntryLog();
  eachCell(
    values,
    rows.order.length,
    (row, location, value) => {
      const own = counted(row, location, value);
      if (own !== undefined) log.add(rows.groupOf[row], location, own);
    },
    task,
  );
  return log.build(rows.groups, identity(rows.groups), identity(locations), 1, 1, task);
}

function eachCell(
  values: LineValues,
  rows: number,
  visit: (row: number, location: number, value: number) => void,
  task: Task,
): void {
  for (let row = 0, cell = firstCell(values, 0); row < rows; row++) {
    if (row % STEPS_BETWEEN_CHECKS === 0) task.check();
    for (const end = firstCell(values, row + 1); cell < end; cell++)
      visit(row, locationOfCell(values, cell), values.value[cell]);
  }
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
