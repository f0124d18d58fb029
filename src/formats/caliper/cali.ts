/**
 * Caliper's `.cali` text format: one record a line, nodes before they are used (docs: caliper.md, records and keys).
 * Records of the same kind begin with the same bytes, so what a kind means is found out once, and then only the values
 * of a record are read: no string a record.
 */
import type { Hierarchy } from "../../model/dataSet";
import { FormatError } from "../../model/errors";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { type ByteSource, PieceWindow } from "../byteSource";
import type { Attribute } from "./attributes";
import { type Fields, lineEnd, numberOf, splitLine, streamId, textOf } from "./fields";
import { NodeTable, type StreamId } from "./nodes";
import { decimalOf } from "./numbers";
import { Recording } from "./recording";
import { headEnd, ShapeTable, startsWith } from "./shapeTable";
import { addRecord, SKIP, type Shape, Shapes } from "./snapshots";

const NEWLINE = 10;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;
/** Digits of an integer that a double holds exactly, whichever they are. */
const EXACT_DIGITS = 15;
const LONGEST_LINE = 64 << 20;
const KEYS: ReadonlySet<string> = new Set(["__rec", "id", "attr", "data", "parent", "ref"]);

/** Whether a file begins as a `.cali` stream does. */
export function isCali(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 4096)).toString("latin1");
  return /^(?:\s*|#[^\n]*\n)*(?:[a-z]+=[^\n]*,)?__rec=[a-z]/.test(text);
}

/** Reads one stream. @throws FormatError, CancelledError */
export async function readCali(
  source: ByteSource,
  hierarchy: Hierarchy,
  task: Task,
  pieceBytes?: number,
): Promise<Recording> {
  const recording = new Recording(source.name, hierarchy, { id: "caliper-cali", label: "Caliper" }, source.modifiedAt);
  const scanner = new LineScanner(recording);
  const window = new PieceWindow(source, task, pieceBytes);
  try {
    while (await window.more()) {
      const newline = window.bytes.lastIndexOf(NEWLINE, window.end - 1);
      if (newline < window.start) {
        if (window.end - window.start > LONGEST_LINE) throw endlessLine(source.name, scanner.line + 1);
        continue;
      }
      scanner.scan(window.bytes, window.start, newline + 1);
      window.start = newline + 1;
    }
  } finally {
    await window.settle();
  }
  const left = window.end - window.start;
  if (left > 0 || !scanner.closed) {
    recording.warn(
      "truncated",
      left > 0
        ? "the file ends in the middle of a line: what stands before it was read, the rest is missing"
        : "the file ends without the record of globals that closes a recording: its end may be missing",
      { byte: source.size },
    );
  }
  if (recording.records === 0) recording.warn("empty", "the recording holds no records: nothing was measured");
  return recording;
}

class LineScanner {
  /** Lines that were read. */
  line = 0;
  /** Whether the closing record was there. */
  closed = false;
  private readonly nodes: NodeTable;
  private readonly shapes: Shapes;
  private readonly known = new ShapeTable();
  /** Shapes of records whose keys come in another order. */
  private readonly unusual = new Map<string, Shape>();
  private values = new Float64Array(16);
  private previous: Shape | undefined;

  constructor(private readonly recording: Recording) {
    this.nodes = new NodeTable(recording);
    this.shapes = new Shapes(recording, this.nodes);
  }

  /** Reads whole lines: `bytes[end - 1]` is a newline. */
  scan(bytes: Uint8Array, start: number, end: number): void {
    const view = viewOf(bytes);
    let at = start;
    while (at < end) {
      this.line++;
      const shape = this.shapeAt(bytes, view, at);
      if (shape !== undefined) {
        const next = this.readValues(bytes, at + shape.head.length, shape.use);
        if (next !== 0) {
          this.recording.records++;
          addRecord(this.recording, shape, this.values);
          this.previous = shape;
          at = next;
          continue;
        }
      }
      at = this.readNode(bytes, at) || this.readLine(bytes, at);
    }
  }

  /** The shape of the record at `start`; undefined where no record like it was met. */
  private shapeAt(bytes: Uint8Array, view: DataView, start: number): Shape | undefined {
    const { previous } = this;
    if (previous === undefined) return this.known.find(bytes, view, start);
    const { next, nextButOne } = previous;
    if (next !== undefined && next.head.standsAt(view, start)) return next;
    const known =
      nextButOne !== undefined && nextButOne.head.standsAt(view, start)
        ? nextButOne
        : this.known.find(bytes, view, start);
    if (known !== undefined) {
      previous.nextButOne = next;
      previous.next = known;
    }
    return known;
  }

  /**
   * Reads the values of a record that looks like an earlier one.
   *
   * @returns where the next line starts; 0 where something is unusual: escapes, further keys, other numbers of values
   */
  private readValues(bytes: Uint8Array, start: number, use: Uint8Array): number {
    const { values } = this;
    const last = use.length - 1;
    let at = start;
    for (let index = 0; index <= last; index++) {
      let byte = bytes[at];
      if (use[index] === SKIP) {
        while (byte !== EQUALS && byte !== NEWLINE) {
          if (byte === COMMA || byte === BACKSLASH) return 0;
          byte = bytes[++at];
        }
      } else {
        const from = at;
        let value = 0;
        let digit = byte - 48;
        while (digit >= 0 && digit <= 9) {
          value = value * 10 + digit;
          byte = bytes[++at];
          digit = byte - 48;
        }
        if ((byte !== EQUALS && byte !== NEWLINE) || at === from || at - from > EXACT_DIGITS) {
          while (byte !== EQUALS && byte !== NEWLINE && byte !== COMMA) byte = bytes[++at];
          const decimal = decimalOf(bytes, from, byte === NEWLINE ? lineEnd(bytes, from, at) : at);
          if (decimal === undefined || byte === COMMA) return 0;
          value = decimal;
        }
        values[index] = value;
      }
      if (index === last ? byte !== NEWLINE : byte !== EQUALS) return 0;
      at++;
    }
    return at;
  }

  /**
   * Reads a node record with its keys in the usual order: `__rec=node,id=41,attr=40,data=main,parent=17`.
   *
   * @returns where the next line starts; 0 where the line is something else
   */
  private readNode(bytes: Uint8Array, start: number): number {
    if (!startsWith(bytes, start, NODE_HEAD)) return 0;
    let at = idEnd(bytes, start + NODE_HEAD.length);
    const id = idBetween(bytes, start + NODE_HEAD.length, at);
    if (!startsWith(bytes, at, ATTRIBUTE_KEY)) return 0;
    let from = at + ATTRIBUTE_KEY.length;
    at = idEnd(bytes, from);
    const attribute = idBetween(bytes, from, at);
    if (!startsWith(bytes, at, DATA_KEY)) return 0;
    const textStart = at + DATA_KEY.length;
    for (at = textStart; bytes[at] !== COMMA && bytes[at] !== NEWLINE; at++) {
      if (bytes[at] === EQUALS || (bytes[at] === BACKSLASH && bytes[++at] === NEWLINE)) return 0;
    }
    const textEnd = bytes[at] === NEWLINE ? lineEnd(bytes, textStart, at) : at;
    let parent: StreamId | undefined;
    if (bytes[at] === COMMA) {
      if (!startsWith(bytes, at, PARENT_KEY)) return 0;
      from = at + PARENT_KEY.length;
      at = idEnd(bytes, from);
      parent = idBetween(bytes, from, at);
      if (parent === undefined) return 0;
      if (bytes[at] === 13) at++;
      if (bytes[at] !== NEWLINE) return 0;
    }
    if (id === undefined || attribute === undefined) return 0;
    this.addNode(id, attribute, textOf(bytes, textStart, textEnd), parent);
    return at + 1;
  }

  private readLine(bytes: Uint8Array, start: number): number {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = lineEnd(bytes, start, newline);
    if (end > start) {
      const { fields, unknownKey } = splitLine(bytes, start, end, (key) => KEYS.has(key));
      const kind = fields.get("__rec")?.[0];
      if (unknownKey !== undefined)
        this.warn("unknown keys", `key ${quoted(unknownKey)} is not known: the rest of the line was left out`);
      if (kind === "node") this.nodeRecord(fields);
      else if (kind === "ctx") this.snapshotRecord(fields, bytes, start);
      else if (kind === "globals") this.globalsRecord(fields);
      else if (kind !== undefined)
        this.warn("unknown records", `records of kind ${quoted(kind)} are not known: left out`);
      else if (unknownKey === undefined) this.warn("no records", "the line is no record: left out");
    }
    return newline + 1;
  }

  private nodeRecord(fields: Fields): void {
    const id = streamId(fields.get("id")?.[0] ?? "");
    const attribute = streamId(fields.get("attr")?.[0] ?? "");
    const data = fields.get("data")?.[0];
    const parentText = fields.get("parent")?.[0];
    const parent = parentText === undefined ? undefined : streamId(parentText);
    if (
      id === undefined ||
      attribute === undefined ||
      data === undefined ||
      (parentText !== undefined && parent === undefined)
    )
      this.warn("incomplete records", "a node needs the numbers id, attr and parent, and data: left out");
    else this.addNode(id, attribute, data, parent);
  }

  private addNode(id: StreamId, attribute: StreamId, text: string, parent: StreamId | undefined): void {
    const above = parent === undefined ? NONE : this.node(parent);
    const definedBy = this.nodes.find(attribute);
    if (definedBy === undefined || this.nodes.attribute(definedBy) === undefined)
      throw this.undefinedAttribute(attribute);
    if (!this.nodes.add(id, definedBy, text, above))
      this.warn("repeated ids", `node ${id} was defined before, and differently: the first one stays`);
  }

  private snapshotRecord(fields: Fields, bytes: Uint8Array, start: number): void {
    const references = fields.get("ref") ?? [];
    const attributes = fields.get("attr") ?? [];
    const data = fields.get("data") ?? [];
    this.recording.records++;
    if (attributes.length !== data.length) {
      this.warn(
        "incomplete records",
        `the record has ${attributes.length} attributes but ${data.length} values: left out`,
      );
      return;
    }
    // Only keys before `data` make a head, so a record whose keys come in another order is found by its ids.
    const length = [...fields.keys()].at(-1) === "data" ? headEnd(bytes, start) - start : 0;
    const key = `${references.join("=")},${attributes.join("=")}`;
    let shape = length > 0 ? this.known.find(bytes, viewOf(bytes), start) : this.unusual.get(key);
    if (shape === undefined) {
      const head = length > 0 ? bytes.slice(start, start + length) : new Uint8Array(0);
      shape = this.shapes.describe(head, this.references(references), this.attributesOf(attributes));
      if (length > 0) this.known.add(shape);
      else this.unusual.set(key, shape);
      if (this.values.length < attributes.length) this.values = new Float64Array(attributes.length * 2);
    }
    const { values } = this;
    for (let at = 0; at < data.length; at++) {
      if (shape.use[at] === SKIP) continue;
      const value = numberOf(data[at]);
      if (value === undefined) {
        this.warn("values", `${quoted(data[at])} is no number: the record was left out`);
        return;
      }
      values[at] = value;
    }
    addRecord(this.recording, shape, values);
    this.previous = length > 0 ? shape : undefined;
  }

  private globalsRecord(fields: Fields): void {
    this.closed = true;
    this.nodes.noteGlobals(this.references(fields.get("ref") ?? []));
    const data = fields.get("data") ?? [];
    for (const [at, attribute] of this.attributesOf(fields.get("attr") ?? []).entries())
      if (at < data.length) this.recording.global(attribute.name, data[at]);
  }

  private references(texts: readonly string[]): number[] {
    return texts.map((text) => this.node(streamId(text) ?? text));
  }

  private attributesOf(texts: readonly string[]): Attribute[] {
    return texts.map((text) => {
      const node = this.nodes.find(streamId(text) ?? text);
      const attribute = node === undefined ? undefined : this.nodes.attribute(node);
      if (attribute === undefined) throw this.undefinedAttribute(text);
      return attribute;
    });
  }

  private node(id: StreamId): number {
    const node = this.nodes.find(id);
    if (node !== undefined) return node;
    throw new FormatError({
      file: this.recording.file,
      at: { line: this.line },
      found: `node ${short(id)}, which no record before this line defines`,
      expected: "a node that was defined earlier in the same file",
      advice: "A part of the file may be missing, or it may be several recordings joined: open them one by one.",
    });
  }

  private undefinedAttribute(id: StreamId): FormatError {
    return new FormatError({
      file: this.recording.file,
      at: { line: this.line },
      found: `attribute ${short(id)}, which no record before this line defines`,
      expected: "an attribute that was defined earlier in the same file",
      advice: "A part of the file may be missing, or it may be several recordings joined: open them one by one.",
    });
  }

  private warn(kind: string, message: string): void {
    this.recording.warn(kind, message, { line: this.line });
  }
}

const NODE_HEAD = Buffer.from("__rec=node,id=");
const ATTRIBUTE_KEY = Buffer.from(",attr=");
const DATA_KEY = Buffer.from(",data=");
const PARENT_KEY = Buffer.from(",parent=");

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function idEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] >= 48 && bytes[at] <= 57) at++;
  return at;
}

/** The id of these digits; undefined where there are none, or more than are exact. */
function idBetween(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end === start || end - start > EXACT_DIGITS) return undefined;
  let id = 0;
  for (let at = start; at < end; at++) id = id * 10 + bytes[at] - 48;
  return id;
}

function quoted(text: string): string {
  return JSON.stringify(short(text));
}

function short(text: StreamId): string {
  const whole = String(text);
  return whole.length > 60 ? `${whole.slice(0, 60)}…` : whole;
}

function endlessLine(file: string, line: number): FormatError {
  return new FormatError({
    file,
    at: { line },
    found: `a line of more than ${LONGEST_LINE >> 20} MB`,
    expected: "one record a line",
    advice: "The file may be damaged: record it again, or copy it again as binary.",
  });
}
