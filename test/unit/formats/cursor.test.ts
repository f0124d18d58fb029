import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Cursor, startsWith } from "../../../src/formats/cursor";
import { FormatError } from "../../../src/model/errors";

describe("a cursor over binary data", () => {
  it.each([true, false])("reads what was written, little endian: %s", (little) => {
    fc.assert(
      fc.property(
        fc.record({
          a: fc.nat(255),
          b: fc.nat(65_535),
          c: fc.nat(2 ** 32 - 1),
          d: fc.integer(),
          e: fc.double(),
          f: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
          g: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        }),
        ({ a, b, c, d, e, f, g }) => {
          const bytes = new Uint8Array(35);
          const view = new DataView(bytes.buffer);
          view.setUint8(0, a);
          view.setUint16(1, b, little);
          view.setUint32(3, c, little);
          view.setInt32(7, d, little);
          view.setFloat64(11, e, little);
          view.setBigUint64(19, f, little);
          view.setBigInt64(27, g, little);
          const cursor = new Cursor("file", bytes, little);
          expect([cursor.u8("a"), cursor.u16("b"), cursor.u32("c"), cursor.i32("d"), cursor.f64("e")]).toEqual([
            a,
            b,
            c,
            d,
            e,
          ]);
          expect([cursor.u64("f"), cursor.i64("g")]).toEqual([f, g]);
        },
      ),
    );
  });

  const cursor = (at = 0) => new Cursor("profile.db", new Uint8Array(64), true, 1000, at);

  it("says which byte of the file it could not read, and what was looked for there", () => {
    expect(() => cursor(60).u64("the number of values")).toThrow(
      /profile\.db, byte 1060: found the number of values that would take 8 bytes from byte 1060 on; expected it before byte 1064/,
    );
    expect(() => cursor().to(5000, "contexts")).toThrow(/contexts that would take 0 bytes from byte 5000 on/);
    expect(() => cursor().to(999, "contexts")).toThrow(FormatError);
    expect(() => cursor().to(Number.NaN, "contexts")).toThrow(FormatError);
    expect(() => cursor().skip(-1, "a step back")).toThrow(FormatError);
  });

  it("refuses counts that the bytes cannot hold before anything is made room for", () => {
    expect(() => cursor(32).array(4, 8, "values")).not.toThrow();
    expect(() => cursor(32).array(5, 8, "values")).toThrow(FormatError);
    expect(() => cursor(32).array(2 ** 52, 16, "values")).toThrow(FormatError);
    expect(() => cursor(32).array(Number.NaN, 16, "values")).toThrow(FormatError);
  });

  it("takes sizes up to 2^53 and no further", () => {
    const bytes = new Uint8Array(16);
    new DataView(bytes.buffer).setBigUint64(0, 2n ** 53n, true);
    new DataView(bytes.buffer).setBigUint64(8, 2n ** 53n + 1n, true);
    const sizes = new Cursor("meta.db", bytes, true);
    expect(sizes.size("offset")).toBe(2 ** 53);
    expect(() => sizes.size("offset")).toThrow(/meta\.db, byte 8: found offset 9007199254740993/);
  });

  it("knows how a file starts", () => {
    const bytes = Buffer.from("HPCTOOLKITmeta");
    expect(startsWith(bytes, "HPCTOOLKIT")).toBe(true);
    expect(startsWith(bytes, "meta", 10)).toBe(true);
    expect(startsWith(bytes, "metadata", 10)).toBe(false);
  });
});
