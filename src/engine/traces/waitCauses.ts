/** Why an MPI call waited (semantics 9, "Cause of a wait"). */
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { messageKinds, type Trace } from "../../model/trace";
import { SharedWork } from "../lines/sharedWork";
import { runningEvents } from "./runningEvents";
import { firstMessage, laneOfResource, messageReach } from "./timeline";
import type { TimelineCause } from "./timelineApi";

/** Rows that are read at once. */
const PAGE = 1 << 13;

/** Calls that all ranks of a communicator make together; nonblocking ones end somewhere else, and are waited for there. */
export const COLLECTIVE =
  /^P?MPI_(?:Barrier|Bcast|Reduce|Allreduce|Gatherv?|Allgatherv?|Scatterv?|Alltoall[vw]?|Reduce_scatter(?:_block)?|Scan|Exscan|Neighbor_all(?:gatherv?|toall[vw]?)|Comm_(?:create|dup|split)|Win_(?:create|fence|free)|Finalize)$/;
export const MPI = /^P?MPI_/;
/**
 * Calls that receive, or wait for what was begun before. A message may also arrive while another call runs, or at the very moment at which
 * one ends and the wait behind it begins: that call did not wait for its sender. With what large counts and Fortran put behind names.
 */
export const RECEIVES =
  /^P?MPI_(?:M?Recv|Sendrecv(?:_replace)?|Wait(?:all|any|some)?|Test(?:all|any|some)?|M?Probe|Parrived)(?:_c)?(?:_f08(?:ts)?)?_{0,2}$/i;

/**
 * The cause of what one event waited for: the sender of the message that arrives last in it, or the last rank at a collective.
 *
 * @param event an MPI call of this lane
 */
export async function waitCause(
  dataSet: DataSet,
  trace: Trace,
  lane: number,
  event: number,
  task: Task,
): Promise<TimelineCause> {
  const { startSeconds, endSeconds, frame } = await trace.readEvents(lane, event, 1);
  const name = frame[0] === NONE ? "" : dataSet.frames.nameOf(frame[0]);
  if (!MPI.test(name)) return { kind: "none", why: "only calls of MPI wait for something that is recorded" };
  if (COLLECTIVE.test(name)) return lastRank(dataSet, trace, lane, event, task);
  if (!RECEIVES.test(name)) return { kind: "none", why: "by its name it neither receives messages nor waits for one" };
  return lastMessage(dataSet, trace, lane, startSeconds[0], endSeconds[0], task);
}

async function lastMessage(
  dataSet: DataSet,
  trace: Trace,
  lane: number,
  start: number,
  end: number,
  task: Task,
): Promise<TimelineCause> {
  const laneOf = laneOfResource(dataSet, trace);
  const isHere = receiversOf(dataSet, trace, lane);
  const ofMessage = messageKinds.indexOf("message");
  let last: { sent: number; received: number; from: number; bytes: number } | undefined;
  const { after, before } = await messageReach(trace, task);
  for (let first = await firstMessage(trace, start - after); first < trace.links; first += PAGE) {
    task.check();
    const { count, kind, from, to, sentSeconds, receivedSeconds, bytes } = await trace.readMessages(first, PAGE);
    for (let at = 0; at < count; at++) {
      const received = receivedSeconds[at];
      if (kind[at] !== ofMessage || !(received >= start && received <= end) || !isHere(to[at])) continue;
      if (last === undefined || received > last.received)
        last = { sent: sentSeconds[at], received, from: from[at], bytes: bytes[at] };
    }
    if (sentSeconds[0] > end + before) break;
  }
  if (last === undefined) return { kind: "none", why: "no message is recorded that arrives in it" };
  const sender = last.from === NONE ? NONE : laneOf[last.from];
  if (sender === NONE || Number.isNaN(last.sent))
    return { kind: "none", why: "of the message that arrives last in it, the sending is not recorded" };
  // The send as its rank has it: the call that was running when the message left.
  const running = await runningEvents(trace, sender, last.sent, task);
  const call = running.at(-1);
  const begun = call === undefined ? last.sent : (await trace.readEvents(sender, call, 1)).startSeconds[0];
  const isLate = begun > start;
  return {
    kind: isLate ? "late sender" : "transfer",
    lane: sender,
    event: call ?? NONE,
    seconds: begun,
    waitedSeconds: isLate ? begun - start : last.received - start,
    message: { sentSeconds: last.sent, receivedSeconds: last.received, bytes: last.bytes },
  };
}

/** Whether a message to a resource arrives in this lane: that is its own, or holds it. */
export function receiversOf({ topology }: DataSet, trace: Trace, lane: number): (resource: number) => boolean {
  const own = new Set<number>();
  for (let at = trace.lanes[lane].resource; at !== NONE; at = topology?.resources[at].parent ?? NONE) own.add(at);
  return (resource) => own.has(resource);
}

/** Collectives of one lane, in their order. */
interface Collectives {
  readonly name: string[];
  readonly start: number[];
  readonly event: number[];
}

const collectivesOf = new WeakMap<Trace, SharedWork<Map<number, Collectives>>>();

async function lastRank(
  dataSet: DataSet,
  trace: Trace,
  lane: number,
  event: number,
  task: Task,
): Promise<TimelineCause> {
  const lanes = await allCollectives(dataSet, trace, task);
  const own = lanes.get(lane);
  const order = own?.event.indexOf(event) ?? -1;
  if (own === undefined || order < 0)
    return { kind: "none", why: "its order among the rank's collectives is not known" };
  let last = { lane, event, seconds: own.start[order] };
  for (const [other, { name, start, event: events }] of lanes) {
    if (name[order] !== own.name[order])
      return {
        kind: "none",
        why: `${trace.lanes[other].name} has another collective in its place: communicators are not recorded`,
      };
    if (start[order] > last.seconds) last = { lane: other, event: events[order], seconds: start[order] };
  }
  if (lanes.size === 1) return { kind: "none", why: "the collectives of other ranks are not recorded" };
  return { kind: "last rank", ...last, waitedSeconds: last.seconds - own.start[order] };
}

/** Read once for all who ask. */
async function allCollectives(dataSet: DataSet, trace: Trace, task: Task): Promise<Map<number, Collectives>> {
  const reading = entryOf(
    collectivesOf,
    trace,
    () => new SharedWork((shared) => readCollectives(dataSet, trace, shared)),
  );
  try {
    return await reading.wait(task);
  } catch (problem) {
    if (collectivesOf.get(trace) === reading) collectivesOf.delete(trace);
    throw problem;
  }
}

/** Of every lane that has any. */
async function readCollectives({ frames }: DataSet, trace: Trace, task: Task): Promise<Map<number, Collectives>> {
  // The work begins before anybody can wait for it.
  await Promise.resolve();
  const collective = new Map<number, string>();
  for (const frame of trace.states.frame)
    if (frame !== NONE && COLLECTIVE.test(frames.nameOf(frame))) collective.set(frame, frames.nameOf(frame));
  const lanes = new Map<number, Collectives>();
  for (const [lane, { events }] of trace.lanes.entries()) {
    task.progress(lane / trace.lanes.length);
    const own: Collectives = { name: [], start: [], event: [] };
    for (let first = 0; first < events; first += PAGE) {
      task.check();
      const { count, frame, startSeconds } = await trace.readEvents(lane, first, PAGE);
      for (let at = 0; at < count; at++) {
        const name = collective.get(frame[at]);
        if (name === undefined) continue;
        own.name.push(name);
        own.start.push(startSeconds[at]);
        own.event.push(first + at);
      }
    }
    if (own.event.length > 0) lanes.set(lane, own);
  }
  return lanes;
}
