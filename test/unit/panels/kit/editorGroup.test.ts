import { describe, expect, it } from "vitest";
import { type OpenPanel, editorGroupFor } from "../../../../src/panels/kit/editorGroup";

/**
 * The place in a window of these groups, `e` an editor and `p` a panel of ours, opened from the one in capitals.
 *
 * @param open where the panel is open already
 */
function placeIn(groups: string, open?: OpenPanel): string {
  const shown = [...groups].map((letter, at) => ({ column: at + 1, showsPanel: letter.toLowerCase() === "p" }));
  const place = editorGroupFor(shown, [...groups].findIndex((letter) => letter === letter.toUpperCase()) + 1, open);
  return place.kind === "beside" ? "beside" : `${place.kind} ${place.column}`;
}

describe("a new panel opens", () => {
  it.each([
    ["E", "beside"],
    ["Ee", "beside"],
    ["eE", "beside"],
    // Another panel is further away: what is beside is still free.
    ["Eep", "beside"],
  ])("beside the editor, where no panel is in the way: %s", (groups, place) => expect(placeIn(groups)).toBe(place));

  it.each([
    ["Ep", "below 2"],
    ["eP", "below 2"],
    ["P", "below 1"],
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
  ])(
    "in front of another panel than the one it is opened from, where a third row would be too low: %s",
    (groups, place) => expect(placeIn(groups)).toBe(place),
  );
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
