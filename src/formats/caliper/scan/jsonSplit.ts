/**
 * Caliper's json-split: rows of values, columns with metadata, and one table of nodes that all columns share
 * (docs: caliper.md, json-split). Rows come first, so they are kept as numbers until the columns are known.
 */
import { FormatError } from "../../../model/errors";
import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import type { PieceWindow } from "../../byteSource";
import { JsonTokens } from "../../jsonTokens";
import { numberOf } from "./fields";
import { readTexts, warnOfEscapes, warnOfRest } from "./jsonRest";
import { JsonRows, type RowPiece } from "./jsonRows";
import { JsonNodes, regionOf, samplesOf, type SplitColumn, splitColumn } from "./jsonTables";
import type { LocationPart } from "../names/quantities";
import { SplitKinds, tellsMore } from "../decode/jsonSplitKinds";
import { readRecording, type ReadForm } from "../decode/readRecording";
import { locationNumber, type Recording } from "../decode/recording";
import { SampleFrames } from "../decode/samples";
import { contextOf } from "../decode/snapshots";

/** Beginning of the value of each part. Other tools also write lists of nodes, but without labels. */
const PARTS: ReadonlyMap<string, RegExp> = new Map([
  ["data", /^\[[[\]]/],
  ["columns", /^\[(?:string|\])/],
  ["column_metadata", /^\[[{\]]/],
  ["nodes", /^\[\{ (?:label|column|parent) /],
]);
/** So many tokens decide. */
const PART_TOKENS = 3;

/** Whether a file begins as json-split does: an object that has one of its parts among its first keys. */
export function isJsonSplit(head: Uint8Array): boolean {
  const tokens = JsonTokens.ofHead(head);
  let depth = 0;
  let key: string | undefined;
  /** The beginning of the value of a part, token by token. */
  let begun: { readonly part: RegExp; value: string; tokens: number } | undefined;
  try {
    if (tokens.scan() !== "{") return false;
    for (let token = tokens.scan(); token !== undefined; token = tokens.scan()) {
      if (begun !== undefined) {
        const isKey = token === "string" && begun.value.endsWith("{");
        begun.value += isKey ? ` ${tokens.text} ` : token;
        if (begun.part.test(begun.value)) return true;
        if (++begun.tokens === PART_TOKENS) begun = undefined;
      }
      const part = depth === 0 && token === ":" && key !== undefined ? PARTS.get(key) : undefined;
      if (part !== undefined) begun = { part, value: "", tokens: 0 };
      if (token === "{" || token === "[") depth++;
      else if (token === "}" || token === "]") depth--;
      if (depth < 0) return false;
      key = token === "string" ? tokens.text : undefined;
    }
  } catch {
    return false; // what cannot be taken apart is no json-split
  }
  // Nothing tells against it where the head ends.
  return begun !== undefined && begun.tokens > 0;
}

/** Reads one file. */
export const readJsonSplit: ReadForm = (source, hierarchy, task, pieceBytes, columnFiles) => {
  const format = { id: "caliper-json-split", label: "Caliper json-split" };
  return readRecording(format, source, hierarchy, task, pieceBytes, columnFiles, async (recording, window) => {
    const tokens = new JsonTokens(window, source.name);
    await readParts(tokens, window, recording, task);
    await warnOfRest(tokens, recording, "object");
    warnOfEscapes(tokens, recording);
  });
};

async function readParts(tokens: JsonTokens, window: PieceWindow, recording: Recording, task: Task): Promise<void> {
  const rows = new JsonRows();
  const nodes = new JsonNodes();
  let names: string[] | undefined;
  let metadata: Map<string, string>[] = [];
  await tokens.expect("{", "an object");
  await tokens.object(async (key) => {
    if (key === "data") await rows.read(tokens, window);
    else if (key === "columns") names = await readNames(tokens);
    else if (key === "column_metadata") metadata = await readMetadata(tokens);
    else if (key === "nodes") await nodes.read(tokens);
    else {
      const text = await tokens.simpleText();
      if (text !== undefined) recording.global(key, text);
    }
  });
  if (names === undefined || (rows.count > 0 && rows.width !== names.length))
    throw notSplit(recording.file, names, rows.width);
  const columns = names.map((name, at) => splitColumn(name, metadata[at] ?? new Map()));
  if (columns.some(tellsMore)) takeRows(recording, rows, columns, nodes, task);
  else addRows(recording, rows, columns, nodes, task);
}

/** Rows of events, iterations or devices say more than measurements: each is taken as a record. */
function takeRows(
  recording: Recording,
  rows: JsonRows,
  columns: readonly SplitColumn[],
  nodes: JsonNodes,
  task: Task,
): void {
  const kinds = new SplitKinds(recording, columns, nodes);
  rows.forEachPiece((piece) => {
    task.check();
    for (let row = 0, start = 0; row < piece.rows; row++, start += piece.width) kinds.take(piece, start);
    recording.records += piece.rows;
  });
}

function addRows(
  recording: Recording,
  rows: JsonRows,
  columns: readonly SplitColumn[],
  nodes: JsonNodes,
  task: Task,
): void {
  const contexts = new RowContexts(recording, columns, nodes);
  const locations = new RowLocations(recording, columns, nodes);
  const measured = columns.flatMap(({ quantity }, at) =>
    quantity === undefined ? [] : [{ at, column: recording.columns[recording.column(quantity, true)] }],
  );
  rows.forEachPiece((piece) => {
    task.check();
    const { cells, filled, width } = piece;
    for (let row = 0, start = 0; row < piece.rows; row++, start += width) {
      const location = locations.of(piece, start);
      const context = contexts.of(piece, start);
      for (const { at, column } of measured) {
        if (filled[start + at] === 0) continue;
        const value = cells[start + at];
        column.values.add(context, location, value);
        if (Number.isInteger(value)) continue;
        if (Number.isFinite(value)) column.whole = false;
        else column.notFinite++;
      }
    }
    recording.records += piece.rows;
  });
}

/** The location of each row; neighbours mostly share one. */
class RowLocations {
  private readonly parts: readonly { readonly at: number; readonly part: LocationPart; readonly isValue: boolean }[];
  private readonly last: Record<LocationPart, number> = { rank: NONE, thread: NONE, gpuContext: NONE, stream: NONE };
  private lastLocation: number = NONE;

  constructor(
    private readonly recording: Recording,
    columns: readonly SplitColumn[],
    private readonly nodes: JsonNodes,
  ) {
    this.parts = columns.flatMap(({ part, isValue }, at) => (part === undefined ? [] : [{ at, part, isValue }]));
  }

  /** @param start index of the row's first cell */
  of({ cells, filled }: RowPiece, start: number): number {
    const { last } = this;
    let changed = this.lastLocation === NONE;
    for (const { at, part, isValue } of this.parts) {
      const cell = cells[start + at];
      const number = filled[start + at] === 0 ? NONE : locationNumber(isValue ? cell : this.labelled(cell));
      if (number === last[part]) continue;
      last[part] = number;
      changed = true;
    }
    if (changed) this.lastLocation = this.recording.location(last.rank, last.thread, last.stream, last.gpuContext);
    return this.lastLocation;
  }

  private labelled(node: number): number {
    return numberOf(this.nodes.label(this.nodes.check(node, this.recording.file))) ?? NONE;
  }
}

/** The context of each row: what its nodes say, looked up once for each combination of them. */
class RowContexts {
  private readonly branches: readonly number[];
  private readonly samples: SampleFrames;
  /** Of rows with one node, by node: most recordings have no other. */
  private readonly byNode: Int32Array;
  private readonly byNodes = new Map<string, number>();

  constructor(
    private readonly recording: Recording,
    private readonly columns: readonly SplitColumn[],
    private readonly nodes: JsonNodes,
  ) {
    this.branches = columns.flatMap(({ isPath, sample }, at) => (isPath || sample !== undefined ? [at] : []));
    this.samples = new SampleFrames(recording);
    this.byNode = new Int32Array(nodes.size).fill(NONE);
  }

  /** @param start index of the row's first cell */
  of(piece: RowPiece, start: number): number {
    const { branches, byNode } = this;
    if (branches.length === 1 && piece.filled[start + branches[0]] === 1) {
      const node = piece.cells[start + branches[0]];
      const known = byNode[node];
      if (known !== undefined && known !== NONE) return known;
      const context = this.make(piece, start);
      byNode[node] = context;
      return context;
    }
    let key = "";
    for (const at of branches) key += piece.filled[start + at] === 1 ? `${piece.cells[start + at]},` : ",";
    let context = this.byNodes.get(key);
    if (context === undefined) this.byNodes.set(key, (context = this.make(piece, start)));
    return context;
  }

  private make({ cells, filled }: RowPiece, start: number): number {
    const { recording, columns, nodes } = this;
    const branch = columns.map(({ isValue }, at) =>
      isValue || filled[start + at] === 0 ? NONE : nodes.check(cells[start + at], recording.file),
    );
    const region = regionOf(recording, columns, branch, nodes);
    return contextOf(recording, this.samples, region, samplesOf(columns, branch, nodes), []);
  }
}

async function readNames(tokens: JsonTokens): Promise<string[]> {
  const names: string[] = [];
  await tokens.list("an array of column names", (first) => {
    if (first !== "string") throw tokens.unexpected(first, "a column name");
    names.push(tokens.text);
  });
  return names;
}

async function readMetadata(tokens: JsonTokens): Promise<Map<string, string>[]> {
  const columns: Map<string, string>[] = [];
  await tokens.list("an array of objects", async (first) => {
    columns.push(await readTexts(tokens, first));
  });
  return columns;
}

function notSplit(file: string, names: readonly string[] | undefined, width: number): FormatError {
  return new FormatError({
    file,
    found: names === undefined ? "no columns" : `${names.length} columns but rows of ${width} values`,
    expected: "json-split: data, columns, column_metadata and nodes",
    advice: 'Caliper writes it with `cali-query -q "format json-split"`.',
  });
}
