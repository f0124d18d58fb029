import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paje } from "../../../../src/formats/paje/format";
import { numberOf } from "../../../../src/formats/paje/scan/numbers";
import { TraceTime } from "../../../../src/formats/paje/scan/traceTime";
import { casesOf } from "../../randomCases";
import { readFixture } from "../formatLaws";
import { decimalText, floorOf, nearest } from "./decimals";
import { factRows } from "./factRows";
import { headOf } from "./writer";

const read = (time: TraceTime, text: string, hexadecimal = false) =>
  time.read(Buffer.from(text), 0, text.length, hexadecimal);

/** One decimal in the forms that C reads. */
const forms: readonly ((units: bigint, places: number) => string)[] = [
  decimalText,
  (units, places) => decimalText(units * 10n, places + 1),
  (units, places) => decimalText(units, places).replace(/^(-?)/, "$100"),
  (units, places) => (units < 0n ? decimalText(units, places) : `+${decimalText(units, places)}`),
  (units, places) => `${units}e-${places}`,
  (units, places) => `${decimalText(units, places + 9)}E+9`,
  (units, places) => decimalText(units, places).replace(/^(-?)0\./, "$1."),
];

/** A trace of marks at these times. */
const marksAt = (times: readonly string[]) =>
  `${headOf()}0 M 0 Machine\n3 E M Event\n6 ${times[0]} m M 0 machine\n${times.map((time) => `17 ${time} E m mark\n`).join("")}`;

describe("times of a trace", () => {
  it("are exact to their digits from the whole seconds of the first, wherever the clock begins", () => {
    const time = fc.record({
      units: fc.oneof(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.bigInt(-(10n ** 19n), 10n ** 19n)),
      form: fc.nat(forms.length - 1),
    });
    fc.assert(
      fc.property(
        fc.array(time, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 17 }),
        fc.oneof(fc.bigInt(-4_000_000_000n, 4_000_000_000n), fc.constant(1_700_000_000_000_000_000n)),
        (times, places, shift) => {
          const clock = new TraceTime();
          const scale = 10n ** BigInt(places);
          const shifted = times.map(({ units, form }) => ({ units: units + shift * scale, form }));
          const zero = floorOf(shifted[0].units, places) * scale;
          for (const { units, form } of shifted)
            expect(read(clock, forms[form](units, places)) + 0).toBe(nearest(units - zero, places) + 0);
        },
      ),
      { numRuns: casesOf(2000) },
    );
  });

  it("are the same in lines, whatever their form, with a shift of whole seconds", async () => {
    const time = fc.record({ units: fc.bigInt(0n, 10n ** 13n), form: fc.nat(forms.length - 1) });
    const places = 9;
    await fc.assert(
      fc.asyncProperty(
        fc.array(time, { minLength: 1, maxLength: 12 }),
        fc.bigInt(-4_000_000_000n, 4_000_000_000n),
        async (times, shift) => {
          const moved = times.map(({ units, form }) => forms[form](units + shift * 10n ** 9n, places));
          const { events } = await factRows({ text: marksAt(moved) });
          const zero = floorOf(times[0].units, places) * 10n ** 9n;
          expect(events.map((event) => event.time + 0)).toEqual(
            times.map(({ units }) => nearest(units - zero, places) + 0),
          );
        },
      ),
      { numRuns: casesOf(100) },
    );
  });

  it("have starts and ends that are exact from the earliest, also if that is not the first", async () => {
    const state = fc.record({ start: fc.bigInt(0n, 10n ** 12n), length: fc.bigInt(0n, 10n ** 10n) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(state, { minLength: 1, maxLength: 8 }),
        fc.bigInt(-4_000_000_000n, 4_000_000_000n),
        async (states, shift) => {
          const at = (units: bigint) => decimalText(units + shift * 10n ** 9n, 9);
          const declared = states.map((_, rank) => `6 ${at(states[rank].start)} r${rank} P 0 "rank-${rank}"\n`);
          const lines = states.map(
            ({ start, length }, rank) => `12 ${at(start)} S r${rank} work\n13 ${at(start + length)} S r${rank}\n`,
          );
          const text = `${headOf()}0 P 0 Rank\n2 S P STATE\n${declared.join("")}${lines.join("")}`;
          const [{ trace }] = await readFixture(paje, { "a.trace": text });
          if (trace === undefined) throw new Error("no trace");
          const zero = states.reduce((least, { start }) => (start < least ? start : least), states[0].start);
          for (const [lane, { start, length }] of states.entries()) {
            const { startSeconds, endSeconds } = await trace.readEvents(lane, 0, 1);
            expect(startSeconds[0]).toBe(nearest(start - zero, 9));
            expect(endSeconds[0]).toBe(nearest(start - zero + length, 9));
          }
        },
      ),
      { numRuns: casesOf(100) },
    );
  });

  it("of a clock that counts from 1970 keep their nanoseconds", async () => {
    const text = `${headOf()}0 P 0 Rank\n2 S P STATE\n6 1700000000.000000100 r P 0 "rank-0"\n12 1700000000.000000100 S r work\n13 1700000000.000000300 S r\n7 1700000000.000000300 P r\n`;
    const [{ trace }] = await readFixture(paje, { "a.trace": text });
    const { startSeconds, endSeconds } = (await trace?.readEvents(0, 0, 1)) ?? {};
    expect([startSeconds?.[0], endSeconds?.[0]]).toEqual([0, 2e-7]);
  });

  it("are none if they are no numbers, and beyond all bounds as they are", () => {
    const texts = ["x", "", ".", "1e", "1.2.3", "nan", "9".repeat(500), "-", "0x"];
    const far = ["1e309", "-1e308", "1e24", "5e-324", "1e-401", "1e-999999999"];
    const clock = new TraceTime();
    for (const text of [...texts, ...far.slice(0, 3)]) expect(read(clock, text)).toBe(plainly(text));
    expect(clock.wholeSeconds).toBeNaN();
    expect(read(clock, "7.5")).toBe(0.5);
    for (const text of texts) expect(read(clock, text)).toBeNaN();
    for (const text of far.slice(0, 3)) expect(read(clock, text)).toBe(plainly(text));
    for (const text of far.slice(3)) expect(read(clock, text)).toBe(-7);
    expect(read(clock, "0x10")).toBe(9);
    expect(read(clock, "ff", true)).toBe(248);
  });

  it("of 64 bits are read to the last one, as decimals and as hexadecimal digits", () => {
    for (const write of [(units: bigint) => `${units}`, (units: bigint) => `0x${units.toString(16)}`]) {
      const clock = new TraceTime();
      const first = 1_700_000_000_123_456_789n;
      expect([0n, 1n, -1n, 255n].map((more) => read(clock, write(first + more)))).toEqual([0, 1, -1, 255]);
    }
  });

  it("are shown as the file has them", () => {
    fc.assert(
      fc.property(
        fc.bigInt(-4_000_000_000n, 4_000_000_000n),
        fc.array(fc.bigInt(-(10n ** 14n), 10n ** 14n), { minLength: 1 }),
        (shift, times) => {
          const clock = new TraceTime();
          for (const units of times) {
            const text = decimalText(units + shift * 10n ** 9n, 9);
            const seconds = read(clock, text);
            const whole = floorOf(times[0], 9) + shift;
            const shown = text.replace(/\.?0+$/, "").replace(/^-?$/, "0");
            if (whole !== 0n) expect(clock.textOf(seconds)).toBe(shown);
            else expect(clock.textOf(seconds)).toBe(`${seconds}`);
          }
        },
      ),
      { numRuns: casesOf(300) },
    );
  });
});

const plainly = (text: string) => numberOf(Buffer.from(text), 0, text.length, false);
