/** Spans of a finished trace at any resolution: from the levels that are kept, below the finest one from the events themselves. */
import { largestIn } from "../../model/longLists";
import type { Task } from "../../model/task";
import { type EventColumns, INNERMOST, type SpanColumns } from "../../model/trace";
import { LaneSweep } from "./laneSweep";
import type { LaneSpans, SpanBuilder } from "./spanBuilder";
import { SpanRow } from "./spanRow";

/** Events that are read at once. */
const PAGE = 1 << 13;

/** Reading events of a lane, as the trace does. */
interface EventReader {
  readEvents(lane: number, first: number, count: number): Promise<EventColumns>;
  eventAt(lane: number, seconds: number): Promise<number>;
}

/** A row that is asked for. */
interface Asked {
  readonly row: number;
  readonly spans: SpanRow;
  /** Its levels: the first one is the finest. */
  readonly levels: readonly [from: number, to: number];
}

export class StoredSpans {
  constructor(
    private readonly built: SpanBuilder,
    private readonly events: EventReader,
  ) {}

  /** As {@link Trace.spans}. */
  async read(
    lane: number,
    rows: readonly number[],
    fromSeconds: number,
    toSeconds: number,
    exponent: number,
    task: Pick<Task, "check">,
  ): Promise<readonly SpanColumns[]> {
    const kept = this.built.lanes.at(lane);
    const asked = rows.map((row): Asked => {
      const spans = new SpanRow();
      spans.begin(exponent);
      return { row, spans, levels: kept ? this.levelsOf(kept, row) : [0, 0] };
    });
    const { pool } = this.built;
    const isFiner = ({ levels: [from, to] }: Asked) => from < to && pool.exponent(from) > exponent;
    for (const one of asked) if (!isFiner(one)) this.appendKept(one, fromSeconds, toSeconds, exponent);
    const finer = asked.filter(isFiner);
    if (kept && finer.length > 0) {
      const depths = finer.filter(({ row }) => row !== INNERMOST);
      if (depths.length > 0) await this.appendDepths(lane, depths, fromSeconds, toSeconds, task);
      for (const one of finer)
        if (one.row === INNERMOST) await this.appendInnermost(lane, kept, one, fromSeconds, toSeconds, task);
    }
    return asked.map(({ spans }) => spans.columns());
  }

  private levelsOf({ row, depths }: LaneSpans, asked: number): [from: number, to: number] {
    const at = asked === INNERMOST ? row : row + 1 + asked;
    if (asked >= depths) return [0, 0];
    const { values } = this.built.levelsAt;
    return [values[at], values[at + 1]];
  }

  /** From the coarsest level that is as fine as asked. */
  private appendKept({ spans, levels: [from, to] }: Asked, start: number, end: number, exponent: number): void {
    if (from === to) return;
    const { pool } = this.built;
    let level = to - 1;
    while (pool.exponent(level) > exponent) level--;
    this.appendLong(spans, level, start, start, spans.step);
    const columns = pool.get(level);
    spans.append(columns, firstFrom(columns, start), firstFrom(columns, end));
  }

  /** Long spans of a level that began before a time and still run at a later one. */
  private appendLong(spans: SpanRow, level: number, before: number, at: number, least: number): void {
    const columns = this.built.pool.get(level);
    const until = firstFrom(columns, before);
    const { start, end, events, overlaps } = columns;
    for (let span = overlaps ? 0 : Math.max(0, until - 1); span < until; span++)
      if (end[span] > at && events[span] === 1 && end[span] - start[span] >= least)
        spans.append(columns, span, span + 1);
  }

  /** What is shorter than the finest step and runs at `fromSeconds` began within that step before it. */
  private async appendDepths(
    lane: number,
    rows: readonly Asked[],
    fromSeconds: number,
    toSeconds: number,
    task: Pick<Task, "check">,
  ): Promise<void> {
    const { pool } = this.built;
    const before = fromSeconds - largestIn(rows.map(({ levels: [finest] }) => 2 ** pool.exponent(finest)));
    const ofDepth = new Map(rows.map((one) => [one.row, one.spans]));
    const [
      {
        spans: { step },
      },
    ] = rows;
    for (const { spans, levels } of rows) this.appendLong(spans, levels[0], before, fromSeconds, step);
    await this.eachEvent(
      lane,
      before,
      toSeconds,
      task,
      ({ startSeconds, endSeconds, frame, category, depth }, at, event) => {
        const spans = ofDepth.get(depth[at]);
        const [start, end] = [startSeconds[at], endSeconds[at]];
        if (spans === undefined || (start < fromSeconds && !(end > fromSeconds && end - start >= step))) return;
        spans.add(start, end, this.built.state(frame[at], category[at]), event);
      },
    );
  }

  /** Sweeps over the lane again, from where all that is open is known. */
  private async appendInnermost(
    lane: number,
    kept: LaneSpans,
    { spans, levels: [finest] }: Asked,
    fromSeconds: number,
    toSeconds: number,
    task: Pick<Task, "check">,
  ): Promise<void> {
    const { pool } = this.built;
    const before = fromSeconds - 2 ** pool.exponent(finest);
    this.appendLong(spans, finest, before, fromSeconds, spans.step);
    const stretch = { event: -1, state: -1, start: 0, end: 0 };
    const put = () => {
      const { event, state, start, end } = stretch;
      const isLong = end - start >= spans.step;
      if (event >= 0 && start >= before && start < toSeconds && (start >= fromSeconds || (isLong && end > fromSeconds)))
        spans.add(start, end, state, event);
    };
    const sweep = new LaneSweep((frame, category, from, to, event) => {
      if (event === stretch.event && from === stretch.end) {
        stretch.end = to;
        return;
      }
      put();
      [stretch.event, stretch.state, stretch.start, stretch.end] = [event, this.built.state(frame, category), from, to];
    });
    sweep.begin();
    const begin = await this.openEvents(lane, kept, before, sweep);
    // A stretch that began before the end may last longer than events that begin there: the sweep goes on to the next event behind it.
    let isBehind = false;
    await this.eachEvent(
      lane,
      begin,
      Number.POSITIVE_INFINITY,
      task,
      ({ startSeconds, endSeconds, frame, category }, at, event) => {
        sweep.event(startSeconds[at], endSeconds[at], frame[at], category[at], event);
        isBehind = stretch.start >= toSeconds;
        return isBehind;
      },
    );
    if (!isBehind) sweep.end();
    put();
  }

  /** Tells a sweep what is open some time before. @returns from when on it needs all events */
  private async openEvents(lane: number, kept: LaneSpans, before: number, sweep: LaneSweep): Promise<number> {
    if (kept.isDeeper) return Number.NEGATIVE_INFINITY;
    const { pool } = this.built;
    const finest = Array.from({ length: kept.depths }, (_, depth) => this.levelsOf(kept, depth)[0]);
    const begin = before - largestIn(finest.map((level) => 2 ** pool.exponent(level)));
    const open: number[] = [];
    for (const level of finest) {
      const columns = pool.get(level);
      const until = firstFrom(columns, begin);
      for (let span = columns.overlaps ? 0 : Math.max(0, until - 1); span < until; span++) {
        if (columns.end[span] > begin && columns.events[span] === 1) open.push(columns.first[span]);
      }
    }
    open.sort((a, b) => a - b);
    for (const event of open) {
      const { startSeconds, endSeconds, frame, category } = await this.events.readEvents(lane, event, 1);
      sweep.event(startSeconds[0], endSeconds[0], frame[0], category[0], event);
    }
    return begin;
  }

  /** Events that start from `fromSeconds` on, until one starts at `toSeconds` or later, or `take` says that it is enough. */
  private async eachEvent(
    lane: number,
    fromSeconds: number,
    toSeconds: number,
    task: Pick<Task, "check">,
    take: (events: EventColumns, at: number, event: number) => boolean | void,
  ): Promise<void> {
    const until =
      toSeconds === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : await this.events.eventAt(lane, toSeconds);
    for (let first = await this.events.eventAt(lane, fromSeconds); first < until; first += PAGE) {
      task.check();
      const events = await this.events.readEvents(lane, first, Math.min(PAGE, until - first));
      for (let at = 0; at < events.count; at++) if (take(events, at, first + at) === true) return;
      if (events.count < PAGE) return;
    }
  }
}

/** The first span that starts at a time or later. */
function firstFrom({ start, count }: SpanColumns, seconds: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[middle] >= seconds) high = middle;
    else low = middle + 1;
  }
  return low;
}
