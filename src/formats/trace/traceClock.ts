/** From the clocks of readers to the trace's, whose second 0 is the recording's earliest record (semantics 9). */
import { type Task } from "../../model/task";
import { resourceShifts, TimeSpan } from "./parts";
import type { TraceBuilder } from "./traceBuilder";

/** Where a reader's clock has its zero. */
export interface ReaderClock {
  /**
   * The recording's zero on the readers' clock; Infinity if it is the earliest record, whenever that is. A record before it becomes the
   * zero in its place.
   *
   * @default 0
   */
  readonly zeroSeconds?: number;
  /** As in `Trace`. */
  readonly clocks?: "separate";
  /** What the readers' zero is, in nanoseconds since the epoch; undefined where the clock is no wall clock. */
  readonly zeroNanoseconds?: bigint;
  /**
   * Seconds from the zero to a time, rounded to the digits that files can write: a plain difference of two doubles has digits that neither
   * of them has.
   *
   * @default their difference
   */
  readonly difference?: (seconds: number, zeroSeconds: number) => number;
}

export class TraceClock {
  /** @param zeroSeconds of the trace, on the readers' clock */
  private constructor(
    readonly zeroSeconds: number,
    private readonly start: ReaderClock,
  ) {}

  /** The clock for all that these builders have, none of which has its final time yet. */
  static of(builders: readonly TraceBuilder[], start: ReaderClock, task: Task): TraceClock {
    const span = new TimeSpan();
    for (const builder of builders) {
      const shifts = resourceShifts(builder, task);
      addTimes(builder, (resource) => shifts.get(resource) ?? 0, span);
    }
    const zero = Math.min(start.zeroSeconds ?? 0, span.isEmpty ? Number.POSITIVE_INFINITY : span.start);
    return new TraceClock(Number.isFinite(zero) ? zero : 0, start);
  }

  /** What second 0 of the trace is, in nanoseconds since the epoch. */
  get zeroNanoseconds(): bigint | undefined {
    const { zeroNanoseconds } = this.start;
    return zeroNanoseconds === undefined ? undefined : zeroNanoseconds + BigInt(Math.round(this.zeroSeconds * 1e9));
  }

  /** @param shift seconds by which the clock of its lane or resource is moved @returns NaN for no time */
  at(seconds: number, shift: number): number {
    const shifted = seconds + shift;
    if (this.zeroSeconds === 0) return shifted;
    const { difference } = this.start;
    return difference === undefined ? shifted - this.zeroSeconds : difference(shifted, this.zeroSeconds);
  }
}

/** Adds the first and the last time of all that a builder has, each moved as its lane or resource is. */
export function addTimes(
  { counts, columns, counters, shifts }: TraceBuilder,
  shiftOf: (resource: number) => number,
  span: TimeSpan,
): void {
  const ofLane = (lane: number, seconds: number) => span.add(seconds + (shifts[lane] ?? 0));
  const ofResource = (resource: number, seconds: number) => span.add(seconds + shiftOf(resource));
  counts?.lanes.each(ofLane);
  shifts.forEach((_, lane) => {
    if (columns === undefined) return;
    ofLane(lane, columns.bounds.first[lane]);
    ofLane(lane, columns.bounds.last[lane]);
  });
  const times = counts?.times ?? columns?.times;
  if (times === undefined) return;
  times.transfers.each(ofLane);
  times.sent.each(ofResource);
  times.received.each(ofResource);
  times.points.each((counter, seconds) => ofResource(counters.values[counter].resource, seconds));
}
