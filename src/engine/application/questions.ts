/** What is asked of the calling context tree as a drawing. */
import { inclusive as inclusiveOf } from "../../model/contextTree";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { defineQuestion } from "../defineQuestion";
import { chosenLocations } from "../traces/movement";
import { windowValues } from "../traces/windowValues";
import { activityOf } from "./activity";
import type { Application, ApplicationNode, ApplicationQuery, ContextTime } from "./applicationApi";
import { Callees, heaviestContexts } from "./heaviest";
import { kindsOf } from "./kinds";

const MOST = 300;
/** Share of the total below which contexts are counted at their caller, unless a number of contexts is asked for. */
const MIN_SHARE = 0.001;

/** The heaviest contexts; what is not drawn is counted at what calls it. */
export const application = defineQuestion(async (state, query: ApplicationQuery, task): Promise<Application> => {
  const { scope, closed = [], opened = [], categories = {}, most = MOST } = query;
  const { open } = state.get(scope.dataSet);
  const dataSet = await state.withTrace(scope.dataSet, task);
  const trace = (dataSet.trace?.events ?? 0) > 0 ? dataSet.trace : undefined;
  const { exclusive, inclusive, total } = open.numbers(scope);
  const { tree } = open.dataSet;
  const callees = new Callees(tree, inclusive);
  const isClosed = new Set(closed);
  const chosen = heaviestContexts(inclusive, callees, {
    most,
    min: query.most === undefined ? MIN_SHARE * total : 0,
    closed: isClosed,
    opened: new Set(opened),
    revealed: revealedPath(open, inclusive, query),
  });
  const drawn = inOrder(chosen, callees);
  const kinds = kindsOf(dataSet, trace, categories, drawn);
  const times = trace ? await timesOf(dataSet, trace, query, task) : undefined;
  const numberOf = new Map(drawn.map((context, at) => [context, at]));
  const folded = (context: number) => {
    const hidden = callees.of(context).filter((callee) => !chosen.has(callee));
    return {
      contexts: hidden.reduce((sum, callee) => sum + tree.end[callee] - callee, 0),
      value:
        hidden.length === 0
          ? 0
          : open.cost(
              scope,
              hidden.map((callee) => [callee, tree.end[callee]] as const),
            ),
    };
  };
  return {
    nodes: drawn.map((context, at): ApplicationNode => ({
      context,
      parent: numberOf.get(tree.parent[context]) ?? NONE,
      name: open.nameAlone(context),
      kind: kinds[at],
      inclusive: inclusive[context],
      exclusive: exclusive[context],
      folded: folded(context),
      closed: isClosed.has(context),
      ...(times ? { time: times(context) } : {}),
    })),
    folded: folded(NONE),
    total,
    contexts: tree.size,
    run: trace && { from: trace.startSeconds, to: trace.endSeconds },
  };
});

/** Callers before what they call, heaviest first. */
function inOrder(chosen: ReadonlySet<number>, callees: Callees): number[] {
  const order: number[] = [];
  const pending = callees
    .of(NONE)
    .filter((root) => chosen.has(root))
    .reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    order.push(next);
    for (const callee of callees.of(next).toReversed()) if (chosen.has(callee)) pending.push(callee);
  }
  return order;
}

function revealedPath(open: OpenDataSet, inclusive: Float64Array, { reveal }: ApplicationQuery): number[] {
  const { tree } = open.dataSet;
  const ofContext = reveal?.kind === "context" ? open.checkContext(reveal.context) : undefined;
  const found = ofContext ?? (reveal?.kind === "function" ? heaviestOf(open, inclusive, reveal.function) : NONE);
  const path: number[] = [];
  for (let at = found; at !== NONE; at = tree.parent[at]) path.push(at);
  return path;
}

function heaviestOf({ functions: { ofContext } }: OpenDataSet, inclusive: Float64Array, wanted: number): number {
  let best = NONE;
  ofContext.forEach((own, context) => {
    if (own === wanted && (best === NONE || inclusive[context] > inclusive[best])) best = context;
  });
  return best;
}

/** @returns what is known of a context's time */
async function timesOf(
  dataSet: DataSet,
  trace: Trace,
  { scope: { chosen, window: restricted, kinds }, fromSeconds = -Infinity, toSeconds = Infinity }: ApplicationQuery,
  task: Task,
): Promise<(context: number) => ContextTime> {
  const { tree } = dataSet;
  const isChosen = chosenLocations(dataSet, chosen);
  const bounds = restricted ?? { from: trace.startSeconds, to: trace.endSeconds };
  const window = { from: Math.max(bounds.from, fromSeconds), to: Math.min(bounds.to, toSeconds) };
  const secondsIn = async (from: number, to: number) => {
    const exclusive = new Float64Array(tree.size);
    if (!(to > from)) return exclusive;
    const { rowStart, column, value } = await windowValues(dataSet, trace, { window: { from, to }, kinds }, task);
    for (let context = 0; context < tree.size; context++)
      for (let at = rowStart[context]; at < rowStart[context + 1]; at++)
        if (isChosen(column[at])) exclusive[context] += value[at];
    return inclusiveOf(tree, exclusive);
  };
  const run = await secondsIn(bounds.from, bounds.to);
  const isWhole = window.from <= bounds.from && window.to >= bounds.to;
  const shown = isWhole ? run : await secondsIn(window.from, window.to);
  const ofLane = (lane: number) => isChosen(trace.lanes[lane].location);
  const { events, first, second } = await activityOf(tree, trace, ofLane, JSON.stringify(chosen ?? null), task);
  return (context) => ({
    windowSeconds: shown[context],
    runSeconds: run[context],
    events: events[context],
    active: { first: first[context], second: second[context] },
  });
}
