import { describe, expect, it } from "vitest";
import { changeText, comparedText, differenceText, ratioOf } from "../../../src/model/differences";

describe("a difference", () => {
  it.each([
    [0.0105, 0.1115, "+101 ms · 10.6×"],
    [1.33, 1.45, "+120 ms · +9.02 %"],
    [1, 0.5, "−500 ms · 0.500×"],
    [1, 0.75, "−250 ms · −25.0 %"],
    [null, 0.1, "+100 ms · new"],
    [0.1, null, "−100 ms · gone"],
    [0, 0.1, "+100 ms"],
    [-1, 1, "+2.00 s"],
    [1, -2, "−3.00 s"],
    [1, 1, "±0 s"],
    [null, null, "±0 s"],
    // The same values in another order.
    [0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, "±0 s"],
    [1, 1 + 1e-9, "+1.00 ns"],
  ])("of %s and %s is %s", (baseline, candidate, text) => {
    expect(differenceText(baseline, candidate, "s")).toBe(text);
  });

  it("has a ratio only where the baseline is positive", () => {
    expect([ratioOf(2, 3), ratioOf(2, null), ratioOf(0, 1), ratioOf(null, 1)]).toEqual([1.5, 0, null, null]);
    expect(changeText(1, 1)).toBe("");
  });
});

it("what has no rank has no difference over ranks: both sides are said", () => {
  const none = { baseline: 0, candidate: 0 };
  expect(comparedText({ baseline: 1, candidate: 0.5 }, "s")).toBe("−500 ms · 0.500×");
  expect(comparedText({ ...none, baselineNoRank: 0.276, candidateNoRank: 0.14 }, "s")).toBe(
    "276 ms, of no rank → 140 ms, of no rank",
  );
  expect(comparedText({ baseline: null, candidate: 0, candidateNoRank: 0.14 }, "s")).toBe("none → 140 ms, of no rank");
});
