/**
 * Looks at random places of a timeline: its marks against an independent scan of all events of the lane. Where one event is, that event;
 * where a cluster is, its count, extent, the state with most time and that state's share.
 */
import { expect } from "vitest";
import type { TimelineMarks } from "../src/engine/api";
import type { LocalEngine } from "../src/engine/localEngine";
import type { EventColumns, Trace } from "../src/model/trace";

/** Of each format's recordings together. */
export const PROBES = 10_000;
/** So many of each recording are looked at. */
const LANES = 5;
const BLOCK = 64;

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly event: number;
}

interface Cluster {
  start: number;
  end: number;
  events: number;
  event: number;
  isLong: boolean;
  bin: number;
  seconds: Map<number, number>;
  counts: Map<number, number>;
  main: number;
}

/** What is innermost: of the events that run, the last one in order, from one start or end to the next. */
function innermost({ count, startSeconds, endSeconds }: EventColumns): Piece[] {
  const edges = new Float64Array([...startSeconds.subarray(0, count), ...endSeconds.subarray(0, count)]).sort();
  const running: number[] = [];
  const pieces: Piece[] = [];
  let next = 0;
  for (let edge = 0; edge + 1 < edges.length; edge++) {
    const [from, to] = [edges[edge], edges[edge + 1]];
    if (from === to) continue;
    // Those with an end that is over are left out when they come to the top: the list ascends in order of the events.
    while (next < count && startSeconds[next] <= from) running.push(next++);
    while (running.length > 0 && endSeconds[running[running.length - 1]] <= from) running.pop();
    const event = running.at(-1);
    if (event === undefined) continue;
    const last = pieces.at(-1);
    if (last?.event === event && last.end === from) pieces[pieces.length - 1] = { ...last, end: to };
    else pieces.push({ start: from, end: to, event });
  }
  return pieces;
}

function clustersOf(pieces: readonly Piece[], stateOf: (event: number) => number, step: number): Cluster[] {
  const spans: Cluster[] = [];
  for (const { start, end, event } of pieces) {
    const isLong = end - start >= step;
    const bin = Math.floor(start / step);
    let span = spans.at(-1);
    if (span === undefined || isLong || span.isLong || span.bin !== bin) {
      span = { start, end, events: 0, event, isLong, bin, seconds: new Map(), counts: new Map(), main: -1 };
      spans.push(span);
    }
    span.end = Math.max(span.end, end);
    span.events++;
    const state = stateOf(event);
    span.seconds.set(state, (span.seconds.get(state) ?? 0) + end - start);
    span.counts.set(state, (span.counts.get(state) ?? 0) + 1);
  }
  const joined: Cluster[] = [];
  for (const span of spans) {
    span.main = mainOf(span);
    const last = joined.at(-1);
    const isJoined =
      last !== undefined &&
      !last.isLong &&
      !span.isLong &&
      Math.floor(last.bin / BLOCK) === Math.floor(span.bin / BLOCK) &&
      last.main === span.main &&
      span.start - last.end < step;
    if (!isJoined) {
      joined.push(span);
      continue;
    }
    last.end = Math.max(last.end, span.end);
    last.events += span.events;
    for (const [state, seconds] of span.seconds) last.seconds.set(state, (last.seconds.get(state) ?? 0) + seconds);
  }
  return joined;
}

/** With most time, of equal ones with most events, of those the first by name: states are numbered so. */
function mainOf({ seconds, counts }: Cluster): number {
  const most = Math.max(...seconds.values());
  const equal = [...seconds].flatMap(([state, one]) => (one >= most * (1 - 1e-12) ? [state] : []));
  return equal.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b)[0];
}

function shareOf({ seconds, main }: Cluster): number {
  const all = [...seconds.values()].reduce((sum, one) => sum + one, 0);
  return all > 0 ? (seconds.get(main) ?? 0) / all : 1;
}

/** All that can be scanned of one lane, each row and step once. */
class LaneScan {
  private readonly known = new Map<string, readonly Cluster[]>();

  private constructor(
    readonly events: EventColumns,
    private readonly stateOf: (event: number) => number,
  ) {}

  static async of(trace: Trace, lane: number, stateNumber: (frame: number) => number) {
    const events = await trace.readEvents(lane, 0, trace.lanes[lane].events);
    return new LaneScan(events, (event) => stateNumber(events.frame[event]));
  }

  clusters(look: "depth" | "state", depth: number, step: number): readonly Cluster[] {
    const key = `${look} ${depth} ${step}`;
    const { count, startSeconds, endSeconds, depth: depths } = this.events;
    const ofDepth = () =>
      Array.from({ length: count }, (_, event) => event)
        .filter((event) => depths[event] === depth)
        .map((event) => ({ start: startSeconds[event], end: endSeconds[event], event }));
    const clusters =
      this.known.get(key) ?? clustersOf(look === "depth" ? ofDepth() : innermost(this.events), this.stateOf, step);
    this.known.set(key, clusters);
    return clusters;
  }
}

const isAt = (time: number, start: number, end: number) => start <= time && (time < end || time === start);

/** @returns how many marks were there in all */
export async function probe(engine: LocalEngine, dataSet: number, count: number, seed: number): Promise<number> {
  const { trace, frames } = await engine.withTrace(dataSet);
  if (!trace) throw new Error("no trace");
  const { states } = await engine.timelineFacts({ dataSet });
  const ofName = new Map<string, number[]>();
  states.forEach(({ name }, state) => ofName.set(name, [...(ofName.get(name) ?? []), state]));
  let random = (seed % 2147483646) + 1;
  const next = () => (random = (random * 48271) % 2147483647) / 2147483647;
  const scans = new Map<number, LaneScan>();
  let marked = 0;
  const filled = trace.lanes.flatMap(({ events }, lane) => (events > 0 ? [lane] : []));
  // A lane is scanned once for each step that it is looked at with: of few lanes there are more looks.
  const lanes = Array.from({ length: LANES }, () => filled[Math.floor(next() * filled.length)]);
  for (let done = 0; done < count; done++) {
    const lane = lanes[Math.floor(next() * lanes.length)];
    const scan = scans.get(lane) ?? (await LaneScan.of(trace, lane, stateNumber));
    scans.set(lane, scan);
    const span = trace.endSeconds - trace.startSeconds || 1;
    // Places where something is, and zooms down to a few events.
    const event = Math.floor(next() * scan.events.count);
    const [start, end] = [scan.events.startSeconds[event], scan.events.endSeconds[event]];
    const time = start + (end - start) * next() * 0.999;
    const pixelSeconds = (span / 1300) * 2 ** -(next() * Math.log2(Math.max(2, scan.events.count)) + 1);
    const look = next() < 0.5 ? "depth" : "state";
    const depth = scan.events.depth[event];
    const from = time - next() * 1300 * pixelSeconds;
    const marks = await engine.timelineMarks({
      dataSet,
      look,
      fromSeconds: from,
      toSeconds: from + 1300 * pixelSeconds,
      pixelSeconds,
      lanes: [{ lane, firstDepth: depth, depths: 1 }],
    });
    const isInstants = trace.lanes[lane].kind === "instants";
    const expected = scan
      .clusters(isInstants ? "depth" : look, isInstants ? 0 : depth, marks.stepSeconds)
      .filter((one) => isAt(time, one.start, one.end));
    const found = marksAt(marks, time);
    expect(found.map(({ mark }) => mark)).toEqual(
      expected.map(({ start, end, events, event: first, main }) => ({ start, end, events, event: first, state: main })),
    );
    found.forEach(({ share }, at) => expect(share).toBeCloseTo(shareOf(expected[at]), 9));
    marked += expected.length;
  }
  return marked;

  /** By the names that states are shown by: a name has one kind in these recordings. */
  function stateNumber(frame: number): number {
    const own = ofName.get(frame < 0 ? "" : frames.nameOf(frame as never)) ?? [];
    expect(own).toHaveLength(1);
    return own[0];
  }
}

function marksAt(marks: TimelineMarks, time: number) {
  return Array.from({ length: marks.count }, (_, at) => ({
    mark: {
      start: marks.startSeconds[at],
      end: marks.endSeconds[at],
      events: marks.events[at],
      event: marks.event[at],
      state: marks.state[at],
    },
    share: marks.share[at],
  })).filter(({ mark: { start, end } }) => isAt(time, start, end));
}
