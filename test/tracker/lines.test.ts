import fs from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { readTrackerFile } from "./recording";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Each has tables of lines of its own kind: another version, words of eight bytes, parts of code that was left out. */
const ways = [
  ["g++", "-O2"],
  ["g++", "-O0"],
  ["g++", "-O2 -gdwarf-4"],
  ["g++", "-O2 -gdwarf64"],
  ["g++", "-O2 -ffunction-sections -Wl,--gc-sections"],
  ["clang++", "-O2"],
  ["clang++", "-O2 -gdwarf-4"],
] as const;

describe("lines of instrumented functions", () => {
  it.each(ways)("are those that the program says itself (%s, %s)", { timeout: 60_000 }, (compiler, how) => {
    const library = build(folder, ["src/heatflow.cpp"], { flags: ["-fPIC", "-shared"] });
    const program = build(folder, ["test/headers.cpp"], {
      compiler,
      flags: ["-finstrument-functions", ...how.split(" ")],
    });
    const { said, output } = run(folder, program, [], { LD_PRELOAD: library });
    const expected = new Map(
      said
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ") as [string, string]),
    );
    expect([...expected.keys()].sort()).toEqual(["heat", "main", "squared", "warmed"]);
    const { contexts, lines } = readTrackerFile(output);
    const called = new Set(contexts.map(({ frame }) => frame));
    for (const { frame, name, file, line } of lines) {
      const own = [...expected.keys()].find((key) => new RegExp(`\\b${key}\\b`).test(name));
      if (called.has(frame)) expect([name, `${file}:${line}`]).toEqual([name, own && expected.get(own)]);
    }
  });
});
