/** A run in stretches of equal length: what was done in each, by kind; what bound it; what was moved (semantics 9). */
import { type BoundTimes, boundWord } from "../../model/boundBy";
import type { DataSet } from "../../model/dataSet";
import { eventKinds } from "../../model/eventKinds";
import { entryOf } from "../../model/maps";
import { isNamedAsMpi } from "../../model/mpiNames";
import type { Task } from "../../model/task";
import { isTransfer, type Trace } from "../../model/trace";
import { Pace } from "../../source/pace";
import type { TimeWindow } from "../scope";
import type { EventStates } from "./eventStates";
import { gpuTimes } from "./gpuTimes";
import { type HostTime, longestHostState } from "./hostStates";
import { KINDS, KindTimes } from "./kindTimes";
import { isInWindow } from "./movement";
import { PAGE } from "./movementContexts";
import type { BoundQuery, Clock, ClockQuery, ClockStretches } from "./summaryApi";
import { type SummaryPlaces, summaryPlaces } from "./summaryPlaces";
import { TimeUnion } from "./timeUnion";

export const SECTORS = 12;
/** A sector has so many fine stretches. */
const FINE = 10;
const COMPUTING: number = eventKinds.indexOf("computing");
const DATA: number = eventKinds.indexOf("data movement");
const COMMUNICATION: number = eventKinds.indexOf("communication");

/** What C and M of "Bound by" are in each stretch, summed over GPUs or ranks. */
type Bound = Pick<ClockStretches, "computing" | "movement" | "hidden" | "communication">;

/** What a window of the run is bound by. @throws CancelledError */
export async function boundTimes(
  dataSet: DataSet,
  trace: Trace,
  states: EventStates,
  query: BoundQuery,
  task: Task,
): Promise<BoundTimes> {
  const places = summaryPlaces(dataSet, trace, query.chosen);
  const { from, to } = windowOf(trace, query);
  const edges = Float64Array.of(from, to);
  const bound = places.gpus.length > 0 ? await ofGpus(trace, states, places, edges, task) : emptyBound(1);
  if (places.gpus.length === 0) {
    const times = new KindTimes(trace, states, task);
    for (const lane of places.mainLanes) {
      const seconds = new Float64Array(KINDS);
      await times.add(lane, edges, seconds);
      addRank(seconds, bound);
    }
  }
  return withHost(totalOf(bound, places, to - from), trace, states, places, { from, to }, task);
}

/** Adds the state of the host, if the window is without work for a third of the time. */
async function withHost(
  times: BoundTimes,
  trace: Trace,
  states: EventStates,
  places: SummaryPlaces,
  window: TimeWindow,
  task: Task,
): Promise<BoundTimes> {
  if (boundWord(times) !== "without work") return times;
  const { gpus, mainLanes } = places;
  const hosts = gpus.length > 0 ? await hostsOfGpus(trace, states, places, window, task) : [];
  if (gpus.length > 0) return { ...times, host: await longestHostState(trace, states, hosts, () => false, task) };
  const whole = TimeUnion.of(Float64Array.of(window.from), Float64Array.of(window.to));
  const ranks = mainLanes.map((lane) => ({ lanes: [lane], times: whole }));
  const isWork = (kind: number) => kind === COMPUTING || kind === DATA || kind === COMMUNICATION;
  return { ...times, host: await longestHostState(trace, states, ranks, isWork, task) };
}

/** CPU lanes of the rank of each GPU, in the time in which one of the rank's GPUs is without work; all CPU lanes if the GPU's rank has none. */
async function hostsOfGpus(
  trace: Trace,
  states: EventStates,
  places: SummaryPlaces,
  window: TimeWindow,
  task: Task,
): Promise<HostTime[]> {
  const { cpuLanes, gpus, runRankOf } = places;
  const hosts = new Map<string, { readonly lanes: readonly number[]; readonly idle: TimeUnion[] }>();
  for (const [at, { computing, movement }] of (await gpuTimes(trace, states, places, task)).entries()) {
    const rank = runRankOf(gpus[at].lanes[0]);
    const ofRank = rank === undefined ? [] : cpuLanes.filter((lane) => runRankOf(lane) === rank);
    const key = ofRank.length > 0 && rank !== undefined ? rank : "";
    const host = entryOf(hosts, key, () => ({ lanes: key === "" ? cpuLanes : ofRank, idle: [] }));
    host.idle.push(TimeUnion.joined([computing, movement]).complement(window));
  }
  return [...hosts.values()].map(({ lanes, idle }) => ({ lanes, times: TimeUnion.joined(idle) }));
}

/** @throws CancelledError */
export async function clockOf(
  dataSet: DataSet,
  trace: Trace,
  states: EventStates,
  query: ClockQuery,
  task: Task,
): Promise<Clock> {
  const places = summaryPlaces(dataSet, trace, query.chosen);
  const { from, to: end } = windowOf(trace, query);
  const to = Math.max(end, from + (query.lengthSeconds ?? 0));
  const count = SECTORS * FINE;
  const edges = edgesOf(from, to, count);
  // What the window leaves out stands in no stretch, where the clock goes on behind it.
  const cut = edges.map((edge) => Math.min(edge, end));
  const [cpu, gpu] = [new Float64Array(count * KINDS), new Float64Array(count * KINDS)];
  const ranks = emptyBound(count);
  const mains = new Set(places.mainLanes);
  const times = new KindTimes(trace, states, task);
  const lanes = [...places.cpuLanes, ...places.gpuLanes];
  for (const [at, lane] of lanes.entries()) {
    task.progress(at / lanes.length, "Adding up what lanes did");
    const seconds = new Float64Array(count * KINDS);
    await times.add(lane, cut, seconds);
    const sums = at < places.cpuLanes.length ? cpu : gpu;
    seconds.forEach((one, cell) => (sums[cell] += one));
    if (mains.has(lane)) addRank(seconds, ranks);
  }
  const bound = places.gpus.length > 0 ? await ofGpus(trace, states, places, cut, task) : ranks;
  const { bytes, hasBytes } = await bytesMoved(trace, places, edges, end, task);
  const fine = { count, cpu, gpu, ...bound, bytes };
  const total = totalOf(bound, places, end - from);
  return {
    fromSeconds: from,
    toSeconds: to,
    endSeconds: end,
    cpuLanes: places.cpuLanes.length,
    gpuLanes: places.gpuLanes.length,
    sectors: folded(fine),
    fine,
    bound: await withHost(total, trace, states, places, { from, to: end }, task),
    hasBytes,
    leftOutGpus: places.leftOutGpus,
    isMpi: states.states.every(({ kind, name }) => kind !== COMMUNICATION || isNamedAsMpi(name)),
  };
}

function windowOf({ startSeconds, endSeconds }: Trace, { window }: BoundQuery): { from: number; to: number } {
  const from = Math.min(endSeconds, Math.max(startSeconds, window?.from ?? startSeconds));
  return { from, to: Math.max(from, Math.min(endSeconds, window?.to ?? endSeconds)) };
}

/** The last one is exactly the end. */
function edgesOf(from: number, to: number, count: number): Float64Array {
  return Float64Array.from({ length: count + 1 }, (_, at) => (at === count ? to : from + ((to - from) * at) / count));
}

function emptyBound(count: number): Bound {
  const [computing, movement, hidden, communication] = [0, 1, 2, 3].map(() => new Float64Array(count));
  return { computing, movement, hidden, communication };
}

async function ofGpus(
  trace: Trace,
  states: EventStates,
  places: SummaryPlaces,
  edges: Float64Array,
  task: Task,
): Promise<Bound> {
  const bound = emptyBound(edges.length - 1);
  for (const { computing, movement, hidden } of await gpuTimes(trace, states, places, task)) {
    computing.addTo(edges, bound.computing);
    movement.addTo(edges, bound.movement);
    hidden.addTo(edges, bound.hidden);
  }
  return bound;
}

/** In one lane nothing is hidden: one event is innermost. @param seconds of a rank's main lane, by stretch and kind */
function addRank(seconds: Float64Array, { computing, movement, communication }: Bound): void {
  for (let stretch = 0; stretch < computing.length; stretch++) {
    const own = seconds.subarray(stretch * KINDS, (stretch + 1) * KINDS);
    computing[stretch] += own[COMPUTING];
    movement[stretch] += own[DATA] + own[COMMUNICATION];
    communication[stretch] += own[COMMUNICATION];
  }
}

function totalOf(bound: Bound, { gpus, mainLanes, unit }: SummaryPlaces, length: number): BoundTimes {
  const sum = (values: Float64Array) => values.reduce((all, one) => all + one, 0);
  const count = gpus.length > 0 ? gpus.length : mainLanes.length;
  return {
    unit: gpus.length > 0 ? "GPU" : unit,
    count,
    seconds: count * length,
    computing: sum(bound.computing),
    movement: sum(bound.movement),
    hidden: sum(bound.hidden),
    communication: sum(bound.communication),
  };
}

/** Bytes of transfers in lanes that the restriction leaves, evenly over their time; all at the start of those that last none. */
async function bytesMoved(
  trace: Trace,
  { isChosen }: SummaryPlaces,
  edges: Float64Array,
  end: number,
  task: Task,
): Promise<{ readonly bytes: Float64Array; readonly hasBytes: boolean }> {
  const bytes = new Float64Array(edges.length - 1);
  const isMove = trace.transferDirections.map(isTransfer);
  const width = (edges[bytes.length] - edges[0]) / bytes.length;
  const stretchOf = (seconds: number) => {
    let at = width > 0 ? Math.floor((seconds - edges[0]) / width) : 0;
    at = Math.max(0, Math.min(bytes.length - 1, at));
    // Edges are not exactly multiples of the width.
    if (seconds < edges[at] && at > 0) return at - 1;
    return seconds >= edges[at + 1] && at + 1 < bytes.length ? at + 1 : at;
  };
  const window = { fromSeconds: edges[0], toSeconds: end };
  let hasBytes = false;
  const pace = new Pace(task);
  for (let first = 0; first < trace.transfers; first += PAGE) {
    await pace.breathe();
    const page = await trace.readTransfers(first, PAGE);
    for (let at = 0; at < page.count; at++) {
      const [start, stop, size] = [page.startSeconds[at], page.endSeconds[at], page.bytes[at]];
      if (!(size > 0) || !isMove[page.direction[at]] || !isChosen(page.lane[at])) continue;
      hasBytes = true;
      if (!(stop > start)) {
        if (isInWindow(trace, window, start)) bytes[stretchOf(start)] += size;
        continue;
      }
      const last = Math.min(stop, end);
      for (let stretch = stretchOf(start); stretch < bytes.length && edges[stretch] < last; stretch++) {
        const part = Math.min(last, edges[stretch + 1]) - Math.max(start, edges[stretch]);
        if (part > 0) bytes[stretch] += (size * part) / (stop - start);
      }
    }
  }
  return { bytes, hasBytes };
}

/** Sectors, each the sum of its fine stretches. */
function folded({ count, ...fine }: ClockStretches): ClockStretches {
  const sums = (values: Float64Array) => {
    const cells = values.length / count;
    const all = new Float64Array(SECTORS * cells);
    for (let at = 0; at < values.length; at++) all[Math.floor(at / cells / FINE) * cells + (at % cells)] += values[at];
    return all;
  };
  const { cpu, gpu, computing, movement, hidden, communication, bytes } = fine;
  return {
    count: SECTORS,
    cpu: sums(cpu),
    gpu: sums(gpu),
    bytes: sums(bytes),
    computing: sums(computing),
    movement: sums(movement),
    hidden: sums(hidden),
    communication: sums(communication),
  };
}
