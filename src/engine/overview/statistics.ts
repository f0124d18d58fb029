/** What is in an area of a microscopic model, and how alike its cells are. Pure. */
import type { MicroscopicModel } from "../../aggregation/microscopicModel";
import type { OverviewArea } from "./overviewApi";

/** @param end last slice */
export function statisticsOf(
  { states, slices, values }: MicroscopicModel,
  leaves: Int32Array,
  start: number,
  end: number,
): Omit<OverviewArea, "members"> {
  const cells = leaves.length * (end - start + 1);
  const found = Array.from({ length: states }, (_, state) => {
    const own: number[] = [];
    for (const leaf of leaves)
      for (let slice = start; slice <= end; slice++) own.push(values[(leaf * states + state) * slices + slice]);
    const value = own.reduce((sum, one) => sum + one, 0);
    const mean = value / cells;
    const deviation = Math.sqrt(own.reduce((sum, one) => sum + (one - mean) ** 2, 0) / cells);
    return { state, value, mean, deviation };
  });
  const total = found.reduce((sum, { value }) => sum + value, 0);
  return {
    cells,
    states: found
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value - a.value || a.state - b.state)
      .map((one) => ({ ...one, share: one.value / total })),
  };
}
