import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addressOfBits,
  addressText,
  type Frame,
  frameKinds,
  FrameTable,
  regionOrigins,
} from "../../../src/model/frames";
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

  it("tells addresses of 64 bits apart wherever processors have code, and writes them as they were", () => {
    const table = new FrameTable(new StringTable());
    const code = [
      0x400000n,
      2n ** 47n - 1n,
      2n ** 52n,
      2n ** 64n - 2n ** 47n,
      0xffffffff81000ab4n,
      0xffffffff81000ab5n,
    ];
    const ids = code.map((bits) =>
      table.intern({ name: "<unknown procedure>", kind: "function", address: addressOfBits(bits) }),
    );
    expect(new Set(ids).size).toBe(code.length);
    expect(ids.map((id) => addressText(table.addressOf(id)))).toEqual(code.map((bits) => `0x${bits.toString(16)}`));
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

  it("names lines by their place, file by file and line by line, beside frames with names of their own", () => {
    const table = new FrameTable(new StringTable());
    const b = table.strings.intern("b.c");
    const a = table.strings.intern("a.c");
    table.reserve(7, 4);
    const ids = [table.addLine(b, 9), table.addLine(b, 10), table.addLine(a, 100), table.addLine(a, 9)];
    const functions = ["b", "a.c", "z"].map((name) => table.intern({ name, kind: "function", file: "b.c" }));
    expect(ids.map((id) => table.nameOf(id))).toEqual(["b.c:9", "b.c:10", "a.c:100", "a.c:9"]);
    expect(table.get(ids[2])).toEqual({ name: "a.c:100", kind: "line", file: "a.c", line: 100 });
    expect(table.intern({ name: "a.c", kind: "function", file: "b.c" })).toBe(functions[1]);
    const ranks = table.canonicalRanks();
    const order = [...ranks.keys()].sort((one, other) => ranks[one] - ranks[other]);
    const names = order.map((id) => table.nameOf(id));
    expect(names).toEqual(["a.c", "a.c:9", "a.c:100", "b", "b.c:9", "b.c:10", "z"]);
    const keys = order.map((id) => table.nameKey(id));
    expect(new Set(keys).size).toBe(order.length);
    expect(keys.every((key) => key >= 0 && key < 2 ** 26)).toBe(true);
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
