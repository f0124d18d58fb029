import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Trace } from "../../model/trace";
import { locationsOf, locationsOfLanes } from "./movement";

/**
 * Lanes of a process that are of none of its threads, where threads were recorded: asynchronous events, and headings of the whole
 * recording. Nothing runs there: their time is no time of a CPU, and is in no calling context either.
 */
export function lanesAside(dataSet: DataSet, trace: Trace): (lane: number) => boolean {
  const locations = locationsOfLanes(trace, locationsOf(dataSet));
  const resources = dataSet.topology?.resources ?? [];
  const isOfProcess = trace.lanes.map(({ resource }) => {
    let at = resource;
    while (at !== NONE && resources[at].type !== "process") at = resources[at].parent;
    return at !== NONE;
  });
  const hasThreads = isOfProcess.some((of, lane) => of && locations[lane] !== NONE);
  return (lane) => hasThreads && isOfProcess[lane] && locations[lane] === NONE;
}
