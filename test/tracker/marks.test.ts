import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, checkSyntax, run, temporaryFolder } from "./build";
import { expectLaws, saidCalls } from "./laws";
import { callsByName, readTrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("marks", () => {
  it.each([
    ["g++", "c++20", ["-O2", "-Wshadow"]],
    ["clang++", "c++20", ["-Wshadow", "-fno-rtti"]],
    // Programs that are compiled without parts of the language.
    ["g++", "c++17", ["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"]],
    ["clang++", "c++17", ["-fno-exceptions", "-O2", "-fno-asynchronous-unwind-tables"]],
  ] as const)("may share a line and a macro (%s, %s, %s)", (compiler, standard, flags) => {
    const program = build(folder, ["test/marks.cpp"], { compiler, standard, flags });
    const { status, said, complained, output } = run(folder, program, []);
    expect([status, complained]).toEqual([0, ""]);
    const file = readTrackerFile(output);
    expect(callsByName(file)).toEqual(saidCalls(said));
    expectLaws(file);
  });

  it.each(["g++", "clang++"])("of C have a runtime that needs no exceptions (%s)", (compiler) => {
    checkSyntax(["src/heatflow.cpp", "src/allocations.cpp"], compiler, "c++17", ["-fno-exceptions", "-fno-rtti"]);
  });
});
