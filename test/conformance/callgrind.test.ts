import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet } from "../../src/model/dataSet";
import { AmbiguityError } from "../../src/model/errors";
import { quietTask } from "../../src/model/task";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { annotatedFunctions, annotatedLines, compile, missingTools, record, recordedTotals } from "./callgrindRuns";
import { measuredTables } from "./callgrindTables";
import { noteConformance } from "./conformanceTable";

/** Inlined code of another file, recursion through one and two functions, threads, and a second process. */
const sources = {
  "square.h": `inline __attribute__((always_inline)) double square(double x) {
  double y = x + 1;
  return y * y;
}
`,
  "main.cpp": `#include <atomic>
#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include "square.h"
static int fib(int n) {
  return n < 2 ? n :
    fib(n - 1) + fib(n - 2);
}
static int odd(int n);
static __attribute__((noinline)) int even(int n) {
  int r = n == 0 ? 1 : odd(n - 1);
  asm volatile("");
  return r;
}
static __attribute__((noinline)) int odd(int n) {
  int r = n == 0 ? 0 : even(n - 1);
  asm volatile("");
  return r + 1;
}
static __attribute__((noinline)) double work(int n) {
  std::vector<double> v(n, 1.0);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += square(v[i]);
  return s;
}
// Both are there before either ends: valgrind gives the number of a thread that ended to the next one.
static std::atomic<int> begun{0};
static void meet() {
  for (begun++; begun < 2;)
    std::this_thread::yield();
}
int main(int argc, char**) {
  std::thread a([] { meet(); volatile double x = work(2000); (void)x; });
  std::thread b([] { meet(); volatile int y = fib(10); (void)y; });
  a.join();
  b.join();
  std::printf("%d %d %f\\n", fib(12), even(9), work(1000));
  if (argc > 1) {
    if (fork() == 0) {
      work(500);
      return 0;
    }
    wait(nullptr);
  }
}
`,
};

const missing = missingTools();
let folder: string;
const inFolder = (...names: string[]) => path.join(folder, ...names);
const program = () => inFolder("program");

/** Sums by metric: of measured lines, and of estimated contexts. */
function sums(dataSet: DataSet): { measured: number[]; estimated: number[] } {
  const add = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0);
  return {
    measured: (dataSet.callGraph?.exclusive ?? []).map(({ value }) => add(value)),
    estimated: dataSet.values.map(({ value }) => add(value)),
  };
}

function expectTotals(dataSet: DataSet, totals: readonly number[]): void {
  const { measured, estimated } = sums(dataSet);
  expect(dataSet.warnings).toEqual([]);
  expect(measured).toEqual(totals);
  estimated.forEach((value, at) => expect(Math.abs(value - totals[at])).toBeLessThanOrEqual(1e-9 * totals[at]));
  noteConformance("callgrind", { recordings: dataSet.files.length, values: totals.length, largestDifference: 0 });
}

const withoutLevel = (name: string) => name.replace(/'\d+$/, "");

describe.skipIf(missing !== undefined)(`runs under valgrind${missing ? ` (skipped: ${missing})` : ""}`, () => {
  beforeAll(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-callgrind-")));
    for (const [name, text] of Object.entries(sources)) fs.writeFileSync(inFolder(name), text);
    compile(program(), [inFolder("main.cpp")]);
    const files = fs.readdirSync(path.join(miniheat, "src")).filter((name) => name.endsWith(".cpp"));
    compile(
      inFolder("miniheat"),
      files.map((name) => path.join(miniheat, "src", name)),
    );
    // Compilers take their time on a busy machine.
  }, 120_000);
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const modes: [string, "callgrind" | "cachegrind", string[]][] = [
    ["as it is", "callgrind", []],
    ["a file a thread", "callgrind", ["--separate-threads=yes"]],
    ["all threads in one file", "callgrind", ["--separate-threads=yes", "--combine-dumps=yes"]],
    ["several dumps", "callgrind", ["--dump-before=work*"]],
    ["several dumps in one file", "callgrind", ["--dump-before=work*", "--combine-dumps=yes"]],
    [
      "all events, instructions, jumps",
      "callgrind",
      ["--dump-instr=yes", "--collect-jumps=yes", "--cache-sim=yes", "--branch-sim=yes"],
    ],
    ["names and positions in full", "callgrind", ["--compress-strings=no", "--compress-pos=no"]],
    ["instructions without lines", "callgrind", ["--dump-instr=yes", "--dump-line=no"]],
    ["levels of recursion not kept apart", "callgrind", ["--separate-recs=1"]],
    ["callers kept apart", "callgrind", ["--separate-callers=2"]],
    ["cachegrind", "cachegrind", ["--cache-sim=yes"]],
  ];

  it.each(modes)("have the totals that the tool wrote: %s", async (name, tool, options) => {
    const run = inFolder(name.replaceAll(" ", "-"));
    const files = record(run, tool, options, [program()]);
    const [dataSet, ...others] = await openRecordings([run], {}, quietTask);
    expect(others).toEqual([]);
    expectTotals(dataSet, recordedTotals(files, tool === "cachegrind" ? "summary" : "totals"));
    const threads = dataSet.locations.map(({ thread }) => thread);
    expect(threads).toEqual(options.includes("--separate-threads=yes") ? [1, 2, 3] : [-1]);
  });

  it("asks whether two processes are one run", async () => {
    const run = inFolder("processes");
    const files = record(run, "callgrind", [], [program(), "fork"]);
    expect(files.length).toBe(2);
    await expect(openRecordings([run], {}, quietTask)).rejects.toBeInstanceOf(AmbiguityError);
    const [together] = await openRecordings([run], { answer: "one-run" }, quietTask);
    expect(together.locations.map(({ rank }) => rank)).toEqual([0, 1]);
    expectTotals(together, recordedTotals(files, "totals"));
    const apart = await openRecordings([run], { answer: "separate" }, quietTask);
    expect(apart.map((one) => sums(one).measured)).toEqual(files.map((file) => recordedTotals([file], "totals")));
  });

  it.each([
    ["a program with recursion, threads and inlined code", () => [program()], () => inFolder("main.cpp")],
    ["miniheat", () => [inFolder("miniheat"), "8", "2"], () => path.join(miniheat, "src", "solver.cpp")],
  ])("%s has the costs that callgrind_annotate shows, by function and by line", async (_, command, source) => {
    const run = fs.mkdtempSync(inFolder("annotated-"));
    const [file] = record(path.join(run, "run"), "callgrind", [], command());
    const [dataSet] = await openRecordings([file], {}, quietTask);
    expectTotals(dataSet, recordedTotals([file], "totals"));
    const { functions, lines } = measuredTables(dataSet);
    let values = 0;
    const compare = (found: ReadonlyMap<string | number, number>, wanted: ReadonlyMap<string | number, number>) => {
      const differing = [...new Set([...found.keys(), ...wanted.keys()])].filter(
        (key) => (found.get(key) ?? 0) !== (wanted.get(key) ?? 0),
      );
      expect(differing.map((key) => [key, found.get(key), wanted.get(key)])).toEqual([]);
      values += wanted.size;
    };
    // Exclusive: levels of recursion together.
    const exclusive = new Map<string, number>();
    for (const { name, costs } of lines) exclusive.set(name, (exclusive.get(name) ?? 0) + costs[0]);
    const annotated = new Map<string, number>();
    for (const [name, cost] of annotatedFunctions(file, false))
      annotated.set(withoutLevel(name), (annotated.get(withoutLevel(name)) ?? 0) + cost);
    expect(annotated.size).toBeGreaterThan(100);
    compare(exclusive, annotated);
    // Inclusive: the outermost level; names in several load modules together.
    const inclusive = new Map<string, number>();
    for (const { name, inclusive: costs } of functions) inclusive.set(name, (inclusive.get(name) ?? 0) + costs[0]);
    const all = new Map([...annotatedFunctions(file, true)].filter(([name]) => withoutLevel(name) === name));
    // New threads start in clone without a call: what callgrind_annotate shows of it is what its callers spent there.
    if (all.has("clone")) expect(inclusive.get("clone")).toBeGreaterThanOrEqual(all.get("clone") ?? 0);
    inclusive.delete("clone");
    all.delete("clone");
    compare(inclusive, all);
    // Lines and calls, as the window shows them.
    const engine = localEngine(grammars);
    await engine.configure({ folders: [path.dirname(source())], sourceMap: {} });
    const [info] = await engine.open({ paths: [file] });
    const scope = { dataSet: info.id, metric: 0, over: "sum" } as const;
    const costs = await engine.documentCosts({ scope, document: { file: source() } });
    const shown = annotatedLines(file, source());
    expect(shown.own.size).toBeGreaterThan(5);
    const measured = new Map<number, number>();
    for (const {
      place,
      file: of,
      costs: [cost],
    } of lines)
      if (of === source()) {
        const line = Number(place.slice(of.length + 1));
        measured.set(line, (measured.get(line) ?? 0) + cost);
      }
    compare(measured, shown.own);
    // On a function's own line stands also what was inlined from files that are not here.
    const definitions = new Set(costs.functions.map(({ line }) => line));
    const heat = costs.lines.filter(({ line }) => !definitions.has(line));
    compare(
      new Map(heat.map(({ line, exclusive: cost }) => [line, cost])),
      new Map([...shown.own].filter(([line]) => !definitions.has(line))),
    );
    // Calls have short names, and the functions' numbers.
    const named = await engine.hotFunctions({ scope, by: "inclusive", limit: 100_000 });
    const nameOf = new Map(named.map(({ function: of, name }) => [of, name]));
    const calls = new Map(
      costs.calls.map(({ line, function: of, inclusive: cost }) => [`${line} ${nameOf.get(of)}`, cost]),
    );
    for (const [call, cost] of shown.calls) {
      const [line, name] = [call.slice(0, call.indexOf(" ")), call.slice(call.indexOf(" ") + 1)];
      expect([call, calls.get(`${line} ${withoutLevel(name)}`)]).toEqual([call, cost]);
      values++;
    }
    noteConformance("callgrind", { recordings: 0, values, largestDifference: 0 });
  });
});
