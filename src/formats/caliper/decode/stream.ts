import { FormatError } from "../../../model/errors";
import { NONE } from "../../../model/ids";
import type { Attribute } from "../names/attributes";
import { type Fields, numberOf, splitLine, streamId } from "../scan/fields";
import { isNoted, NodeTable, type StreamId } from "./nodes";
import type { Recording } from "./recording";
import { SampleFrames } from "./samples";
import { headEnd, Shapes } from "./shapes";
import { contextOf, DEVICE_TIME, type Layout, layoutOf, locationOf, MEASURED, READ, SKIP } from "./snapshots";
import { shapeEventsOf } from "./shapeEvents";

const KEYS: ReadonlySet<string> = new Set(["__rec", "id", "attr", "data", "parent", "ref"]);

/**
 * Meaning of the records of one `.cali` stream, for any scanner. A faster scanner reads lines in the usual form; the one here reads every line.
 */
export class CaliStream {
  /** Number of the current line. */
  line = 0;
  /** Whether the closing record was there. */
  closed = false;
  readonly shapes: Shapes;
  /** Values of the current record. */
  values = new Float64Array(16);
  private readonly nodes: NodeTable;
  /** Attributes of nodes that are not defined yet, with the line of the first such node. */
  private readonly awaited = new Map<StreamId, number>();
  private readonly samples: SampleFrames;
  private readonly layouts = new Map<string, Layout>();
  /** Shapes of records with keys in another order. */
  private readonly unusual = new Map<string, number>();

  constructor(readonly recording: Recording) {
    this.nodes = new NodeTable(recording);
    this.shapes = new Shapes(recording);
    this.samples = new SampleFrames(recording);
  }

  /** Parses a whole line of any kind. */
  readLine(bytes: Uint8Array, start: number, end: number): void {
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

  /**
   * Reads the last line of a file that ends without a line end, if it is complete: it names only known nodes, and has as many values as
   * attributes.
   *
   * @returns false if it was cut
   */
  readLast(bytes: Uint8Array, end: number): boolean {
    const { fields, unknownKey } = splitLine(bytes, 0, end, (key) => KEYS.has(key));
    const kind = fields.get("__rec")?.[0];
    const references = (fields.get("ref") ?? []).map((text) => this.nodes.find(streamId(text) ?? text));
    const attributes = (fields.get("attr") ?? []).map((text) => this.nodes.find(streamId(text) ?? text));
    const known =
      references.every((node) => node !== undefined) &&
      attributes.every((node) => node !== undefined && this.nodes.attribute(node) !== undefined);
    if (unknownKey !== undefined || !known || attributes.length !== (fields.get("data") ?? []).length) return false;
    // A cut node number may be that of another node. It is hardly that of a global.
    const isWhole =
      kind === "globals"
        ? references.every((node) => this.nodes.hasGlobals(node)) && references.length + attributes.length > 0
        : kind === "ctx" && attributes.length > 0;
    if (!isWhole) return false;
    this.line++;
    this.readLine(bytes, 0, end);
    return true;
  }

  /** Ends the file. @throws FormatError if a node's attribute was never defined */
  finish(): void {
    for (const [attribute, line] of this.awaited) throw this.missing("attribute", attribute, line);
  }

  addNode(id: StreamId, attribute: StreamId, text: string, parent: StreamId | undefined): void {
    const above = parent === undefined ? NONE : this.node(parent);
    const definedBy = this.nodes.find(attribute);
    // Metadata may have an attribute that is defined later.
    if (definedBy === undefined) {
      if (!this.awaited.has(attribute)) this.awaited.set(attribute, this.line);
      this.nodes.addBefore(attribute, id, text, above);
      return;
    }
    if (this.nodes.attribute(definedBy) === undefined) throw this.missing("attribute", attribute);
    if (!this.nodes.add(id, definedBy, text, above))
      this.warn("repeated ids", `node ${short(id)} was defined before, and differently: the first one stays`);
    if (this.awaited.size > 0) this.settleAwaited(id);
  }

  /**
   * Adds the shape of this record.
   *
   * @param head bytes up to the values; empty if other keys follow them
   * @param attributes the ids of the attributes, as written in the record
   * @returns the new shape
   */
  describe(head: Uint8Array, references: readonly StreamId[], attributes: string): number {
    const { recording, nodes } = this;
    const branches = references.map((id) => this.node(id));
    let layout = this.layouts.get(attributes);
    if (layout === undefined) {
      layout = layoutOf(recording, this.attributesOf(attributes === "" ? [] : attributes.split("=")));
      this.layouts.set(attributes, layout);
    }
    if (this.values.length < layout.use.length) this.values = new Float64Array(layout.use.length * 2);
    // Most branches have only regions, and are not searched.
    const noted = nodes.hasNoted(branches);
    if (noted) nodes.noteGlobals(branches);
    const details = noted ? nodes.detailsOf(branches) : [];
    const region = nodes.regionOf(branches);
    const context = layout.use.includes(MEASURED)
      ? contextOf(recording, this.samples, region, noted ? nodes.samplesOf(branches) : [], details)
      : NONE;
    const events = shapeEventsOf(recording, layout, region, context, details);
    return this.shapes.add(head, layout, context, noted ? locationOf(nodes, branches) : undefined, events);
  }

  /** Ends the wait for an attribute if this node defines it. */
  private settleAwaited(id: StreamId): void {
    const line = this.awaited.get(id);
    const index = this.nodes.find(id);
    const attribute = index === undefined ? undefined : this.nodes.attribute(index);
    if (line === undefined || attribute === undefined) return;
    // Its earlier nodes were stored as metadata, which is wrong for attributes of regions and samples.
    if (attribute.nested || isNoted(attribute)) throw this.missing("attribute", id, line);
    this.awaited.delete(id);
  }

  private nodeRecord(fields: Fields): void {
    const id = streamId(fields.get("id")?.[0] ?? "");
    const attribute = streamId(fields.get("attr")?.[0] ?? "");
    const data = fields.get("data")?.[0];
    const parentText = fields.get("parent")?.[0];
    const parent = parentText === undefined ? undefined : streamId(parentText);
    const lost = parentText !== undefined && parent === undefined;
    if (id === undefined || attribute === undefined || data === undefined || lost)
      this.warn("incomplete records", "a node needs the numbers id, attr and parent, and data: left out");
    else this.addNode(id, attribute, data, parent);
  }

  private snapshotRecord(fields: Fields, bytes: Uint8Array, start: number): void {
    const references = fields.get("ref") ?? [];
    const attributes = fields.get("attr") ?? [];
    const data = fields.get("data") ?? [];
    this.recording.records++;
    if (attributes.length !== data.length) {
      const found = `${attributes.length} attributes but ${data.length} values`;
      this.warn("incomplete records", `the record has ${found}: left out`);
      return;
    }
    const shape = this.shapeOf(references, attributes.join("="), fields, bytes, start);
    const { use } = this.shapes.layoutOf(shape);
    for (let at = 0; at < data.length; at++) {
      if (use[at] === SKIP) continue;
      if (use[at] === DEVICE_TIME) {
        this.values[at] = this.recording.deviceClock.since(data[at]);
        continue;
      }
      const value = numberOf(data[at]) ?? (use[at] === READ ? Number.NaN : undefined);
      if (value === undefined) {
        this.warn("values", `${quoted(data[at])} is no number: the record was left out`);
        return;
      }
      this.values[at] = value;
    }
    this.shapes.record(shape, this.values);
  }

  private shapeOf(
    references: readonly string[],
    attributes: string,
    fields: Fields,
    bytes: Uint8Array,
    start: number,
  ): number {
    const ids = references.map((text) => streamId(text) ?? text);
    // A head has only the keys before `data`. A record with keys in another order is found by its ids.
    const end = [...fields.keys()].at(-1) === "data" ? headEnd(bytes, start) : 0;
    if (end > 0) {
      const known = this.shapes.find(bytes, viewOf(bytes), start, NONE);
      return known === NONE ? this.describe(bytes.slice(start, end), ids, attributes) : known;
    }
    const key = `${references.join("=")},${attributes}`;
    let shape = this.unusual.get(key);
    if (shape === undefined) this.unusual.set(key, (shape = this.describe(new Uint8Array(0), ids, attributes)));
    return shape;
  }

  private globalsRecord(fields: Fields): void {
    this.closed = true;
    this.nodes.noteGlobals((fields.get("ref") ?? []).map((text) => this.node(streamId(text) ?? text)));
    const data = fields.get("data") ?? [];
    for (const [at, attribute] of this.attributesOf(fields.get("attr") ?? []).entries())
      if (at < data.length) this.recording.global(attribute.name, data[at]);
  }

  private attributesOf(texts: readonly string[]): Attribute[] {
    return texts.map((text) => {
      const node = this.nodes.find(streamId(text) ?? text);
      const attribute = node === undefined ? undefined : this.nodes.attribute(node);
      if (attribute === undefined) throw this.missing("attribute", text);
      return attribute;
    });
  }

  private node(id: StreamId): number {
    const node = this.nodes.find(id);
    if (node === undefined) throw this.missing("node", id);
    return node;
  }

  private missing(what: "node" | "attribute", id: StreamId, line = this.line): FormatError {
    return new FormatError({
      file: this.recording.file,
      at: { line },
      found: `${what} ${short(id)}, which no record before this line defines`,
      expected: `${what === "node" ? "a node" : "an attribute"} that was defined earlier in the same file`,
      advice: "A part of the file may be missing, or it may be several recordings joined: open them one by one.",
    });
  }

  private warn(kind: string, message: string): void {
    this.recording.warn(kind, message, { line: this.line });
  }
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function quoted(text: string): string {
  return JSON.stringify(short(text));
}

function short(text: StreamId): string {
  const whole = String(text);
  return whole.length > 60 ? `${whole.slice(0, 60)}…` : whole;
}
