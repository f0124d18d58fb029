import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Trace } from "../../model/trace";

/**
 * Number of each lane's clock: one per rank, and one per lane that belongs to no rank.
 *
 * @returns undefined if all lanes have one clock
 */
export function laneClocks({ locations }: DataSet, trace: Trace): Int32Array | undefined {
  if (trace.clocks !== "separate") return undefined;
  const rankOf = (location: number) => (location === NONE ? NONE : (locations.at(location)?.rank ?? NONE));
  return Int32Array.from(trace.lanes, ({ location }, lane) => {
    const rank = rankOf(location);
    // Negative numbers, since ranks are not negative.
    return rank === NONE ? -2 - lane : rank;
  });
}
