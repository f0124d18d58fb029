import { FINDING_CONTEXTS } from "../../../model/stages";
import { widened } from "../../../model/columns";
import type { ContextTree } from "../../../model/contextTree";
import type { FrameTable } from "../../../model/frames";
import { NONE } from "../../../model/ids";
import { quietTask, type Task } from "../../../model/task";
import type { EventColumns, Lane, Trace } from "../../../model/trace";
import { LaneSweep, type OpenPath, type Spend } from "../../trace/laneSweep";
import type { NestedContexts } from "./nestedContexts";

/** How many events are read at once. */
const BLOCK = 1 << 16;
/** The open path is kept every so many events of a lane, less often if it is longer than that. */
const MARK_EVERY = 4096;
/** The frames of an event's stack are counted beside: {@link NestedContexts}. */
const EVENTS_BETWEEN_CHECKS = 1024;
/** Columns of an open event. */
const BYTES_PER_ENTRY = 21;

/** Position of a sweep over a lane: before this event. */
interface Mark {
  readonly event: number;
  readonly path: OpenPath;
}

/**
 * A trace whose events get their calling contexts from their nesting. The contexts need no column of their own: an event's
 * follows from those that are open when it begins, and every few thousand events these are kept.
 *
 * Events of the trace below have, instead of a context, the stack that they were recorded with.
 */
export class ContextTrace {
  /** Lanes whose events overlap so much that the rest of them keeps the contexts in which they began. */
  tangledLanes = 0;
  private readonly marks: Mark[][];

  constructor(
    private readonly trace: Trace,
    private readonly contexts: NestedContexts,
    private readonly frames: FrameTable,
  ) {
    this.marks = trace.lanes.map(() => []);
  }

  /**
   * Finds the contexts of all events, and adds up the exclusive time of each: a moment belongs to the path that is open then (semantics 8).
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
    const units = new ContextUnits(scale);
    let isSpent = false;
    const paths = new LanePaths(
      this.contexts,
      (_frame, _category, from, to, way) => {
        if (isSpent) units.spend(this.contexts.context(way), from, to);
      },
      task,
    );
    for (const [lane, { kind, location, events }] of this.trace.lanes.entries()) {
      isSpent = kind === "intervals" && location !== NONE;
      paths.begin(events);
      for (let first = 0; first < events; first += BLOCK) {
        task.progress(all === 0 ? undefined : done / all, FINDING_CONTEXTS);
        const block = await this.trace.readEvents(lane, first, BLOCK);
        for (let at = 0; at < block.count; at++) {
          if (at % EVENTS_BETWEEN_CHECKS === 0) task.check();
          if (kind === "instants") {
            if (block.context[at] !== NONE) this.contexts.stackContext(block.context[at], task);
            continue;
          }
          if (at % MARK_EVERY === 0 && first + at > 0) this.mark(lane, first + at, paths);
          paths.take(block, at);
        }
        done += block.count;
      }
      paths.end();
      if (paths.isTangled) this.tangledLanes++;
      if (isSpent) units.finish((context, amount) => add(context, location, amount));
    }
  }

  /** The trace with contexts, once their final numbers are known. */
  finished(tree: ContextTree, contextOf: Int32Array): Trace {
    const { trace, contexts, frames } = this;
    const final = (context: number) => (context === NONE ? NONE : contextOf[context]);
    const entries = this.marks.flat().reduce((sum, { path }) => sum + path.ends.length, 0);
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
      const paths = new LanePaths(contexts, () => undefined, quietTask);
      const from = this.resume(lane, first, paths);
      const some = await trace.readEvents(lane, from, first - from + count);
      for (let at = 0; at < some.count; at++) some.context[at] = final(contexts.context(paths.take(some, at)));
      return part(some, first - from);
    };
    const { startSeconds, endSeconds, lanes, categories, counters, transferDirections } = trace;
    return {
      zeroNanoseconds: trace.zeroNanoseconds,
      clocks: trace.clocks,
      startSeconds,
      endSeconds,
      lanes,
      categories,
      counters,
      transferDirections,
      categoryUse: trace.categoryUse,
      events: trace.events,
      messages: trace.messages,
      arrows: trace.arrows,
      links: trace.links,
      transfers: trace.transfers,
      bytes: trace.bytes + contexts.bytes + BYTES_PER_ENTRY * entries,
      readEvents,
      contextTimes: async (lane, from, to, take, task) => {
        if (trace.lanes[lane].kind === "instants") return;
        const paths = new LanePaths(
          contexts,
          (frame, category, begin, end, way) => take(frame, category, begin, end, final(contexts.context(way))),
          task,
        );
        const until = await trace.eventAt(lane, to);
        for (let first = this.resume(lane, await trace.eventAt(lane, from), paths); first < until; first += BLOCK) {
          task.check();
          const block = await trace.readEvents(lane, first, Math.min(BLOCK, until - first));
          for (let at = 0; at < block.count; at++) paths.take(block, at);
        }
        paths.advance(to);
      },
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

  private mark(lane: number, event: number, paths: LanePaths): void {
    const marks = this.marks[lane];
    // Paths as long as a file would otherwise be kept again and again.
    if (event - (marks.at(-1)?.event ?? 0) >= paths.length) marks.push(paths.markAt(event));
  }

  /** Brings paths to a mark before an event. @returns the event to go on with */
  private resume(lane: number, event: number, paths: LanePaths): number {
    const mark = this.marks[lane].findLast((one) => one.event <= event);
    paths.begin(this.trace.lanes[lane].events, mark);
    return mark?.event ?? 0;
  }
}

/** Ways of the events of a lane, one after the other. */
class LanePaths {
  private readonly sweep: LaneSweep;

  constructor(
    private readonly contexts: NestedContexts,
    spend: Spend,
    private readonly task: Pick<Task, "check">,
  ) {
    this.sweep = new LaneSweep(spend, (way, _was, is) => contexts.move(way, is, task));
  }

  get isTangled(): boolean {
    return this.sweep.isTangled;
  }

  /** Number of open events. */
  get length(): number {
    return this.sweep.openCount;
  }

  markAt(event: number): Mark {
    return { event, path: this.sweep.openPath };
  }

  /** @param events of the lane @param mark to go on from; the start of the lane if undefined */
  begin(events: number, mark?: Mark): void {
    this.sweep.begin(events, mark?.path);
  }

  /** @returns way of the event */
  take({ startSeconds, endSeconds, frame, context, category }: EventColumns, at: number): number {
    const { sweep } = this;
    sweep.advance(startSeconds[at]);
    const way = this.contexts.enter(sweep.innermost, context[at], frame[at], this.task);
    sweep.event(startSeconds[at], endSeconds[at], frame[at], category[at], way);
    return way;
  }

  advance(seconds: number): void {
    this.sweep.advance(seconds);
  }

  end(): void {
    this.sweep.end();
  }
}

/** Units of time by provisional context, of one lane after the other. */
class ContextUnits {
  private sums = new Float64Array(256);
  /** Contexts that have some: with many lanes, most contexts are those of others. */
  private spent: number[] = [];

  constructor(private readonly scale: number) {}

  spend(context: number, fromSeconds: number, toSeconds: number): void {
    if (context >= this.sums.length) this.sums = widened(this.sums, 2 * context);
    const units = Math.round((toSeconds - fromSeconds) * this.scale);
    if (this.sums[context] === 0 && units > 0) this.spent.push(context);
    this.sums[context] += units;
  }

  finish(add: (context: number, units: number) => void): void {
    for (const context of this.spent) {
      add(context, this.sums[context]);
      this.sums[context] = 0;
    }
    this.spent = [];
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
