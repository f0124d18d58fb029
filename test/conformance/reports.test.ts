import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet } from "../../src/model/dataSet";
import { FormatError } from "../../src/model/errors";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { cellsOf, pathsOf } from "../unit/formats/plainDataSet";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const folder = path.join(shared ?? "", "data/reports");

/** What the list of failing inputs says of one metric: exclusive values by path, of functions joined by `;`. */
type Paths = Readonly<Record<string, number>>;

/** The right values of a file. */
interface Right {
  /** Exclusive values of each metric that adds up, in seconds, bytes or counts. */
  readonly metrics?: Readonly<Record<string, Paths>>;
  /** Metrics that do not add up, with their values by path. */
  readonly shown?: Readonly<Record<string, Paths>>;
  readonly threads?: readonly number[];
  /** Whether samples or events have times. */
  readonly hasLanes?: boolean;
  /** Places of lines: file and line. */
  readonly lines?: readonly string[];
  readonly modules?: readonly string[];
  /** Parts of the warnings, one each. */
  readonly warnings?: readonly string[];
  /** Parts of the error's message; and what it must not name. */
  readonly error?: { readonly has: string; readonly hasNot: string };
}

/** Their values come with what mends them. */
const WITHOUT_VALUES = [
  "chrome-overlap.json",
  "chrome-xray.json",
  "kineto-no-stacks.json",
  "paje-epoch.trace",
  "paje-negative.trace",
];

const step = (unit: number): Paths => ({ "main;step;kernel_loop": 2 * unit, "main;step": unit });

const RIGHT: Readonly<Record<string, Right>> = {
  "chrome-utf16le.json": { metrics: { time: { assemble: 7e-6, "assemble;integrate": 3e-6 } } },
  "chrome-bad-escape.json": {
    lines: ["C:\\work\\model.py:12", "C:\\work\\model.py:20"],
    warnings: ["kept as written"],
  },
  "not-caliper-execution-trace.json": { error: { has: "JSON that is no profile", hasNot: "Caliper" } },
  "caliper-imax.cali": {
    shown: { "imax#umpt.size": { main: 500e6, "main;assemble": 500e6, "main;io": 40e6 } },
  },
  "caliper-iratio.cali": {
    shown: {
      "iratio#cupti.activity.duration/sum#cupti.host.duration": { main: 72.5, "main;assemble": 80, "main;io": 5 },
    },
  },
  "caliper-topdown.cali": {
    shown: {
      "topdown.retiring": { main: 0.4, "main;assemble": 0.25, "main;io": 0.7 },
      "topdown.be_bound": { main: 0.3, "main;assemble": 0.5, "main;io": 0.15 },
    },
  },
  "perf-no-time.txt": { metrics: { "samples (cycles)": step(1) }, threads: [4711], hasLanes: false },
  "perf-no-comm.txt": {
    metrics: { "cycles:u": { "main;step;kernel_loop": 250_000, "main;step": 150_000 } },
    threads: [4711, 4712],
  },
  "perf-mem.txt": { metrics: { "samples (cpu/mem-loads,ldlat=30/P)": { kernel_loop: 2, step: 1 } } },
  "perf-addr.txt": { metrics: { "cycles:u": { kernel_loop: 250_000, step: 250_000 } } },
  "perf-brstack.txt": { metrics: { "cycles:u": { kernel_loop: 500_000 } }, modules: ["/opt/app/solver"] },
  "perf-tabs.txt": { metrics: { time: { "main;kernel_loop": 0.001, main: 0.001 } }, threads: [25122] },
  "perf-warnings-first.txt": {
    metrics: { "cycles:u": { "main;step;kernel_loop": 250_000 } },
    warnings: ["25 lines passed over"],
  },
  "perf-frequency.txt": {
    metrics: {
      time: { "main;step": 0.08, "main;step;kernel_loop": 0.02 },
      "samples (cpu-clock:u)": { "main;step": 4, "main;step;kernel_loop": 1 },
    },
  },
};

describe.skipIf(!shared)("failing inputs of public reports", () => {
  it("have each their right values here, and nothing else has", () => {
    const index = fs.readFileSync(path.join(folder, "INDEX.md"), "utf8");
    const listed = [...index.matchAll(/^\| `([^`|]+)` \|/gm)].map(([, name]) => name);
    const files = fs.readdirSync(folder).filter((name) => name !== "INDEX.md");
    expect([...Object.keys(RIGHT), ...WITHOUT_VALUES].sort()).toEqual(listed.sort());
    expect(files.sort()).toEqual(listed);
  });

  it.each(Object.keys(RIGHT))("%s gives its right values", async (name) => {
    const file = path.join(folder, name);
    const { error, ...right } = RIGHT[name];
    if (error !== undefined) return expectError(file, error);
    const [dataSet, ...others] = await openRecordings([file], {}, quietTask);
    expect(others).toEqual([]);
    let values = 0;
    for (const [metric, paths] of Object.entries(right.metrics ?? {})) {
      expect(metricOf(dataSet, metric).additive).toBe(true);
      expectValues(valuesOf(dataSet, metric), paths);
      values += Object.keys(paths).length;
    }
    for (const [metric, paths] of Object.entries(right.shown ?? {})) {
      expect(metricOf(dataSet, metric).additive, metric).toBe(false);
      expectValues(valuesOf(dataSet, metric), paths);
      values += Object.keys(paths).length;
    }
    if (right.shown !== undefined) expect(dataSet.metrics[0].additive).toBe(true);
    const threads = [...new Set(dataSet.locations.map(({ thread }) => thread))];
    if (right.threads !== undefined) expect(threads.sort()).toEqual(right.threads);
    if (right.hasLanes !== undefined) expect(dataSet.trace !== undefined).toBe(right.hasLanes);
    if (right.lines !== undefined) expect(linesOf(dataSet)).toEqual(right.lines);
    if (right.modules !== undefined) expect(modulesOf(dataSet)).toEqual(right.modules);
    const said = dataSet.warnings.map(({ message }) => message);
    expect(said).toHaveLength(right.warnings?.length ?? 0);
    for (const [at, part] of (right.warnings ?? []).entries()) expect(said[at]).toContain(part);
    noteConformance("public reports", { recordings: 1, values, largestDifference: 0 });
    await dataSet.trace?.close();
  });
});

async function expectError(file: string, { has, hasNot }: NonNullable<Right["error"]>): Promise<void> {
  const problem: unknown = await openRecordings([file], {}, quietTask).catch((reason: unknown) => reason);
  if (!(problem instanceof FormatError)) throw new Error("it is no recording");
  expect(problem.message).toContain(has);
  expect(problem.message).not.toContain(hasNot);
}

function metricOf({ metrics }: DataSet, name: string) {
  const metric = metrics.find((one) => one.name === name);
  if (metric === undefined) throw new Error(`no metric ${name}, but ${metrics.map((one) => one.name).join(", ")}`);
  return metric;
}

/** Values by path, of functions alone: those of their lines are theirs. */
function valuesOf(dataSet: DataSet, name: string): Map<string, number> {
  const { tree, frames } = dataSet;
  const all = pathsOf(dataSet);
  const isLine = (context: number) => frames.kindOf(tree.frame[context]) === "line";
  const pathOf = (context: number): string => {
    const path: string[] = [];
    for (let at = context; at >= 0; at = tree.parent[at]) if (!isLine(at)) path.unshift(all[at].at(-1) ?? "");
    return path.join(";");
  };
  const sums = new Map<string, number>();
  for (const [context, , value] of cellsOf(dataSet, dataSet.metrics.indexOf(metricOf(dataSet, name)))) {
    const own = pathOf(context);
    sums.set(own, (sums.get(own) ?? 0) + value);
  }
  return sums;
}

function expectValues(found: ReadonlyMap<string, number>, wanted: Paths): void {
  expect([...found.keys()].filter((path) => Math.abs(found.get(path) ?? 0) > 1e-15).sort()).toEqual(
    Object.keys(wanted).sort(),
  );
  for (const [path, value] of Object.entries(wanted)) {
    const difference = Math.abs((found.get(path) ?? Number.NaN) - value);
    expect(difference, path).toBeLessThanOrEqual(1e-9 * Math.abs(value));
  }
}

function linesOf({ frames }: DataSet): string[] {
  const lines = Array.from({ length: frames.size }, (_, frame) => frames.get(frame as never)).filter(
    ({ line }) => line,
  );
  return [...new Set(lines.map(({ file, line }) => `${file}:${line}`))].sort();
}

function modulesOf({ frames }: DataSet): string[] {
  const modules = Array.from({ length: frames.size }, (_, frame) => frames.get(frame as never).module);
  return [...new Set(modules.filter((module) => module !== undefined))];
}
