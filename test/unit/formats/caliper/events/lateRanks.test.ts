/** Processes that begin before `MPI_Init` says which rank they have, in runs of which some ranks have no file. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { summaryPlaces } from "../../../../../src/engine/traces/summaryPlaces";
import { caliper } from "../../../../../src/formats/caliper/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { memoryColumnFiles } from "../../../../../src/formats/memoryColumns";
import { attribute } from "../caliFixtures";
import { CaliWriter, channel, durationNs, rank as rankAttribute, region, worldSize } from "../caliWriter";
import { plain, readFixture, type ReadOptions } from "../../formatLaws";
import { eventRows } from "../traceRows";
import { makeFile, type RandomProgram, randomProgram, rearranged, textOf } from "../randomProgram";

/** The run of ranks 0 and 3 of four. @param isLate the first records of each thread have no rank */
async function run(
  programs: readonly RandomProgram[],
  isLate: boolean,
  options?: ReadOptions,
  order = (records: readonly string[]) => [...records],
): Promise<DataSet[]> {
  const files = programs.map(({ threads, hasLengths }, at): [string, string] => {
    const file = makeFile({ rank: 3 * at, threads, hasLengths }, isLate);
    return [`${at}.cali`, textOf(file, order(file.records))];
  });
  return readFixture(caliper, Object.fromEntries(files), { ...options, open: files.map(([name]) => name) });
}

it("give the run that they give if each record has its rank", async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(randomProgram(), randomProgram()), async (programs) => {
      const [dataSet, ...others] = await run(programs, true);
      expect(others).toEqual([]);
      expect(dataSet.warnings.map(({ message }) => message)).toContain("files of 2 of 4 ranks are missing: 1–2");
      const { trace } = dataSet;
      if (trace === undefined) throw new Error("no trace");
      expect(trace.lanes.filter(({ name }) => name.startsWith("process"))).toEqual([]);
      const { mainLanes } = summaryPlaces(dataSet, trace, undefined);
      expect(mainLanes.length).toBeLessThanOrEqual(2);
      expect(await plain([dataSet])).toEqual(await plain(await run(programs, false)));
    }),
  );
});

const cuts = fc.array(fc.nat(200), { maxLength: 8 });
const keys = fc.array(fc.double({ noNaN: true, min: 0, max: 1 }), { minLength: 9, maxLength: 9 });
const memory = fc.constantFrom(1, 700, 2000);
const two = fc.tuple(randomProgram(), randomProgram());

it("give the same run where only few records can be held", async () => {
  await fc.assert(
    fc.asyncProperty(two, cuts, keys, memory, async (programs, places, order, memoryBytes) => {
      const columnFiles = { ...memoryColumnFiles, memoryBytes };
      const late = await run(programs, true, { columnFiles, pieceBytes: 500 }, (records) =>
        rearranged(records, places, order),
      );
      expect(await plain(late)).toEqual(await plain(await run(programs, false)));
    }),
  );
});

it("give the same run as a stream of threads of several processes", async () => {
  await fc.assert(
    fc.asyncProperty(two, cuts, keys, memory, async (programs, places, order, memoryBytes) => {
      const stream = (isLate: boolean, options?: ReadOptions) => {
        const files = programs.map(({ threads, hasLengths }, rank) => {
          const numbered = threads.map((one, at) => ({ ...one, thread: 10 * rank + at }));
          return makeFile({ rank, threads: numbered, hasLengths }, isLate, 1000n + 100_000n * BigInt(rank));
        });
        const records = rearranged(
          files.flatMap((file) => file.records),
          places,
          order,
        );
        const [{ globals }] = files;
        const text = textOf({ ...files[0], nodes: files.flatMap(({ nodes }) => nodes), globals }, records);
        return readFixture(caliper, { "one.cali": text }, options);
      };
      const columnFiles = { ...memoryColumnFiles, memoryBytes };
      const late = await stream(true, { columnFiles, pieceBytes: 500 });
      expect(await plain(late)).toEqual(await plain(await stream(false)));
    }),
  );
});

const offset = attribute("time.offset.ns", "uint", 85, { "time.unit": "nsec" });
const pthread = attribute("pthread.id", "uint", 85);
const phase = attribute("event.set#phase", "int", 85);
/** More than are held. */
const LATE_RECORDS = 100_000;

interface Thread {
  readonly rank: number;
  readonly thread?: number;
  readonly late: number;
  /** Nanoseconds of the first record. */
  readonly from: number;
}

/** Lines of one thread, which opens `main`, calls `f` until so many records have no rank, and then as often with a rank. */
function linesOf(out: CaliWriter, { rank, thread, late, from }: Thread, isLate: boolean): string[] {
  const event = (phaseOf: "begin" | "end", name: string) =>
    [attribute(`event.${phaseOf}#region`, "string", 84), name] as const;
  const main = [region, "main"] as const;
  const shapes = [
    [[event("begin", "main")]],
    [[main, event("begin", "f")]],
    [[main, [region, "f"] as const, event("end", "f")]],
    [[main, event("end", "main")]],
    [[main]],
  ];
  const template = (shape: number, isRanked: boolean) => {
    out.snapshot(shapes[shape], [
      ...(isRanked ? [[rankAttribute, rank] as const] : []),
      ...(thread === undefined ? [] : [[pthread, thread] as const]),
      ...(shape === 4 ? [[phase, 7] as const] : []),
      [offset, "OFFSET"],
      [durationNs, 5],
    ]);
    return out.lines.pop() ?? "";
  };
  const templates = [false, true].map((isRanked) => shapes.map((_, shape) => template(shape, isRanked)));
  const count = late + 1002;
  return Array.from({ length: count }, (_, at) => {
    const shape = at === 0 ? 0 : at === count - 1 ? 3 : at % 1000 === 999 ? 4 : (at % 1000) % 2 === 1 ? 1 : 2;
    return templates[isLate && at < late ? 0 : 1][shape].replace("OFFSET", `${from + 5 * at}`);
  });
}

async function readThreads(threads: readonly Thread[], isLate: boolean, isReversed = false): Promise<DataSet[]> {
  const out = new CaliWriter(1000n, 3n);
  const blocks = threads.map((thread) => linesOf(out, thread, isLate));
  const parts = blocks.flatMap((lines, at) => [lines.slice(0, threads[at].late), lines.slice(threads[at].late)]);
  const nodes = out.lines.splice(0);
  out.globals([
    [worldSize, String(new Set(threads.map(({ rank }) => rank)).size)],
    [channel, "event-trace"],
  ]);
  const lines = [nodes, ...(isReversed ? parts.reverse() : parts), out.lines].flat();
  return readFixture(caliper, { "one.cali": lines.map((line) => `${line}\n`).join("") });
}

const processes: readonly (readonly [string, readonly Thread[]])[] = [
  ["one process", [{ rank: 2, late: LATE_RECORDS, from: 0 }]],
  [
    "a stream of threads of several processes",
    [
      { rank: 0, thread: 4, late: LATE_RECORDS, from: 0 },
      { rank: 1, thread: 5, late: LATE_RECORDS, from: 1000 },
      { rank: 1, thread: 6, late: 10, from: 1003 },
    ],
  ],
];

it.each(processes)(
  "give %s no lane of its own before its rank, however many records come first",
  async (_, threads) => {
    const [late, ...others] = await readThreads(threads, true);
    expect(others).toEqual([]);
    expect(late.trace?.lanes.filter(({ name }) => name.startsWith("process"))).toEqual([]);
    expect(late.topology?.resources.filter(({ name }) => name === "process")).toEqual([]);
    const ranked = await plain(await readThreads(threads, false));
    expect(await plain([late])).toEqual(ranked);
  },
);

it("belong to their rank if the process's last block comes first", async () => {
  const [, [, threads]] = processes;
  const ranked = await plain(await readThreads(threads, false));
  expect(await plain(await readThreads(threads, true, true))).toEqual(ranked);
});

it("have the events of the rank that follows if processes of one stream have no threads", async () => {
  const threads: readonly Thread[] = [
    { rank: 0, late: LATE_RECORDS, from: 0 },
    { rank: 1, late: LATE_RECORDS, from: 10 },
    { rank: 2, late: 100, from: 10 },
  ];
  const [late] = await readThreads(threads, true);
  const [ranked] = await readThreads(threads, false);
  expect(await eventRows(late)).toEqual(await eventRows(ranked));
});
