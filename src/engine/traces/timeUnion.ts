/** Time that intervals cover together. */

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
