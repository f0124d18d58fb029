import { describe, expect, it, vi } from "vitest";
import { plotAxis } from "../../../webviews/kit/boxPlots";

vi.mock("vscode", () => import("../fakeVsCode"));

describe("the axis of box plots", () => {
  const ticks = (...values: number[]) => plotAxis(values, 1, String).ticks.map(([value]) => value);

  it("has the powers of ten between the least and the largest, as many as have room", () => {
    expect(ticks(0.002, 5)).toEqual([0.01, 0.1, 1]);
    expect(ticks(1, 10)).toEqual([1, 10]);
    const [first, second] = ticks(1e-9, 1e3);
    expect(Math.log10(second / first)).toBeGreaterThan(2);
  });

  it("is over what is positive, and there is one where nothing is", () => {
    expect(plotAxis([0, -1, NaN, 0.5, 20], 1, String)).toMatchObject({ least: 0.5, most: 20 });
    expect(plotAxis([0], 1, String)).toMatchObject({ least: 1, most: 10 });
    expect(plotAxis([3], 1, String).most).toBeGreaterThan(3);
  });
});
