/** Conversion of readers' times to the trace's clock, whose second 0 is the recording's earliest record (semantics 9). */
import { type Task } from "../../model/task";
import { resourceShifts, TimeSpan } from "./parts";
import type { TraceBuilder } from "./traceBuilder";

/** The clock of a recording's readers. */
export interface ReaderClock {
  /**
   * The recording's zero on the readers' clock; Infinity if the zero is the earliest record. If a record is earlier than this zero, the
   * record is the zero.
   *
   * @default 0
   */
  readonly zeroSeconds?: number;
  /** The same as in `Trace`. */
  readonly clocks?: "separate";
  /** Nanoseconds since the epoch at the readers' zero; undefined if the clock is not a wall clock. */
  readonly zeroNanoseconds?: bigint;
  /**
   * Seconds from the zero to a time, rounded to the resolution of the file's times. A plain difference of two doubles may have more digits.
   *
   * @default the plain difference
   */
  readonly difference?: (seconds: number, zeroSeconds: number) => number;
}

export class TraceClock {
  /** @param zeroSeconds the trace's zero on the readers' clock */
  private constructor(
    readonly zeroSeconds: number,
    private readonly start: ReaderClock,
  ) {}

  /** The clock of a trace with these builders, before any of their times is final. */
  static of(builders: readonly TraceBuilder[], start: ReaderClock, task: Task): TraceClock {
    const span = new TimeSpan();
    for (const builder of builders) {
      const shifts = resourceShifts(builder, task);
      addTimes(builder, (resource) => shifts.get(resource) ?? 0, span);
    }
    const zero = Math.min(start.zeroSeconds ?? 0, span.isEmpty ? Number.POSITIVE_INFINITY : span.start);
    return new TraceClock(Number.isFinite(zero) ? zero : 0, start);
  }

  /** Nanoseconds since the epoch at the trace's second 0. */
  get zeroNanoseconds(): bigint | undefined {
    const { zeroNanoseconds } = this.start;
    return zeroNanoseconds === undefined ? undefined : zeroNanoseconds + BigInt(Math.round(this.zeroSeconds * 1e9));
  }

  /**
   * @param shift seconds by which the clock of its lane or resource is moved
   * @returns seconds on the trace's clock; NaN if `seconds` is NaN
   */
  at(seconds: number, shift: number): number {
    const shifted = seconds + shift;
    if (this.zeroSeconds === 0) return shifted;
    const { difference } = this.start;
    return difference === undefined ? shifted - this.zeroSeconds : difference(shifted, this.zeroSeconds);
  }
}

/** Adds the first and last times of a builder's lanes, messages, counters and transfers to `span`, shifted as their lanes or resources. */
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
