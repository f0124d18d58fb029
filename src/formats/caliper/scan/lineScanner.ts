import { NONE } from "../../../model/ids";
import { lineEnd, textOf } from "./fields";
import type { StreamId } from "../decode/nodes";
import { headEnd } from "../decode/shapes";
import { DEVICE_TIME, SKIP } from "../decode/snapshots";
import { type CaliStream, viewOf } from "../decode/stream";
import { decimalOf, EXACT_DIGITS } from "../../numberScan";

const NEWLINE = 10;
const RETURN = 13;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;
const NODE_HEAD = Buffer.from("__rec=node,id=");
const SNAPSHOT_HEAD = Buffer.from("__rec=ctx");
const REFERENCE_KEY = Buffer.from(",ref=");
const ATTRIBUTE_KEY = Buffer.from(",attr=");
const DATA_KEY = Buffer.from(",data=");
const PARENT_KEY = Buffer.from(",parent=");

/**
 * Scans lines of a `.cali` stream as Caliper writes them, byte by byte and without one string per record. Whatever is
 * written in another way (keys in another order, escapes before values, ids beyond 2^53) is left to the stream itself.
 */
export class LineScanner {
  private previous: number = NONE;

  constructor(private readonly stream: CaliStream) {}

  /** Reads whole lines: `bytes[end - 1]` is a newline. */
  scan(bytes: Uint8Array, start: number, end: number): void {
    const { stream } = this;
    const { shapes, recording } = stream;
    const view = viewOf(bytes);
    let at = start;
    while (at < end) {
      stream.line++;
      const shape = shapes.find(bytes, view, at, this.previous);
      if (shape !== NONE) {
        const next = this.readValues(bytes, at + shapes.headLengthOf(shape), shapes.layoutOf(shape).use);
        if (next !== 0) {
          recording.records++;
          shapes.record(shape, stream.values);
          this.previous = shape;
          at = next;
          continue;
        }
      } else if (this.describe(bytes, at)) {
        stream.line--;
        continue; // the record itself is read as all that look like it
      }
      at = this.readNode(bytes, at) || this.readLine(bytes, at);
    }
  }

  /**
   * Reads the values of a record that looks like an earlier one.
   *
   * @returns where the next line starts; 0 where something is unusual: escapes, further keys, other numbers of values
   */
  private readValues(bytes: Uint8Array, start: number, use: Uint8Array): number {
    const { values } = this.stream;
    const last = use.length - 1;
    let at = start;
    for (let index = 0; index <= last; index++) {
      let byte = bytes[at];
      if (use[index] === SKIP) {
        while (byte !== EQUALS && byte !== NEWLINE) {
          if (byte === COMMA || byte === BACKSLASH) return 0;
          byte = bytes[++at];
        }
      } else if (use[index] === DEVICE_TIME) return 0;
      else {
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
   * Makes the shape of a snapshot record that looks like none before: `__rec=ctx,ref=44=166,attr=131=41,data=`.
   *
   * @returns false where the line is something else, or written in another way
   */
  private describe(bytes: Uint8Array, start: number): boolean {
    if (!startsWith(bytes, start, SNAPSHOT_HEAD)) return false;
    const end = headEnd(bytes, start);
    if (end === 0) return false;
    let at = start + SNAPSHOT_HEAD.length;
    const references: number[] = [];
    if (startsWith(bytes, at, REFERENCE_KEY)) {
      at += REFERENCE_KEY.length - 1;
      while (bytes[at] === EQUALS) {
        const to = digitsEnd(bytes, at + 1);
        const id = idBetween(bytes, at + 1, to);
        if (id === undefined) return false;
        references.push(id);
        at = to;
      }
    }
    if (!startsWith(bytes, at, ATTRIBUTE_KEY)) return false;
    at += ATTRIBUTE_KEY.length;
    const attributesEnd = end - DATA_KEY.length;
    for (let digit = at; digit < attributesEnd; digit++)
      if (!(bytes[digit] >= 48 && bytes[digit] <= 57) && bytes[digit] !== EQUALS) return false;
    const attributes = textOf(bytes, at, attributesEnd);
    if (attributes.split("=").length !== valueCount(bytes, end)) return false;
    this.stream.describe(bytes.slice(start, end), references, attributes);
    return true;
  }

  /**
   * Reads a node record: `__rec=node,id=41,attr=40,data=main,parent=17`.
   *
   * @returns where the next line starts; 0 where the line is something else, or written in another way
   */
  private readNode(bytes: Uint8Array, start: number): number {
    if (!startsWith(bytes, start, NODE_HEAD)) return 0;
    let at = digitsEnd(bytes, start + NODE_HEAD.length);
    const id = idBetween(bytes, start + NODE_HEAD.length, at);
    if (!startsWith(bytes, at, ATTRIBUTE_KEY)) return 0;
    let from = at + ATTRIBUTE_KEY.length;
    at = digitsEnd(bytes, from);
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
      at = digitsEnd(bytes, from);
      parent = idBetween(bytes, from, at);
      if (parent === undefined) return 0;
      if (bytes[at] === RETURN) at++;
      if (bytes[at] !== NEWLINE) return 0;
    }
    if (id === undefined || attribute === undefined) return 0;
    this.stream.addNode(id, attribute, textOf(bytes, textStart, textEnd), parent);
    return at + 1;
  }

  private readLine(bytes: Uint8Array, start: number): number {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = lineEnd(bytes, start, newline);
    if (end > start) this.stream.readLine(bytes, start, end);
    this.previous = NONE;
    return newline + 1;
  }
}

/** Number of values of the line, which has nothing behind them; 0 where it has, or where values are escaped. */
function valueCount(bytes: Uint8Array, start: number): number {
  let count = 1;
  for (let at = start; bytes[at] !== NEWLINE; at++) {
    if (bytes[at] === COMMA || bytes[at] === BACKSLASH) return 0;
    if (bytes[at] === EQUALS) count++;
  }
  return count;
}

function startsWith(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}

function digitsEnd(bytes: Uint8Array, start: number): number {
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
