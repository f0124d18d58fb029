/** Joins begins and ends of events in the order of time, for readers that cannot join them in the order of the file. */
import { entryOf } from "../../model/maps";
import type { RowOrder } from "./rows";

/** A kind of events with missing ends: ends that the reader could not join to a begin. */
export interface MatchedKind {
  readonly lane: number;
  /** Undefined if no event of the kind was reported yet. */
  readonly frame?: number;
  /** Undefined if events of any context count. */
  readonly context?: number;
}

/** End of a row that stands for a missing end and not for an event. */
export const MISSING_END = Number.NEGATIVE_INFINITY;

/** Order of `eventOrder`, for rows of events and missing ends. At equal times missing ends come first. */
export function rematchOrder(lanes: number): RowOrder {
  return {
    groups: lanes,
    tie: (a, i, b, j) => {
      const [one, other] = [a.f64[1][i], b.f64[1][j]];
      return Number(other === MISSING_END) - Number(one === MISSING_END) || other - one || 0;
    },
  };
}

/** Receives the end of an event. @param event the number that {@link EventKind.begin} received */
type TakeEnd = (event: number, endSeconds: number) => void;

/** All begins and ends of the events of one kind, in the order of time. */
export class EventKind {
  /** Seconds of the ends to come, latest first. */
  private readonly ends: number[] = [];
  private readonly open: number[] = [];

  /** Adds an end. Times ascend; at equal times ends are added before begins. */
  end(endSeconds: number, take: TakeEnd): void {
    this.endUntil(endSeconds, take);
    this.addEnd(endSeconds);
  }

  /**
   * Adds the begin of an event, and gives ends to events that end before it. Begins ascend in time.
   *
   * @param reportedEnd seconds of the end that was reported with the event, which may belong to another event of the kind; NaN if none
   */
  begin(event: number, startSeconds: number, reportedEnd: number, take: TakeEnd): void {
    if (!Number.isNaN(reportedEnd)) this.addEnd(reportedEnd);
    this.endUntil(startSeconds, take);
    this.open.push(event);
  }

  /** Gives the remaining ends to the open events, after the last begin. */
  finish(take: TakeEnd): void {
    this.endUntil(Number.POSITIVE_INFINITY, take);
  }

  private addEnd(seconds: number): void {
    let place = this.ends.length;
    while (place > 0 && this.ends[place - 1] < seconds) place--;
    this.ends.splice(place, 0, seconds);
  }

  /** Ends open events up to a time. An end at that very time stays for the event that begins then, if no event is open. */
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

  constructor(matched: readonly MatchedKind[]) {
    for (const { lane, frame, context } of matched) {
      if (frame === undefined) continue;
      const frames = entryOf(this.kinds, lane, () => new Map<number, Map<number | undefined, EventKind>>());
      const contexts = entryOf(frames, frame, () => new Map<number | undefined, EventKind>());
      // Attributes may share a kind.
      entryOf(contexts, context, () => new EventKind());
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
