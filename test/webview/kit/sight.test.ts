import { describe, expect, it } from "vitest";
import { filled, panned, revealing, WHOLE, zoomed } from "../../../webviews/kit/stage/sight";

const room = { width: 1000, rows: 20, levels: 100 };

describe("what is in sight", () => {
  it("keeps the place that it is zoomed about", () => {
    const near = zoomed(WHOLE, 4, 0.25, room);
    expect(near).toEqual({ from: 0.1875, to: 0.4375, row: 0 });
    // A quarter of the way from its left end lies what was a quarter of the way before.
    expect(near.from + 0.25 * (near.to - near.from)).toBe(0.25);
    expect(zoomed(near, 1 / 4, 0.25, room)).toEqual(WHOLE);
  });

  it("never leaves what there is, and never gets wider than all of it", () => {
    expect(zoomed(WHOLE, 0.1, 0.9, room)).toEqual(WHOLE);
    expect(panned(WHOLE, 500, -3, room)).toEqual(WHOLE);
    expect(panned({ from: 0.5, to: 0.75, row: 0 }, 10_000, 1000, room)).toEqual({ from: 0.75, to: 1, row: 81 });
  });

  it("has a smallest part, which is far below a pixel of the whole", () => {
    let now = WHOLE;
    for (let step = 0; step < 100; step++) now = zoomed(now, 2, 0.5, room);
    expect(now.to - now.from).toBeCloseTo(1e-7, 12);
  });

  it("is filled with a place", () => {
    expect(filled({ ...WHOLE, row: 7 }, { x: 0.25, width: 0.5 }, room)).toEqual({ from: 0.25, to: 0.75, row: 7 });
  });

  it("stays where a place is seen, moves where it is not, and comes near where it would be too narrow", () => {
    const place = { mark: 1, x: 0.5, width: 0.125, row: 5 };
    expect(revealing(WHOLE, place, room)).toBe(WHOLE);
    expect(revealing(WHOLE, { ...place, row: 50 }, room)).toEqual({ ...WHOLE, row: 40 });
    const left = { from: 0, to: 0.25, row: 0 };
    expect(revealing(left, place, room)).toEqual({ from: 0.4375, to: 0.6875, row: 0 });
    const narrow = revealing(WHOLE, { ...place, width: 0.0001 }, room);
    expect(narrow.to - narrow.from).toBeCloseTo(0.0005, 9);
    expect((narrow.from + narrow.to) / 2).toBeCloseTo(0.50005, 9);
  });
});
