/** What is drawn of lanes in a window: events by themselves, and clusters of those that are too short for that. */
import { widened } from "../../model/columns";
import type { Task } from "../../model/task";
import { INNERMOST, type SpanColumns, type Trace } from "../../model/trace";
import type { EventStates } from "./eventStates";
import type { TimelineMarks, TimelineQuery, TimelineRows } from "./timelineApi";

const MOST_MARKS = 20_000;
/** Clusters end at multiples of so many steps: they are the same whatever part of them is in sight, and where they are joined is known. */
const BLOCK = 64;

/** As {@link TimelineMarks} says. */
export async function timelineMarks(
  trace: Trace,
  states: EventStates,
  query: TimelineQuery,
  task: Task,
): Promise<TimelineMarks> {
  const { fromSeconds, toSeconds, pixelSeconds, mostMarks = MOST_MARKS } = query;
  // Wider than the whole trace there is nothing more to lay together.
  const widest = Math.ceil(Math.log2(Math.max(2 * (trace.endSeconds - trace.startSeconds), Number.MIN_VALUE)));
  let exponent = Math.ceil(Math.log2(Math.max(2 * pixelSeconds, 2 ** -900)));
  for (; ; exponent++) {
    const step = 2 ** exponent;
    const from = Math.floor(fromSeconds / (BLOCK * step)) * BLOCK * step;
    const to = Math.ceil(toSeconds / (BLOCK * step)) * BLOCK * step;
    const marks = new MarkColumns(states, exponent, from, exponent >= widest ? Number.POSITIVE_INFINITY : mostMarks);
    for (const rows of query.lanes) {
      task.check();
      await addLane(trace, rows, query, marks, to, task);
      if (marks.isFull) break;
    }
    if (!marks.isFull) return { stepSeconds: step, fromSeconds: from, toSeconds: to, ...marks.columns() };
  }
}

async function addLane(
  trace: Trace,
  { lane, firstDepth, depths }: TimelineRows,
  { look }: TimelineQuery,
  marks: MarkColumns,
  to: number,
  task: Task,
): Promise<void> {
  // A point in time is innermost at no time: such lanes have one row, and always show it.
  const isInnermost = look === "state" && trace.lanes[lane].kind === "intervals";
  const rows = isInnermost
    ? [INNERMOST]
    : look === "state"
      ? [0]
      : Array.from({ length: depths }, (_, at) => firstDepth + at).filter((row) => row < trace.depths(lane).rows);
  // Of the block before, what reaches into the window.
  const from = marks.from - BLOCK * 2 ** marks.exponent;
  const all = await trace.spans(lane, rows, from, to, marks.exponent, task);
  all.forEach((spans, at) => marks.addRow(spans, lane, isInnermost ? 0 : rows[at]));
}

/** What rounding leaves of a difference is none: sums are made in other orders at other resolutions. */
function difference(one: number, other: number): number {
  return Math.abs(one - other) <= 1e-12 * other ? 0 : one - other;
}

/** Marks as columns, one row of a lane after the other. */
class MarkColumns {
  count = 0;
  private readonly step: number;
  private lane = new Int32Array(1024);
  private depth = new Int32Array(1024);
  private start = new Float64Array(1024);
  private end = new Float64Array(1024);
  private events = new Int32Array(1024);
  private event = new Int32Array(1024);
  private state = new Int32Array(1024);
  /** Of the main state, and of all. */
  private mainSeconds = new Float64Array(1024);
  private seconds = new Float64Array(1024);
  /** By state: time and events of the span at hand. */
  private readonly secondsOf: Float64Array;
  private readonly eventsOf: Int32Array;

  constructor(
    private readonly states: EventStates,
    readonly exponent: number,
    readonly from: number,
    private readonly most: number,
  ) {
    this.step = 2 ** exponent;
    this.secondsOf = new Float64Array(states.states.length);
    this.eventsOf = new Int32Array(states.states.length);
  }

  get isFull(): boolean {
    return this.count > this.most;
  }

  addRow(spans: SpanColumns, lane: number, depth: number): void {
    const { step } = this;
    const { count, start, end, events, first } = spans;
    /** Block of the cluster that goes on; NaN where none does. */
    let block = Number.NaN;
    for (let span = 0; span < count; span++) {
      const isLong = events[span] === 1 && end[span] - start[span] >= step;
      const own = isLong ? Number.NaN : Math.floor(start[span] / (BLOCK * step));
      const [state, mainSeconds, seconds] = this.mainState(spans, span);
      const last = this.count - 1;
      if (own === block && this.state[last] === state && start[span] - this.end[last] < step) {
        this.events[last] += events[span];
        this.mainSeconds[last] += mainSeconds;
        this.seconds[last] += seconds;
        if (end[span] > this.end[last]) this.end[last] = end[span];
        continue;
      }
      // What went before is whole now, and may lie before the window.
      if (!this.isLastInSight()) this.count--;
      block = own;
      const at = this.room();
      this.lane[at] = lane;
      this.depth[at] = depth;
      this.start[at] = start[span];
      this.end[at] = end[span];
      this.events[at] = events[span];
      this.event[at] = first[span];
      this.state[at] = state;
      this.mainSeconds[at] = mainSeconds;
      this.seconds[at] = seconds;
    }
    if (!this.isLastInSight()) this.count--;
  }

  columns() {
    const { count, mainSeconds, seconds } = this;
    const share = Float64Array.from({ length: count }, (_, at) =>
      seconds[at] > 0 ? mainSeconds[at] / seconds[at] : 1,
    );
    return {
      count,
      lane: this.lane.slice(0, count),
      depth: this.depth.slice(0, count),
      startSeconds: this.start.slice(0, count),
      endSeconds: this.end.slice(0, count),
      events: this.events.slice(0, count),
      event: this.event.slice(0, count),
      state: this.state.slice(0, count),
      share,
    };
  }

  private isLastInSight(): boolean {
    const last = this.count - 1;
    return last < 0 || this.start[last] >= this.from || this.end[last] > this.from;
  }

  /** @returns the state of a span with most time, of equal ones with most events; its time and the time of all */
  private mainState({ cellsAt, state, seconds, cellEvents }: SpanColumns, span: number): [number, number, number] {
    const { of } = this.states;
    const [from, to] = [cellsAt[span], cellsAt[span + 1]];
    if (to - from === 1) return [of[state[from]], seconds[from], seconds[from]];
    const { secondsOf, eventsOf } = this;
    for (let cell = from; cell < to; cell++) {
      secondsOf[of[state[cell]]] += seconds[cell];
      eventsOf[of[state[cell]]] += cellEvents[cell];
    }
    let [main, all] = [of[state[from]], 0];
    for (let cell = from; cell < to; cell++) {
      const one = of[state[cell]];
      const more = difference(secondsOf[one], secondsOf[main]) || eventsOf[one] - eventsOf[main] || main - one;
      if (more > 0) main = one;
      all += seconds[cell];
    }
    const mainSeconds = secondsOf[main];
    for (let cell = from; cell < to; cell++) secondsOf[of[state[cell]]] = eventsOf[of[state[cell]]] = 0;
    return [main, mainSeconds, all];
  }

  private room(): number {
    if (this.count === this.lane.length) {
      this.lane = widened(this.lane);
      this.depth = widened(this.depth);
      this.start = widened(this.start);
      this.end = widened(this.end);
      this.events = widened(this.events);
      this.event = widened(this.event);
      this.state = widened(this.state);
      this.mainSeconds = widened(this.mainSeconds);
      this.seconds = widened(this.seconds);
    }
    return this.count++;
  }
}
