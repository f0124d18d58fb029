/** Recorded counters as step functions (semantics 9, Counters). */
import { RequestError } from "../../model/errors";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import { Pace } from "../../source/pace";
import { StepLevelBuilder, type StepLevels } from "./stepLevels";

/** Points that are read at once; of a part of a counter as many as a bin has, then more and more. */
const PAGE = 1 << 14;
const LEAST_PAGE = 1 << 6;

/** Gets steps by ascending time. @param index of the step's point @returns true if later steps are not wanted */
type Take = (seconds: number, value: number, index: number) => boolean | void;

/**
 * A level holds from its point to the next, of points at one time the last one; values such as nan are none. Of a counter that grows the rate between
 * two points; a fall restarts it at 0; of points at one time the first one counts, the others with the next time.
 *
 * @param first a point that some step begins with
 * @param toSeconds what begins then or later is not wanted
 */
export async function eachStep(
  trace: Trace,
  counter: number,
  first: number,
  toSeconds: number,
  take: Take,
  pause: () => Promise<void>,
): Promise<void> {
  const { points, grows } = trace.counters[counter];
  let [time, value, index] = [Number.NaN, Number.NaN, -1];
  let size = toSeconds < Infinity ? LEAST_PAGE : PAGE;
  for (let from = first; from < points; from += size, size = Math.min(PAGE, 4 * size)) {
    await pause();
    const page = await trace.readCounter(counter, from, size);
    for (let at = 0; at < page.count; at++) {
      const [nextTime, next] = [page.seconds[at], page.value[at]];
      if (grows) {
        if (!Number.isFinite(next) || nextTime <= time) continue;
        if (index >= 0 && take(time, (next >= value ? next - value : next) / (nextTime - time), index)) return;
      } else if (index >= 0 && nextTime > time && take(time, value, index)) return;
      if (nextTime >= toSeconds) return;
      [time, value, index] = [nextTime, Number.isFinite(next) ? next : Number.NaN, from + at];
    }
  }
  if (index >= 0) take(time, grows ? Number.NaN : value, index);
}

/** @throws CancelledError */
export async function recordedLevels(trace: Trace, counter: number, task: Task): Promise<StepLevels> {
  const pace = new Pace(task);
  const builder = new StepLevelBuilder(trace.endSeconds, trace.counters[counter].points);
  const add: Take = (seconds, value, index) => builder.add(seconds, value, index);
  await eachStep(trace, counter, 0, Infinity, add, () => pace.breathe());
  return builder.build({
    read: (_, index, toSeconds, take) => eachStep(trace, counter, index, toSeconds, take, () => Promise.resolve()),
  });
}

/** Whether the values of a recorded counter's steps differ. Points after the first step that differs are not read. @throws CancelledError */
export async function doesChange(trace: Trace, counter: number, task: Task): Promise<boolean> {
  const pace = new Pace(task);
  let first = Number.NaN;
  let differs = false;
  const compare: Take = (_, value) => {
    if (Number.isNaN(first)) first = value;
    return (differs = value !== first && !Number.isNaN(value));
  };
  await eachStep(trace, counter, 0, Infinity, compare, () => pace.breathe());
  return differs;
}

/** @throws RequestError where a row is none */
export function checkRow(rows: number, row: number): void {
  if (!(row >= 0 && row < rows)) throw new RequestError(`There is no counter number ${row}.`);
}
