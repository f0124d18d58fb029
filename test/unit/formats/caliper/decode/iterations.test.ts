import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caliper } from "../../../../../src/formats/caliper/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { plain, readFixture } from "../../formatLaws";
import { cellsOf, metricNamed, pathsOf } from "../../plainDataSet";
import { attribute, read } from "../caliFixtures";
import { CaliWriter, channel, loop, rank, region, regions } from "../caliWriter";

const nanoseconds = attribute("sum#time.duration.ns", "uint", 2113, { "attribute.unit": "nsec" });
const most = attribute("max#time.duration.ns", "uint", 2113);
const step = attribute("iteration#step", "int", 21, { "class.iteration": "true" });

/** `path @rank #iteration → value` of the series of a metric. */
function rowsOf(dataSet: DataSet, metric: string, name: string): Record<string, number> {
  const paths = pathsOf(dataSet);
  const series = dataSet.series?.find((one) => one.metric === metricNamed(dataSet, metric) && one.name === name);
  return Object.fromEntries(
    Array.from({ length: series?.rows ?? 0 }, (_, row) => [
      `${paths[series?.context[row] ?? 0].join("/")} @${dataSet.locations[series?.location[row] ?? 0].rank} #${series?.iteration[row]}`,
      series?.value[row] ?? Number.NaN,
    ]),
  );
}

describe("values by iteration", () => {
  it("are a series a loop and metric that adds up, and what has no iteration is in none", async () => {
    const out = new CaliWriter();
    const inside = [[region, "main"] as const, [loop, "step"] as const];
    out.snapshot(
      [regions("main")],
      [
        [rank, 0],
        [nanoseconds, 100],
        [most, 9],
      ],
    );
    for (const [at, value] of [
      [1, 7],
      [0, 5],
      [1, 2],
    ])
      out.snapshot(
        [inside],
        [
          [rank, 0],
          [step, at],
          [nanoseconds, value],
          [most, value],
        ],
      );
    out.snapshot(
      [inside],
      [
        [rank, 1],
        [step, 0],
        [nanoseconds, 11],
        [most, 3],
      ],
    );
    out.globals([[channel, "profile"]]);
    const dataSet = await read(out.text());
    expect(dataSet.series?.map(({ name, metric }) => [name, dataSet.metrics[metric].name])).toEqual([
      ["step", "sum#time.duration.ns"],
    ]);
    expect(rowsOf(dataSet, "sum#time.duration.ns", "step")).toEqual({
      "main/step @0 #0": 5e-9,
      "main/step @0 #1": 9e-9,
      "main/step @1 #0": 11e-9,
    });
  });

  it("sum up to the profile's values, whatever the order of records", async () => {
    const record = fc.record({
      path: fc.constantFrom("main", "main/a", "main/b", "main/a/c"),
      rank: fc.nat(2),
      step: fc.integer({ min: -3, max: 5 }),
      value: fc.nat(1e9),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 60 }), async (records) => {
        const text = (some: typeof records) => {
          const out = new CaliWriter();
          for (const one of some)
            out.snapshot(
              [regions(...one.path.split("/"))],
              [
                [rank, one.rank],
                [step, one.step],
                [nanoseconds, one.value],
              ],
            );
          out.globals([[channel, "profile"]]);
          return out.text();
        };
        const dataSet = await read(text(records));
        const [series] = dataSet.series ?? [];
        const sums = new Map<string, number>();
        for (let row = 0; row < series.rows; row++) {
          const key = `${series.context[row]} ${series.location[row]}`;
          sums.set(key, (sums.get(key) ?? 0) + Math.round(series.value[row] * 1e9));
        }
        const cells = [...cellsOf(dataSet, series.metric)].map(([context, place, value]) => [
          `${context} ${place}`,
          Math.round(value * 1e9),
        ]);
        expect(sums).toEqual(new Map(cells as [string, number][]));
        // By iteration, then context, then location, each once.
        const order = Array.from({ length: series.rows }, (_, row) => [
          series.iteration[row],
          series.context[row],
          series.location[row],
        ]);
        const sorted = [...order].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
        expect(order).toEqual(sorted);
        expect(new Set(order.map(String)).size).toBe(series.rows);
        const backwards = await read(text([...records].reverse()));
        expect(backwards.series).toEqual(dataSet.series);
      }),
      { numRuns: 50 },
    );
  });

  it("of several loops are a series each", async () => {
    const out = new CaliWriter();
    const outer = attribute("iteration#outer", "int", 21);
    for (const [at, value] of [1, 2, 3].entries())
      out.snapshot(
        [regions("main")],
        [
          [outer, 0],
          [step, at],
          [nanoseconds, value],
        ],
      );
    out.globals([[channel, "profile"]]);
    const dataSet = await read(out.text());
    expect(rowsOf(dataSet, "sum#time.duration.ns", "outer")).toEqual({ "main @-1 #0": 6e-9 });
    expect(rowsOf(dataSet, "sum#time.duration.ns", "step")).toEqual({
      "main @-1 #0": 1e-9,
      "main @-1 #1": 2e-9,
      "main @-1 #2": 3e-9,
    });
  });

  it("by blocks of iterations go by the block's first one, under the loop that the recording names", async () => {
    const out = new CaliWriter();
    const start = attribute("loop.start_iteration", "int", 21);
    const snapshot = attribute("timeseries.snapshot", "uint", 21);
    out.snapshot(
      [regions("main")],
      [
        [nanoseconds, 1],
        [snapshot, 0],
      ],
    );
    for (const [at, first] of [0, 20].entries()) {
      out.snapshot(
        [regions("main")],
        [
          [start, first],
          [snapshot, at + 1],
          [nanoseconds, 10 + at],
        ],
      );
      // What closes a block counts its last iteration.
      out.snapshot(
        [regions("main")],
        [
          [start, first],
          [step, first + 19],
          [snapshot, at + 1],
          [nanoseconds, 100],
        ],
      );
    }
    out.globals([[channel, "timeseries"]]);
    const dataSet = await read(out.text());
    expect(dataSet.series?.map(({ name }) => name)).toEqual(["step"]);
    expect(rowsOf(dataSet, "sum#time.duration.ns", "step")).toEqual({ "main @-1 #0": 110e-9, "main @-1 #20": 111e-9 });
  });

  it("by time step, where there is no loop", async () => {
    const out = new CaliWriter();
    const snapshot = attribute("timeseries.snapshot", "uint", 21);
    for (const at of [0, 1])
      out.snapshot(
        [regions("main")],
        [
          [snapshot, at],
          [nanoseconds, at + 3],
        ],
      );
    out.globals([[channel, "timeseries"]]);
    expect(rowsOf(await read(out.text()), "sum#time.duration.ns", "time step")).toEqual({
      "main @-1 #0": 3e-9,
      "main @-1 #1": 4e-9,
    });
  });

  it("of several files of one run are one series, in any order of files", async () => {
    const file = (of: number) => {
      const out = new CaliWriter(BigInt(100 + of));
      for (const at of [0, 1])
        out.snapshot(
          [regions("main")],
          [
            [rank, of],
            [step, at],
            [nanoseconds, 10 * of + at],
          ],
        );
      out.globals([[channel, "profile"]]);
      return out.text();
    };
    const files = { "0.cali": file(0), "1.cali": file(1) };
    const [both] = await readFixture(caliper, files, { open: ["0.cali", "1.cali"] });
    expect(rowsOf(both, "sum#time.duration.ns", "step")).toEqual({
      "main @0 #0": 0,
      "main @0 #1": 1e-9,
      "main @1 #0": 10e-9,
      "main @1 #1": 11e-9,
    });
    const other = await readFixture(caliper, files, { open: ["1.cali", "0.cali"] });
    expect(await plain(other)).toEqual(await plain([both]));
  });
});
