/** Parts of step functions: what is known of the steps from one to another, and what such parts are together. Pure. */
import { widened } from "../../model/columns";

/** Sums of a step function over time. Where it has no value (NaN) there is nothing to be added. */
export class StepPart {
  /** In which it has a value. */
  seconds = 0;
  mean = 0;
  /** Σ time · (value − mean)². */
  spread = 0;
  /** NaN: it has no value. */
  least = Number.NaN;
  most = Number.NaN;

  /** One value for so long. */
  hold(value: number, seconds: number): void {
    if (Number.isNaN(value)) return;
    this.see(value, value);
    if (!(seconds > 0)) return;
    // Welford's way, weighted (West 1979): near values would lose their difference in sums of squares.
    const all = this.seconds + seconds;
    const apart = value - this.mean;
    this.mean += (apart * seconds) / all;
    this.spread += seconds * apart * (value - this.mean);
    this.seconds = all;
  }

  /** Sums of another part (Chan, Golub and LeVeque 1983). */
  add(other: Pick<StepPart, "seconds" | "mean" | "spread" | "least" | "most">): void {
    this.see(other.least, other.most);
    if (!(other.seconds > 0)) return;
    const all = this.seconds + other.seconds;
    const apart = other.mean - this.mean;
    this.spread += other.spread + (apart * apart * this.seconds * other.seconds) / all;
    this.mean += (apart * other.seconds) / all;
    this.seconds = all;
  }

  /** Weighted by time; NaN without a value that lasts. What is rounded is never outside of the values. */
  get shownMean(): number {
    return this.seconds > 0 ? Math.min(this.most, Math.max(this.least, this.mean)) : Number.NaN;
  }

  /** Of values weighted by time, over mean² (semantics 9); 0 where the mean is 0, NaN without a value that lasts. */
  get variance(): number {
    if (!(this.seconds > 0)) return Number.NaN;
    // One value does not vary, whatever was rounded.
    if (this.mean === 0 || this.least === this.most) return 0;
    return Math.max(0, this.spread) / this.seconds / this.mean ** 2;
  }

  private see(least: number, most: number): void {
    if (Number.isNaN(least)) return;
    if (!(this.least <= least)) this.least = least;
    if (!(this.most >= most)) this.most = most;
  }
}

/** Parts by ascending time, as columns: of each what lies between its first step and its last. */
export class Pieces {
  count = 0;
  /** Seconds of the first step and of the last. */
  first: Float64Array<ArrayBuffer>;
  until: Float64Array<ArrayBuffer>;
  /** What holds from the last step on. */
  last: Float64Array<ArrayBuffer>;
  steps: Float64Array<ArrayBuffer>;
  least: Float64Array<ArrayBuffer>;
  most: Float64Array<ArrayBuffer>;
  seconds: Float64Array<ArrayBuffer>;
  mean: Float64Array<ArrayBuffer>;
  spread: Float64Array<ArrayBuffer>;
  private readonly part = new StepPart();

  constructor(room = 16) {
    const column = () => new Float64Array(room);
    [this.first, this.until, this.last, this.steps] = [column(), column(), column(), column()];
    [this.least, this.most, this.seconds, this.mean, this.spread] = [column(), column(), column(), column(), column()];
  }

  get bytes(): number {
    return 9 * 8 * this.first.length;
  }

  /** Room for one more. @returns its number */
  append(): number {
    if (this.count === this.first.length) {
      this.first = widened(this.first);
      this.until = widened(this.until);
      this.last = widened(this.last);
      this.steps = widened(this.steps);
      this.least = widened(this.least);
      this.most = widened(this.most);
      this.seconds = widened(this.seconds);
      this.mean = widened(this.mean);
      this.spread = widened(this.spread);
    }
    return this.count++;
  }

  /** One of a single step. */
  begin(at: number, seconds: number, value: number): void {
    this.first[at] = this.until[at] = seconds;
    this.last[at] = this.least[at] = this.most[at] = value;
    this.steps[at] = 1;
    this.seconds[at] = this.mean[at] = this.spread[at] = 0;
  }

  copy(at: number, from: Pieces, one: number): void {
    this.first[at] = from.first[one];
    this.until[at] = from.until[one];
    this.last[at] = from.last[one];
    this.steps[at] = from.steps[one];
    this.least[at] = from.least[one];
    this.most[at] = from.most[one];
    this.seconds[at] = from.seconds[one];
    this.mean[at] = from.mean[one];
    this.spread[at] = from.spread[one];
  }

  /** One more step of a piece. */
  step(at: number, seconds: number, value: number): void {
    const part = this.take(at);
    part.hold(this.last[at], seconds - this.until[at]);
    part.hold(value, 0);
    this.put(at, part);
    this.until[at] = seconds;
    this.last[at] = value;
    this.steps[at]++;
  }

  /** What follows a piece becomes part of it. */
  join(at: number, from: Pieces, next: number): void {
    const part = this.take(at);
    part.hold(this.last[at], from.first[next] - this.until[at]);
    part.add(from.partOf(next));
    this.put(at, part);
    this.until[at] = from.until[next];
    this.last[at] = from.last[next];
    this.steps[at] += from.steps[next];
  }

  /** From the first step to the last. */
  all(): StepPart {
    return this.over(Number.NaN, this.first[0], this.count > 0 ? this.until[this.count - 1] : 0);
  }

  /** Sums over a window. @param held what holds when it begins */
  over(held: number, fromSeconds: number, toSeconds: number): StepPart {
    const sum = new StepPart();
    let [value, since] = [held, fromSeconds];
    for (let at = 0; at < this.count; at++) {
      if (this.first[at] > since) sum.hold(value, this.first[at] - since);
      sum.add(this.partOf(at));
      [value, since] = [this.last[at], this.until[at]];
    }
    if (toSeconds > since) sum.hold(value, toSeconds - since);
    return sum;
  }

  /** From its first step to its last. */
  partOf(at: number): Pick<StepPart, "seconds" | "mean" | "spread" | "least" | "most"> {
    const { least, most, seconds, mean, spread } = this;
    return { least: least[at], most: most[at], seconds: seconds[at], mean: mean[at], spread: spread[at] };
  }

  private take(at: number): StepPart {
    const { part } = this;
    part.seconds = this.seconds[at];
    part.mean = this.mean[at];
    part.spread = this.spread[at];
    part.least = this.least[at];
    part.most = this.most[at];
    return part;
  }

  private put(at: number, part: StepPart): void {
    this.seconds[at] = part.seconds;
    this.mean[at] = part.mean;
    this.spread[at] = part.spread;
    this.least[at] = part.least;
    this.most[at] = part.most;
  }
}
