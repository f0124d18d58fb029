/** Spans of a lane straight from their definition: lists of objects, all events looked at every time. */
import type { NaiveEvent } from "./naiveTrace";

export interface NaiveSpan {
  start: number;
  end: number;
  events: number;
  first: number;
  /** By frame and category: seconds and events. */
  cells: Record<string, [seconds: number, events: number]>;
}

interface Piece {
  start: number;
  end: number;
  number: number;
  event: NaiveEvent;
}

/** Stretches in which one event is innermost: of those that run, the last one in order. */
export function stretches(events: readonly NaiveEvent[]): Piece[] {
  const times = [...new Set(events.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  for (let at = 0; at + 1 < times.length; at++) {
    const number = events.findLastIndex(({ start, end }) => start <= times[at] && end >= times[at + 1]);
    const last = pieces.at(-1);
    if (number < 0) continue;
    if (last?.number === number && last.end === times[at]) last.end = times[at + 1];
    else pieces.push({ start: times[at], end: times[at + 1], number, event: events[number] });
  }
  return pieces;
}

/** Of one depth, or of what is innermost (-1): all spans of the lane at a step of 2^exponent seconds. */
export function naiveSpans(events: readonly NaiveEvent[], row: number, exponent: number): NaiveSpan[] {
  const step = 2 ** exponent;
  const pieces =
    row < 0
      ? stretches(events)
      : events.flatMap((event, number) =>
          event.depth === row ? [{ start: event.start, end: event.end, number, event }] : [],
        );
  const spans: (NaiveSpan & { bin: number | undefined })[] = [];
  for (const { start, end, number, event } of pieces) {
    const bin = end - start >= step ? undefined : Math.floor(start / step);
    let last = spans.at(-1);
    if (last === undefined || bin === undefined || last.bin !== bin)
      spans.push((last = { start, end, events: 0, first: number, cells: {}, bin }));
    last.end = Math.max(last.end, end);
    last.events++;
    const cell = (last.cells[`${event.frame} ${event.category}`] ??= [0, 0]);
    cell[0] += end - start;
    cell[1]++;
  }
  return spans.map(({ start, end, events: count, first, cells }) => ({ start, end, events: count, first, cells }));
}
