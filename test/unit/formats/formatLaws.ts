import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ByteSource, memorySource } from "../../../src/formats/byteSource";
import { memoryColumnFiles } from "../../../src/formats/memoryColumns";
import { columnMemory } from "../../../src/formats/trace/blocks";
import type { Format, ReadContext } from "../../../src/formats/format";
import { FirstReading } from "../../../src/formats/laterTrace";
import type { DataSet } from "../../../src/model/dataSet";
import { CancelledError, FormatError } from "../../../src/model/errors";
import { quietTask, type Task, taskOf } from "../../../src/model/task";
import { isFull, mutations, places } from "../randomCases";
import { plainDataSet } from "./plainDataSet";
import { plainTrace } from "./plainTrace";

const FOLDER = "/test";

/** A whole recording in memory: its files by name. The first file is the one that a user opens. */
export type Fixture = Readonly<Record<string, Uint8Array | string>>;

export interface ReadOptions {
  readonly pieceBytes?: number;
  readonly task?: Task;
  readonly hierarchy?: ReadContext["hierarchy"];
  readonly answer?: string;
  readonly columnFiles?: ReadContext["columnFiles"];
  readonly outlineOnly?: boolean;
  /** When a file was written, as it is opened. */
  readonly modifiedAt?: () => number;
  /** Files that are opened, by name; default: the first one. */
  readonly open?: readonly string[];
}

/** Reads a recording from memory, as the registry would from a folder. */
export async function readFixture(format: Format, fixture: Fixture, options: ReadOptions = {}): Promise<DataSet[]> {
  const { files, context, task } = opening(fixture, options);
  return format.read(files, context, task);
}

/** As {@link readFixture}; columns of events are made when they are asked for. */
async function readOutlines(format: Format, fixture: Fixture, options: ReadOptions = {}): Promise<DataSet[]> {
  const { files, context, task } = opening(fixture, { ...options, outlineOnly: true });
  return new FirstReading(format, files, context, (_, use) => use(context)).dataSets(task);
}

function opening(fixture: Fixture, options: ReadOptions) {
  const names = Object.keys(fixture);
  const task = options.task ?? quietTask;
  const source = (file: string): ByteSource => {
    const content = fixture[path.basename(file)];
    if (path.dirname(file) !== FOLDER || content === undefined)
      throw new FormatError({
        file,
        found: "no such file",
        expected: "a file that can be read",
        advice: "Look for it.",
      });
    return { ...memorySource(content, file), pieceBytes: options.pieceBytes, modifiedAt: options.modifiedAt?.() };
  };
  const opened = (options.open ?? names.slice(0, 1)).map((name) => ({
    file: path.join(FOLDER, name),
    named: true,
    siblings: new Set([...names].sort()),
  }));
  const context: ReadContext = {
    hierarchy: options.hierarchy ?? "combined",
    columnFiles: options.columnFiles ?? memoryColumnFiles,
    outlineOnly: options.outlineOnly,
    answer: options.answer,
    head: async (file) => headOf(fixture[path.basename(file)]),
    open: async (file) => source(file),
    attempt: (_, read) => read(),
    part: () => task,
  };
  return { files: opened, context, task };
}

function headOf(content: Uint8Array | string) {
  const bytes = Buffer.from(content as string);
  return { bytes: bytes.subarray(0, 64 << 10), whole: bytes.length <= 64 << 10 };
}

/**
 * What holds for every format: see CONTRIBUTING.
 *
 * @param fixtures whole small recordings of the format, by what they are
 * @param varied names of files to cut and damage; default: the first of each fixture
 * @param share of the damaged inputs that the format is to have, where its laws are tested on fixtures in several places
 */
export function formatLaws(
  format: Format,
  fixtures: Readonly<Record<string, Fixture>>,
  varied?: readonly string[],
  share = 1,
): void {
  const ofEach = (fixture: Fixture) =>
    Object.keys(fixture).filter((name, index) => (varied ? varied.includes(name) : index === 0));
  const tests = sum(Object.values(fixtures).map((fixture) => ofEach(fixture).length));
  const damaged = mutations(share / tests);
  describe.each(Object.entries(fixtures))("laws of all formats, on %s", (_, fixture) => {
    const names = ofEach(fixture);

    it("is recognized by its content", () => {
      expect(format.recognizes(headOf(Object.values(fixture)[0]))).toBe(true);
    });

    it("gives the same data sets in pieces of any size", async () => {
      const whole = await plain(await readFixture(format, fixture));
      expect(whole.length).toBeGreaterThan(0);
      for (const pieceBytes of [1, 7, 4096])
        expect(await plain(await readFixture(format, fixture, { pieceBytes }))).toEqual(whole);
    });

    it("has the same profile and counts before its columns are there, and the same columns when they are asked for", async () => {
      const whole = await readFixture(format, fixture);
      const early = await readOutlines(format, fixture);
      expect(await plain(early.map(withoutTrace))).toEqual(await plain(whole.map(withoutTrace)));
      expect(early.map(({ outline }) => outline)).toEqual(whole.map(({ outline }) => outline));
      const traced = await Promise.all(
        early.map(async (one) => ({
          ...one,
          trace: one.trace ?? (await one.readTrace?.(memoryColumnFiles, quietTask)),
        })),
      );
      expect(await plain(traced)).toEqual(await plain(whole));
    });

    it("says that a file has changed, where its columns are asked for later", async () => {
      let modifiedAt = 1;
      const columnFiles = { ...memoryColumnFiles };
      const early = await readOutlines(format, fixture, { modifiedAt: () => modifiedAt });
      modifiedAt = 2;
      for (const { readTrace } of early) {
        if (readTrace === undefined) continue;
        const problem = await readTrace(columnFiles, quietTask).catch((reason: unknown) => reason);
        expect(problem).toBeInstanceOf(FormatError);
        expect((problem as Error).message).toContain("has changed since");
      }
      expect(columnMemory(columnFiles).resident).toBe(0);
    });

    it.each(names)("%s cut anywhere, opens with a warning or says what is wrong", async (name) => {
      const bytes = Buffer.from(fixture[name] as string);
      const whole = await readFixture(format, fixture);
      for (const length of cuts(bytes.length)) {
        const result = await outcome(format, { ...fixture, [name]: bytes.subarray(0, length) });
        if (result instanceof FormatError) continue;
        expect(sum(result.map(({ records }) => records))).toBeLessThanOrEqual(sum(whole.map(({ records }) => records)));
        // What follows a complete recording (white space after JSON's last bracket) may be cut off unnoticed.
        if (bytes.subarray(length).toString().trim() !== "" && !(await sameNumbers(result, whole)))
          expect(
            result.flatMap(({ warnings }) => warnings),
            `cut at ${length}`,
          ).not.toEqual([]);
      }
    });

    it.each(names)(
      "%s changed anywhere, opens or says what is wrong",
      async (name) => {
        const bytes = Buffer.from(fixture[name] as string);
        const change = fc.record({
          at: fc.nat(Math.max(0, bytes.length - 1)),
          kind: fc.constantFrom("replace", "insert", "remove"),
          byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('0123456789,=\\\n\r"{}[]:-.einf<>/%#*+()'))),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
            const input = { ...fixture, [name]: applied(bytes, changes) };
            const [result, inPieces] = [await outcome(format, input), await outcome(format, input, 7)];
            if (result instanceof FormatError) expect(inPieces).toBeInstanceOf(FormatError);
            else expect(await plain(inPieces as DataSet[])).toEqual(await plain(result));
            for (const read of [result, inPieces])
              if (!(read instanceof FormatError)) await Promise.all(read.map(({ trace }) => trace?.close()));
          }),
          { numRuns: damaged.count },
        );
      },
      damaged.milliseconds,
    );

    it("stops half way when it is cancelled, and says so", async () => {
      const size = sum(Object.values(fixture).map((content) => Buffer.from(content as string).length));
      let asked = 0;
      const count = taskOf(
        () => (asked++, false),
        () => undefined,
      );
      await readFixture(format, fixture, { pieceBytes: 7, task: count });
      expect(asked, `of ${size} bytes`).toBeGreaterThan(1);
      let left = Math.floor(asked / 2);
      const task = taskOf(
        () => left-- <= 0,
        () => undefined,
      );
      await expect(readFixture(format, fixture, { pieceBytes: 7, task })).rejects.toBeInstanceOf(CancelledError);
    });

    it("gives all memory of traces back, cancelled early, late or at the last moment", async () => {
      const residentAfter = async (most: number) => {
        let asked = 0;
        const columnFiles = { ...memoryColumnFiles };
        const task = taskOf(
          () => asked++ >= most,
          () => undefined,
        );
        const read = readFixture(format, fixture, { columnFiles, task });
        if (most === Infinity) await Promise.all((await read).map(({ trace }) => trace?.close()));
        else await expect(read).rejects.toBeInstanceOf(CancelledError);
        return { asked, resident: columnMemory(columnFiles).resident };
      };
      const { asked, resident } = await residentAfter(Infinity);
      expect(resident).toBe(0);
      const places = Array.from({ length: 20 }, (_, at) => Math.floor((at * asked) / 20));
      for (const most of [...places, ...[3, 2, 1].map((left) => Math.max(0, asked - left))])
        expect(await residentAfter(most), `after ${most} of ${asked}`).toMatchObject({ resident: 0 });
    });
  });
}

function withoutTrace(dataSet: DataSet): DataSet {
  return { ...dataSet, trace: undefined };
}

/** Every place of small files, 1,000 of larger ones; in a short run at most 50, which are others each time. */
function cuts(length: number): number[] {
  const most = length <= 64 << 10 ? length : 1000;
  return places(length, isFull ? most : Math.min(most, 50));
}

function applied(bytes: Buffer, changes: readonly { at: number; kind: string; byte: number }[]): Buffer {
  let damaged = bytes;
  for (const { at, kind, byte } of changes) {
    const place = Math.min(at, damaged.length);
    const rest = damaged.subarray(kind === "insert" ? place : place + 1);
    damaged = Buffer.concat([damaged.subarray(0, place), Buffer.from(kind === "remove" ? [] : [byte]), rest]);
  }
  return damaged;
}

/** Data sets, traces included, as plain values. */
export async function plain(dataSets: readonly DataSet[]): Promise<unknown[]> {
  return Promise.all(
    dataSets.map(async (dataSet) => ({
      ...plainDataSet(dataSet),
      warnings: dataSet.warnings,
      topology: dataSet.topology,
      series: dataSet.series,
      callGraph: dataSet.callGraph,
      trace: dataSet.trace && (await plainTrace(dataSet.trace)),
    })),
  );
}

async function sameNumbers(some: readonly DataSet[], others: readonly DataSet[]): Promise<boolean> {
  const [a, b] = [await plain(some), await plain(others)];
  return JSON.stringify(a, asText) === JSON.stringify(b, asText);
}

function asText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value instanceof Map ? [...value] : value;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The data sets, or the error that says what is wrong; anything else is a fault of the reader. */
async function outcome(format: Format, fixture: Fixture, pieceBytes?: number): Promise<DataSet[] | FormatError> {
  try {
    return await readFixture(format, fixture, { pieceBytes });
  } catch (problem) {
    if (problem instanceof FormatError) return problem;
    throw problem;
  }
}
