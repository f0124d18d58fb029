import type { FrameTable } from "../../model/frames";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { SparseBuilder, type SparseValues } from "../../model/values";
import { IntColumn } from "../intColumn";
import { type Edges } from "./components";
import type { CostTable } from "./costTable";
import { Triples } from "./triples";

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
  /** By node, then by frame (NONE: no line is known). */
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
  /** Place of each frame of a line in the order of files and lines, from 1; 0 for other frames. */
  readonly lineRank: Int32Array;
  /** Canonical rank of each frame. */
  readonly frameRank: Int32Array;
}

const CHECK_EVERY = 1 << 14;

/** What a level of recursion is named by where callgrind keeps levels apart (`--separate-recs`). */
const LEVEL = /^(.+)'(\d{1,9})$/s;

/**
 * Lays a table out.
 *
 * @param frames takes the frames of functions and lines
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
  const { functions, places, lines, calls, strings } = table;
  const text = (string: number) => (strings.get(string) === "???" ? "" : strings.get(string));
  const frame = new Int32Array(functions.size);
  const level = new Int32Array(functions.size);
  for (let own = 0; own < functions.size; own++) {
    const recorded = strings.get(functions.first[own]);
    const found = levels ? LEVEL.exec(recorded) : null;
    level[own] = found ? Number(found[2]) : 1;
    const name = found ? found[1] : recorded;
    const file = text(functions.second[own]) || undefined;
    frame[own] = frames.intern({ name, kind: "function", file, module: text(functions.third[own]) || undefined });
  }
  const frameOfLine = lineFrames(table, lines, frames, text, task);
  const frameOfCall = lineFrames(table, calls, frames, text, task);
  task.check();
  const rank = frames.canonicalRanks(task);
  const node = groupRows(
    Int32Array.from(frame, (own) => rank[own]),
    frames.size,
    (own) => level[own],
    task,
  );
  const nodes = node.first.length;
  const nodeOf = (place: number) => node.groupOf[places.first[place]];
  const functionOf = new Int32Array(nodes);
  const functionFrames: number[] = [];
  for (let at = 0; at < nodes; at++) {
    const own = frame[node.first[at]];
    if (functionFrames.at(-1) !== own) functionFrames.push(own);
    functionOf[at] = functionFrames.length - 1;
  }
  const lineRank = lineRanks(frames);
  const rankOf = (own: number) => (own === NONE ? 0 : lineRank[own]);
  const nodeOfLine = Int32Array.from({ length: lines.size }, (_, row) => nodeOf(lines.first[row]));
  const lineRows = groupRows(nodeOfLine, nodes, (row) => rankOf(frameOfLine[row]), task);
  const callerOf = Int32Array.from({ length: calls.size }, (_, row) => nodeOf(calls.first[row]));
  const calleeOf = Int32Array.from({ length: calls.size }, (_, row) => node.groupOf[calls.third[row]]);
  const callKey = (row: number) => calleeOf[row] * (frames.size + 1) + rankOf(frameOfCall[row]);
  const callRows = groupRows(callerOf, nodes, callKey, task);
  const laid = (builder: SparseBuilder, rows: Groups, divisor: number) => {
    task.check();
    return laidOut(builder, rows, locationOf, divisor);
  };
  return {
    nodes,
    functionOf,
    functions: Int32Array.from(functionFrames),
    lines: {
      count: lineRows.first.length,
      node: lineRows.first.map((row) => nodeOfLine[row]),
      frame: lineRows.first.map((row) => frameOfLine[row]),
    },
    calls: {
      count: callRows.first.length,
      caller: callRows.first.map((row) => callerOf[row]),
      callee: callRows.first.map((row) => calleeOf[row]),
      frame: callRows.first.map((row) => frameOfCall[row]),
    },
    exclusive: table.exclusive.map((builder, event) => laid(builder, lineRows, divisors[event])),
    inclusive: table.inclusive.map((builder, event) => laid(builder, callRows, divisors[event])),
    counts: laid(table.counts, callRows, 1),
    lineRank,
    frameRank: rank,
  };
}

/** The frame of each row's line; many rows share one, so each is made once. */
function lineFrames(
  { places }: CostTable,
  rows: Triples,
  frames: FrameTable,
  text: (string: number) => string,
  task: Task,
): Int32Array {
  const distinct = new Triples();
  const frameOf = new IntColumn();
  const found = new Int32Array(rows.size).fill(NONE);
  for (let row = 0; row < rows.size; row++) {
    if (row % CHECK_EVERY === 0) task.check();
    const line = rows.second[row];
    const string = places.second[rows.first[row]];
    if (line === 0 || string === NONE) continue;
    const at = distinct.of(string, line, 0);
    if (at === frameOf.length) {
      const file = text(string);
      frameOf.push(file === "" ? NONE : frames.intern({ name: `${file}:${line}`, kind: "line", file, line }));
    }
    found[row] = frameOf.values[at];
  }
  return found;
}

function lineRanks(frames: FrameTable): Int32Array {
  const order: number[] = [];
  for (let frame = 0; frame < frames.size; frame++) if (frames.kindOf(frame) === "line") order.push(frame);
  const file = (frame: number) => frames.strings.get(frames.file[frame]);
  const compareFiles = (a: number, b: number) => (frames.file[a] === frames.file[b] ? 0 : file(a) < file(b) ? -1 : 1);
  order.sort((a, b) => compareFiles(a, b) || frames.line[a] - frames.line[b]);
  const ranks = new Int32Array(frames.size);
  order.forEach((frame, at) => (ranks[frame] = at + 1));
  return ranks;
}

/** Who calls whom, each pair once. */
export function callEdges({ nodes, calls }: Pick<RecordedGraph, "nodes" | "calls">): Edges {
  const start = new Int32Array(nodes + 1);
  const target: number[] = [];
  for (let row = 0; row < calls.count; row++) {
    const again = row > 0 && calls.caller[row] === calls.caller[row - 1] && calls.callee[row] === calls.callee[row - 1];
    if (again) continue;
    target.push(calls.callee[row]);
    start[calls.caller[row] + 1]++;
  }
  for (let node = 0; node < nodes; node++) start[node + 1] += start[node];
  return { nodes, start, target: Int32Array.from(target) };
}

/** Rows put in order, equal ones together. */
export interface Groups {
  /** Final number of each row. */
  readonly groupOf: Int32Array;
  /** A row of each final number. */
  readonly first: Int32Array;
}

/** Numbers rows by bucket, then by key; rows with the same bucket and key get one number. */
export function groupRows(bucketOf: Int32Array, buckets: number, keyOf: (row: number) => number, task: Task): Groups {
  const start = new Int32Array(buckets + 1);
  for (const bucket of bucketOf) start[bucket + 1]++;
  for (let bucket = 0; bucket < buckets; bucket++) start[bucket + 1] += start[bucket];
  const next = start.slice(0, buckets);
  const order = new Int32Array(bucketOf.length);
  for (let row = 0; row < bucketOf.length; row++) order[next[bucketOf[row]]++] = row;
  const groupOf = new Int32Array(bucketOf.length);
  const first = new Int32Array(bucketOf.length);
  let groups = 0;
  let sorted = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const rows = order.subarray(start[bucket], start[bucket + 1]);
    if (rows.length > 1) rows.sort((a, b) => keyOf(a) - keyOf(b));
    for (let at = 0; at < rows.length; at++) {
      if (at === 0 || keyOf(rows[at]) !== keyOf(rows[at - 1])) first[groups++] = rows[at];
      groupOf[rows[at]] = groups - 1;
    }
    sorted += rows.length + 1;
    if (sorted > 10_000) {
      sorted = 0;
      task.check();
    }
  }
  return { groupOf, first: first.slice(0, groups) };
}

function laidOut(builder: SparseBuilder, rows: Groups, locationOf: Int32Array, divisor: number): SparseValues {
  const size = rows.first.length;
  if (size === rows.groupOf.length) return builder.build(size, rows.groupOf, locationOf, divisor);
  const merged = new SparseBuilder();
  merged.addAll(builder, rows.groupOf, identity(locationOf.length));
  return merged.build(size, identity(size), locationOf, divisor);
}

export function identity(size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, at) => at);
}
