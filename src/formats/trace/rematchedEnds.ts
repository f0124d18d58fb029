/** Ends of events that were reported in an order from which it did not follow which event they end. */
import { entryOf } from "../../model/maps";

/** Ends that belong to events of one kind, but were not reported of any of them. */
export interface MissingEnds {
  readonly lane: number;
  readonly frame: number;
  /** Undefined if the events differ in their contexts. */
  readonly context: number | undefined;
  readonly seconds: readonly number[];
}

/** Takes the end of an event. @param event as it was given to {@link EventKind.begin} */
type TakeEnd = (event: number, endSeconds: number) => void;

/** All begins and ends of the events of one kind, in the order of time. */
export class EventKind {
  /** Seconds of the ends that come next, latest first. */
  private readonly ends: number[];
  private readonly open: number[] = [];

  constructor(missing: readonly number[]) {
    this.ends = [...missing].sort((a, b) => b - a);
  }

  /**
   * An event begins: the events that end before it are known. No earlier begin follows.
   *
   * @param reportedEnd seconds at which this or another event of the kind ends, NaN if none was reported
   */
  begin(event: number, startSeconds: number, reportedEnd: number, take: TakeEnd): void {
    if (!Number.isNaN(reportedEnd)) this.addEnd(reportedEnd);
    this.endUntil(startSeconds, take);
    this.open.push(event);
  }

  /** All events have begun. */
  finish(take: TakeEnd): void {
    this.endUntil(Number.POSITIVE_INFINITY, take);
  }

  private addEnd(seconds: number): void {
    let place = this.ends.length;
    while (place > 0 && this.ends[place - 1] < seconds) place--;
    this.ends.splice(place, 0, seconds);
  }

  /** At equal times an open event ends before another one begins, and one that begins there may end there. */
  private endUntil(seconds: number, take: TakeEnd): void {
    for (let end = this.ends.at(-1); end !== undefined && end <= seconds; end = this.ends.at(-1)) {
      if (end === seconds && this.open.length === 0) return;
      const event = this.open.pop();
      if (event !== undefined) take(event, end);
      this.ends.pop();
    }
  }
}

/** The kinds of events for which ends are missing. */
export class RematchedKinds {
  private readonly kinds = new Map<number, Map<number, Map<number | undefined, EventKind>>>();

  constructor(missing: readonly MissingEnds[]) {
    for (const { lane, frame, context, seconds } of missing) {
      const frames = entryOf(this.kinds, lane, () => new Map<number, Map<number | undefined, EventKind>>());
      const contexts = entryOf(frames, frame, () => new Map<number | undefined, EventKind>());
      contexts.set(context, new EventKind(seconds));
    }
  }

  of(lane: number, frame: number, context: number): EventKind | undefined {
    const contexts = this.kinds.get(lane)?.get(frame);
    return contexts?.get(context) ?? contexts?.get(undefined);
  }

  *all(): Generator<EventKind> {
    for (const frames of this.kinds.values()) for (const contexts of frames.values()) yield* contexts.values();
  }
}
