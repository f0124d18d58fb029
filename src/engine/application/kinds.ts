/** What contexts spend their time on: by the rule of events (semantics 9, Categories). */
import type { DataSet } from "../../model/dataSet";
import { kindOfEvent } from "../../model/eventKinds";
import type { Category, Trace } from "../../model/trace";
import { groupsByMap } from "../../supergraph/groupMap";
import type { GroupMap } from "../../supergraph/query";

const UNTOLD: Category = { name: "", kind: "other" };
const KERNEL: Category = { name: "kernel", kind: "gpuCompute" };

/**
 * @param contexts whose kinds are wanted
 * @returns an index into `eventKinds` for each: as its function's events are, or as its name says where it has none
 */
export function kindsOf(
  { frames, tree }: Pick<DataSet, "frames" | "tree">,
  trace: Trace | undefined,
  categories: GroupMap,
  contexts: readonly number[],
): number[] {
  const told = trace ? categoriesOfFrames(trace) : new Map<number, number>();
  const names = contexts.map((context) => frames.nameOf(tree.frame[context]));
  const named = groupsByMap(categories, [...new Set(names)]);
  return contexts.map((context, at) => {
    const frame = tree.frame[context];
    const category = trace?.categories[told.get(frame) ?? -1] ?? (frames.kindOf(frame) === "kernel" ? KERNEL : UNTOLD);
    return kindOfEvent(category, names[at], named);
  });
}

/** By frame: the category of most of its events' time. */
function categoriesOfFrames(trace: Trace): Map<number, number> {
  const seconds = new Float64Array(trace.states.frame.length);
  for (let lane = 0; lane < trace.lanes.length; lane++) {
    const own = trace.stateSeconds(lane);
    own.state.forEach((state, at) => (seconds[state] += own.seconds[at]));
  }
  const best = new Map<number, number>();
  trace.states.frame.forEach((frame, state) => {
    const before = best.get(frame);
    if (before === undefined || seconds[state] > seconds[before]) best.set(frame, state);
  });
  return new Map([...best].map(([frame, state]) => [frame, trace.states.category[state]]));
}
