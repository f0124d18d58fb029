/** What a lane is in at one moment. */
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";

/** Steps so short that only what lasts no time is shorter: doubles of a moment's size are hardly closer. */
const FINEST_BITS = 44;
const LEAST_EXPONENT = -900;

/**
 * Numbers of the events that run at a moment: begun then or before, and not ended. Outermost first. Of events deeper than a trace
 * has rows of, none.
 */
export async function runningEvents(
  trace: Trace,
  lane: number,
  seconds: number,
  task: Pick<Task, "check">,
): Promise<number[]> {
  const size = Math.abs(seconds);
  const exponent = size > 0 ? Math.max(LEAST_EXPONENT, Math.floor(Math.log2(size)) - FINEST_BITS) : LEAST_EXPONENT;
  const step = 2 ** exponent;
  const from = Math.floor(seconds / step) * step;
  const rows = Array.from({ length: trace.depths(lane).rows }, (_, depth) => depth);
  const all = await trace.spans(lane, rows, from, from + step, exponent, task);
  const running = all.flatMap(({ count, start, end, events, first }) =>
    Array.from({ length: count }, (_, at) => at).flatMap((at) =>
      events[at] === 1 && start[at] <= seconds && end[at] > seconds ? [first[at]] : [],
    ),
  );
  return running.sort((a, b) => a - b);
}
