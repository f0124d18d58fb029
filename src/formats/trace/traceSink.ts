import type { Resource, ResourceLink } from "../../model/resources";
import type { Task } from "../../model/task";
import type { CategoryKind, MessageKind } from "../../model/trace";

/**
 * A part of the reading that is handed every event, in the order of the recording: whatever is to be known of events is one more of
 * these, never one more pass. Numbers of lanes, categories, counters and directions are those of the {@link TraceSink}; begun and whole
 * events are numbered together, from 0. Times are times: what has none was left out before.
 */
export interface TraceConsumer extends Pick<TraceSink, "end" | "event" | "message" | "point" | "transfer"> {
  /** A lane was declared, the next one in number. */
  lane(): void;
  begin(lane: number, startSeconds: number, frame: number, context: number, category: number): void;
  /** Lanes and counters get new numbers, of which some become one: see `TraceBuilder.join`. */
  join?(laneOf: Int32Array, counterOf: Int32Array, task: Pick<Task, "check">): Promise<void>;
  /** Between pieces of input: cheap when there is nothing to do. */
  settle?(task: Pick<Task, "check">): Promise<void>;
  /** Reading was cancelled or failed, or all of it is used up. Once more does nothing. */
  discard?(): Promise<void>;
}

/** A lane as a reader declares it. */
export interface LaneStart {
  readonly name: string;
  /** What {@link TraceSink.resource} gave; NONE for none. */
  readonly resource: number;
  /** Index into the reader's own locations; NONE for none. */
  readonly location: number;
  readonly kind: "intervals" | "instants";
}

/**
 * What a reader tells of a trace, in the order it reads it. Numbers of frames, contexts and locations are the reader's own
 * (provisional) ones; they become final in `finishTrace`. Times are seconds on the reader's clock, to which a lane's shift is
 * added at the end. Nothing here waits for a disk: call {@link settle} between pieces of input.
 */
export interface TraceSink {
  resource(resource: Resource): number;
  resourceLink(link: ResourceLink): void;
  lane(lane: LaneStart): number;
  category(name: string, kind: CategoryKind): number;

  /**
   * Opens an event, which is on the path of its lane until it ends. Starts may come in any order.
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
   * Seconds that are added to every time of a lane at the end: ranks have clocks of their own (Caliper's starttime). What was
   * told of a lane's resource (sides of messages, counters), or of a resource around it, is on the same clock and is moved
   * with the first such lane.
   */
  shift(lane: number, seconds: number): void;

  /** Writes out what should not stay in memory; cheap when there is nothing. To be awaited once per piece of input. */
  settle(task?: Pick<Task, "check">): Promise<void>;
  /** Gives everything back, when reading was cancelled or failed. */
  discard(): Promise<void>;
}
