import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import zlib from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { foldedModel } from "../../../../src/engine/overview/fold";
import type { OverviewMetric, OverviewQuery } from "../../../../src/engine/overview/overviewApi";
import { passModel } from "../../../../src/engine/overview/passModel";
import { traceModel } from "../../../../src/engine/overview/traceModel";
import { UnendedCells } from "../../../../src/engine/overview/unendedCells";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { traceOf } from "../../../../src/engine/traces/timeline";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { readPiped } from "../../../../src/formats/piped";
import { openRecordings } from "../../../../src/formats/registry";
import { quietTask } from "../../../../src/model/task";
import { type Step, steps, textOf } from "../../formats/paje/randomSteps";
import { headOf, smallTrace } from "../../formats/paje/writer";
import { casesOf } from "../../randomCases";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-pass-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));
let written = 0;

const query = (slices: number, more: Partial<OverviewQuery> = {}): OverviewQuery => ({
  dataSet: 0,
  kind: "spatiotemporal",
  normalize: false,
  hierarchy: { kind: "recorded" },
  metric: "duration",
  slices,
  ...more,
});

/** The same of the columns, of a second pass, and of a pipe. */
async function models(text: string, asked: OverviewQuery) {
  const file = path.join(folder, `${written++}.trace`);
  fs.writeFileSync(file, text);
  const [dataSet] = await openRecordings([file], { outlineOnly: true }, quietTask);
  const trace = await dataSet.readTrace?.(memoryColumnFiles, quietTask);
  const whole = { ...dataSet, trace };
  const columns = await traceModel(whole, traceOf(whole), eventStates(whole, traceOf(whole)), asked, quietTask);
  const read = dataSet.readInnermost ?? expect.fail("no pass");
  const pass = await passModel(read, asked, dataSet.outline, quietTask);
  const packed = Readable.from([zlib.gzipSync(text)]);
  const piped = await passModel((...told) => readPiped(packed, ...told), asked, undefined, quietTask);
  await trace?.close();
  return { columns, pass, piped };
}

/** Which value each rank is in, eighth by eighth, and when states begin: as plain as can be. */
function naive(all: readonly Step[]) {
  const stacks: string[][] = [[], [], []];
  const rows: (string | undefined)[][] = [[], [], []];
  const begun: { rank: number; value: string; eighth: number }[] = [];
  let now = 0;
  for (const { rank, eighths, does, value } of all) {
    for (let at = 0; at < eighths; at++, now++) rows.forEach((row, one) => row.push(stacks[one].at(-1)));
    const stack = stacks[rank];
    if (does === "set" || does === "reset") stack.length = 0;
    if (does === "set" || does === "push") {
      stack.push(value);
      begun.push({ rank, value, eighth: now });
    }
    if (does === "pop") stack.pop();
  }
  return { rows, begun, eighths: now };
}

describe("a packed trace that comes through a pipe and was cut", () => {
  it.each(["at the checksum", "inside the lines"])("is read as its text is: %s", async (where) => {
    const packed = zlib.gzipSync(smallTrace());
    const cut = packed.subarray(0, where === "at the checksum" ? packed.length - 8 : packed.length >> 1);
    const text = zlib.gunzipSync(cut, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
    const read = async (bytes: Buffer) => {
      const told: unknown[] = [];
      const taker = {
        spend: (...one: unknown[]) => void told.push(one),
        level: (...one: unknown[]) => void told.push(one),
      };
      const trace = await readPiped(Readable.from([bytes]), taker, { withVariables: true }, quietTask);
      return { told, ...trace };
    };
    const [plain, found] = [await read(text), await read(cut)];
    const isKnown = plain.warnings.some(({ isCut }) => isCut);
    const warnings = isKnown
      ? plain.warnings
      : [...plain.warnings, { message: expect.stringContaining("packed data is not whole") as string, isCut: true }];
    expect(found).toEqual({ ...plain, warnings });
  });
});

describe("a model that one pass makes", () => {
  it("is that of the columns and of a plain walk over the lines, whatever ranks do", async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom("duration", "count", "mean"), async (all, metric) => {
        const { rows, begun, eighths } = naive(all);
        if (begun.length === 0 || eighths === 0 || rows.flat().every((one) => one === undefined)) return;
        compared++;
        // Slices are whole eighths.
        const asked = query(eighths, { metric: metric as OverviewMetric });
        const { columns, pass, piped } = await models(textOf(all), asked);
        for (const model of [pass, piped]) {
          // Variables are counters of the columns where they have values.
          const beside = { trace: 0, uncoveredSeconds: 0, variables: 0 };
          expect({ ...model, ...beside }).toEqual({ ...columns, ...beside });
          expect(model.uncoveredSeconds).toBeCloseTo(columns.uncoveredSeconds, 9);
        }
        if (columns.toSeconds !== eighths / 8 || metric !== "duration") return;
        for (let leaf = 0; leaf < pass.leaves; leaf++)
          pass.names.forEach((name, state) => {
            const rank = Number(pass.nodes[leaf].name.slice("rank-".length));
            const first = (leaf * pass.states + state) * pass.slices;
            for (let slice = 0; slice < pass.slices; slice++) {
              expect(pass.amounts[first + slice]).toBe(rows[rank][slice] === name ? 1 / 8 : 0);
              const count = begun.filter((one) => one.rank === rank && one.value === name && one.eighth === slice);
              expect(pass.counts[first + slice]).toBe(count.length);
            }
          });
      }),
      { numRuns: casesOf(400) },
    );
    expect(compared).toBeGreaterThan(0);
  });

  it("is the same wherever the clock of the recording begins", async () => {
    let compared = 0;
    const zeros = fc.constantFrom(1_700_000_000.25, -2, -86_400.5, 3, 0.125);
    const windows = fc.constantFrom({}, { fromSeconds: 0.25, toSeconds: 1.5 });
    await fc.assert(
      fc.asyncProperty(steps, zeros, windows, async (all, zero, window) => {
        const { begun, eighths } = naive(all);
        if (begun.length === 0 || eighths < 3) return;
        const asked = query(4, window);
        const expected = await models(textOf(all), asked).catch((problem: Error) => problem.message);
        const found = await models(textOf(all, zero), asked).catch((problem: Error) => problem.message);
        if (typeof expected === "string" || typeof found === "string") {
          expect(found).toBe(expected);
          return;
        }
        compared++;
        const beside = { trace: 0 };
        for (const kind of ["columns", "pass", "piped"] as const)
          expect({ ...found[kind], ...beside }).toEqual({ ...expected[kind], ...beside });
      }),
      { numRuns: casesOf(200) },
    );
    expect(compared).toBeGreaterThan(0);
  });

  it("begins with the earliest line, also where another one stands before it", async () => {
    const lines = (zero: number) => [
      "0 P 0 Rank",
      "2 S P STATE",
      `6 ${zero + 5} a P 0 a`,
      `11 ${zero + 5} S a x`,
      `11 ${zero + 6} S a y`,
      `7 ${zero + 8} P a`,
      `6 ${zero} b P 0 b`,
      `11 ${zero} S b x`,
      `7 ${zero + 3} P b`,
    ];
    for (const zero of [0, -5, 1e9]) {
      const text = `${headOf()}${lines(zero).join("\n")}\n`;
      const { columns, pass, piped } = await models(text, query(8));
      for (const model of [columns, pass, piped]) {
        expect([model.fromSeconds, model.toSeconds, model.names]).toEqual([0, 8, ["x", "y"]]);
        const [a, b] = [model.values.subarray(0, 16), model.values.subarray(16)];
        expect([...a]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        expect([...b]).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
      }
      // Nothing is kept of a pipe whose end is said: it is too late then.
      await expect(models(text, query(8, { toSeconds: 8 }))).rejects.toThrow("leave out --to");
    }
  });

  it("has variables, weighted by time, and windows", async () => {
    // 10.5 until 1 s, then 13 (2.5 are added), from 1.5 s on 0: 13 are taken off; the machine ends at 2.125 s.
    const asked = query(4, { metric: "variable", variable: "power", fromSeconds: 0.5, toSeconds: 2.5 });
    const { columns, pass, piped } = await models(smallTrace(), asked);
    expect(Array.from(pass.values)).toEqual([10.5, 13, 0, 0]);
    expect(pass.uncoveredSeconds).toBe(0.375);
    expect([pass.leaves, pass.nodes[0].name, pass.names]).toEqual([1, "host 1", ["power"]]);
    expect(Array.from(piped.values)).toEqual(Array.from(pass.values));
    expect(Array.from(columns.values)).toEqual(Array.from(pass.values));
    await expect(models(smallTrace(), query(4, { metric: "variable", variable: "heat" }))).rejects.toThrow(
      "has no variable 'heat'; there are power.",
    );
  });

  it("has variables of the whole, which go on when a container ends", async () => {
    const text = [
      "0 M 0 Machine",
      "1 V M load",
      "1 R 0 power",
      "6 0 m1 M 0 m1",
      "6 0 m2 M 0 m2",
      "8 0 R 0 5",
      "8 0 V m1 1",
      "7 1 M m2",
      "7 4 M m1",
    ];
    const asked = query(4, { metric: "variable", variable: "power" });
    const { columns, pass, piped } = await models(`${headOf()}${text.join("\n")}\n`, asked);
    for (const model of [columns, pass, piped]) {
      expect(Array.from(model.values)).toEqual([5, 5, 5, 5]);
      expect(model.nodes).toEqual([{ name: "power", parent: -1 }]);
      expect(model.uncoveredSeconds).toBe(0);
    }
  });

  it("has states of the whole, and of types and containers whatever they are called", async () => {
    const lines = [
      "0 M 0 Machine",
      '0 P M "of: a"',
      "2 S 0 GLOBAL",
      '2 T M "a: b"',
      '2 U P "x / y: z"',
      '6 0 m M 0 "m: 1"',
      '6 0 p P m "m: 1 / m: 1"',
      "12 0 S 0 run",
      "12 0 T m on",
      "12 0 U p off",
      "13 1 T m",
      "13 2 U p",
      "13 3 S 0",
      "7 3 P p",
      "7 3 M m",
    ];
    const text = `${headOf()}${lines.join("\n")}\n`;
    for (const [stateType, name, seconds] of [
      ["GLOBAL", "GLOBAL", 3],
      ["a: b", "m: 1", 1],
      ["x / y: z", "m: 1 / m: 1 / m: 1", 2],
    ] as const) {
      const { columns, pass, piped } = await models(text, query(1, { stateType, only: [name] }));
      for (const model of [columns, pass, piped]) {
        expect([model.nodes.map((node) => node.name), Array.from(model.values)]).toEqual([[name], [seconds]]);
        expect([...model.stateTypes]).toEqual(["GLOBAL", "x / y: z", "a: b"]);
      }
    }
  });

  it("has nothing uncovered where only rounding is", async () => {
    // Tenths of a second are no sums of powers of two.
    for (const count of [7, 14, 19, 28]) {
      const lines = ["0 M 0 Machine", "2 S M STATE", "6 0 a M 0 a"];
      const tenths = (at: number) => (at / 10).toFixed(1);
      for (let at = 0; at < count; at++) lines.push(`12 ${tenths(at)} S a x`, `13 ${tenths(at + 1)} S a`);
      const text = `${headOf()}${[...lines, `7 ${tenths(count)} M a`].join("\n")}\n`;
      const { columns, pass, piped } = await models(text, query(3));
      for (const model of [columns, pass, piped]) expect(model.uncoveredSeconds).toBe(0);
      const third = foldedModel(pass, { slices: 1, metric: "duration", toSeconds: count / 30 }, count / 10);
      expect(third?.uncoveredSeconds).toBe(0);
    }
  });

  it("refuses variables whose sums are no numbers any more", async () => {
    const huge = ["0 M 0 Machine", "1 V M load", "6 0 a M 0 a", "6 0 b M 0 b", "8 0 V a 1e308", "8 0 V b 1e308"];
    const text = `${headOf()}${[...huge, "7 2 M a", "7 2 M b"].join("\n")}\n`;
    await expect(models(text, query(2, { metric: "variable", variable: "load" }))).rejects.toThrow(
      "load has values that are too large to be added up.",
    );
  });

  it("says what does not come in the order of its time", async () => {
    const read = (text: string) =>
      passModel((...told) => readPiped(Readable.from([Buffer.from(text)]), ...told), query(3), undefined, quietTask);
    await expect(read('{"traceEvents":[]}')).rejects.toThrow("expected a Paje trace");
    await expect(read("")).rejects.toThrow("found nothing");
  });
});

describe("cells of a trace whose end is not known", () => {
  const piece = fc.record({ row: fc.nat(4), length: fc.nat(40), gap: fc.nat(9) });
  const zero = fc.constantFrom(0, -50, 1000, 1.7e9);
  it("keep all time and all events, and are exact as long as pieces are few", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 1, max: 9 }),
        zero,
        (all, slices, from) => {
          const [few, many] = [new UnendedCells(), new UnendedCells(3)];
          let [now, seconds] = [from, 0];
          for (const { row, length, gap } of all) {
            for (const cells of [few, many]) cells.spend(row, now, now + length, length > 0);
            seconds += length;
            now += length + gap;
          }
          if (now === from) return;
          // Pieces of another rank, before all others.
          for (const cells of [few, many]) cells.spend(5, from - 7, from - 6, true);
          seconds++;
          const exact = few.cells(0, now - from + 7, slices, 7 - from);
          const binned = many.cells(0, now - from + 7, slices, 7 - from);
          expect(exact.withinSeconds).toBe(0);
          const sum = (column: Float64Array) => column.reduce((a, b) => a + b, 0);
          for (const { cells } of [exact, binned]) {
            expect(sum(cells.seconds)).toBeCloseTo(seconds, 6);
            expect(sum(cells.events)).toBe(1 + all.filter(({ length }) => length > 0).length);
          }
          // A boundary moves no more than what lies within a bin of it.
          for (let at = 0; at < exact.cells.rows * slices; at++)
            expect(Math.abs(exact.cells.seconds[at] - binned.cells.seconds[at])).toBeLessThanOrEqual(
              2 * binned.withinSeconds + 1e-9,
            );
        },
      ),
      { numRuns: casesOf(400) },
    );
  });
});
