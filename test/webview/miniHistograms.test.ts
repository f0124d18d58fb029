import { describe, expect, it } from "vitest";
import type { GraphHistograms } from "../../src/protocol/superGraph";
import { areDifferent, histogramShapes, histogramSize } from "../../webviews/superGraph/miniHistograms";
import { plainTheme } from "./kit/plainTheme";

function histograms(values: readonly number[], more: Partial<GraphHistograms> = {}): GraphHistograms {
  const column = (value: number) => Float64Array.of(value);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    ...{ kind: "histograms", of: "exclusive", member: "rank", members: "ranks", slowest: [""] },
    ...{ minimum: column(Math.min(...values)), mean: column(mean), maximum: column(Math.max(...values)) },
    ...{ imbalance: column(1), first: Int32Array.of(0, 1), counts: Int32Array.of(values.length) },
    ...{ counting: values.length, values: Float64Array.from(values), ...more },
  };
}

/** Left end and height of each column, in pixels. */
function columnsOf(of: GraphHistograms): [left: number, height: number][] {
  const { width, height } = histogramSize(of);
  const path = histogramShapes(of, 0, { x: 0, y: 0, width, height }, plainTheme).find(({ kind }) => kind === "path");
  const d = path?.kind === "path" ? path.d : "";
  return [...d.matchAll(/M([\d.]+),[\d.]+v-([\d.]+)/g)].map(([, left, high]) => [Number(left), Number(high)]);
}

describe("the small histograms of bars", () => {
  it("are there only where more than three members differ by more than 1 % of the mean", () => {
    expect(areDifferent(histograms([1, 2, 3, 4]), 0)).toBe(true);
    expect(areDifferent(histograms([1, 2, 3]), 0)).toBe(false);
    expect(areDifferent(histograms([100, 100.9, 100, 100]), 0)).toBe(false);
    expect(areDifferent(histograms([100, 101.1, 100, 100]), 0)).toBe(true);
    expect(areDifferent(histograms([0, 0, 0, 0]), 0)).toBe(false);
  });

  it("have a column for each of up to 32 members, in their order and as high as their value", () => {
    const few = columnsOf(histograms([6, 0, 12, 3]));
    expect(few.map(([, height]) => height)).toEqual([6, 12, 3]);
    expect(few.map(([left]) => left)).toEqual([0, 10, 15]);
    const all = columnsOf(histograms(Array.from({ length: 32 }, (_, at) => 1 + at)));
    expect(all).toHaveLength(32);
    expect(all.every(([left], at) => at === 0 || left > all[at - 1][0])).toBe(true);
  });

  it("have 16 bins for more members, as high as the members in them", () => {
    const counts = Int32Array.from({ length: 16 }, (_, bin) => bin % 4);
    const more = { values: new Float64Array(), first: Int32Array.of(0, 16), counts, counting: 4096 };
    const many = columnsOf(histograms([1, 2, 3, 4], more));
    expect(histogramSize(histograms([1, 2, 3, 4], more)).width).toBe(32);
    expect(many.slice(0, 3).map(([, height]) => height)).toEqual([4, 8, 12]);
    expect(many).toHaveLength(12);
  });
});
