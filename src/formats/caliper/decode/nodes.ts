import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import type { StringTable } from "../../../model/strings";
import { IntColumn, widened } from "../../../model/columns";
import { type Attribute, AS_VALUE, describeAttribute } from "../names/attributes";
import type { Detail } from "../names/details";
import type { Recording } from "./recording";
import type { SampleNodes } from "./samples";

/** Ids as the stream writes them: numbers while they are exact, digits beyond 2^53. */
export type StreamId = number | string;

/** Nodes that are never written: types and the attributes that describe attributes (caliper.md). */
const BUILT_IN = ["usr", "int", "uint", "string", "addr", "double", "bool", "type"];
const ATTRIBUTE_NAME = 8;
const ATTRIBUTE_PROPERTIES = 10;
const POINTER_TYPE = 11;
/** Placeholder for the attribute of a node, until it is defined. */
const AWAITED = -2;

/** Attributes of nodes that are no regions: of samples, locations, the run, events, messages and devices. */
export function isNoted({ sample, part, global, detail }: Attribute): boolean {
  return sample !== undefined || part !== undefined || global || detail !== undefined;
}

/** Details in the branches of one record. */
export type DetailNodes = readonly { readonly detail: Detail; readonly text: string }[];

/** Maximum ratio of an id to the number of nodes for the id to be an index of the table. */
const SPARSE = 8;

/**
 * The nodes of one stream. Ids are sparse, unordered and valid in this stream only. Here a node has an index in the order of arrival, so
 * parents come before children and cycles are impossible.
 */
export class NodeTable {
  /** Index of each small id, {@link NONE} for an unknown id. */
  private direct = new Int32Array(1024).fill(NONE);
  /** Index of each id that is far beyond the number of nodes. */
  private readonly far = new Map<StreamId, number>();
  /** Attribute of each node, as the index of the node that defines it. */
  private readonly attributes = new IntColumn();
  private readonly texts = new IntColumn();
  private readonly parents = new IntColumn();
  /** Attributes, by the index of the node that defines them. */
  private readonly defined = new Map<number, Attribute>();
  /** Innermost region of the branch, as a context of the recording. */
  private readonly regions = new IntColumn();
  /** Nearest node at or above that is no region: of a sample, a location or a global. */
  private readonly noted = new IntColumn();
  /** Nearest node at or above that is a region. */
  private readonly nestedAt = new IntColumn();
  /** Nodes whose attribute is not defined yet, by its id. */
  private readonly awaited = new Map<StreamId, number[]>();
  /** Attributes that were described by such nodes. */
  private readonly incomplete = new Set<number>();
  private readonly strings: StringTable;

  constructor(private readonly recording: Recording) {
    this.strings = recording.frames.strings;
    for (const [id, name] of BUILT_IN.entries()) this.push(id, NONE, name, NONE);
    const builtIn: readonly (readonly [number, string, string])[] = [
      [ATTRIBUTE_NAME, "cali.attribute.name", "string"],
      [9, "cali.attribute.type", "type"],
      [ATTRIBUTE_PROPERTIES, "cali.attribute.prop", "int"],
    ];
    for (const [id, name, type] of builtIn) {
      const index = this.push(id, NONE, name, NONE);
      this.defined.set(index, describeAttribute(name, type, AS_VALUE, new Map()));
    }
    this.push(POINTER_TYPE, NONE, "ptr", NONE);
  }

  /** Index of a node. @returns undefined if no earlier record defined it */
  find(id: StreamId): number | undefined {
    if (typeof id === "number" && id < this.direct.length && this.direct[id] !== NONE) return this.direct[id];
    return this.far.get(id);
  }

  /** The attribute that this node defines. */
  attribute(index: number): Attribute | undefined {
    return this.defined.get(index);
  }

  /** The attribute of this node. */
  describedBy(index: number): Attribute | undefined {
    return this.defined.get(this.attributes.values[index]);
  }

  textOf(index: number): string {
    return this.strings.get(this.texts.values[index]);
  }

  /**
   * @param attribute index of the node that defines the attribute
   * @returns false if the id is taken: the first node of an id stays, as in Caliper's own reader
   */
  add(id: StreamId, attribute: number, text: string, parent: number): boolean {
    const known = this.find(id);
    if (known !== undefined)
      return (
        this.textOf(known) === text &&
        this.attributes.values[known] === attribute &&
        this.parents.values[known] === parent
      );
    const described = this.defined.get(attribute);
    const index = this.push(id, attribute, text, parent);
    if (described?.nested === true) {
      this.regions.values[index] = this.recording.region(this.regions.values[index], text, described.name);
      this.nestedAt.values[index] = index;
    } else if (described !== undefined && isNoted(described)) {
      this.noted.values[index] = index;
    }
    if (attribute === ATTRIBUTE_NAME) {
      this.defined.set(index, this.define(index));
      this.settle(id, index);
    }
    return true;
  }

  /** Adds a node whose attribute is defined later. Such nodes are metadata of attributes, which records do not use. */
  addBefore(attribute: StreamId, id: StreamId, text: string, parent: number): void {
    if (this.find(id) === undefined)
      entryOf(this.awaited, attribute, () => []).push(this.push(id, AWAITED, text, parent));
  }

  /**
   * Innermost region of a record: the regions of its branches, in the order of its references.
   *
   * @returns a context of the recording, {@link NONE} outside of any region
   */
  regionOf(references: readonly number[]): number {
    let region: number = NONE;
    for (const reference of references) {
      if (this.nestedAt.values[reference] === NONE) continue;
      region = region === NONE ? this.regions.values[reference] : this.below(region, reference);
    }
    return region;
  }

  /** Whether a branch has globals of the run. */
  hasGlobals(reference: number): boolean {
    return [...this.notedOf(reference)].some((node) => this.describedBy(node)?.global === true);
  }

  /** Whether branches have nodes of samples, locations or globals. */
  hasNoted(references: readonly number[]): boolean {
    return references.some((reference) => this.noted.values[reference] !== NONE);
  }

  /** Nodes of samples, locations and globals from this node to its root. */
  *notedOf(reference: number): Generator<number> {
    for (let at = this.noted.values[reference]; at !== NONE;) {
      yield at;
      const parent = this.parents.values[at];
      at = parent === NONE ? NONE : this.noted.values[parent];
    }
  }

  /** Sample nodes of a record's branches, outermost first. */
  samplesOf(references: readonly number[]): SampleNodes {
    return references.flatMap((reference) => {
      const branch: { attribute: NonNullable<Attribute["sample"]>; text: string }[] = [];
      for (const node of this.notedOf(reference)) {
        const attribute = this.describedBy(node)?.sample;
        if (attribute !== undefined) branch.push({ attribute, text: this.textOf(node) });
      }
      return branch.reverse();
    });
  }

  /** Details of events, messages and devices in a record's branches, outermost first. */
  detailsOf(references: readonly number[]): DetailNodes {
    return references.flatMap((reference) => {
      const branch: { detail: Detail; text: string }[] = [];
      for (const node of this.notedOf(reference)) {
        const detail = this.describedBy(node)?.detail;
        if (detail !== undefined) branch.push({ detail, text: this.textOf(node) });
      }
      return branch.reverse();
    });
  }

  /** Adds the globals in a record's branches. */
  noteGlobals(references: readonly number[]): void {
    for (const reference of references) {
      for (const node of [...this.notedOf(reference)].reverse()) {
        const attribute = this.describedBy(node);
        if (attribute?.global === true) this.recording.global(attribute.name, this.textOf(node));
      }
    }
  }

  private push(id: StreamId, attribute: number, text: string, parent: number): number {
    const index = this.texts.length;
    this.keepId(id, index);
    this.attributes.push(attribute);
    this.texts.push(this.strings.intern(text));
    this.parents.push(parent);
    this.regions.push(parent === NONE ? NONE : this.regions.values[parent]);
    this.noted.push(parent === NONE ? NONE : this.noted.values[parent]);
    this.nestedAt.push(parent === NONE ? NONE : this.nestedAt.values[parent]);
    return index;
  }

  private keepId(id: StreamId, index: number): void {
    if (typeof id !== "number" || id >= SPARSE * (index + 1024)) {
      this.far.set(id, index);
      return;
    }
    if (id >= this.direct.length) this.direct = widened(this.direct, 2 * id + 1, NONE);
    this.direct[id] = index;
  }

  private below(region: number, reference: number): number {
    const branch: number[] = [];
    for (let at = this.nestedAt.values[reference]; at !== NONE;) {
      branch.push(at);
      const parent = this.parents.values[at];
      at = parent === NONE ? NONE : this.nestedAt.values[parent];
    }
    let context = region;
    for (const node of branch.reverse()) {
      const attribute = this.describedBy(node);
      if (attribute) context = this.recording.region(context, this.textOf(node), attribute.name);
    }
    return context;
  }

  /** Completes nodes of an attribute that is defined after them. */
  private settle(id: StreamId, attribute: number): void {
    const nodes = this.awaited.get(id);
    if (nodes === undefined) return;
    this.awaited.delete(id);
    for (const node of nodes) this.attributes.values[node] = attribute;
    for (const index of Array.from(this.incomplete)) this.defined.set(index, this.define(index));
  }

  /** Reads an attribute's type, properties and metadata off the ancestors of its name. */
  private define(index: number): Attribute {
    const name = this.textOf(index);
    this.incomplete.delete(index);
    const metadata = new Map<string, string>();
    let properties = 0;
    let type = "usr";
    for (let at = this.parents.values[index]; at !== NONE; at = this.parents.values[at]) {
      const attribute = this.attributes.values[at];
      if (attribute === AWAITED) this.incomplete.add(index);
      if (attribute === NONE) {
        type = this.textOf(at);
        break;
      }
      const of = this.defined.get(attribute)?.name ?? "";
      if (attribute === ATTRIBUTE_PROPERTIES) properties |= Number(this.textOf(at));
      else if (!metadata.has(of)) metadata.set(of, this.textOf(at));
    }
    const attribute = describeAttribute(name, type, properties, metadata);
    this.recording.attributeDefined(name, attribute.nested);
    return attribute;
  }
}
