import { describe, expect, it } from "vitest";
import { cellsByMember } from "../../../src/model/memberCells";
import { quietTask } from "../../../src/model/task";
import type { SparseValues } from "../../../src/model/values";
import { laidOut } from "./laidOut";
import type { Measurement } from "../../../src/supergraph/measure";
import { operationText, parseOperation } from "../../../src/supergraph/operationText";
import type { GraphOperation } from "../../../src/supergraph/query";
import {
  type GraphBasis,
  graphBasis,
  graphStructure,
  type GraphStructure,
  type MeasuredGraph,
  measuredGraph,
} from "../../../src/supergraph/superGraph";
import { functionsOf } from "../../../src/model/functions";
import { brokenLaws, comparable } from "./graphLaws";
import { randomRecording, type RandomRecording, randomRequest, type RandomRequest } from "./randomOperations";
import { casesOf, seeds } from "../randomCases";
import { seeded, shuffled } from "./random";
import { withLoopsAndLines } from "./linesOfFrames";
import { treeOf } from "./treeOf";
import { measuredTwin, twinBars, type TwinGraph } from "./twin";

const PARTS = Array.from({ length: 10 }, (_, part) => part);
const TREES = 500;
/** For laws that build many graphs a tree. */
const FEWER = 250;

/** The recording as the real graph reads it, its rows in this order. */
function basisOf(recording: RandomRecording, rows = recording.rows) {
  const { tree, frames, exclusive, finalOf } = treeOf(rows);
  return { basis: graphBasis(tree, frames, functionsOf(tree, frames), exclusive), finalOf };
}

function structureOf(
  recording: RandomRecording,
  basis: GraphBasis,
  { filter, groupBy, operations }: RandomRequest["request"],
): GraphStructure {
  const frameOf = (id: number) => basis.frames.get(basis.functions.frame[id] as never);
  const attributes = {
    file: (id: number) => frameOf(id).file,
    className: (id: number) => recording.classOf(frameOf(id).name),
    module: (id: number) => frameOf(id).module,
    files: recording.rows.flatMap(({ frame }) => frame?.file ?? []),
  };
  // As they are written and read back.
  const written = operations.map((operation) => parseOperation(operationText(operation)));
  const request = { filter, groupBy, map: recording.map, operations: written, lenient: true };
  return graphStructure(basis, attributes, request, quietTask);
}

/** Values of contexts, combined as the title says, for both. */
function measurements({ values, ranks }: RandomRecording, finalOf: Int32Array, seed: number) {
  const random = seeded(seed ^ 0x7a4c);
  const chosen = Array.from({ length: ranks }, (_, rank) => rank).filter((rank) => rank === 0 || random() < 0.5);
  const ofRanks = (combine: (all: readonly number[]) => number) => values.map((row) => combine(row));
  const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);
  const perRow: { what: string; exclusive: number[] }[] = [
    { what: "sum", exclusive: ofRanks(sum) },
    { what: "mean", exclusive: ofRanks((all) => sum(all) / ranks) },
    { what: `ranks ${chosen.join()}`, exclusive: ofRanks((all) => sum(chosen.map((rank) => all[rank]))) },
  ];
  const columns = perRow.map(({ what, exclusive }) => ({ what, rows: [exclusive], real: realOf(exclusive, finalOf) }));
  const extremes = (["max", "min"] as const).map((extreme) => {
    const sparse = sparseOf(values, finalOf);
    const rankOf = Int32Array.from({ length: ranks }, (_, rank) => rank);
    const real: Measurement = { extreme, cells: cellsByMember(sparse, rankOf, ranks) };
    const rows = Array.from({ length: ranks }, (_, rank) => values.map((row) => row[rank]));
    return { what: extreme, rows, real };
  });
  return [...columns, ...extremes];
}

function realOf(exclusive: readonly number[], finalOf: Int32Array): Measurement {
  const values = new Float64Array(finalOf.length);
  exclusive.forEach((value, row) => (values[finalOf[row]] = value));
  return { exclusive: values };
}

function sparseOf(values: RandomRecording["values"], finalOf: Int32Array): SparseValues {
  const rowOf = new Int32Array(values.length);
  finalOf.forEach((context, row) => (rowOf[context] = row));
  const cells = Array.from(rowOf, (row) => [...values[row].entries()].filter(([, value]) => value !== 0));
  const rowStart = [0];
  for (const row of cells) rowStart.push(rowStart[rowStart.length - 1] + row.length);
  return {
    rowStart: Int32Array.from(rowStart),
    column: Int32Array.from(cells.flat(), ([rank]) => rank),
    value: Float64Array.from(cells.flat(), ([, value]) => value),
  };
}

/** Each number of several graphs on the same bars, the largest or smallest of them. */
function extremeTwin(graphs: readonly TwinGraph[], pick: (...values: number[]) => number): TwinGraph {
  const over = (of: (graph: TwinGraph) => number) => pick(...graphs.map(of));
  const [first] = graphs;
  return {
    ...first,
    total: over((graph) => graph.total),
    hidden: over((graph) => graph.hidden),
    bars: first.bars.map((bar, at) => ({
      ...bar,
      inclusive: over((graph) => graph.bars[at].inclusive),
      exclusive: over((graph) => graph.bars[at].exclusive),
      hidden: over((graph) => graph.bars[at].hidden),
      entries: bar.entries.map((entry, index) => ({
        ...entry,
        inclusive: over((graph) => graph.bars[at].entries[index].inclusive),
        exclusive: over((graph) => graph.bars[at].entries[index].exclusive),
      })),
    })),
    edges: first.edges.map((edge, at) => ({ ...edge, inclusive: over((graph) => graph.edges[at].inclusive) })),
  };
}

function bytes(graph: MeasuredGraph): string {
  return JSON.stringify([graph, laidOut(graph, { width: 800, height: 600 })]);
}

function bytesOf(recording: RandomRecording, basis: GraphBasis, request: RandomRequest["request"]): string {
  const structure = structureOf(recording, basis, request);
  return bytes(measuredGraph(structure, { exclusive: basis.exclusive }, quietTask));
}

describe("operations on super graphs of random recordings", () => {
  const done = new Map<string, number>();

  it.each(PARTS)(
    `are those of the naive twin over all ranks, and keep the laws, on ${casesOf(TREES)} trees (part %d)`,
    (part) => {
      for (const seed of seeds(TREES, part)) {
        const recording = randomRecording(seed);
        const { request, state, skipped } = randomRequest(recording, seed);
        const text = `seed ${seed}: ${request.groupBy} at ${request.filter}, ${request.operations.map(operationText).join("; ")}`;
        const { basis, finalOf } = basisOf(recording);
        const structure = structureOf(recording, basis, request);
        expect(
          structure.skipped.map(({ index }) => index),
          text,
        ).toEqual(skipped);
        request.operations.forEach(({ kind }, at) => {
          if (!skipped.includes(at)) done.set(kind, (done.get(kind) ?? 0) + 1);
        });
        const bars = twinBars(recording.rows, state.groups);
        for (const { what, rows, real } of measurements(recording, finalOf, seed)) {
          const graph = measuredGraph(structure, real, quietTask);
          const twins = rows.map((values) => measuredTwin(recording.rows, bars, values));
          const twin = "extreme" in real ? extremeTwin(twins, real.extreme === "max" ? Math.max : Math.min) : twins[0];
          expect(comparable(graph), `${what} of ${text}`).toEqual(comparable(twin));
          expect(graph.functions, text).toBe(twin.functions);
          expect(graph.filtered.contexts, text).toBe(recording.rows.length - twin.contexts);
          if (!("extreme" in real)) expect(brokenLaws(graph), `${what} of ${text}`).toEqual([]);
        }
      }
    },
  );

  it("were of every kind, often enough for the comparison to mean something", () => {
    // The rarest is about every tenth.
    const trees = casesOf(TREES) * PARTS.length;
    expect([...done].filter(([, count]) => count < trees / 40)).toEqual([]);
    expect(done.size).toBe(8);
  });

  it("give the same bytes whatever the order of the input", () => {
    for (const seed of seeds(FEWER)) {
      const recording = randomRecording(seed);
      // Values that are not exact in a double, so that sums would show another order.
      const rows = recording.rows.map((row) => ({ ...row, exclusive: row.exclusive / 3 + 0.1 }));
      const { request } = randomRequest(recording, seed);
      const expected = bytesOf(recording, basisOf(recording, rows).basis, request);
      for (let order = 1; order <= 3; order++) {
        const { basis } = basisOf(recording, shuffled(rows, seed * 10 + order));
        expect(bytesOf(recording, basis, request), `seed ${seed}`).toBe(expected);
      }
    }
  });

  it("are the same where the recording tells a frame's loops and lines apart", () => {
    let revealed = 0;
    for (const seed of seeds(4 * TREES)) {
      const recording = randomRecording(seed);
      const { request } = randomRequest(recording, seed);
      // Without grouping each line is a group.
      const groupings = request.operations.map((operation) => (operation.kind === "group-by" ? operation.groupBy : ""));
      if (request.groupBy === "none" || groupings.includes("none")) continue;
      const text = `seed ${seed}: ${request.groupBy} at ${request.filter}, ${request.operations.map(operationText).join("; ")}`;
      const [expected, graph] = [recording, withLoopsAndLines(recording, seed)].map((one) => {
        const { basis } = basisOf(one);
        const structure = structureOf(one, basis, request);
        const { bars, ...rest } = comparable(measuredGraph(structure, { exclusive: basis.exclusive }, quietTask));
        return { ...rest, bars: bars.map((bar) => ({ ...bar, contexts: undefined })), skipped: structure.skipped };
      });
      expect(graph, text).toEqual(expected);
      revealed += request.operations.filter(({ kind }) => kind === "reveal").length;
    }
    expect(revealed).toBeGreaterThan(casesOf(4 * TREES) / 10);
  });

  it("are taken back: collapse after expand, and leaving out the last one, give the same bytes as before", () => {
    let collapsed = 0;
    for (const seed of seeds(FEWER)) {
      const recording = randomRecording(seed);
      const { request } = randomRequest(recording, seed);
      const { basis } = basisOf(recording);
      const before = structureOf(recording, basis, request);
      const graph = measuredGraph(before, { exclusive: basis.exclusive }, quietTask);
      const expected = bytes(graph);
      const targets = graph.bars.flatMap(({ group, visit }) => [{ group }, { group, bar: visit }]);
      for (const target of targets) {
        const expand: GraphOperation = { kind: "expand", target };
        const collapse: GraphOperation = { kind: "collapse", target };
        const expanded = structureOf(recording, basis, { ...request, operations: [...request.operations, expand] });
        if (expanded.skipped.length > before.skipped.length) continue;
        const operations = [...request.operations, expand, collapse];
        expect(bytesOf(recording, basis, { ...request, operations }), `seed ${seed}`).toBe(expected);
        collapsed++;
      }
      // What was done in between has left no trace in what is shared.
      expect(bytesOf(recording, basis, request)).toBe(expected);
    }
    expect(collapsed).toBeGreaterThan(casesOf(FEWER));
  });
});
