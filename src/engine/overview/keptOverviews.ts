/** Microscopic models of a trace and what follows from them: kept while one looks at them. */
import { nodeOrder, type NodeOrder, overResourcesAlone, overTimeAlone } from "../../aggregation/microscopicModel";
import { Aggregation } from "../../aggregation/significant";
import { RequestError } from "../../model/errors";
import type { Trace } from "../../model/trace";
import type { OverviewKind } from "./overviewApi";
import type { TraceModel } from "./traceModel";

/** Beyond it an analysis would keep people waiting: nodes × slices³ / 6. */
const MOST_WORK = 1e9;

export interface KeptOverview {
  readonly model: TraceModel;
  readonly nodes: NodeOrder;
  readonly aggregation: Aggregation;
}

/** The latest of each trace. */
const known = new WeakMap<Trace, { readonly key: string; readonly kept: KeptOverview }>();

/** @param make a model that is not known yet */
export async function keptOverview(
  trace: Trace,
  query: { readonly kind: OverviewKind; readonly normalize: boolean },
  make: () => Promise<TraceModel>,
): Promise<KeptOverview> {
  const key = JSON.stringify(query);
  const before = known.get(trace);
  if (before?.key === key) return before.kept;
  const kept = overviewOfModel(await make(), query);
  known.set(trace, { key, kept });
  return kept;
}

/** @throws RequestError where the model is too large */
export function overviewOfModel(
  model: TraceModel,
  options: { readonly kind: OverviewKind; readonly normalize: boolean; readonly threshold?: number },
): KeptOverview {
  const { kind } = options;
  checkWork(kind, model.nodes.length, model.slices);
  const aggregated =
    kind === "temporal" ? overTimeAlone(model) : kind === "hierarchical" ? overResourcesAlone(model) : model;
  return { model, nodes: nodeOrder(model), aggregation: new Aggregation(aggregated, options) };
}

function checkWork(kind: OverviewKind, nodes: number, slices: number): void {
  const trees = kind === "temporal" ? 1 : nodes;
  const work = trees * (kind === "hierarchical" ? 1 : slices ** 3 / 6);
  if (work <= MOST_WORK) return;
  const fits = Math.floor(Math.cbrt((6 * MOST_WORK) / trees));
  throw new RequestError(`${slices} slices of ${nodes} resources are too many; ${fits} slices fit.`);
}
