/** What runs in a lane at ascending moments, by the one rule of nesting (semantics 8). */
import { LaneSweep } from "../../formats/trace/laneSweep";
import { NONE } from "../../model/ids";

/** An event that runs. */
export interface RunningEvent {
  readonly frame: number;
  readonly number: number;
}

/**
 * The innermost event at moments, both its sides included: one that goes on or begins then, else one that ends then.
 *
 * Events are given by ascending start (of equal starts the longer one first), moments between them.
 */
export class InnermostEvents {
  /** The last event that took time, and until when. */
  private spentUntil = Number.NaN;
  private spent: RunningEvent | undefined;
  /** The last event without a length, and its moment. */
  private instantSeconds = Number.NaN;
  private instant: RunningEvent | undefined;
  private readonly sweep = new LaneSweep((frame, _category, _from, to, number) => {
    this.spentUntil = to;
    this.spent = { frame, number };
  });

  constructor() {
    this.sweep.begin();
  }

  /** @param number of the event: what its answer says */
  event(startSeconds: number, endSeconds: number, frame: number, number: number): void {
    this.sweep.event(startSeconds, endSeconds, frame, 0, number);
    if (endSeconds > startSeconds) return;
    this.instantSeconds = startSeconds;
    this.instant = { frame, number };
  }

  /** @param seconds no earlier than any moment or event before; those that begin then have been given */
  at(seconds: number): RunningEvent | undefined {
    const { sweep } = this;
    sweep.advance(seconds);
    if (this.instantSeconds === seconds) return this.instant;
    if (sweep.innermost !== NONE) return { frame: sweep.innermostFrame, number: sweep.innermost };
    return this.spentUntil === seconds ? this.spent : undefined;
  }
}
