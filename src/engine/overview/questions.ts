/** What is asked of a whole trace at a glance. */
import { sumsOf } from "../../aggregation/modes";
import { initialEntry } from "../../aggregation/significant";
import { RequestError } from "../../model/errors";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import { defineQuestion } from "../defineQuestion";
import type { EngineState } from "../engineState";
import { eventStates } from "../traces/eventStates";
import { traceOf } from "../traces/timeline";
import { keptOverview, mostSlicesOf, sizeOf } from "./keptOverviews";
import { findingsOf, inWholeModel, overviewOf } from "./overview";
import type {
  OverviewArea,
  OverviewAreaQuery,
  OverviewCells,
  OverviewFacts,
  OverviewLanesQuery,
  OverviewMeasure,
  OverviewPartsQuery,
  OverviewPlacesQuery,
  OverviewQuery,
} from "./overviewApi";
import { endOfVariables } from "./modelParts";
import type { TraceModel } from "./namedModel";
import { isNoStates } from "./noStates";
import { passModel } from "./passModel";
import { drawnStates } from "./shownStates";
import { statisticsOf } from "./statistics";
import { lanesOf, leafNames, traceModel, TYPED } from "./traceModel";
import { firstPlaces, leafOrder, visualParts } from "./visualParts";

/** @throws RequestError where a recording has no events, or the query does not fit to it, as all questions here */
async function keptFor(state: EngineState, query: OverviewQuery, task: Task) {
  const { outline, name, topology } = state.dataSet(query.dataSet);
  if (!outline) throw new RequestError(`${name} has no events.`);
  const { endSeconds, events } = outline;
  return keptOverview(outline, query, {
    make: (wanted) => modelOf(state, wanted, task),
    endSeconds: ({ metric }) =>
      metric === "variable" ? endOfVariables(topology?.resources ?? [], endSeconds) : endSeconds,
    events({ fromSeconds = 0, toSeconds = endSeconds }) {
      // Of columns those in the window are read, of a file all.
      const isPartial = state.get(query.dataSet).trace.hasColumns && endSeconds > 0;
      return isPartial ? events * Math.min(1, Math.max(0, (toSeconds - fromSeconds) / endSeconds)) : events;
    },
  });
}

/** From the columns where these are there, else from the file where one pass tells enough: columns take several times as long. */
async function modelOf(state: EngineState, query: OverviewQuery, task: Task): Promise<TraceModel> {
  const { outline, readInnermost } = state.dataSet(query.dataSet);
  if (outline && readInnermost && !state.get(query.dataSet).trace.hasColumns)
    return passModel(readInnermost, query, outline, task);
  const dataSet = await state.withTrace(query.dataSet, task);
  const trace = traceOf(dataSet);
  return traceModel(dataSet, trace, eventStates(dataSet, trace, query.categories), query, task);
}

/** Initial quantity: time in states, or, if there are no states, the variable that most resources have (ties: by name). */
export const overviewStart = defineQuestion(
  async (state, query: Omit<OverviewQuery, "metric" | "variable">, task): Promise<OverviewMeasure> => {
    const ofStates = { metric: "duration" } as const;
    try {
      // Kept for what is asked next.
      await keptFor(state, { ...query, ...ofStates }, task);
      return ofStates;
    } catch (error) {
      if (!isNoStates(error)) throw error;
    }
    const { counters } = traceOf(await state.withTrace(query.dataSet, task));
    if (counters.length === 0) return ofStates;
    const counts = new Map<string, number>();
    for (const { name } of counters) counts.set(name, (counts.get(name) ?? 0) + 1);
    const [[variable]] = [...counts].sort(([a, one], [b, other]) => other - one || compareText(a, b));
    return { metric: "variable", variable };
  },
);

/** All partitions with all parts, for programs. */
export const overview = defineQuestion(async (state, query: OverviewQuery, task) =>
  overviewOf(query.kind, await keptFor(state, query, task), task),
);

export const overviewFacts = defineQuestion(async (state, query: OverviewQuery, task): Promise<OverviewFacts> => {
  const kept = await keptFor(state, query, task);
  const { model, nodes, modes, aggregation } = kept;
  const order = leafOrder(nodes);
  const first = firstPlaces(nodes, order);
  const entries = aggregation.significant(task);
  const totals = sumsOf(model, order, 0, model.slices - 1);
  const sliceOf = (seconds: number) =>
    Math.round(((seconds - model.fromSeconds) / (model.toSeconds - model.fromSeconds)) * model.slices);
  return {
    ...(kept.isNear ? { isNear: true } : {}),
    fromSeconds: model.fromSeconds,
    toSeconds: model.toSeconds,
    slices: model.slices,
    leaves: model.leaves,
    allLeaves: model.allLeaves,
    mostSlices: mostSlicesOf(query.kind, sizeOf(model)),
    states: drawnStates(state.dataSet(query.dataSet), model, query).map((one, at) => ({ ...one, total: totals[at] })),
    stateTypes: model.stateTypes,
    stateType: model.stateType,
    uncoveredSeconds: model.uncoveredSeconds,
    nodes: model.nodes.map((node, at) => ({ ...node, first: first[at], size: nodes.sizes[at] })),
    entries: entries.map(({ strength: p, gain, loss, count: parts }) => ({ p, gain, loss, parts })),
    initial: initialEntry(entries),
    ...(model.first ? { first: model.first } : {}),
    variables: model.variables.slice(0, MOST_VARIABLES),
    hasModules: state.dataSet(query.dataSet).frames.hasModules,
    unlike: findingsOf(kept, task).map((one) => {
      const [start, end] = [sliceOf(one.fromSeconds), sliceOf(one.toSeconds)];
      const { state: mode } = modes.of(sumsOf(model, one.leaves, start, Math.max(start, end - 1)));
      return { ...one, leaves: one.leaves.map((leaf) => first[leaf]).sort((a, b) => a - b), mode };
    }),
  };
});

export const overviewParts = defineQuestion(
  async (state, { query, entry, rows, withMeans }: OverviewPartsQuery, task) => {
    const kept = await keptFor(state, query, task);
    const partition = kept.aggregation.significant(task).at(entry);
    if (!partition || entry < 0) throw new RequestError(`There is no partition number ${entry}.`);
    return visualParts(kept, inWholeModel(query.kind, kept, partition), rows, withMeans);
  },
  ({ first, size, start, end, mode, share, sign, parts, means }) =>
    [first, size, start, end, mode, share, sign, parts, means].map(({ buffer }) => buffer as ArrayBuffer),
);

/** Variables that can be chosen. */
const MOST_VARIABLES = 100;
/** Members that are named. */
const MOST_MEMBERS = 8;

/** What all states have of an area. */
export const overviewArea = defineQuestion(
  async (state, { query, first, size, start, end }: OverviewAreaQuery, task): Promise<OverviewArea> => {
    const { model, nodes } = await keptFor(state, query, task);
    const leaves = leafOrder(nodes).subarray(first, first + size);
    const members = Array.from(leaves.subarray(0, MOST_MEMBERS), (leaf) => model.nodes[leaf].name);
    return { ...statisticsOf(model, leaves, start, Math.min(end, model.slices - 1)), members };
  },
);

/** The microscopic cells of an area. */
export const overviewCells = defineQuestion(
  async (state, { query, first, size, start, end }: OverviewAreaQuery, task): Promise<OverviewCells> => {
    const { model, nodes, modes } = await keptFor(state, query, task);
    const leaves = leafOrder(nodes).subarray(first, first + size);
    const slices = Math.min(end, model.slices - 1) - start + 1;
    const mode = new Int32Array(leaves.length * slices);
    const share = new Float64Array(mode.length);
    for (let at = 0; at < mode.length; at++) {
      const [leaf, slice] = [Math.floor(at / slices), start + (at % slices)];
      const one = modes.of(sumsOf(model, leaves.subarray(leaf, leaf + 1), slice, slice));
      [mode[at], share[at]] = [one.state, one.share];
    }
    return { mode, share };
  },
  ({ mode, share }) => [mode.buffer as ArrayBuffer, share.buffer as ArrayBuffer],
);

/** Lanes of the trace that leaves are; none where its columns are not there, since nobody shows lanes then, unless these are waited for. */
export const overviewLanes = defineQuestion(
  async (state, { query, names, waits }: OverviewLanesQuery, task): Promise<number[]> => {
    if (!waits && !state.get(query.dataSet).trace.hasColumns) return [];
    const dataSet = await state.withTrace(query.dataSet, task);
    const trace = traceOf(dataSet);
    const isTyped = dataSet.format.id === TYPED;
    // Variables are of resources, which may have no lanes.
    if (!trace.lanes.some(({ kind, events }) => kind === "intervals" && events > 0)) return [];
    const wanted = new Set(names);
    const nameOf = leafNames(dataSet, trace);
    return lanesOf(dataSet, trace, query, isTyped).lanes.filter((lane) => wanted.has(nameOf(lane)));
  },
);

/** Places of the leaves that lanes are, ascending: the other way round. */
export const overviewPlaces = defineQuestion(
  async (state, { query, lanes }: OverviewPlacesQuery, task): Promise<number[]> => {
    if (!state.get(query.dataSet).trace.hasColumns) return [];
    const { model, nodes } = await keptFor(state, query, task);
    const dataSet = await state.withTrace(query.dataSet, task);
    const trace = traceOf(dataSet);
    const names = new Set(lanes.filter((lane) => lane in trace.lanes).map(leafNames(dataSet, trace)));
    return [...leafOrder(nodes)].flatMap((leaf, place) => (names.has(model.nodes[leaf].name) ? [place] : []));
  },
);
