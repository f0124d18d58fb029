import fc from "fast-check";
import { expect, test } from "vitest";
import { moments } from "../../../webviews/kit/time/times";

test("moments of a ruler are later than its first one by as much as they say, all in one unit", () => {
  expect(moments(0.0617, 0.0637, 5).map(({ text }) => text)).toEqual(["62.0 ms", "+0.5 ms", "+1 ms", "+1.5 ms"]);
  const seconds = { s: 1, ms: 1e-3, µs: 1e-6, ns: 1e-9 };
  const isUnit = (unit: string): unit is keyof typeof seconds => unit in seconds;
  const stretches = fc.tuple(fc.double({ min: 0, max: 1000, noNaN: true }), fc.integer({ min: -60, max: 20 }));
  fc.assert(
    fc.property(stretches, fc.integer({ min: 1, max: 16 }), ([from, power], about) => {
      const [first, ...others] = moments(from, from + 10 ** (power / 10), about);
      const said = others.map(({ text }) => /^\+([\d.]+)\s(\S+)$/u.exec(text) ?? expect.fail(text));
      expect(new Set(said.map(([, , unit]) => unit)).size).toBeLessThan(2);
      said.forEach(([text, number, unit], at) => {
        const own = isUnit(unit) ? Number(number) * seconds[unit] : expect.fail(text);
        const later = others[at].seconds - first.seconds;
        expect(Math.abs(own - later)).toBeLessThanOrEqual(later / 100);
      });
    }),
  );
});
