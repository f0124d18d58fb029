import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Trace } from "../../model/trace";

/**
 * The clock of each lane, by number: that of its rank, or its own if it is of no rank.
 *
 * @returns undefined if all lanes have one clock
 */
export function clocksOfLanes({ locations }: DataSet, trace: Trace): Int32Array | undefined {
  if (trace.clocks !== "separate") return undefined;
  const rankOf = (location: number) => (location === NONE ? NONE : (locations.at(location)?.rank ?? NONE));
  return Int32Array.from(trace.lanes, ({ location }, lane) => {
    const rank = rankOf(location);
    // Lanes without a rank have numbers that no rank has.
    return rank === NONE ? -2 - lane : rank;
  });
}
