/** Microscopic models of a trace and what follows from them: kept while one looks at them. */
import { type GroupsUnlike, groupsUnlike } from "../../aggregation/groupsUnlike";
import {
  intervalCount,
  nodeOrder,
  type NodeOrder,
  overResourcesAlone,
  overTimeAlone,
} from "../../aggregation/microscopicModel";
import { Modes } from "../../aggregation/modes";
import { Aggregation } from "../../aggregation/significant";
import { RequestError } from "../../model/errors";
import type { TraceOutline } from "../../model/trace";
import { withFoundGroups } from "./firstHierarchy";
import { foldedModel, nearestModel } from "./fold";
import type { OverviewKind, OverviewQuery } from "./overviewApi";
import { MOST_SLICES } from "./modelParts";
import type { TraceModel } from "./namedModel";
import { areTooManyCells } from "./slicedCells";

/** Beyond it an analysis would keep people waiting: nodes × slices³ / 6. */
const MOST_WORK = 1e9;
/** The same over time alone: states of all resources × slices² / 2. */
const MOST_SEQUENCE_WORK = 2e9;

export interface KeptOverview {
  readonly model: TraceModel;
  readonly nodes: NodeOrder;
  readonly modes: Modes;
  readonly aggregation: Aggregation;
  /** Groups that are unlike the others, strongest first. */
  readonly groups: readonly GroupsUnlike[];
  /** It is the nearest that was known, where the exact one would have taken longer. */
  readonly isNear?: true;
}

/** Of gain, loss and choice of every node and stretch of slices, and of one such area; over time alone of gain and loss (800 MB for 10,000 slices). */
const MOST_AREA_BYTES = 512e6;
const BYTES_OF_AREA = 18;

/** Where models come from that do not follow from what is known. */
export interface ModelSource {
  make(query: OverviewQuery): Promise<TraceModel>;
  /** Of the run: where windows end unless told. */
  endSeconds(query: OverviewQuery): number;
  /** How many events are read for it. */
  events(query: OverviewQuery): number;
}

/** Of a trace what was asked last, and the finer models that answers are made of. */
interface Known {
  exact?: Answered;
  near?: Answered;
  /** Of one key. */
  finerKey: string;
  finer: readonly TraceModel[];
}

interface Answered {
  readonly key: string;
  readonly kept: KeptOverview;
}

const known = new WeakMap<TraceOutline, Known>();

/** Rounding error of added seconds. */
const ROUNDING = 1e-6;
/** Bytes of all finer models of a trace that are kept. */
const MOST_KEPT = 64e6;
/** What values are made of. */
const BYTES_OF_CELL = 16;
/** Slices that 10, 20, 30, 50 and 100 are made of; more than so many are not looked for. */
const FINE = 300;
const FINEST = 3000;
/** States that a model has at most, where its leaves have one type. */
const STATES = 16;
/** So many events are read in about a tenth of a second: nobody needs anything else until then. */
const QUICK_EVENTS = 300_000;

/**
 * Another number of slices, or a window that begins and ends between slices, of the same question is answered from a finer model, exactly and
 * without reading any event. Where the query takes it, what would take long to read is the nearest that a finer model can tell.
 */
export async function keptOverview(
  trace: TraceOutline,
  { orNearest, ...query }: OverviewQuery,
  source: ModelSource,
): Promise<KeptOverview> {
  const [key, finerKey] = [JSON.stringify(query), keyOfFiner(query)];
  const own = known.get(trace) ?? { finerKey, finer: [] };
  known.set(trace, own);
  if (own.exact?.key === key) return own.exact.kept;
  if (orNearest && own.near?.key === key) return own.near.kept;
  const finer = own.finerKey === finerKey ? own.finer : [];
  const endSeconds = source.endSeconds(query);
  const folded = firstOf(finer, (model) => foldedModel(model, query, endSeconds));
  if (!folded && orNearest && source.events(query) > QUICK_EVENTS) {
    const bySlice = [...finer].sort((a, b) => secondsOfSlice(a) - secondsOfSlice(b));
    const model = firstOf(bySlice, (one) => nearestModel(one, query, endSeconds));
    if (model) return (own.near = { key, kept: { ...overviewOfModel(model, query), isNear: true } }).kept;
  }
  const made = folded ?? (await finerModel(query, trace, source));
  const model = folded ?? foldedModel(made, query, endSeconds) ?? made;
  const kept = overviewOfModel(model, query);
  own.exact = { key, kept };
  own.near = undefined;
  if (!folded) own.finer = keptFiner(made, own.finerKey === finerKey ? own.finer : []);
  own.finerKey = finerKey;
  return kept;
}

/** As fine as there is room for: where there are many states, as it is asked for. */
async function finerModel(query: OverviewQuery, { lanes }: TraceOutline, source: ModelSource): Promise<TraceModel> {
  const slices = fineSlices(query.slices, lanes);
  try {
    return await source.make({ ...query, slices });
  } catch (error) {
    if (slices === query.slices || !areTooManyCells(error)) throw error;
    return source.make(query);
  }
}

/** The latest, and the one of the widest window, as they have room. */
function keptFiner(made: TraceModel, before: readonly TraceModel[]): readonly TraceModel[] {
  const fits = (models: readonly TraceModel[]) =>
    models.reduce((bytes, { amounts }) => bytes + amounts.length * BYTES_OF_CELL, 0) <= MOST_KEPT;
  const widest = before.reduce((wide, one) => (secondsOf(one) > secondsOf(wide) ? one : wide), made);
  return [widest === made ? [made] : [made, widest], [widest], [made]].find(fits) ?? [];
}

function secondsOf({ fromSeconds, toSeconds }: TraceModel): number {
  return toSeconds - fromSeconds;
}

function secondsOfSlice(model: TraceModel): number {
  return secondsOf(model) / model.slices;
}

function firstOf(
  models: readonly TraceModel[],
  of: (model: TraceModel) => TraceModel | undefined,
): TraceModel | undefined {
  for (const model of models) {
    const found = of(model);
    if (found) return found;
  }
  return undefined;
}

/** All but how it is cut, and what is made of it: all that cells have of states follows from one model. */
function keyOfFiner({ metric, variable, hierarchy, stateType, categories, by, without, only }: OverviewQuery): string {
  const ofVariable = metric === "variable" ? variable : undefined;
  return JSON.stringify([ofVariable, hierarchy, stateType, categories, by, without, only]);
}

/** A number of slices from which those that are asked for follow, and other usual ones, too; as many times as there is room for, where these do not. */
function fineSlices(slices: number, lanes: number): number {
  const most = Math.min(FINEST, Math.floor(MOST_KEPT / (lanes * STATES * BYTES_OF_CELL)));
  for (let fine = slices; fine <= most; fine += slices) if (fine % FINE === 0) return fine;
  return slices * Math.max(1, Math.floor(Math.min(FINE, most) / slices));
}

/** @throws RequestError where the model is too large */
export function overviewOfModel(
  made: TraceModel,
  options: { readonly kind: OverviewKind; readonly normalize: boolean; readonly threshold?: number },
): KeptOverview {
  const { kind } = options;
  const model = withFoundGroups(made);
  checkWork(kind, model);
  const aggregated =
    kind === "temporal" ? overTimeAlone(model) : kind === "hierarchical" ? overResourcesAlone(model) : model;
  const nodes = nodeOrder(model);
  return {
    model,
    nodes,
    modes: new Modes(model),
    groups: kind === "spatiotemporal" ? groupsApart(model, nodes) : [],
    // What is unlike the rest is told of both, time and resources.
    aggregation: new Aggregation(aggregated, { ...options, withoutUnlike: kind !== "spatiotemporal" }),
  };
}

/** Finds groups in models of time only. There all states of a slice together are at most as long as the slice. */
function groupsApart(model: TraceModel, nodes: NodeOrder): GroupsUnlike[] {
  const seconds = (model.toSeconds - model.fromSeconds) / model.slices;
  return model.values === model.amounts && areWithin(model, seconds) ? groupsUnlike(model, nodes, seconds) : [];
}

function areWithin({ leaves, states, slices, values }: TraceModel, seconds: number): boolean {
  const most = seconds * (1 + ROUNDING);
  const sums = new Float64Array(slices);
  for (let leaf = 0, at = 0; leaf < leaves; leaf++) {
    sums.fill(0);
    for (let state = 0; state < states; state++)
      for (let slice = 0; slice < slices; slice++) sums[slice] += values[at++];
    if (sums.some((sum) => sum > most)) return false;
  }
  return true;
}

function checkWork(kind: OverviewKind, model: TraceModel): void {
  const fits = mostSlicesOf(kind, sizeOf(model));
  if (model.slices <= fits) return;
  throw new RequestError(`${model.slices} slices of ${model.nodes.length} resources are too many; ${fits} slices fit.`);
}

/** Of a model: nodes of its hierarchy, and states of all its leaves. */
export interface ModelSize {
  readonly nodes: number;
  readonly series: number;
}

export function sizeOf({ nodes, leaves, states }: TraceModel): ModelSize {
  return { nodes: nodes.length, series: leaves * states };
}

/** The largest number of slices that is aggregated in bearable time and memory. */
export function mostSlicesOf(kind: OverviewKind, { nodes, series }: ModelSize): number {
  if (kind === "hierarchical") return MOST_SLICES;
  if (kind === "temporal")
    return Math.min(MOST_SLICES, Math.floor(Math.sqrt((2 * MOST_SEQUENCE_WORK) / Math.max(1, series))));
  const fit = (slices: number) =>
    (nodes * slices ** 3) / 6 <= MOST_WORK && nodes * intervalCount(slices) * BYTES_OF_AREA <= MOST_AREA_BYTES;
  let fits = Math.min(MOST_SLICES, Math.floor(Math.cbrt((6 * MOST_WORK) / nodes)) + 1);
  while (fits > 0 && !fit(fits)) fits--;
  return fits;
}
