/** What is laid off where an axis is of nothing in particular: something that varies over members, since a line through one value says nothing. */
import { coefficientOfVariation } from "../../analysis/correlation";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { isMpi } from "../lines/hotPlaces";
import type { Scope } from "../scope";
import type { CorrelationAxis, CorrelationQuery, StandIn } from "./correlationApi";

type ValuesOf = (axis: CorrelationAxis) => Promise<Float64Array>;

interface Settled {
  readonly values: Float64Array;
  readonly standIn?: StandIn;
}

/**
 * The values of both axes, in their metrics' units. An open axis gets the first of MPI, the function with the largest exclusive, and the
 * whole recording that varies and is not what the other axis has; so does one of MPI where that does not vary, unless another metric may
 * be there: then both axes get one of the two metrics that vary most and are not in proportion.
 */
export async function settledAxes(open: OpenDataSet, query: CorrelationQuery, valuesOf: ValuesOf) {
  const kept = async (axis: CorrelationAxis): Promise<Settled | undefined> => {
    if (axis.isOpen) return undefined;
    const values = await valuesOf(axis);
    return axis.target?.kind === "mpi" && !varies(values) ? undefined : { values };
  };
  let [x, y] = [await kept(query.x), await kept(query.y)];
  if (!x && query.x.target?.kind === "mpi" && query.anyMetric === true) {
    const varying = await metricsThatVary(open, query.x, valuesOf);
    const isLikeMost = ({ values }: VaryingMetric) => areInProportion(values, varying[0].values);
    const second = varying.find((one) => !isLikeMost(one));
    if (second !== undefined) {
      // If several metrics are in proportion, take the one on screen, such as the time of samples and not their number.
      const first = varying.find((one) => one.metric === query.x.scope.metric && isLikeMost(one)) ?? varying[0];
      x = await ofMetric(query.y, first.metric, valuesOf);
      y = await ofMetric(query.y, second.metric, valuesOf);
    }
  }
  y ??= await standIn(open, query.y, x, query.x, valuesOf);
  x ??= await standIn(open, query.x, y, query.y, valuesOf);
  return {
    x: x.values,
    y: y.values,
    standIns: { ...(x.standIn && { x: x.standIn }), ...(y.standIn && { y: y.standIn }) },
  };
}

interface VaryingMetric {
  readonly metric: number;
  /** Inclusive, of each member. */
  readonly values: Float64Array;
}

function varies(values: Float64Array): boolean {
  return coefficientOfVariation(values) > 0;
}

async function standIn(
  open: OpenDataSet,
  { value, scope }: CorrelationAxis,
  other: Settled | undefined,
  { target }: CorrelationAxis,
  valuesOf: ValuesOf,
) {
  const { metric } = scope;
  const found = hottestFunction(open, scope);
  // Inclusive over exclusive of one function says little, and of a leaf nothing.
  const isTaken = other?.standIn?.is === "hottest" || (target?.kind === "function" && target.function === found);
  const hottest = isTaken ? undefined : found;
  const candidates: { readonly axis: CorrelationAxis; readonly standIn: StandIn }[] = [
    { axis: { scope, value, target: { kind: "mpi" } }, standIn: { metric, value, is: "mpi" } },
    ...(hottest === undefined
      ? []
      : [
          {
            axis: { scope, value, target: { kind: "function", function: hottest } } as const,
            standIn: { metric, value, is: "hottest", name: open.placedFunction(hottest) } as const,
          },
        ]),
  ];
  for (const candidate of candidates) {
    const values = await valuesOf(candidate.axis);
    if (varies(values) && !(other && areInProportion(values, other.values)))
      return { values, standIn: candidate.standIn };
  }
  return { values: await valuesOf({ scope, value }), standIn: { metric, value, is: "whole" } as const };
}

/** Maximum relative deviation of values that are in proportion: periods of perf's samples vary by less. */
const MAX_DEVIATION = 1e-3;

/** Whether one metric is a multiple of the other, such as samples and their time: the line through these says nothing. */
function areInProportion(one: Float64Array, other: Float64Array): boolean {
  const [sum, ofOther] = [one, other].map((values) => values.reduce((total, value) => total + value, 0));
  return one.every((value, at) => {
    const [a, b] = [value * ofOther, other[at] * sum];
    return Math.abs(a - b) <= MAX_DEVIATION * Math.max(Math.abs(a), Math.abs(b));
  });
}

/** The function other than MPI with the largest exclusive of all members, chosen or not: a brush changes no axis. */
function hottestFunction(open: OpenDataSet, scope: Scope): number | undefined {
  const { functionExclusive } = open.numbers({ ...scope, over: "sum", chosen: undefined });
  const ofMpi = new Set<number>();
  open.functions.ofContext.forEach((id, context) => !ofMpi.has(id) && isMpi(open, context) && ofMpi.add(id));
  let hottest: number | undefined;
  functionExclusive.forEach((value, id) => {
    if (value > (hottest === undefined ? 0 : functionExclusive[hottest]) && !ofMpi.has(id)) hottest = id;
  });
  return hottest;
}

/** Metrics that add up and whose totals vary over members, by their coefficient of variation, largest first. */
async function metricsThatVary(
  open: OpenDataSet,
  { scope }: CorrelationAxis,
  valuesOf: ValuesOf,
): Promise<VaryingMetric[]> {
  const found: (VaryingMetric & { readonly variation: number })[] = [];
  for (const [metric, { additive }] of open.dataSet.metrics.entries()) {
    if (!additive) continue;
    const values = await valuesOf({ scope: { ...scope, metric }, value: "inclusive" });
    found.push({ metric, values, variation: coefficientOfVariation(values) });
  }
  const varying = found.filter(({ variation }) => variation > 0);
  return varying.sort((a, b) => b.variation - a.variation || a.metric - b.metric);
}

async function ofMetric({ scope, value, target }: CorrelationAxis, metric: number, valuesOf: ValuesOf) {
  const values = await valuesOf({ scope: { ...scope, metric }, value, ...(target && { target }) });
  return { values, standIn: { metric, value, is: "metric" } as const };
}
