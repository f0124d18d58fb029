/** Which calling context moved data: what ran at the moment of sending, and what launched a device's transfer (semantics 9). */
import { FloatColumn, IntColumn } from "../../model/columns";
import type { DataSet } from "../../model/dataSet";
import { type EventKind, eventKinds, kindOfEvent } from "../../model/eventKinds";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { type EventColumns, messageKinds, type Trace } from "../../model/trace";
import { Pace } from "../../source/pace";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { InnermostEvents } from "./innermostEvents";

/** Rows that are read at once. */
export const PAGE = 1 << 14;
const LAUNCH = messageKinds.indexOf("launch");
const FLOW = messageKinds.indexOf("flow");

/** What launches transfers: calls of a runtime; by their names, some of them move data. */
const LAUNCHING: readonly EventKind[] = ["runtime", "data movement"];

/** Calling contexts by row of the trace; NONE where nothing says which. */
export interface MovementContexts {
  readonly ofTransfer: Int32Array;
  /** Of messages; flows and launches move nothing. */
  readonly ofMessage: Int32Array;
}

/** Moments on a resource at which something ran: what it was is asked of the resource's lanes. */
interface Moments {
  readonly rows: IntColumn;
  readonly seconds: FloatColumn;
}

/**
 * One pass over messages, one over transfers, and one over the events of lanes that sent or launched something.
 *
 * A message is of the MPI call that ran on its sender at the time of sending (on its receiver, where only that was recorded); a transfer
 * without a context is of the runtime call that launched it, else of the function of its own name. Where no such call was recorded, what
 * ran then on the first of the lanes stands for it.
 */
export async function movementContexts(
  open: OpenDataSet,
  dataSet: DataSet,
  trace: Trace,
  task: Task,
): Promise<MovementContexts> {
  const pace = new Pace(task);
  const named = new FunctionContexts(open);
  const ofMessage = new Int32Array(trace.links).fill(NONE);
  if (dataSet.tree.size === 0) return { ofMessage, ofTransfer: new Int32Array(trace.transfers).fill(NONE) };
  const messages = new Map<number, Moments>();
  const calls = new Map<number, Moments>();
  const launches: Launch = new Map();
  for (let first = 0; first < trace.links; first += PAGE) {
    await pace.breathe();
    const { count, kind, from, to, sentSeconds, receivedSeconds } = await trace.readMessages(first, PAGE);
    for (let at = 0; at < count; at++) {
      const row = first + at;
      if (kind[at] === FLOW) continue;
      if (kind[at] === LAUNCH) {
        entryOf(launches, to[at], () => new Map<number, number>()).set(receivedSeconds[at], row);
        addMoment(calls, from[at], row, sentSeconds[at]);
      } else if (!Number.isNaN(sentSeconds[at]) && from[at] !== NONE)
        addMoment(messages, from[at], row, sentSeconds[at]);
      else addMoment(messages, to[at], row, receivedSeconds[at]);
    }
  }
  await findRunning(dataSet, trace, named, messages, ["communication"], ofMessage, pace);
  return { ofMessage, ofTransfer: await contextsOfTransfers(dataSet, trace, named, calls, launches, pace) };
}

/** By resource and time of what was launched: the row of the launch. */
type Launch = Map<number, Map<number, number>>;

function addMoment(moments: Map<number, Moments>, resource: number, row: number, seconds: number): void {
  if (resource === NONE || Number.isNaN(seconds)) return;
  const { rows, seconds: times } = entryOf(moments, resource, () => ({
    rows: new IntColumn(),
    seconds: new FloatColumn(),
  }));
  rows.push(row);
  times.push(seconds);
}

async function contextsOfTransfers(
  dataSet: DataSet,
  trace: Trace,
  named: FunctionContexts,
  calls: ReadonlyMap<number, Moments>,
  launches: Launch,
  pace: Pace,
): Promise<Int32Array> {
  const found = new Int32Array(trace.transfers).fill(NONE);
  const launched = new Int32Array(trace.transfers).fill(NONE);
  const frames = new Map<number, number>();
  let isAnyLaunched = false;
  for (let first = 0; first < trace.transfers; first += PAGE) {
    await pace.breathe();
    const { count, lane, startSeconds, frame, context } = await trace.readTransfers(first, PAGE);
    for (let at = 0; at < count; at++) {
      found[first + at] = context[at];
      if (context[at] !== NONE) continue;
      const resource = lane[at] === NONE ? NONE : trace.lanes[lane[at]].resource;
      const launch = launches.get(resource)?.get(startSeconds[at]) ?? NONE;
      launched[first + at] = launch;
      if (launch !== NONE) isAnyLaunched = true;
      found[first + at] = entryOf(frames, frame[at], () => named.of(frame[at]));
    }
  }
  if (!isAnyLaunched) return found;
  const ofLaunch = new Int32Array(trace.links).fill(NONE);
  await findRunning(dataSet, trace, named, calls, LAUNCHING, ofLaunch, pace);
  launched.forEach((launch, row) => {
    if (launch !== NONE && ofLaunch[launch] !== NONE) found[row] = ofLaunch[launch];
  });
  return found;
}

/** Fills in what ran at each moment. */
async function findRunning(
  dataSet: DataSet,
  trace: Trace,
  named: FunctionContexts,
  moments: ReadonlyMap<number, Moments>,
  wanted: readonly EventKind[],
  contexts: Int32Array,
  pace: Pace,
): Promise<void> {
  const kinds = new Map<number, boolean>();
  const isWanted = (frame: number, category: number) =>
    entryOf(kinds, frame * 256 + category, () => {
      const name = frame === NONE ? "" : dataSet.frames.nameOf(frame);
      return wanted.includes(eventKinds[kindOfEvent(trace.categories[category], name, new Map())]);
    });
  const lanesOf = lanesOfResources(dataSet, trace);
  for (const [resource, { rows, seconds }] of moments) {
    // By time: moments of receiving come in the order of their sending's rows.
    const order = Int32Array.from({ length: rows.length }, (_, at) => at).sort(
      (a, b) => seconds.values[a] - seconds.values[b] || a - b,
    );
    const isFound = new Uint8Array(rows.length);
    for (const [position, lane] of (lanesOf.get(resource) ?? []).entries()) {
      const running = new Running(trace, lane, isWanted);
      for (const at of order) {
        if (isFound[at] === 1) continue;
        while (!running.reach(seconds.values[at])) {
          await pace.breathe();
          await running.read();
        }
        const event = running.at(seconds.values[at]);
        if (event === undefined || (!event.isWanted && position > 0)) continue;
        const row = rows.values[at];
        contexts[row] = event.context === NONE ? named.of(event.frame) : event.context;
        if (event.isWanted) isFound[at] = 1;
      }
    }
  }
}

/** Lanes with durations at a resource or inside of it, by resource; streams of devices call nothing. */
function lanesOfResources({ topology, locations }: DataSet, trace: Trace): ReadonlyMap<number, readonly number[]> {
  const lanes = new Map<number, number[]>();
  trace.lanes.forEach(({ resource, location, kind, events }, lane) => {
    if (kind !== "intervals" || events === 0 || (location !== NONE && locations[location].stream !== NONE)) return;
    for (let at = resource; at !== NONE; at = topology?.resources[at].parent ?? NONE)
      entryOf(lanes, at, () => []).push(lane);
  });
  return lanes;
}

/** What runs in a lane, at one moment after the other. */
class Running {
  private readonly all = new InnermostEvents();
  private readonly wanted = new InnermostEvents();
  private page: EventColumns | undefined;
  /** Of the page. */
  private next = 0;
  /** Events that were read. */
  private known = 0;

  constructor(
    private readonly trace: Trace,
    private readonly lane: number,
    private readonly isWanted: (frame: number, category: number) => boolean,
  ) {}

  /**
   * Goes on to a moment.
   *
   * @param seconds never less than before
   * @returns false where events have to be read first
   */
  reach(seconds: number): boolean {
    for (; this.page !== undefined && this.next < this.page.count; this.next++) {
      const { startSeconds, endSeconds, frame, context, category } = this.page;
      const at = this.next;
      if (startSeconds[at] > seconds) return true;
      const number = context[at] + 1;
      this.all.event(startSeconds[at], endSeconds[at], frame[at], number);
      if (this.isWanted(frame[at], category[at]))
        this.wanted.event(startSeconds[at], endSeconds[at], frame[at], number);
    }
    return this.known >= this.trace.lanes[this.lane].events;
  }

  async read(): Promise<void> {
    this.page = await this.trace.readEvents(this.lane, this.known, PAGE);
    this.known += this.page.count;
    this.next = 0;
  }

  /** The innermost wanted event that runs at a moment, or the innermost event if no wanted one runs. Events that end then come last. */
  at(seconds: number): { readonly frame: number; readonly context: number; readonly isWanted: boolean } | undefined {
    const wanted = this.wanted.at(seconds);
    const event = wanted ?? this.all.at(seconds);
    return event && { frame: event.frame, context: event.number - 1, isWanted: wanted !== undefined };
  }
}

/** The first context of the function that a frame names, for events without a context. */
class FunctionContexts {
  private readonly known = new Map<string, number>();

  constructor(private readonly open: OpenDataSet) {}

  of(frame: number): number {
    if (frame === NONE) return NONE;
    const { functions, dataSet } = this.open;
    return entryOf(this.known, dataSet.frames.nameOf(frame), () => {
      const name = dataSet.frames.nameOf(frame);
      const found = functions.frame.findIndex((one) => dataSet.frames.nameOf(one) === name);
      return found < 0 ? NONE : functions.ofContext.indexOf(found);
    });
  }
}
