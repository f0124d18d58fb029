import { AS_VALUE, type Attribute, describeAttribute } from "../names/attributes";
import { isAggregated } from "../names/metricNames";
import { isRegionAttribute, locationPart } from "../names/quantities";
import { sampleAttribute } from "./samples";
import { detailOf } from "../names/details";

/** Purpose of a key of a JSON record whose value is text. */
export type TextUse = "path" | "nested" | "noted" | "number" | "none";

/** Keys of one file. JSON has only the names of attributes. */
export class RecordKeys {
  private readonly attributes = new Map<string, Attribute>();
  private readonly uses = new Map<string, TextUse>();

  /** The attribute of a key whose values are numbers. */
  attribute(key: string): Attribute {
    let known = this.attributes.get(key);
    if (known === undefined)
      this.attributes.set(key, (known = describeAttribute(key, "double", AS_VALUE, new Map<string, string>())));
    return known;
  }

  textUse(key: string): TextUse {
    let known = this.uses.get(key);
    if (known === undefined) this.uses.set(key, (known = useOf(key)));
    return known;
  }
}

function useOf(key: string): TextUse {
  if (key === "path") return "path";
  if (isRegionAttribute(key)) return "nested";
  const detail = detailOf(key, undefined);
  if (detail?.kind === "event" || detail?.kind === "text" || sampleAttribute(key) !== undefined) return "noted";
  if (locationPart(key) !== undefined) return "noted";
  // With `quote-all` numbers are in quotes as well; without it, such numbers are names.
  const measured = isAggregated(key) || /^(?:count|time\.(?:inclusive\.)?duration(?:\.ns)?)$/.test(key);
  return measured || detail !== undefined ? "number" : "none";
}

/** Whether a key is specific to Caliper. */
export function isCaliperKey(key: string): boolean {
  return (
    key === "path" ||
    isAggregated(key) ||
    /^(?:event\.(?:begin|end|set)#|iteration#|mpi\.|time\.(?:offset|duration|inclusive)|cupti\.|rocm\.)/.test(key) ||
    /^(?:source\.(?:function|file|line)|sourceloc|module)#/.test(key)
  );
}
