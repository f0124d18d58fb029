/** Traced builds with the machine's own perf, where it may measure. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet } from "../../src/model/dataSet";
import { quietTask } from "../../src/model/task";
import { tracedTask } from "../../src/traced/definition";
import { thisMachine } from "../../src/traced/machine";
import { canSample } from "../../src/traced/perfPermission";
import { tracedRun } from "../../src/traced/tracedRun";

const machine = thisMachine(path.resolve("tracker"), {});
const never = new AbortController().signal;
const isPossible = machine.find("gcc") !== undefined && (await canSample(machine, never));

/** A loop of OpenMP's that spends its time in sin, on two threads. */
const PROGRAM = `
#include <math.h>
#include <stdio.h>
static double row(double x) { double sum = 0; for (int i = 0; i < 2000; i++) sum += sin(x + i); return sum; }
int main(void) {
  double sum = 0;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 1500; i++) sum += row(i);
  }
  printf("%g\\n", sum);
}
`;

describe.skipIf(!isPossible)("samples of an OpenMP program", () => {
  let folder: string;
  let program: string;
  beforeAll(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-samples-")));
    program = path.join(folder, "omp");
    fs.writeFileSync(`${program}.c`, PROGRAM);
    const options = ["-g", "-O2", "-fno-omit-frame-pointer", "-fopenmp"];
    execFileSync(machine.find("gcc") ?? "gcc", [...options, `${program}.c`, "-o", program, "-lm"]);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  async function sampled(more: Readonly<Record<string, unknown>>): Promise<DataSet> {
    const task = tracedTask({ tool: "sample", build: "none", program, ...more }, folder);
    const { recordings, facts } = await tracedRun(task, machine, {
      signal: never,
      secondSignal: never,
      output: () => undefined,
      say: () => undefined,
      compilerSaid: () => undefined,
      choose: async () => undefined,
      chooseProcess: async () => undefined,
    });
    expect(facts.exitCode).toBe(0);
    const [dataSet] = await openRecordings(recordings, {}, quietTask);
    await dataSet.trace?.close();
    return dataSet;
  }

  /** Pairs of a frame and its caller that have no name and one load module. */
  function pairsOf({ tree, frames, nameless }: DataSet): number {
    let pairs = 0;
    for (let context = 0; context < tree.size; context++) {
      const parent = tree.parent[context];
      if (!nameless?.has(context) || !nameless.has(parent)) continue;
      if (frames.moduleIndex(tree.frame[context]) === frames.moduleIndex(tree.frame[parent])) pairs++;
    }
    return pairs;
  }

  it("are whole as the traced build takes them", async () => {
    const dataSet = await sampled({});
    expect(dataSet.records).toBeGreaterThan(50);
    expect(dataSet.warnings).toEqual([]);
    expect(dataSet.globals.get("run.stacks")).toEqual(["dwarf"]);
    // Advice on stacks that end early depends on how callers were recorded.
    expect(dataSet.globals.get("cmdline")?.[0]).toContain("--call-graph dwarf");
    expect(pairsOf(dataSet)).toBe(0);
  });

  it("end early by frame pointers, which libraries do not have", async () => {
    const dataSet = await sampled({ stacks: "fp" });
    const message = /^call stacks end early in \d{2,3} % of the samples: record them with --call-graph dwarf$/;
    expect(dataSet.warnings).toEqual([{ message: expect.stringMatching(message), isUnrooted: true }]);
    expect(pairsOf(dataSet)).toBe(0);
  });
});
