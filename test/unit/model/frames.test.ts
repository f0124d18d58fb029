import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Frame, frameKinds, FrameTable, regionOrigins } from "../../../src/model/frames";
import { StringTable } from "../../../src/model/strings";

const name = fc.constantFrom("", "main", "__proto__", "constructor", "solve(int)", "x");
const frame: fc.Arbitrary<Frame> = fc.record(
  {
    name,
    kind: fc.constantFrom(...frameKinds),
    origin: fc.constantFrom(...regionOrigins),
    file: name,
    line: fc.nat(3),
    module: name,
    address: fc.constantFrom(0, 1, 2 ** 32, 2 ** 32 + 1, 2 ** 52),
  },
  { requiredKeys: ["name", "kind"] },
);
/** What tells frames apart, written out. */
const textOf = ({ name, kind, origin = "none", file = "", line = 0, module = "", address = -1 }: Frame) =>
  JSON.stringify([name, kind, origin, file, line, module, address]);

describe("the table of frames", () => {
  it("has every distinct frame once, and gives it back as it was", () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 400 }), (frames) => {
        const table = new FrameTable(new StringTable());
        const ids = frames.map((one) => table.intern(one));
        const byText = new Map(frames.map((one, at) => [textOf(one), ids[at]]));
        expect(table.size).toBe(byText.size);
        frames.forEach((one, at) => {
          expect(ids[at]).toBe(byText.get(textOf(one)));
          expect(textOf(table.get(ids[at]))).toBe(textOf(one));
        });
      }),
    );
  });

  it("takes a million frames that differ in their line or address only", () => {
    const table = new FrameTable(new StringTable());
    for (let at = 0; at < 500_000; at++) {
      table.intern({ name: "f", kind: "line", file: "a.c", line: at });
      table.intern({ name: "f", kind: "instruction", address: at * 2 ** 20 });
    }
    expect(table.size).toBe(1_000_000);
    expect(table.intern({ name: "f", kind: "line", file: "a.c", line: 4321 })).toBe(2 * 4321);
  });

  it("ranks frames by their text, whatever the order of arrival", () => {
    fc.assert(
      fc.property(fc.uniqueArray(frame, { selector: textOf, maxLength: 60 }), (frames) => {
        const ranked = (list: readonly Frame[]) => {
          const table = new FrameTable(new StringTable());
          const ids = list.map((one) => table.intern(one));
          const ranks = table.canonicalRanks();
          return [...list.keys()].sort((a, b) => ranks[ids[a]] - ranks[ids[b]]).map((at) => textOf(list[at]));
        };
        expect(ranked([...frames].reverse())).toEqual(ranked(frames));
      }),
    );
  });
});
