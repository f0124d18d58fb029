/**
 * Data that was moved, by calling context: transfers of devices, and messages. Bytes are integers and are summed exactly; times are
 * unions, so that bytes over them is a rate.
 */
import { FloatColumn, IntColumn } from "../../model/columns";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import { type Chosen, chosenMembers } from "../../model/members";
import type { Task } from "../../model/task";
import { isTransfer, type MessageColumns, messageKinds, type Trace } from "../../model/trace";
import { Pace } from "../../source/pace";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { SharedWork } from "../lines/sharedWork";
import { type MovementContexts, movementContexts, PAGE } from "./movementContexts";

const MESSAGE: number = messageKinds.indexOf("message");
const COLLECTIVE: number = messageKinds.indexOf("collective");

/** What moved data in a trace, found once. */
export interface Movement {
  readonly trace: Trace;
  /** By direction of the trace: whether it is one of transfers, whose bytes are moved. */
  readonly moves: readonly boolean[];
  readonly transfers: Transfers;
  readonly contexts: MovementContexts;
  /** Of the whole run. */
  readonly messages: MessageSums;
  /** That moved something, ascending, each once. */
  readonly movingContexts: Int32Array;
  readonly locationOf: ResourceLocations;
}

/** By ascending start. */
export interface Transfers {
  readonly count: number;
  readonly startSeconds: Float64Array;
  readonly endSeconds: Float64Array;
  /** 0 where no size was recorded, and of what moves nothing. */
  readonly bytes: Float64Array;
  readonly direction: Uint8Array;
  readonly fromDevice: Int32Array;
  readonly toDevice: Int32Array;
  readonly lane: Int32Array;
  /** Index into the data set's locations; NONE where it is at none. */
  readonly location: Int32Array;
  readonly context: Int32Array;
}

/** Which side of a message is its context's; what is given to a collective has no other side. */
export const messageSides = ["sent", "received", "collective"] as const;

/** One row per context, pair of resources and side. */
export interface MessageSums {
  readonly rows: number;
  /** Index into {@link messageSides}: messages that only their receiver recorded are the receiver's. */
  readonly side: Uint8Array;
  readonly context: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly count: Float64Array;
  readonly bytes: Float64Array;
}

/** The part of the run that counts, in seconds of the trace: from `fromSeconds`, before `toSeconds`. */
export interface MovementWindow {
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
}

/** By resource: its location, else that of the nearest resource around it; NONE: none. */
export type ResourceLocations = Int32Array;

const known = new WeakMap<Trace, SharedWork<Movement>>();

/** @throws CancelledError */
export async function movementOf(open: OpenDataSet, dataSet: DataSet, trace: Trace, task: Task): Promise<Movement> {
  const work = entryOf(known, trace, () => new SharedWork((shared) => findMovement(open, dataSet, trace, shared)));
  try {
    return await work.wait(task);
  } catch (problem) {
    if (known.get(trace) === work) known.delete(trace);
    throw problem;
  }
}

async function findMovement(open: OpenDataSet, dataSet: DataSet, trace: Trace, task: Task): Promise<Movement> {
  const contexts = await movementContexts(open, dataSet, trace, task);
  const locationOf = locationsOf(dataSet);
  const transfers = await readTransfers(trace, contexts, locationOf, task);
  const messages = await messageSums(trace, contexts.ofMessage, {}, task);
  const moving = new Set([...transfers.context, ...messages.context.subarray(0, messages.rows)]);
  moving.delete(NONE);
  return {
    trace,
    moves: trace.transferDirections.map(isTransfer),
    transfers,
    contexts,
    messages,
    movingContexts: Int32Array.from(moving).sort(),
    locationOf,
  };
}

/** By lane: its location, else that of its resource. */
export function locationsOfLanes({ lanes }: Trace, locationOf: ResourceLocations): readonly number[] {
  return lanes.map(({ location, resource }) =>
    location !== NONE || resource === NONE ? location : locationOf[resource],
  );
}

export function locationsOf({ topology }: DataSet): ResourceLocations {
  const resources = topology?.resources ?? [];
  const found = new Int32Array(resources.length);
  resources.forEach(({ location, parent }, resource) => {
    found[resource] = location !== NONE || parent === NONE ? location : found[parent];
  });
  return found;
}

async function readTransfers(
  trace: Trace,
  { ofTransfer }: MovementContexts,
  locationOf: ResourceLocations,
  task: Task,
): Promise<Transfers> {
  const count = trace.transfers;
  const moves = trace.transferDirections.map(isTransfer);
  const laneLocations = locationsOfLanes(trace, locationOf);
  const transfers = {
    count,
    startSeconds: new Float64Array(count),
    endSeconds: new Float64Array(count),
    bytes: new Float64Array(count),
    direction: new Uint8Array(count),
    fromDevice: new Int32Array(count),
    toDevice: new Int32Array(count),
    lane: new Int32Array(count),
    location: new Int32Array(count),
    context: ofTransfer,
  };
  const pace = new Pace(task);
  for (let first = 0; first < count; first += PAGE) {
    await pace.breathe();
    const page = await trace.readTransfers(first, PAGE);
    transfers.startSeconds.set(page.startSeconds, first);
    transfers.endSeconds.set(page.endSeconds, first);
    transfers.direction.set(page.direction, first);
    transfers.fromDevice.set(page.fromDevice, first);
    transfers.toDevice.set(page.toDevice, first);
    transfers.lane.set(page.lane, first);
    for (let at = 0; at < page.count; at++) {
      transfers.bytes[first + at] = moves[page.direction[at]] && page.bytes[at] > 0 ? page.bytes[at] : 0;
      transfers.location[first + at] = page.lane[at] === NONE ? NONE : laneLocations[page.lane[at]];
    }
  }
  return transfers;
}

/**
 * Messages by context, sender and receiver. A message belongs to the window of its sending, of its arrival where only that was recorded.
 *
 * @throws CancelledError
 */
export async function messageSums(
  trace: Trace,
  ofMessage: Int32Array,
  within: MovementWindow,
  task: Task,
): Promise<MessageSums> {
  const [side, context, from, to] = [new IntColumn(), new IntColumn(), new IntColumn(), new IntColumn()];
  const [counts, sums] = [new FloatColumn(), new FloatColumn()];
  const rowOf = new Map<string, number>();
  const pace = new Pace(task);
  for (let first = 0; first < trace.links; first += PAGE) {
    await pace.breathe();
    const page = await trace.readMessages(first, PAGE);
    for (let at = 0; at < page.count; at++) {
      if (page.kind[at] !== MESSAGE && page.kind[at] !== COLLECTIVE) continue;
      if (!isInWindow(trace, within, timeOfMessage(page, at))) continue;
      const own = ofMessage[first + at];
      const ownSide = sideOf(page, at);
      const row = entryOf(rowOf, `${own} ${page.from[at]} ${page.to[at]} ${ownSide}`, () => {
        side.push(ownSide);
        context.push(own);
        from.push(page.from[at]);
        to.push(page.to[at]);
        counts.push(0);
        sums.push(0);
        return counts.length - 1;
      });
      counts.values[row]++;
      if (page.bytes[at] > 0) sums.values[row] += page.bytes[at];
    }
  }
  return {
    rows: counts.length,
    side: Uint8Array.from(side.values.subarray(0, counts.length)),
    context: context.values.slice(0, counts.length),
    from: from.values.slice(0, counts.length),
    to: to.values.slice(0, counts.length),
    count: counts.values.slice(0, counts.length),
    bytes: sums.values.slice(0, counts.length),
  };
}

/** Of sending, of arrival where only that was recorded; NaN where neither was. */
export function timeOfMessage({ sentSeconds, receivedSeconds }: MessageColumns, at: number): number {
  return Number.isNaN(sentSeconds[at]) ? receivedSeconds[at] : sentSeconds[at];
}

/** Index into {@link messageSides}. */
export function sideOf({ kind, sentSeconds, receivedSeconds, from }: MessageColumns, at: number): number {
  if (kind[at] === COLLECTIVE) return 2;
  return from[at] === NONE || (Number.isNaN(sentSeconds[at]) && !Number.isNaN(receivedSeconds[at])) ? 1 : 0;
}

/** What begins with the last record, or at no known time, is in the last window: windows that make up the run leave nothing out. */
export function isInWindow(
  trace: Trace,
  { fromSeconds = -Infinity, toSeconds = Infinity }: MovementWindow,
  seconds: number,
): boolean {
  const isLast = toSeconds >= trace.endSeconds;
  if (Number.isNaN(seconds)) return isLast;
  return seconds >= fromSeconds && (seconds < toSeconds || isLast);
}

/** The part of a transfer in a window: of its time, of its bytes (spread evenly over its duration), and whether it begins there. */
export interface TransferPart {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** 0 to 1. */
  readonly share: number;
  readonly begins: boolean;
}

/** @returns undefined where nothing of it is in the window */
export function partInWindow(
  trace: Trace,
  window: MovementWindow,
  startSeconds: number,
  endSeconds: number,
): TransferPart | undefined {
  const begins = isInWindow(trace, window, startSeconds);
  const fromSeconds = Math.max(startSeconds, window.fromSeconds ?? -Infinity);
  const toSeconds = Math.min(endSeconds, window.toSeconds ?? Infinity);
  if (!begins && !(toSeconds > fromSeconds)) return undefined;
  const share = endSeconds > startSeconds ? (toSeconds - fromSeconds) / (endSeconds - startSeconds) : 1;
  return { fromSeconds, toSeconds, share, begins };
}

/** Whether values of a location count under a restriction; of no location only where there is none. */
/** Whether the chosen members leave what was recorded at a resource; of none, or of one that has no place of values at or below it: always. */
export function leftResources(dataSet: DataSet, chosen: Chosen | undefined): (resource: number) => boolean {
  const isChosen = chosenLocations(dataSet, chosen);
  const locationOf = locationsOf(dataSet);
  const resources = dataSet.topology?.resources ?? [];
  const hasPlace = new Uint8Array(resources.length);
  const isLeft = new Uint8Array(resources.length);
  // What is no place itself, as a process of several threads, is where what lies below it is. Resources stand behind those they belong to.
  for (let at = resources.length - 1; at >= 0; at--) {
    if (locationOf[at] !== NONE) {
      hasPlace[at] = 1;
      isLeft[at] = Number(isChosen(locationOf[at]));
    }
    const { parent } = resources[at];
    if (parent === NONE || !hasPlace[at]) continue;
    hasPlace[parent] = 1;
    isLeft[parent] |= isLeft[at];
  }
  return (resource) => resource === NONE || !hasPlace[resource] || isLeft[resource] === 1;
}

export function chosenLocations({ locations }: DataSet, chosen: Chosen | undefined): (location: number) => boolean {
  if (chosen === undefined) return () => true;
  const { of } = chosenMembers(locations, chosen);
  return (location) => location !== NONE && of[location] !== NONE;
}
