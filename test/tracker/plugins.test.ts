import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { callsByName, readTrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const COMPILERS = [
  ["g++", ["-fno-gnu-unique"]],
  ["clang++", []],
] as const;

describe.each(COMPILERS)("libraries that are unloaded (%s)", (compiler, more) => {
  const plugin = (name: string, ...flags: string[]) =>
    build(folder, ["test/plugin.cpp"], {
      compiler,
      flags: ["-fPIC", "-shared", `-DPLUGIN="${name}"`, ...more, ...flags],
    });

  it.each([
    ["and bring the tracker along", []],
    ["and leave recording to the program", ["-DHEATFLOW_RUNTIME"]],
  ])("have their regions in the recording, each its own at one place, %s", (_, flags) => {
    const program = build(folder, ["test/plugins.cpp"], { compiler, flags: ["-DMARKED", "-rdynamic", ...more] });
    // Libraries of one size take each other's place.
    const plugins = ["first", "other", "third"].map((name) => plugin(name, ...flags));
    const { status, complained, output } = run(folder, program, [...plugins, plugins[0]]);
    expect([status, complained]).toEqual([0, ""]);
    const file = readTrackerFile(output);
    expect(Object.fromEntries(callsByName(file))).toEqual({ main: 1, first: 2, other: 1, third: 1 });
    const said = file.attributes.map(({ frame, count, ...row }) => [
      file.lines[frame].name,
      count,
      (row as { last?: string }).last,
    ]);
    expect(said).toEqual([
      ["first", 2, "first"],
      ["other", 1, "other"],
      ["third", 1, "third"],
    ]);
  });

  it("have their functions in the recording, each its own at one place", () => {
    const library = build(folder, ["src/heatflow.cpp"], { compiler, flags: ["-fPIC", "-shared"] });
    const program = build(folder, ["test/plugins.cpp"], { compiler });
    const flags = ["-fPIC", "-shared", "-finstrument-functions", ...more];
    // Libraries of one size take each other's place.
    const [first, ...others] = ["first", "other", "third"].map((name) =>
      build(folder, ["test/unmarked.cpp"], { compiler, flags: [...flags, `-DPLUGIN=${name}`] }),
    );
    const { status, complained, output } = run(folder, program, [first, ...others, first], { LD_PRELOAD: library });
    expect([status, complained]).toEqual([0, ""]);
    const file = readTrackerFile(output);
    const calls = callsByName(file);
    const own = ["first", "other", "third"].map((name) => calls.get(`(anonymous namespace)::${name}()`));
    expect([...own, calls.get("work")]).toEqual([6, 3, 3, 4]);
    const places = file.lines.map(({ name, module, file, line }) => [name, module, file && path.basename(file), line]);
    for (const [at, name] of ["first", "other", "third"].entries())
      expect(places).toContainEqual([`(anonymous namespace)::${name}()`, [first, ...others][at], "unmarked.cpp", 5]);
  });

  it("may have the tracker itself, and stay", () => {
    const at = fs.mkdtempSync(path.join(folder, "alone-"));
    const program = build(folder, ["test/plugins.cpp"], { compiler });
    const output = { HEATFLOW_OUTPUT: path.join(at, "out.json") };
    const { status, complained } = run(folder, program, [plugin("first"), plugin("first")], output);
    expect([status, complained]).toEqual([0, ""]);
    expect(fs.readdirSync(at)).toEqual(["out.json"]);
    expect(Object.fromEntries(callsByName(readTrackerFile(path.join(at, "out.json"))))).toEqual({ first: 2 });
  });

  it("may be in namespaces of their own, with a recording each", () => {
    const at = fs.mkdtempSync(path.join(folder, "apart-"));
    const program = build(folder, ["test/plugins.cpp"], { compiler });
    const output = { HEATFLOW_OUTPUT: path.join(at, "out.json") };
    expect(run(folder, program, ["ns", plugin("first"), plugin("other")], output).status).toBe(0);
    const regions = fs
      .readdirSync(at)
      .map((name) => [...callsByName(readTrackerFile(path.join(at, name))).keys()].join());
    expect(regions.sort()).toEqual(["first", "other"]);
  });
});
