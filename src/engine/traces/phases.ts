/**
 * Iterations and phases of a run (semantics 9): stretches of time that the recording itself names, the same for several lanes. Nothing is
 * guessed from durations: a series is what a tool annotates as iterations or phases, what lanes do first of all, or marks.
 */
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import type { EventColumns, Lane, Trace } from "../../model/trace";
import type { Phases } from "./phasesApi";
import type { PhaseSeries } from "./timelineApi";

/** Caliper's iterations of a loop; and steps that are numbered in their names, as PyTorch's profiler does. */
const ITERATION = /^iteration#(.+)$/;
const NUMBERED = /^(.*\w)#(\d+)$/;
/** Categories of events that annotate phases. */
const PHASE = "phase";
/** What has more of them in a lane is no phase of it, and no mark that anybody looks for. */
const MOST_REGIONS = 200;
const MOST_MARKS = 500;
/** Events that are read at once. */
const PAGE = 1 << 14;

interface Series extends PhaseSeries {
  /** Takes the phases' events of one lane. */
  readonly find: (lane: number, take: Take, task: Pick<Task, "check">) => Promise<void>;
  /** A phase lasts until the next one begins. */
  readonly isMarked?: true;
}

interface Found {
  /** The same in all lanes that have it. */
  readonly key: string;
  readonly name: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly event: number;
}
type Take = (found: Found) => void;

/** What a recording has, what says most of it first. */
export function phaseSeries(dataSet: DataSet, trace: Trace): readonly PhaseSeries[] {
  return seriesOf(dataSet, trace).map(({ id, name, kind }) => ({ id, name, kind }));
}

/**
 * The phases of one series, by ascending start. What is one phase in several lanes (the n-th iteration of each, the n-th call of a
 * function) lasts from the first lane's begin to the last one's end.
 *
 * @param most that are listed, the first ones
 */
export async function phasesOf(
  dataSet: DataSet,
  trace: Trace,
  { series: id, lanes, most }: { readonly series: string; readonly lanes: readonly number[]; readonly most: number },
  task: Task,
): Promise<Phases> {
  const series = seriesOf(dataSet, trace).find((one) => one.id === id);
  const phases = new Map<string, Phase>();
  for (const [at, lane] of (series ? lanes : []).entries()) {
    task.progress(at / lanes.length);
    await series?.find(lane, (found) => add(phases, lane, found), task);
  }
  const all = [...phases.values()].sort(
    (a, b) => a.from - b.from || b.to - a.to || a.lane - b.lane || a.event - b.event,
  );
  if (series?.isMarked) all.forEach((one, at) => (one.to = all.at(at + 1)?.from ?? Math.max(one.to, trace.endSeconds)));
  const listed = all.slice(0, most);
  return {
    name: listed.map(({ name }) => name),
    fromSeconds: Float64Array.from(listed, ({ from }) => from),
    toSeconds: Float64Array.from(listed, ({ to }) => to),
    lanes: Int32Array.from(listed, (one) => one.lanes),
    meanSeconds: Float64Array.from(listed, ({ seconds, count }) => seconds / count),
    longestSeconds: Float64Array.from(listed, ({ longest }) => longest),
    lane: Int32Array.from(listed, ({ lane }) => lane),
    event: Int32Array.from(listed, ({ event }) => event),
    more: all.length - listed.length,
  };
}

interface Phase {
  readonly name: string;
  from: number;
  to: number;
  lanes: number;
  /** Of all its events, and how many these are. */
  seconds: number;
  count: number;
  longest: number;
  lane: number;
  event: number;
  lastLane: number;
}

function add(phases: Map<string, Phase>, lane: number, { key, name, startSeconds, endSeconds, event }: Found): void {
  const length = endSeconds - startSeconds;
  const known = phases.get(key);
  if (!known) {
    const first = { lanes: 1, count: 1, seconds: length, longest: length, lane, event, lastLane: lane };
    phases.set(key, { name, from: startSeconds, to: endSeconds, ...first });
    return;
  }
  known.from = Math.min(known.from, startSeconds);
  known.to = Math.max(known.to, endSeconds);
  known.seconds += length;
  known.count++;
  if (known.lastLane !== lane) known.lanes++;
  known.lastLane = lane;
  if (length > known.longest) [known.longest, known.lane, known.event] = [length, lane, event];
}

const known = new WeakMap<Trace, readonly Series[]>();

function seriesOf(dataSet: DataSet, trace: Trace): readonly Series[] {
  let all = known.get(trace);
  if (!all) known.set(trace, (all = findSeries(dataSet, trace)));
  return all;
}

function findSeries({ frames }: DataSet, trace: Trace): readonly Series[] {
  const nameOf = (frame: number) => (frame === NONE ? "" : frames.nameOf(frame));
  const { frame, category } = trace.states;
  const isLasting = ({ kind, events }: Lane) => kind === "intervals" && events > 0;
  const iterations = new Map<string, Set<number>>();
  const steps = new Map<string, Set<number>>();
  for (const one of new Set(frame)) {
    const name = nameOf(one);
    const [, loop] = ITERATION.exec(name) ?? [];
    const [, step] = NUMBERED.exec(name) ?? [];
    if (loop !== undefined) setOf(iterations, loop).add(one);
    else if (step !== undefined) setOf(steps, step).add(one);
  }
  const phase = trace.categories.findIndex(({ name }) => name === PHASE);
  const isPhase = phase >= 0 && category.includes(phase);
  const intervals = trace.lanes.some((lane) => isLasting(lane));
  // Asynchronous events are on no thread and no stream: they have lanes of their own, which are no locations.
  const hasThreads = trace.lanes.some(({ location }) => location !== NONE);
  const isTrack = ({ location }: Lane) => hasThreads && location === NONE;
  const tracks = trace.lanes.some((lane) => isLasting(lane) && isTrack(lane));
  const marks = trace.lanes.filter(({ kind }) => kind === "instants").reduce((sum, { events }) => sum + events, 0);
  const inLane =
    (isOf: (lane: Lane) => boolean, find: (lane: number, take: Take, task: Pick<Task, "check">) => Promise<void>) =>
    async (lane: number, take: Take, task: Pick<Task, "check">) => {
      if (isOf(trace.lanes[lane])) await find(lane, take, task);
    };
  const each = (isOf: (events: EventColumns, row: number) => boolean, called: (name: string, nth: number) => string) =>
    inLane(isLasting, (lane, take, task) => eachNumbered(trace, lane, nameOf, isOf, called, take, task));
  return [
    ...[...iterations].map(([loop, of]): Series => ({
      id: `iterations ${loop}`,
      name: `iterations of ${loop}`,
      kind: "iterations",
      find: each(
        (events, row) => of.has(events.frame[row]),
        (_, nth) => `${loop} ${nth + 1}`,
      ),
    })),
    ...[...steps].map(([step, of]): Series => ({
      id: `steps ${step}`,
      name: step,
      kind: "iterations",
      find: each((events, row) => of.has(events.frame[row]), numbered),
    })),
    ...(isPhase
      ? [
          {
            id: "phases",
            name: "phases",
            kind: "phases",
            find: each((events, row) => events.category[row] === phase, numbered),
          } satisfies Series,
        ]
      : []),
    ...(intervals
      ? [
          {
            id: "regions",
            name: "outermost regions",
            kind: "regions",
            find: inLane(
              (lane) => isLasting(lane) && !isTrack(lane),
              (lane, take, task) => eachRegion(trace, lane, nameOf, take, task),
            ),
          } satisfies Series,
        ]
      : []),
    ...(tracks
      ? [
          {
            id: "tracks",
            name: "asynchronous phases",
            kind: "phases",
            find: inLane(
              (lane) => isLasting(lane) && isTrack(lane),
              (lane, take, task) => eachOfTrack(trace, lane, nameOf, take, task),
            ),
          } satisfies Series,
        ]
      : []),
    ...(marks > 0 && marks <= MOST_MARKS
      ? [
          {
            id: "marks",
            name: "marks",
            kind: "marks",
            isMarked: true,
            find: inLane(
              ({ kind }) => kind === "instants",
              (lane, take, task) =>
                eachEvent(trace, lane, task, (events, row, event) => {
                  const name = nameOf(events.frame[row]);
                  // A sample of a call stack is none.
                  if (name !== "") take({ ...timesOf(events, row), key: `${lane} ${event}`, name, event });
                }),
            ),
          } satisfies Series,
        ]
      : []),
  ];
}

function setOf(all: Map<string, Set<number>>, key: string): Set<number> {
  let set = all.get(key);
  if (!set) all.set(key, (set = new Set()));
  return set;
}

/** The second `solve` is "solve (2)". */
function numbered(name: string, nth: number): string {
  return nth === 0 ? name : `${name} (${nth + 1})`;
}

function timesOf({ startSeconds, endSeconds }: EventColumns, row: number) {
  return { startSeconds: startSeconds[row], endSeconds: endSeconds[row] };
}

async function eachEvent(
  trace: Trace,
  lane: number,
  task: Pick<Task, "check">,
  take: (events: EventColumns, row: number, event: number) => void,
): Promise<void> {
  for (let first = 0; first < trace.lanes[lane].events; first += PAGE) {
    task.check();
    const events = await trace.readEvents(lane, first, PAGE);
    for (let row = 0; row < events.count; row++) take(events, row, first + row);
  }
}

/** Events of some functions: the n-th one of a name in one lane is the n-th one in every other. */
async function eachNumbered(
  trace: Trace,
  lane: number,
  nameOf: (frame: number) => string,
  isOf: (events: EventColumns, row: number) => boolean,
  called: (name: string, nth: number) => string,
  take: Take,
  task: Pick<Task, "check">,
): Promise<void> {
  const counts = new Map<string, number>();
  await eachEvent(trace, lane, task, (events, row, event) => {
    if (!isOf(events, row)) return;
    const own = nameOf(events.frame[row]);
    const nth = counts.get(own) ?? 0;
    counts.set(own, nth + 1);
    const name = called(own, nth);
    take({ ...timesOf(events, row), key: JSON.stringify([own, nth]), name, event });
  });
}

/**
 * Of the outermost depth at which a lane has several regions, these: what encloses all of them is the program. Calls that a tool says to
 * be MPI, I/O or a device's are no regions of it.
 */
async function eachRegion(
  trace: Trace,
  lane: number,
  nameOf: (frame: number) => string,
  take: Take,
  task: Pick<Task, "check">,
): Promise<void> {
  const { rows } = trace.depths(lane);
  const counts = new Int32Array(rows);
  const isCalled = trace.categories.map(({ kind }) => kind !== "compute" && kind !== "other");
  await eachEvent(trace, lane, task, ({ depth, category }, row) => {
    if (depth[row] < rows && !isCalled[category[row]]) counts[depth[row]]++;
  });
  const outermost = counts.findIndex((count) => count > 1);
  if (outermost < 0 || counts[outermost] > MOST_REGIONS) return;
  const isRegion = ({ depth, category }: EventColumns, row: number) =>
    depth[row] === outermost && !isCalled[category[row]];
  await eachNumbered(trace, lane, nameOf, isRegion, numbered, take, task);
}

/** Each outermost event of an asynchronous lane is a phase by itself. */
async function eachOfTrack(
  trace: Trace,
  lane: number,
  nameOf: (frame: number) => string,
  take: Take,
  task: Pick<Task, "check">,
): Promise<void> {
  await eachEvent(trace, lane, task, (events, row, event) => {
    if (events.depth[row] > 0) return;
    take({ ...timesOf(events, row), key: `${lane} ${event}`, name: nameOf(events.frame[row]), event });
  });
}
