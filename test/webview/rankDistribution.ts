import { histogram as binsOf } from "../../src/analysis/histogram";
import type { Distribution } from "../../src/engine/api";

/** Seconds of each rank as a distribution over 20 bins. */
export function distributionOf(values: readonly number[], changes: Partial<Distribution> = {}): Distribution {
  return {
    by: "rank",
    members: values.map((_, rank) => String(rank)),
    values: Float64Array.from(values),
    ...binsOf(Float64Array.from(values), 20),
    order: Int32Array.from(values.keys()),
    hosts: new Int32Array(values.length).fill(-1),
    outside: 0,
    ...changes,
  };
}
