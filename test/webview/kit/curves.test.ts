import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { quietTask } from "../../../src/model/task";
import { bandOf } from "../../../webviews/kit/time/curves";
import { casesOf } from "../../unit/randomCases";
import { counterRecording, LENGTH, metricsView, powerPoints, removeCounterRecording } from "../useMetrics";

vi.mock("vscode", () => import("../fakeVsCode"));

afterAll(removeCounterRecording);

const AREA = { x: 60, y: 20, width: 800, height: 34 };
/** One pixel for each unit of the power, from above. */
const VALUES = { at: (value: number) => 1000 - value, base: 1000 };

/** Lines from left to right, or back, of a path of `M`, `H` and `V` alone. */
function flat(path: string): { left: number; right: number; y: number }[] {
  let [x, y] = [0, 0];
  return [...path.matchAll(/([MHV])(-?[\d.]+)(?:,(-?[\d.]+))?/g)].flatMap(([, command, first, second]) => {
    const before = x;
    if (command === "V") y = Number(first);
    else x = Number(first);
    if (command === "M") y = Number(second);
    return command === "H" ? [{ left: Math.min(before, x), right: Math.max(before, x), y }] : [];
  });
}

/** Of the power in a stretch, from its points: each holds until the next. */
function extremesIn(from: number, to: number): readonly [least: number, most: number] {
  const points = powerPoints();
  const held = points.filter(({ seconds }, at) => seconds < to && (points.at(at + 1)?.seconds ?? LENGTH) > from);
  const values = held.map(({ value }) => value);
  return [Math.min(...values), Math.max(...values)];
}

describe("the mean of a band", () => {
  it("is a line through each column that has one, between its least and its most", () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.tuple(fc.nat(900), fc.nat(900), fc.nat(100))), { minLength: 1, maxLength: 40 }),
        (given) => {
          const column = (of: (one: [number, number, number]) => number) =>
            Float64Array.from(given, (one) => (one ? of(one) : Number.NaN));
          const [least, most] = [column(([a, b]) => Math.min(a, b)), column(([a, b]) => Math.max(a, b))];
          const mean = column(([a, b, part]) => Math.min(a, b) + (Math.abs(a - b) * part) / 100);
          const window = { from: 0, to: given.length };
          const { line, band } = bandOf({ ...window, least, most, mean }, VALUES, window, AREA);
          const drawn = flat(line);
          expect(drawn).toHaveLength(given.filter((one) => one !== null).length);
          given.forEach((one, at) => {
            const x = AREA.x + ((at + 0.5) / given.length) * AREA.width;
            const own = drawn.filter(({ left, right }) => left < x && x < right);
            expect(own.map(({ y }) => y)).toEqual(one ? [expect.closeTo(1000 - mean[at], 0) as number] : []);
          });
          expect(band === "").toBe(given.every((one) => one === null));
        },
      ),
      { numRuns: casesOf(200) },
    );
  });
});

describe("a band", () => {
  it.each([
    [0, LENGTH],
    [0.9, 1.7],
    [2.45, 2.55],
  ])("reaches from the least to the most of the points in each column, from %d to %d s", async (from, to) => {
    const { session, dataSet } = await metricsView({}, [counterRecording()]);
    const of = { dataSet: dataSet.id, categories: {} };
    const { rows } = await session.engine.counterFacts(of, quietTask);
    const row = rows.findIndex(({ name }) => name === "power");
    const pixelSeconds = (to - from) / AREA.width;
    const query = { ...of, rows: [row], fromSeconds: from, toSeconds: to, pixelSeconds };
    const bands = await session.engine.counterBands(query, quietTask);
    const extremes = { ...bands, from: bands.fromSeconds, to: bands.toSeconds };
    const lines = flat(bandOf(extremes, VALUES, { from, to }, AREA).band);
    let columns = 0;
    for (let column = 0; column < bands.columns; column++) {
      const [begins, ends] = [0, 1].map((side) => bands.fromSeconds + (column + side) * bands.stepSeconds);
      if (begins < from || ends > to) continue;
      const x = AREA.x + ((begins + ends) / 2 - from) / pixelSeconds;
      const drawn = lines.filter(({ left, right }) => left < x && x < right).map(({ y }) => 1000 - y);
      const [least, most] = extremesIn(begins, ends);
      expect([Math.min(...drawn) - least, Math.max(...drawn) - most].map((off) => Math.abs(off) <= 0.051)).toEqual([
        true,
        true,
      ]);
      columns++;
    }
    expect(columns).toBeGreaterThan(AREA.width / 2 - 3);
  });
});
