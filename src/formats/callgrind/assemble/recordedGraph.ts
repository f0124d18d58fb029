import type { FrameTable } from "../../../model/frames";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import type { LineValues } from "../../../model/lineValues";
import { type Edges } from "./components";
import type { CostTable } from "../decode/costTable";
import { functionNodes } from "./functionNodes";
import { type LineBlocks, orderLines, type PlaceRanks } from "./orderedLines";
import { finalColumn, finalRows, RowSorter } from "./orderedRows";
import { filesInOrder, placeFrames } from "./placeFrames";

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
  /** By node, then by frame (NONE: no line is known): those of node n are the rows from `start[n]` to `start[n + 1]`. Frames are in the order of files and lines. */
  readonly lines: { readonly count: number; readonly start: Int32Array; readonly frame: Int32Array };
  /** By caller, callee, frame. */
  readonly calls: {
    readonly count: number;
    readonly caller: Int32Array;
    readonly callee: Int32Array;
    readonly frame: Int32Array;
  };
  /** By metric; rows are those of `lines`. */
  readonly exclusive: readonly LineValues[];
  /** By metric; rows are those of `calls`. */
  readonly inclusive: readonly LineValues[];
  /** Number of calls; rows are those of `calls`. */
  readonly counts: LineValues;
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
  const { functions, places, calls } = table;
  const { count, nodeOf, functionOf, functions: named } = functionNodes(table, levels, task);
  functions.clear();
  const files = filesInOrder(table, task);
  const ranks: PlaceRanks = {
    node: places.first.subarray(0, places.size).map((own) => nodeOf[own]),
    file: files.ofPlace,
    location: places.third.subarray(0, places.size).map((location) => locationOf[location]),
  };
  const { blocks, line, exclusive } = layLines(table, ranks, locationOf, divisors, task);
  calls.close();
  const call = { file: calls.first.map((place) => ranks.file[place]), line: calls.second };
  const functionFrames = placeFrames(files.names, named, { blocks, line, call }, frames, task);
  return {
    nodes: count,
    functionOf,
    functions: functionFrames,
    lines: { count: line.length, start: startsOf(blocks, count, line.length), frame: line },
    exclusive,
    ...layCalls(table, ranks, nodeOf, locationOf, divisors, task),
  };
}

/** Where the lines of each node begin. */
function startsOf(blocks: LineBlocks, nodes: number, lines: number): Int32Array {
  const starts = new Int32Array(nodes + 1);
  for (let node = 0, block = 0; node <= nodes; node++) {
    while (block < blocks.count && blocks.node[block] < node) block++;
    starts[node] = block < blocks.count ? blocks.start[block] : lines;
  }
  return starts;
}

/** Lines and their costs in final order; of the table's lines nothing is left then. */
function layLines(
  { lines, places, exclusive }: CostTable,
  ranks: PlaceRanks,
  locationOf: Int32Array,
  divisors: readonly number[],
  task: Task,
) {
  const { rows, blocks, line } = orderLines(lines, ranks, task);
  const locations = locationOf.length > 1 ? { column: lines.placesOfRows(), of: places.third } : undefined;
  lines.clear();
  const built = exclusive.map((column, event) =>
    column.build({ ...rows, locations }, locationOf, divisors[event], false, task),
  );
  return { blocks, line, exclusive: built };
}

/** Calls in final order, whose frames stand in the place of their lines. */
function layCalls(
  { calls, places, inclusive, counts }: CostTable,
  ranks: PlaceRanks,
  nodeOf: Int32Array,
  locationOf: Int32Array,
  divisors: readonly number[],
  task: Task,
): Pick<RecordedGraph, "calls" | "inclusive" | "counts"> {
  const caller = { column: calls.first, of: ranks.node };
  const callee = { column: calls.third, of: nodeOf };
  const frame = calls.second;
  const order = new RowSorter(calls.size)
    .sortBy(calls.first, ranks.location, task)
    .sortBy(
      frame.map((own) => own + 1),
      undefined,
      task,
    ) // from 0, which stands for no frame
    .sortBy(callee.column, callee.of, task)
    .sortBy(caller.column, caller.of, task)
    .take();
  const locations = locationOf.length > 1 ? { column: calls.first, of: places.third } : undefined;
  const rows = finalRows(order, [caller, callee], frame, locations, task);
  const final = {
    count: rows.groups,
    caller: finalColumn(rows, caller.column, caller.of, task),
    callee: finalColumn(rows, callee.column, callee.of, task),
    frame: finalColumn(rows, frame, undefined, task),
  };
  calls.clear();
  return {
    calls: final,
    inclusive: inclusive.map((column, event) => column.build(rows, locationOf, divisors[event], false, task)),
    counts: counts.build(rows, locationOf, 1, true, task),
  };
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
