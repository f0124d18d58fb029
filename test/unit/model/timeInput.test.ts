import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOW_TO_WRITE_TIME, readTimes } from "../../../src/model/timeInput";
import { formatStretch } from "../../../src/model/units";

const RUN = { from: 0, to: 10 };

describe("a window of time as it is written", () => {
  it.each([
    ["3.04 - 3.59 s", 3.04, 3.59],
    ["3.04–3.59", 3.04, 3.59],
    ["800 µs - 1.2 ms", 800e-6, 1.2e-3],
    ["61.7 – 70.0 ms", 61.7e-3, 70e-3],
    ["0 to 5 s", 0, 5],
    ["−1 - 2 s", -1, 2],
    ["5 ms - 2 s", 5e-3, 2],
  ])("%s", (text, from, to) => {
    const read = readTimes(text, RUN);
    expect(read.from).toBeCloseTo(from, 12);
    expect("to" in read ? read.to : undefined).toBeCloseTo(to, 12);
  });

  it.each([
    ["", HOW_TO_WRITE_TIME],
    ["3", HOW_TO_WRITE_TIME],
    ["1..2 - 3 s", HOW_TO_WRITE_TIME],
    ["3 - 4 parsec", HOW_TO_WRITE_TIME],
    ["4 - 3 s", "The window ends before it begins."],
    ["11 - 12 s", "Nothing was recorded in this window."],
  ])("says what is wrong with “%s”", (text, problem) => {
    expect(readTimes(text, RUN).problem).toBe(problem);
  });

  it("is read as it is shown, to the digits that are shown", () => {
    const seconds = fc.double({ min: 1e-6, max: 9, noNaN: true });
    fc.assert(
      fc.property(seconds, seconds, (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        fc.pre(to - from > 1e-7);
        const read = readTimes(formatStretch(from, to), RUN);
        expect(read.problem).toBeUndefined();
        expect(Math.abs((read.from ?? 0) - from)).toBeLessThanOrEqual((to - from) / 10);
      }),
    );
  });
});
