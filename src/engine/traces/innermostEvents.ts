/** Innermost events of a lane at ascending moments, by the rule of nesting (semantics 8). */
import { LaneSweep } from "../../formats/trace/laneSweep";
import { NONE } from "../../model/ids";

/** An event that runs at a moment. */
export interface RunningEvent {
  readonly frame: number;
  readonly number: number;
}

/**
 * Finds the innermost event at moments. An event includes its start and its end. One that continues or begins at the moment comes before
 * one that ends then.
 *
 * Events are added by ascending start (of equal starts the longer one first). A moment is asked for after all events that start by then.
 */
export class InnermostEvents {
  /** The last event that was innermost for some time, and the end of that time. */
  private spentUntil = Number.NaN;
  private spent: RunningEvent | undefined;
  /** The last event without a duration, and its moment. */
  private instantSeconds = Number.NaN;
  private instant: RunningEvent | undefined;
  private readonly sweep = new LaneSweep((frame, _category, _from, to, number) => {
    this.spentUntil = to;
    this.spent = { frame, number };
  });

  constructor() {
    this.sweep.begin();
  }

  /** @param number returned by {@link at} for this event */
  event(startSeconds: number, endSeconds: number, frame: number, number: number): void {
    this.sweep.event(startSeconds, endSeconds, frame, 0, number);
    if (endSeconds > startSeconds) return;
    this.instantSeconds = startSeconds;
    this.instant = { frame, number };
  }

  /** @param seconds no earlier than any earlier argument; all events that begin by then have been added */
  at(seconds: number): RunningEvent | undefined {
    const { sweep } = this;
    sweep.advance(seconds);
    if (this.instantSeconds === seconds) return this.instant;
    if (sweep.innermost !== NONE) return { frame: sweep.innermostFrame, number: sweep.innermost };
    return this.spentUntil === seconds ? this.spent : undefined;
  }
}
