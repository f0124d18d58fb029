/**
 * Names of aggregated quantities: `sum#inclusive#sum#time.duration` is a chain of operations around a base name
 * (Caliper's aggregate service and its queries add one a step). A base may hold `#` itself: `iteration#loop`.
 */

/**
 * Kind of the values, which decides whether they add up. `ratio` also stands for a variance, and for the result of an operation
 * that is not known: none of them adds up.
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

/** One step of aggregation. */
interface Operation {
  readonly role: Role;
  readonly inclusive?: true;
  readonly scaled?: true;
}

/** Attributes with which a query that goes on needs to go on: `avg.sum#x` beside `avg#x`. */
const HELPER_OPERATIONS = [
  "avg.sum",
  "avg.count",
  "avg.variance",
  "scsum",
  "iscsum",
  "sr.sum",
  "isr.sum",
  "pct.sum",
  "ipct.sum",
  "var.count",
  "var.sum",
  "var.sqsum",
];

/** Prefixes of Caliper's aggregation kernels. Those of ratios stay with the base: `ratio#a/b`. */
const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["sum", { role: "sum" }],
  ["inclusive", { role: "sum", inclusive: true }],
  ["scale", { role: "sum", scaled: true }],
  ["iscale", { role: "sum", inclusive: true, scaled: true }],
  ["min", { role: "minimum" }],
  ["imin", { role: "minimum", inclusive: true }],
  ["max", { role: "maximum" }],
  ["imax", { role: "maximum", inclusive: true }],
  ["avg", { role: "average" }],
  ["any", { role: "any" }],
  ["variance", { role: "ratio" }],
  ["percent_total", { role: "share" }],
  ["ipercent_total", { role: "share", inclusive: true }],
  ["inclusive_percent_total", { role: "share", inclusive: true }],
  ...HELPER_OPERATIONS.map((name) => [name, { role: "helper" }] as const),
]);

const RATIO = /^i?ratio#/;
/** The aggregate service counts the values of each bin. */
const HISTOGRAM = /^histogram\.bin\.\d{1,9}#/;
/** Shares of a processor's pipeline slots; `topdown.slots` and `topdown.retiring.slots` are counts. */
const SLOT_SHARE = /^topdown\.(?!(?:.*\.)?slots$)/;

/** Names of results in the queries of Caliper's own configurations. JSON has no other name for them. */
const ALIASES: readonly (readonly [RegExp, Role])[] = [
  [/\S %(?: \([^()]{1,20}\))?$/, "share"],
  [/^(?:Retiring|Bad spec|FE bound|BE bound|Heavy ops|Light ops|Br mispr)$/, "share"],
  [/^(?:Mach clrs|Fetch lat|Fetch BW|Core bound|Mem bound)$/, "share"],
  [/(?:^| |\()(?:[KMG]?B|[KMG]?bit|[Ii]ter)\/s\)?(?: \([^()]{1,20}\))?$/, "ratio"],
  [/^Variance /, "ratio"],
  [/^[Mm]in .|. \(min\)$/, "minimum"],
  [/^[Mm]ax .|. \(max\)$|^#Threads$|^(?:Alloc|Mem|Ump) HWM/, "maximum"],
  [/^(?:Alloc MB|Num allocs|Ump MB \(Total\)|Ump allocs \(Total\))$/, "maximum"],
];

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
  const steps = operations.map((one) => OPERATIONS.get(one));
  return {
    base,
    operations,
    role: roleOf(base, steps),
    inclusive:
      inclusiveBase || inclusiveAlias || base.startsWith("iratio#") || steps.some((step) => step?.inclusive === true),
    scaled: steps.some((step) => step?.scaled === true),
  };
}

/** @param steps operations, outermost first */
function roleOf(base: string, steps: readonly (Operation | undefined)[]): Role {
  const roles = steps.map((step) => step?.role);
  if (isHelper(base) || roles.includes("helper")) return "helper";
  if (roles.includes("share")) return "share";
  if (roles.includes("any")) return "any";
  // The outermost step that is no sum tells what the number is: a sum of minima adds up as little as a minimum.
  const outer = roles.filter((role) => role !== "sum");
  const [first] = outer;
  if (first === "minimum" || first === "maximum") return first;
  const own = baseRole(base);
  if (first === undefined) return own;
  // Neither the sum nor the average of ratios, or of extremes, is one that adds up.
  return first === "average" && own === "sum" && outer.every((role) => role === "average") ? "average" : notAdding(own);
}

function notAdding(own: Role): Role {
  return own === "share" ? "share" : "ratio";
}

function baseRole(base: string): Role {
  if (SLOT_SHARE.test(base)) return "share";
  if (isRatio(base) || isOfUnknownOperation(base)) return "ratio";
  return ALIASES.find(([alias]) => alias.test(base))?.[1] ?? "sum";
}

/**
 * `loop.iterations/time.duration`: how versions up to 2.5 name what later ones call `ratio#…`, of two of Caliper's own attributes. A
 * program's own `Bytes/Rep` may be anything.
 */
function isRatio(base: string): boolean {
  return RATIO.test(base) || /^\w+(?:\.\w+)+\/\w+(?:\.\w+)+$/.test(base);
}

/** Whether values of a base are ratios, shares, or what an unknown operation gave, before any further operation. */
export function isRate(base: string): boolean {
  const role = baseRole(base);
  return role === "ratio" || role === "share";
}

/** Whether a base counts the values of a histogram's bin. */
export function isHistogram(base: string): boolean {
  return HISTOGRAM.test(base);
}

/** Whether a query or the aggregate service made a value, as its name tells. */
export function isAggregated(name: string): boolean {
  const { base, operations } = parseMetricName(name);
  return operations.length > 0 || RATIO.test(base);
}

function isOfUnknownOperation(base: string): boolean {
  return base.indexOf("#") > 0 && !isHistogram(base);
}

/** Columns that order or count records, which are no measurements. `Node order` is the alias of `aggregate.slot`. */
function isHelper(base: string): boolean {
  return base === "aggregate.slot" || base === "Node order" || /^p?scount#/.test(base);
}
