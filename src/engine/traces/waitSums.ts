/** What lanes waited for others in a window, and what functions cost on the critical path through it. */
import { LaneSweep } from "../../formats/trace/laneSweep";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import type { EventColumns, Trace } from "../../model/trace";
import type { PathPart } from "./criticalPath";
import { type EventStates, stateNumbers } from "./eventStates";
import { eachEventIn } from "./eventsInWindow";
import { locationsOf, locationsOfLanes } from "./movement";
import type { LaneWaits, PathFunction, RankStarts } from "./timelineListApi";
import { type Wait, waitKinds } from "./waits";

/** Waits cut at the sides of a window, by lane; lanes that did not wait have no row. */
export function laneWaits(
  lanes: readonly number[],
  waits: readonly (readonly Wait[])[],
  fromSeconds: number,
  toSeconds: number,
): LaneWaits[] {
  return lanes.flatMap((lane) => {
    const seconds = waitKinds.map(() => 0);
    let [count, longest, longestSeconds] = [0, undefined as Wait | undefined, 0];
    for (const wait of waits[lane]) {
      const part = Math.min(wait.untilSeconds, toSeconds) - Math.max(wait.startSeconds, fromSeconds);
      if (!(part > 0)) continue;
      seconds[waitKinds.indexOf(wait.kind)] += part;
      count++;
      if (part > longestSeconds) [longest, longestSeconds] = [wait, part];
    }
    if (!longest) return [];
    const [lateSender, lateReceiver, collective] = seconds;
    const { event, startSeconds, untilSeconds } = longest;
    return [
      {
        lane,
        lateSender,
        lateReceiver,
        collective,
        count,
        longestSeconds,
        longest: { lane, event, startSeconds, endSeconds: untilSeconds },
      },
    ];
  });
}

/** When the ranks of some lanes began, as far as events tell; undefined of fewer than two. */
export function rankStarts(dataSet: DataSet, trace: Trace, lanes: readonly number[]): RankStarts | undefined {
  const placeOf = locationsOfLanes(trace, locationsOf(dataSet));
  const first = new Map<number, { readonly lane: number; readonly seconds: number }>();
  for (const lane of lanes) {
    const rank = placeOf[lane] === NONE ? NONE : dataSet.locations[placeOf[lane]].rank;
    const { startSeconds: seconds, kind } = trace.lanes[lane];
    if (rank === NONE || kind !== "intervals" || Number.isNaN(seconds)) continue;
    const known = first.get(rank);
    if (known === undefined || seconds < known.seconds) first.set(rank, { lane, seconds });
  }
  const inOrder = [...first.values()].sort((a, b) => a.seconds - b.seconds || a.lane - b.lane);
  const [one] = inOrder;
  const last = inOrder[inOrder.length - 1];
  return inOrder.length < 2 ? undefined : { firstSeconds: one.seconds, lastSeconds: last.seconds, lastLane: last.lane };
}

/** The parts of a path that lie in a window, cut at its sides. */
export function pathIn(parts: readonly PathPart[], fromSeconds: number, toSeconds: number): PathPart[] {
  return parts.flatMap(({ lane, fromSeconds: from, toSeconds: to }) => {
    const part = { lane, fromSeconds: Math.max(from, fromSeconds), toSeconds: Math.min(to, toSeconds) };
    return part.toSeconds > part.fromSeconds ? [part] : [];
  });
}

/** Innermost time on a path by state, most time first; what no event covers has the state NONE. */
export async function pathFunctions(
  trace: Trace,
  { of, states }: EventStates,
  parts: readonly PathPart[],
  task: Task,
): Promise<PathFunction[]> {
  const numberOf = stateNumbers(trace, of);
  const seconds = new Float64Array(states.length);
  const longest = states.map(() => ({ seconds: 0, lane: NONE, event: NONE }));
  const byLane = new Map<number, PathPart[]>();
  for (const part of parts) entryOf(byLane, part.lane, () => []).push(part);
  let done = 0;
  for (const [lane, own] of byLane) {
    task.progress(done++ / byLane.size);
    let first = 0;
    // Stretches and parts both ascend.
    const sweep = new LaneSweep((frame, category, begin, end, event) => {
      const state = numberOf(frame, category);
      while (first < own.length && own[first].toSeconds <= begin) first++;
      for (let at = first; at < own.length && own[at].fromSeconds < end; at++) {
        const part = Math.min(end, own[at].toSeconds) - Math.max(begin, own[at].fromSeconds);
        if (!(part > 0)) continue;
        seconds[state] += part;
        if (part > longest[state].seconds) longest[state] = { seconds: part, lane, event };
      }
    });
    sweep.begin();
    const take = ({ startSeconds, endSeconds, frame, category }: EventColumns, at: number, event: number) =>
      void sweep.event(startSeconds[at], endSeconds[at], frame[at], category[at], event);
    await eachEventIn(trace, lane, { from: own[0].fromSeconds, to: own[own.length - 1].toSeconds }, task, take);
    sweep.end();
  }
  const rows = Array.from(seconds, (one, state) => {
    const { lane, event } = longest[state];
    return { state, seconds: one, lane, event };
  }).filter((row) => row.seconds > 0);
  const covered = rows.reduce((sum, row) => sum + row.seconds, 0);
  const all = parts.reduce((sum, { fromSeconds, toSeconds }) => sum + toSeconds - fromSeconds, 0);
  // What rounding leaves of nothing is nothing.
  const uncovered = all - covered > 1e-12 * all ? all - covered : 0;
  const none = uncovered > 0 ? [{ state: NONE, seconds: uncovered, lane: NONE, event: NONE }] : [];
  return [...rows, ...none].sort((a, b) => b.seconds - a.seconds || a.state - b.state);
}
