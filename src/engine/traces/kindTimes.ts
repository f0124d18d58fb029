/** How long a lane was in each kind of work (semantics 9, Categories), stretch by stretch: exact, whatever it is read from. */
import { eventKinds } from "../../model/eventKinds";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import { LaneSweep } from "../../formats/trace/laneSweep";
import { type EventStates, stateNumbers } from "./eventStates";
import { eachEventIn } from "./eventsInWindow";

export const KINDS = eventKinds.length;
/** Lanes with fewer events are read as a whole, which takes less than finding what lies at so many edges. */
const FEW_EVENTS = 100_000;
/** Bins that a stretch has at least, so that little of it is read event by event. */
const BINS = 16;

/** Adds seconds of innermost events by stretch and kind to sums. Of one trace, lane after lane. */
export class KindTimes {
  private readonly kindOf: (frame: number, category: number) => number;
  private at = 0;
  private into: Float64Array = new Float64Array(0);
  private edges: Float64Array = new Float64Array(0);
  private limits = { from: 0, to: 0 };
  private readonly sweep: LaneSweep;

  constructor(
    private readonly trace: Trace,
    private readonly states: EventStates,
    private readonly task: Pick<Task, "check">,
    private readonly fewEvents = FEW_EVENTS,
  ) {
    const stateOf = stateNumbers(trace, states.of);
    this.kindOf = (frame, category) => states.states[stateOf(frame, category)].kind;
    this.sweep = new LaneSweep((frame, category, from, to) => this.spend(this.kindOf(frame, category), from, to));
  }

  /**
   * @param edges of stretches, ascending
   * @param into by stretch and kind
   */
  async add(lane: number, edges: Float64Array, into: Float64Array): Promise<void> {
    [this.edges, this.into] = [edges, into];
    const stretches = edges.length - 1;
    const { events, startSeconds, endSeconds } = this.trace.lanes[lane];
    if (events <= this.fewEvents) return this.read(lane, 0, edges[0], edges[stretches]);
    for (let stretch = 0; stretch < stretches; stretch++) {
      const [from, to] = [Math.max(edges[stretch], startSeconds), Math.min(edges[stretch + 1], endSeconds)];
      if (to > from) await this.addStretch(lane, stretch, from, to);
    }
  }

  /** Whole bins from a level of detail, and what is before and behind them event by event. */
  private async addStretch(lane: number, stretch: number, from: number, to: number): Promise<void> {
    const level = this.trace.level(lane, (to - from) / (2 * BINS));
    const { startSeconds: start = 0, binSeconds: width = Infinity, bins = 0 } = level ?? {};
    const first = Math.max(0, Math.ceil((from - start) / width));
    const until = Math.min(bins, Math.floor((to - start) / width));
    if (!level || until <= first) return this.read(lane, stretch, from, to);
    const { states, of } = this.states;
    for (let cell = level.rowStart[first]; cell < level.rowStart[until]; cell++)
      this.into[stretch * KINDS + states[of[level.state[cell]]].kind] += level.seconds[cell];
    await this.read(lane, stretch, from, start + first * width);
    await this.read(lane, stretch, start + until * width, to);
  }

  private async read(lane: number, stretch: number, from: number, to: number): Promise<void> {
    if (!(to > from)) return;
    this.at = stretch;
    this.sweep.begin();
    this.limits = { from, to };
    await eachEventIn(this.trace, lane, this.limits, this.task, ({ startSeconds, endSeconds, frame, category }, at) => {
      this.sweep.event(startSeconds[at], endSeconds[at], frame[at], category[at], 0);
    });
    this.sweep.end();
  }

  /** Pieces come by ascending time. */
  private spend(kind: number, begin: number, end: number): void {
    let from = Math.max(begin, this.limits.from);
    const to = Math.min(end, this.limits.to);
    const { edges } = this;
    while (from < to) {
      while (this.at + 2 < edges.length && edges[this.at + 1] <= from) this.at++;
      const until = Math.min(to, this.at + 2 < edges.length ? edges[this.at + 1] : to);
      this.into[this.at * KINDS + kind] += until - from;
      from = until;
    }
  }
}
