import { damagedFile } from "../../../model/errors";
import { NONE } from "../../../model/ids";
import { isMpiSymbol } from "../../../model/mpiNames";
import type { JsonTokens } from "../../jsonTokens";
import { type LocationPart, locationPart, mayBeQuantity, type Quantity } from "../names/quantities";
import { AS_VALUE, type Attribute, describeAttribute } from "../names/attributes";
import type { Recording } from "../decode/recording";
import { type SampleAttribute, sampleAttribute, type SampleNodes } from "../decode/samples";

/** A column as its name and metadata describe it. */
export interface SplitColumn {
  /** Cells are numbers; else they are indices of nodes. */
  readonly isValue: boolean;
  readonly isPath: boolean;
  readonly quantity?: Quantity;
  readonly part?: LocationPart;
  readonly sample?: SampleAttribute;
  /** What its cells say beside measurements, in terms of an attribute of its name. */
  readonly attribute: Attribute;
}

/** Names that sampling configurations give to the attributes of a sample. */
const ALIASES: ReadonlyMap<string, SampleAttribute> = new Map([
  ["Function", { of: "pc", what: "function" }],
  ["Source", { of: "pc", what: "place" }],
  ["Module", { of: "pc", what: "module" }],
]);

export function splitColumn(name: string, metadata: ReadonlyMap<string, string>): SplitColumn {
  const isValue = metadata.get("is_value") === "true";
  const part = locationPart(name);
  const attribute = describeAttribute(name, isValue ? "double" : "string", isValue ? AS_VALUE : 0, metadata);
  if (!isValue) {
    const sample = sampleAttribute(name) ?? ALIASES.get(name);
    return { isValue, isPath: name === "path", part, sample, attribute };
  }
  if (part !== undefined || !mayBeQuantity(name)) return { isValue, isPath: false, part, attribute };
  const quantity: Quantity = {
    name,
    alias: metadata.get("attribute.alias"),
    unit: metadata.get("attribute.unit") ?? metadata.get("time.unit"),
    aggregatable: false,
  };
  return { isValue, isPath: false, quantity, attribute };
}

/**
 * The nodes of a json-split file. All columns share them: a label that is there already is used again, whatever column
 * it was made for, so a node says nothing but its label and its parent.
 */
export class JsonNodes {
  private readonly labels: string[] = [];
  private readonly parents: number[] = [];
  private readonly regions: number[] = [];

  async read(tokens: JsonTokens): Promise<void> {
    await tokens.list("an array of nodes", async (first) => {
      if (first !== "{") throw tokens.unexpected(first, "a node");
      let label = "";
      let parent: number = NONE;
      await tokens.object(async (key) => {
        const value = tokens.scan() ?? (await tokens.next());
        if (key === "label" && (value === "string" || value === "bare")) label = tokens.text;
        else if (key === "label" && value === "number") label = String(tokens.number);
        else if (key === "parent" && value === "number") parent = tokens.number;
        else await tokens.skip(value);
      });
      const index = this.labels.length;
      if (parent !== NONE && !(Number.isInteger(parent) && parent >= 0 && parent < index))
        throw tokens.unexpected("}", `a parent that stands before node ${index}, not ${parent}`);
      this.labels.push(label);
      this.parents.push(parent);
      this.regions.push(NONE);
    });
  }

  get size(): number {
    return this.labels.length;
  }

  /** @throws FormatError when there is no such node */
  check(index: number, file: string): number {
    if (Number.isInteger(index) && index >= 0 && index < this.labels.length) return index;
    const again = "write it again from the .cali file";
    throw damagedFile(file, undefined, `a row with node ${index}`, `one of the ${this.labels.length} nodes`, again);
  }

  label(index: number): string {
    return this.labels[index];
  }

  /** Labels from the root down to this node. */
  path(index: number): string[] {
    const labels: string[] = [];
    for (let at = index; at !== NONE; at = this.parents[at]) labels.push(this.labels[at]);
    return labels.reverse();
  }

  /** The context of a region path, made where it is new. */
  region(index: number, recording: Recording): number {
    const fresh: number[] = [];
    let at = index;
    for (; at !== NONE && this.regions[at] === NONE; at = this.parents[at]) fresh.push(at);
    let context = at === NONE ? NONE : this.regions[at];
    for (let back = fresh.length - 1; back >= 0; back--) {
      const node = fresh[back];
      context = recording.region(context, this.labels[node], attributeOf(this.labels[node]));
      this.regions[node] = context;
    }
    return context;
  }
}

export function regionOf(
  recording: Recording,
  columns: readonly SplitColumn[],
  branch: readonly number[],
  nodes: JsonNodes,
): number {
  const path = columns.findIndex(({ isPath }) => isPath);
  return path < 0 || branch[path] === NONE ? NONE : nodes.region(branch[path], recording);
}

export function samplesOf(columns: readonly SplitColumn[], branch: readonly number[], nodes: JsonNodes): SampleNodes {
  return columns.flatMap(({ sample }, at) => {
    if (sample === undefined || branch[at] === NONE) return [];
    // Only call paths are branches of one attribute; above any other node may stand those of other columns.
    const labels = sample.of === "path" ? nodes.path(branch[at]) : [nodes.label(branch[at])];
    return labels.map((text) => ({ attribute: sample, text }));
  });
}

/** Attribute of a region, which the format does not name: functions of MPI are recognized by their names. */
export function attributeOf(label: string): string {
  return isMpiSymbol(label) ? "mpi.function" : "region";
}
