import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  counterBands,
  counterRows,
  counterStretches,
  counterSums,
  recordedRows,
} from "../../../../src/engine/traces/counterBands";
import { doesChange } from "../../../../src/engine/traces/counterSteps";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import type { DataSet } from "../../../../src/model/dataSet";
import { chosenRanks } from "../../../../src/model/members";
import { NONE } from "../../../../src/model/ids";
import { quietTask } from "../../../../src/model/task";
import type { Trace } from "../../../../src/model/trace";
import { naiveTrace } from "../../formats/trace/naiveTrace";
import { stretches } from "../../formats/trace/naiveSpans";
import { frameOf, tell, type Told, toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { levelSteps, type NaivePoint, naiveSums, type NaiveStep, rateSteps, sumSteps, valueBefore } from "./naiveSteps";
import { FRAME_NAMES, namedFrames } from "./toldTraces";

/** Sums that are made in another order. */
const near = (one: number, other: number) =>
  Object.is(one, other) || Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));

async function rowsOf(dataSet: DataSet, trace: Trace, chosen?: Parameters<typeof counterRows>[4]) {
  return counterRows(dataSet, trace, eventStates(dataSet, trace), "", chosen, quietTask);
}

/** So many columns of a row are compared. */
const LOOKED_AT = 60;

/** Every answer about one row, against its steps. */
async function expectRow(
  trace: Trace,
  rows: Awaited<ReturnType<typeof rowsOf>>,
  row: number,
  steps: readonly NaiveStep[],
  [from, to]: readonly [number, number],
  pixelSeconds: number,
): Promise<void> {
  const end = trace.endSeconds;
  const sums = await counterSums(trace, rows, { fromSeconds: from, toSeconds: to }, quietTask);
  const naive = naiveSums(steps, from, to, end);
  expect(near(sums.seconds[row], naive.seconds)).toBe(true);
  expect([sums.least[row], sums.most[row]]).toEqual([naive.least, naive.most]);
  if (naive.seconds > 0) {
    expect(near(sums.mean[row], naive.mean)).toBe(true);
    // Of a mean that is nothing but rounding nothing can be said.
    if (Math.abs(naive.mean) > 1e-6) expect(near(sums.variance[row], naive.variance)).toBe(true);
  }
  const query = { rows: [row], fromSeconds: from, toSeconds: to, pixelSeconds };
  const bands = await counterBands(trace, rows, query, quietTask);
  expect(bands.stepSeconds).toBeGreaterThanOrEqual(pixelSeconds);
  expect(bands.fromSeconds).toBeLessThanOrEqual(from);
  expect(bands.toSeconds).toBeGreaterThanOrEqual(to);
  for (let column = 0; column < bands.columns; column += Math.ceil(bands.columns / LOOKED_AT)) {
    const [left, right] = [0, 1].map((side) => bands.fromSeconds + (column + side) * bands.stepSeconds);
    const own = naiveSums(steps, left, right, Infinity);
    // Beyond the run there is nothing; at its last moment what begins then.
    const isBeyond = left > end;
    expect([bands.least[column], bands.most[column]]).toEqual(isBeyond ? [NaN, NaN] : [own.least, own.most]);
    expect(near(bands.mean[column], isBeyond ? NaN : naiveSums(steps, left, right, end).mean)).toBe(true);
  }
  const known = Array.from(bands.seconds, (seconds, at) => ({ seconds, value: bands.value[at] }));
  const inside = steps.filter(({ seconds }) => seconds >= bands.fromSeconds && seconds < bands.toSeconds);
  if (known.length > 0) {
    expect(known).toEqual([{ seconds: bands.fromSeconds, value: valueBefore(steps, bands.fromSeconds) }, ...inside]);
  } else expect(inside.length).toBeGreaterThan(0);
}

// Few distinct times: equal ones are what goes wrong; and values that are none.
const point = (times: number): fc.Arbitrary<NaivePoint> =>
  fc.record({
    seconds: fc.integer({ min: 0, max: times }).map((eighth) => eighth / 8),
    value: fc.oneof(
      { arbitrary: fc.integer({ min: -5, max: 9 }), weight: 9 },
      { arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY), weight: 1 },
    ),
  });
const some = fc.oneof(
  fc.array(point(60), { maxLength: 40 }),
  fc.array(point(4000), { minLength: 1000, maxLength: 3000, size: "max" }),
);
/** Two moments of a run, and how wide a pixel is. */
const look = fc.tuple(fc.nat(1000), fc.nat(1000), fc.integer({ min: -8, max: 7 }));
const windowIn = ({ startSeconds, endSeconds }: Trace, one: number, other: number) => {
  const at = (share: number) => startSeconds + ((endSeconds - startSeconds) * share) / 1000;
  return [at(Math.min(one, other)), at(Math.max(one, other))] as const;
};

async function traceOfPoints(levels: readonly NaivePoint[], totals: readonly NaivePoint[]) {
  const builder = new TraceBuilder(memoryColumnFiles);
  const resource = builder.resource({ name: "GPU 0", type: "GPU", parent: -1, location: -1 });
  for (const { seconds, value } of levels) builder.point(builder.counter("power", "W", resource), seconds, value);
  for (const { seconds, value } of totals)
    builder.point(builder.counter("energy", "J", resource, true), seconds, value);
  return finishTrace([{ builder }], {}, quietTask);
}

const inTime = (points: readonly NaivePoint[]) => [...points].sort((a, b) => a.seconds - b.seconds);

describe("counters", () => {
  it("hold from a point to the next, or are the rate between two; each column has what they are in it", async () => {
    await fc.assert(
      fc.asyncProperty(some, some, look, async (levels, totals, [one, other, exponent]) => {
        const { trace, topology } = await traceOfPoints(levels, totals);
        const dataSet = { frames: namedFrames(), trace, topology, locations: [] } as unknown as DataSet;
        if (!trace) return;
        const rows = await rowsOf(dataSet, trace);
        const [from, to] = windowIn(trace, one, other);
        for (const [row, { fact }] of rows.entries()) {
          const isLevel = fact.name === "power";
          const steps = isLevel ? levelSteps(inTime(levels)) : rateSteps(inTime(totals));
          expect(fact).toMatchObject(isLevel ? { unit: "W", shows: "level" } : { unit: "W", shows: "rate" });
          const whole = naiveSums(steps, trace.startSeconds, trace.endSeconds, trace.endSeconds);
          expect([fact.least, fact.most]).toEqual([whole.least, whole.most]);
          expect(await doesChange(trace, row, quietTask)).toBe(whole.most > whole.least);
          if (to > from) await expectRow(trace, rows, row, steps, [from, to], 2 ** exponent);
        }
        await trace.close();
      }),
      { numRuns: casesOf(200) },
    );
  });

  it("are read up to the first value that differs from the one before, to know that they change", async () => {
    const points = (count: number, value: (at: number) => number) =>
      Array.from({ length: count }, (_, at) => ({ seconds: at, value: value(at) }));
    const readOf = async (levels: readonly NaivePoint[]) => {
      const { trace } = await traceOfPoints(levels, []);
      if (!trace) throw new Error("no trace");
      let read = 0;
      const counted = Object.create(trace, {
        counters: { value: trace.counters },
        readCounter: {
          value: async (...[counter, first, count]: Parameters<Trace["readCounter"]>) => {
            const page = await trace.readCounter(counter, first, count);
            read += page.count;
            return page;
          },
        },
      }) as Trace;
      const changes = await doesChange(counted, 0, quietTask);
      await trace.close();
      return { changes, read };
    };
    const many = 100_000;
    expect(await readOf(points(many, () => 4))).toEqual({ changes: false, read: many });
    const early = await readOf(points(many, (at) => (at < 3 ? 4 : 5)));
    expect(early.changes).toBe(true);
    expect(early.read).toBeLessThan(many / 4);
    // A value that ends is no other value, and nor is one that another of the same moment replaces.
    expect((await readOf(points(9, (at) => (at < 3 ? 4 : Number.NaN)))).changes).toBe(false);
    expect((await readOf([{ seconds: 1, value: 7 }, ...points(9, () => 4).slice(1)])).changes).toBe(false);
  });

  it("have as minimum and maximum values alone: what is none resets neither", async () => {
    for (const values of [
      [3, Number.NaN, 5],
      [Number.NaN, 3, 5, Number.POSITIVE_INFINITY],
      [5, Number.NaN, 3, Number.NaN],
      [Number.NEGATIVE_INFINITY, 5, 3],
    ]) {
      const { trace } = await traceOfPoints(
        values.map((value, seconds) => ({ seconds, value })),
        [],
      );
      expect(trace?.counters[0], values.join()).toMatchObject({ points: values.length, minimum: 3, maximum: 5 });
      await trace?.close();
    }
  });

  it("are the first rows, and alone where only recorded ones are asked for: then no event is read", async () => {
    const point = { seconds: 1, value: 2 };
    const { trace, topology } = await traceOfPoints([point], [point, { seconds: 3, value: 5 }]);
    const dataSet = { frames: namedFrames(), trace, topology, locations: [] } as unknown as DataSet;
    if (!trace) throw new Error("no trace");
    const unread = Object.create(trace, {
      counters: { value: trace.counters },
      lanes: { value: trace.lanes },
      readEvents: { value: () => Promise.reject(new Error("events are read")) },
    }) as Trace;
    const alone = await recordedRows(dataSet, unread, undefined, quietTask);
    expect(alone.map(({ fact }) => fact)).toEqual(
      (await rowsOf(dataSet, trace)).slice(0, trace.counters.length).map(({ fact }) => fact),
    );
    expect(alone.map(({ fact }) => fact.name).sort()).toEqual(["energy", "power"]);
    await trace.close();
  });

  it("of a machine are at the lanes of all processes on it", async () => {
    const builder = new TraceBuilder(memoryColumnFiles);
    const machine = (name: string) => builder.resource({ name, type: "Machine", parent: NONE, location: NONE });
    const [one, other] = [machine("node1"), machine("node2")];
    const laneOn = (host: string, name: string) => {
      const process = { name, type: "process", parent: NONE, location: NONE, properties: new Map([["host", host]]) };
      const resource = builder.resource(process);
      const thread = builder.resource({ name: "thread", type: "thread", parent: resource, location: NONE });
      const lane = builder.lane({ name, resource: thread, location: NONE, kind: "intervals" });
      builder.event(lane, 0, 1, NONE, NONE, builder.category("computing", "compute"));
    };
    laneOn("node1", "rank 0");
    laneOn("node2", "rank 1");
    laneOn("node1", "rank 2");
    for (const at of [one, other]) builder.point(builder.counter("load", "1", at), 0, 1);
    const { trace, topology } = await finishTrace([{ builder }], {}, quietTask);
    if (!trace) throw new Error("no trace");
    const dataSet = { frames: namedFrames(), trace, topology, locations: [] } as unknown as DataSet;
    const facts = (await recordedRows(dataSet, trace, undefined, quietTask)).map(({ fact }) => fact);
    const names = facts.map(({ resource, lanes }) => [
      topology?.resources[resource].name,
      ...lanes.map((lane) => trace.lanes[lane].name),
    ]);
    expect(names.sort()).toEqual([
      ["node1", "rank 0", "rank 2"],
      ["node2", "rank 1"],
    ]);
    await trace.close();
  });

  it("of the parts of a run have its mean, and its extremes", async () => {
    await fc.assert(
      fc.asyncProperty(some, fc.array(fc.nat(1000), { maxLength: 5 }), async (levels, cuts) => {
        const { trace, topology } = await traceOfPoints(levels, []);
        const dataSet = { frames: namedFrames(), trace, topology, locations: [] } as unknown as DataSet;
        if (!trace || trace.counters.length === 0) return;
        const rows = await rowsOf(dataSet, trace);
        const edges = [0, ...[...cuts].sort((a, b) => a - b), 1000].map((cut) => windowIn(trace, cut, cut)[0]);
        const parts = [];
        for (let at = 0; at + 1 < edges.length; at++)
          parts.push(await counterSums(trace, rows, { fromSeconds: edges[at], toSeconds: edges[at + 1] }, quietTask));
        const whole = { fromSeconds: trace.startSeconds, toSeconds: trace.endSeconds };
        const all = await counterSums(trace, rows, whole, quietTask);
        const seconds = parts.reduce((sum, part) => sum + part.seconds[0], 0);
        const area = parts.reduce((sum, part) => sum + (part.seconds[0] > 0 ? part.mean[0] * part.seconds[0] : 0), 0);
        expect(near(seconds, all.seconds[0])).toBe(true);
        if (seconds > 0) expect(near(area / seconds, all.mean[0])).toBe(true);
        const most = parts.map((part) => part.most[0]).filter((one) => !Number.isNaN(one));
        if (most.length > 0) expect(Math.max(...most)).toBe(all.most[0]);
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("have in each of so many stretches what steps say of it, beyond the run nothing", async () => {
    await fc.assert(
      fc.asyncProperty(some, look, fc.integer({ min: 1, max: 12 }), async (levels, [one, other], count) => {
        const { trace, topology } = await traceOfPoints(levels, []);
        const dataSet = { frames: namedFrames(), trace, topology, locations: [] } as unknown as DataSet;
        if (!trace || trace.counters.length === 0 || one === other) return;
        const rows = await rowsOf(dataSet, trace);
        const fromSeconds = windowIn(trace, one, one)[0];
        // A clock may go on behind the run.
        const toSeconds = fromSeconds + 1 + Math.abs(other - one) / 8;
        const query = { row: 0, fromSeconds, toSeconds, count };
        const found = await counterStretches(trace, rows, query, quietTask);
        const steps = levelSteps(inTime(levels));
        for (let at = 0; at < count; at++) {
          const [from, to] = [at, at + 1].map((edge) => fromSeconds + ((toSeconds - fromSeconds) * edge) / count);
          // Beyond the run there is nothing.
          if (from > trace.endSeconds)
            expect([found.seconds[at], found.least[at], found.most[at]]).toEqual([0, NaN, NaN]);
          const naive = naiveSums(steps, from, to, trace.endSeconds);
          expect(near(found.seconds[at], Math.max(0, naive.seconds))).toBe(true);
          if (naive.seconds > 1e-6) {
            expect([found.least[at], found.most[at]]).toEqual([naive.least, naive.most]);
            expect(near(found.mean[at], naive.mean)).toBe(true);
          }
        }
        await trace.close();
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("have a stable variance: values that hardly differ keep it", async () => {
    const levels = Array.from({ length: 1000 }, (_, at) => ({ seconds: at, value: 1e9 + (at % 2) }));
    const { trace, topology } = await traceOfPoints([...levels, { seconds: 1000, value: 0 }], []);
    if (!trace) throw new Error("no trace");
    const rows = await rowsOf({ frames: namedFrames(), trace, topology, locations: [] } as unknown as DataSet, trace);
    const { variance } = await counterSums(trace, rows, { fromSeconds: 0, toSeconds: 1000 }, quietTask);
    expect(variance[0] / 0.25e-18).toBeCloseTo(1, 6);
  });

  it("do not vary where they have one value, however that is rounded; and their mean is none but it", async () => {
    const moments = fc.uniqueArray(fc.double({ min: 0, max: 8, noNaN: true }), { minLength: 500, maxLength: 500 });
    const values = fc.constantFrom(1.35e9, 0.1, 7.001e9, 3.825e9);
    await fc.assert(
      fc.asyncProperty(moments, values, look, async (times, value, [one, other]) => {
        const { trace, topology } = await traceOfPoints(
          times.map((seconds) => ({ seconds, value })),
          [],
        );
        if (!trace) throw new Error("no trace");
        const rows = await rowsOf(
          { frames: namedFrames(), trace, topology, locations: [] } as unknown as DataSet,
          trace,
        );
        const [fromSeconds, toSeconds] = windowIn(trace, one, other);
        const { variance, mean, seconds } = await counterSums(trace, rows, { fromSeconds, toSeconds }, quietTask);
        if (seconds[0] > 0) expect([variance[0], mean[0]]).toEqual([0, value]);
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("are drawn in wider columns where there would be too many", async () => {
    const { trace, topology } = await traceOfPoints(
      Array.from({ length: 100 }, (_, at) => ({ seconds: at, value: at })),
      [],
    );
    if (!trace) throw new Error("no trace");
    const rows = await rowsOf({ frames: namedFrames(), trace, topology, locations: [] } as unknown as DataSet, trace);
    const query = { rows: [0], fromSeconds: 0, toSeconds: 99, pixelSeconds: 0.01, mostColumns: 30 };
    const { columns, stepSeconds, most } = await counterBands(trace, rows, query, quietTask);
    expect({ columns, stepSeconds }).toEqual({ columns: 25, stepSeconds: 4 });
    expect(most[24]).toBe(99);
    await expect(counterBands(trace, rows, { ...query, rows: [7] }, quietTask)).rejects.toThrow(/no counter number 7/);
  });
});

const KINDS: Readonly<Record<string, string>> = { MPI_Wait: "communication", memcpy: "data movement" };

const KIND_OF_ROW: Readonly<Record<string, string>> = {
  "lanes computing": "computing",
  "ranks in MPI": "communication",
  "bytes sent, not yet received": "data movement",
  "transfers under way": "data movement",
};

async function toldDataSet(told: readonly Told[]): Promise<DataSet & { trace: Trace }> {
  const ranks = told.map(({ rank }) => rank).sort((a, b) => a - b);
  const parts = [];
  for (const one of told) {
    const builder = new TraceBuilder(memoryColumnFiles);
    await tell(one, builder);
    parts.push({ builder, frameOf, locationOf: Int32Array.of(ranks.indexOf(one.rank)) });
  }
  const { trace, topology } = await finishTrace(parts, {}, quietTask);
  const location = { run: 0, node: -1, thread: -1, device: -1, stream: -1 };
  const locations = ranks.map((rank) => ({ ...location, rank }));
  return { frames: namedFrames(), trace, topology, locations } as unknown as DataSet & { trace: Trace };
}

describe("what follows from events, messages and transfers", () => {
  it("is what counts at each moment, of the chosen ranks alone", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.boolean(), look, async (told, isRestricted, [one, other, exponent]) => {
        const dataSet = await toldDataSet(told);
        const { trace } = dataSet;
        const left = isRestricted ? [told[0].rank] : told.map(({ rank }) => rank);
        const chosen = isRestricted ? chosenRanks(left) : undefined;
        const rows = await rowsOf(dataSet, trace, chosen);
        const naive = naiveTrace(told);
        const isLeft = (rank: number) => left.includes(rank);
        const lanes = naive.lanes.filter(({ rank, kind }) => isLeft(rank) && kind === "intervals");
        const kindAt = ({ frame }: { frame: number }) => KINDS[FRAME_NAMES[frame]] ?? "computing";
        const of = (kind: string) =>
          lanes.map(({ rank, events }) => ({
            rank,
            parts: stretches(events).filter(({ event }) => kindAt(event) === kind),
          }));
        // A rank counts once, however many of its lanes communicate.
        const inMpi = left.flatMap((rank) => {
          const own = of("communication").flatMap((lane) => (lane.rank === rank ? lane.parts : []));
          const edges = [...new Set(own.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
          return edges
            .slice(1)
            .flatMap((end, at) =>
              own.some((part) => part.start <= edges[at] && part.end >= end)
                ? [{ start: edges[at], end, amount: 1 }]
                : [],
            );
        });
        const expected: Record<string, { start: number; end: number; amount: number }[]> = {
          "lanes computing": of("computing").flatMap(({ parts }) => parts.map((part) => ({ ...part, amount: 1 }))),
          "ranks in MPI": inMpi,
          "bytes sent, not yet received": naive.messages.flatMap(({ kind, from, sent, received, bytes }) =>
            kind === 0 && received > sent && bytes > 0 && isLeft(from)
              ? [{ start: sent, end: received, amount: bytes }]
              : [],
          ),
          "transfers under way": naive.transfers.flatMap(({ lane, start, end, bytes }) =>
            end > start && isLeft(naive.lanes[lane].rank) ? [{ start, end, amount: bytes / (end - start) }] : [],
          ),
        };
        const [from, to] = windowIn(trace, one, other);
        for (const [row, { fact, levels }] of rows.entries()) {
          if (fact.shows !== "derived") {
            expect(fact.isLeft).toBe(
              isLeft(Number(/\d+/.exec(dataSet.topology?.resources[fact.resource].name ?? "")?.[0])),
            );
            continue;
          }
          expect(fact.kind).toBe(KIND_OF_ROW[fact.name]);
          const { startSeconds, endSeconds } = trace;
          // What ends with the run is no value of it.
          const steps = sumSteps(expected[fact.name], startSeconds).filter(
            ({ seconds }) => seconds < endSeconds || endSeconds === startSeconds,
          );
          const held = steps.filter(({ seconds }, at) => (steps.at(at + 1)?.seconds ?? endSeconds) > seconds);
          if (held.length > 0) {
            const [least, most] = [Math.min, Math.max].map((of) => of(...held.map(({ value }) => value)));
            expect(near(levels.whole.least, least)).toBe(true);
            expect(near(levels.whole.most, most)).toBe(true);
          }
          expect(near(levels.whole.most, Math.max(...steps.map(({ value }) => value)))).toBe(true);
          const sums = await counterSums(trace, rows, { fromSeconds: from, toSeconds: to }, quietTask);
          if (to > from) expect(near(sums.mean[row], naiveSums(steps, from, to, trace.endSeconds).mean)).toBe(true);
          // Rates are no whole numbers, and are added up in another order.
          if (to > from && fact.name !== "transfers under way")
            await expectRow(trace, rows, row, steps, [from, to], 2 ** exponent);
        }
        const named = rows.flatMap(({ fact }) => (fact.shows === "derived" ? [fact.name] : []));
        for (const [name, intervals] of Object.entries(expected))
          if (intervals.length > 0) expect(named).toContain(name);
        // Of sizes that nobody recorded there is no row of 0 B.
        if (!naive.messages.some(({ kind, bytes }) => kind === 0 && bytes > 0))
          expect(named).not.toContain("bytes sent, not yet received");
        await trace.close();
      }),
      { numRuns: casesOf(300) },
    );
  });
});
