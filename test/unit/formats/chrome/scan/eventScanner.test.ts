import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventScanner } from "../../../../../src/formats/chrome/scan/eventScanner";
import { INCOMPLETE } from "../../../../../src/formats/chrome/scan/valueScanner";
import { NONE } from "../../../../../src/model/ids";

function scannerOver(bytes: Uint8Array, end = bytes.length) {
  return new EventScanner({ bytes, end, positionOf: (at) => at }, "test");
}

/** Any text, with what JSON escapes among it. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", '"', "\\", "\u0000", 'a\\"b', "🎉"),
);
const time = fc.oneof(
  fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
  fc.integer({ min: 0, max: 2e9 }),
  fc.nat(1e9).map((at) => at / 1000),
);
const event = fc.record(
  {
    name: text,
    cat: text,
    ph: fc.constantFrom("X", "B", "E"),
    ts: time,
    dur: time,
    pid: fc.oneof(fc.integer(), text),
    tid: fc.oneof(fc.integer(), text),
    unknown: fc.jsonValue(),
    args: fc.record(
      { correlation: fc.nat(), bytes: fc.nat(), "Call stack": text, other: fc.jsonValue(), line: fc.nat() },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["ph"] },
);

describe("the scanner of events", () => {
  it("reads what JSON.parse reads, however it is laid out", () => {
    fc.assert(
      fc.property(event, fc.constantFrom(undefined, 1, "\t"), (wanted, indent) => {
        const bytes = Buffer.from(JSON.stringify(wanted, undefined, indent));
        const plain = JSON.parse(bytes.toString()) as typeof wanted;
        const scanner = scannerOver(bytes);
        expect(scanner.scan(0)).toBe(bytes.length);
        const label = (id: number) => (id === NONE ? undefined : scanner.labelText(id));
        const place = (id: number) => (id === NONE ? undefined : scanner.placeText(id));
        expect(label(scanner.name)).toBe(plain.name);
        expect(label(scanner.category)).toBe(plain.cat);
        expect(String.fromCharCode(scanner.phase)).toBe(plain.ph);
        expect(place(scanner.process)).toBe(plain.pid === undefined ? undefined : String(plain.pid));
        expect(place(scanner.thread)).toBe(plain.tid === undefined ? undefined : String(plain.tid));
        expect(scanner.duration + 0).toBe((plain.dur ?? Number.NaN) + 0);
        const { ts = Number.NaN } = plain;
        // Kept in two parts, which together are nearer to what is written than one number is.
        if (Number.isNaN(ts)) expect(scanner.wholeTime).toBeNaN();
        else {
          expect(scanner.wholeTime + 0).toBe(Math.trunc(ts) + 0);
          expect(Math.abs(scanner.wholeTime + scanner.partTime - ts)).toBeLessThanOrEqual(Math.abs(ts) * 2 ** -52);
        }
        expect(scanner.number("correlation")).toBe(plain.args?.correlation ?? Number.NaN);
        expect(scanner.number("bytes")).toBe(plain.args?.bytes ?? Number.NaN);
        expect(scanner.number("line")).toBe(plain.args?.line ?? Number.NaN);
        expect(label(scanner.text("callStack"))).toBe(plain.args?.["Call stack"]);
      }),
      { numRuns: 1000 },
    );
  });

  it("says of every beginning of an event that it is not whole", () => {
    fc.assert(
      fc.property(event, (wanted) => {
        const bytes = Buffer.from(JSON.stringify(wanted));
        for (let end = 1; end < bytes.length; end++) expect(scannerOver(bytes, end).scan(0)).toBe(INCOMPLETE);
      }),
      { numRuns: 100 },
    );
  });

  it("rounds durations as JavaScript does", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), (duration, inQuotes) => {
        const written = inQuotes ? `"${duration}"` : `${duration}`;
        const scanner = scannerOver(Buffer.from(`{"dur":${written},"ph":"X"}`));
        scanner.scan(0);
        expect(scanner.duration + 0).toBe(duration + 0);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps every digit of a time of day with fractions", () => {
    const scanner = scannerOver(Buffer.from('{"ts":1700000000000000.123456,"ph":"X"}'));
    scanner.scan(0);
    expect([scanner.wholeTime, scanner.partTime]).toEqual([1700000000000000, 0.123456]);
  });

  it("gives equal names one number, wherever they stand", () => {
    const names = ["a", "abcd", "abcde", "abcdefgh", "abcdefghi", "a\\u0062", "\\\\", 'abc\\"d'];
    const lines = names.map((name) => `{"name":"${name}","cat":"${name}"}`);
    const bytes = Buffer.from(lines.join(""));
    const scanner = scannerOver(bytes);
    let at = 0;
    names.forEach((_, index) => {
      at = scanner.scan(at);
      expect([scanner.name, scanner.category]).toEqual([index, index]);
    });
    expect(at).toBe(bytes.length);
  });
});
