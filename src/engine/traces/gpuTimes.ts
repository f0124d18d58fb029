/** When GPUs computed, and when data was moved to, from or between them: unions of intervals (semantics 9, "Bound by"). */
import { FloatColumn } from "../../model/columns";
import { eventKinds } from "../../model/eventKinds";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { isTransfer, type Trace } from "../../model/trace";
import { Pace } from "../../source/pace";
import { SharedWork } from "../lines/sharedWork";
import { type EventStates, stateNumbers } from "./eventStates";
import { eachEventIn } from "./eventsInWindow";
import { PAGE } from "./movementContexts";
import type { Gpu, SummaryPlaces } from "./summaryPlaces";
import { TimeUnion } from "./timeUnion";

const GPU: number = eventKinds.indexOf("GPU");
const DATA: number = eventKinds.indexOf("data movement");
/** What devices do with memory without moving data, as events are called where no transfers are recorded. */
const MOVES_NOTHING = /mem(?:ory_)?set|page ?fault|thrashing|throttling/i;

export interface GpuTimes {
  readonly computing: TimeUnion;
  readonly movement: TimeUnion;
  readonly hidden: TimeUnion;
}

const known = new WeakMap<Trace, { readonly key: string; readonly work: SharedWork<readonly GpuTimes[]> }>();

/** Of each GPU; found once while the restriction and the table of kinds stay. @throws CancelledError */
export async function gpuTimes(
  trace: Trace,
  states: EventStates,
  { gpus }: SummaryPlaces,
  task: Task,
): Promise<readonly GpuTimes[]> {
  const key = JSON.stringify([gpus, states.states.map(({ kind }) => kind)]);
  const before = known.get(trace);
  const work = before?.key === key ? before.work : new SharedWork((shared) => find(trace, states, gpus, shared));
  if (before?.work !== work) known.set(trace, { key, work });
  try {
    return await work.wait(task);
  } catch (problem) {
    if (known.get(trace)?.work === work) known.delete(trace);
    throw problem;
  }
}

async function find(trace: Trace, states: EventStates, gpus: readonly Gpu[], task: Task): Promise<readonly GpuTimes[]> {
  // The work begins before anybody can wait for it.
  await Promise.resolve();
  const [kernels, moves] = [gpus.map(() => new Intervals()), gpus.map(() => new Intervals())];
  for (const [at, { lanes }] of gpus.entries())
    for (const lane of lanes) {
      task.progress(at / gpus.length, "Reading what GPUs did");
      await addEvents(trace, states, lane, kernels[at], moves[at], task);
    }
  await addTransfers(trace, gpus, moves, task);
  return gpus.map((_, at) => {
    const [computing, movement] = [kernels[at].union(), moves[at].union()];
    return { computing, movement, hidden: computing.and(movement) };
  });
}

class Intervals {
  private readonly starts = new FloatColumn();
  private readonly ends = new FloatColumn();

  add(start: number, end: number): void {
    this.starts.push(start);
    this.ends.push(end);
  }

  union(): TimeUnion {
    const { starts, ends } = this;
    return TimeUnion.of(starts.values.subarray(0, starts.length), ends.values.subarray(0, ends.length));
  }
}

/** Kernels; and what is moved, where a recording says it with events alone. */
async function addEvents(
  trace: Trace,
  { states, of }: EventStates,
  lane: number,
  kernels: Intervals,
  moves: Intervals,
  task: Task,
): Promise<void> {
  const stateOf = stateNumbers(trace, of);
  const movesByEvents = trace.transfers === 0;
  const all = { from: trace.startSeconds, to: Number.POSITIVE_INFINITY };
  await eachEventIn(trace, lane, all, task, ({ startSeconds, endSeconds, frame, category }, at) => {
    const { kind, name } = states[stateOf(frame[at], category[at])];
    if (kind === GPU) kernels.add(startSeconds[at], endSeconds[at]);
    else if (movesByEvents && kind === DATA && !MOVES_NOTHING.test(name)) moves.add(startSeconds[at], endSeconds[at]);
  });
}

/** A transfer is of the GPU in whose lane it is, and of the others that it names: those of the same rank. */
async function addTransfers(
  trace: Trace,
  gpus: readonly Gpu[],
  moves: readonly Intervals[],
  task: Task,
): Promise<void> {
  const gpuOfLane = new Int32Array(trace.lanes.length).fill(NONE);
  gpus.forEach(({ lanes }, gpu) => lanes.forEach((lane) => (gpuOfLane[lane] = gpu)));
  const named = new Map(gpus.flatMap(({ rank, device }, gpu) => (device === NONE ? [] : [[`${rank} ${device}`, gpu]])));
  const isMove = trace.transferDirections.map(isTransfer);
  const pace = new Pace(task);
  for (let first = 0; first < trace.transfers; first += PAGE) {
    await pace.breathe();
    const page = await trace.readTransfers(first, PAGE);
    for (let at = 0; at < page.count; at++) {
      const lane = page.lane[at];
      const own = lane === NONE ? NONE : gpuOfLane[lane];
      if (own === NONE || !isMove[page.direction[at]]) continue;
      const sides = [page.fromDevice[at], page.toDevice[at]].map((device) => named.get(`${gpus[own].rank} ${device}`));
      for (const gpu of new Set([own, ...sides]))
        if (gpu !== undefined) moves[gpu].add(page.startSeconds[at], page.endSeconds[at]);
    }
  }
}
