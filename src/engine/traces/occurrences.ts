/** All events of a function: how many, how long they are, where the longest ones are, and the next one. */
import { widened } from "../../model/columns";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import type { EventStates } from "./eventStates";
import { eachOfStates, isOfStates } from "./stateEvents";
import type { DurationBins, EventPlace, NextOccurrenceQuery, Occurrences, OccurrencesQuery } from "./timelineListApi";

const BINS = 24;
/** Lengths that differ by a larger factor are shown on a scale of factors. */
const DECADES = 100;
/** Events that are read at once. */
const PAGE = 1 << 10;

/** As {@link Occurrences} says. */
export async function occurrences(
  trace: Trace,
  states: EventStates,
  { state, lanes, most }: Omit<OccurrencesQuery, "dataSet">,
  task: Task,
): Promise<Occurrences> {
  const isWanted = isOfStates(trace, states, [state]);
  let lengths = new Float64Array(1024);
  let count = 0;
  let longest: EventPlace[] = [];
  for (const [at, lane] of lanes.entries()) {
    task.progress(at / lanes.length);
    await eachOfStates(trace, lane, isWanted, task, (startSeconds, endSeconds, event) => {
      if (count === lengths.length) lengths = widened(lengths);
      lengths[count++] = endSeconds - startSeconds;
      longest.push({ lane, event, startSeconds, endSeconds });
      if (longest.length > 4 * most + PAGE) longest = longestOf(longest, most);
    });
  }
  const all = lengths.subarray(0, count);
  const kept = longestOf(longest, most);
  return {
    count,
    totalSeconds: all.reduce((sum, one) => sum + one, 0),
    bins: durationBins(all),
    longest: {
      lane: Int32Array.from(kept, ({ lane }) => lane),
      event: Int32Array.from(kept, ({ event }) => event),
      startSeconds: Float64Array.from(kept, ({ startSeconds }) => startSeconds),
      endSeconds: Float64Array.from(kept, ({ endSeconds }) => endSeconds),
    },
  };
}

function longestOf(places: readonly EventPlace[], most: number): EventPlace[] {
  const length = ({ startSeconds, endSeconds }: EventPlace) => endSeconds - startSeconds;
  return [...places].sort((a, b) => length(b) - length(a) || inTime(a, b)).slice(0, most);
}

function inTime(a: Omit<EventPlace, "endSeconds">, b: Omit<EventPlace, "endSeconds">): number {
  return a.startSeconds - b.startSeconds || a.lane - b.lane || a.event - b.event;
}

/** Lengths by bins of one width, or, where they span more than two decades, of one factor. */
export function durationBins(lengths: Float64Array): DurationBins {
  let [least, largest, positive] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY];
  for (const one of lengths) {
    if (one < least) least = one;
    if (one > largest) largest = one;
    if (one > 0 && one < positive) positive = one;
  }
  const isLog = largest > DECADES * positive;
  const bins = lengths.length === 0 ? 0 : largest > (isLog ? positive : least) ? BINS : 1;
  const from = isLog ? positive : lengths.length === 0 ? 0 : least;
  const edges = Float64Array.from({ length: bins + 1 }, (_, edge) =>
    edge === bins
      ? largest
      : isLog
        ? from * (largest / from) ** (edge / bins)
        : from + ((largest - from) * edge) / Math.max(1, bins),
  );
  const counts = new Int32Array(bins);
  let instants = 0;
  for (const one of lengths) {
    if (isLog && !(one > 0)) {
      instants++;
      continue;
    }
    let [low, high] = [0, bins - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (edges[middle] <= one) low = middle;
      else high = middle - 1;
    }
    counts[low]++;
  }
  return { edges, counts, isLog, instants };
}

/** The next event of a function by start, lane and number, or the one before; undefined: there is none. */
export async function nextOccurrence(
  trace: Trace,
  states: EventStates,
  { state, lanes, lane, event, isBackwards }: Omit<NextOccurrenceQuery, "dataSet">,
  task: Task,
): Promise<EventPlace | undefined> {
  const isWanted = isOfStates(trace, states, [state]);
  const { startSeconds } = await trace.readEvents(lane, event, 1);
  const now = { lane, event, startSeconds: startSeconds[0] };
  let best: EventPlace | undefined;
  for (const other of lanes) {
    const found = await (isBackwards ? lastBefore : firstAfter)(trace, other, now, isWanted, best, task);
    if (found && (!best || (isBackwards ? inTime(found, best) > 0 : inTime(found, best) < 0))) best = found;
  }
  return best;
}

type Moment = Omit<EventPlace, "endSeconds">;

async function firstAfter(
  trace: Trace,
  lane: number,
  now: Moment,
  isWanted: ReturnType<typeof isOfStates>,
  best: EventPlace | undefined,
  task: Task,
): Promise<EventPlace | undefined> {
  for (let first = await trace.eventAt(lane, now.startSeconds); first < trace.lanes[lane].events; first += PAGE) {
    task.check();
    const events = await trace.readEvents(lane, first, PAGE);
    for (let row = 0; row < events.count; row++) {
      const [startSeconds, endSeconds] = [events.startSeconds[row], events.endSeconds[row]];
      if (best && startSeconds > best.startSeconds) return undefined;
      const place = { lane, event: first + row, startSeconds, endSeconds };
      if (isWanted(events, row) && inTime(place, now) > 0) return place;
    }
  }
  return undefined;
}

async function lastBefore(
  trace: Trace,
  lane: number,
  now: Moment,
  isWanted: ReturnType<typeof isOfStates>,
  best: EventPlace | undefined,
  task: Task,
): Promise<EventPlace | undefined> {
  // What begins at the very moment may come before this one, too.
  let end = await trace.eventAt(lane, now.startSeconds);
  while (end < trace.lanes[lane].events && (await trace.readEvents(lane, end, 1)).startSeconds[0] === now.startSeconds)
    end++;
  for (; end > 0; end -= PAGE) {
    task.check();
    const first = Math.max(0, end - PAGE);
    const events = await trace.readEvents(lane, first, end - first);
    for (let row = events.count - 1; row >= 0; row--) {
      const [startSeconds, endSeconds] = [events.startSeconds[row], events.endSeconds[row]];
      if (best && startSeconds < best.startSeconds) return undefined;
      const place = { lane, event: first + row, startSeconds, endSeconds };
      if (isWanted(events, row) && inTime(place, now) < 0) return place;
    }
  }
  return undefined;
}
