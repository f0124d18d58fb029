import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  categoryRows,
  counterRows,
  laneRows,
  messagePairRows,
  resourceRows,
  seriesInfo,
  seriesRows,
  transferRows,
} from "../../../../src/engine/traces/traceAnswers";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { type TraceBuilder, TraceBuilder as Builder } from "../../../../src/formats/trace/traceBuilder";
import { ContextTreeBuilder } from "../../../../src/model/contextTree";
import type { DataSet } from "../../../../src/model/dataSet";
import { FrameTable } from "../../../../src/model/frames";
import { NONE } from "../../../../src/model/ids";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";
import { innermost, naiveTrace } from "../../formats/trace/naiveTrace";
import { CATEGORIES, FRAMES, frameOf, tell, type Told, toldFiles } from "../../formats/trace/tellings";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";

async function dataSetWith(tell: (builder: TraceBuilder) => void | Promise<void>): Promise<DataSet> {
  const builder = new Builder(memoryColumnFiles);
  await tell(builder);
  return withTrace(await finishTrace([{ builder }], {}, quietTask));
}

function withTrace(
  { outline, trace, topology }: Awaited<ReturnType<typeof finishTrace>>,
  parts: Partial<DataSet> = {},
): DataSet {
  const frames = new FrameTable(new StringTable());
  for (let frame = 0; frame < FRAMES; frame++) frames.intern({ name: `f${frame}`, kind: "region" });
  return {
    name: "test",
    files: [],
    format: { id: "test", label: "Test" },
    frames,
    tree: new ContextTreeBuilder().build(frames.canonicalRanks()).tree,
    locations: [],
    metrics: [],
    values: [],
    globals: new Map(),
    warnings: [],
    hierarchies: ["regions"],
    records: 0,
    outline,
    trace,
    topology,
    ...parts,
  };
}

async function toldDataSet(told: readonly Told[]): Promise<DataSet> {
  const parts = [];
  for (const one of told) {
    const builder = new Builder(memoryColumnFiles);
    await tell(one, builder);
    const location = told.filter(({ rank }) => rank < one.rank).length;
    parts.push({ builder, frameOf, locationOf: Int32Array.of(location) });
  }
  return withTrace(await finishTrace(parts, {}, quietTask));
}

const everything = Number.MAX_SAFE_INTEGER;
const runs = { numRuns: casesOf(600) };

describe("rows of a trace", () => {
  it("sum up what its events, messages, points and transfers are", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, async (told) => {
        const dataSet = await toldDataSet(told);
        const naive = naiveTrace(told);
        const { rows: lanes, more } = laneRows(dataSet, everything);
        expect(more).toBe(0);
        naive.lanes.forEach(({ name, kind, events }, lane) => {
          const seconds = new Map<string, number>();
          let uncovered = 0;
          const first = Math.min(...events.map(({ start }) => start));
          const last = Math.max(...events.map(({ end }) => end));
          // All times are quarters of a second.
          for (let at = first + 0.125; at < last; at += 0.25) {
            const event = innermost(events, at);
            if (event) seconds.set(`f${event.frame}`, (seconds.get(`f${event.frame}`) ?? 0) + 0.25);
            else if (kind === "intervals") uncovered += 0.25;
          }
          expect(lanes[lane]).toMatchObject({ lane, name, kind, events: events.length, uncoveredSeconds: uncovered });
          expect(new Map(lanes[lane].frames.map((one) => [one.name, one.seconds]))).toEqual(seconds);
          const heaviest = lanes[lane].frames.map((one) => one.seconds);
          expect(heaviest).toEqual([...heaviest].sort((a, b) => b - a));
        });

        const { rows: counters } = await counterRows(dataSet, everything, quietTask);
        naive.points.forEach(({ name, rank, values }, counter) => {
          let [area, plain] = [0, 0];
          values.forEach(({ seconds, value }, at) => {
            area += value * ((values[at + 1]?.seconds ?? seconds) - seconds);
            plain += value / values.length;
          });
          const length = (values.at(-1)?.seconds ?? 0) - values[0].seconds;
          const mean = length > 0 ? area / length : plain;
          expect(counters[counter]).toMatchObject({ name, resource: `rank ${rank}`, points: values.length });
          expect(counters[counter].mean).toBeCloseTo(mean, 10);
        });

        const messages = naive.messages.filter(({ kind }) => kind === 0);
        const pairs = new Map<string, { count: number; bytes: number }>();
        for (const { from, to, bytes } of messages) {
          const pair = pairs.get(`rank ${from}→rank ${to}`) ?? { count: 0, bytes: 0 };
          pairs.set(`rank ${from}→rank ${to}`, { count: pair.count + 1, bytes: pair.bytes + (bytes || 0) });
        }
        const { rows: found } = await messagePairRows(dataSet, everything, quietTask);
        expect(new Map(found.map(({ from, to, count, bytes }) => [`${from}→${to}`, { count, bytes }]))).toEqual(pairs);

        const sends = messages.filter(({ sent }) => !Number.isNaN(sent));
        const info = dataSet.outline;
        expect(info).toMatchObject({
          lanes: naive.lanes.length,
          events: naive.lanes.reduce((sum, { events }) => sum + events.length, 0),
          counters: naive.points.length,
          startSeconds: naive.start,
          endSeconds: naive.end,
          messages: { count: sends.length, bytes: sends.reduce((sum, { bytes }) => sum + (bytes || 0), 0) },
          arrows: naive.messages.length - messages.length,
        });
        expect(info?.transfers.count).toBe(naive.transfers.length);
        for (const { name, count, bytes } of info?.transfers.directions ?? []) {
          const own = naive.transfers.filter(({ direction }) => naive.directions[direction] === name);
          expect([count, bytes]).toEqual([own.length, own.reduce((sum, one) => sum + one.bytes, 0)]);
        }
        const categories = categoryRows(dataSet);
        for (const { name, events } of categories)
          expect(events).toBe(
            naive.lanes.flatMap((lane) => lane.events).filter(({ category }) => naive.categories[category] === name)
              .length,
          );
        expect(categories.map(({ name }) => name).sort()).toEqual(
          CATEGORIES.filter((name) => naive.categories.includes(name)),
        );
        expect(info?.categories).toBe(categories.length);
      }),
      runs,
    );
  });

  it("give the rate of a counter that grows; it is restarted at 0 where it falls", async () => {
    const dataSet = await dataSetWith((builder) => {
      const add = (name: string, unit: string, points: readonly (readonly [number, number])[]) => {
        const counter = builder.counter(name, unit, NONE, true);
        for (const [seconds, value] of points) builder.point(counter, seconds, value);
      };
      // 4 in 2 s, NaN says nothing, 30 in 3 s, and 5 in 1 s after a restart.
      add("a fall", "1", [
        [0, 100],
        [2, 104],
        [3, NaN],
        [5, 134],
        [6, 5],
      ]);
      add("energy", "J", [
        [1, 0],
        [3, 50],
      ]);
      add("one point", "B", [[1, 7]]);
    });
    const { rows } = await counterRows(dataSet, 9, quietTask);
    expect(rows.map(({ name, unit, minimum, maximum, mean }) => [name, unit, minimum, maximum, mean])).toEqual([
      ["a fall", "/s", 2, 10, (4 + 30 + 5) / 6],
      ["energy", "W", 25, 25, 25],
      ["one point", "B/s", NaN, NaN, NaN],
    ]);
  });

  it("say how many were left out", async () => {
    const dataSet = await dataSetWith((builder) => {
      const ranks = [0, 1, 2].map((rank) =>
        builder.resource({ name: `rank ${rank}`, type: "process", parent: NONE, location: NONE }),
      );
      for (const resource of ranks) {
        builder.lane({ name: "lane", resource, location: NONE, kind: "intervals" });
        builder.point(builder.counter("power", "W", resource), 0, 1);
        builder.message("message", resource, ranks[0], 0, 1, resource, NONE);
      }
    });
    expect(laneRows(dataSet, 2)).toMatchObject({ rows: [{}, {}], more: 1 });
    expect(await counterRows(dataSet, 2, quietTask)).toMatchObject({ rows: [{}, {}], more: 1 });
    expect(await messagePairRows(dataSet, 1, quietTask)).toEqual({
      rows: [{ from: "rank 2", to: "rank 0", count: 1, bytes: 2 }],
      more: 2,
    });
    expect(resourceRows(dataSet, undefined, 1)).toMatchObject({ rows: [{ name: "rank 0" }], more: 2 });
  });

  it("keep transfers by direction and device", async () => {
    const dataSet = await dataSetWith((builder) => {
      const lane = builder.lane({ name: "stream", resource: NONE, location: NONE, kind: "intervals" });
      const add = (direction: string, fromDevice: number, toDevice: number, bytes: number, startSeconds: number) =>
        builder.transfer({
          lane,
          direction: builder.transferDirection(direction),
          fromDevice,
          toDevice,
          bytes,
          startSeconds,
          endSeconds: startSeconds + 0.5,
          bandwidth: Number.NaN,
          frame: 0,
          context: NONE,
        });
      add("HtoD", NONE, 0, 100, 0);
      add("HtoD", NONE, 1, 50, 1);
      add("DtoH", 0, NONE, 80, 2);
      add("HtoD", NONE, 0, 100, 3);
    });
    expect(await transferRows(dataSet, quietTask)).toEqual([
      { direction: "HtoD", fromDevice: NONE, toDevice: 0, count: 2, bytes: 200, seconds: 1 },
      { direction: "DtoH", fromDevice: 0, toDevice: NONE, count: 1, bytes: 80, seconds: 0.5 },
      { direction: "HtoD", fromDevice: NONE, toDevice: 1, count: 1, bytes: 50, seconds: 0.5 },
    ]);
    expect(dataSet.outline?.transfers).toEqual({
      count: 4,
      bytes: 330,
      directions: [
        { name: "HtoD", count: 3, bytes: 250 },
        { name: "DtoH", count: 1, bytes: 80 },
      ],
    });
  });

  it("lead from a machine to what is in it", async () => {
    const dataSet = await dataSetWith((builder) => {
      const machine = builder.resource({ name: "host", type: "Machine", parent: NONE, location: NONE });
      builder.resource({ name: "core 0", type: "Core", parent: machine, location: NONE });
      const properties = new Map([["memory", "141 GB"]]);
      const gpu = builder.resource({ name: "GPU 0", type: "GPU", parent: machine, location: NONE, properties });
      builder.resource({ name: "stream 7", type: "stream", parent: gpu, location: NONE });
    });
    const { rows } = resourceRows(dataSet, undefined, everything);
    expect(rows).toEqual([{ resource: rows[0].resource, name: "host", type: "Machine", children: 2, properties: [] }]);
    expect(resourceRows(dataSet, rows[0].resource, everything).rows).toMatchObject([
      { name: "core 0", children: 0 },
      { name: "GPU 0", children: 1, properties: [{ name: "memory", value: "141 GB" }] },
    ]);
    expect(() => resourceRows(dataSet, 99, 1)).toThrow(/no resource number 99/);
  });

  it("add up each iteration", async () => {
    const empty = await dataSetWith(() => undefined);
    const series = {
      name: "main loop",
      metric: 0,
      rows: 5,
      iteration: Float64Array.of(0, 0, 2, 2, 3),
      context: Int32Array.of(0, 1, 0, 1, 0),
      location: new Int32Array(5),
      value: Float64Array.of(1, 2, 4, Number.NaN, 8),
    };
    const dataSet = { ...empty, series: [series] };
    expect(seriesInfo(dataSet)).toEqual([{ name: "main loop", metric: 0, iterations: 3, rows: 5 }]);
    expect(seriesRows(dataSet, 0, 2)).toEqual({
      rows: [
        { iteration: 0, value: 3 },
        { iteration: 2, value: 4 },
      ],
      more: 1,
    });
    expect(() => seriesRows(dataSet, 1, 2)).toThrow(/no series number 1/);
  });
});
