/**
 * All waits of a trace at once, with their causes (semantics 9, "Cause of a wait"): late senders and late receivers of messages, and the
 * last rank at a collective. `waitRule.ts` defines the rule. Wait states as in Böhme, Geimer, Wolf, Arnold: Identifying the root causes of
 * wait states in large-scale parallel applications, ICPP 2010.
 */
import { FloatColumn, IntColumn } from "../../model/columns";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { messageKinds, type Trace } from "../../model/trace";
import { laneOfResource } from "./timeline";
import { callKinds, InnermostCalls, type LaneCalls, mpiLanes, RunningCalls } from "./mpiLanes";
import { laneClocks } from "./laneClocks";
import {
  arrivesLater,
  collectiveUntil,
  lateReceiverUntil,
  lateSenderUntil,
  MatchedCollectives,
  sendBegin,
  SEPARATE_CLOCKS,
} from "./waitRule";

/** Messages that are read at once. */
const PAGE = 1 << 13;
/** Arrivals between two checks for a cancel. */
const ARRIVALS_BETWEEN_CHECKS = 1 << 14;

export const waitKinds = ["late sender", "late receiver", "collective"] as const;
export type WaitKind = (typeof waitKinds)[number];

/** One wait: from its event's start until its cause. */
export interface Wait {
  readonly kind: WaitKind;
  readonly lane: number;
  readonly event: number;
  readonly startSeconds: number;
  /** When the cause came: a send or a receive that began, the last rank at a collective. Never after the event's end. */
  readonly untilSeconds: number;
  /** Lane of the cause, and its event; the event is NONE if none is recorded. */
  readonly causeLane: number;
  readonly causeEvent: number;
}

export interface Waits {
  /** By lane, in order of time. */
  readonly of: readonly (readonly Wait[])[];
  /** Number of calls that wait for others, and how many of them have no recorded cause. */
  readonly calls: number;
  readonly unknown: number;
  /** Reasons why causes are not recorded, as clauses; empty if all are recorded. */
  readonly missing: readonly string[];
}

const known = new WeakMap<Trace, Promise<Waits>>();

/** Found once for each trace. */
export function waitsOf(dataSet: DataSet, trace: Trace, task: Task): Promise<Waits> {
  const before = known.get(trace);
  if (before) return before;
  const finding = findWaits(dataSet, trace, task);
  known.set(trace, finding);
  finding.catch(() => known.delete(trace));
  return finding;
}

async function findWaits(dataSet: DataSet, trace: Trace, task: Task): Promise<Waits> {
  const reading: Task = { check: () => task.check(), progress: (part) => task.progress(part && 0.5 * part) };
  const calls = await mpiLanes(dataSet, trace, reading);
  const clockOf = laneClocks(dataSet, trace);
  const of: Wait[][] = trace.lanes.map(() => []);
  const missing: string[] = [];
  const found = new FoundWaits(of, clockOf);
  let unknown = addCollectives(calls, found, missing);
  unknown += await addMessages(dataSet, trace, calls, found, missing, task);
  if (clockOf !== undefined) missing.push(SEPARATE_CLOCKS);
  for (const waits of of) waits.sort((a, b) => a.startSeconds - b.startSeconds || a.event - b.event);
  return { of, calls: calls.reduce((sum, lane) => sum + lane.numbers(callKinds.receive).length, 0), unknown, missing };
}

/** Collects waits by lane, without those between clocks that have no common zero. */
class FoundWaits {
  constructor(
    private readonly of: readonly Wait[][],
    private readonly clockOf: Int32Array | undefined,
  ) {}

  add(wait: Wait): void {
    if (this.clockOf === undefined || this.clockOf[wait.lane] === this.clockOf[wait.causeLane])
      this.of[wait.lane].push(wait);
  }
}

/** @returns how many collectives have no known cause */
function addCollectives(all: readonly LaneCalls[], found: FoundWaits, missing: string[]): number {
  const lanes = all.flatMap((calls, lane) => {
    const own = calls.numbers(callKinds.collective);
    return own.length > 0 ? [{ lane, calls, own }] : [];
  });
  const matched = new MatchedCollectives(lanes.map(({ calls }) => calls.collectives()));
  for (let order = 0; order < matched.matched; order++) {
    const last = lanes[matched.last[order]];
    const lastCall = last.own[order];
    const { start: entered } = last.calls.times(lastCall);
    for (const { lane, calls, own } of lanes) {
      const times = calls.times(own[order]);
      const until = collectiveUntil(times, entered);
      if (until === undefined) continue;
      found.add({
        kind: "collective",
        lane,
        event: calls.event(own[order]),
        startSeconds: times.start,
        untilSeconds: until,
        causeLane: last.lane,
        causeEvent: last.calls.event(lastCall),
      });
    }
  }
  const left = lanes.reduce((sum, { own }) => sum + own.length - matched.matched, 0);
  if (left > 0) missing.push(matched.whyNot());
  return left;
}

/** Messages that arrive in a lane, in the order of their sending. */
class Arrivals {
  readonly received = new FloatColumn();
  readonly sent = new FloatColumn();
  /** Lane of the sender; NONE if its side is not recorded. */
  readonly sender = new IntColumn();

  push(received: number, sent: number, sender: number): void {
    this.received.push(received);
    this.sent.push(sent);
    this.sender.push(sender);
  }

  /** Ascending time of arrival; equal times in the order of sending. */
  inOrder(): Int32Array {
    const received = this.received.values;
    return Int32Array.from({ length: this.received.length }, (_, at) => at).sort(
      (a, b) => received[a] - received[b] || a - b,
    );
  }
}

/** Messages of a lane that arrive in calls of others. */
class Sendings {
  readonly sent = new FloatColumn();
  /** Lane and number of the call. */
  readonly lane = new IntColumn();
  readonly call = new IntColumn();

  push(sent: number, lane: number, call: number): void {
    this.sent.push(sent);
    this.lane.push(lane);
    this.call.push(call);
  }

  /** Ascending time of sending, whatever the order of the calls of `push`. */
  *inOrder(): Generator<{ readonly sent: number; readonly lane: number; readonly call: number }> {
    const [sent, lane, call] = [this.sent.values, this.lane.values, this.call.values];
    const order = Int32Array.from({ length: this.sent.length }, (_, at) => at).sort(
      (a, b) => sent[a] - sent[b] || lane[a] - lane[b] || call[a] - call[b],
    );
    for (const at of order) yield { sent: sent[at], lane: lane[at], call: call[at] };
  }
}

/** @returns how many of the calls in which something arrives have no known sender */
async function addMessages(
  dataSet: DataSet,
  trace: Trace,
  all: readonly LaneCalls[],
  found: FoundWaits,
  missing: string[],
  task: Task,
): Promise<number> {
  if (trace.messages.count === 0) {
    if (all.some((calls) => calls.numbers(callKinds.receive).length > 0))
      missing.push("messages between ranks are not recorded");
    return 0;
  }
  const arrivals = await readArrivals(dataSet, trace, task);
  /** Receives that a sender may wait for, and calls in which one of its messages arrives last, by sender. */
  const toReceivers = all.map(() => new Sendings());
  const lastArrivals = all.map(() => new Sendings());
  let unknown = 0;
  for (const [lane, own] of arrivals.entries()) {
    task.progress(0.7 + (0.2 * lane) / arrivals.length);
    const last = lastIn(all[lane], own, (sent, sender, call) => toReceivers[sender].push(sent, lane, call), task);
    for (const [call, at] of last) {
      const sender = own.sender.values[at];
      if (sender === NONE) unknown++;
      else lastArrivals[sender].push(own.sent.values[at], lane, call);
    }
  }
  for (const [sender, calls] of all.entries()) {
    task.check();
    addLateReceivers(sender, calls, toReceivers[sender], all, found);
    addLateSenders(sender, calls, lastArrivals[sender], all, found);
  }
  if (unknown > 0) missing.push("the sending of some messages is not recorded");
  return unknown;
}

/** Received messages, by lane. */
async function readArrivals(dataSet: DataSet, trace: Trace, task: Task): Promise<Arrivals[]> {
  const laneOf = laneOfResource(dataSet, trace);
  const receivers = lanesOfReceivers(dataSet, trace);
  const arrivals = trace.lanes.map(() => new Arrivals());
  const ofMessage = messageKinds.indexOf("message");
  for (let first = 0; first < trace.links; first += PAGE) {
    task.check();
    task.progress(0.5 + (0.2 * first) / trace.links);
    const { count, kind, from, to, sentSeconds, receivedSeconds } = await trace.readMessages(first, PAGE);
    for (let row = 0; row < count; row++) {
      if (kind[row] !== ofMessage || to[row] === NONE || Number.isNaN(receivedSeconds[row])) continue;
      const [sent, received] = [sentSeconds[row], receivedSeconds[row]];
      const sender = from[row] === NONE || Number.isNaN(sent) ? NONE : laneOf[from[row]];
      for (const lane of receivers[to[row]]) arrivals[lane].push(received, sent, sender);
    }
  }
  return arrivals;
}

/**
 * The message that arrives last in each call that receives or waits.
 *
 * @param take gets each message of a known sender that arrives in a blocking receive
 * @returns by call: the number of its last arrival
 */
function lastIn(
  calls: LaneCalls,
  arrivals: Arrivals,
  take: (sent: number, sender: number, call: number) => void,
  task: Task,
): Map<number, number> {
  const running = new RunningCalls(calls, calls.numbers(callKinds.receive));
  const [received, sent, sender] = [arrivals.received.values, arrivals.sent.values, arrivals.sender.values];
  const last = new Map<number, number>();
  for (const [step, at] of arrivals.inOrder().entries()) {
    if (step % ARRIVALS_BETWEEN_CHECKS === 0) task.check();
    for (const call of running.at(received[at])) {
      const before = last.get(call);
      if (arrivesLater(received[at], before === undefined ? undefined : received[before])) last.set(call, at);
      if (sender[at] !== NONE && calls.isOfKind(call, callKinds.blockingReceive)) take(sent[at], sender[at], call);
    }
  }
  return last;
}

/** Adds waits of blocking sends: until the last of their receives began. */
function addLateReceivers(
  sender: number,
  calls: LaneCalls,
  sendings: Sendings,
  all: readonly LaneCalls[],
  found: FoundWaits,
): void {
  const late = new Map<number, Wait>();
  const running = new RunningCalls(calls, calls.numbers(callKinds.blockingSend));
  for (const { sent, lane, call } of sendings.inOrder()) {
    const { start: begun } = all[lane].times(call);
    for (const own of running.at(sent)) {
      const times = calls.times(own);
      const until = lateReceiverUntil(times, begun);
      if (until === undefined || until <= (late.get(own)?.untilSeconds ?? times.start)) continue;
      late.set(own, {
        kind: "late receiver",
        lane: sender,
        event: calls.event(own),
        startSeconds: times.start,
        untilSeconds: until,
        causeLane: lane,
        causeEvent: all[lane].event(call),
      });
    }
  }
  for (const wait of late.values()) found.add(wait);
}

/** Adds waits for late senders. The sender of a call's last message was late if its send began after the receiving call. */
function addLateSenders(
  sender: number,
  calls: LaneCalls,
  sendings: Sendings,
  all: readonly LaneCalls[],
  found: FoundWaits,
): void {
  const innermost = new InnermostCalls(calls);
  for (const { sent, lane, call } of sendings.inOrder()) {
    const own = innermost.at(sent);
    const sending = own === NONE ? undefined : { start: calls.times(own).start, event: calls.event(own) };
    const times = all[lane].times(call);
    const until = lateSenderUntil(times, sendBegin(sending, sent));
    if (until === undefined) continue;
    found.add({
      kind: "late sender",
      lane,
      event: all[lane].event(call),
      startSeconds: times.start,
      untilSeconds: until,
      causeLane: sender,
      causeEvent: sending?.event ?? NONE,
    });
  }
}

/** Lanes in which messages to a resource arrive, by resource: its own lanes, and those of resources within it. */
function lanesOfReceivers({ topology }: DataSet, trace: Trace): readonly (readonly number[])[] {
  const resources = topology?.resources ?? [];
  const lanes: number[][] = resources.map(() => []);
  trace.lanes.forEach(({ resource }, lane) => {
    for (let at = resource; at !== NONE; at = resources[at].parent) lanes[at].push(lane);
  });
  return lanes;
}
