/** What lanes did in a window, function by function (semantics 9, "In a window"). */
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { LaneSweep } from "../../formats/trace/laneSweep";
import type { EventColumns, Trace } from "../../model/trace";
import { type EventStates, stateNumbers } from "./eventStates";
import { eachEventIn } from "./eventsInWindow";
import type { TimelineSum, TimelineSums } from "./timelineApi";

/** As {@link TimelineSums} says. */
export async function timelineSums(
  trace: Trace,
  { states, of }: EventStates,
  query: { readonly lanes: readonly number[]; readonly fromSeconds: number; readonly toSeconds: number },
  task: Task,
): Promise<TimelineSums> {
  const sums = new Sums(states.length, query.fromSeconds, endOf(trace, query.toSeconds));
  const numbers = stateNumbers(trace, of);
  for (const [at, lane] of query.lanes.entries()) {
    task.progress(at / query.lanes.length);
    await addLane(trace, lane, sums, numbers, task);
  }
  return { coveredSeconds: sums.covered, rows: sums.rows() };
}

/** End of the window; Infinity if it is the end of the run, so that events that begin at the last moment are counted, too. */
function endOf({ endSeconds }: Trace, toSeconds: number): number {
  return toSeconds >= endSeconds ? Number.POSITIVE_INFINITY : toSeconds;
}

async function addLane(
  trace: Trace,
  lane: number,
  sums: Sums,
  stateOf: (frame: number, category: number) => number,
  task: Task,
): Promise<void> {
  const sweep = new LaneSweep((frame, category, begin, end) => sums.spend(stateOf(frame, category), begin, end));
  sweep.begin();
  sums.begin(lane);
  const take = ({ startSeconds, endSeconds, frame, category }: EventColumns, at: number, event: number) => {
    const [start, end] = [startSeconds[at], endSeconds[at]];
    sweep.event(start, end, frame[at], category[at], 0);
    sums.event(stateOf(frame[at], category[at]), start, end, event);
  };
  await eachEventIn(trace, lane, sums, task, take);
  sweep.end();
}

/** Sums by state over the lanes of a window. */
class Sums {
  covered = 0;
  private readonly exclusive: Float64Array;
  private readonly inclusive: Float64Array;
  private readonly count: Float64Array;
  private readonly duration: Float64Array;
  private readonly shortest: Float64Array;
  private readonly longest: Float64Array;
  private readonly laneOf: Int32Array;
  private readonly eventOf: Int32Array;
  private lane = 0;
  /** Last end of the events of each state of the lane so far. */
  private readonly reach: Float64Array;

  constructor(
    private readonly states: number,
    readonly from: number,
    readonly to: number,
  ) {
    this.exclusive = new Float64Array(states);
    this.inclusive = new Float64Array(states);
    this.count = new Float64Array(states);
    this.duration = new Float64Array(states);
    this.shortest = new Float64Array(states).fill(Number.POSITIVE_INFINITY);
    this.longest = new Float64Array(states);
    this.laneOf = new Int32Array(states).fill(NONE);
    this.eventOf = new Int32Array(states).fill(NONE);
    this.reach = new Float64Array(states);
  }

  begin(lane: number): void {
    this.lane = lane;
    this.reach.fill(Number.NEGATIVE_INFINITY);
  }

  spend(state: number, fromSeconds: number, toSeconds: number): void {
    const seconds = this.part(fromSeconds, toSeconds);
    this.exclusive[state] += seconds;
    this.covered += seconds;
  }

  /** Adds an event. Starts ascend; events that run when the window begins come first. */
  event(state: number, startSeconds: number, endSeconds: number, event: number): void {
    // The inclusive time of a function is the union of its events: several of them may be on the path.
    const reach = this.reach[state];
    this.inclusive[state] += this.part(startSeconds > reach ? startSeconds : reach, endSeconds);
    if (endSeconds > reach) this.reach[state] = endSeconds;
    if (startSeconds >= this.from && startSeconds < this.to) {
      const seconds = endSeconds - startSeconds;
      if (this.count[state] === 0 || seconds > this.longest[state]) this.place(state, event);
      this.count[state]++;
      this.duration[state] += seconds;
      if (seconds < this.shortest[state]) this.shortest[state] = seconds;
      if (seconds > this.longest[state]) this.longest[state] = seconds;
    } else if (this.laneOf[state] === NONE) this.place(state, event);
  }

  rows(): TimelineSum[] {
    const rows: TimelineSum[] = [];
    for (let state = 0; state < this.states; state++) {
      const count = this.count[state];
      if (count === 0 && this.inclusive[state] === 0) continue;
      rows.push({
        state,
        exclusiveSeconds: this.exclusive[state],
        inclusiveSeconds: this.inclusive[state],
        count,
        shortestSeconds: count > 0 ? this.shortest[state] : Number.NaN,
        meanSeconds: this.duration[state] / count,
        longestSeconds: count > 0 ? this.longest[state] : Number.NaN,
        lane: this.laneOf[state],
        event: this.eventOf[state],
      });
    }
    return rows.sort((a, b) => b.exclusiveSeconds - a.exclusiveSeconds || b.count - a.count || a.state - b.state);
  }

  private place(state: number, event: number): void {
    this.laneOf[state] = this.lane;
    this.eventOf[state] = event;
  }

  private part(fromSeconds: number, toSeconds: number): number {
    return Math.max(0, Math.min(toSeconds, this.to) - Math.max(fromSeconds, this.from));
  }
}
