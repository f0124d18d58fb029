/**
 * Caliper's json-split: rows of values, columns with metadata, and one table of nodes that all columns share
 * (docs: caliper.md, json-split). Rows come first, so they are kept as numbers until the columns are known.
 */
import type { Hierarchy } from "../../model/dataSet";
import { FormatError } from "../../model/errors";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { type ByteSource, PieceWindow } from "../byteSource";
import { JsonTokens } from "../jsonTokens";
import { numberOf } from "./fields";
import { JsonRows } from "./jsonRows";
import { JsonNodes, type SplitColumn, splitColumn } from "./jsonTables";
import { locationNumber, Recording } from "./recording";
import { SampleFrames, type SampleNodes } from "./samples";
import { contextOf } from "./snapshots";

const PARTS = new Set(["data", "columns", "column_metadata", "nodes"]);

/** Whether a file begins as json-split does: an object that has one of its parts among its first keys. */
export function isJsonSplit(head: Uint8Array): boolean {
  const window = { bytes: head, start: 0, end: head.length, positionOf: (at: number) => at, more: async () => false };
  const tokens = new JsonTokens(window, "");
  let depth = 0;
  let key: string | undefined;
  try {
    if (tokens.scan() !== "{") return false;
    for (let token = tokens.scan(); token !== undefined; token = tokens.scan()) {
      if (depth === 0 && token === ":" && key !== undefined && PARTS.has(key)) return true;
      if (token === "{" || token === "[") depth++;
      else if (token === "}" || token === "]") depth--;
      if (depth < 0) return false;
      key = token === "string" ? tokens.text : undefined;
    }
  } catch {
    return false; // what cannot be taken apart is no json-split
  }
  return false;
}

/** Reads one file. @throws FormatError, CancelledError */
export async function readJsonSplit(
  source: ByteSource,
  hierarchy: Hierarchy,
  task: Task,
  pieceBytes?: number,
): Promise<Recording> {
  const recording = new Recording(
    source.name,
    hierarchy,
    { id: "caliper-json-split", label: "Caliper json-split" },
    source.modifiedAt,
  );
  const window = new PieceWindow(source, task, pieceBytes);
  const tokens = new JsonTokens(window, source.name);
  try {
    await readParts(tokens, recording, task);
  } finally {
    await window.settle();
  }
  if (recording.records === 0) recording.warn("empty", "the recording holds no records: nothing was measured");
  return recording;
}

async function readParts(tokens: JsonTokens, recording: Recording, task: Task): Promise<void> {
  const rows = new JsonRows();
  const nodes = new JsonNodes();
  let names: string[] | undefined;
  let metadata: Map<string, string>[] = [];
  await tokens.expect("{", "an object");
  for (let token = await tokens.next(); token !== "}"; token = await tokens.next()) {
    if (token === ",") continue;
    if (token !== "string") throw tokens.unexpected(token, "a key");
    const key = tokens.text;
    await tokens.expect(":", "a colon after the key");
    if (key === "data") await rows.read(tokens);
    else if (key === "columns") names = await readNames(tokens);
    else if (key === "column_metadata") metadata = await readObjects(tokens);
    else if (key === "nodes") await nodes.read(tokens);
    else {
      const value = await tokens.next();
      if (value === "string" || value === "bare") recording.global(key, tokens.text);
      else if (value === "number") recording.global(key, String(tokens.number));
      else await tokens.skip(value);
    }
  }
  if (names === undefined || (rows.count > 0 && rows.width !== names.length))
    throw notSplit(recording.file, names, rows.width);
  const columns = names.map((name, at) => splitColumn(name, metadata[at] ?? new Map()));
  addRows(recording, rows, columns, nodes, task);
}

function addRows(
  recording: Recording,
  rows: JsonRows,
  columns: readonly SplitColumn[],
  nodes: JsonNodes,
  task: Task,
): void {
  const samples = new SampleFrames(recording);
  const contexts = new Map<string, number>();
  const measured = columns.map(({ quantity }) => (quantity === undefined ? NONE : recording.column(quantity)));
  for (let row = 0; row < rows.count; row++) {
    if (row % 4096 === 0) task.check();
    const located = { rank: NONE, thread: NONE, stream: NONE };
    const branch: number[] = [];
    for (const [at, column] of columns.entries()) {
      const cell = rows.cell(row, at);
      branch.push(column.isValue || cell === undefined ? NONE : nodes.check(cell, recording.file));
      if (column.part !== undefined && cell !== undefined)
        located[column.part] = locationNumber(column.isValue ? cell : (numberOf(nodes.label(cell)) ?? NONE));
    }
    const location = recording.location(located.rank, located.thread, located.stream);
    const key = branch.join();
    let context = contexts.get(key);
    if (context === undefined) {
      context = contextOf(
        recording,
        samples,
        regionOf(recording, columns, branch, nodes),
        samplesOf(columns, branch, nodes),
      );
      contexts.set(key, context);
    }
    for (const [at, target] of measured.entries()) {
      const value = rows.cell(row, at);
      if (target === NONE || value === undefined) continue;
      const column = recording.columns[target];
      column.values.add(context, location, value);
      if (!Number.isFinite(value)) column.notFinite++;
      else if (!Number.isInteger(value)) column.whole = false;
    }
    recording.records++;
  }
}

function regionOf(
  recording: Recording,
  columns: readonly SplitColumn[],
  branch: readonly number[],
  nodes: JsonNodes,
): number {
  const path = columns.findIndex(({ isPath }) => isPath);
  return path < 0 || branch[path] === NONE ? NONE : nodes.region(branch[path], recording);
}

function samplesOf(columns: readonly SplitColumn[], branch: readonly number[], nodes: JsonNodes): SampleNodes {
  return columns.flatMap(({ sample }, at) => {
    if (sample === undefined || branch[at] === NONE) return [];
    // Only call paths are branches of one attribute; above any other node may stand those of other columns.
    const labels = sample.of === "path" ? nodes.path(branch[at]) : [nodes.label(branch[at])];
    return labels.map((text) => ({ attribute: sample, text }));
  });
}

async function readNames(tokens: JsonTokens): Promise<string[]> {
  const names: string[] = [];
  await tokens.expect("[", "an array of column names");
  for (let token = await tokens.next(); token !== "]"; token = await tokens.next()) {
    if (token === "string") names.push(tokens.text);
    else if (token !== ",") throw tokens.unexpected(token, "a column name");
  }
  return names;
}

/** Reads an array of objects with simple values, as text. */
async function readObjects(tokens: JsonTokens): Promise<Map<string, string>[]> {
  const objects: Map<string, string>[] = [];
  await tokens.expect("[", "an array of objects");
  for (let token = await tokens.next(); token !== "]"; token = await tokens.next()) {
    if (token === ",") continue;
    if (token !== "{") throw tokens.unexpected(token, "an object");
    const object = new Map<string, string>();
    for (token = await tokens.next(); token !== "}"; token = await tokens.next()) {
      if (token === ",") continue;
      if (token !== "string") throw tokens.unexpected(token, "a key");
      const key = tokens.text;
      await tokens.expect(":", "a colon after the key");
      const value = await tokens.next();
      if (value === "string" || value === "bare") object.set(key, tokens.text);
      else if (value === "number") object.set(key, String(tokens.number));
      else if (value === "boolean") object.set(key, tokens.text);
      else await tokens.skip(value);
    }
    objects.push(object);
  }
  return objects;
}

function notSplit(file: string, names: readonly string[] | undefined, width: number): FormatError {
  return new FormatError({
    file,
    found: names === undefined ? "no columns" : `${names.length} columns but rows of ${width} values`,
    expected: "json-split: data, columns, column_metadata and nodes",
    advice: 'Caliper writes it with `cali-query -q "format json-split"`.',
  });
}
