/**
 * The critical path of a run: what its length depends on, from the last event's end back to the beginning. On a lane it goes back until a
 * wait that another lane has caused, and on there from the moment of the cause, which is in the middle of what that lane did: Böhme, de
 * Supinski, Geimer, Schulz, Wolf: Scalable critical-path based performance analysis, IPDPS 2012, with the whole trace at hand in place of
 * a replay. Each moment of the run is on it once, in one lane: the lengths of its parts add up to the run's.
 */
import type { Trace } from "../../model/trace";
import type { Wait } from "./waits";

/** The path is in this lane from one moment to the next. */
export interface PathPart {
  readonly lane: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** @param waits by lane @returns by ascending time, without gaps, from the trace's start to its end; none of a trace without events */
export function criticalPath(
  { lanes, startSeconds, endSeconds }: Pick<Trace, "lanes" | "startSeconds" | "endSeconds">,
  waits: readonly (readonly Wait[])[],
): PathPart[] {
  const causes = waits.map(causesOf);
  let lane = lastLane(lanes);
  let moment = endSeconds;
  const parts: PathPart[] = [];
  while (lane >= 0 && moment > startSeconds) {
    const jump = causes[lane].before(moment);
    const from = jump === undefined ? startSeconds : Math.max(startSeconds, jump.untilSeconds);
    parts.push({ lane, fromSeconds: from, toSeconds: moment });
    if (jump === undefined) break;
    // Causes are ever earlier, so that this ends.
    lane = jump.causeLane;
    moment = from;
  }
  return parts.reverse();
}

/** The lane whose last event ends last, of equal ones the first. */
function lastLane(lanes: Trace["lanes"]): number {
  let last = -1;
  lanes.forEach(({ events, endSeconds }, lane) => {
    if (events > 0 && (last < 0 || endSeconds > lanes[last].endSeconds)) last = lane;
  });
  return last;
}

/** Waits by when their causes came. */
function causesOf(waits: readonly Wait[]) {
  const sorted = waits
    .filter(({ lane, causeLane }) => causeLane !== lane)
    .sort((a, b) => a.untilSeconds - b.untilSeconds);
  return {
    /** The last one whose cause came before a moment. */
    before(moment: number): Wait | undefined {
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sorted[middle].untilSeconds < moment) low = middle + 1;
        else high = middle;
      }
      return sorted[low - 1];
    },
  };
}
