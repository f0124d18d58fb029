import { NONE } from "../../model/ids";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";
import type { SparseValues } from "../../model/values";
import type { Edges } from "./components";
import type { FlowGraph } from "./flowGraph";
import type { RecordedGraph } from "./recordedGraph";

/** Cells by location instead of by row; rows ascend within a location. */
interface ByLocation {
  readonly start: Int32Array;
  readonly row: Int32Array;
  readonly value: Float64Array;
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
    const turned = (values: SparseValues) => byLocation(values, locations, task);
    this.counts = turned(recorded.counts);
    this.exclusive = recorded.exclusive.map(turned);
    this.inclusive = recorded.inclusive.map(turned);
    this.placeOf = new Int32Array(recorded.nodes).fill(NONE);
  }

  at(location: number): PlacedGraph {
    const { lines, calls, functionOf } = this.recorded;
    const { placeOf } = this;
    const rows = ({ start, row }: ByLocation) => row.subarray(start[location], start[location + 1]);
    const values = ({ start, value }: ByLocation) => value.subarray(start[location], start[location + 1]);
    let present = 0;
    const meet = (node: number) => {
      if (placeOf[node] === NONE) present++;
      placeOf[node] = 0;
    };
    const callRows = rows(this.counts);
    for (const row of callRows) {
      meet(calls.caller[row]);
      meet(calls.callee[row]);
    }
    for (const one of this.exclusive) {
      const lineRows = rows(one);
      for (let at = 0; at < lineRows.length; at++) {
        if (at % STEPS_BETWEEN_CHECKS === 0) this.task.check();
        meet(lines.node[lineRows[at]]);
      }
    }
    const nodes = new Int32Array(present);
    for (let node = 0, at = 0; at < present; node++) {
      if (placeOf[node] === NONE) continue;
      nodes[at] = node;
      placeOf[node] = at++;
    }
    const metrics = this.exclusive.map((one, metric) => ({
      lineRow: rows(one),
      lineValue: values(one),
      callRow: rows(this.inclusive[metric]),
      callValue: values(this.inclusive[metric]),
    }));
    const count = values(this.counts);
    const placed = new PlacedGraph(
      nodes.map((node) => functionOf[node]),
      callRows,
      callRows.map((row) => placeOf[calls.caller[row]]),
      callRows.map((row) => placeOf[calls.callee[row]]),
      count,
      metrics.map((one) => ({ ...one, lineStart: this.startsOf(one.lineRow, nodes.length) })),
    );
    for (const node of nodes) placeOf[node] = NONE;
    return placed;
  }

  /** Where the cells of each node begin: rows ascend by node. */
  private startsOf(rows: Int32Array, nodes: number): Int32Array {
    const { node } = this.recorded.lines;
    const starts = new Int32Array(nodes + 1);
    for (let at = 0; at < rows.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) this.task.check();
      starts[this.placeOf[node[rows[at]]] + 1]++;
    }
    for (let node = 0; node < nodes; node++) starts[node + 1] += starts[node];
    return starts;
  }
}

interface MetricCells {
  readonly lineRow: Int32Array;
  /** The cells of node n are those from `lineStart[n]` to `lineStart[n + 1]`. */
  readonly lineStart: Int32Array;
  readonly lineValue: Float64Array;
  readonly callRow: Int32Array;
  readonly callValue: Float64Array;
}

/** What happened at one location. Nodes are numbered anew, in their order. */
export class PlacedGraph {
  private readonly edges: Edges;
  private readonly edgeOfCall: Int32Array;
  private readonly calls: Float64Array;

  constructor(
    readonly functionOf: Int32Array,
    private readonly callRow: Int32Array,
    caller: Int32Array,
    callee: Int32Array,
    counts: Float64Array,
    private readonly metrics: readonly MetricCells[],
  ) {
    const nodes = functionOf.length;
    const start = new Int32Array(nodes + 1);
    const target = new Int32Array(callRow.length);
    let edges = 0;
    this.edgeOfCall = new Int32Array(callRow.length);
    for (let at = 0; at < callRow.length; at++) {
      const again = at > 0 && caller[at] === caller[at - 1] && callee[at] === callee[at - 1];
      if (!again) {
        target[edges++] = callee[at];
        start[caller[at] + 1]++;
      }
      this.edgeOfCall[at] = edges - 1;
    }
    for (let node = 0; node < nodes; node++) start[node + 1] += start[node];
    this.edges = { nodes, start, target: target.slice(0, edges) };
    this.calls = new Float64Array(edges);
    for (let at = 0; at < callRow.length; at++) this.calls[this.edgeOfCall[at]] += counts[at];
  }

  ofMetric(metric: number, task: Task): FlowGraph {
    const { lineStart, lineValue, callRow, callValue } = this.metrics[metric];
    const own = new Float64Array(this.functionOf.length);
    for (let node = 0; node < own.length; node++) {
      if (node % 1024 === 0) task.check();
      for (let at = lineStart[node]; at < lineStart[node + 1]; at++) own[node] += lineValue[at];
    }
    const cost = new Float64Array(this.calls.length);
    // Both ascend, and every call that cost something was counted.
    for (let at = 0, counted = 0; at < callRow.length; at++) {
      while (this.callRow[counted] < callRow[at]) counted++;
      cost[this.edgeOfCall[counted]] += callValue[at];
    }
    return { edges: this.edges, cost, calls: this.calls, own };
  }

  lineCount(metric: number, node: number): number {
    const { lineStart } = this.metrics[metric];
    return lineStart[node + 1] - lineStart[node];
  }

  /** Calls back with each line of a node: its row, and what it costs here. */
  eachLine(metric: number, node: number, visit: (row: number, value: number) => void): void {
    const { lineRow, lineStart, lineValue } = this.metrics[metric];
    for (let at = lineStart[node]; at < lineStart[node + 1]; at++) visit(lineRow[at], lineValue[at]);
  }
}

function byLocation({ rowStart, column, value }: SparseValues, locations: number, task: Task): ByLocation {
  // At one location, where every row has a cell, each begins at its own number.
  if (locations === 1 && column.length === rowStart.length - 1)
    return { start: Int32Array.of(0, column.length), row: rowStart.subarray(0, column.length), value };
  const start = new Int32Array(locations + 1);
  for (const location of column) start[location + 1]++;
  for (let location = 0; location < locations; location++) start[location + 1] += start[location];
  const next = start.slice(0, locations);
  const rows = new Int32Array(column.length);
  // With one location the values are in order already.
  const values = locations > 1 ? new Float64Array(column.length) : value;
  for (let row = 0; row + 1 < rowStart.length; row++) {
    if (row % STEPS_BETWEEN_CHECKS === 0) task.check();
    for (let cell = rowStart[row]; cell < rowStart[row + 1]; cell++) {
      const at = next[column[cell]]++;
      rows[at] = row;
      if (locations > 1) values[at] = value[cell];
    }
  }
  return { start, row: rows, value: values };
}
