/** Why an MPI call waited (semantics 9, "Cause of a wait"). */
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import { isCollective, isMpiCall, isReceiver } from "../../model/mpiNames";
import type { Task } from "../../model/task";
import { messageKinds, type Trace } from "../../model/trace";
import { SharedWork } from "../lines/sharedWork";
import { laneClocks } from "./laneClocks";
import { mpiLanes } from "./mpiLanes";
import { runningEvents } from "./runningEvents";
import { firstMessage, laneOfResource, messageReach } from "./timeline";
import type { TimelineCause } from "./timelineApi";
import {
  arrivesIn,
  arrivesLater,
  type CallTimes,
  collectiveUntil,
  lateSenderUntil,
  MatchedCollectives,
  sendBegin,
  type SendingCall,
  SEPARATE_CLOCKS,
} from "./waitRule";

/** Rows that are read at once. */
const PAGE = 1 << 13;

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
  if (!isMpiCall(name))
    return { kind: "none", why: "it is not an MPI call, and no other causes of waiting are recorded" };
  const times = { start: startSeconds[0], end: endSeconds[0] };
  if (isCollective(name))
    return ofOneClock(dataSet, trace, lane, await lastRank(dataSet, trace, lane, event, times, task));
  if (!isReceiver(name)) return { kind: "none", why: "this MPI call neither receives messages nor waits for them" };
  return ofOneClock(dataSet, trace, lane, await lastMessage(dataSet, trace, lane, times, task));
}

/** No cause if it compares clocks without a common zero. */
function ofOneClock(dataSet: DataSet, trace: Trace, lane: number, cause: TimelineCause): TimelineCause {
  if (cause.kind === "none") return cause;
  const clockOf = laneClocks(dataSet, trace);
  if (clockOf === undefined || clockOf[lane] === clockOf[cause.lane]) return cause;
  return { kind: "none", why: SEPARATE_CLOCKS };
}

async function lastMessage(
  dataSet: DataSet,
  trace: Trace,
  lane: number,
  times: CallTimes,
  task: Task,
): Promise<TimelineCause> {
  const { start, end } = times;
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
      if (kind[at] !== ofMessage || !arrivesIn(times, received) || !isHere(to[at])) continue;
      if (arrivesLater(received, last?.received))
        last = { sent: sentSeconds[at], received, from: from[at], bytes: bytes[at] };
    }
    if (sentSeconds[0] > end + before) break;
  }
  if (last === undefined) return { kind: "none", why: "no recorded message arrives in it" };
  const sender = last.from === NONE ? NONE : laneOf[last.from];
  if (sender === NONE || Number.isNaN(last.sent))
    return { kind: "none", why: "the sending of its last message is not recorded" };
  const call = await sendingCall(dataSet, trace, sender, last.sent, task);
  const begun = sendBegin(call, last.sent);
  const until = lateSenderUntil(times, begun);
  return {
    kind: until === undefined ? "transfer" : "late sender",
    lane: sender,
    event: call?.event ?? NONE,
    seconds: begun,
    waitedSeconds: (until ?? last.received) - start,
    message: { sentSeconds: last.sent, receivedSeconds: last.received, bytes: last.bytes },
  };
}

/** The innermost call of MPI that runs at a moment; undefined if there is none. */
async function sendingCall(
  { frames }: DataSet,
  trace: Trace,
  lane: number,
  seconds: number,
  task: Task,
): Promise<SendingCall | undefined> {
  for (const event of (await runningEvents(trace, lane, seconds, task)).reverse()) {
    const { startSeconds, frame } = await trace.readEvents(lane, event, 1);
    if (frame[0] !== NONE && isMpiCall(frames.nameOf(frame[0]))) return { start: startSeconds[0], event };
  }
  return undefined;
}

/** Whether a message to a resource arrives in this lane: the resource is the lane's own, or contains it. */
export function receiversOf({ topology }: DataSet, trace: Trace, lane: number): (resource: number) => boolean {
  const own = new Set<number>();
  for (let at = trace.lanes[lane].resource; at !== NONE; at = topology?.resources[at].parent ?? NONE) own.add(at);
  return (resource) => own.has(resource);
}

/** Lanes with collectives, and their collectives: read once per trace. */
const collectivesOf = new WeakMap<Trace, SharedWork<LaneCollectives>>();

interface LaneCollectives {
  readonly lanes: readonly number[];
  readonly matched: MatchedCollectives;
}

async function lastRank(
  dataSet: DataSet,
  trace: Trace,
  lane: number,
  event: number,
  times: CallTimes,
  task: Task,
): Promise<TimelineCause> {
  const { lanes, matched } = await allCollectives(dataSet, trace, task);
  const own = lanes.indexOf(lane);
  const order = own < 0 ? -1 : matched.lanes[own].event.indexOf(event);
  if (order < 0) return { kind: "none", why: "its order among the rank's collectives is not known" };
  if (order >= matched.matched) return { kind: "none", why: notMatched(trace, lanes, matched, own, order) };
  const last = matched.last[order];
  const { start, event: events } = matched.lanes[last];
  const until = collectiveUntil(times, start[order]);
  return {
    kind: "last rank",
    lane: lanes[last],
    event: events[order],
    seconds: start[order],
    waitedSeconds: until === undefined ? 0 : until - times.start,
  };
}

/** Reason why a collective has no match in other lanes. */
function notMatched(
  trace: Trace,
  lanes: readonly number[],
  matched: MatchedCollectives,
  own: number,
  order: number,
): string {
  const other = matched.lanes.findIndex(({ name }) => name[order] !== matched.lanes[own].name[order]);
  if (lanes.length < 2 || order > matched.matched || other < 0) return matched.whyNot();
  return `${trace.lanes[lanes[other]].name} calls another collective at this point: communicators are not recorded`;
}

/** Read once per trace, also for questions that arrive meanwhile. */
async function allCollectives(dataSet: DataSet, trace: Trace, task: Task): Promise<LaneCollectives> {
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

async function readCollectives(dataSet: DataSet, trace: Trace, task: Task): Promise<LaneCollectives> {
  // The work begins before anybody can wait for it.
  await Promise.resolve();
  const all = (await mpiLanes(dataSet, trace, task)).map((calls) => calls.collectives());
  const lanes = [...all.keys()].filter((lane) => all[lane].name.length > 0);
  return { lanes, matched: new MatchedCollectives(lanes.map((lane) => all[lane])) };
}
