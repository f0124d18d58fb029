import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { expectLaws } from "./laws";
import { callsByName, readTrackerFile, type TrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const simple = (name: string) => name.replace(/\(.*$/, "");

/** Calls of each context as `PATH CALLS`, the path made of names; sorted. */
function callsByPath({ contexts, lines }: TrackerFile): string[] {
  const paths = new Map<number, string>();
  const calls = new Map<string, number>();
  for (const { id, parent, frame, calls: count } of [...contexts].sort((a, b) => a.id - b.id)) {
    const above = parent === undefined ? undefined : paths.get(parent);
    const path = (above === undefined ? "" : `${above}/`) + simple(lines[frame].name);
    paths.set(id, path);
    calls.set(path, (calls.get(path) ?? 0) + count);
  }
  return [...calls].map(([path, count]) => `${path} ${count}`).sort();
}

describe.each([
  ["g++", "-O2"],
  ["g++", "-O3"],
  ["clang++", "-O2"],
  ["clang++", "-O3"],
])("functions whose end is a jump to the tracker (%s %s)", (compiler, level) => {
  const runtime = () => build(folder, ["src/heatflow.cpp"], { compiler, flags: ["-fPIC", "-shared"] });
  const program = (...flags: string[]) =>
    build(folder, ["test/tailCalls.cpp"], { compiler, flags: ["-finstrument-functions", level, ...flags, runtime()] });
  const recorded = (mode: string, ...flags: string[]) => {
    const { status, said, output } = run(folder, program(...flags), [mode], { HEATFLOW_METRICS: "0" });
    expect(status).toBe(0);
    const file = readTrackerFile(output);
    expectLaws(file);
    const expected = [...said.matchAll(/^(.*) (\d+) \2$/gm)].map(([, name, count]) => `${name} ${count}`);
    expect([...callsByName(file)].map(([name, count]) => `${simple(name)} ${count}`).sort()).toEqual(expected.sort());
    return file;
  };

  it.runIf(compiler === "g++")("are made by the compiler", () => {
    const code = execFileSync("objdump", ["-d", "--no-show-raw-insn", program()], { encoding: "utf8" });
    expect(code).toMatch(/\sjmp\s.*__cyg_profile_func_exit/);
  });

  it.each(["recursion", "mutual", "stack"])("end there, once: %s", (mode) => {
    const file = recorded(mode);
    expect(file.heatflowEnd.regionsWithoutEnd ?? 0).toBe(0);
    // The same contexts as without such jumps.
    expect(callsByPath(file)).toEqual(callsByPath(recorded(mode, "-fno-optimize-sibling-calls")));
  });

  it("end there though functions that they have called were left by a jump", () => {
    const file = recorded("jump");
    const paths = callsByPath(file);
    for (const path of ["main", "main/catching", "main/catching/within", "main/catching/within/catching/within"])
      expect(paths.some((one) => one.startsWith(`${path} `))).toBe(true);
    expect(paths.filter((path) => /fall.*(walk|within|catching)|^main\/(?!catching)/.test(path))).toEqual([]);
    // Three at each jump.
    expect(file.heatflowEnd).toMatchObject({ regionsWithoutEnd: 18 });
  });
});
