/** What encloses what in a lane, and which event is the innermost one at each moment. */
import { widened } from "../../model/columns";

/** Gets time of the innermost event, in ascending order. @param depth how many events enclose it */
export type Spend = (
  frame: number,
  category: number,
  fromSeconds: number,
  toSeconds: number,
  number: number,
  depth: number,
) => void;

/**
 * Goes through the events of one lane by ascending start (of equal starts the longer one first).
 *
 * An event encloses those that start after it, while it runs, and end no later than it. Where one starts inside another and
 * outlasts it (tools write such recordings), the earlier one encloses nothing from there on: the later one is the innermost
 * until its own end. So what may still enclose something is a stack whose ends descend towards its top.
 */
export class LaneSweep {
  /** Time that some event covered so far, each moment once. */
  covered = 0;
  private height = 0;
  private cursor = 0;
  private ends = new Float64Array(64);
  private frames = new Int32Array(64);
  private categories = new Uint8Array(64);
  private numbers = new Int32Array(64);

  constructor(private readonly spend: Spend) {}

  begin(): void {
    this.height = 0;
    this.covered = 0;
    this.cursor = Number.NEGATIVE_INFINITY;
  }

  /**
   * @param number of the event, for what is spent
   * @returns the number of events that enclose this one
   */
  event(startSeconds: number, endSeconds: number, frame: number, category: number, number: number): number {
    this.spendUntil(startSeconds);
    // What ended before was taken off; what ends inside this event is crossed by it.
    while (this.height > 0 && this.ends[this.height - 1] < endSeconds) this.height--;
    const depth = this.height;
    if (endSeconds > startSeconds) this.push(endSeconds, frame, category, number);
    return depth;
  }

  end(): void {
    this.spendUntil(Number.POSITIVE_INFINITY);
  }

  private spendUntil(seconds: number): void {
    while (this.height > 0) {
      const top = this.height - 1;
      const until = this.ends[top] < seconds ? this.ends[top] : seconds;
      if (until > this.cursor) {
        this.covered += until - this.cursor;
        this.spend(this.frames[top], this.categories[top], this.cursor, until, this.numbers[top], top);
        this.cursor = until;
      }
      if (this.ends[top] > seconds) break;
      this.height = top;
    }
    if (seconds > this.cursor) this.cursor = seconds;
  }

  private push(endSeconds: number, frame: number, category: number, number: number): void {
    if (this.height === this.ends.length) {
      this.numbers = widened(this.numbers);
      this.ends = widened(this.ends);
      this.frames = widened(this.frames);
      this.categories = widened(this.categories);
    }
    this.ends[this.height] = endSeconds;
    this.frames[this.height] = frame;
    this.numbers[this.height] = number;
    this.categories[this.height++] = category;
  }
}
