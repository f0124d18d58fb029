/** Events of a lane that have a part in a window. */
import type { Task } from "../../model/task";
import type { EventColumns, Trace } from "../../model/trace";
import type { TimeWindow } from "../scope";
import { runningEvents } from "./runningEvents";

/** Events that are read at once. */
const PAGE = 1 << 13;

/** Those that run when it begins, then those that begin in it: by ascending start, as a sweep takes them. */
export async function eachEventIn(
  trace: Trace,
  lane: number,
  { from, to }: TimeWindow,
  task: Pick<Task, "check">,
  take: (events: EventColumns, at: number, event: number) => void,
): Promise<void> {
  const first = await trace.eventAt(lane, from);
  for (const event of first > 0 ? await runningEvents(trace, lane, from, task) : [])
    if (event < first) take(await trace.readEvents(lane, event, 1), 0, event);
  const until = await trace.eventAt(lane, to);
  for (let event = first; event < until; event += PAGE) {
    task.check();
    const events = await trace.readEvents(lane, event, Math.min(PAGE, until - event));
    for (let at = 0; at < events.count; at++) take(events, at, event + at);
  }
}
