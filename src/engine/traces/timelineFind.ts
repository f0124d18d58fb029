/** Where the events of some functions are in a trace. */
import { appendAll } from "../../model/longLists";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import type { EventStates } from "./eventStates";
import { eachOfStates, isOfStates } from "./stateEvents";
import type { TimelineFound } from "./timelineApi";

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
  readonly depth: number;
  readonly start: number;
  readonly end: number;
}

/** As {@link TimelineFound} says. */
export async function timelineFind(
  trace: Trace,
  known: EventStates,
  { states, lanes, fromSeconds, most }: TimelineFindQuery,
  task: Task,
): Promise<TimelineFound> {
  const isWanted = isOfStates(trace, known, states);
  const [before, after]: [Place[], Place[]] = [[], []];
  let count = 0;
  for (const [at, lane] of lanes.entries()) {
    task.progress(at / lanes.length);
    const own: [Place[], Place[]] = [[], []];
    await eachOfStates(trace, lane, isWanted, task, (start, end, event, depth) => {
      count++;
      const place = { lane, event, depth, start, end };
      if (start < fromSeconds) own[0].push(place);
      else if (own[1].length < most) own[1].push(place);
      // Of those before, the last ones.
      if (own[0].length > 2 * most) own[0].splice(0, own[0].length - most);
    });
    appendAll(before, own[0].slice(-most));
    appendAll(after, own[1]);
  }
  const byTime = (a: Place, b: Place) => a.start - b.start || a.lane - b.lane || a.event - b.event;
  const next = after.sort(byTime).slice(0, most);
  const last = before.sort(byTime).slice(Math.max(0, before.length + next.length - most));
  const places = [...last, ...next];
  return {
    count,
    lane: Int32Array.from(places, (place) => place.lane),
    event: Int32Array.from(places, (place) => place.event),
    depth: Int32Array.from(places, (place) => place.depth),
    startSeconds: Float64Array.from(places, (place) => place.start),
    endSeconds: Float64Array.from(places, (place) => place.end),
  };
}
