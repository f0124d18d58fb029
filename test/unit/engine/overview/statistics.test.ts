import { describe, expect, it } from "vitest";
import { statisticsOf } from "../../../../src/engine/overview/statistics";

describe("what is in an area", () => {
  it("is the sum of each state, its share, its mean of a cell and how far cells are from it; the largest first", () => {
    // Two leaves, three states, two slices.
    const values = Float64Array.of(1, 3, 0, 0, 2, 2, 5, 7, 0, 0, 2, 6);
    const model = { leaves: 2, states: 3, slices: 2, parents: Int32Array.of(2, 2, -1), values };
    expect(statisticsOf(model, Int32Array.of(0, 1), 0, 1)).toEqual({
      cells: 4,
      states: [
        { state: 0, value: 16, share: 16 / 28, mean: 4, deviation: Math.sqrt(5) },
        { state: 2, value: 12, share: 12 / 28, mean: 3, deviation: Math.sqrt(3) },
      ],
    });
    expect(statisticsOf(model, Int32Array.of(1), 1, 1)).toEqual({
      cells: 1,
      states: [
        { state: 0, value: 7, share: 7 / 13, mean: 7, deviation: 0 },
        { state: 2, value: 6, share: 6 / 13, mean: 6, deviation: 0 },
      ],
    });
  });
});
