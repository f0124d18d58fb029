import { widened } from "../../model/columns";

/** First and last time per lane, resource or counter, on the reader's clock. NONE (-1) is a valid number. */
export class TimeSpans {
  private first = new Float64Array(16).fill(Number.POSITIVE_INFINITY);
  private last = new Float64Array(16).fill(Number.NEGATIVE_INFINITY);

  /** Adds a time; NaN is ignored. */
  add(number: number, seconds: number): void {
    const at = number + 1;
    if (at >= this.first.length) {
      this.first = widened(this.first, 2 * at, Number.POSITIVE_INFINITY);
      this.last = widened(this.last, 2 * at, Number.NEGATIVE_INFINITY);
    }
    if (seconds < this.first[at]) this.first[at] = seconds;
    if (seconds > this.last[at]) this.last[at] = seconds;
  }

  /** Adds the end of something whose begin was added. An end before the begin is ignored. */
  ended(number: number, seconds: number): void {
    if (seconds > this.last[number + 1]) this.last[number + 1] = seconds;
  }

  /** The same times with new numbers. Times that get the same number are joined. */
  renumbered(numberOf: Int32Array): TimeSpans {
    const joined = new TimeSpans();
    this.each((number, seconds) => joined.add(numberOf[number], seconds));
    return joined;
  }

  /** Whether a number has times. */
  has(number: number): boolean {
    const at = number + 1;
    return at < this.first.length && this.first[at] <= this.last[at];
  }

  /** @param take receives the first and the last time of each number that has times */
  each(take: (number: number, seconds: number) => void): void {
    for (let at = 0; at < this.first.length; at++) {
      if (!(this.first[at] <= this.last[at])) continue;
      take(at - 1, this.first[at]);
      take(at - 1, this.last[at]);
    }
  }
}

/** Times of messages, counters and transfers, on the reader's clock. The trace's zero must be known before any time is final. */
export class RecordedTimes {
  /** Per resource. */
  readonly sent = new TimeSpans();
  readonly received = new TimeSpans();
  /** Per counter. */
  points = new TimeSpans();
  /** Per lane. */
  transfers = new TimeSpans();

  /** @param laneOf new number of each lane @param counterOf new number of each counter */
  renumber(laneOf: Int32Array, counterOf: Int32Array): void {
    this.points = this.points.renumbered(counterOf);
    this.transfers = this.transfers.renumbered(laneOf);
  }
}
