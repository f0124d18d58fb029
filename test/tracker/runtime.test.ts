import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tracedTask } from "../../src/traced/definition";
import { thisMachine } from "../../src/traced/machine";
import { tracedRun } from "../../src/traced/tracedRun";
import { build, type Ran, run, temporaryFolder, trackerFolder } from "./build";
import { callsByName, readTrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const RUNTIME = "-DHEATFLOW_RUNTIME";
/** All regions of the program of two halves. */
const ALL = ["before main", "event [tag]", "main", "other"];

/** A half of the program, compiled alone, with all of the tracker or with the runtime beside. */
function half(name: "main" | "other", isAlone: boolean, compiler = "g++", ...more: readonly string[]): string {
  const flags = ["-c", "-g0", ...(isAlone ? [] : [RUNTIME]), ...(name === "other" ? ["-DOTHER_HALF"] : []), ...more];
  return build(folder, ["test/halves.cpp"], { compiler, flags });
}

const runtime = (compiler = "g++") =>
  build(folder, ["src/heatflow.cpp"], { compiler, flags: ["-fPIC", "-shared", RUNTIME] });

function expectAll({ status, complained, output }: Ran): void {
  expect([status, complained]).toEqual([0, ""]);
  const file = readTrackerFile(output);
  expect([...callsByName(file).keys()].sort()).toEqual(ALL);
  expect(new Set(file.contexts.map(({ thread }) => thread)).size).toBe(1);
  expect(file.attributes.map(({ key, last }) => [key, last])).toEqual([
    ["half", "other"],
    ["number", "2"],
  ]);
}

describe("a program of files that leave the recording to the runtime", () => {
  it.each([
    ["the first", true, false],
    ["the second", false, true],
    ["each", true, true],
  ])("records all where %s brings the whole tracker along", (_, isFirst, isSecond) => {
    expectAll(run(folder, build(folder, [half("main", isFirst), half("other", isSecond)]), []));
    // In another order the linker takes the functions that both have from the other one.
    expectAll(run(folder, build(folder, [half("other", isSecond), half("main", isFirst)]), []));
  });

  it.each([
    ["beside all else", [false, false]],
    ["beside a file that brings the whole tracker along", [true, false]],
  ])("records all where the runtime is linked %s", (_, [isFirst, isSecond]) => {
    const halves = [half("main", isFirst), half("other", isSecond)];
    const object = build(folder, ["src/heatflow.cpp"], { flags: ["-c", RUNTIME] });
    expectAll(run(folder, build(folder, [...halves, object]), []));
    // No symbol of the library is missing without it, so that some linkers would leave it out.
    const library = ["-Wl,--no-as-needed", runtime()];
    expectAll(run(folder, build(folder, halves, { flags: library }), []));
  });

  it.each([
    ["g++", "g++"],
    ["clang++", "g++"],
    ["g++", "clang++"],
  ])("records all where the runtime is loaded before it (%s, the runtime %s)", (compiler, ofRuntime) => {
    const hidden = ["-fvisibility=hidden", "-fvisibility-inlines-hidden"];
    const halves = [half("main", false, compiler, ...hidden), half("other", false, compiler, ...hidden)];
    const program = build(folder, halves, { compiler, flags: ["-rdynamic"] });
    expectAll(run(folder, program, [], { LD_PRELOAD: runtime(ofRuntime) }));
  });

  it("goes on without a runtime, and says once that nothing is recorded, unless nothing is wanted", () => {
    const program = build(folder, [half("main", false), half("other", false)]);
    const { status, complained, output } = run(folder, program, []);
    const said =
      "heatflow: nothing is recorded: the program was compiled with HEATFLOW_RUNTIME, and tracker/src/heatflow.cpp is neither linked nor loaded.\n";
    expect([status, complained, fs.existsSync(output)]).toEqual([0, said, false]);
    expect(run(folder, program, [], { HEATFLOW_ENABLE: "0" })).toMatchObject({ status: 0, complained: "" });
  });
});

it("leaves nothing of itself in a program that is compiled with HEATFLOW_OFF", () => {
  const off = (...more: string[]) => build(folder, ["test/halves.cpp"], { flags: ["-c", "-DHEATFLOW_OFF", ...more] });
  const program = build(folder, [off(), off("-DOTHER_HALF")], {});
  const { status, complained, output } = run(folder, program, [], { LD_PRELOAD: runtime() });
  expect([status, complained, fs.existsSync(output)]).toEqual([0, "", false]);
});

it.each(["gcc", "clang"])("records C where a runtime is loaded before it, and goes on without one (%s)", (compiler) => {
  const c = (macro: string) => build(folder, ["test/marked.c"], { compiler, standard: "c89", flags: [macro] });
  const program = c(RUNTIME);
  expect(run(folder, program, [])).toMatchObject({ status: 0, complained: "", said: "all 1\npart 3\n" });
  const { output } = run(folder, program, [], { LD_PRELOAD: runtime() });
  const file = readTrackerFile(output);
  expect(callsByName(file)).toEqual(
    new Map([
      ["all", 1],
      ["part", 3],
    ]),
  );
  expect(file.attributes.map(({ key, count }) => [key, count])).toEqual([
    ["at", 3],
    ["text", 3],
  ]);
  expect(run(folder, c("-DHEATFLOW_OFF"), []).status).toBe(0);
});

describe("a traced build by make", () => {
  const write = (name: string, link: string, flags = "") => {
    const at = path.join(folder, name);
    fs.mkdirSync(at);
    fs.copyFileSync(path.join(trackerFolder, "test", "halves.cpp"), path.join(at, "halves.cpp"));
    const compile = (object: string, more: string) =>
      `${object}: halves.cpp\n\t$(CXX) $(CXXFLAGS)${flags}${more} -c -o $@ $<\n`;
    const halves = compile("main.o", "") + compile("other.o", " -DOTHER_HALF");
    fs.writeFileSync(path.join(at, "Makefile"), `prog: main.o other.o\n\t${link}\n${halves}`);
    return at;
  };
  const tracedBy = async (tool: string, cwd: string) => {
    const said: string[] = [];
    let printed = "";
    const { recordings, facts } = await tracedRun(tracedTask({ tool, cwd }, folder), thisMachine(trackerFolder, {}), {
      signal: new AbortController().signal,
      output: (data) => void (printed += data.toString()),
      say: (line) => void said.push(line),
      compilerSaid: () => undefined,
      choose: async () => undefined,
      chooseProcess: async () => undefined,
    });
    expect([facts.exitCode, recordings.length], printed).toEqual([0, 1]);
    return { recording: recordings[0], said, printed };
  };
  const traced = async (cwd: string) => {
    const { recording, said, printed } = await tracedBy("tracker", cwd);
    expect([...callsByName(readTrackerFile(recording)).keys()].sort()).toEqual(ALL);
    return { isRepeated: said.some((line) => line.includes("is built again")), compiles: printed.match(/ -c -o /g) };
  };

  it.each([
    ["the compiler's flags", "$(CXX) $(CXXFLAGS) -o $@ $^", false],
    ["no flags", "$(CXX) -o $@ $^ -lpthread", true],
    ["all libraries in it", "$(CXX) $(CXXFLAGS) -static -o $@ $^", true],
  ])("records a program that is linked with %s", async (_, link, isRepeated) => {
    // Unoptimized, which takes half as long: only the link matters.
    const at = write(`make-${link.length}`, link, " -O0 -g0");
    expect(await traced(at)).toEqual({ isRepeated, compiles: expect.objectContaining({ length: isRepeated ? 4 : 2 }) });
    // What was found the first time is known.
    expect(await traced(at)).toEqual({ isRepeated: false, compiles: null });
  });

  it("measures a marked program with other tools, too", async () => {
    const at = write("make-others", "$(CXX) $(CXXFLAGS) -o $@ $^");
    const { recording } = await tracedBy("instrument", at);
    const names = [...callsByName(readTrackerFile(recording)).keys()];
    // Its functions, and its regions within them.
    expect(names).toEqual(expect.arrayContaining([...ALL, "other()"]));
    const counted = fs.readFileSync((await tracedBy("callgrind", at)).recording, "utf8");
    expect(counted).toContain("other()");
    expect(counted).not.toContain("heatflow::Region");
  });
});
