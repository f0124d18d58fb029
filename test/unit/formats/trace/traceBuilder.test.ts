import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import type { TraceConsumer } from "../../../../src/formats/trace/traceSink";
import type { ColumnFile, ColumnFiles } from "../../../../src/model/columnFile";
import { CancelledError } from "../../../../src/model/errors";
import { quietTask, taskOf } from "../../../../src/model/task";
import type { LaneLevel, Trace } from "../../../../src/model/trace";
import { plainTrace } from "../plainTrace";
import { casesOf } from "../../randomCases";
import { innermost, naiveTrace } from "./naiveTrace";
import { frameOf, tell, type Told, toldFiles } from "./tellings";
import { finishParts, finishTrace } from "../../../../src/formats/trace/finishTrace";

/** Column files that count themselves, with so little memory that nearly everything is written out. */
function countedFiles(memoryBytes: number): ColumnFiles & { open: number; written: number } {
  const files = {
    memoryBytes,
    open: 0,
    written: 0,
    async create(): Promise<ColumnFile> {
      const file = await memoryColumnFiles.create();
      files.open++;
      return {
        get size() {
          return file.size;
        },
        append: async (bytes) => {
          // A disk takes its time: rows may change while they are being written.
          await new Promise((resolve) => setImmediate(resolve));
          files.written += bytes.length;
          return file.append(bytes);
        },
        write: (bytes, position) => file.write(bytes, position),
        read: (target, position) => file.read(target, position),
        close: async () => {
          files.open--;
          await file.close();
        },
      };
    },
  };
  return files;
}

async function traceOf(told: readonly Told[], files: ColumnFiles) {
  return finishTrace(await partsOf(told, files), {}, quietTask);
}

async function partsOf(told: readonly Told[], files: ColumnFiles | undefined, consumers: TraceConsumer[] = []) {
  const parts = [];
  for (const one of told) {
    const builder = new TraceBuilder(files, consumers);
    await tell(one, builder);
    // The data set's locations are the ranks in ascending order.
    const location = [...told]
      .map(({ rank }) => rank)
      .sort()
      .indexOf(one.rank);
    parts.push({ builder, frameOf, locationOf: Int32Array.of(location) });
  }
  return parts;
}

/** Notes what it hears. */
function listener(): { heard: unknown[]; consumer: TraceConsumer } {
  const heard: unknown[] = [];
  const note =
    (kind: string) =>
    (...told: unknown[]) => {
      heard.push([kind, ...told]);
    };
  return {
    heard,
    consumer: {
      lane: note("lane"),
      begin: note("begin"),
      end: note("end"),
      event: note("event"),
      message: note("message"),
      point: note("point"),
      transfer: note("transfer"),
    },
  };
}

const runs = { numRuns: casesOf(1000) };

describe("a trace put together", () => {
  it("holds what was reported, in the order of its definition, in little memory as in much", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.constantFrom(0, 1000, 20_000, undefined), async (told, memoryBytes) => {
        const { trace, topology, warnings } = await traceOf(
          told,
          memoryBytes === undefined ? memoryColumnFiles : countedFiles(memoryBytes),
        );
        const expected = naiveTrace(told, (rank) =>
          topology.resources.findIndex(({ name }) => name === `rank ${rank}`),
        );
        const rankOf = (resource: number) => Number(topology.resources[resource].name.slice("rank ".length));
        const plain = (await plainTrace(trace)) as PlainTrace;
        expect(warnings).toEqual([]);
        expect([trace.startSeconds, trace.endSeconds]).toEqual([expected.start, expected.end]);
        expect(trace.categories.map(({ name }) => name)).toEqual(expected.categories);
        expect(trace.transferDirections).toEqual(expected.directions);
        expect(trace.lanes.map(({ name, kind, resource }) => ({ name, kind, rank: rankOf(resource) }))).toEqual(
          expected.lanes.map(({ name, kind, rank }) => ({ name, kind, rank })),
        );
        expect(plain.lanes.map(({ rows }) => rows)).toEqual(
          expected.lanes.map(({ events }) =>
            events.map(({ start, end, ...event }) => ({ startSeconds: start, endSeconds: end, ...event })),
          ),
        );
        expect(plain.messages).toEqual(
          expected.messages.map(({ sent, received, ...message }) => ({
            ...message,
            sentSeconds: sent,
            receivedSeconds: received,
          })),
        );
        expect(plain.transfers).toMatchObject(
          expected.transfers.map(({ start, end, ...transfer }) => ({
            ...transfer,
            startSeconds: start,
            endSeconds: end,
          })),
        );
        expect(trace.counters.map(({ name, resource }) => ({ name, rank: rankOf(resource) }))).toEqual(
          expected.points.map(({ name, rank }) => ({ name, rank })),
        );
        expect(plain.points).toEqual(expected.points.map(({ values }) => values));
        expected.points.forEach(({ values }, counter) => {
          const numbers = values.map(({ value }) => value);
          expect(trace.counters[counter]).toMatchObject({
            points: numbers.length,
            minimum: Math.min(...numbers),
            maximum: Math.max(...numbers),
          });
        });
        await trace.close();
      }),
      runs,
    );
  });

  it("counts each moment once, for the innermost event", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, async (told) => {
        const { trace } = await traceOf(told, countedFiles(0));
        const byCategory = trace.categories.map(() => 0);
        naiveTrace(told).lanes.forEach(({ events }, lane) => {
          const byState = new Map<string, number>();
          // All times are quarters of a second: between two of them nothing starts or ends.
          for (let at = 0.125; at < 20; at += 0.25) {
            const event = innermost(events, at);
            if (!event) continue;
            const state = `${event.frame} ${event.category}`;
            byState.set(state, (byState.get(state) ?? 0) + 0.25);
            byCategory[event.category] += 0.25;
          }
          const { state, seconds } = trace.stateSeconds(lane);
          expect(seconds).toEqual(seconds.slice().sort().reverse());
          expect(new Map([...state].map((one, at) => [stateName(trace, one), seconds[at]]))).toEqual(byState);
          const covered = [...byState.values()].reduce((sum, some) => sum + some, 0);
          expect(trace.lanes[lane].coveredSeconds).toBe(covered);
          for (const binSeconds of [0, 0.1, 1, 100]) {
            const level = trace.level(lane, binSeconds);
            expect(level === undefined).toBe(events.length === 0);
            if (level) expectShared(trace, level, events);
          }
        });
        expect(trace.categoryUse.map(({ seconds }) => seconds)).toEqual(byCategory);
      }),
      runs,
    );
  });

  it("finds the first event from a time on, or still running then", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, async (told) => {
        const { trace } = await traceOf(told, countedFiles(1000));
        for (const [lane, { events }] of naiveTrace(told).lanes.entries())
          for (let at = -0.25; at < 10; at += 0.25) {
            const first = events.findIndex(({ start }) => start >= at);
            const running = events.findIndex(({ start, end }) => start >= at || end > at);
            expect(await trace.eventAt(lane, at)).toBe(first < 0 ? events.length : first);
            expect(await trace.eventAt(lane, at, true)).toBe(running < 0 ? events.length : running);
          }
      }),
      runs,
    );
  });

  it("is the same whatever the order of files", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.nat(), async (told, turn) => {
        const others = [...told.slice(turn % told.length), ...told.slice(0, turn % told.length)].reverse();
        const [one, other] = [await traceOf(told, memoryColumnFiles), await traceOf(others, countedFiles(500))];
        expect(other.topology).toEqual(one.topology);
        expect(await plainTrace(other.trace)).toEqual(await plainTrace(one.trace));
      }),
      runs,
    );
  });

  it("says the same of itself counted while it is read and looked up in its columns", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, async (told) => {
        const counted = await finishParts(await partsOf(told, undefined), {}, quietTask);
        const kept = await finishParts(await partsOf(told, memoryColumnFiles), {}, quietTask);
        expect(counted.trace).toBeUndefined();
        expect(counted.outline).toEqual(kept.outline);
        expect(counted.topology).toEqual(kept.topology);
        expect(counted.warnings).toEqual(kept.warnings);
        const naive = naiveTrace(told, (rank) => rank);
        expect(counted.outline.events).toBe(naive.lanes.reduce((sum, { events }) => sum + events.length, 0));
        const recorded = naive.lanes.filter(({ events }) => events.length > 0);
        const areInstants = recorded.length > 0 && recorded.every(({ kind }) => kind === "instants");
        expect(counted.outline.instantsOnly).toBe(areInstants || undefined);
      }),
      runs,
    );
  });

  it("is the same to any number of consumers: the same events in the same order, with and without columns", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, async (told) => {
        const listeners = [listener(), listener(), listener(), listener()];
        const [alone, ...together] = listeners;
        await partsOf(told, undefined, [alone.consumer]);
        await partsOf(
          told,
          memoryColumnFiles,
          together.map(({ consumer }) => consumer),
        );
        for (const { heard } of together) expect(heard).toEqual(alone.heard);
      }),
      runs,
    );
  });

  it("leaves no file behind, closed or cancelled at any point", async () => {
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.nat(40), async (told, asked) => {
        const files = countedFiles(0);
        const { trace } = await traceOf(told, files);
        await trace.close();
        expect(files.open).toBe(0);
        const builders = told.map(() => new TraceBuilder(files));
        for (const [at, one] of told.entries()) await tell(one, builders[at]);
        let left = asked;
        const task = taskOf(
          () => left-- <= 0,
          () => undefined,
        );
        const finished = finishTrace(
          builders.map((builder) => ({ builder, frameOf })),
          {},
          task,
        );
        const problem = await finished.then(
          ({ trace: finishedTrace }) => finishedTrace.close(),
          (reason: unknown) => reason,
        );
        if (problem !== undefined) expect(problem).toBeInstanceOf(CancelledError);
        expect(files.open).toBe(0);
      }),
      runs,
    );
  });
});

interface PlainTrace {
  lanes: { rows: unknown[] }[];
  messages: unknown[];
  transfers: unknown[];
  points: unknown[];
}

function stateName({ states: { frame, category } }: Trace, state: number): string {
  return `${frame[state]} ${category[state]}`;
}

/** A level's cells are the innermost time of its bins, by state. */
function expectShared(
  trace: Trace,
  { startSeconds, binSeconds, bins, rowStart, state, seconds }: LaneLevel,
  events: Parameters<typeof innermost>[0],
): void {
  const shared = new Map<string, number>();
  for (let at = 0; at < 20; at += 0.25) {
    const event = innermost(events, at + 0.125);
    if (!event) continue;
    for (let bin = 0; bin < bins; bin++) {
      const from = Math.max(at, startSeconds + bin * binSeconds);
      const to = Math.min(at + 0.25, startSeconds + (bin + 1) * binSeconds);
      const key = `${bin} ${event.frame} ${event.category}`;
      if (to > from + 1e-12) shared.set(key, (shared.get(key) ?? 0) + to - from);
    }
  }
  const found = new Map<string, number>();
  for (let bin = 0; bin < bins; bin++)
    for (let cell = rowStart[bin]; cell < rowStart[bin + 1]; cell++)
      if (seconds[cell] > 1e-12) found.set(`${bin} ${stateName(trace, state[cell])}`, seconds[cell]);
  expect([...found.keys()].sort()).toEqual([...shared.keys()].sort());
  for (const [key, value] of shared) expect(found.get(key)).toBeCloseTo(value, 10);
}
