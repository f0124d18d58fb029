/**
 * A window of a trace in Chrome's Trace Event Format, as Perfetto and chrome://tracing read it, and as `formats/chrome` does: events cut at the
 * window's sides (ph X, i), messages and launches within it as flows (s, f), counters (C), and what processes and lanes are called (M).
 */
import type { DataSet } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import { eventKinds } from "../../model/eventKinds";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { messageKinds, type Trace } from "../../model/trace";
import { type EventStates, stateNumbers } from "./eventStates";
import { eachEventIn } from "./eventsInWindow";
import { firstMessage, laneOfResource, messageReach } from "./timeline";

/** A file with more of them is too large for a text, and for who wants to look at it. */
const MOST_EVENTS = 500_000;
const PAGE = 1 << 14;
/** Up to so many seconds times are picoseconds, beyond it nanoseconds: whole numbers that a double has room for. */
const MOST_PICOSECONDS = 1000;

export interface ChromeWindow {
  readonly text: string;
  /** Events, flows and points of counters in it. */
  readonly events: number;
  readonly flows: number;
  readonly points: number;
  /** Messages under way in the window that were sent before it or arrive after it, or of which one side has no lane: they are left out. */
  readonly cutFlows: number;
}

/** @throws RequestError where there is more in the window than a file should have */
export async function chromeWindow(
  dataSet: DataSet,
  trace: Trace,
  states: EventStates,
  window: { readonly lanes: readonly number[]; readonly fromSeconds: number; readonly toSeconds: number },
  task: Task,
): Promise<ChromeWindow> {
  const writer = new Writer(dataSet, trace, states, window);
  for (const [at, lane] of window.lanes.entries()) {
    task.progress((0.8 * at) / window.lanes.length);
    await writer.lane(lane, task);
  }
  await writer.flows(task);
  await writer.counters(task);
  return writer.finish();
}

class Writer {
  private readonly lines: string[] = [];
  private readonly pids = new Map<number, number>();
  /** Steps of the times that are written, in a microsecond. */
  private readonly steps: number;
  private readonly from: number;
  private readonly to: number;
  private readonly lanes: ReadonlySet<number>;
  private readonly stateOf: (frame: number, category: number) => number;
  private counts = { events: 0, flows: 0, points: 0, cutFlows: 0 };

  constructor(
    private readonly dataSet: DataSet,
    private readonly trace: Trace,
    private readonly states: EventStates,
    {
      lanes,
      fromSeconds,
      toSeconds,
    }: { readonly lanes: readonly number[]; readonly fromSeconds: number; readonly toSeconds: number },
  ) {
    this.from = Math.max(fromSeconds, trace.startSeconds);
    this.to = Math.min(toSeconds, trace.endSeconds);
    this.lanes = new Set(lanes);
    this.stateOf = stateNumbers(trace, states.of);
    this.steps = trace.endSeconds - trace.startSeconds <= MOST_PICOSECONDS ? 1e6 : 1e3;
  }

  async lane(lane: number, task: Pick<Task, "check">): Promise<void> {
    const { trace, from, to } = this;
    const { name, kind, resource } = trace.lanes[lane];
    const [pid, tid] = [this.pid(resource), lane + 1];
    this.write({ ph: "M", name: "thread_name", pid, tid, args: { name } });
    this.write({ ph: "M", name: "thread_sort_index", pid, tid, args: { sort_index: lane } });
    // What lasts no time at the end of the run is a part of it, too.
    const end = to >= trace.endSeconds ? Infinity : to;
    await eachEventIn(trace, lane, { from, to: end }, task, (events, at) => {
      this.count("events");
      const { startSeconds, endSeconds, frame, category } = events;
      const state = this.states.states[this.stateOf(frame[at], category[at])];
      const [begun, ended] = [Math.max(from, startSeconds[at]), Math.min(to, endSeconds[at])].map((one) =>
        this.stepsTo(one),
      );
      const ts = begun / this.steps;
      const event = { name: state.name === "" ? "(no name)" : state.name, cat: CATEGORIES[state.kind], pid, tid, ts };
      if (kind === "instants") this.write({ ph: "i", s: "t", ...event });
      else this.write({ ph: "X", ...event, dur: (ended - begun) / this.steps });
    });
  }

  /** Messages and launches that are sent and arrive in the window, between lanes that are written. */
  async flows(task: Pick<Task, "check">): Promise<void> {
    const { trace, from, to } = this;
    const laneOf = laneOfResource(this.dataSet, trace);
    const laneAt = (resource: number) => (resource === NONE ? NONE : laneOf[resource]);
    const { after, before } = await messageReach(trace, task);
    for (let first = await firstMessage(trace, from - after); first < trace.links; first += PAGE) {
      task.check();
      const page = await trace.readMessages(first, PAGE);
      for (let at = 0; at < page.count; at++) {
        const [sent, received] = [page.sentSeconds[at], page.receivedSeconds[at]];
        if (sent > to + before) return;
        // Where clocks differ, a message may arrive before it was sent.
        if ((sent > to && !(received <= to)) || (sent < from && received < from)) continue;
        const kind = messageKinds[page.kind[at]];
        if (kind === "collective") continue;
        const lanes = [laneAt(page.from[at]), laneAt(page.to[at])];
        const isWithin = (seconds: number) => seconds >= from && seconds <= to;
        const isWhole = isWithin(sent) && isWithin(received) && lanes.every((lane) => this.lanes.has(lane));
        if (!isWhole) {
          this.counts.cutFlows++;
          continue;
        }
        this.count("flows");
        const bytes = page.bytes[at];
        const flow = { name: kind, cat: kind, id: this.counts.flows };
        const [sender, receiver] = lanes.map((lane) => ({ pid: this.pid(trace.lanes[lane].resource), tid: lane + 1 }));
        const args = Number.isNaN(bytes) ? {} : { args: { bytes } };
        this.write({ ph: "s", ...flow, ...sender, ts: this.micros(sent), ...args });
        this.write({ ph: "f", bp: "e", ...flow, ...receiver, ts: this.micros(received) });
      }
    }
  }

  /** Points of all counters, each begun by the level that holds when the window begins. */
  async counters(task: Pick<Task, "check">): Promise<void> {
    const { trace, from, to } = this;
    for (const [counter, { name, unit, resource, points }] of trace.counters.entries()) {
      const event = {
        ph: "C",
        name:
          unit === "" || unit === "1"
            ? this.counterName(name, resource)
            : `${this.counterName(name, resource)} [${unit}]`,
        pid: this.pid(resource),
      };
      const point = (seconds: number, value: number) => {
        this.count("points");
        this.write({ ...event, ts: this.micros(seconds), args: { value } });
      };
      let before: number | undefined;
      for (let first = 0; first < points; first += PAGE) {
        task.check();
        const page = await trace.readCounter(counter, first, PAGE);
        for (let at = 0; at < page.count; at++) {
          const [seconds, value] = [page.seconds[at], page.value[at]];
          if (seconds > to) break;
          if (!Number.isFinite(value)) continue;
          if (seconds < from) before = value;
          else {
            if (before !== undefined && seconds > from) point(from, before);
            before = undefined;
            point(seconds, value);
          }
        }
      }
      if (before !== undefined) point(from, before);
    }
  }

  finish(): ChromeWindow {
    const { dataSet, trace, from, to } = this;
    const head = {
      displayTimeUnit: "ns",
      otherData: { recording: dataSet.name, from_seconds: from, to_seconds: to, zero_seconds: trace.startSeconds },
    };
    const text = `${JSON.stringify(head).slice(0, -1)},"traceEvents":[\n${this.lines.join(",\n")}\n]}\n`;
    return { text, ...this.counts };
  }

  private write(event: Readonly<Record<string, unknown>>): void {
    this.lines.push(JSON.stringify(event));
  }

  private count(what: "events" | "flows" | "points"): void {
    this.counts[what]++;
    const { events, flows, points } = this.counts;
    if (events + flows + points > MOST_EVENTS)
      throw new RequestError(
        `This window has more than ${MOST_EVENTS.toLocaleString("en")} events, messages and points of counters: zoom in, or show fewer lanes.`,
      );
  }

  /**
   * Since the run began, in whole steps: an event's start and duration are decimals that add up to its end exactly, so that what ends with the
   * event around it does so for who reads the file as well.
   */
  private stepsTo(seconds: number): number {
    return Math.round((seconds - this.trace.startSeconds) * 1e6 * this.steps);
  }

  private micros(seconds: number): number {
    return this.stepsTo(seconds) / this.steps;
  }

  /** Of the outermost resource: a process, or a machine. */
  private pid(resource: number): number {
    const resources = this.dataSet.topology?.resources ?? [];
    let root = resource;
    while (root !== NONE && resources[root].parent !== NONE) root = resources[root].parent;
    const known = this.pids.get(root);
    if (known !== undefined) return known;
    const pid = this.pids.size + 1;
    this.pids.set(root, pid);
    const name = root === NONE ? this.dataSet.name : resources[root].name;
    this.write({ ph: "M", name: "process_name", pid, tid: 0, args: { name } });
    return pid;
  }

  /** Within its process. */
  private counterName(name: string, resource: number): string {
    const resources = this.dataSet.topology?.resources ?? [];
    const within: string[] = [];
    for (let at = resource; at !== NONE && resources[at].parent !== NONE; at = resources[at].parent)
      within.unshift(resources[at].name);
    return [...within, name].join(" ");
  }
}

/** Words that `formats/chrome` knows the kind by. */
const CATEGORIES = eventKinds.map((kind) => (kind === "GPU" ? "gpu_computing" : kind));
