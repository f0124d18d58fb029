import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { overviewArguments } from "../../src/cli/overviewCommand";
import { localEngine } from "../../src/engine/localEngine";
import { openRecordings } from "../../src/formats/registry";
import { inclusive } from "../../src/model/contextTree";
import type { DataSet } from "../../src/model/dataSet";
import { FormatError } from "../../src/model/errors";
import { functionsOf, inclusiveByFunction } from "../../src/model/functions";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
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
  /** Inclusive values by function of the metric `time`. */
  readonly inclusive?: Paths;
  /** Sums of all values of a metric. */
  readonly totals?: Paths;
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
  /** Seconds of the overview's window, and its partitions. */
  readonly overview?: { readonly seconds: number; readonly partitions: readonly Partition[] };
}

interface Partition {
  readonly p: number;
  readonly gain?: number;
  readonly loss?: number;
  readonly parts?: number;
}

const FIRST_PARTS: Partition = { p: 0, gain: 12.377443751081735, parts: 6 };
/** Stacks of these texts begin with main: no recording of a whole program has such. */
const UNROOTED = "call stacks end early in 100 % of the samples: record them with --call-graph dwarf";
const step = (unit: number): Paths => ({ "main;step;kernel_loop": 2 * unit, "main;step": unit });

const RIGHT: Readonly<Record<string, Right>> = {
  "kineto-no-stacks.json": {
    totals: { time: 50e-6, "time (GPU streams)": 40e-6 },
    inclusive: { "aten::linear": 50e-6, "aten::addmm": 30e-6, cudaLaunchKernel: 5e-6 },
    metrics: {
      time: {
        "aten::linear": 20e-6,
        "aten::linear;aten::addmm": 25e-6,
        "aten::linear;aten::addmm;cudaLaunchKernel": 5e-6,
      },
    },
  },
  "chrome-overlap.json": {
    totals: { time: 1000e-6 },
    inclusive: { main: 1000e-6, solve: 500e-6, halo: 500e-6 },
    metrics: { time: { main: 499e-6, "main;solve": 1e-6, "main;solve;halo": 499e-6, "main;halo": 1e-6 } },
  },
  "chrome-xray.json": { metrics: { time: { main: 12e-6, "main;step": 8e-6 } } },
  "chrome-utf16le.json": { metrics: { time: { assemble: 7e-6, "assemble;integrate": 3e-6 } } },
  "chrome-bad-escape.json": {
    lines: ["C:\\work\\model.py:12", "C:\\work\\model.py:20"],
    warnings: ["kept as written"],
  },
  "not-caliper-execution-trace.json": { error: { has: "an execution trace of PyTorch", hasNot: "Caliper" } },
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
  "paje-epoch.trace": {
    overview: {
      seconds: 4,
      partitions: [FIRST_PARTS, { p: 0.4892578125, gain: 22.40431765358687, loss: 9.595682346413131, parts: 1 }],
    },
  },
  "paje-negative.trace": { overview: { seconds: 4, partitions: [FIRST_PARTS] } },
  "perf-no-time.txt": {
    metrics: { "samples (cycles)": step(1) },
    threads: [4711],
    hasLanes: false,
    warnings: [UNROOTED],
  },
  "perf-no-comm.txt": {
    metrics: { "cycles:u": { "main;step;kernel_loop": 250_000, "main;step": 150_000 } },
    threads: [4711, 4712],
    warnings: [UNROOTED],
  },
  "perf-mem.txt": { metrics: { "samples (cpu/mem-loads,ldlat=30/P)": { kernel_loop: 2, step: 1 } } },
  "perf-addr.txt": { metrics: { "cycles:u": { kernel_loop: 250_000, step: 250_000 } } },
  "perf-brstack.txt": { metrics: { "cycles:u": { kernel_loop: 500_000 } }, modules: ["/opt/app/solver"] },
  "perf-tabs.txt": {
    metrics: { time: { "main;kernel_loop": 0.001, main: 0.001 } },
    threads: [25122],
    warnings: [UNROOTED],
  },
  "perf-warnings-first.txt": {
    metrics: { "cycles:u": { "main;step;kernel_loop": 250_000 } },
    warnings: ["25 lines passed over", UNROOTED],
  },
  "perf-frequency.txt": {
    metrics: {
      time: { "main;step": 0.08, "main;step;kernel_loop": 0.02 },
      "samples (cpu-clock:u)": { "main;step": 4, "main;step;kernel_loop": 1 },
    },
    warnings: [UNROOTED],
  },
};

describe.skipIf(!shared)("failing inputs of public reports", () => {
  it("have each their right values here, and nothing else has", () => {
    const index = fs.readFileSync(path.join(folder, "INDEX.md"), "utf8");
    const listed = [...index.matchAll(/^\| `([^`|]+)` \|/gm)].map(([, name]) => name);
    const files = fs.readdirSync(folder).filter((name) => name !== "INDEX.md");
    expect(Object.keys(RIGHT).sort()).toEqual(listed.sort());
    expect(files.sort()).toEqual(listed);
  });

  it.each(Object.keys(RIGHT))("%s gives its right values", async (name) => {
    const file = path.join(folder, name);
    const { error, overview, ...right } = RIGHT[name];
    if (error !== undefined) return expectError(file, error);
    if (overview !== undefined) return expectOverview(file, overview);
    const [dataSet, ...others] = await openRecordings([file], {}, quietTask);
    expect(others).toEqual([]);
    let values = 0;
    for (const [metric, paths] of Object.entries(right.metrics ?? {})) {
      expect(metricOf(dataSet, metric).additive).toBe(true);
      expectValues(valuesOf(dataSet, metric), paths);
      values += Object.keys(paths).length;
    }
    for (const [metric, total] of Object.entries(right.totals ?? {})) {
      const sum = [...valuesOf(dataSet, metric).values()].reduce((all, one) => all + one, 0);
      expect(Math.abs(sum - total), metric).toBeLessThanOrEqual(1e-9 * total);
    }
    for (const [metric, paths] of Object.entries(right.shown ?? {})) {
      expect(metricOf(dataSet, metric).additive, metric).toBe(false);
      expectValues(valuesOf(dataSet, metric), paths);
      values += Object.keys(paths).length;
    }
    if (right.shown !== undefined) expect(dataSet.metrics[0].additive).toBe(true);
    if (right.inclusive !== undefined) expectValues(inclusiveOf(dataSet), right.inclusive);
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

/** Asks as the command line does: eight slices of all of the trace. */
async function expectOverview(file: string, { seconds, partitions }: NonNullable<Right["overview"]>): Promise<void> {
  const request = overviewArguments([file, "--slices", "8", "--json"], folder);
  const answer = JSON.parse(request.text(await request.run(localEngine(grammars)))) as {
    readonly from: number;
    readonly to: number;
    readonly partitions: readonly { p: number; gain: number; loss: number; parts: readonly unknown[] }[];
  };
  expect(answer.to - answer.from).toBeCloseTo(seconds, 9);
  for (const { p, gain, loss, parts } of partitions) {
    const found = answer.partitions.find((one) => one.p === p);
    expect(found, `p = ${p}`).toBeDefined();
    if (gain !== undefined) expect(found?.gain).toBeCloseTo(gain, 9);
    if (loss !== undefined) expect(found?.loss).toBeCloseTo(loss, 9);
    if (parts !== undefined) expect(found?.parts).toHaveLength(parts);
  }
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

function inclusiveOf(dataSet: DataSet): Map<string, number> {
  const exclusive = new Float64Array(dataSet.tree.size);
  const time = dataSet.metrics.indexOf(metricOf(dataSet, "time"));
  for (const [context, , value] of cellsOf(dataSet, time)) exclusive[context] += value;
  const functions = functionsOf(dataSet.tree, dataSet.frames);
  const costs = inclusiveByFunction(functions, inclusive(dataSet.tree, exclusive));
  return new Map([...costs].map((cost, id) => [dataSet.frames.nameOf(functions.frame[id]), cost]));
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
