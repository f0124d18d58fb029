/** A trace at a glance: the partitions of its microscopic model that matter, and what is unlike the rest (semantics 11). */
import {
  type MicroscopicModel,
  nodeOrder,
  overResourcesAlone,
  overTimeAlone,
} from "../../aggregation/microscopicModel";
import { modeOf, sumsOf } from "../../aggregation/modes";
import { Aggregation } from "../../aggregation/significant";
import { leavesBelow, type UnlikeFinding } from "../../aggregation/unlike";
import { RequestError } from "../../model/errors";
import type { Task } from "../../model/task";
import { findingText } from "./findingText";
import type { Overview, OverviewFinding, OverviewKind, OverviewPart, OverviewPartition } from "./overviewApi";
import type { TraceModel } from "./traceModel";

/** Beyond it an analysis would keep people waiting: nodes × slices³ / 6. */
const MOST_WORK = 1e9;

/** @throws RequestError where the model is too large; CancelledError */
export function overviewOf(
  model: TraceModel,
  options: { readonly kind: OverviewKind; readonly normalize: boolean; readonly threshold?: number },
  task: Task,
): Overview {
  const { kind } = options;
  const { fromSeconds, toSeconds, slices, names: states, nodes, uncoveredSeconds } = model;
  checkWork(kind, nodes.length, slices);
  const aggregation = new Aggregation(modelOf(kind, model), options);
  const partitions = partsShown(model, kind, aggregation, task);
  const unlike = kind === "spatiotemporal" ? aggregation.unlike(task).map((one) => finding(model, one)) : [];
  return { fromSeconds, toSeconds, slices, states, nodes, uncoveredSeconds, partitions, unlike };
}

function modelOf(kind: OverviewKind, model: MicroscopicModel): MicroscopicModel {
  if (kind === "temporal") return overTimeAlone(model);
  return kind === "hierarchical" ? overResourcesAlone(model) : model;
}

function checkWork(kind: OverviewKind, nodes: number, slices: number): void {
  const work = (kind === "spatiotemporal" ? nodes : 1) * (kind === "hierarchical" ? 1 : slices ** 3 / 6);
  if (work <= MOST_WORK) return;
  const fits = Math.floor(Math.cbrt((6 * MOST_WORK) / (kind === "spatiotemporal" ? nodes : 1)));
  throw new RequestError(`${slices} slices of ${nodes} resources are too many; ${fits} slices fit.`);
}

/** Parts over time alone are of the root, and those of resources alone are of all slices. */
function partsShown(model: TraceModel, kind: OverviewKind, aggregation: Aggregation, task: Task): OverviewPartition[] {
  const order = nodeOrder(model);
  const root = order.order[order.order.length - 1];
  const known = new Map<string, OverviewPart>();
  const partOf = (node: number, start: number, end: number): OverviewPart => {
    const key = `${node} ${start} ${end}`;
    const before = known.get(key);
    if (before) return before;
    const { state: mode, share } = modeOf(sumsOf(model, leavesBelow(order, node), start, end));
    const part = { node, start, end, mode, share };
    known.set(key, part);
    return part;
  };
  return aggregation.significant(task).map(({ strength: p, gain, loss, count, node, start, end }) => ({
    ...{ p, gain, loss },
    parts: Array.from({ length: count }, (_, at) =>
      kind === "hierarchical"
        ? partOf(node[at], 0, model.slices - 1)
        : partOf(kind === "temporal" ? root : node[at], start[at], end[at]),
    ),
  }));
}

function finding(model: TraceModel, one: UnlikeFinding): OverviewFinding {
  const { fromSeconds, toSeconds, slices } = model;
  const moment = (boundary: number) => fromSeconds + (boundary * (toSeconds - fromSeconds)) / slices;
  const { kind, boundaries, leaves, strength } = one;
  return {
    ...{ kind, leaves, strength, text: findingText(model, one, moment) },
    fromSeconds: moment(boundaries[0]),
    toSeconds: moment(boundaries[boundaries.length - 1]),
  };
}
