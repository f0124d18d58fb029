/** Marks of a row straight from their definition. */
import type { NaiveSpan } from "../../formats/trace/naiveSpans";

export interface NaiveMark {
  start: number;
  end: number;
  events: number;
  event: number;
  state: string;
  share: number;
}

const BLOCK = 64;

/**
 * @param spans of one row, at a step of 2^exponent seconds
 * @param nameOf what the state of a cell is called; states that are called alike are one
 * @param order names of states, of which the first counts where two are equal
 */
export function naiveMarks(
  spans: readonly NaiveSpan[],
  exponent: number,
  nameOf: (cell: string) => string,
  order: readonly string[],
): NaiveMark[] {
  const step = 2 ** exponent;
  const marks: (NaiveMark & { cells: Map<string, number>; block: number | undefined; main: string })[] = [];
  for (const { start, end, events, first, cells } of spans) {
    const time = new Map<string, [seconds: number, events: number]>();
    for (const [cell, [seconds, count]] of Object.entries(cells)) {
      const [before, countBefore] = time.get(nameOf(cell)) ?? [0, 0];
      time.set(nameOf(cell), [before + seconds, countBefore + count]);
    }
    const [[main]] = [...time].sort(
      ([a, [s, c]], [b, [t, d]]) => t - s || d - c || order.indexOf(a) - order.indexOf(b),
    );
    const isLong = events === 1 && end - start >= step;
    const block = isLong ? undefined : Math.floor(start / (BLOCK * step));
    const last = marks.at(-1);
    const isJoined =
      last !== undefined &&
      block !== undefined &&
      last.block === block &&
      last.main === main &&
      start - last.end < step;
    const mark = isJoined
      ? last
      : { start, end, events: 0, event: first, state: main, share: 1, cells: new Map<string, number>(), block, main };
    if (!isJoined) marks.push(mark);
    mark.end = Math.max(mark.end, end);
    mark.events += events;
    for (const [name, [seconds]] of time) mark.cells.set(name, (mark.cells.get(name) ?? 0) + seconds);
    const all = [...mark.cells.values()].reduce((sum, one) => sum + one, 0);
    mark.share = all > 0 ? (mark.cells.get(main) ?? 0) / all : 1;
  }
  return marks.map(({ start, end, events, event, state, share }) => ({ start, end, events, event, state, share }));
}
