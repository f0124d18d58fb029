import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { grammarsInPackages } from "../../src/source/grammar";
import { levelSteps, type NaivePoint, naiveSums, rateSteps } from "../unit/engine/traces/naiveSteps";
import { build, run, temporaryFolder } from "./build";
import { opened } from "./opened";
import { readTrackerFile, type TrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What the program of known amounts recorded, and what it said. */
function counted(metrics: string) {
  const ran = run(folder, build(folder, ["test/counting.cpp"]), [], {
    HEATFLOW_METRICS: metrics,
    HEATFLOW_SAMPLE_PERIOD_MS: "50",
  });
  expect([ran.status, ran.complained]).toEqual([0, ""]);
  const said = new Map(ran.said.split("\n").map((line) => [line.split(" ")[0], Number(line.split(" ")[1])]));
  return { ...ran, file: readTrackerFile(ran.output), said };
}

/** Values of each counter in turn, by its name with its unit. */
function countersOf({ traceEvents }: TrackerFile): Map<string, number[]> {
  const counters = new Map<string, number[]>();
  for (const { ph, name, args } of traceEvents)
    if (ph === "C") counters.set(name, [...(counters.get(name) ?? []), args.value]);
  return counters;
}

function missingOf({ heatflow }: TrackerFile): { metric: string; why: string }[] {
  return heatflow.missing as unknown as { metric: string; why: string }[];
}

/** The columns of the README's table of metrics: names with units, N for what a counter is of. */
function readmeSets(): { basic: string[]; all: string[] } {
  const rows = fs
    .readFileSync("tracker/README.md", "utf8")
    .split("| of | the 25 |")[1]
    .split("\n\n")[0]
    .split("\n")
    .slice(2)
    .map((line) => line.split("|").map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)));
  const basic = rows.flatMap(([, , names]) => names);
  return { basic, all: [...basic, ...rows.flatMap(([, , , names]) => names)] };
}

/** Of regions; all others are counters. */
const OF_REGIONS = ["calls", "inclusive time", "exclusive time"];

describe("the sets of metrics", () => {
  const { basic, all } = readmeSets();

  it.each([
    ["25", basic, 25],
    ["100", all, 100],
  ])("of %s are those that the README lists, but for what is missing", async (set, listed, size) => {
    expect(new Set(listed).size).toBe(size);
    const { file, output } = counted(set);
    const missing = missingOf(file);
    const withoutUnit = (name: string) => name.replace(/ \([^)]*\)$/, "");
    const lacking = new Set(missing.map(({ metric }) => metric));
    const expected = listed.filter((name) => !OF_REGIONS.includes(name) && !lacking.has(withoutUnit(name)));
    for (const metric of lacking) expect(listed.map(withoutUnit)).toContain(metric);
    const found = new Set<string>();
    for (const name of countersOf(file).keys()) {
      const is = expected.filter((one) => new RegExp(`^${escaped(one).replace(/ N(?= )| N$/, " \\S+")}$`).test(name));
      expect([name, is.length]).toEqual([name, 1]);
      found.add(is[0]);
    }
    expect([...found].sort()).toEqual(expected.sort());
    expect(missing.every(({ why }) => why !== "")).toBe(true);
    const { warnings } = await opened(output);
    expect(warnings.map(({ message }) => message.split(": ")[1]).sort()).toEqual(
      [...new Set(missing.map(({ why }) => why))].sort(),
    );
  });

  it("may be named, with patterns; a name of none is said to be so, and 0 is no counter", () => {
    const named = counted("core * busy, resident memory ,nonsense").file;
    const names = [...countersOf(named).keys()];
    expect(names).toContain("resident memory (bytes)");
    expect(names.filter((name) => !/^core \d+ busy \(%\)$/.test(name))).toEqual(["resident memory (bytes)"]);
    expect(missingOf(named)).toEqual([{ metric: "nonsense", why: "there is no metric of this name" }]);
    expect(countersOf(counted("0").file).size).toBe(0);
  });
});

describe("counters", () => {
  it("count what a program has done, and its reader knows which grow", async () => {
    const { file, said, output } = counted("100");
    const counters = countersOf(file);
    const of = (name: string) => counters.get(name) ?? [];
    const grown = (name: string) => (of(name).at(-1) ?? 0) - of(name)[0];
    const [touched, written, seconds, faults] = ["touched", "written", "seconds", "faults"].map(
      (key) => said.get(key) ?? 0,
    );
    expect(Math.max(...of("resident memory (bytes)"))).toBeGreaterThan(touched);
    expect(Math.max(...of("resident memory (bytes)"))).toBeLessThan(touched + 32e6);
    // The recording itself is written, too.
    expect(grown("written (bytes)")).toBeGreaterThanOrEqual(written);
    expect(grown("written (bytes)")).toBeLessThan(written + 2e6);
    expect(of("minor page faults").at(-1)).toBeGreaterThanOrEqual(faults);
    expect(of("minor page faults").at(-1)).toBeLessThan(faults + 200);
    // It spins for half a second; the tracker's own thread comes on top.
    expect(grown("task clock (s)")).toBeGreaterThan(0.9 * seconds);
    expect(grown("task clock (s)")).toBeLessThan(1.3 * seconds);
    const { trace } = await opened(output);
    const growing = new Set(trace?.counters.filter(({ grows }) => grows).map(({ name }) => name));
    for (const name of ["written", "minor page faults", "task clock"]) expect(growing).toContain(name);
    for (const name of ["resident memory", "threads", "process CPU user"]) expect(growing).not.toContain(name);
  });

  it("are rows over time with what the events' text has: levels, and of what grows the rate between two points", async () => {
    const { file, output } = counted("25");
    const engine = localEngine(grammarsInPackages(path.resolve("node_modules")));
    const [{ id: dataSet }] = await engine.open({ paths: [output] });
    const { rows, startSeconds, endSeconds } = await engine.counterFacts({ dataSet });
    const zero = Math.min(...file.traceEvents.filter(({ ph }) => ph !== "M").map(({ ts }) => ts));
    const growing = new Set(
      file.traceEvents.filter((event) => (event as { cat?: string }).cat === "growing").map(({ name }) => name),
    );
    const points = new Map<string, NaivePoint[]>();
    for (const { ph, name, ts, args } of file.traceEvents) {
      if (ph !== "C") continue;
      const point = { seconds: startSeconds + (ts - zero) / 1e6, value: args.value };
      points.set(name, [...(points.get(name) ?? []), point]);
    }
    const recorded = rows.filter(({ shows }) => shows !== "derived");
    expect(recorded).toHaveLength(points.size);
    const [from, to] = [0.21, 0.83].map((share) => startSeconds + share * (endSeconds - startSeconds));
    const sums = await engine.counterSums({ dataSet, fromSeconds: from, toSeconds: to });
    let varying = 0;
    for (const [name, own] of points) {
      const row = rows.findIndex((fact) => fact.name === name.replace(/ \([^)]*\)$/, ""));
      expect(rows[row], name).toMatchObject({ shows: growing.has(name) ? "rate" : "level", points: own.length });
      const inTime = [...own].sort((a, b) => a.seconds - b.seconds);
      const expected = naiveSums(growing.has(name) ? rateSteps(inTime) : levelSteps(inTime), from, to, endSeconds);
      for (const [ours, theirs] of [
        [sums.mean[row], expected.mean],
        [sums.least[row], expected.least],
        [sums.most[row], expected.most],
      ])
        expect(Math.abs(ours - theirs), `${name}: ${ours}, not ${theirs}`).toBeLessThanOrEqual(1e-6 * Math.abs(theirs));
      if (expected.most > expected.least) varying++;
    }
    expect(varying).toBeGreaterThan(3);
    expect(rows.some(({ name, shows }) => name === "lanes computing" && shows === "derived")).toBe(true);
    await engine.dispose();
  });

  it("of energy go on where the processor's begin again, and say who may not read them", () => {
    const powercap = path.join(folder, "powercap");
    const domain = (name: string, files: Readonly<Record<string, string>>) => {
      fs.mkdirSync(path.join(powercap, name), { recursive: true });
      for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(powercap, name, file), text);
    };
    const program = build(folder, ["test/energy.cpp"]);
    const taken = (input: string) => execFileSync(program, [powercap], { input, encoding: "utf8" }).trim().split("\n");
    expect(taken("")).toEqual(["energy N: this machine does not tell"]);
    const range = "max_energy_range_uj";
    domain("intel-rapl:0", { name: "package-0\n", energy_uj: "0\n", [range]: "10000000\n" });
    domain("intel-rapl:0:1", { name: "dram\n", energy_uj: "5000000\n", [range]: "65000000\n" });
    // 2 J, then 1 J over the end of its range, then 3 J.
    expect(taken("7000000\n9000000\n0\n3000000\n").filter((line) => line.includes("package-0 ("))).toEqual([
      "energy package-0 (J) 0",
      "energy package-0 (J) 2",
      "energy package-0 (J) 3",
      "energy package-0 (J) 6",
    ]);
    expect(taken("0\n")).toContain("energy package-0/dram (J) 0");
  });
});

describe("miniheat", () => {
  it("prints the same with the tracker and without", () => {
    const from = path.resolve("examples/miniheat/src");
    const sources = fs.readdirSync(from).filter((name) => name.endsWith(".cpp"));
    // As one source: the tracker's header takes seconds of the compiler for each that includes it.
    const whole = path.join(folder, "miniheat.cpp");
    fs.writeFileSync(whole, sources.map((name) => `#include "${path.join(from, name)}"\n`).join(""));
    const arguments_ = ["12", "4"];
    const plain = run(folder, build(folder, [whole]), arguments_);
    const program = build(folder, [whole], { flags: ["-DUSE_TRACKER"] });
    const traced = run(folder, program, arguments_, { HEATFLOW_METRICS: "100" });
    expect(traced.said).toBe(plain.said);
    expect(plain.said).toContain("halo bytes sent by rank 0");
    expect([plain.status, traced.status]).toEqual([0, 0]);
    expect([fs.existsSync(plain.output), fs.existsSync(traced.output)]).toEqual([false, true]);
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
