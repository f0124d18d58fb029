import { NONE } from "../../model/ids";
import { location } from "../../model/locations";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { ProfileBuilder } from "../profileBuilder";
import { placeName, processName, threadName } from "../trace/placeNames";
import type { ContextRows } from "./contextRows";
import type { Start } from "./start";
import type { TrackerEvents } from "./trackerEvents";
import type { TrackerFile } from "./trackerFile";

const SUMMED = { additive: true, reducedOverRanks: false } as const;
const TIME = { ...SUMMED, unit: "s", kind: "time", divisor: 1e9 } as const;
const COUNT = { ...SUMMED, unit: "1", kind: "count" } as const;
const BYTES = { ...SUMMED, recordedName: "bytes", unit: "B", kind: "bytes" } as const;

/** What a file's references are in the profile of its run: frames, provisional contexts, locations of its threads and streams. */
export interface OwnNumbers {
  readonly frames: Int32Array;
  readonly contexts: Int32Array;
  readonly locations: Int32Array;
}

/** Calling contexts and sums of all files of a run. */
export class RunProfile {
  readonly builder = new ProfileBuilder();
  private readonly time = this.builder.metric({ ...TIME, name: "time", recordedName: "exclusive", ofEvents: true });
  private readonly calls = this.builder.metric({ ...COUNT, name: "calls", recordedName: "calls" });
  private readonly copied = this.builder.metric({ ...BYTES, name: "bytes copied" });
  private readonly sent = this.builder.metric({ ...BYTES, name: "bytes sent" });
  private readonly received = this.builder.metric({ ...BYTES, name: "bytes received" });
  private readonly collective = this.builder.metric({ ...BYTES, name: "bytes in collectives" });
  private readonly oneSided = this.builder.metric({ ...BYTES, name: "bytes put and got" });
  /** In the order of the file's sums. */
  private readonly sums = [
    this.calls,
    this.time,
    this.builder.metric({
      ...TIME,
      name: "waiting",
      recordedName: "waiting",
      description: "time in which the thread did not run on a core",
    }),
    this.builder.metric({ ...COUNT, name: "allocations", recordedName: "allocations" }),
    this.builder.metric({ ...BYTES, name: "bytes allocated", recordedName: "allocated" }),
    this.builder.metric({
      ...BYTES,
      name: "peak bytes",
      recordedName: "peak",
      additive: false,
      combine: "maximum" as const,
      description: "the most that one call, with all within it, had allocated and not freed",
    }),
  ];

  /** @param hasCost what recording has cost is a row of its own, where it was measured */
  add({ start, events, contexts, frames, cost }: TrackerFile, hasCost: boolean, task: Task): OwnNumbers {
    const { builder } = this;
    const costs = hasCost && cost !== undefined ? { cost, frames } : undefined;
    const locationOf = this.addThreads(start, events, contexts);
    const frameOf = frames.in(builder.frames);
    const lineOf = frames.linesIn(builder.frames);
    const contextOf = contexts.addToProfile(builder, frameOf, lineOf, { metrics: this.sums, locationOf }, task, costs);
    const { context, label } = events.references;
    const own = new Int32Array(context.length).fill(NONE);
    const framesOf = new Int32Array(context.length);
    for (let at = 0; at < context.length; at++) {
      const activity = events.devices.activities.get(at);
      if (activity !== undefined) {
        framesOf[at] = builder.frames.intern(activity.frame);
        own[at] = builder.tree.child(contextOf.get(activity.caller) ?? NONE, framesOf[at]);
        const place = builder.location(events.devices.placeOf(activity));
        builder.add(this.time, own[at], place, activity.nanoseconds);
        builder.add(this.calls, own[at], place, activity.count);
        if (activity.bytes > 0) builder.add(this.copied, own[at], place, activity.bytes);
        continue;
      }
      own[at] = contextOf.get(context[at]) ?? NONE;
      const isKnown = own[at] !== NONE;
      framesOf[at] = isKnown
        ? frameOf(contexts.frameOf(context[at]))
        : builder.frames.intern(events.regionNamed(label[at]));
      if (!isKnown) continue;
      const place = locationOf(contexts.threadOf(context[at]));
      for (const [metric, bytes] of [
        [this.copied, events.bytes.copied],
        [this.sent, events.bytes.sent],
        [this.received, events.bytes.received],
        [this.collective, events.bytes.collective],
        [this.oneSided, events.bytes.oneSided],
      ] as const)
        if (at < bytes.length && bytes.values[at] > 0) builder.add(metric, own[at], place, bytes.values[at]);
    }
    const streams = events.devices.locations(events.threads.size).map((place) => builder.location(place));
    const locations = [...events.threads.values()].map(({ id }) => locationOf(id));
    return { frames: framesOf, contexts: own, locations: Int32Array.from([...locations, ...streams]) };
  }

  /** The process's first thread is 0, others follow in the order of the operating system's numbers. @returns location by these */
  private addThreads(start: Start, events: TrackerEvents, contexts: ContextRows): (thread: number) => number {
    const ids = new Set([...contexts.threadNumbers(), ...[...events.threads.values()].map(({ id }) => id)]);
    const others = [...ids].filter((id) => id !== start.process).sort((a, b) => a - b);
    const numbers = new Map(others.map((id, at) => [id, at + 1]));
    const locations = new Map<number, number>();
    const { rank } = start;
    const at = (id: number) =>
      entryOf(locations, id, () => this.builder.location(location({ rank, thread: numbers.get(id) ?? 0 })));
    let own = 0;
    for (const thread of events.threads.values()) {
      const place = location({ rank, thread: numbers.get(thread.id) ?? 0 });
      const name = events.names.get(thread.id);
      thread.resource.name = name ?? `thread ${place.thread}`;
      const whole = ids.size === 1 ? processName(rank) : placeName(place);
      thread.declared.name = name === undefined ? whole : threadName(processName(rank), name);
      thread.resource.location = thread.declared.location = own++;
    }
    return at;
  }
}
