import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { CounterSums, Engine } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { levelSteps, type NaiveStep, naiveSums, valueBefore } from "../unit/engine/traces/naiveSteps";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const data = path.join(shared ?? "", "data");

async function opened(file: string) {
  const engine = localEngine(grammars);
  const [{ id: dataSet }] = await engine.open({ paths: [path.join(data, file)] });
  return { engine, dataSet, facts: await engine.counterFacts({ dataSet }) };
}

/** Windows of a run: all of it, and parts that share none of its edges. */
function windowsOf(start: number, end: number): [number, number][] {
  const at = (share: number) => start + share * (end - start);
  return [
    [start, end],
    [at(0.137), at(0.861)],
    [at(0.4142), at(0.4631)],
  ];
}

/** The largest difference of a row's numbers from those of its steps, as a part of what they are. */
function difference(
  sums: CounterSums,
  row: number,
  steps: readonly NaiveStep[],
  [from, to]: [number, number],
  end: number,
) {
  const own = naiveSums(steps, from, to, end);
  const pairs = [
    [sums.mean[row], own.seconds > 0 ? own.mean : Number.NaN],
    [sums.least[row], own.least],
    [sums.most[row], own.most],
    [sums.variance[row], own.least === own.most ? 0 : own.variance],
    [sums.seconds[row], own.seconds],
  ];
  return Math.max(
    ...pairs.map(([ours, theirs]) =>
      Object.is(ours, theirs) ? 0 : Math.abs(ours - theirs) / Math.max(1e-12, Math.abs(theirs)),
    ),
  );
}

/** Compares a row in every window. @returns the largest difference */
async function compared(
  { engine, dataSet }: { readonly engine: Engine; readonly dataSet: number },
  rows: readonly { readonly row: number; readonly steps: readonly NaiveStep[] }[],
  [start, end]: readonly [number, number],
): Promise<number> {
  const off: number[] = [];
  for (const window of windowsOf(start, end)) {
    const sums = await engine.counterSums({ dataSet, fromSeconds: window[0], toSeconds: window[1] });
    for (const { row, steps } of rows) off.push(difference(sums, row, steps, window, end));
  }
  return Math.max(...off);
}

interface Event {
  readonly ph: string;
  readonly cat?: string;
  readonly name: string;
  readonly ts: number;
  readonly dur?: number;
  readonly pid?: number | string;
  readonly args?: Readonly<Record<string, unknown>>;
}

function eventsOf(text: string): Event[] {
  const whole = JSON.parse(text) as Event[] | { traceEvents: Event[] };
  return Array.isArray(whole) ? whole : whole.traceEvents;
}

/** NVML's table as its text has it: nanoseconds, and values in the units of its columns' names. */
function tableOf(
  file: string,
): { readonly name: string; readonly points: { readonly ns: bigint; readonly value: number }[] }[] {
  const [header, ...lines] = fs
    .readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(",").map((field) => field.trim()));
  return header.slice(1).map((name, column) => ({
    name: name.replace(/_(?:w|mhz|mib)$/, ""),
    points: lines.map((fields) => ({
      ns: BigInt(fields[0]),
      value: Number(fields[column + 1]) * (/_(?:mib|mhz)$/.test(name) ? 1e6 : 1),
    })),
  }));
}

describe.skipIf(shared === undefined)("rows over time", () => {
  it.each([0, 1, 2, 3])(
    "of GEMM %i have what its table of NVML and its events have, on one axis of time",
    async (run) => {
      const file = `dmtracker/gemm-kernels/kernel-opt-5-${run}.json`;
      const here = await opened(file);
      const { facts } = here;
      const events = eventsOf(fs.readFileSync(path.join(data, file), "utf8")).filter(({ ph }) => ph !== "M");
      // Microseconds of events, nanoseconds of the table: zero is the first event.
      const first = Math.min(...events.map(({ ts }) => ts));
      const zero = BigInt(first) * 1000n;
      const table = tableOf(path.join(data, file.replace(/json$/, "csv")));
      const secondsOf = (ns: bigint) => Number(ns - zero) / 1e9;
      const moments = [
        ...events.flatMap(({ ts, dur = 0 }) => [ts - first, ts - first + dur].map((one) => one / 1e6)),
        ...table[0].points.map(({ ns }) => secondsOf(ns)),
      ];
      const [start, end] = [facts.startSeconds, facts.endSeconds];
      expect(start).toBeCloseTo(Math.min(...moments), 9);
      expect(end).toBeCloseTo(Math.max(...moments), 9);
      const rows = table.map(({ name, points }) => {
        const row = facts.rows.findIndex((fact) => fact.name === name);
        expect(facts.rows[row], name).toMatchObject({ shows: "level", points: points.length });
        return { row, steps: levelSteps(points.map(({ ns, value }) => ({ seconds: secondsOf(ns), value }))) };
      });
      const largestDifference = await compared(here, rows, [start, end]);
      expect(largestDifference).toBeLessThan(1e-9);
      // What was measured last before the middle of the longest kernel is what the row shows there.
      const kernels = events.filter(({ cat }) => cat === "kernel");
      const [longest] = [...kernels].sort((a, b) => (b.dur ?? 0) - (a.dur ?? 0));
      const middle = (longest.ts - first + (longest.dur ?? 0) / 2) / 1e6;
      const at = { fromSeconds: middle - 1e-6, toSeconds: middle, pixelSeconds: 1e-7 };
      const bands = await here.engine.counterBands({ dataSet: here.dataSet, rows: rows.map(({ row }) => row), ...at });
      const column = Math.floor((middle - bands.fromSeconds) / bands.stepSeconds);
      for (const [place, { steps }] of rows.entries())
        expect(bands.least[place * bands.columns + column - 1]).toBe(valueBefore(steps, middle));
      // What follows from events: kernels on one stream, and bytes while they are copied.
      const sums = await here.engine.counterSums({ dataSet: here.dataSet, fromSeconds: start, toSeconds: end });
      const area = (name: string) => {
        const row = facts.rows.findIndex((fact) => fact.name === name);
        return sums.mean[row] * sums.seconds[row];
      };
      const kernelSeconds = kernels.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1e6;
      const copied = events
        .filter(({ cat, dur = 0 }) => cat === "gpu_memcpy" && dur > 0)
        .reduce((sum, { args }) => sum + Number(args?.bytes ?? 0), 0);
      expect(area("GPU lanes computing") / kernelSeconds).toBeCloseTo(1, 8);
      expect(area("transfers under way") / copied).toBeCloseTo(1, 8);
      noteConformance("Rows over time, DMTracker", { recordings: 1, values: 15 * rows.length + 2, largestDifference });
    },
  );

  it.each([
    ["variables.trace", 1],
    ["ms.trace", 20],
    ["native_sample.trace", 1],
  ])("of Paje's variables in %s have what pj_dump's intervals have", async (name, atLeast) => {
    const here = await opened(`paje/traces/${name}`);
    const { rows: facts, resources, startSeconds: start, endSeconds: end } = here.facts;
    const steps = new Map<string, NaiveStep[]>();
    const golden = fs.readFileSync(path.join(data, "paje/pj_dump_golden", name.replace("trace", "csv")), "utf8");
    const until = new Map<string, number>();
    for (const row of golden.split("\n")) {
      const [what, container, type, from, to, , value] = row.split(", ");
      if (what !== "Variable") continue;
      const of = `${container} ${type}`;
      steps.set(of, [...(steps.get(of) ?? []), { seconds: Number(from), value: Number(value) }]);
      until.set(of, Number(to));
    }
    const shown = facts.flatMap(({ shows, name: type, resource }, row) =>
      shows === "derived" ? [] : [{ row, of: `${resources[resource].name} ${type}` }],
    );
    expect(new Set(shown.map(({ of }) => of))).toEqual(new Set(steps.keys()));
    // Of a container that ends before the trace pj_dump has no value any more.
    const rows = shown
      .filter(({ of }) => (until.get(of) ?? 0) > end - 1e-5)
      .map(({ row, of }) => ({ row, steps: steps.get(of) ?? [] }));
    expect(rows.length).toBeGreaterThanOrEqual(atLeast);
    const largestDifference = await compared(here, rows, [start, end]);
    // Its moments have six digits behind the point, of windows of a fifth of a second.
    expect(largestDifference).toBeLessThan(5e-4);
    noteConformance("Rows over time, Paje", { recordings: 1, values: 15 * rows.length, largestDifference });
  });
});
