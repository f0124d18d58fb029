/** The microscopic model of a recorded trace: what each lane is in, slice by slice (formats, "Microscopic model"). */
import type { MicroscopicModel } from "../../aggregation/microscopicModel";
import { LaneSweep } from "../../formats/trace/laneSweep";
import type { DataSet } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import { eventKinds } from "../../model/eventKinds";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import { eachEventIn } from "../traces/eventsInWindow";
import type { EventStates } from "../traces/eventStates";
import { type Leaf, nodesOf } from "./hierarchy";
import type { OverviewMetric, OverviewNode, OverviewQuery } from "./overviewApi";

/** A model with what its numbers stand for. */
export interface TraceModel extends MicroscopicModel {
  readonly nodes: readonly OverviewNode[];
  readonly names: readonly string[];
  /** Of each state: index into `eventKinds`, -1 of several as one. */
  readonly kinds: readonly number[];
  readonly stateTypes: readonly string[];
  readonly stateType: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly uncoveredSeconds: number;
  /** Leaves of the recording, where only some are looked at. */
  readonly allLeaves: number;
}

/** Of profilers' traces so many functions are states of their own. */
const MOST_STATES = 15;
const OTHER = "other";
/** Traces whose lanes are of types of states: each type has lanes of its own, and few states. */
export const TYPED = "paje";
export const MOST_SLICES = 10_000;

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
  const { slices, fromSeconds = 0, toSeconds = trace.endSeconds } = query;
  if (!(slices >= 1 && slices <= MOST_SLICES)) throw new RequestError(`Slices are 1 to ${MOST_SLICES}, not ${slices}.`);
  if (!(toSeconds > fromSeconds)) throw new RequestError(`There is no time from ${fromSeconds} to ${toSeconds} s.`);
  const isTyped = dataSet.format.id === TYPED;
  const { lanes: all, stateTypes, stateType } = lanesOf(dataSet, trace, query, isTyped);
  const only = query.only && new Set(query.only);
  const lanes = all.filter((lane) => !only || only.has(leafName(trace, lane, isTyped)));
  if (lanes.length === 0) throw new RequestError(`None of the resources that are asked for is in ${dataSet.name}.`);
  const leaves = lanes.map((lane): Leaf => ({
    name: leafName(trace, lane, isTyped),
    resource: trace.lanes[lane].resource,
  }));
  const nodes = nodesOf(leaves, dataSet.topology?.resources ?? [], query.hierarchy);
  const { of, names, kinds } = shownStates(trace, states, lanes, isTyped, query);
  if (names.length === 0 && query.without) throw new RequestError("No state is left: all are left out.");
  const cells = new Cells(lanes.length, names.length, slices, fromSeconds, toSeconds);
  for (const [leaf, lane] of lanes.entries()) {
    task.progress(leaf / lanes.length, `reading ${leaves[leaf].name}`);
    cells.begin(leaf);
    const sweep = new LaneSweep((frame, category, from, to) => cells.spend(of(frame, category), from, to));
    sweep.begin();
    await eachEventIn(trace, lane, { from: fromSeconds, to: toSeconds }, task, (events, at) => {
      const [start, end] = [events.startSeconds[at], events.endSeconds[at]];
      sweep.event(start, end, events.frame[at], events.category[at], 0);
      cells.count(of(events.frame[at], events.category[at]), start);
    });
    sweep.end();
  }
  return {
    ...{ leaves: lanes.length, states: names.length, slices, values: cells.values(query.metric) },
    ...{ parents: Int32Array.from(nodes, ({ parent }) => parent), nodes, names, fromSeconds, toSeconds },
    ...{ kinds, stateTypes, stateType, allLeaves: all.length },
    uncoveredSeconds: Math.max(0, lanes.length * (toSeconds - fromSeconds) - cells.covered),
  };
}

/** Lanes of one type of states: the one that is asked for, else the one with most time, of equal ones the first by name. */
export function lanesOf(
  dataSet: DataSet,
  trace: Trace,
  { stateType }: Pick<OverviewQuery, "stateType">,
  isTyped: boolean,
) {
  const all = trace.lanes.flatMap(({ kind, events }, lane) => (kind === "intervals" && events > 0 ? [lane] : []));
  if (all.length === 0) throw new RequestError(`${dataSet.name} has no events that take time.`);
  if (!isTyped) {
    if (stateType === undefined) return { lanes: all, stateTypes: [], stateType: "" };
    throw new RequestError(`${dataSet.name} has one type of states alone.`);
  }
  const types = new Map<string, { lanes: number[]; seconds: number }>();
  for (const lane of all) {
    const type = typeOf(trace, lane);
    const known = types.get(type) ?? { lanes: [], seconds: 0 };
    known.lanes.push(lane);
    known.seconds += trace.lanes[lane].coveredSeconds;
    types.set(type, known);
  }
  const sorted = [...types].sort(([a, one], [b, other]) => other.seconds - one.seconds || compareText(a, b));
  const chosen = stateType === undefined ? sorted[0] : sorted.find(([type]) => type === stateType);
  if (chosen) return { lanes: chosen[1].lanes, stateTypes: sorted.map(([type]) => type), stateType: chosen[0] };
  throw new RequestError(
    `${dataSet.name} has no states of type '${stateType}'; there are ${sorted.map(([type]) => type).join(", ")}.`,
  );
}

/** Lanes of a typed trace are named `container: TYPE`. */
function typeOf(trace: Trace, lane: number): string {
  const { name } = trace.lanes[lane];
  return name.slice(name.lastIndexOf(": ") + 2);
}

export function leafName(trace: Trace, lane: number, isTyped: boolean): string {
  const { name } = trace.lanes[lane];
  return isTyped ? name.slice(0, name.lastIndexOf(": ")) : name;
}

/** States of these lanes, most time first, of equal ones by name; of many the heaviest, the others as one. */
export function shownStates(
  trace: Trace,
  { states, of }: EventStates,
  lanes: readonly number[],
  isTyped: boolean,
  { by = "function", without = [] }: Pick<OverviewQuery, "by" | "without">,
) {
  const hidden = new Set(without);
  const nameOf = (state: number) => (by === "category" ? eventKinds[states[state].kind] : states[state].name);
  /** States that are shown as one have one number: of kinds the first state of each. */
  const firstOf = new Map<number, number>();
  const groupOf = states.map(({ kind }, state) => {
    if (by === "function") return state;
    const first = firstOf.get(kind) ?? state;
    firstOf.set(kind, first);
    return first;
  });
  const seconds = new Float64Array(states.length);
  for (const lane of lanes) {
    const own = trace.stateSeconds(lane);
    own.state.forEach((state, at) => (seconds[groupOf[of[state]]] += own.seconds[at]));
  }
  const used = states.map((_, at) => at).filter((at) => seconds[at] > 0 && !hidden.has(nameOf(at)));
  used.sort((a, b) => seconds[b] - seconds[a] || compareText(nameOf(a), nameOf(b)));
  const most = isTyped || used.length <= MOST_STATES + 1 ? used.length : MOST_STATES;
  const names = used.slice(0, most).map(nameOf);
  const kinds = used.slice(0, most).map((at) => states[at].kind);
  if (used.length > most && !hidden.has(OTHER)) {
    names.push(OTHER);
    kinds.push(-1);
  }
  const numbers = new Int32Array(states.length).fill(-1);
  const last = names.length - 1;
  used.forEach((state, at) => (numbers[state] = at < most ? at : last < most ? -1 : last));
  const byFrame = new Map<number, number>();
  trace.states.frame.forEach((frame, state) =>
    byFrame.set(keyOf(frame, trace.states.category[state]), numbers[groupOf[of[state]]]),
  );
  return { names, kinds, of: (frame: number, category: number) => byFrame.get(keyOf(frame, category)) ?? -1 };
}

function keyOf(frame: number, category: number): number {
  return (frame + 1) * 256 + category;
}

/** Seconds and events by leaf, state and slice. */
class Cells {
  covered = 0;
  private readonly seconds: Float64Array;
  private readonly events: Float64Array;
  /** Where slices begin, and where the last one ends. */
  private readonly edges: Float64Array;
  private first = 0;

  constructor(
    leaves: number,
    private readonly states: number,
    private readonly slices: number,
    from: number,
    to: number,
  ) {
    this.seconds = new Float64Array(leaves * states * slices);
    this.events = new Float64Array(leaves * states * slices);
    this.edges = Float64Array.from({ length: slices + 1 }, (_, at) => from + (at * (to - from)) / slices);
  }

  begin(leaf: number): void {
    this.first = leaf * this.states * this.slices;
  }

  spend(state: number, from: number, to: number): void {
    const { edges, slices, seconds } = this;
    const row = this.first + state * slices;
    for (let slice = Math.max(0, this.sliceOf(from)); slice < slices && edges[slice] < to; slice++) {
      const part = Math.min(to, edges[slice + 1]) - Math.max(from, edges[slice]);
      if (part <= 0) continue;
      this.covered += part;
      // What is left out was recorded.
      if (state >= 0) seconds[row + slice] += part;
    }
  }

  count(state: number, start: number): void {
    const slice = this.sliceOf(start);
    if (state >= 0 && slice >= 0 && slice < this.slices) this.events[this.first + state * this.slices + slice]++;
  }

  values(metric: OverviewMetric): Float64Array {
    if (metric === "duration") return this.seconds;
    if (metric === "count") return this.events;
    return this.seconds.map((seconds, at) => seconds / Math.max(1, this.events[at]));
  }

  /** -1 before the first slice, their number after the last one. */
  private sliceOf(seconds: number): number {
    const { edges, slices } = this;
    const length = (edges[slices] - edges[0]) / slices;
    let slice = Math.min(slices, Math.max(-1, Math.floor((seconds - edges[0]) / length)));
    while (slice < slices && slice >= 0 && edges[slice + 1] <= seconds) slice++;
    while (slice >= 0 && edges[slice] > seconds) slice--;
    return slice;
  }
}
