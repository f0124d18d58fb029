/** Costs of calling contexts in a window of time or for some kinds of work (semantics 9, "Restricted numbers"). */
import { widened } from "../../model/columns";
import { eventKinds } from "../../model/eventKinds";
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import type { EventColumns, Trace } from "../../model/trace";
import { SparseBuilder, type SparseValues } from "../../model/values";
import { LaneSweep } from "../../formats/trace/laneSweep";
import type { EventPart } from "../dataSets/openDataSet";
import type { ChosenKinds } from "../scope";
import { eventStates, stateNumbers } from "./eventStates";
import { eachEventIn } from "./eventsInWindow";
import { TreePaths } from "./treePaths";

/**
 * Seconds in which events of each calling context were innermost, by the location of their lane, as far as they lie in the window and are of
 * the chosen kinds. Events without a context are left out. Lanes without a location count for the location without any parts, if there is one.
 *
 * @throws RequestError where a pattern of the user's table is none
 */
export async function windowValues(
  dataSet: DataSet,
  trace: Trace,
  { window = { from: -Infinity, to: Infinity }, kinds }: EventPart,
  task: Task,
): Promise<SparseValues> {
  const { tree, locations } = dataSet;
  const { from, to } = window;
  const nowhere = locations.findIndex(({ node, rank, thread, device, stream }) =>
    [node, rank, thread, device, stream].every((part) => part === NONE),
  );
  const isOfKind = kinds === undefined ? () => true : kindFilter(dataSet, trace, kinds);
  const builder = new SparseBuilder();
  const seconds = new Float64Array(tree.size);
  let touched = new Int32Array(1024);
  let count = 0;
  const spend = (frame: number, category: number, begin: number, end: number, context: number) => {
    const part = Math.min(end, to) - Math.max(begin, from);
    if (!(part > 0) || context === NONE || !isOfKind(frame, category)) return;
    if (seconds[context] === 0) {
      if (count === touched.length) touched = widened(touched);
      touched[count++] = context;
    }
    seconds[context] += part;
  };
  const paths = new TreePaths(tree);
  const sweep = new LaneSweep(
    (frame, category, begin, end, number) => spend(frame, category, begin, end, paths.contextOf(number)),
    (number, was, is) => paths.move(number, was, is),
  );
  const take = ({ startSeconds, endSeconds, frame, category, context }: EventColumns, at: number) =>
    sweep.event(startSeconds[at], endSeconds[at], frame[at], category[at], context[at]);
  for (const [lane, { location, events }] of trace.lanes.entries()) {
    task.progress(lane / trace.lanes.length, "Adding up the events of the window");
    const column = location === NONE ? nowhere : location;
    if (column < 0) continue;
    if (trace.contextTimes) await trace.contextTimes(lane, from, to, spend, task);
    else {
      sweep.begin(events);
      // If events cross, the path at the start of the window may depend on events that have ended.
      const first = trace.depths(lane).hasCrossed ? Number.NEGATIVE_INFINITY : from;
      await eachEventIn(trace, lane, { from: first, to }, task, take);
      sweep.end();
    }
    for (let at = 0; at < count; at++) {
      builder.add(touched[at], column, seconds[touched[at]]);
      seconds[touched[at]] = 0;
    }
    count = 0;
  }
  const same = (size: number) => Int32Array.from({ length: size }, (_, at) => at);
  return builder.build(tree.size, same(tree.size), same(locations.length));
}

/** Whether an event counts, by its frame and category. */
function kindFilter(dataSet: DataSet, trace: Trace, { of: chosen, named }: ChosenKinds) {
  const { states, of } = eventStates(dataSet, trace, named);
  const stateOf = stateNumbers(trace, of);
  const isChosen = eventKinds.map((kind) => chosen.includes(kind));
  return (frame: number, category: number): boolean => isChosen[states[stateOf(frame, category)].kind];
}
