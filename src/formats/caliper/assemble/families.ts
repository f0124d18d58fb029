import { entryOf } from "../../../model/maps";
import type { Metric } from "../../../model/metrics";
import { compareText } from "../../../model/strings";
import { isAggregated, isRate, type MetricName, parseMetricName } from "../names/metricNames";
import type { Quantity } from "../names/quantities";
import { type Measure, measureOf } from "./units";

/** A column of the merged recording, as far as the choice of metrics needs it. */
export interface Candidate {
  readonly quantity: Quantity;
  readonly whole: boolean;
  /** Whether values have a rank. */
  readonly ranked: boolean;
  /** Sum of all values, as recorded. */
  readonly total: number;
}

/** A metric with the column that it comes from. */
export interface Chosen {
  readonly metric: Metric;
  readonly column: number;
  readonly measure: Measure;
  /** The column holds inclusive values, from which the exclusive ones are to be computed. */
  readonly fromInclusive: boolean;
}

interface Member {
  readonly column: number;
  readonly name: MetricName;
  readonly candidate: Candidate;
}

/**
 * Chooses what is offered as metrics (semantics 1): one a family, made of its recorded sum, with minimum and maximum
 * beside it. Inclusive twins are not offered, since inclusive is derived; where a tool gives inclusive only, the metric
 * is computed from it. Averages are used only where values are reduced over ranks and no sum was recorded.
 *
 * @param processes number of processes of the run, where the recording tells
 * @param sampling frequency of the samples in Hz, where the recording has samples and tells it
 */
export function chooseMetrics(
  candidates: readonly Candidate[],
  processes: number | undefined,
  sampling: number | undefined,
): Chosen[] {
  const families = new Map<string, Member[]>();
  for (const [column, candidate] of candidates.entries()) {
    const name = parseMetricName(candidate.quantity.name);
    if (name.role === "helper") continue;
    entryOf(families, name.base, () => []).push({ column, name, candidate });
  }
  const reduced = reducedOverRanks([...families.values()], processes);
  const chosen: Chosen[] = [];
  for (const base of [...families.keys()].sort()) {
    const family = families.get(base) ?? [];
    family.sort((a, b) => compareText(a.candidate.quantity.name, b.candidate.quantity.name));
    chooseOfFamily(family, reduced, chosen);
  }
  const samples = chosen.find(({ metric }) => metric.recordedName === "count");
  if (sampling !== undefined && samples !== undefined && !chosen.some(({ metric }) => metric.kind === "time"))
    chosen.push(sampledTime(samples, sampling));
  return inOrder(withDistinctNames(chosen), candidates);
}

function chooseOfFamily(family: readonly Member[], reduced: boolean, chosen: Chosen[]): void {
  const whole = family.every(({ name, candidate }) => name.role === "average" || candidate.whole);
  const measured = family.map((member) => ({
    ...member,
    measure: measureOf(member.candidate.quantity, member.name, whole),
  }));
  const of = (role: MetricName["role"], inclusive: boolean) =>
    measured.filter(({ name }) => name.role === role && name.inclusive === inclusive);
  const additive = measured.filter(({ measure: { kind } }) => kind !== "level" && kind !== "rate");
  const sums = additive.filter(({ name }) => name.role === "sum");
  const exclusive = sums.filter(({ name }) => !name.inclusive);
  const averages = [false, true].flatMap((inclusive) =>
    reduced || ofOneProcess(family, inclusive) ? of("average", inclusive).filter((one) => additive.includes(one)) : [],
  );
  // Scaled twins (seconds beside nanoseconds) are one quantity: the one with an alias is what people know.
  const main =
    exclusive.find(({ candidate }) => candidate.quantity.alias !== undefined) ?? exclusive[0] ?? sums[0] ?? averages[0];
  if (main === undefined) {
    for (const member of measured) chosen.push(asItself(member, reduced));
    return;
  }
  const index = chosen.length;
  const beside = (role: "minimum" | "maximum") => of(role, main.name.inclusive)[0] ?? of(role, !main.name.inclusive)[0];
  const minimum = beside("minimum");
  const maximum = beside("maximum");
  const averaged = main.name.role === "average";
  const note =
    averaged && reduced
      ? "The recording has averages over ranks but no sums: these are averages."
      : (deviceNote(main) ?? main.measure.note);
  const metric = metricOf(main, { additive: true, reduced, note });
  chosen.push({
    metric: {
      ...metric,
      minimum: minimum && index + 1,
      maximum: maximum && index + (minimum ? 2 : 1),
    },
    column: main.column,
    measure: main.measure,
    fromInclusive: main.name.inclusive,
  });
  for (const member of [minimum, maximum]) if (member) chosen.push(asItself(member, reduced));
  // Distinct columns that are sums as well, and not the same thing in another unit: `sum#x` and `x` of joined parts.
  const twins = new Set([main, minimum, maximum]);
  for (const member of measured) {
    if (!twins.has(member) && isOfItsOwn(member)) chosen.push(asItself(member, reduced));
  }
}

/** Whether a member says something else than the sum of its family in another form. */
function isOfItsOwn({ name: { base, role, operations }, measure }: Member & { readonly measure: Measure }): boolean {
  if (measure.kind === "level" || role === "any") return true;
  return role === "ratio" && (isRate(base) || operations.includes("variance"));
}

/** Whether minimum, maximum and average are the same: then each of them is the value of the one process that there was. */
function ofOneProcess(family: readonly Member[], inclusive: boolean): boolean {
  const [[first], ...others] = (["minimum", "maximum", "average"] as const).map((role) =>
    family.filter(({ name }) => name.role === role && name.inclusive === inclusive),
  );
  if (first === undefined) return false;
  const { total } = first.candidate;
  const isSame = ({ candidate }: Member) => Math.abs(candidate.total - total) <= 1e-9 * Math.abs(total);
  return others.every((members) => members.length > 0 && members.every(isSame));
}

function asItself(member: Member & { readonly measure: Measure }, reduced: boolean): Chosen {
  const { name, measure, column } = member;
  const extreme = name.role === "minimum" || name.role === "maximum";
  const note = name.inclusive
    ? "Inclusive as recorded: shown beside, never summed."
    : extreme || name.role === "average"
      ? "Shown beside, never summed."
      : measure.note;
  return { metric: metricOf(member, { additive: false, reduced, note }), column, measure, fromInclusive: false };
}

function metricOf(
  { candidate, measure }: Member & { readonly measure: Measure },
  { additive, reduced, note }: { additive: boolean; reduced: boolean; note?: string },
): Metric {
  const { name, alias } = candidate.quantity;
  return {
    name: alias ?? name,
    recordedName: name,
    unit: measure.unit,
    kind: measure.kind,
    additive,
    reducedOverRanks: reduced,
    ...(note === undefined ? {} : { note }),
  };
}

/** Time of kernels and copies: never added to that of the CPU, and not what views start with. */
const DEVICE_NOTE = "GPU time: what kernels and copies took on the device, never added to CPU time.";

function deviceNote({ candidate, measure }: Member & { readonly measure: Measure }): string | undefined {
  return measure.note === undefined && isDeviceTime(candidate.quantity.name) ? DEVICE_NOTE : undefined;
}

function isDeviceTime(name: string): boolean {
  return /^(?:cupti|rocm)\.activity\.duration$/.test(parseMetricName(name).base);
}

/** Samples (semantics 1): time = count / frequency. */
function sampledTime(samples: Chosen, frequency: number): Chosen {
  const note = `Samples divided by their frequency of ${frequency} Hz.`;
  return {
    ...samples,
    metric: { ...samples.metric, name: "time", unit: "s", kind: "time", note },
    measure: { kind: "time", unit: "s", factor: 1, divisor: frequency },
  };
}

/**
 * Whether one value stands for all ranks (semantics 1, Already reduced over ranks): no value has a rank, queries have
 * aggregated, and there was more than one process. Where the recording does not tell how many there were, averages over
 * processes do: of one process they would equal the sums.
 */
function reducedOverRanks(families: readonly (readonly Member[])[], processes: number | undefined): boolean {
  const members = families.flat();
  if (members.some(({ candidate }) => candidate.ranked)) return false;
  const steps = ({ name }: Member) => name.operations.filter((one) => !KEEPING.has(one)).length;
  if (processes !== undefined) return processes > 1 && members.some((member) => steps(member) > 0);
  return families.some((family) => {
    // The first step of a recording aggregates events, the second one processes.
    const of = (role: MetricName["role"]) => family.find((one) => one.name.role === role && steps(one) > 1);
    const sum = of("sum")?.candidate.total;
    const average = of("average")?.candidate.total;
    return sum !== undefined && average !== undefined && Math.abs(sum - average) > 1e-6 * Math.abs(sum);
  });
}

/** Operations that leave one value a process as it is. */
const KEEPING = new Set(["inclusive", "scale", "iscale"]);

function withDistinctNames(chosen: readonly Chosen[]): Chosen[] {
  const uses = new Map<string, number>();
  for (const { metric } of chosen) uses.set(metric.name, (uses.get(metric.name) ?? 0) + 1);
  return chosen.map((one) =>
    (uses.get(one.metric.name) ?? 0) > 1 ? { ...one, metric: { ...one.metric, name: one.metric.recordedName } } : one,
  );
}

function isOfKnownKind({ kind }: Metric, { name, unit, aggregatable }: Quantity): boolean {
  const isKnown = aggregatable || unit !== undefined || isAggregated(name) || /(?:^|\.)count$/.test(name);
  return isKnown || kind === "time" || kind === "bytes";
}

const KINDS = ["time", "bytes", "count", "rate", "level"];

/**
 * Order of metrics: those that add up first, and times before all others. Views start with the first metric. A number of which neither operation nor
 * unit nor mark tells what it is comes behind those that are known.
 */
function inOrder(chosen: readonly Chosen[], candidates: readonly Candidate[]): Chosen[] {
  const order = chosen.map((_, index) => index);
  const weight = ({ metric, column }: Chosen) =>
    (metric.name === "time" ? 0 : isDeviceTime(metric.recordedName) ? 2 : 1) +
    (metric.additive ? 0 : 100) +
    (isOfKnownKind(metric, candidates[column].quantity) ? 0 : 50) +
    3 * KINDS.indexOf(metric.kind);
  order.sort((a, b) => weight(chosen[a]) - weight(chosen[b]) || a - b);
  const placeOf = new Map(order.map((index, place) => [index, place]));
  const moved = (index: number | undefined) => (index === undefined ? undefined : placeOf.get(index));
  return order.map((index) => {
    const { metric } = chosen[index];
    const { minimum, maximum, ...rest } = metric;
    return {
      ...chosen[index],
      metric: {
        ...rest,
        ...(minimum === undefined ? {} : { minimum: moved(minimum) }),
        ...(maximum === undefined ? {} : { maximum: moved(maximum) }),
      },
    };
  });
}
