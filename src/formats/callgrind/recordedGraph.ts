import type { FrameTable } from "../../model/frames";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";
import type { SparseValues } from "../../model/values";
import { type Edges } from "./components";
import type { CostColumn } from "./costColumn";
import type { CostTable } from "./costTable";
import { functionNodes } from "./functionNodes";
import { finalColumn, finalRows, type OrderedRows } from "./orderedRows";
import { type PlacedRows, placeFrames } from "./placeFrames";

/**
 * The call graph as it was recorded, in canonical order. Nodes are functions with each level of recursion apart
 * (`fib`, `fib'2`), as callgrind measures them; the levels of one function follow one another, outermost first.
 */
export interface RecordedGraph {
  readonly nodes: number;
  /** Function of each node. */
  readonly functionOf: Int32Array;
  /** Frame of each function. */
  readonly functions: Int32Array;
  /** By node, then by frame (NONE: no line is known). Frames are in the order of files and lines. */
  readonly lines: { readonly count: number; readonly node: Int32Array; readonly frame: Int32Array };
  /** By caller, callee, frame. */
  readonly calls: {
    readonly count: number;
    readonly caller: Int32Array;
    readonly callee: Int32Array;
    readonly frame: Int32Array;
  };
  /** By metric; rows are those of `lines`. */
  readonly exclusive: readonly SparseValues[];
  /** By metric; rows are those of `calls`. */
  readonly inclusive: readonly SparseValues[];
  /** Number of calls; rows are those of `calls`. */
  readonly counts: SparseValues;
}

/**
 * Lays a table out, and empties it: it may be as large as the result.
 *
 * @param frames takes the frames of functions and lines; has none yet
 * @param levels names may end in a level of recursion
 * @param locationOf final number of each location
 * @param divisors what recorded costs are divided by, by event
 */
export function recordedGraph(
  table: CostTable,
  frames: FrameTable,
  levels: boolean,
  locationOf: Int32Array,
  divisors: readonly number[],
  task: Task,
): RecordedGraph {
  table.close();
  const { places } = table;
  const { count, nodeOf, functionOf, functions, lines, calls } = placeNodes(table, frames, levels, locationOf, task);
  const nodeOfPlace = places.first.subarray(0, places.size).map((own) => nodeOf[own]);
  // At one location nothing asks for places any more.
  if (locationOf.length === 1) places.clear();
  // The few calls first: of the lines, what is laid out takes more than what was read.
  const laidCalls = layCalls(table, calls, nodeOfPlace, nodeOf, locationOf, divisors, task);
  table.calls.clear();
  const laidLines = layLines(table, lines, nodeOfPlace, locationOf, divisors, task);
  table.clear();
  return { nodes: count, functionOf, functions, ...laidLines, ...laidCalls };
}

/** Nodes and frames of all rows. The names of functions, of which there may be very many, end here. */
function placeNodes(table: CostTable, frames: FrameTable, levels: boolean, locationOf: Int32Array, task: Task) {
  const { places } = table;
  const { count, nodeOf, functionOf, functions } = functionNodes(table, levels, task);
  table.functions.clear();
  const rankOfPlace = places.third.subarray(0, places.size).map((location) => locationOf[location]);
  return { count, nodeOf, functionOf, ...placeFrames(table, functions, frames, rankOfPlace, task) };
}

function layLines(
  table: CostTable,
  placed: PlacedRows,
  nodeOfPlace: Int32Array,
  locationOf: Int32Array,
  divisors: readonly number[],
  task: Task,
): Pick<RecordedGraph, "lines" | "exclusive"> {
  const { rows, lines } = finalLines(table, placed, nodeOfPlace, locationOf, task);
  return { lines, exclusive: built(table.exclusive, rows, locationOf, divisors, task) };
}

/** The lines in their final order; of the table's rows nothing is left then but their costs. */
function finalLines(
  { lines, places }: CostTable,
  placed: PlacedRows,
  nodeOfPlace: Int32Array,
  locationOf: Int32Array,
  task: Task,
): { rows: OrderedRows; lines: RecordedGraph["lines"] } {
  const node = { column: lines.first, of: nodeOfPlace };
  const { order, spare } = placed.order.sortBy(node.column, node.of, task).takeBoth();
  const several = locationOf.length > 1;
  const locations = several ? { column: lines.first, of: places.third } : undefined;
  const rows = finalRows(order, [node], placed.frame, locations, task);
  const final = {
    count: rows.groups,
    node: finalColumn(rows, node.column, node.of, task, spare),
    frame: finalColumn(rows, placed.frame, undefined, task, lines.second),
  };
  placed.frame = EMPTY;
  lines.clear();
  return { rows, lines: final };
}

function layCalls(
  { calls, places, inclusive, counts }: CostTable,
  placed: PlacedRows,
  nodeOfPlace: Int32Array,
  nodeOf: Int32Array,
  locationOf: Int32Array,
  divisors: readonly number[],
  task: Task,
): Pick<RecordedGraph, "calls" | "inclusive" | "counts"> {
  const caller = { column: calls.first, of: nodeOfPlace };
  const callee = { column: calls.third, of: nodeOf };
  placed.order.sortBy(callee.column, callee.of, task);
  const order = placed.order.sortBy(caller.column, caller.of, task).take();
  const locations = locationOf.length > 1 ? { column: calls.first, of: places.third } : undefined;
  const rows = finalRows(order, [caller, callee], placed.frame, locations, task);
  const final = {
    count: rows.groups,
    caller: finalColumn(rows, caller.column, caller.of, task),
    callee: finalColumn(rows, callee.column, callee.of, task),
    frame: finalColumn(rows, placed.frame, undefined, task),
  };
  placed.frame = EMPTY;
  return {
    calls: final,
    inclusive: built(inclusive, rows, locationOf, divisors, task),
    counts: counts.build(rows, locationOf, 1, true, task),
  };
}

const EMPTY = new Int32Array(0);

function built(
  columns: readonly CostColumn[],
  rows: OrderedRows,
  locationOf: Int32Array,
  divisors: readonly number[],
  task: Task,
): SparseValues[] {
  return columns.map((column, event) => column.build(rows, locationOf, divisors[event], false, task));
}

/** Who calls whom, each pair once. */
export function callEdges({ nodes, calls }: Pick<RecordedGraph, "nodes" | "calls">, task: Task): Edges {
  const start = new Int32Array(nodes + 1);
  const target = new Int32Array(calls.count);
  let edges = 0;
  for (let row = 0; row < calls.count; row++) {
    if (row % STEPS_BETWEEN_CHECKS === 0) task.check();
    const again = row > 0 && calls.caller[row] === calls.caller[row - 1] && calls.callee[row] === calls.callee[row - 1];
    if (again) continue;
    target[edges++] = calls.callee[row];
    start[calls.caller[row] + 1]++;
  }
  for (let node = 0; node < nodes; node++) start[node + 1] += start[node];
  return { nodes, start, target: target.slice(0, edges) };
}
