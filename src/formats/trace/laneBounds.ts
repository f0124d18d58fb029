import { widened } from "../../model/columns";
import type { Rows } from "./rows";

/** What is known of each lane while its events are reported, in its own clock: how many events, from when to when, how many unfinished. */
export class LaneBounds {
  private lanes = 0;
  events = new Float64Array(16);
  first = new Float64Array(16);
  last = new Float64Array(16);
  open = new Int32Array(16);

  add(): void {
    if (this.lanes === this.events.length) {
      this.events = widened(this.events);
      this.first = widened(this.first);
      this.last = widened(this.last);
      this.open = widened(this.open);
    }
    this.first[this.lanes] = Number.POSITIVE_INFINITY;
    this.last[this.lanes++] = Number.NEGATIVE_INFINITY;
  }

  started(lane: number, seconds: number): void {
    this.events[lane]++;
    if (seconds < this.first[lane]) this.first[lane] = seconds;
    if (seconds > this.last[lane]) this.last[lane] = seconds;
  }

  ended(lane: number, seconds: number): void {
    if (seconds > this.last[lane]) this.last[lane] = seconds;
  }

  /** Ends an event that is still open; a second end changes nothing. */
  end(events: Rows, at: number, seconds: number): void {
    const ends = events.f64[1];
    if (!Number.isNaN(ends[at])) return;
    const start = events.f64[0][at];
    const lane = events.i32[0][at];
    ends[at] = seconds < start ? start : seconds;
    this.open[lane]--;
    this.ended(lane, ends[at]);
  }

  /** @param laneOf new number of each lane; lanes with one number are joined */
  join(laneOf: Int32Array): void {
    const { events, first, last, open } = this;
    this.lanes = 0;
    [this.events, this.first] = [new Float64Array(16), new Float64Array(16)];
    [this.last, this.open] = [new Float64Array(16), new Int32Array(16)];
    laneOf.forEach((lane, own) => {
      while (this.lanes <= lane) this.add();
      this.events[lane] += events[own];
      this.open[lane] += open[own];
      this.first[lane] = Math.min(this.first[lane], first[own]);
      this.last[lane] = Math.max(this.last[lane], last[own]);
    });
  }
}
