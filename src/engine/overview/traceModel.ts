/** The microscopic model of a recorded trace from its columns: what each lane is in, slice by slice (formats, "Microscopic model"). */
import { LaneSweep } from "../../formats/trace/laneSweep";
import type { DataSet } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { compareText } from "../../model/strings";
import { someOf } from "../../model/texts";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import { Pace } from "../../source/pace";
import { eachStep } from "../traces/counterSteps";
import { eachEventIn } from "../traces/eventsInWindow";
import type { EventStates } from "../traces/eventStates";
import type { Leaf } from "./hierarchy";
import { assembled, endOfVariables, noVariable, stateOfVariable, windowOf } from "./modelParts";
import type { TraceModel } from "./namedModel";
import { NoStatesError } from "./noStates";
import type { OverviewQuery } from "./overviewApi";
import { type RecordedState, shownStates } from "./shownStates";
import { SlicedCells } from "./slicedCells";

/** Traces whose lanes are of types of states: each type has lanes of its own, and few states. */
export const TYPED = "paje";

/** Variables that are named where there is nothing else. */
const MOST_NAMED = 4;

/**
 * Exact: each event counts with its part in each slice, as the innermost one. Slices are of one length, [begin, end).
 *
 * @throws RequestError where there is nothing to aggregate; CancelledError
 */
export async function traceModel(
  dataSet: DataSet,
  trace: Trace,
  states: EventStates,
  query: OverviewQuery,
  task: Task,
): Promise<TraceModel> {
  if (query.metric === "variable") return variableModel(dataSet, trace, query, task);
  const isTyped = dataSet.format.id === TYPED;
  const { lanes: all, stateTypes, stateType } = lanesOf(dataSet, trace, query, isTyped);
  const window = windowOf(query, trace.endSeconds);
  const only = query.only && new Set(query.only);
  const nameOf = leafNames(dataSet, trace);
  const lanes = all.filter((lane) => !only || only.has(nameOf(lane)));
  if (lanes.length === 0) throw new RequestError(`None of the resources that are asked for is in ${dataSet.name}.`);
  const leaves = lanes.map((lane): Leaf => ({
    name: nameOf(lane),
    resource: trace.lanes[lane].resource,
  }));
  const shown = shownOfLanes(dataSet, trace, states, lanes, isTyped, query);
  const stateOf = shown.of;
  const { slices } = query;
  const [from, to, count] = [window.from, window.to, shown.names.length];
  const cells = new SlicedCells(from, to, slices, lanes.length * count);
  // What was near it is asked about meanwhile.
  const pace = new Pace(task);
  let covered = 0;
  for (const [leaf, lane] of lanes.entries()) {
    await pace.breathe();
    task.progress(leaf / lanes.length, `reading ${leaves[leaf].name}`);
    const first = leaf * count;
    const sweep = new LaneSweep((frame, category, start, end) => {
      covered += Math.max(0, Math.min(end, to) - Math.max(start, from));
      const state = stateOf(frame, category);
      // What is left out was recorded.
      if (state >= 0) cells.spend(first + state, start, end);
    });
    sweep.begin();
    await eachEventIn(trace, lane, { from, to }, task, (events, at) => {
      const [start, end] = [events.startSeconds[at], events.endSeconds[at]];
      sweep.event(start, end, events.frame[at], events.category[at], 0);
      const state = stateOf(events.frame[at], events.category[at]);
      if (state >= 0) cells.count(first + state, start);
    });
    sweep.end();
  }
  const counted = { amounts: cells.seconds, counts: cells.events, covered };
  const resources = dataSet.topology?.resources ?? [];
  return assembled(query, window, leaves, resources, shown, counted, {
    variables: variablesOf(trace),
    stateTypes,
    stateType,
    allLeaves: all.length,
  });
}

/** The mean of a counter, weighted by time; where it has no value, nothing was recorded. */
async function variableModel(dataSet: DataSet, trace: Trace, query: OverviewQuery, task: Task): Promise<TraceModel> {
  const { variable = "", slices } = query;
  const resources = dataSet.topology?.resources ?? [];
  const endSeconds = endOfVariables(resources, trace.endSeconds);
  const window = windowOf(query, endSeconds);
  const nameOf = (resource: number) => (resource === NONE ? variable : resources[resource].name);
  const all = [...trace.counters.keys()].filter((at) => trace.counters[at].name === variable);
  if (all.length === 0)
    throw noVariable(
      dataSet.name,
      variable,
      trace.counters.map(({ name }) => name),
    );
  const only = query.only && new Set(query.only);
  const counters = all.filter((at) => !only || only.has(nameOf(trace.counters[at].resource)));
  if (counters.length === 0) throw new RequestError(`None of the resources that are asked for has ${variable}.`);
  const sums = new VariableCells(window, slices, counters.length);
  for (const [leaf, counter] of counters.entries()) {
    const { resource } = trace.counters[counter];
    const end = Math.min(endSeconds, resource === NONE ? Infinity : (resources[resource].endSeconds ?? Infinity));
    let [since, value] = [Number.NaN, Number.NaN];
    const step = (until: number) => sums.level(leaf, since, until, value);
    await eachStep(
      trace,
      counter,
      0,
      Infinity,
      (seconds, next) => {
        step(seconds);
        [since, value] = [seconds, next];
      },
      () => Promise.resolve(task.check()),
    );
    step(end);
  }
  const leaves = counters.map((at): Leaf => {
    const { resource } = trace.counters[at];
    return { name: nameOf(resource), resource };
  });
  const facts = { variables: variablesOf(trace), stateTypes: [], stateType: "", allLeaves: all.length };
  return assembled(query, window, leaves, resources, stateOfVariable(variable), sums.counted(), facts);
}

/** What can be looked at all the same. */
function insteadOf(trace: Trace): string {
  const names = variablesOf(trace);
  return names.length === 0
    ? ""
    : ` It has variables: ${someOf(names, MOST_NAMED)} (heatflow overview --metric variable=NAME).`;
}

function variablesOf({ counters }: Trace): string[] {
  return [...new Set(counters.map(({ name }) => name))].sort(compareText);
}

/** Value · seconds, and seconds, by leaf and slice. */
export class VariableCells {
  private readonly cells: SlicedCells;

  constructor(
    { from, to }: { readonly from: number; readonly to: number },
    private readonly slices: number,
    private readonly leaves: number,
  ) {
    this.cells = new SlicedCells(from, to, slices, 2 * leaves);
  }

  /** A value that is none counts as nothing. */
  level(leaf: number, fromSeconds: number, toSeconds: number, value: number): void {
    if (!(toSeconds > fromSeconds) || Number.isNaN(value)) return;
    this.cells.spend(2 * leaf, fromSeconds, toSeconds, value);
    this.cells.spend(2 * leaf + 1, fromSeconds, toSeconds);
  }

  counted() {
    const { slices, leaves, cells } = this;
    const [amounts, counts] = [new Float64Array(leaves * slices), new Float64Array(leaves * slices)];
    for (let leaf = 0; leaf < leaves; leaf++) {
      amounts.set(cells.seconds.subarray(2 * leaf * slices, (2 * leaf + 1) * slices), leaf * slices);
      counts.set(cells.seconds.subarray((2 * leaf + 1) * slices, (2 * leaf + 2) * slices), leaf * slices);
    }
    return { amounts, counts, covered: counts.reduce((sum, one) => sum + one, 0) };
  }
}

/** Lanes of one type of states: the one that is asked for, else the one with most time, of equal ones the first by name. */
export function lanesOf(
  dataSet: DataSet,
  trace: Trace,
  { stateType }: Pick<OverviewQuery, "stateType">,
  isTyped: boolean,
) {
  const all = trace.lanes.flatMap(({ kind, events }, lane) => (kind === "intervals" && events > 0 ? [lane] : []));
  if (all.length === 0) throw new NoStatesError(`${dataSet.name} has no events that take time.${insteadOf(trace)}`);
  if (!isTyped) {
    if (stateType === undefined) return { lanes: all, stateTypes: [], stateType: "" };
    throw new RequestError(`${dataSet.name} has one type of states alone.`);
  }
  const typed = all.map((lane) => ({
    lane,
    type: typedName(dataSet, trace, lane).type,
    seconds: trace.lanes[lane].coveredSeconds,
  }));
  const { types, chosen } = chosenType(dataSet.name, typed, stateType);
  return {
    lanes: typed.flatMap(({ lane, type }) => (type === chosen ? [lane] : [])),
    stateTypes: types,
    stateType: chosen,
  };
}

/**
 * Types of states, most time first, of equal ones by name, and the one that is looked at.
 *
 * @throws RequestError where the one that is asked for is none
 */
export function chosenType(
  dataSet: string,
  lanes: readonly { readonly type: string; readonly seconds: number }[],
  stateType: string | undefined,
): { readonly types: string[]; readonly chosen: string } {
  const sums = new Map<string, number>();
  for (const { type, seconds } of lanes) sums.set(type, (sums.get(type) ?? 0) + seconds);
  const sorted = [...sums].sort(([a, one], [b, other]) => other - one || compareText(a, b));
  const types = sorted.map(([type]) => type);
  const chosen = stateType ?? types[0];
  if (types.includes(chosen)) return { types, chosen };
  throw new RequestError(`${dataSet} has no states of type '${chosen}'; there are ${types.join(", ")}.`);
}

/** Names of lanes without the types of their states. */
export function leafNames(dataSet: DataSet, trace: Trace): (lane: number) => string {
  if (dataSet.format.id !== TYPED) return (lane) => trace.lanes[lane].name;
  return (lane) => typedName(dataSet, trace, lane).container;
}

/** Lanes of a typed trace are named `container: TYPE`, with what the container is in before it; those of the whole as their type. */
function typedName(
  { topology }: DataSet,
  { lanes }: Trace,
  lane: number,
): { readonly container: string; readonly type: string } {
  const { name, resource } = lanes[lane];
  if (resource === NONE || !topology) return { container: name, type: name };
  const { name: own, parent } = topology.resources[resource];
  const container = parent === NONE ? own : `${topology.resources[parent].name} / ${own}`;
  return { container, type: name.slice(container.length + ": ".length) };
}

/** By the trace's own states. */
function recordedStates(
  { frames }: DataSet,
  trace: Trace,
  { states, of }: EventStates,
  lanes: readonly number[],
): RecordedState[] {
  const seconds = new Float64Array(of.length);
  for (const lane of lanes) {
    const own = trace.stateSeconds(lane);
    own.state.forEach((state, at) => (seconds[state] += own.seconds[at]));
  }
  return Array.from(of, (state, at) => {
    const frame = trace.states.frame[at];
    const module = frame === NONE ? NONE : frames.moduleIndex(frame);
    return { ...states[state], module: module === NONE ? undefined : frames.strings.get(module), seconds: seconds[at] };
  });
}

/** States that are shown of some lanes, by frame and category of their events; -1: of one that is left out. */
export function shownOfLanes(
  dataSet: DataSet,
  trace: Trace,
  states: EventStates,
  lanes: readonly number[],
  isTyped: boolean,
  query: Pick<OverviewQuery, "by" | "without">,
) {
  const { names, kinds, of } = shownStates(recordedStates(dataSet, trace, states, lanes), query, isTyped);
  return { names, kinds, of: stateOfEvent(trace, of) };
}

function stateOfEvent({ states }: Trace, of: Int32Array): (frame: number, category: number) => number {
  const byFrame = new Map<number, number>();
  states.frame.forEach((frame, state) => byFrame.set(keyOf(frame, states.category[state]), of[state]));
  return (frame, category) => byFrame.get(keyOf(frame, category)) ?? -1;
}

function keyOf(frame: number, category: number): number {
  return (frame + 1) * 256 + category;
}
