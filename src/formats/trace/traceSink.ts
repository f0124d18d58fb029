import type { Resource, ResourceLink } from "../../model/resources";
import type { Task } from "../../model/task";
import type { CategoryKind, MessageKind } from "../../model/trace";

/**
 * Receives every event while a recording is read, in the order of the recording, so that no second pass is needed. Numbers of lanes,
 * categories, counters and directions are those of the {@link TraceSink}. Begun and whole events are numbered together, from 0. Events
 * without a time were left out before.
 */
export interface TraceConsumer extends Pick<TraceSink, "end" | "event" | "message" | "point" | "transfer"> {
  /** A lane was declared, the next one in number. */
  lane(): void;
  begin(lane: number, startSeconds: number, frame: number, context: number, category: number): void;
  /** Lanes and counters get new numbers, of which some become one: see `TraceBuilder.join`. */
  join?(laneOf: Int32Array, counterOf: Int32Array, task: Pick<Task, "check">): Promise<void>;
  /** Between pieces of input: cheap when there is nothing to do. */
  settle?(task: Pick<Task, "check">): Promise<void>;
  /** Releases everything, when reading was cancelled or failed, or the result is used up. A second call has no effect. */
  discard?(): Promise<void>;
}

/** A lane as a reader declares it. */
export interface LaneStart {
  readonly name: string;
  /** Number from {@link TraceSink.resource}; NONE if the lane has no resource. */
  readonly resource: number;
  /** Index into the reader's own locations; NONE if the lane has no location. */
  readonly location: number;
  readonly kind: "intervals" | "instants";
}

/**
 * Receives a trace from a reader, in the order of reading. Numbers of frames, contexts and locations are the reader's own
 * (provisional) ones; they become final in `finishTrace`. Times are seconds on the reader's clock, to which a lane's shift is
 * added at the end. No method except {@link settle} waits for the disk: call it between pieces of input.
 */
export interface TraceSink {
  resource(resource: Resource): number;
  resourceLink(link: ResourceLink): void;
  lane(lane: LaneStart): number;
  category(name: string, kind: CategoryKind): number;

  /**
   * Opens an event, which is on the path of its lane until it ends. Starts may be reported in any order.
   *
   * @returns a handle for {@link end}
   */
  begin(lane: number, startSeconds: number, frame: number, context: number, category: number): number;
  /** Ends an opened event of this lane, once. An event that is never ended lasts to the end of the trace. */
  end(event: number, endSeconds: number, lane: number): void;
  /** A whole event, in any order; its depth follows from the events that are open when it begins. */
  event(lane: number, startSeconds: number, endSeconds: number, frame: number, context: number, category: number): void;

  /** A message whose sides are both known; NaN for a time or size that is not, NONE for a resource or tag that is not. */
  message(
    kind: MessageKind,
    from: number,
    to: number,
    sentSeconds: number,
    receivedSeconds: number,
    bytes: number,
    tag: number,
  ): void;

  /** @param grows as in {@link Counter} */
  counter(name: string, unit: string, resource: number, grows?: true): number;
  point(counter: number, seconds: number, value: number): void;

  transferDirection(name: string): number;
  transfer(transfer: {
    lane: number;
    startSeconds: number;
    endSeconds: number;
    bytes: number;
    direction: number;
    fromDevice: number;
    toDevice: number;
    bandwidth: number;
    frame: number;
    context: number;
  }): void;

  /**
   * Sets the seconds that are added to every time of a lane at the end: ranks have clocks of their own (Caliper's starttime). Messages
   * and counters of a lane's resource, or of a resource around it, are on the same clock. They are shifted as the first such lane.
   */
  shift(lane: number, seconds: number): void;

  /** Moves columns that are too large for memory to disk. Await it once per piece of input; it is cheap if there is nothing to do. */
  settle(task?: Pick<Task, "check">): Promise<void>;
  /** Releases everything, when reading was cancelled or failed. */
  discard(): Promise<void>;
}
