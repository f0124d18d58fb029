/** When contexts were active, and how many events they have: one pass over all events of a run. */
import type { ContextTree } from "../../model/contextTree";
import { NONE } from "../../model/ids";
import { keepNewest } from "../../model/maps";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import { eachEventIn } from "../traces/eventsInWindow";
import { ACTIVITY_COLUMNS } from "./applicationApi";

/** By context; bits are of the context and all that it calls. */
export interface Activity {
  readonly events: Float64Array;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
}

const WORD = 32;

/** Of the latest traces and restrictions: the window moves far more often than they change. */
const known = new WeakMap<Trace, Map<string, Activity>>();
const KEPT = 2;

/** @param key names what `isChosen` leaves */
export async function activityOf(
  tree: Pick<ContextTree, "size" | "parent">,
  trace: Trace,
  isChosen: (lane: number) => boolean,
  key: string,
  task: Task,
): Promise<Activity> {
  const kept = known.get(trace) ?? new Map<string, Activity>();
  known.set(trace, kept);
  const before = kept.get(key);
  if (before) return before;
  const found = await findActivity(tree, trace, isChosen, task);
  keepNewest(kept, key, found, KEPT);
  return found;
}

async function findActivity(
  { size, parent }: Pick<ContextTree, "size" | "parent">,
  trace: Trace,
  isChosen: (lane: number) => boolean,
  task: Task,
): Promise<Activity> {
  const events = new Float64Array(size);
  const bits = [new Uint32Array(size), new Uint32Array(size)];
  const { startSeconds: from, endSeconds: to } = trace;
  const scale = to > from ? ACTIVITY_COLUMNS / (to - from) : 0;
  const columnOf = (seconds: number) =>
    Math.min(ACTIVITY_COLUMNS - 1, Math.max(0, Math.floor((seconds - from) * scale)));
  for (let lane = 0; lane < trace.lanes.length; lane++) {
    task.progress(lane / trace.lanes.length, "Finding when contexts were active");
    if (!isChosen(lane)) continue;
    const whole = { from, to: Number.POSITIVE_INFINITY };
    await eachEventIn(trace, lane, whole, task, ({ startSeconds, endSeconds, context }, at) => {
      const own = context[at];
      if (own === NONE) return;
      events[own]++;
      const [first, last] = [columnOf(startSeconds[at]), lastColumn(startSeconds[at], endSeconds[at])];
      for (let column = first; column <= last; column++) bits[column >> 5][own] |= 1 << (column % WORD);
    });
  }
  // Backwards, every callee is complete before it is added to its caller.
  for (let context = size - 1; context > 0; context--) {
    const caller = parent[context];
    if (caller !== NONE) for (const word of bits) word[caller] |= word[context];
  }
  return { events, first: bits[0], second: bits[1] };

  /** An event that ends where a column begins is not in that one. */
  function lastColumn(start: number, end: number): number {
    return Math.max(columnOf(start), Math.min(ACTIVITY_COLUMNS - 1, Math.ceil((end - from) * scale) - 1));
  }
}
