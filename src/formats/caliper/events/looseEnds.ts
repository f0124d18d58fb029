import { cancellable, type Task } from "../../../model/task";

/** Takes the end of an event. @param event as `TraceBuilder.begin` gave it */
export type TakeEnd = (event: number, endSeconds: number) => void;

/** Rows between two times that join what they can. */
const ROWS_BETWEEN_JOINS = 1 << 18;
/** Sorting and joining take some copies of a row. */
const BYTES_PER_ROW = 64;

/** Number of begins and ends without another side in all regions of a file. */
export class LooseRows {
  private count = 0;
  private limit: number;
  private readonly between: number;

  /** @param memoryBytes bytes that columns of the trace may take */
  constructor(memoryBytes = Number.POSITIVE_INFINITY) {
    this.between = Math.min(ROWS_BETWEEN_JOINS, memoryBytes / BYTES_PER_ROW);
    this.limit = this.between;
  }

  /** Whether there are so many that joining some of them is worth its time. */
  get areMany(): boolean {
    return this.count >= this.limit;
  }

  add(): void {
    this.count++;
  }

  /** @param left number of rows that could not be joined: they are looked at again once as many have come */
  joined(left: number): void {
    this.count = left;
    this.limit = 2 * left + this.between;
  }
}

/** Begins and ends of regions that have no other side yet. */
export class LooseEnds {
  readonly events: number[] = [];
  /** Seconds at which each of the events begins. */
  readonly begins: number[] = [];
  /** Seconds of the ends. */
  readonly ends: number[] = [];
  /** Seconds at which the event of each end began, by its recorded length. NaN if no length was recorded. */
  readonly began: number[] = [];

  get count(): number {
    return this.begins.length + this.ends.length;
  }

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
  matchLengths(take: TakeEnd, task: Pick<Task, "check">): LooseEnds {
    const rest = new LooseEnds();
    const begins = ascending(this.begins, task);
    const ends = ascending(this.ends, task).filter((end) => !Number.isNaN(this.began[end]));
    ends.sort(cancellable((a, b) => this.began[a] - this.began[b], task));
    let next = 0;
    for (let first = 0; first < begins.length;) {
      const seconds = this.begins[begins[first]];
      let last = first;
      while (last < begins.length && this.begins[begins[last]] === seconds) last++;
      const following = last;
      for (; next < ends.length && this.began[ends[next]] <= seconds; next++) {
        const end = ends[next];
        if (this.began[end] === seconds && last > first) take(this.events[begins[--last]], this.ends[end]);
        else rest.addEnd(this.ends[end], this.began[end]);
      }
      for (let at = first; at < last; at++) rest.addBegin(this.events[begins[at]], seconds);
      first = following;
    }
    for (const end of ends.subarray(next)) rest.addEnd(this.ends[end], this.began[end]);
    this.ends.forEach((end, at) => {
      if (Number.isNaN(this.began[at])) rest.addEnd(end, Number.NaN);
    });
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
  matchTimes(take: TakeEnd, task: Pick<Task, "check">): LooseEnds {
    const rest = new LooseEnds();
    const open = new OpenBegins(this.begins, ascending(this.begins, task));
    for (const end of ascending(this.ends, task)) {
      const seconds = this.ends[end];
      open.beginUntil(seconds);
      const begin = Number.isNaN(this.began[end]) ? open.end() : undefined;
      if (begin === undefined) rest.addEnd(seconds, this.began[end]);
      else take(this.events[begin], seconds);
    }
    for (const begin of open.rest()) rest.addBegin(this.events[begin], this.begins[begin]);
    return rest;
  }

  /**
   * Joins begins and ends while records still come, but none between two times. Only pairs are joined that {@link matchLengths} and
   * {@link matchTimes} would both join once all records are there. An event without a length is none of these: earlier events that
   * are open decide to which its end belongs.
   *
   * @returns begins and ends without another side
   */
  matchBetween(fromSeconds: number, toSeconds: number, take: TakeEnd, task: Pick<Task, "check">): LooseEnds {
    const isBetween = (seconds: number) => fromSeconds < seconds && seconds < toSeconds;
    const begins = ascending(this.begins, task).filter((begin) => isBetween(this.begins[begin]));
    const open = new OpenBegins(this.begins, begins);
    /** The begin of each end, counted from 1; 0 if it has none. */
    const beginOf = new Uint32Array(this.ends.length);
    let areLengthsRight = true;
    for (const end of ascending(this.ends, task)) {
      const seconds = this.ends[end];
      if (!isBetween(seconds)) continue;
      open.beginUntil(seconds);
      const begin = open.end();
      if (begin === undefined || this.begins[begin] === seconds) continue;
      if (Number.isNaN(this.began[end]) || this.began[end] === this.begins[begin]) beginOf[end] = begin + 1;
      else areLengthsRight = false;
    }
    const isJoined = new Uint8Array(this.begins.length);
    const rest = new LooseEnds();
    this.ends.forEach((seconds, end) => {
      const begin = beginOf[end] - 1;
      // Ends with lengths take begins away from those without.
      if (begin < 0 || (Number.isNaN(this.began[end]) && !areLengthsRight)) rest.addEnd(seconds, this.began[end]);
      else {
        isJoined[begin] = 1;
        take(this.events[begin], seconds);
      }
    });
    this.begins.forEach((seconds, begin) => {
      if (isJoined[begin] === 0) rest.addBegin(this.events[begin], seconds);
    });
    return rest;
  }
}

/** Begins that are open at a time that runs forward. */
class OpenBegins {
  private readonly open: number[] = [];
  private next = 0;

  /** @param order indices of begins by ascending time */
  constructor(
    private readonly seconds: readonly number[],
    private readonly order: Uint32Array,
  ) {}

  /** Opens what begins before an end. At equal times an open region ends before it begins anew, and a closed one begins before it ends. */
  beginUntil(endSeconds: number): void {
    for (; this.next < this.order.length; this.next++) {
      const begin = this.seconds[this.order[this.next]];
      if (begin > endSeconds || (begin === endSeconds && this.open.length > 0)) break;
      this.open.push(this.order[this.next]);
    }
  }

  /** @returns index of the begin that ends. Undefined if none is open */
  end(): number | undefined {
    return this.open.pop();
  }

  /** Indices of the begins that did not end. */
  *rest(): Generator<number> {
    yield* this.open;
    yield* this.order.subarray(this.next);
  }
}

/** Indices by ascending time. Stable. */
function ascending(seconds: readonly number[], task: Pick<Task, "check">): Uint32Array<ArrayBuffer> {
  const order = Uint32Array.from({ length: seconds.length }, (_, at) => at);
  return order.sort(cancellable((a, b) => seconds[a] - seconds[b] || a - b, task));
}
