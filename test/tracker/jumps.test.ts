import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { expectLaws } from "./laws";
import { opened } from "./opened";
import { callsByName, readTrackerFile, type TrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What a program says of each region: how often it was entered at least, and at most. */
function expectCalls(file: TrackerFile, said: string): void {
  const calls = callsByName(file);
  const lines = said.trim().split("\n");
  const names = lines.map((line) => {
    const [, name, least, most] = /^(.*) (\d+) (\d+)$/.exec(line) ?? [];
    expect([name, calls.get(name)]).toEqual([name, expect.any(Number)]);
    expect(calls.get(name)).toBeGreaterThanOrEqual(Number(least));
    expect(calls.get(name)).toBeLessThanOrEqual(Number(most));
    return name;
  });
  expect([...calls.keys()].sort()).toEqual(names.sort());
}

/** Contexts as paths of names. */
function pathsOf({ contexts, lines }: TrackerFile): string[] {
  const paths = new Map<number, string>();
  for (const { id, parent, frame } of [...contexts].sort((a, b) => a.id - b.id)) {
    const above = parent === undefined ? "" : `${paths.get(parent)}/`;
    paths.set(id, above + lines[frame].name.replace(/\(.*$/, ""));
  }
  return [...new Set(paths.values())].sort();
}

/** Inclusive seconds of a region over all contexts. */
function seconds({ contexts, lines }: TrackerFile, name: string): number {
  const rows = contexts.filter(({ frame }) => lines[frame].name === name);
  return rows.reduce((sum, { inclusive }) => sum + inclusive, 0) / 1e9;
}

describe.each(["g++", "clang++"])("regions that are left by a jump (%s)", (compiler) => {
  const jumped = (mode: string) => {
    const program = build(folder, ["test/jumping.cpp"], { compiler, flags: compiler === "g++" ? ["-O2"] : [] });
    // Millions of regions have no events.
    const ran = run(folder, program, [mode], { HEATFLOW_METRICS: "0", HEATFLOW_SHORTEST_EVENT_NS: "1000000" });
    expect([ran.status, ran.complained]).toEqual([0, ""]);
    const file = readTrackerFile(ran.output);
    expectLaws(file);
    expectCalls(file, ran.said);
    return { file, output: ran.output };
  };

  it.each(["handler", "ownStack"])("out of a signal's handler end, and others are as before: %s", async (mode) => {
    const { file, output } = jumped(mode);
    // Not within those that were left before.
    expect(pathsOf(file)).toEqual(["all", "all/behind", "all/outer", "all/outer/middle", "all/outer/middle/inner"]);
    expect(file.heatflowEnd.regionsWithoutEnd).toBeGreaterThan(0);
    const messages = (await opened(output)).warnings.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining("regions have no end of their own"));
  });

  it("out of functions end there", async () => {
    const { file, output } = jumped("functions");
    // Two functions that are called one after the other may begin at one place of the stack: then the second one is within the first, until
    // their caller has another mark.
    const paths = pathsOf(file).filter((one) => !one.endsWith("/after"));
    expect(paths).toEqual([
      "all",
      "all/begun",
      "all/begun/begun and left",
      "all/begun/begun and left/jumping",
      "all/jumping",
      "all/jumping/jumping",
      "all/jumping/jumping/jumping",
      "all/jumping/jumping/jumping/jumping",
    ]);
    expect(file.heatflowEnd.regionsWithoutEnd).toBe(22);
    const messages = (await opened(output)).warnings.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/^22 regions have no end of their own/));
  });

  it("past frames of C end where they are left", () => {
    const { file } = jumped("exceptions");
    expect(pathsOf(file)).toEqual(["all", "all/after", "all/caught", "all/sort", "all/sort/compare"]);
    expect(file.heatflowEnd).not.toHaveProperty("regionsWithoutEnd");
  });

  it("to another stack end with the region around them, which is said", () => {
    expect(jumped("coroutines").file.heatflowEnd.regionsWithoutEnd).toBe(3);
  });

  it("have ends that are theirs alone, and ends without a begin are said", async () => {
    const { file, output } = jumped("ends");
    for (const name of ["solve", "in its place", "stopped"]) {
      expect([name, seconds(file, name) >= 0.02]).toEqual([name, true]);
      expect(file.contexts.filter(({ frame }) => file.lines[frame].name === name).map(({ calls }) => calls)).toEqual([
        1,
      ]);
    }
    expect(pathsOf(file)).toEqual(["behind", "block", "in its place", "solve", "stopped", "within"]);
    expect(file.heatflowEnd).toMatchObject({ endsWithoutBegin: 2, firstEndWithoutBegin: "solve" });
    const messages = (await opened(output)).warnings.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/^2 ends of regions had no begin, the first of “solve”/));
  });
});

it("marks of C are left by a jump wherever it comes, and the tracker holds no lock", () => {
  const runtime = build(folder, ["src/heatflow.cpp"], { flags: ["-fPIC", "-shared"] });
  const program = build(folder, ["test/jumpedMarks.cpp"], { flags: [runtime] });
  const few = { HEATFLOW_METRICS: "0", HEATFLOW_SHORTEST_EVENT_NS: "1000000" };
  const { status, said, output } = run(folder, program, [], few);
  expect(status).toBe(0);
  const file = readTrackerFile(output);
  expectLaws(file);
  expectCalls(file, said);
});

describe.each(["g++", "clang++"])("functions that are left by a jump (%s)", (compiler) => {
  it.each([
    ["handler", ["main", "main/handled", "main/handled/behind", "main/handled/outer", "main/handled/outer/middle"]],
    ["recursion", ["main", "main/recurse", "main/recurse/after", "main/recurse/jump", "main/recurse/jump/recurse"]],
    ["exceptions", ["main", "main/catching", "main/catching/after", "main/catching/throwing"]],
  ])("end, and others are as before: %s", (mode, paths) => {
    const runtime = build(folder, ["src/heatflow.cpp"], { compiler, flags: ["-fPIC", "-shared"] });
    const flags = ["-finstrument-functions", "-O0", runtime];
    const program = build(folder, ["test/jumped.cpp"], { compiler, flags });
    const few = { HEATFLOW_METRICS: "0", HEATFLOW_SHORTEST_EVENT_NS: "1000000" };
    const { status, said, output } = run(folder, program, [mode], few);
    expect(status).toBe(0);
    const file = readTrackerFile(output);
    expectLaws(file);
    const calls = new Map([...callsByName(file)].map(([name, count]) => [name.replace(/\(.*$/, ""), count]));
    for (const [, name, least, most] of said.matchAll(/^(.*) (\d+) (\d+)$/gm)) {
      expect(calls.get(name)).toBeGreaterThanOrEqual(Number(least));
      expect(calls.get(name)).toBeLessThanOrEqual(Number(most));
    }
    const known = pathsOf(file);
    for (const one of paths) expect(known).toContain(one);
    // No deeper than the program.
    expect(Math.max(...known.map((one) => one.split("/").length))).toBeLessThanOrEqual(6);
  });
});
