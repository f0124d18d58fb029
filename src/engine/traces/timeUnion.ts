/** Time that intervals cover together. */
import type { TimeWindow } from "../scope";

/** Disjoint intervals by ascending start, in seconds. */
export class TimeUnion {
  private constructor(
    private readonly starts: Float64Array,
    private readonly ends: Float64Array,
  ) {}

  /** Of intervals in any order; what lasts no time covers none. */
  static of(starts: Float64Array, ends: Float64Array): TimeUnion {
    const order = sorted(starts);
    const [from, to] = [new Float64Array(starts.length), new Float64Array(starts.length)];
    let count = 0;
    for (let at = 0; at < starts.length; at++) {
      const [start, end] = order ? [starts[order[at]], ends[order[at]]] : [starts[at], ends[at]];
      if (!(end > start)) continue;
      if (count > 0 && start <= to[count - 1]) {
        if (end > to[count - 1]) to[count - 1] = end;
      } else {
        from[count] = start;
        to[count++] = end;
      }
    }
    return new TimeUnion(from.slice(0, count), to.slice(0, count));
  }

  /** Length of the time, in seconds. */
  get seconds(): number {
    return this.starts.reduce((sum, start, at) => sum + (this.ends[at] - start), 0);
  }

  /** From the start of the first interval to the end of the last one; empty at 0 if there is no interval. */
  get span(): TimeWindow {
    return { from: this.starts.at(0) ?? 0, to: this.ends.at(-1) ?? 0 };
  }

  /** All time that this does not cover. @param window limits of it; from -Infinity to Infinity by default */
  complement({ from, to }: TimeWindow = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }): TimeUnion {
    const count = this.starts.length;
    const [starts, ends] = [new Float64Array(count + 1), new Float64Array(count + 1)];
    for (let at = 0; at <= count; at++) {
      starts[at] = Math.max(from, at === 0 ? from : this.ends[at - 1]);
      ends[at] = Math.min(to, at === count ? to : this.starts[at]);
    }
    return TimeUnion.of(starts, ends);
  }

  /** Time that at least one of them covers. */
  static joined(unions: readonly TimeUnion[]): TimeUnion {
    const length = unions.reduce((sum, { starts }) => sum + starts.length, 0);
    const [starts, ends] = [new Float64Array(length), new Float64Array(length)];
    let at = 0;
    for (const union of unions) {
      starts.set(union.starts, at);
      ends.set(union.ends, at);
      at += union.starts.length;
    }
    return TimeUnion.of(starts, ends);
  }

  /** Overlaps with intervals that come by ascending start and do not overlap each other. */
  cursor(): { overlap(from: number, to: number): number } {
    let at = 0;
    const { starts, ends } = this;
    return {
      overlap(from, to) {
        while (at < ends.length && ends[at] <= from) at++;
        let seconds = 0;
        for (let one = at; one < starts.length && starts[one] < to; one++)
          seconds += Math.max(0, Math.min(ends[one], to) - Math.max(starts[one], from));
        return seconds;
      },
    };
  }

  /** Time that both cover. */
  and(other: TimeUnion): TimeUnion {
    const [starts, ends]: [number[], number[]] = [[], []];
    for (let a = 0, b = 0; a < this.starts.length && b < other.starts.length;) {
      const start = Math.max(this.starts[a], other.starts[b]);
      const end = Math.min(this.ends[a], other.ends[b]);
      if (end > start) {
        starts.push(start);
        ends.push(end);
      }
      if (this.ends[a] < other.ends[b]) a++;
      else b++;
    }
    return new TimeUnion(Float64Array.from(starts), Float64Array.from(ends));
  }

  /** Adds the seconds between each two neighbouring edges, which ascend. */
  addTo(edges: Float64Array, seconds: Float64Array): void {
    let at = this.firstAfter(edges[0]);
    for (let stretch = 0; stretch < seconds.length; stretch++) {
      const [from, to] = [edges[stretch], edges[stretch + 1]];
      while (at < this.starts.length && this.starts[at] < to) {
        const part = Math.min(this.ends[at], to) - Math.max(this.starts[at], from);
        if (part > 0) seconds[stretch] += part;
        if (this.ends[at] > to) break;
        at++;
      }
    }
  }

  /** The first one that ends behind a moment. */
  private firstAfter(seconds: number): number {
    let [low, high] = [0, this.ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] > seconds) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Numbers by ascending value; undefined where they stand in that order. */
function sorted(values: Float64Array): Uint32Array | undefined {
  if (values.every((value, at) => at === 0 || values[at - 1] <= value)) return undefined;
  return Uint32Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
}
