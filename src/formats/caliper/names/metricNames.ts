/**
 * Names of aggregated quantities: `sum#inclusive#sum#time.duration` is a chain of operations around a base name
 * (Caliper's aggregate service and its queries add one a step). A base may hold `#` itself: `iteration#loop`.
 */
export type Role = "sum" | "minimum" | "maximum" | "average" | "any" | "share" | "ratio" | "helper";

export interface MetricName {
  /** What was measured, without operations: members of one family share it. */
  readonly base: string;
  readonly operations: readonly string[];
  readonly role: Role;
  /** Holds the contexts below as well. */
  readonly inclusive: boolean;
  /** Was multiplied with a factor by the query, which for times means: is in seconds. */
  readonly scaled: boolean;
}

const OPERATIONS = new Set([
  "sum",
  "min",
  "max",
  "avg",
  "any",
  "inclusive",
  "scale",
  "iscale",
  "percent_total",
  "inclusive_percent_total",
  "avg.sum",
  "avg.count",
  "avg.variance",
]);

export function parseMetricName(name: string): MetricName {
  const operations: string[] = [];
  let base = name;
  for (let hash = base.indexOf("#"); hash > 0; hash = base.indexOf("#")) {
    const operation = base.slice(0, hash);
    if (!OPERATIONS.has(operation)) break;
    operations.push(operation);
    base = base.slice(hash + 1);
  }
  const inclusiveBase = base.includes("time.inclusive.duration");
  if (inclusiveBase) base = base.replace("time.inclusive.duration", "time.duration");
  // Records of a json-split file go by their alias: hatchet's configurations call the inclusive twin `time (inc)`.
  const inclusiveAlias = base.endsWith(" (inc)");
  if (inclusiveAlias) base = base.slice(0, -" (inc)".length);
  return {
    base,
    operations,
    role: roleOf(base, operations),
    inclusive:
      inclusiveBase ||
      inclusiveAlias ||
      operations.some((one) => one === "inclusive" || one === "iscale" || one === "inclusive_percent_total"),
    scaled: operations.some((one) => one === "scale" || one === "iscale"),
  };
}

function roleOf(base: string, operations: readonly string[]): Role {
  if (isHelper(base) || operations.some((one) => one.startsWith("avg."))) return "helper";
  if (operations.some((one) => one.endsWith("percent_total"))) return "share";
  const outer = operations.filter((one) => one !== "inclusive" && one !== "scale" && one !== "iscale");
  if (outer.includes("any")) return "any";
  // The outermost step that is no sum tells what the number is: a sum of minima adds up as little as a minimum.
  const first = outer.find((one) => one !== "sum");
  if (first === "min") return "minimum";
  if (first === "max") return "maximum";
  // Neither the sum nor the average of ratios is one that adds up.
  if (isRatio(base)) return "ratio";
  return first === "avg" ? "average" : "sum";
}

/**
 * `loop.iterations/time.duration`: how versions up to 2.5 name what later ones call `ratio#…`, of two of Caliper's own attributes. A
 * program's own `Bytes/Rep` may be anything.
 */
export function isRatio(base: string): boolean {
  return base.startsWith("ratio#") || /^\w+(?:\.\w+)+\/\w+(?:\.\w+)+$/.test(base);
}

/** Columns that order or count records, which are no measurements. `Node order` is the alias of `aggregate.slot`. */
function isHelper(base: string): boolean {
  return base === "aggregate.slot" || base === "Node order" || /^p?scount#/.test(base);
}
