import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder, trackerFolder } from "./build";
import { callsByName, readTrackerFile } from "./recording";

const python = spawnSync("python3", ["--version"]).status === 0 ? "python3" : undefined;
const program = path.join(trackerFolder, "test", "program.py");

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const environment = (library: string) => ({
  HEATFLOW_LIBRARY: library,
  PYTHONPATH: path.join(trackerFolder, "python"),
  PYTHONDONTWRITEBYTECODE: "1",
});

describe.skipIf(python === undefined)("the tracker in Python", () => {
  const library = () => build(folder, ["src/heatflow.cpp"], { flags: ["-fPIC", "-shared"] });

  it("records regions, decorated functions, recursion, threads and what exceptions leave, at their lines", () => {
    const { status, complained, output } = run(folder, "python3", [program], environment(library()));
    expect([status, complained]).toEqual([0, ""]);
    const file = readTrackerFile(output);
    expect(Object.fromEntries(callsByName(file))).toEqual({
      "Solver.solve": 1,
      assemble: 1,
      decorated: 1,
      factorial: 6,
      fails: 3,
    });
    const source = fs.readFileSync(program, "utf8").split("\n");
    const lineOf = (text: string) => source.findIndex((line) => line.includes(text)) + 1;
    const placed = Object.fromEntries(file.lines.map(({ name, file: at, line }) => [name, [at, line]]));
    expect(placed.assemble).toEqual([program, lineOf('region("assemble")')]);
    expect(placed.fails).toEqual([program, lineOf('region("fails")')]);
    // Python counts a function from its first decorator.
    expect(placed.factorial).toEqual([program, lineOf("def factorial") - 1]);
    // Recursion is a chain of contexts, and a thread has contexts of its own.
    const chain = file.contexts.filter(({ frame }) => file.lines[frame].name === "factorial");
    expect(chain).toHaveLength(6);
    expect(new Set(chain.map(({ thread }) => thread)).size).toBe(2);
    expect(file.attributes.map(({ key, last }) => [key, last])).toEqual([
      ["size", "64"],
      ["method", "cg"],
    ]);
  });

  it("writes where it is told to, and says what is wrong where it cannot", () => {
    const told = path.join(folder, "told.json");
    expect(run(folder, "python3", [program, told], environment(library())).status).toBe(0);
    expect(callsByName(readTrackerFile(told)).get("factorial")).toBe(6);
    const nowhere = run(folder, "python3", [program, path.join(folder, "no", "where.json")], environment(library()));
    expect(nowhere.status).toBe(1);
    expect(nowhere.complained).toContain("OSError: heatflow: the recording could not be written to");
    const missing = run(folder, "python3", [program], environment(path.join(folder, "missing.so")));
    expect(missing.complained).toMatch(
      /ImportError: heatflow: .*missing\.so cannot be loaded .* Compile tracker\/src\/heatflow\.cpp/,
    );
  });
});
