import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import { inclusive } from "../../src/model/contextTree";
import { functionsOf, inclusiveByFunction } from "../../src/model/functions";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { foldedSums, naiveSamples } from "../unit/formats/perf/naivePerf";
import { inOrder, sumsOf } from "../unit/formats/perf/sums";
import { metricNamed } from "../unit/formats/plainDataSet";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const folder = path.join(shared ?? "", "data/other/perf");

/** Samples, their periods in nanoseconds, and frames, as awk counts and adds them up line by line; threads that were sampled. */
const COUNTS: Readonly<Record<string, readonly [samples: number, period: number, frames: number, threads: number]>> = {
  "forks.linux-perf.txt": [561, 561 * 1_001_001, 2659, 4],
  "one-sample.linux-perf.txt": [1, 1_001_001, 5, 1],
  "rust-mangled.linux-perf.txt": [96, 96 * 16_949_152, 388, 1],
  "simple-with-header.linux-perf.txt": [136, 136 * 1_001_001, 590, 1],
  "simple-with-pid.linux-perf.txt": [137, 0, 603, 1],
  "simple.linux-perf.txt": [1, 1_001_001, 5, 1],
  "system-wide.linux-perf.txt": [556, 556 * 1_001_001, 2319, 2],
};

const open = async (name: string) => (await openRecordings([path.join(folder, name)], {}, quietTask))[0];

describe.skipIf(!shared)("recordings that perf script printed", () => {
  it.each(Object.keys(COUNTS))(
    "%s: every sum of every call path, thread by thread, as a naive reader folds them",
    async (name) => {
      const theirs = naiveSamples(fs.readFileSync(path.join(folder, name), "utf8"));
      const [samples, period, frames, threads] = COUNTS[name];
      const add = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
      expect(theirs.length).toBe(samples);
      expect(add(theirs.map((one) => one.period))).toBe(period);
      expect(add(theirs.map((one) => one.frames.length))).toBe(frames);
      const dataSet = await open(name);
      const folded = foldedSums(theirs);
      expect(inOrder(sumsOf(dataSet))).toEqual(inOrder(folded));
      expect(dataSet.records).toBe(samples);
      expect(dataSet.locations).toHaveLength(threads);
      noteConformance("perf script", { recordings: 1, values: 2 * folded.size, largestDifference: 0 });
      await dataSet.trace?.close();
    },
  );

  it.each(Object.keys(COUNTS))("%s: every sample at its time", async (name) => {
    const theirs = naiveSamples(fs.readFileSync(path.join(folder, name), "utf8"));
    const { trace: read, locations } = await open(name);
    if (read === undefined) throw new Error("there is a trace");
    const found: string[] = [];
    for (const [lane, { events, location }] of read.lanes.entries()) {
      const columns = await read.readEvents(lane, 0, events);
      for (let at = 0; at < columns.count; at++)
        found.push(`${locations[location].thread} ${Math.round(columns.startSeconds[at] * 1e6)}`);
    }
    const wanted = theirs.map(({ thread, seconds }) => `${thread} ${Math.round((seconds - theirs[0].seconds) * 1e6)}`);
    expect(found.sort()).toEqual(wanted.sort());
    await read.close();
  });

  it("only those without an end are said to be cut, whatever else is in them is understood", async () => {
    for (const name of Object.keys(COUNTS)) {
      const { warnings, notRecorded } = await open(name);
      expect(warnings.map(({ isCut }) => isCut)).toEqual(/^(one-sample|simple)\.linux/.test(name) ? [true] : []);
      expect(notRecorded).toEqual(["no source lines in this recording"]);
    }
  });

  it("simple-with-header.linux-perf.txt: what functions cost with all that they call", async () => {
    const name = "simple-with-header.linux-perf.txt";
    const dataSet = await open(name);
    const samples = naiveSamples(fs.readFileSync(path.join(folder, name), "utf8"));
    const { rowStart, value } = dataSet.values[metricNamed(dataSet, "samples (cpu-clock)")];
    const exclusive = Float64Array.from({ length: dataSet.tree.size }, (_, context) => {
      let sum = 0;
      for (let at = rowStart[context]; at < rowStart[context + 1]; at++) sum += value[at];
      return sum;
    });
    const functions = functionsOf(dataSet.tree, dataSet.frames);
    const costs = inclusiveByFunction(functions, inclusive(dataSet.tree, exclusive));
    const named = [...costs].map((cost, id) => [dataSet.frames.nameOf(functions.frame[id]), cost]);
    for (const one of ["main", "_Z5alphav", "_Z4betav", "_Z5gammav", "_Z5deltav"]) {
      const on = samples.filter(({ frames }) => frames.some(([, own]) => own === one)).length;
      expect(on).toBeGreaterThan(0);
      expect(named).toContainEqual([one, on]);
    }
    expect(dataSet.globals.get("hostname")).toEqual(["e2b5bab9a538"]);
  });
});

/** Programs with OpenMP's libraries, of whose functions perf knows some by name: samples, and contexts as a naive reader folds them. */
const OF_OPENMP = {
  // 171 contexts and 12 deep if addresses told functions apart.
  "omp-fp.perf.txt.gz": [1130, 55, 10],
  "muscle-dwarf.perf.txt.gz": [1398, 333, 30],
} as const;

describe.skipIf(!shared)("frames without a name", () => {
  it.each(Object.entries(OF_OPENMP))(
    "of one module are never side by side in %s",
    async (name, [samples, contexts, depth]) => {
      const file = path.join(shared ?? "", "first/cases", name);
      const theirs = naiveSamples(zlib.gunzipSync(fs.readFileSync(file)).toString());
      expect(theirs).toHaveLength(samples);
      const [dataSet] = await openRecordings([file], {}, quietTask);
      const { tree, frames, nameless } = dataSet;
      expect(inOrder(sumsOf(dataSet))).toEqual(inOrder(foldedSums(theirs)));
      expect(tree.size).toBe(contexts);
      const depths = new Int32Array(tree.size);
      const keyOf = (context: number) => {
        const frame = frames.get(tree.frame[context] as never);
        return frame.name === "[unknown]" ? (frame.module ?? "") : undefined;
      };
      for (let context = 0; context < tree.size; context++) {
        const parent = tree.parent[context];
        depths[context] = parent < 0 ? 1 : depths[parent] + 1;
        const key = keyOf(context);
        expect(nameless?.has(context)).toBe(key !== undefined);
        if (key !== undefined && parent >= 0) expect(keyOf(parent)).not.toBe(key);
      }
      expect(Math.max(...depths)).toBe(depth);
      await dataSet.trace?.close();
    },
  );
});
