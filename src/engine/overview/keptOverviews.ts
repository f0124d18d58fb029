/** Microscopic models of a trace and what follows from them: kept while one looks at them. */
import { nodeOrder, type NodeOrder, overResourcesAlone, overTimeAlone } from "../../aggregation/microscopicModel";
import { Aggregation } from "../../aggregation/significant";
import { RequestError } from "../../model/errors";
import type { TraceOutline } from "../../model/trace";
import { foldedModel } from "./fold";
import type { OverviewKind, OverviewQuery } from "./overviewApi";
import { MOST_SLICES, type TraceModel } from "./modelParts";

/** Beyond it an analysis would keep people waiting: nodes × slices³ / 6. */
const MOST_WORK = 1e9;

export interface KeptOverview {
  readonly model: TraceModel;
  readonly nodes: NodeOrder;
  readonly aggregation: Aggregation;
}

interface Known {
  readonly key: string;
  readonly kept: KeptOverview;
  readonly finer: Finer | undefined;
}

/** A model with slices so short that those of other questions are made of them. */
interface Finer {
  readonly key: string;
  readonly model: TraceModel;
}

/** The latest of each trace. */
const known = new WeakMap<TraceOutline, Known>();

/** Bytes of a finer model that is kept. */
const MOST_KEPT = 64e6;
/** What values are made of. */
const BYTES_OF_CELL = 16;
/** Slices that 10, 20, 30, 50 and 100 are made of; more than so many are not looked for. */
const FINE = 300;
const FINEST = 3000;
/** States that a model has at most, where its leaves have one type. */
const STATES = 16;

/**
 * Another number of slices, or a window that begins and ends between slices, of the same question is answered from a finer model, exactly and
 * without reading any event.
 *
 * @param make a model that does not follow from what is known
 */
export async function keptOverview(
  trace: TraceOutline,
  query: OverviewQuery,
  make: (query: OverviewQuery) => Promise<TraceModel>,
): Promise<KeptOverview> {
  const key = JSON.stringify(query);
  const before = known.get(trace);
  if (before?.key === key) return before.kept;
  const finerKey = keyOfFiner(query);
  let finer = before?.finer?.key === finerKey ? before.finer : undefined;
  let model = finer && foldedModel(finer.model, query, trace.endSeconds);
  if (!model) {
    const slices = fineSlices(query.slices);
    const bytes = trace.lanes * STATES * slices * BYTES_OF_CELL;
    const made = await make(bytes <= MOST_KEPT ? { ...query, slices } : query);
    model = foldedModel(made, query, trace.endSeconds) ?? made;
    const isWider = !finer || made.toSeconds - made.fromSeconds >= finer.model.toSeconds - finer.model.fromSeconds;
    if (isWider && made.amounts.length * BYTES_OF_CELL <= MOST_KEPT) finer = { key: finerKey, model: made };
  }
  const kept = overviewOfModel(model, query);
  known.set(trace, { key, kept, finer });
  return kept;
}

/** All but how it is cut, and what is made of it: all that cells have of states follows from one model. */
function keyOfFiner(query: OverviewQuery): string {
  const metric = query.metric === "variable" ? "variable" : "";
  return JSON.stringify({ ...query, metric, slices: 0, kind: "", normalize: false, fromSeconds: 0, toSeconds: 0 });
}

/** A number of slices from which other usual ones follow, too; the same where there is none. */
function fineSlices(slices: number): number {
  let fine = slices;
  while (fine % FINE !== 0 && fine < FINEST) fine += slices;
  return fine % FINE === 0 && fine <= FINEST ? fine : slices;
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
  const fits = mostSlicesOf(kind, nodes);
  if (slices <= fits) return;
  throw new RequestError(`${slices} slices of ${nodes} resources are too many; ${fits} slices fit.`);
}

/** The largest number of slices that is aggregated in bearable time. */
export function mostSlicesOf(kind: OverviewKind, nodes: number): number {
  const trees = kind === "temporal" ? 1 : nodes;
  if (kind === "hierarchical") return trees <= MOST_WORK ? MOST_SLICES : 0;
  let fits = Math.min(MOST_SLICES, Math.floor(Math.cbrt((6 * MOST_WORK) / trees)) + 1);
  while (fits > 0 && (trees * fits ** 3) / 6 > MOST_WORK) fits--;
  return fits;
}
