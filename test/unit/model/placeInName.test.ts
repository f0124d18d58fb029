import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameTable } from "../../../src/model/frames";
import { placeInName } from "../../../src/model/placeInName";
import { StringTable } from "../../../src/model/strings";
import { casesOf, seed } from "../randomCases";

const name = fc.constantFrom("solve", "<module>", "Grid.solve", "solve<int>(int)", "a b", "λ");
const folder = fc.constantFrom("", "/home/me/", "C:\\work\\", "C:\\Program Files (x86)\\", "a (copy)/");
const file = fc
  .tuple(folder, fc.constantFrom("grid", "my grid", "ünïcode"), fc.constantFrom("py", "cpp", "F90", "js", "rs"))
  .map(([above, stem, ending]) => `${above}${stem}.${ending}`);
const line = fc.integer({ min: 1, max: 999_999_999 });

describe("a place in a name", () => {
  it("is found as tools write it", () => {
    fc.assert(
      fc.property(name, file, line, fc.nat({ max: 999 }), (own, at, number, column) => {
        const place = { name: own, file: at, line: number };
        expect(placeInName(`${own} (${at}:${number})`)).toEqual(place);
        expect(placeInName(`${own}(${at}:${number}:${column})`)).toEqual(place);
        expect(placeInName(`${at}(${number}): ${own}`)).toEqual(place);
        const frames = new FrameTable(new StringTable());
        const frame = { name: `${own} (${at}:${number})`, kind: "function" as const };
        expect(frames.get(frames.intern(frame))).toEqual({ ...frame, file: at, line: number });
        // What the recording says itself goes before.
        const elsewhere = { ...frame, file: "other.c", line: 7 };
        expect(frames.get(frames.intern(elsewhere))).toEqual(elsewhere);
        expect(frames.intern(frame)).toBe(0);
      }),
      { numRuns: casesOf(1000), seed },
    );
  });

  it.each([
    "main",
    "solve(int, double)",
    "operator()(int)",
    "GET (example.com:443)",
    "wait (rank:3)",
    "f (file.py)",
    "f (file.py:0)",
    "f (file.py:99999999999)",
    "(file.py:12)",
    "f (<string>:1)",
    "file.py(12)",
    "file.py(x): f",
    "f (a.py:1",
    ")".repeat(1000),
    "(".repeat(1000) + ")",
  ])("is not read into %s", (text) => {
    expect(placeInName(text)).toBeUndefined();
  });
});
