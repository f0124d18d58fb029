/** Events of a lane that run at a moment. */
import { MOST_DEPTHS } from "../../formats/trace/spanBuilder";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";

/** Steps so short that only what lasts no time is shorter: doubles of a moment's size are hardly closer. */
const FINEST_BITS = 44;
const LEAST_EXPONENT = -900;
/** Events that are read at once. */
const PAGE = 1 << 13;

/**
 * Numbers of the events that run at a moment: begun then or before, and not ended. Outermost first.
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
  const { rows: depths, hasCrossed } = trace.depths(lane);
  const rows = Array.from({ length: depths }, (_, depth) => depth);
  const all = await trace.spans(lane, rows, from, from + step, exponent, task);
  const ofDepth = all.map(({ count, start, end, events, first }) =>
    Array.from({ length: count }, (_, at) => at).flatMap((at) =>
      events[at] === 1 && start[at] <= seconds && end[at] > seconds ? [first[at]] : [],
    ),
  );
  if (depths < MOST_DEPTHS) return ofDepth.flat().sort((a, b) => a - b);
  const deeper = await withoutRow(trace, lane, seconds, hasCrossed, ofDepth[MOST_DEPTHS - 1], task);
  return [...ofDepth.flat(), ...deeper].sort((a, b) => a - b);
}

/** Running events that are deeper than the rows of a trace. If events nest, each began within a running event of the deepest row. */
async function withoutRow(
  trace: Trace,
  lane: number,
  seconds: number,
  hasCrossed: boolean,
  deepest: readonly number[],
  task: Pick<Task, "check">,
): Promise<number[]> {
  const running: number[] = [];
  if (!hasCrossed && deepest.length === 0) return running;
  const first = hasCrossed
    ? await trace.eventAt(lane, seconds, true)
    : deepest.reduce((least, one) => Math.min(least, one));
  for (let event = first; event < trace.lanes[lane].events; event += PAGE) {
    task.check();
    const { count, startSeconds, endSeconds, depth } = await trace.readEvents(lane, event, PAGE);
    for (let at = 0; at < count; at++) {
      if (startSeconds[at] > seconds) return running;
      if (depth[at] >= MOST_DEPTHS && endSeconds[at] > seconds) running.push(event + at);
    }
  }
  return running;
}
