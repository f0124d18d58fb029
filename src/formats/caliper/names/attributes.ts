import { type Detail, detailOf } from "./details";
import { type LocationPart, type Quantity, locationPart, mayBeQuantity } from "./quantities";
import { type SampleAttribute, sampleAttribute } from "../decode/samples";

/** Property bits of an attribute (caliper.md, Attribute). */
export const AS_VALUE = 1;
export const HIDDEN = 128;
export const NESTED = 256;
export const GLOBAL = 512;
export const AGGREGATABLE = 2048;

/** An attribute as its node and that node's ancestors describe it. */
export interface Attribute {
  readonly name: string;
  readonly type: string;
  readonly properties: number;
  /** Nodes of it are part of the region path. */
  readonly nested: boolean;
  readonly global: boolean;
  /** Set where its values are measurements. */
  readonly quantity?: Quantity;
  readonly part?: LocationPart;
  readonly sample?: SampleAttribute;
  readonly detail?: Detail;
  /** Values are numbers, so that what they detail can be read as one. */
  readonly numeric: boolean;
}

export function describeAttribute(
  name: string,
  type: string,
  properties: number,
  metadata: ReadonlyMap<string, string>,
): Attribute {
  const numeric = type === "int" || type === "uint" || type === "double";
  const measured =
    (properties & AS_VALUE) !== 0 && (properties & (HIDDEN | GLOBAL)) === 0 && numeric && mayBeQuantity(name);
  const global = (properties & GLOBAL) !== 0;
  return {
    name,
    type,
    properties,
    nested: (properties & NESTED) !== 0 && !global,
    global,
    quantity: measured
      ? {
          name,
          alias: metadata.get("attribute.alias"),
          unit: metadata.get("attribute.unit") ?? metadata.get("time.unit"),
          aggregatable: (properties & AGGREGATABLE) !== 0 || metadata.get("class.aggregatable") === "true",
        }
      : undefined,
    part: global ? undefined : locationPart(name),
    sample: global ? undefined : sampleAttribute(name),
    detail: detailOf(name, metadata.get("attribute.unit") ?? metadata.get("time.unit")),
    numeric,
  };
}
