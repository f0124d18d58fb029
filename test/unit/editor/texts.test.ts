import { describe, expect, it } from "vitest";
import { driftText } from "../../../src/editor/driftTexts";
import { lensTitle, linesOfOne, shownLenses } from "../../../src/editor/lensTexts";

const cost = { line: 34, name: "updateConductivity", function: 3, inclusive: 2.4, exclusive: 1.24, share: 0.573 };

describe("CodeLenses", () => {
  it("say inclusive, share, exclusive, imbalance, and over which ranks", () => {
    expect(lensTitle({ ...cost, imbalance: 1.84 }, "s", "mean over 8 ranks", true)).toBe(
      "2.40 s inclusive (57.3 %, imbalance 1.84×) · 1.24 s exclusive · mean over 8 ranks",
    );
  });

  it("say no imbalance with one rank, and which function where several stand on a line", () => {
    expect(lensTitle({ ...cost, atMost: true }, "s", "", true)).toMatch(/^at most \S+ s inclusive/);
    expect(lensTitle({ ...cost, oneOf: 2 }, "s", "1 rank", false)).toBe(
      "2.40 s inclusive (57.3 %) · updateConductivity · 1.24 s exclusive · 1 rank (one of 2 places)",
    );
    // Without ranks nothing is said of them; a name from the recording never becomes a picture.
    expect(lensTitle(cost, "$(error)", "", true)).toBe("2.4 \\$(error) inclusive (57.3 %) · 1.24 \\$(error) exclusive");
  });

  it("name the recording behind the number, in short", () => {
    const title = (name: string) => lensTitle(cost, "s", "sum", true, name);
    expect(title("old.cali")).toBe("2.40 s inclusive (57.3 %) · old.cali · 1.24 s exclusive · sum");
    expect(title("a".repeat(300)).split(" · ")[1]).toBe(`${"a".repeat(11)}…${"a".repeat(11)}`);
    expect(title("$(error)").split(" · ")[1]).toBe("\\$(error)");
  });

  it("know the lines of one function", () => {
    expect([...linesOfOne([cost, { ...cost, line: 5 }, { ...cost, line: 5, name: "b" }])]).toEqual([34]);
  });

  it("leave out what is too small or was not measured", () => {
    const small = { ...cost, share: 0.0001 };
    const nothing = { ...cost, inclusive: 0, share: 0 };
    expect(shownLenses([cost, small, nothing], 0.001)).toEqual([cost]);
    expect(shownLenses([nothing], 0)).toEqual([]);
  });
});

describe("edited sources", () => {
  it("are no matter where nothing moved", () => {
    expect(driftText({ newerThanRecording: false, lostLines: 0, movedLines: 0 })).toBeUndefined();
  });

  it("say what moved, what is gone, and that the recording is older", () => {
    expect(driftText({ newerThanRecording: true, lostLines: 1, movedLines: 12 })).toBe(
      "this file is newer than the recording: the costs may be those of older code; 12 lines with cost moved with your edits; 1 line with cost is gone",
    );
    expect(driftText({ newerThanRecording: false, lostLines: 2, movedLines: 0 })).toBe("2 lines with cost are gone");
  });
});
