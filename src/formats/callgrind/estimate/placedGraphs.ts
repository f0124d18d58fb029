import { NONE } from "../../../model/ids";
import { firstCell, type LineValues, locationOfCell } from "../../../model/lineValues";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import type { Edges } from "../assemble/components";
import type { FlowGraph } from "./flowGraph";
import type { RecordedGraph } from "../assemble/recordedGraph";

/** Cells by location instead of by row; rows ascend within a location. */
interface ByLocation {
  readonly start: Int32Array;
  /** Undefined where each row has one cell, all at one location. */
  readonly row: Int32Array | undefined;
  readonly value: LineValues["value"];
}

/** A recorded call graph, location by location, each with only what happened there. */
export class PlacedGraphs {
  private readonly counts: ByLocation;
  private readonly exclusive: readonly ByLocation[];
  private readonly inclusive: readonly ByLocation[];
  /** Place of a node among those of a location, while one is put together. */
  private readonly placeOf: Int32Array;

  constructor(
    private readonly recorded: RecordedGraph,
    locations: number,
    private readonly task: Task,
  ) {
    const { lines, calls } = recorded;
    const turned = (rows: number) => (values: LineValues) => byLocation(values, rows, locations, task);
    this.counts = turned(calls.count)(recorded.counts);
    this.exclusive = recorded.exclusive.map(turned(lines.count));
    this.inclusive = recorded.inclusive.map(turned(calls.count));
    this.placeOf = new Int32Array(recorded.nodes).fill(NONE);
  }

  at(location: number): PlacedGraph {
    const { calls, functionOf } = this.recorded;
    const { placeOf } = this;
    const part = ({ start, row, value }: ByLocation): CellRows => ({
      row: row?.subarray(start[location], start[location + 1]),
      value: value.subarray(start[location], start[location + 1]),
    });
    let present = 0;
    const meet = (node: number) => {
      if (placeOf[node] === NONE) present++;
      placeOf[node] = 0;
    };
    const counts = part(this.counts);
    for (let at = 0; at < counts.value.length; at++) {
      meet(calls.caller[rowOfCell(counts, at)]);
      meet(calls.callee[rowOfCell(counts, at)]);
    }
    for (const one of this.exclusive) {
      this.eachNode(part(one), meet);
    }
    const nodes = new Int32Array(present);
    for (let node = 0, at = 0; at < present; node++) {
      if (placeOf[node] === NONE) continue;
      nodes[at] = node;
      placeOf[node] = at++;
    }
    const metrics = this.exclusive.map((one, metric) => {
      const ofLines = part(one);
      return {
        lines: ofLines,
        lineStart: this.startsOf(ofLines, nodes.length),
        calls: part(this.inclusive[metric]),
      };
    });
    const placed = new PlacedGraph(
      nodes.map((node) => functionOf[node]),
      counts,
      (row) => placeOf[calls.caller[row]],
      (row) => placeOf[calls.callee[row]],
      metrics,
      this.recorded.nodes > this.recorded.functions.length,
    );
    for (const node of nodes) placeOf[node] = NONE;
    return placed;
  }

  /** Where the cells of each node begin: rows ascend by node. */
  private startsOf(cells: CellRows, nodes: number): Int32Array {
    const starts = new Int32Array(nodes + 1);
    this.eachNode(cells, (node) => starts[this.placeOf[node] + 1]++);
    for (let node = 0; node < nodes; node++) starts[node + 1] += starts[node];
    return starts;
  }

  /** Calls back with the node of each cell of lines. */
  private eachNode(cells: CellRows, visit: (node: number) => void): void {
    const { start } = this.recorded.lines;
    for (let at = 0, node = 0; at < cells.value.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) this.task.check();
      while (start[node + 1] <= rowOfCell(cells, at)) node++;
      visit(node);
    }
  }
}

/** Cells of one location, by ascending row. */
interface CellRows {
  /** Undefined where cell and row are the same number. */
  readonly row: Int32Array | undefined;
  readonly value: LineValues["value"];
}

function rowOfCell({ row }: CellRows, cell: number): number {
  return row ? row[cell] : cell;
}

interface MetricCells {
  readonly lines: CellRows;
  /** The cells of node n are those from `lineStart[n]` to `lineStart[n + 1]`. */
  readonly lineStart: Int32Array;
  readonly calls: CellRows;
}

/** What happened at one location. Nodes are numbered anew, in their order. */
export class PlacedGraph {
  private readonly edges: Edges;
  private readonly edgeOfCall: Int32Array;
  private readonly calls: Float64Array;

  /** @param counts numbers of calls; what follows says the caller and the callee of a row of calls, for as long as this is made */
  constructor(
    readonly functionOf: Int32Array,
    private readonly counts: CellRows,
    callerOf: (row: number) => number,
    calleeOf: (row: number) => number,
    private readonly metrics: readonly MetricCells[],
    private readonly levels: boolean,
  ) {
    const nodes = functionOf.length;
    const start = new Int32Array(nodes + 1);
    const target = new Int32Array(counts.value.length);
    let edges = 0;
    this.edgeOfCall = new Int32Array(counts.value.length);
    let [lastCaller, lastCallee]: number[] = [NONE, NONE];
    for (let at = 0; at < counts.value.length; at++) {
      const caller = callerOf(rowOfCell(counts, at));
      const callee = calleeOf(rowOfCell(counts, at));
      if (caller !== lastCaller || callee !== lastCallee) {
        target[edges++] = callee;
        start[caller + 1]++;
      }
      [lastCaller, lastCallee] = [caller, callee];
      this.edgeOfCall[at] = edges - 1;
    }
    for (let node = 0; node < nodes; node++) start[node + 1] += start[node];
    this.edges = { nodes, start, target: target.subarray(0, edges) };
    this.calls = new Float64Array(edges);
    for (let at = 0; at < counts.value.length; at++) this.calls[this.edgeOfCall[at]] += counts.value[at];
  }

  ofMetric(metric: number, task: Task): FlowGraph {
    const { lineStart, lines, calls } = this.metrics[metric];
    const own = new Float64Array(this.functionOf.length);
    for (let node = 0; node < own.length; node++) {
      if (node % 1024 === 0) task.check();
      for (let at = lineStart[node]; at < lineStart[node + 1]; at++) own[node] += lines.value[at];
    }
    const cost = new Float64Array(this.calls.length);
    // Both ascend, and every call that cost something was counted.
    for (let at = 0, counted = 0; at < calls.value.length; at++) {
      while (rowOfCell(this.counts, counted) < rowOfCell(calls, at)) counted++;
      cost[this.edgeOfCall[counted]] += calls.value[at];
    }
    return { edges: this.edges, cost, calls: this.calls, own, functionOf: this.functionOf, levels: this.levels };
  }

  lineCount(metric: number, node: number): number {
    const { lineStart } = this.metrics[metric];
    return lineStart[node + 1] - lineStart[node];
  }

  /** Calls back with each line of a node: its row, and what it costs here. */
  eachLine(metric: number, node: number, visit: (row: number, value: number) => void): void {
    const { lineStart, lines } = this.metrics[metric];
    for (let at = lineStart[node]; at < lineStart[node + 1]; at++) visit(rowOfCell(lines, at), lines.value[at]);
  }
}

function byLocation(values: LineValues, rows: number, locations: number, task: Task): ByLocation {
  const { column, value } = values;
  // At one location a row has one cell at most.
  if (locations === 1 && value.length === rows) return { start: Int32Array.of(0, rows), row: undefined, value };
  const start = new Int32Array(locations + 1);
  for (let cell = 0; cell < value.length; cell++) start[locationOfCell(values, cell) + 1]++;
  for (let location = 0; location < locations; location++) start[location + 1] += start[location];
  const next = start.slice(0, locations);
  const turnedRow = new Int32Array(value.length);
  // With one location the values are in order already.
  const turnedValue = column && locations > 1 ? new Float64Array(value.length) : value;
  for (let row = 0, cell = firstCell(values, 0); row < rows; row++) {
    if (row % STEPS_BETWEEN_CHECKS === 0) task.check();
    for (const end = firstCell(values, row + 1); cell < end; cell++) {
      const at = next[locationOfCell(values, cell)]++;
      turnedRow[at] = row;
      if (turnedValue !== value) turnedValue[at] = value[cell];
    }
  }
  return { start, row: turnedRow, value: turnedValue };
}
