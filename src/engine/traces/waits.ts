/**
 * All waits of a trace at once, with their causes (semantics 9, "Cause of a wait"): late senders and late receivers of messages, and who
 * entered a collective last. Wait states as in Böhme, Geimer, Wolf, Arnold: Identifying the root causes of wait states in large-scale
 * parallel applications, ICPP 2010; the rules for one event are those of `waitCauses.ts`.
 */
import { widened } from "../../model/columns";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { messageKinds, type Trace } from "../../model/trace";
import { laneOfResource } from "./timeline";
import { COLLECTIVE, MPI, RECEIVES } from "./waitCauses";

/** Rows that are read at once. */
const PAGE = 1 << 13;

/** Calls that do not return before the receiver has begun, where the message is too large to be kept for it. */
const BLOCKING_SEND = /^P?MPI_[SR]?send$/i;
/** Calls that begin to receive when they are called: others wait for what was begun earlier. */
const BLOCKING_RECEIVE = /^P?MPI_(?:M?Recv|Sendrecv(?:_replace)?)$/i;

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
  /** Where the cause was, and its event; NONE where no event is recorded there. */
  readonly causeLane: number;
  readonly causeEvent: number;
}

export interface Waits {
  /** By lane, in order of time. */
  readonly of: readonly (readonly Wait[])[];
  /** Calls that wait for others, and how many of them have no record of whom they waited for. */
  readonly calls: number;
  readonly unknown: number;
  /** Why, parts of a sentence; none where all is recorded. */
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
  const calls = await mpiCalls(dataSet, trace, task);
  const of: Wait[][] = trace.lanes.map(() => []);
  const missing: string[] = [];
  let unknown = addCollectives(calls, of, missing);
  unknown += await addMessages(dataSet, trace, calls, of, missing, task);
  for (const waits of of) waits.sort((a, b) => a.startSeconds - b.startSeconds || a.event - b.event);
  return { of, calls: calls.reduce((sum, { receivers }) => sum + receivers.length, 0), unknown, missing };
}

/** Calls of MPI in one lane, by ascending start. */
class Calls {
  count = 0;
  start = new Float64Array(64);
  end = new Float64Array(64);
  event = new Int32Array(64);
  name = new Int32Array(64);
  /** The latest end of a call and all before it: nothing before reaches further. */
  reach = new Float64Array(64);
  readonly collectives: number[] = [];
  /** Those that receive or wait. */
  readonly receivers: number[] = [];

  add(start: number, end: number, event: number, name: number): number {
    if (this.count === this.start.length) {
      this.start = widened(this.start);
      this.end = widened(this.end);
      this.event = widened(this.event);
      this.name = widened(this.name);
      this.reach = widened(this.reach);
    }
    const at = this.count++;
    this.start[at] = start;
    this.end[at] = end;
    this.event[at] = event;
    this.name[at] = name;
    this.reach[at] = at === 0 ? end : Math.max(end, this.reach[at - 1]);
    return at;
  }

  /** Those that run at a moment, its sides included, the last one to begin first. */
  *at(seconds: number): Iterable<number> {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start[middle] <= seconds) low = middle + 1;
      else high = middle;
    }
    for (let at = low - 1; at >= 0 && this.reach[at] >= seconds; at--) if (this.end[at] >= seconds) yield at;
  }
}

interface LaneCalls extends Pick<Calls, "collectives" | "receivers"> {
  readonly calls: Calls;
  readonly names: readonly string[];
}

async function mpiCalls({ frames }: DataSet, trace: Trace, task: Task): Promise<LaneCalls[]> {
  const names: string[] = [];
  const nameOf = new Map<number, number>();
  for (const frame of trace.states.frame) {
    const name = frame === NONE ? "" : frames.nameOf(frame);
    if (!MPI.test(name) || nameOf.has(frame)) continue;
    const at = names.indexOf(name);
    nameOf.set(frame, at < 0 ? names.push(name) - 1 : at);
  }
  const isCollective = names.map((name) => COLLECTIVE.test(name));
  const isReceiver = names.map((name) => RECEIVES.test(name));
  const all: LaneCalls[] = [];
  for (const [lane, { events }] of trace.lanes.entries()) {
    task.progress((0.5 * lane) / trace.lanes.length);
    const calls = new Calls();
    for (let first = 0; nameOf.size > 0 && first < events; first += PAGE) {
      task.check();
      const { count, frame, startSeconds, endSeconds } = await trace.readEvents(lane, first, PAGE);
      for (let row = 0; row < count; row++) {
        const name = nameOf.get(frame[row]);
        if (name === undefined) continue;
        const at = calls.add(startSeconds[row], endSeconds[row], first + row, name);
        if (isCollective[name]) calls.collectives.push(at);
        else if (isReceiver[name]) calls.receivers.push(at);
      }
    }
    all.push({ calls, names, collectives: calls.collectives, receivers: calls.receivers });
  }
  return all;
}

/** @returns how many collectives have no known cause */
function addCollectives(all: readonly LaneCalls[], of: Wait[][], missing: string[]): number {
  const lanes = all.flatMap(({ collectives }, lane) => (collectives.length > 0 ? [lane] : []));
  const most = lanes.reduce((longest, lane) => Math.max(longest, all[lane].collectives.length), 0);
  const total = lanes.reduce((sum, lane) => sum + all[lane].collectives.length, 0);
  if (lanes.length === 1) {
    missing.push("the collectives of other ranks are not recorded");
    return total;
  }
  for (let order = 0, seen = 0; order < most; order++) {
    const calls = lanes.map((lane) => ({ lane, at: all[lane].collectives.at(order) ?? NONE, of: all[lane].calls }));
    const [first] = calls;
    // By order of calls alone ranks are told apart as long as all call the same.
    if (calls.some(({ at, of: own }) => at === NONE || own.name[at] !== first.of.name[first.at])) {
      missing.push("communicators are not recorded, and ranks call different collectives");
      return total - seen;
    }
    seen += calls.length;
    const last = calls.reduce((latest, one) => (one.of.start[one.at] > latest.of.start[latest.at] ? one : latest));
    const until = last.of.start[last.at];
    for (const { lane, at, of: own } of calls)
      if (Math.min(until, own.end[at]) > own.start[at])
        of[lane].push({
          ...{ kind: "collective", lane, event: own.event[at], startSeconds: own.start[at] },
          untilSeconds: Math.min(until, own.end[at]),
          ...{ causeLane: last.lane, causeEvent: last.of.event[last.at] },
        });
  }
  return 0;
}

interface Arrival {
  readonly call: number;
  readonly sender: number;
  readonly sent: number;
  readonly received: number;
}

/** @returns how many of the calls in which something arrives have no known sender */
async function addMessages(
  dataSet: DataSet,
  trace: Trace,
  all: readonly LaneCalls[],
  of: Wait[][],
  missing: string[],
  task: Task,
): Promise<number> {
  if (trace.messages.count === 0) {
    if (all.some(({ receivers }) => receivers.length > 0)) missing.push("messages between ranks are not recorded");
    return 0;
  }
  const laneOf = laneOfResource(dataSet, trace);
  const receivers = lanesOfReceivers(dataSet, trace);
  const last = all.map(() => new Map<number, Arrival>());
  const late = all.map(() => new Map<number, Wait>());
  const ofMessage = messageKinds.indexOf("message");
  for (let first = 0; first < trace.links; first += PAGE) {
    task.progress(0.5 + (0.4 * first) / trace.links);
    const { count, kind, from, to, sentSeconds, receivedSeconds } = await trace.readMessages(first, PAGE);
    for (let row = 0; row < count; row++) {
      if (kind[row] !== ofMessage || to[row] === NONE || Number.isNaN(receivedSeconds[row])) continue;
      const [sent, received] = [sentSeconds[row], receivedSeconds[row]];
      const sender = from[row] === NONE || Number.isNaN(sent) ? NONE : laneOf[from[row]];
      for (const lane of receivers[to[row]])
        for (const call of all[lane].calls.at(received)) {
          if (!RECEIVES.test(all[lane].names[all[lane].calls.name[call]])) continue;
          if (sender !== NONE) addLateReceiver(all, late[sender], sender, sent, lane, call);
          if (!(received <= (last[lane].get(call)?.received ?? Number.NEGATIVE_INFINITY)))
            last[lane].set(call, { call, sender, sent, received });
        }
    }
  }
  late.forEach((waits, lane) => appendAll(of[lane], waits.values()));
  const unknown = await addLateSenders(trace, all, last, of, task);
  if (unknown > 0) missing.push("of some messages the sending is not recorded");
  return unknown;
}

/** A send that did not return before its receiver had begun. */
function addLateReceiver(
  all: readonly LaneCalls[],
  late: Map<number, Wait>,
  sender: number,
  sent: number,
  receiver: number,
  call: number,
): void {
  const [own, other] = [all[sender], all[receiver]];
  if (!BLOCKING_RECEIVE.test(other.names[other.calls.name[call]])) return;
  const begun = other.calls.start[call];
  for (const at of own.calls.at(sent)) {
    const { start, end, event, name } = own.calls;
    if (!BLOCKING_SEND.test(own.names[name[at]])) continue;
    if (!(begun > start[at] && begun <= end[at]) || (late.get(at)?.untilSeconds ?? start[at]) >= begun) continue;
    late.set(at, {
      ...{ kind: "late receiver", lane: sender, event: event[at], startSeconds: start[at], untilSeconds: begun },
      ...{ causeLane: receiver, causeEvent: other.calls.event[call] },
    });
  }
}

/** Of each call the message that arrived last: its sender was late where the call that sent it began after the wait did. */
async function addLateSenders(
  trace: Trace,
  all: readonly LaneCalls[],
  last: readonly ReadonlyMap<number, Arrival>[],
  of: Wait[][],
  task: Task,
): Promise<number> {
  let unknown = 0;
  const bySender = new Map<number, { readonly lane: number; readonly arrival: Arrival }[]>();
  last.forEach((arrivals, lane) => {
    for (const arrival of arrivals.values()) {
      const { sender } = arrival;
      if (sender === NONE) unknown++;
      else entryOf(bySender, sender, () => []).push({ lane, arrival });
    }
  });
  for (const [sender, arrivals] of bySender) {
    arrivals.sort((a, b) => a.arrival.sent - b.arrival.sent);
    let next = 0;
    const take = ({ start, event }: { readonly start: number; readonly event: number } | Record<string, never>) => {
      const { lane, arrival } = arrivals[next++];
      const { calls } = all[lane];
      const began = start ?? arrival.sent;
      const waited = calls.start[arrival.call];
      const until = Math.min(began, calls.end[arrival.call]);
      if (until <= waited) return;
      of[lane].push({
        ...{ kind: "late sender", lane, event: calls.event[arrival.call], startSeconds: waited },
        untilSeconds: until,
        ...{ causeLane: sender, causeEvent: event ?? NONE },
      });
    };
    const moment = () => arrivals.at(next)?.arrival.sent;
    await eachInnermost(trace, sender, moment, take, task);
  }
  return unknown;
}

/**
 * What a lane is in at ascending moments: the last event to begin of those that have begun and not ended, as `runningEvents` says.
 *
 * @param moment the next one; undefined: there is none
 * @param take gets the event for it, or nothing, and goes on to the next moment
 */
async function eachInnermost(
  trace: Trace,
  lane: number,
  moment: () => number | undefined,
  take: (event: { readonly start: number; readonly event: number } | Record<string, never>) => void,
  task: Task,
): Promise<void> {
  const open: { readonly start: number; readonly end: number; readonly event: number }[] = [];
  const takeUntil = (until: number) => {
    for (let seconds = moment(); seconds !== undefined && seconds < until; seconds = moment()) {
      while (open.length > 0 && open[open.length - 1].end <= seconds) open.pop();
      take(open.at(-1) ?? {});
    }
  };
  for (let first = 0; moment() !== undefined && first < trace.lanes[lane].events; first += PAGE) {
    task.check();
    const { count, startSeconds, endSeconds } = await trace.readEvents(lane, first, PAGE);
    for (let row = 0; row < count; row++) {
      takeUntil(startSeconds[row]);
      while (open.length > 0 && open[open.length - 1].end <= startSeconds[row]) open.pop();
      open.push({ start: startSeconds[row], end: endSeconds[row], event: first + row });
    }
  }
  takeUntil(Number.POSITIVE_INFINITY);
}

/** By resource: the lanes that are it or within it, in which what is sent to it arrives. */
function lanesOfReceivers({ topology }: DataSet, trace: Trace): readonly (readonly number[])[] {
  const resources = topology?.resources ?? [];
  const lanes: number[][] = resources.map(() => []);
  trace.lanes.forEach(({ resource }, lane) => {
    for (let at = resource; at !== NONE; at = resources[at].parent) lanes[at].push(lane);
  });
  return lanes;
}
