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
 * be there: then both axes get one of the two metrics that vary most.
 */
export async function settledAxes(open: OpenDataSet, query: CorrelationQuery, valuesOf: ValuesOf) {
  const kept = async (axis: CorrelationAxis): Promise<Settled | undefined> => {
    if (axis.isOpen) return undefined;
    const values = await valuesOf(axis);
    return axis.target?.kind === "mpi" && !varies(values) ? undefined : { values };
  };
  let [x, y] = [await kept(query.x), await kept(query.y)];
  if (!x && query.x.target?.kind === "mpi" && query.anyMetric === true) {
    const [most, second] = await metricsThatVary(open, query.x, valuesOf);
    if (second !== undefined) {
      x = await ofMetric(query.y, most, valuesOf);
      y = await ofMetric(query.y, second, valuesOf);
    }
  }
  y ??= await standIn(open, query.y, x, valuesOf);
  x ??= await standIn(open, query.x, y, valuesOf);
  return {
    ...{ x: x.values, y: y.values },
    standIns: { ...(x.standIn && { x: x.standIn }), ...(y.standIn && { y: y.standIn }) },
  };
}

function varies(values: Float64Array): boolean {
  return coefficientOfVariation(values) > 0;
}

async function standIn(open: OpenDataSet, axis: CorrelationAxis, other: Settled | undefined, valuesOf: ValuesOf) {
  const { value, scope } = axis;
  const { metric } = scope;
  const hottest = hottestFunction(open, scope);
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
    if (varies(values) && !(other && areSame(values, other.values))) return { values, standIn: candidate.standIn };
  }
  return { values: await valuesOf({ scope, value }), standIn: { metric, value, is: "whole" } as const };
}

/** But for rounding: of the same thing asked for in two ways the sums may have other last digits. */
function areSame(one: Float64Array, other: Float64Array): boolean {
  return one.every((value, at) => Math.abs(value - other[at]) <= 1e-9 * Math.abs(value));
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
async function metricsThatVary(open: OpenDataSet, { scope }: CorrelationAxis, valuesOf: ValuesOf): Promise<number[]> {
  const found: { readonly metric: number; readonly variation: number }[] = [];
  for (const [metric, { additive }] of open.dataSet.metrics.entries()) {
    if (!additive) continue;
    const values = await valuesOf({ scope: { ...scope, metric }, value: "inclusive" });
    found.push({ metric, variation: coefficientOfVariation(values) });
  }
  const varying = found.filter(({ variation }) => variation > 0);
  return varying.sort((a, b) => b.variation - a.variation || a.metric - b.metric).map(({ metric }) => metric);
}

async function ofMetric({ scope, value, target }: CorrelationAxis, metric: number, valuesOf: ValuesOf) {
  const values = await valuesOf({ scope: { ...scope, metric }, value, ...(target && { target }) });
  return { values, standIn: { metric, value, is: "metric" } as const };
}
