import fc from "fast-check";
import { expect, test } from "vitest";
import { Launches } from "../../../../../src/formats/chrome/decode/links";
import type { TraceSink } from "../../../../../src/formats/trace/traceSink";

const unchecked = { check: () => undefined };

/** Calls and activities in any order, by a correlation of any size: negative, fractional, beyond 2^53. */
const sides = fc.array(
  fc.record({
    isCall: fc.boolean(),
    correlation: fc.oneof(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 0, max: 400 }).map((number) => number * 2 ** 31 + 7),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
  }),
  { maxLength: 3000, size: "max" },
);

test("every activity is joined to the first call of its correlation, whichever came first", () => {
  fc.assert(
    fc.property(sides, (order) => {
      const joined: [number, number][] = [];
      const sink = {
        message: (_kind: string, _from: number, _to: number, sent: number, received: number) =>
          joined.push([sent, received]),
      };
      const launches = new Launches(sink as unknown as TraceSink);
      const firstCall = new Map<number, number>();
      for (const [at, { isCall, correlation }] of order.entries()) {
        if (isCall) launches.call(correlation, 0, at);
        else launches.activity(correlation, 1, at);
        if (isCall && !firstCall.has(correlation)) firstCall.set(correlation, at);
      }
      launches.finish(unchecked);
      const expected = order.flatMap(({ isCall, correlation }, at) => {
        const call = firstCall.get(correlation);
        return isCall || call === undefined ? [] : [[call, at]];
      });
      expect(joined.sort(([, a], [, b]) => a - b)).toEqual(expected);
    }),
  );
});
