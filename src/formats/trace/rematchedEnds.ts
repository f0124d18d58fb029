/** Ends of events that were reported in an order from which it did not follow which event they end. */
import { entryOf } from "../../model/maps";
import type { RowOrder } from "./rows";

/** Events of one kind, for which ends are missing: they were not reported of any event. */
export interface MatchedKind {
  readonly lane: number;
  /** Undefined before the first event: there is no such kind. */
  readonly frame?: number;
  /** Undefined if the events differ in their contexts. */
  readonly context?: number;
}

/** End of a row that is a missing end, and no event. */
export const MISSING_END = Number.NEGATIVE_INFINITY;

/** As `eventOrder`, for events with missing ends between them: these come before the events of their time. */
export function rematchOrder(lanes: number): RowOrder {
  return {
    groups: lanes,
    tie: (a, i, b, j) => {
      const [one, other] = [a.f64[1][i], b.f64[1][j]];
      return Number(other === MISSING_END) - Number(one === MISSING_END) || other - one || 0;
    },
  };
}

/** Takes the end of an event. @param event as it was given to {@link EventKind.begin} */
type TakeEnd = (event: number, endSeconds: number) => void;

/** All begins and ends of the events of one kind, in the order of time. */
export class EventKind {
  /** Seconds of the ends that come next, latest first. */
  private readonly ends: number[] = [];
  private readonly open: number[] = [];

  /** One of the events ends. No earlier begin or end follows, and what begins at this time follows all ends. */
  end(endSeconds: number, take: TakeEnd): void {
    this.endUntil(endSeconds, take);
    this.addEnd(endSeconds);
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
