/** Only what a task's program needs is built: with the real CMake and make, where they are installed. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildProgram } from "../../../src/traced/build";
import { programOf } from "../../../src/traced/builtProgram";
import { splitCmakeArguments } from "../../../src/traced/buildTargets";
import { tracedTask } from "../../../src/traced/definition";
import { thisMachine } from "../../../src/traced/machine";
import { runStep } from "../../../src/traced/processes";
import { makeOutput } from "../../../src/traced/runs";

const has = (name: string) => thisMachine("", {}).find(name) !== undefined;

let folder: string;
beforeEach(() => void (folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-targets-")))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
}

const GOOD = "int main() { return 0; }\n";
/** No compiler takes it. */
const BROKEN = "int main() { this is broken }\n";
const sources = { "good.cpp": GOOD, "broken.cpp": BROKEN, "part.cpp": "int part() { return 1; }\n" };

/** Builds as a task does. @returns the built program, the exit codes of the steps, and Heatflow's own lines */
async function build(definition: Readonly<Record<string, unknown>>) {
  const task = tracedTask({ tool: "callgrind", ...definition }, folder);
  await makeOutput(task.output);
  const lines: string[] = [];
  const codes: (number | null)[] = [];
  const { signal } = new AbortController();
  const host = { signal, output: () => undefined, say: (line: string) => void lines.push(line) };
  const result = await buildProgram(task, thisMachine(path.resolve("tracker"), {}), host, async (step) => {
    codes.push((await runStep(step, host, process.env)).code);
  });
  const program = await programOf(task, result, async () => undefined).catch(() => undefined);
  return { program: program && path.basename(program), codes, lines, folder: result.folders[0] };
}

const cmakeLists = (text: string) =>
  `cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nset(CMAKE_CXX_STANDARD 17)\n${text}`;
const THREE = "add_executable(good good.cpp)\nadd_executable(broken broken.cpp)\nadd_library(part part.cpp)\n";

describe.skipIf(!has("cmake"))("a build by CMake", () => {
  it.each([
    ["its target", THREE, "good"],
    ["its file's name", `${THREE}set_target_properties(good PROPERTIES OUTPUT_NAME solver)\n`, "solver"],
    ["its path", `${THREE}set_target_properties(good PROPERTIES RUNTIME_OUTPUT_DIRECTORY bin)\n`, "bin/good"],
    ["a target that is not in all", THREE.replace("good good", "good EXCLUDE_FROM_ALL good"), "good"],
  ])("builds only the program that a task names by %s", async (_, text, program) => {
    write({ ...sources, "CMakeLists.txt": cmakeLists(text) });
    const result = await build({ program });
    expect(result).toMatchObject({ program: path.basename(program), codes: [0, 0], lines: [] });
    expect(fs.existsSync(path.join(result.folder, "libpart.a"))).toBe(false);
  });

  it("builds what the program depends on, and plugins, which nothing depends on", async () => {
    const more = "add_library(plugin MODULE part.cpp)\ntarget_link_libraries(good part)\n";
    write({ ...sources, "CMakeLists.txt": cmakeLists(`${THREE}${more}`) });
    const result = await build({ program: "good" });
    expect(result).toMatchObject({ program: "good", codes: [0, 0] });
    for (const file of ["libpart.a", "libplugin.so"]) expect(fs.existsSync(path.join(result.folder, file))).toBe(true);
  });

  it("builds all targets if no program has the name, and says so", async () => {
    write({ ...sources, "broken.cpp": GOOD, "CMakeLists.txt": cmakeLists(THREE), "run.sh": "#!/bin/sh\n" });
    fs.chmodSync(path.join(folder, "run.sh"), 0o755);
    const result = await build({ program: "run.sh" });
    const line = "No program of this CMake project is called run.sh, so all of its targets are built.";
    expect(result).toMatchObject({ program: "run.sh", codes: [0, 0], lines: [line] });
    for (const file of ["good", "broken", "libpart.a"])
      expect(fs.existsSync(path.join(result.folder, file))).toBe(true);
  });

  it("builds all targets without a word if a task names no program", async () => {
    write({ ...sources, "CMakeLists.txt": cmakeLists(THREE) });
    expect(await build({})).toMatchObject({ codes: [0, 2], lines: [] });
  });

  it("builds the targets that the task's own arguments name", async () => {
    write({ ...sources, "CMakeLists.txt": cmakeLists(THREE) });
    const result = await build({ program: "good", build: ["cmake", "-DA=1", "--target", "good", "part", "-DB=2"] });
    expect(result).toMatchObject({ program: "good", codes: [0, 0], lines: [] });
    expect(fs.existsSync(path.join(result.folder, "libpart.a"))).toBe(true);
    expect(fs.readFileSync(path.join(result.folder, "CMakeCache.txt"), "utf8")).toMatch(/^B:UNINITIALIZED=2$/m);
  });

  it.each<[readonly string[], readonly string[], readonly string[]]>([
    [["-DA=1"], ["-DA=1"], []],
    [["--target", "a", "b"], [], ["a", "b"]],
    [["--target"], [], []],
    [["-DA=1", "--target", "a", "-DB=2"], ["-DA=1", "-DB=2"], ["a"]],
  ])("parts the arguments %j", (more, configure, targets) => {
    expect(splitCmakeArguments(more)).toEqual({ configure, targets });
  });
});

describe.skipIf(!has("make"))("a build by make", () => {
  const rule = (name: string, source: string) =>
    `${name}: ${source}\n\tmkdir -p $(@D) && $(CXX) $(CXXFLAGS) $< -o $@\n`;
  const makefile = (names: readonly string[]) =>
    `all: ${names.join(" ")}\n${names.map((name) => rule(name, name.endsWith("broken") ? "broken.cpp" : "good.cpp")).join("")}`;

  it.each([
    ["good", ["broken", "good"]],
    ["./good", ["broken", "good"]],
    ["good", ["bin/broken", "bin/good"]],
    ["bin/good", ["bin/broken", "bin/good"]],
  ])("builds only the program %s of %j", async (program, names) => {
    write({ ...sources, Makefile: makefile(names) });
    expect(await build({ program })).toMatchObject({ program: "good", codes: [0], lines: [] });
  });

  it.each([
    ["a phony target, which may do anything", ".PHONY: good\ngood: all\n\ttouch done\n"],
    ["no target", ""],
  ])("builds the default target if the program is %s, and says so", async (_, more) => {
    const recipe = "all: good.cpp\n\t$(CXX) $(CXXFLAGS) good.cpp -o out && cp out good\n";
    write({ ...sources, Makefile: `${recipe}${more}` });
    const result = await build({ program: "good" });
    const line = "The Makefile has no rule that makes the file good alone, so make builds its default target.";
    expect(result).toMatchObject({ program: "good", codes: [0], lines: [line] });
    expect(fs.existsSync(path.join(result.folder, "done"))).toBe(false);
  });

  it("builds the targets that the task's own arguments name", async () => {
    write({ ...sources, Makefile: makefile(["broken", "good", "bin/good"]) });
    const result = await build({ program: "good", build: ["make", "bin/good", "good"] });
    expect(result).toMatchObject({ program: "good", codes: [0], lines: [] });
    expect(fs.existsSync(path.join(result.folder, "bin/good"))).toBe(true);
  });
});
