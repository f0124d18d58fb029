import { NONE } from "../../model/ids";
import { type Attribute, AS_VALUE, describeAttribute } from "./attributes";
import type { Recording } from "./recording";
import type { SampleNodes } from "./samples";

/** Ids as the stream writes them: numbers while they are exact, digits beyond 2^53. */
export type StreamId = number | string;

/** Nodes that are never written: types and the attributes that describe attributes (caliper.md). */
const BUILT_IN = ["usr", "int", "uint", "string", "addr", "double", "bool", "type"];
const ATTRIBUTE_NAME = 8;
const ATTRIBUTE_PROPERTIES = 10;
const POINTER_TYPE = 11;

/**
 * The nodes of one stream. Ids are sparse and unordered and valid in this stream only; here a node has an index in
 * the order of arrival, so parents come before children and no cycle can be.
 */
export class NodeTable {
  private readonly indexOf = new Map<StreamId, number>();
  private readonly attributes: (Attribute | undefined)[] = [];
  private readonly texts: string[] = [];
  private readonly parents: number[] = [];
  /** Attribute that each node defines. */
  private readonly defined: (Attribute | undefined)[] = [];
  /** Innermost region of the branch, as a context of the recording. */
  private readonly regions: number[] = [];
  /** Nearest node at or above that is no region: a sample's, a location's or a global's. */
  private readonly noted: number[] = [];
  /** Nearest node at or above that is a region. */
  private readonly nestedAt: number[] = [];

  constructor(private readonly recording: Recording) {
    for (const [id, name] of BUILT_IN.entries()) this.push(id, undefined, name, NONE);
    const builtIn: readonly (readonly [number, string, string])[] = [
      [ATTRIBUTE_NAME, "cali.attribute.name", "string"],
      [9, "cali.attribute.type", "type"],
      [ATTRIBUTE_PROPERTIES, "cali.attribute.prop", "int"],
    ];
    for (const [id, name, type] of builtIn) {
      const index = this.push(id, undefined, name, NONE);
      this.defined[index] = describeAttribute(name, type, AS_VALUE, new Map());
    }
    this.push(POINTER_TYPE, undefined, "ptr", NONE);
  }

  /** Index of a node; undefined where no record before defined it. */
  find(id: StreamId): number | undefined {
    return this.indexOf.get(id);
  }

  /** The attribute that this node defines. */
  attribute(index: number): Attribute | undefined {
    return this.defined[index];
  }

  textOf(index: number): string {
    return this.texts[index];
  }

  /**
   * @param attribute index of the node that defines the attribute
   * @returns false where the id is taken: the first node of an id stays, as in Caliper's own reader
   */
  add(id: StreamId, attribute: number, text: string, parent: number): boolean {
    const known = this.indexOf.get(id);
    if (known !== undefined)
      return (
        this.texts[known] === text &&
        this.attributes[known] === this.defined[attribute] &&
        this.parents[known] === parent
      );
    const described = this.defined[attribute];
    const index = this.push(id, described, text, parent);
    if (described?.nested === true) {
      this.regions[index] = this.recording.region(this.regions[index], text, described.name);
      this.nestedAt[index] = index;
    } else if (described?.sample !== undefined || described?.part !== undefined || described?.global === true) {
      this.noted[index] = index;
    }
    if (attribute === ATTRIBUTE_NAME) this.defined[index] = this.define(text, parent);
    return true;
  }

  /**
   * Innermost region of a record: the regions of its branches, in the order of its references.
   *
   * @returns a context of the recording, {@link NONE} outside of any region
   */
  regionOf(references: readonly number[]): number {
    let region = NONE;
    for (const reference of references) {
      if (this.nestedAt[reference] === NONE) continue;
      region = region === NONE ? this.regions[reference] : this.below(region, reference);
    }
    return region;
  }

  /** Sample nodes of a record's branches, outermost first. */
  samplesOf(references: readonly number[]): SampleNodes {
    return references.flatMap((reference) => {
      const branch: { attribute: NonNullable<Attribute["sample"]>; text: string }[] = [];
      for (const node of this.notedOf(reference)) {
        const attribute = this.attributes[node]?.sample;
        if (attribute !== undefined) branch.push({ attribute, text: this.texts[node] });
      }
      return branch.reverse();
    });
  }

  /** The branch from this node to its root, as far as its nodes are samples', locations' or globals'. */
  *notedOf(reference: number): Generator<number> {
    for (let at = this.noted[reference]; at !== NONE;) {
      yield at;
      const parent = this.parents[at];
      at = parent === NONE ? NONE : this.noted[parent];
    }
  }

  describedBy(index: number): Attribute | undefined {
    return this.attributes[index];
  }

  /** Adds what a `globals` record says. */
  noteGlobals(references: readonly number[]): void {
    for (const reference of references) {
      for (const node of [...this.notedOf(reference)].reverse()) {
        const attribute = this.attributes[node];
        if (attribute?.global === true) this.recording.global(attribute.name, this.texts[node]);
      }
    }
  }

  private push(id: StreamId, attribute: Attribute | undefined, text: string, parent: number): number {
    const index = this.texts.length;
    this.indexOf.set(id, index);
    this.attributes.push(attribute);
    this.texts.push(text);
    this.parents.push(parent);
    this.defined.push(undefined);
    this.regions.push(parent === NONE ? NONE : this.regions[parent]);
    this.noted.push(parent === NONE ? NONE : this.noted[parent]);
    this.nestedAt.push(parent === NONE ? NONE : this.nestedAt[parent]);
    return index;
  }

  private below(region: number, reference: number): number {
    const branch: number[] = [];
    for (let at = this.nestedAt[reference]; at !== NONE;) {
      branch.push(at);
      const parent = this.parents[at];
      at = parent === NONE ? NONE : this.nestedAt[parent];
    }
    let context = region;
    for (let at = branch.length - 1; at >= 0; at--) {
      const attribute = this.attributes[branch[at]];
      if (attribute) context = this.recording.region(context, this.texts[branch[at]], attribute.name);
    }
    return context;
  }

  /** Reads an attribute's type, properties and metadata off the ancestors of its name. */
  private define(name: string, parent: number): Attribute {
    const metadata = new Map<string, string>();
    let properties = 0;
    let type = "usr";
    for (let at = parent; at !== NONE; at = this.parents[at]) {
      const described = this.attributes[at];
      if (described === undefined) {
        type = this.texts[at];
        break;
      }
      if (described === this.defined[ATTRIBUTE_PROPERTIES]) properties |= Number(this.texts[at]);
      else if (!metadata.has(described.name)) metadata.set(described.name, this.texts[at]);
    }
    return describeAttribute(name, type, properties, metadata);
  }
}
