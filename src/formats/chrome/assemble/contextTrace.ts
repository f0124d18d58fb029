import { widened } from "../../../model/columns";
import type { ContextTree } from "../../../model/contextTree";
import type { FrameTable } from "../../../model/frames";
import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import type { EventColumns, Lane, Trace } from "../../../model/trace";
import type { NestedContexts } from "./nestedContexts";

/** How many events are read at once. */
const BLOCK = 1 << 16;
/** Every so many events of a lane it is kept where in the tree they are. */
const MARK_EVERY = 4096;
/** The frames of an event's stack are counted beside: {@link NestedContexts}. */
const EVENTS_BETWEEN_CHECKS = 1024;

/** Place of an event in the tree. The next event comes below it, or below an event that encloses it. */
interface Place {
  way: number;
  depth: number;
}

/**
 * A trace whose events get their calling contexts from their nesting. The contexts need no column of their own: an event's
 * follows from the event before it, its depth and its frame, and every few thousand events the place in the tree is kept.
 *
 * Events of the trace below have, instead of a context, the stack that they were recorded with.
 */
export class ContextTrace {
  private readonly marks: { readonly ways: Int32Array; readonly depths: Int32Array }[];

  constructor(
    private readonly trace: Trace,
    private readonly contexts: NestedContexts,
    private readonly frames: FrameTable,
  ) {
    this.marks = trace.lanes.map(({ events }) => {
      const marks = Math.ceil(events / MARK_EVERY);
      return { ways: new Int32Array(marks).fill(NONE), depths: new Int32Array(marks).fill(NONE) };
    });
  }

  /**
   * Finds the contexts of all events, and tells the exclusive time of each: a moment belongs to the innermost event of its lane.
   *
   * @param scale units per second in which times are whole numbers, so that their sums are exact
   * @param add gets provisional contexts, once per lane
   */
  async spend(
    scale: number,
    add: (context: number, location: number, units: number) => void,
    task: Task,
  ): Promise<void> {
    const all = this.trace.lanes.reduce((sum, { events }) => sum + events, 0);
    let done = 0;
    const spending = new Spending(scale);
    for (const [lane, { kind, location, events }] of this.trace.lanes.entries()) {
      const spent = kind === "intervals" && location !== NONE ? spending : undefined;
      spent?.begin();
      const place: Place = { way: NONE, depth: NONE };
      for (let first = 0; first < events; first += BLOCK) {
        task.progress(all === 0 ? undefined : done / all, "finding calling contexts");
        const block = await this.trace.readEvents(lane, first, BLOCK);
        for (let at = 0; at < block.count; at++) {
          if (at % MARK_EVERY === 0) this.mark(lane, first + at, place);
          if (at % EVENTS_BETWEEN_CHECKS === 0) task.check();
          if (kind === "instants") {
            if (block.context[at] !== NONE) this.contexts.stackContext(block.context[at], task);
            continue;
          }
          this.step(place, block, at, task);
          const context = this.contexts.context(place.way);
          spent?.open(block.startSeconds[at], block.endSeconds[at], context);
        }
        done += block.count;
      }
      spent?.finish((context, units) => add(context, location, units));
    }
  }

  /** The trace with contexts, once their final numbers are known. */
  finished(tree: ContextTree, contextOf: Int32Array): Trace {
    const { trace, contexts, frames } = this;
    const final = (context: number) => (context === NONE ? NONE : contextOf[context]);
    const readEvents = async (lane: number, first: number, count: number): Promise<EventColumns> => {
      const own: Lane = trace.lanes[lane];
      if (own.kind === "instants") {
        const some = await trace.readEvents(lane, first, count);
        const context = some.context.map((stack) => (stack === NONE ? NONE : final(contexts.stackContext(stack))));
        // A sample has no name of its own: it is shown as the function that it was taken in.
        const frame = some.frame.map((one, at) =>
          context[at] !== NONE && frames.nameOf(one) === "" ? tree.frame[context[at]] : one,
        );
        return { ...some, context, frame };
      }
      const mark = Math.floor(first / MARK_EVERY);
      const from = mark * MARK_EVERY;
      const { ways, depths } = this.marks[lane];
      if (mark >= ways.length) return trace.readEvents(lane, first, count);
      const some = await trace.readEvents(lane, from, first - from + count);
      const place = { way: ways[mark], depth: depths[mark] };
      for (let at = 0; at < some.count; at++) {
        this.step(place, some, at);
        some.context[at] = final(contexts.context(place.way));
      }
      return part(some, first - from);
    };
    const { startSeconds, endSeconds, lanes, categories, counters, transferDirections } = trace;
    return {
      zeroNanoseconds: trace.zeroNanoseconds,
      clocks: trace.clocks,
      ...{ startSeconds, endSeconds, lanes, categories, counters, transferDirections },
      categoryUse: trace.categoryUse,
      events: trace.events,
      messages: trace.messages,
      arrows: trace.arrows,
      links: trace.links,
      transfers: trace.transfers,
      bytes: trace.bytes + contexts.bytes,
      readEvents,
      eventAt: (lane, seconds, covering) => trace.eventAt(lane, seconds, covering),
      readMessages: (first, count) => trace.readMessages(first, count),
      readTransfers: (first, count) => trace.readTransfers(first, count),
      readCounter: (counter, first, count) => trace.readCounter(counter, first, count),
      stateSeconds: (lane) => trace.stateSeconds(lane),
      level: (lane, binSeconds) => trace.level(lane, binSeconds),
      states: trace.states,
      depths: (lane) => trace.depths(lane),
      spans: (...asked) => trace.spans(...asked),
      close: () => trace.close(),
    };
  }

  private mark(lane: number, event: number, place: Place): void {
    const { ways, depths } = this.marks[lane];
    ways[event / MARK_EVERY] = place.way;
    depths[event / MARK_EVERY] = place.depth;
  }

  private step(place: Place, block: EventColumns, at: number, task?: Pick<Task, "check">): void {
    const depth = Math.min(block.depth[at], place.depth + 1);
    const parent = this.contexts.above(place.way, place.depth + 1 - depth);
    place.way = this.contexts.enter(parent, block.context[at], block.frame[at], task);
    place.depth = depth;
  }
}

/** The events of one lane after the other that are open, and how far their time was given out. */
class Spending {
  private count = 0;
  private ends = new Float64Array(64);
  private contexts = new Int32Array(64);
  private cursor = Number.NEGATIVE_INFINITY;
  /** Units by provisional context. */
  private sums = new Float64Array(256);
  /** Contexts that have some: with many lanes, most contexts are those of others. */
  private spent: number[] = [];

  constructor(private readonly scale: number) {}

  begin(): void {
    this.count = 0;
    this.cursor = Number.NEGATIVE_INFINITY;
  }

  open(start: number, end: number, context: number): void {
    this.until(start);
    // What ends before this one is covered by it from here on.
    while (this.count > 0 && (this.ends[this.count - 1] <= start || this.ends[this.count - 1] < end)) this.count--;
    if (this.count === this.ends.length) {
      this.ends = widened(this.ends);
      this.contexts = widened(this.contexts);
    }
    this.ends[this.count] = end;
    this.contexts[this.count++] = context;
    if (context >= this.sums.length) this.sums = widened(this.sums, 2 * context);
  }

  finish(add: (context: number, units: number) => void): void {
    this.until(Number.POSITIVE_INFINITY);
    for (const context of this.spent) {
      add(context, this.sums[context]);
      this.sums[context] = 0;
    }
    this.spent = [];
  }

  private until(seconds: number): void {
    while (this.count > 0 && this.cursor < seconds) {
      const end = this.ends[this.count - 1];
      const stop = Math.min(seconds, end);
      if (stop > this.cursor) {
        const context = this.contexts[this.count - 1];
        const units = Math.round((stop - this.cursor) * this.scale);
        if (this.sums[context] === 0 && units > 0) this.spent.push(context);
        this.sums[context] += units;
        this.cursor = stop;
      }
      if (end > seconds) break;
      this.count--;
    }
    if (seconds > this.cursor) this.cursor = seconds;
  }
}

function part(columns: EventColumns, first: number): EventColumns {
  return {
    count: Math.max(0, columns.count - first),
    startSeconds: columns.startSeconds.subarray(first),
    endSeconds: columns.endSeconds.subarray(first),
    frame: columns.frame.subarray(first),
    context: columns.context.subarray(first),
    depth: columns.depth.subarray(first),
    category: columns.category.subarray(first),
  };
}
