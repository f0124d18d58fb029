/** What a window of time costs, context by context (semantics 9, "Restricted numbers"). */
import { widened } from "../../model/columns";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import type { EventColumns, Trace } from "../../model/trace";
import { SparseBuilder, type SparseValues } from "../../model/values";
import { LaneSweep } from "../../formats/trace/laneSweep";
import type { TimeWindow } from "../scope";
import { eachEventIn } from "./eventsInWindow";

/**
 * Seconds in which events of each calling context were innermost, by the location of their lane, as far as they lie in the window.
 * What has no context, or no location, is in nothing.
 */
export async function windowValues(
  { tree, locations }: Pick<DataSet, "tree" | "locations">,
  trace: Trace,
  { from, to }: TimeWindow,
  task: Task,
): Promise<SparseValues> {
  const builder = new SparseBuilder();
  const seconds = new Float64Array(tree.size);
  let touched = new Int32Array(1024);
  let count = 0;
  const sweep = new LaneSweep((_frame, _category, begin, end, context) => {
    const part = Math.min(end, to) - Math.max(begin, from);
    if (!(part > 0) || context === NONE) return;
    if (seconds[context] === 0) {
      if (count === touched.length) touched = widened(touched);
      touched[count++] = context;
    }
    seconds[context] += part;
  });
  const take = ({ startSeconds, endSeconds, context }: EventColumns, at: number) =>
    sweep.event(startSeconds[at], endSeconds[at], 0, 0, context[at]);
  for (const [lane, { location }] of trace.lanes.entries()) {
    task.progress(lane / trace.lanes.length, "Adding up the events of the window");
    if (location === NONE) continue;
    sweep.begin();
    await eachEventIn(trace, lane, { from, to }, task, take);
    sweep.end();
    for (let at = 0; at < count; at++) {
      builder.add(touched[at], location, seconds[touched[at]]);
      seconds[touched[at]] = 0;
    }
    count = 0;
  }
  const same = (size: number) => Int32Array.from({ length: size }, (_, at) => at);
  return builder.build(tree.size, same(tree.size), same(locations.length));
}
