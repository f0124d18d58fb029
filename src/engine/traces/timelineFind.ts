/** Where the events of some functions are in a trace. */
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import type { EventStates } from "./eventStates";
import type { TimelineFound } from "./timelineApi";

/** Events that are read at once. */
const PAGE = 1 << 14;

export interface TimelineFindQuery {
  /** Indices into the states. */
  readonly states: readonly number[];
  readonly lanes: readonly number[];
  /** Events from this moment on come first. */
  readonly fromSeconds: number;
  readonly most: number;
}

interface Place {
  readonly lane: number;
  readonly event: number;
  readonly start: number;
  readonly end: number;
}

/** As {@link TimelineFound} says. */
export async function timelineFind(
  trace: Trace,
  { of }: EventStates,
  { states, lanes, fromSeconds, most }: TimelineFindQuery,
  task: Task,
): Promise<TimelineFound> {
  const wanted = new Set(states);
  const isWanted = new Set<number>();
  const { frame, category } = trace.states;
  frame.forEach((one, state) => wanted.has(of[state]) && isWanted.add((one + 1) * 256 + category[state]));
  const [before, after]: [Place[], Place[]] = [[], []];
  let count = 0;
  for (const [at, lane] of lanes.entries()) {
    task.progress(at / lanes.length);
    const own: [Place[], Place[]] = [[], []];
    for (let first = 0; isWanted.size > 0 && first < trace.lanes[lane].events; first += PAGE) {
      task.check();
      const events = await trace.readEvents(lane, first, PAGE);
      for (let row = 0; row < events.count; row++) {
        if (!isWanted.has((events.frame[row] + 1) * 256 + events.category[row])) continue;
        count++;
        const [start, end] = [events.startSeconds[row], events.endSeconds[row]];
        const place = { lane, event: first + row, start, end };
        if (start < fromSeconds) own[0].push(place);
        else if (own[1].length < most) own[1].push(place);
        // Of those before, the last ones.
        if (own[0].length > 2 * most) own[0].splice(0, own[0].length - most);
      }
    }
    before.push(...own[0].slice(-most));
    after.push(...own[1]);
  }
  const byTime = (a: Place, b: Place) => a.start - b.start || a.lane - b.lane || a.event - b.event;
  const next = after.sort(byTime).slice(0, most);
  const last = before.sort(byTime).slice(Math.max(0, before.length + next.length - most));
  const places = [...last, ...next];
  return {
    count,
    lane: Int32Array.from(places, (place) => place.lane),
    event: Int32Array.from(places, (place) => place.event),
    startSeconds: Float64Array.from(places, (place) => place.start),
    endSeconds: Float64Array.from(places, (place) => place.end),
  };
}
