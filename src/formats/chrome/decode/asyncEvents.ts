import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import type { TraceSink } from "../../trace/traceSink";
import { secondsOf } from "./clock";
import { OpenEvents } from "./openEvents";

/** Ids that get lanes of their own; further ones share one lane per category. */
const MOST_LANES = 200;

interface Track {
  readonly key: string;
  readonly lane: () => number;
  readonly marks: () => number;
  open: OpenEvents | undefined;
}

interface Lanes {
  lane: number;
  marks: number;
}

/**
 * Asynchronous events (`b`, `n`, `e`, and the older `S`, `T`, `p`, `F`): those of one category and id nest among themselves, whichever
 * threads they were recorded on, and have a lane of their own.
 */
export class AsyncEvents {
  private readonly lanes = new Map<string, Lanes>();
  /** Ids with events that are open now. */
  private readonly tracks = new Map<string, Track>();
  private unmatched = 0;

  constructor(private readonly sink: TraceSink) {}

  track(resource: number, category: number, id: number, heading: () => string, idText: () => string): Track {
    const key = `${resource} ${category} ${id}`;
    const known = this.tracks.get(key);
    if (known) return known;
    let lanes = this.lanes.get(key);
    let name = () => `${heading()} ${idText()}`;
    if (lanes === undefined && this.lanes.size >= MOST_LANES) {
      const shared = `${resource} ${this.lanes.size < 2 * MOST_LANES ? category : ""}`;
      name = () => `${heading()}, further ids`;
      lanes = this.lanes.get(shared);
      if (lanes === undefined) this.lanes.set(shared, (lanes = { lane: NONE, marks: NONE }));
    } else if (lanes === undefined) this.lanes.set(key, (lanes = { lane: NONE, marks: NONE }));
    const own = lanes;
    const start = { resource, location: NONE };
    return {
      key,
      open: undefined,
      lane: () =>
        own.lane === NONE ? (own.lane = this.sink.lane({ ...start, name: name(), kind: "intervals" })) : own.lane,
      marks: () =>
        own.marks === NONE
          ? (own.marks = this.sink.lane({ ...start, name: `${name()}: marks`, kind: "instants" }))
          : own.marks,
    };
  }

  begin(track: Track, name: number, microseconds: number, frame: number, category: number): void {
    track.open ??= new OpenEvents();
    this.tracks.set(track.key, track);
    const lane = track.lane();
    const event = this.sink.begin(lane, secondsOf(microseconds), frame, NONE, category);
    track.open.begin(name, microseconds, event, lane);
  }

  end(track: Track, name: number, microseconds: number): void {
    track.open ??= new OpenEvents();
    const event = track.open.end(name, microseconds);
    if (event !== undefined) this.sink.end(event.event, secondsOf(microseconds), event.lane);
    if (track.open.isEmpty) this.tracks.delete(track.key);
    else this.tracks.set(track.key, track);
  }

  mark(track: Track, seconds: number, frame: number, category: number): void {
    this.sink.event(track.marks(), seconds, seconds, frame, NONE, category);
  }

  finish(lastSeconds: number, task: Pick<Task, "check">): { unfinished: number; unmatched: number } {
    let unfinished = 0;
    let tracks = 0;
    for (const { open } of this.tracks.values()) {
      if (++tracks % 1024 === 0) task.check();
      const rest = open?.finish(
        ({ event, lane }, microseconds) => this.sink.end(event, secondsOf(microseconds), lane),
        task,
      );
      if (rest === undefined) continue;
      for (const { event, lane } of rest.unfinished) this.sink.end(event, lastSeconds, lane);
      unfinished += rest.unfinished.length;
      this.unmatched += rest.unmatched;
    }
    return { unfinished, unmatched: this.unmatched };
  }
}
