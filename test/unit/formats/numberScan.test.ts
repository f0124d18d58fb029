import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanned, scanNumber } from "../../../src/formats/numberScan";

/** What is read of this text, and how far; undefined where it is left to the slow way. */
function read(text: string): { value: number; rest: string } | undefined {
  const bytes = Buffer.from(text);
  const end = scanNumber(bytes, 0, bytes.length);
  return end < 0 ? undefined : { value: scanned.value, rest: text.slice(end) };
}

describe("numbers straight from bytes", () => {
  it("are those that the text says, to the last bit", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(12), (number, decimals) => {
        const text = Math.abs(number) < 1e15 ? number.toFixed(decimals) : String(number);
        const result = read(`${text},`);
        if (result !== undefined) expect(result).toEqual({ value: Number(text), rest: "," });
      }),
      { numRuns: 5000 },
    );
  });

  it("are read in the forms that tools write", () => {
    expect(read("0.302794 ]")).toEqual({ value: 0.302794, rest: " ]" });
    expect(read("-12,")).toEqual({ value: -12, rest: "," });
    expect(read("-0.5]")).toEqual({ value: -0.5, rest: "]" });
    expect(read("123456789012345 ")).toEqual({ value: 123456789012345, rest: " " });
  });

  it.each(["1e5,", "12ab,", "1234567890123456,", "0.1234567890123456,", "nan,", "-,", "12", "1.2.3,", "1_0,", ""])(
    "leave %s to others",
    (text) => expect(read(text)).toBeUndefined(),
  );
});
