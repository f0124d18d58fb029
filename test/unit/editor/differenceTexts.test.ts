import { describe, expect, it } from "vitest";
import type { ComparedFunction, DocumentDifferences } from "../../../src/engine/api";
import { differenceDecorations, differenceHover, differenceLensTitle } from "../../../src/editor/differenceTexts";

const options = { unit: "s", minimumShare: 0.001, inlineCost: true };
const drift = { newerThanRecording: false, lostLines: 0, movedLines: 0 };
const work: ComparedFunction = {
  line: 7,
  name: "wo*rk",
  side: "candidate",
  function: 3,
  share: 0.4,
  exclusive: { baseline: 0.0105, candidate: 0.1115 },
  inclusive: { baseline: 1, candidate: 0.75 },
};
const differences: DocumentDifferences = {
  lines: [
    { line: 2, baseline: 1, candidate: 3, share: 0.5 },
    { line: 3, baseline: 1, candidate: null, share: 0.02 },
    { line: 4, baseline: 1, candidate: 1, share: 0 },
    { line: 5, baseline: 0.1, candidate: 0.2, share: 0.02, oneOf: 2 },
    { line: 6, baseline: 0.1, candidate: 0.1001, share: 0.0001 },
  ],
  functions: [work],
  drift,
};

describe("functions of two sets of runs", () => {
  const runs = { having: 5, of: 5 };
  const significance = { p: 0.0079, slowerIn: 5, of: 5 };

  it("say what is significant in words, and in how many runs they are where that is not all", () => {
    const said = "▲ +101 ms · 10.6× exclusive (10.5 ms → 112 ms) · −250 ms · −25.0 % inclusive";
    const title = (sets: ComparedFunction["sets"]) =>
      differenceLensTitle({ ...work, ...(sets && { sets }) }, "s", true);
    expect(title({ baseline: runs, candidate: runs, significance })).toBe(`${said} · slower in 5 of 5 runs, p = 0.008`);
    expect(title({ baseline: runs, candidate: runs })).toBe(said);
    const some = { having: 3, of: 5 };
    expect(title({ baseline: runs, candidate: some, significance })).toBe(
      `${said} · in 5 of 5 runs → 3 of 5 runs · slower in 5 of 5 runs, p = 0.008`,
    );
    expect(title({ baseline: { having: 0, of: 1 }, candidate: runs })).toBe(`${said} · in none of 1 run → 5 of 5 runs`);
  });

  it("say it in the hover, too", () => {
    const sets = { baseline: runs, candidate: runs, significance };
    const hover = differenceHover({ ...differences, functions: [{ ...work, sets }] }, 7, ["A", "P"], "s");
    expect(hover).toContain("**Heatflow** · A → P");
    expect(hover?.replaceAll("\\", "")).toContain(" · slower in 5 of 5 runs, p = 0.008");
  });
});

describe("lines in a comparison", () => {
  it("are as hot as their |difference|, more and less told apart by sign and by kind of decoration", () => {
    expect(differenceDecorations(differences, options)).toEqual([
      { line: 2, level: 7, isLess: false, text: "+2.00 s · 3.00×" },
      { line: 3, level: 2, isLess: true, text: "−1.00 s · gone" },
      { line: 5, level: undefined, isLess: undefined, text: "+100 ms · 2.00× (one of 2 places)" },
    ]);
    expect(differenceDecorations(differences, { ...options, inlineCost: false })[0].text).toBeUndefined();
  });

  it("say it in CodeLenses with a sign that is no colour", () => {
    expect(differenceLensTitle(work, "s", true)).toBe(
      "▲ +101 ms · 10.6× exclusive (10.5 ms → 112 ms) · −250 ms · −25.0 % inclusive",
    );
    const less = { ...work, exclusive: { baseline: 1, candidate: null } };
    expect(differenceLensTitle(less, "s", false)).toMatch(
      /^▼ −1\.00 s · gone exclusive \(1\.00 s → none\) · wo\*rk · /,
    );
  });

  it("say no difference of what is only bounded", () => {
    const bounded: ComparedFunction = { ...work, bounds: ["candidate"] };
    expect(differenceLensTitle(bounded, "s", true)).toMatch(/ · 1\.00 s → at most 750 ms inclusive$/);
    const hover = differenceHover({ ...differences, functions: [bounded] }, 7, ["a", "b"], "s");
    expect(hover).toMatch(/· inclusive 1\\\.00 s → at most 750 ms$/);
  });

  it("say it in hovers, names as text, and why lines are not compared", () => {
    const names = ["old_1", "new"] as const;
    expect(differenceHover(differences, 2, names, "s")).toContain("**\\+2\\.00\u00a0s\u00a0·\u00a03\\.00×**");
    // The line's own difference only where no single function says the same.
    const [one] = differences.functions;
    const line = { ...one.exclusive, line: one.line, share: 0.5 };
    const said = (lines: typeof differences.lines) =>
      differenceHover({ ...differences, lines, functions: [one] }, one.line, names, "s");
    expect(said([line])).not.toContain("this line");
    expect(said([{ ...line, candidate: 99 }])).toContain("this line");
    const hover = differenceHover({ ...differences, functionsOnly: "Another text." }, 7, names, "s");
    expect(hover).toContain("old\\_1 → new");
    expect(hover).toContain("**wo\\*rk**: exclusive");
    expect(hover).toContain("Functions are compared\\, not lines\\. Another text\\.");
    expect(differenceHover(differences, 99, names, "s")).toBeUndefined();
  });
});
