import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupWidths, textColumns } from "../../../src/editor/textColumns";

/** An area that is cut in turns, as VS Code's grid is. */
type Area = { readonly cuts: readonly { readonly part: number; readonly area: Area }[] } | undefined;

const { area } = fc.letrec<{ area: Area }>((tie) => ({
  area: fc.option(
    fc.record({
      cuts: fc.array(fc.record({ part: fc.integer({ min: 1, max: 9 }), area: tie("area") as fc.Arbitrary<Area> }), {
        minLength: 2,
        maxLength: 3,
      }),
    }),
    { nil: undefined, depthSize: "small" },
  ),
}));

/** The grid as its command writes it, and the width of each of its groups by drawing them. */
function drawn(area: Area, isRow: boolean, width: number, height: number): { node: object; widths: number[] } {
  if (!area) return { node: {}, widths: [width] };
  const all = area.cuts.reduce((sum, { part }) => sum + part, 0);
  const parts = area.cuts.map(({ part, area: inner }) => {
    const share = part / all;
    const size = isRow ? width * share : height * share;
    const below = drawn(inner, !isRow, isRow ? size : width, isRow ? height : size);
    return { node: { ...below.node, size }, widths: below.widths };
  });
  return { node: { groups: parts.map(({ node }) => node) }, widths: parts.flatMap(({ widths }) => widths) };
}

describe("columns of text that an editor shows", () => {
  it("are told by the widths of the grid's groups, in their order", () => {
    fc.assert(
      fc.property(area, fc.boolean(), (inner, isRow) => {
        const one = inner ?? { cuts: [{ part: 1, area: undefined }] };
        const { node, widths } = drawn(one, isRow, 1200, 800);
        const found = groupWidths({ ...node, orientation: isRow ? 0 : 1 });
        expect(found).toHaveLength(widths.length);
        // Only of rows without a column between them nothing tells the width.
        found.forEach((width, at) => {
          if (width !== undefined) expect(width).toBeCloseTo(widths[at], 6);
          else expect(isRow).toBe(false);
        });
      }),
    );
  });

  it("take the width of groups above one another from the columns beside them", () => {
    const rows = [{ size: 300 }, { size: 500, groups: [{ size: 400 }, { size: 600 }] }];
    expect(groupWidths({ orientation: 1, groups: rows })).toEqual([1000, 400, 600]);
    expect(groupWidths({ orientation: 1, groups: [{ size: 300 }, { size: 500 }] })).toEqual([undefined, undefined]);
  });

  it("are none where the answer is something else", () => {
    for (const layout of [undefined, null, 7, "grid"]) expect(groupWidths(layout)).toEqual([undefined]);
    expect(groupWidths({ orientation: 0, groups: [{ size: "wide" }] })).toEqual([undefined]);
  });

  it("are at most as many as VS Code draws", () => {
    // Measured in a window: of a group of 521 pixels 442 are right of the line numbers, of which the minimap has 53 and the scroll bar 14, with
    // DejaVu Sans Mono of 14 pixels, whose characters are 8.43 wide.
    const [withMinimap, without] = [(442 - 53 - 14) / 8.43, (442 - 14) / 8.43];
    const look = { fontSize: 14, lines: 1095 };
    for (const [hasMinimap, measured] of [[true, withMinimap] as const, [false, without] as const]) {
      const columns = textColumns(521, { ...look, hasMinimap });
      expect(columns).toBeLessThanOrEqual(measured);
      expect(columns).toBeGreaterThan(measured - 5);
    }
  });
});
