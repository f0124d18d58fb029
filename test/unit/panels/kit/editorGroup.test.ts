import { describe, expect, it } from "vitest";
import { type OpenPanel, editorGroupFor } from "../../../../src/panels/kit/editorGroup";

/**
 * The place in a window of these groups, `e` an editor and `p` a panel of ours, opened from the one in capitals.
 *
 * @param open where the panel is open already
 * @param room of each panel; by default that of a window of 1,400 × 900 pixels
 */
function placeIn(groups: string, open?: OpenPanel, room = { width: 660, height: 808, windowWidth: 1400 }): string {
  const shown = [...groups].map((letter, at) => ({
    column: at + 1,
    showsPanel: letter.toLowerCase() === "p",
    ...(letter.toLowerCase() === "p" ? { room } : {}),
  }));
  const place = editorGroupFor(shown, [...groups].findIndex((letter) => letter === letter.toUpperCase()) + 1, open);
  return place.kind === "beside" ? "beside" : `${place.kind} ${place.column}`;
}

describe("a new panel opens", () => {
  it.each([
    ["E", "beside"],
    ["Ee", "beside"],
    ["eE", "beside"],
    ["pEe", "beside"],
    // Another panel is further away: what is beside is still free.
    ["Eep", "beside"],
  ])("beside the editor, where no panel is in the way: %s", (groups, place) => expect(placeIn(groups)).toBe(place));

  it.each([
    ["Ep", "below 2"],
    ["eP", "below 2"],
    ["P", "below 1"],
    // The editor lies right of the panel whose link has opened it: no third column.
    ["pE", "below 1"],
    ["peE", "below 1"],
  ])("below the only panel, be it opened from that or from an editor: %s", (groups, place) =>
    expect(placeIn(groups)).toBe(place),
  );

  it.each([
    ["ePp", "in 3"],
    ["epP", "in 2"],
    ["Epp", "in 3"],
    ["ePpp", "in 4"],
    ["eppP", "in 3"],
    ["pP", "in 1"],
    ["ppE", "in 2"],
  ])(
    "in front of another panel than the one it is opened from, where a third row would be too low: %s",
    (groups, place) => expect(placeIn(groups)).toBe(place),
  );
});

describe("a second panel", () => {
  /** Drawings of both, below each other: 54 and 22 pixels of rows around each, 35 of tabs above the lower one. */
  const drawing = (height: number) => (height - 35) / 2 - 54 - 22;

  it.each([
    // 1,400 × 900, and as low as can be.
    [{ width: 1010, height: 808, windowWidth: 1400 }, "below 2"],
    [{ width: 400, height: 787, windowWidth: 1400 }, "below 2"],
    [{ width: 1010, height: 786, windowWidth: 1400 }, "in 2"],
    [{ width: 1500, height: 950, windowWidth: 1899 }, "below 2"],
    [{ width: 1500, height: 950, windowWidth: 1900 }, "right 2"],
    [{ width: 1500, height: 500, windowWidth: 1900 }, "right 2"],
    // Beside an editor already.
    [{ width: 786, height: 988, windowWidth: 1920 }, "below 2"],
    [{ width: 786, height: 600, windowWidth: 1920 }, "in 2"],
  ])("is in sight with the first one where both keep 300 pixels of drawing: %o", (room, place) => {
    if (place === "below 2") expect(drawing(room.height)).toBeGreaterThanOrEqual(300);
    expect(placeIn("eP", undefined, room)).toBe(place);
    expect(placeIn("Ep", undefined, room)).toBe(place);
  });

  it("is below the first one where its size is not known yet", () => {
    const groups = [{ column: 1, showsPanel: true }];
    expect(editorGroupFor(groups, 1)).toEqual({ kind: "below", column: 1 });
  });
});

describe("a panel that is open already", () => {
  it.each([
    ["Ep", 2],
    ["eP", 2],
    ["epP", 2],
  ])("stays where it is in sight: %s in %i", (groups, column) =>
    expect(placeIn(groups, { column, isInSight: true })).toBe(`in ${column}`),
  );

  it.each([
    ["Epp", 3],
    ["ePp", 3],
    // Behind a file: that is no panel of ours.
    ["Ep", 1],
  ])("comes to the front of its group, where it was not asked for from the panel there: %s in %i", (groups, column) =>
    expect(placeIn(groups, { column, isInSight: false })).toBe(`in ${column}`),
  );

  it.each([
    ["eP", 2, "below 2"],
    ["P", 1, "below 1"],
    ["ePp", 2, "in 3"],
    ["epP", 3, "in 2"],
  ])("moves out from behind the panel that it is asked for from: %s in %i", (groups, column, place) =>
    expect(placeIn(groups, { column, isInSight: false })).toBe(place),
  );
});
