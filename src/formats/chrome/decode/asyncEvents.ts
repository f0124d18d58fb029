import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import type { LaneStart, TraceSink } from "../../trace/traceSink";
import { secondsOf } from "./clock";
import { OpenEvents } from "./openEvents";

/** Lanes of a file, and categories that have their own; what needs more shares one per category, or per process. */
const MOST_LANES = 200;

interface AsyncLane {
  readonly lane: number;
  /** Some id has open events there; of the shared one this says nothing. */
  isTaken: boolean;
  /** When the last event there ended. */
  freeFrom: number;
}

/** What asynchronous events of one category of a process have in common. */
interface Group {
  readonly resource: number;
  readonly name: string;
  readonly lanes: AsyncLane[];
  shared: AsyncLane | undefined;
  marks: number;
}

/** Events of one category and id of a process that are open, or wait for others. */
interface Track {
  readonly key: string;
  readonly group: Group;
  open: OpenEvents;
  lane: AsyncLane | undefined;
}

/**
 * Asynchronous events (`b`, `n`, `e`, and the older `S`, `T`, `p`, `F`): those of one category and id nest among themselves, whichever
 * threads they were recorded on. Ids of a category have lanes one after the other: as many as there are at one time.
 */
export class AsyncEvents {
  private readonly groups = new Map<string, Group>();
  private readonly tracks = new Map<string, Track>();
  private lanes = 0;

  constructor(private readonly sink: TraceSink) {}

  track(resource: number, category: number, id: number, name: () => string): Track {
    const key = `${resource} ${category} ${id}`;
    const known = this.tracks.get(key);
    if (known) return known;
    const group = this.groups.get(`${resource} ${category}`) ?? this.newGroup(resource, category, name);
    return { key, group, open: new OpenEvents(), lane: undefined };
  }

  begin(track: Track, name: number, microseconds: number, frame: number, category: number): void {
    this.tracks.set(track.key, track);
    const { lane } = (track.lane ??= this.laneFrom(microseconds, track.group));
    const event = this.sink.begin(lane, secondsOf(microseconds), frame, NONE, category);
    track.open.begin(name, microseconds, event, lane);
  }

  end(track: Track, name: number, microseconds: number): void {
    const event = track.open.end(name, microseconds);
    if (event !== undefined) this.sink.end(event.event, secondsOf(microseconds), event.lane);
    const { lane } = track;
    if (lane !== undefined) lane.freeFrom = Math.max(lane.freeFrom, microseconds);
    if (!track.open.isEmpty) this.tracks.set(track.key, track);
    else {
      this.tracks.delete(track.key);
      if (lane !== undefined) lane.isTaken = false;
    }
  }

  mark(track: Track, seconds: number, frame: number, category: number): void {
    const { group } = track;
    if (group.marks === NONE) group.marks = this.declare(group, `${group.name}: marks`, "instants");
    this.sink.event(group.marks, seconds, seconds, frame, NONE, category);
  }

  finish(lastSeconds: number, task: Pick<Task, "check">): { unfinished: number; unmatched: number } {
    let [unfinished, unmatched] = [0, 0];
    let tracks = 0;
    for (const { open } of this.tracks.values()) {
      if (++tracks % 1024 === 0) task.check();
      const rest = open.finish(
        ({ event, lane }, microseconds) => this.sink.end(event, secondsOf(microseconds), lane),
        task,
      );
      for (const { event, lane } of rest.unfinished) this.sink.end(event, lastSeconds, lane);
      unfinished += rest.unfinished.length;
      unmatched += rest.unmatched;
    }
    return { unfinished, unmatched };
  }

  private newGroup(resource: number, category: number, name: () => string): Group {
    const isFurther = this.groups.size >= MOST_LANES;
    const key = isFurther ? `${resource}` : `${resource} ${category}`;
    const known = this.groups.get(key);
    if (known !== undefined) return known;
    const called = isFurther ? `${name()} and further categories` : name();
    const group = { resource, name: called, lanes: [], shared: undefined, marks: NONE };
    this.groups.set(key, group);
    return group;
  }

  /** The first lane that is free by then. */
  private laneFrom(microseconds: number, group: Group): AsyncLane {
    const free = group.lanes.find(({ isTaken, freeFrom }) => !isTaken && freeFrom <= microseconds);
    if (free !== undefined) {
      free.isTaken = true;
      return free;
    }
    const { name, lanes } = group;
    const declared = (called: string): AsyncLane => {
      this.lanes++;
      return { lane: this.declare(group, called, "intervals"), isTaken: true, freeFrom: -Infinity };
    };
    if (this.lanes >= MOST_LANES) return (group.shared ??= declared(`${name}, further ids`));
    const own = declared(lanes.length === 0 ? name : `${name} (${lanes.length + 1})`);
    lanes.push(own);
    return own;
  }

  private declare({ resource }: Group, name: string, kind: LaneStart["kind"]): number {
    return this.sink.lane({ name, resource, location: NONE, kind });
  }
}
