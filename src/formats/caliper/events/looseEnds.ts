/** Takes the end of an event. @param event as `TraceBuilder.begin` gave it */
export type TakeEnd = (event: number, endSeconds: number) => void;

/** Begins and ends of regions that have no other side yet. */
export class LooseEnds {
  readonly events: number[] = [];
  /** Seconds at which each of the events begins. */
  readonly begins: number[] = [];
  /** Seconds of the ends. */
  readonly ends: number[] = [];
  /** Seconds at which the event of each end began, by its recorded length. NaN if no length was recorded. */
  readonly began: number[] = [];

  addBegin(event: number, seconds: number): void {
    this.events.push(event);
    this.begins.push(seconds);
  }

  addEnd(seconds: number, began: number): void {
    this.ends.push(seconds);
    this.began.push(began);
  }

  addAll(other: LooseEnds): void {
    other.events.forEach((event, at) => this.addBegin(event, other.begins[at]));
    other.ends.forEach((seconds, at) => this.addEnd(seconds, other.began[at]));
  }

  /**
   * Joins ends with the begins to which their recorded lengths lead.
   *
   * @returns begins and ends without another side
   */
  matchLengths(take: TakeEnd): LooseEnds {
    const byTime = new Map<number, number[]>();
    for (const begin of ascending(this.begins)) {
      const same = byTime.get(this.begins[begin]);
      if (same) same.push(begin);
      else byTime.set(this.begins[begin], [begin]);
    }
    const rest = new LooseEnds();
    for (const end of ascending(this.ends)) {
      const begin = byTime.get(this.began[end])?.pop();
      if (begin === undefined) rest.addEnd(this.ends[end], this.began[end]);
      else take(this.events[begin], this.ends[end]);
    }
    for (const begins of byTime.values())
      for (const begin of begins) rest.addBegin(this.events[begin], this.begins[begin]);
    return rest;
  }

  /** The same begins and ends, if recorded lengths say nothing. */
  withoutLengths(): LooseEnds {
    const all = new LooseEnds();
    all.addAll(this);
    all.began.fill(Number.NaN);
    return all;
  }

  /**
   * Joins each end without a recorded length with the latest begin that is open. The result does not depend on the order in
   * which begins and ends were added.
   *
   * @returns begins and ends without another side
   */
  matchTimes(take: TakeEnd): LooseEnds {
    const rest = new LooseEnds();
    const begins = ascending(this.begins);
    const open: number[] = [];
    let next = 0;
    for (const end of ascending(this.ends)) {
      const seconds = this.ends[end];
      // At equal times an open region ends before it begins anew, and a closed one begins before it ends.
      for (; next < begins.length; next++) {
        const begin = this.begins[begins[next]];
        if (begin > seconds || (begin === seconds && open.length > 0)) break;
        open.push(begins[next]);
      }
      const begin = Number.isNaN(this.began[end]) ? open.pop() : undefined;
      if (begin === undefined) rest.addEnd(seconds, this.began[end]);
      else take(this.events[begin], seconds);
    }
    for (const begin of [...open, ...begins.slice(next)]) rest.addBegin(this.events[begin], this.begins[begin]);
    return rest;
  }
}

/** Indices by ascending time. Stable. */
function ascending(seconds: readonly number[]): number[] {
  return Array.from(seconds.keys()).sort((a, b) => seconds[a] - seconds[b] || a - b);
}
