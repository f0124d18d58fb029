/** Names with spaces and quotes, and where builds put their programs: with the real tools, where they are installed. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildProgram } from "../../../src/traced/build";
import { programOf } from "../../../src/traced/builtProgram";
import { tracedTask } from "../../../src/traced/definition";
import { isProgram, thisMachine } from "../../../src/traced/machine";
import { runStep } from "../../../src/traced/processes";
import { makeOutput } from "../../../src/traced/runs";

const has = (name: string) => thisMachine("", {}).find(name) !== undefined;

let folder: string;
beforeEach(() => void (folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-names-")))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function write(at: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(at, name)), { recursive: true });
    fs.writeFileSync(path.join(at, name), text, { mode: 0o755 });
  }
  return at;
}

/** Builds as a task does. @returns the program, relative to the task's folder, and what was offered */
async function built(
  cwd: string,
  definition: Readonly<Record<string, unknown>>,
  { tracker = path.resolve("tracker"), answer = "" } = {},
): Promise<{ program: string; offered: readonly string[] }> {
  const task = tracedTask({ tool: "callgrind", ...definition }, cwd);
  const { signal } = new AbortController();
  await makeOutput(task.output);
  let said = "";
  const host = { signal, output: (data: Buffer) => void (said += data.toString()), say: () => undefined };
  const result = await buildProgram(task, thisMachine(tracker, {}), host, async (step) => {
    const { code } = await runStep(step, host, process.env);
    expect(code, `${step.title}: ${said}`).toBe(0);
  });
  let offered: readonly string[] = [];
  const program = await programOf(task, result, async (programs, from) => {
    offered = programs.map((file) => path.relative(from, file));
    return programs.find((file) => path.basename(file) === answer);
  });
  return { program, offered };
}

const MAIN = "#include <heatflow/tracker.hpp>\nint main() { HEATFLOW_FUNCTION; return VALUE - 1; }\n";
const project = (text: string) =>
  `cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nset(CMAKE_CXX_STANDARD 17)\n${text}`;

const ways = {
  cmake: {
    files: { "CMakeLists.txt": project("add_definitions(-DVALUE=1)\nadd_executable(p main.cpp)\n"), "main.cpp": MAIN },
    definition: {},
  },
  make: {
    files: {
      Makefile: "CXXFLAGS = -DVALUE=1\np: main.cpp\n\t$(CXX) $(CXXFLAGS) -std=c++17 main.cpp -o p\n",
      "main.cpp": MAIN,
    },
    definition: {},
  },
  "a single file": {
    files: { "main.cpp": `#define VALUE 1\n${MAIN}` },
    definition: { program: "main.cpp" },
  },
  "a script of one's own": {
    files: { "build.sh": "#!/bin/sh\nc++ $CXXFLAGS -DVALUE=1 -std=c++17 main.cpp -o p\n", "main.cpp": MAIN },
    definition: { build: ["/bin/sh", "build.sh"], program: "p" },
  },
} as const;

describe("names with spaces and quotes", () => {
  const hostile = ["jane doe", "o'neil & (co)", "two  spaces;#1", 'a "quote" $HOME', "back\\slash* [x]?"];
  // CMake configures for seconds: it has a name of each kind.
  const cases = Object.entries(ways).flatMap(([way, of]) =>
    (way === "cmake" ? hostile.slice(1, 4) : hostile).map((name) => ({ way, name, ...of })),
  );
  const possible = cases.filter(({ way }) => way !== "cmake" || has("cmake"));

  it.each(possible)(
    "of the extension's folder reach the compiler: $name, by $way",
    async ({ name, files, definition }) => {
      const tracker = path.join(folder, "extension", name);
      fs.mkdirSync(path.dirname(tracker));
      fs.symlinkSync(path.resolve("tracker"), tracker);
      const { program } = await built(write(path.join(folder, "w"), files), definition, { tracker });
      execFileSync(program);
    },
  );

  // Other characters CMake and make themselves do not take.
  it.each(possible.filter(({ way, name }) => name === hostile[1] || way === "a single file"))(
    "of the workspace folder reach the compiler: $name, by $way",
    async ({ name, files, definition }) => {
      const { program } = await built(write(path.join(folder, name), files), definition);
      execFileSync(program);
    },
  );

  it("of flags reach a script of one's own, which parts them at spaces", async () => {
    const files = {
      ...ways["a script of one's own"].files,
      "build.sh": '#!/bin/sh\nprintf "%s\\n" $CXXFLAGS > flags\ncp /bin/true p\n',
    };
    const definition = { ...ways["a script of one's own"].definition, tool: "instrument" };
    const cwd = write(path.join(folder, "w"), files);
    await built(cwd, { ...definition, exclude: ["/usr/", ".h"] });
    const flags = () => fs.readFileSync(path.join(cwd, "flags"), "utf8").trimEnd().split("\n");
    expect(flags().slice(0, 4)).toEqual([
      "-O2",
      "-g",
      "-finstrument-functions",
      "-finstrument-functions-exclude-file-list=/usr/,.h",
    ]);
    await built(cwd, { ...definition, exclude: ["/usr/", "/third party/"] });
    const [level, file, ...rest] = flags();
    expect([level, rest]).toEqual(["-O2", []]);
    expect(file).toMatch(/^@\/\S+\.CXXFLAGS$/);
    // Only the build needs it.
    expect(fs.existsSync(file.slice(1))).toBe(false);
  });
});

describe("the program of a build", () => {
  const main = { "main.cpp": "int main() { return 0; }\n" };
  const cmake = (text: string) => write(path.join(folder, "w"), { "CMakeLists.txt": project(text), ...main });

  it.skipIf(!has("cmake")).each([
    [
      "an output name",
      "add_executable(app main.cpp)\nset_target_properties(app PROPERTIES OUTPUT_NAME solver)\n",
      "solver",
    ],
    [
      "an output folder",
      "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/out/bin)\nadd_executable(app main.cpp)\n",
      "out/bin/app",
    ],
    [
      "both, and a suffix",
      "add_executable(app main.cpp)\nset_target_properties(app PROPERTIES OUTPUT_NAME s-1.2 SUFFIX .x RUNTIME_OUTPUT_DIRECTORY dist)\n",
      "dist/s-1.2.x",
    ],
  ])("is found by its target, its file's name and its path where CMake gives it %s", async (_, text, file) => {
    const cwd = cmake(`${text}add_executable(other main.cpp)\nadd_executable(later EXCLUDE_FROM_ALL main.cpp)\n`);
    for (const program of ["app", path.basename(file), file]) {
      const found = await built(cwd, { program });
      expect(found.program.endsWith(`/${file}`), found.program).toBe(true);
      expect(found.offered).toEqual([]);
    }
    const asked = await built(cwd, {}, { answer: "other" });
    expect(asked.offered).toContain(file);
    expect(asked.offered.map((one) => path.basename(one)).sort()).toEqual([path.basename(file), "other"].sort());
  });

  it.skipIf(!has("cmake"))("is what was built, not what lies beside the sources under the same name", async () => {
    const cwd = cmake(
      "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\nadd_executable(app main.cpp)\nadd_executable(b main.cpp)\n",
    );
    fs.copyFileSync("/bin/true", path.join(cwd, "app"));
    const { program } = await built(cwd, { program: "app" });
    expect(program).toContain("/.heatflow/build/");
  });

  it.skipIf(!has("cmake") || !has("ninja"))("is one of several configurations", async () => {
    const cwd = cmake("add_executable(app main.cpp)\nadd_executable(other main.cpp)\n");
    const { program } = await built(cwd, { program: "app", build: ["cmake", "-GNinja Multi-Config"] });
    expect(program.endsWith("/RelWithDebInfo/app")).toBe(true);
    const debug = await built(cwd, {
      program: "app",
      build: ["cmake", "-G", "Ninja Multi-Config", "-DCMAKE_BUILD_TYPE=Debug"],
    });
    expect(debug.program.endsWith("/Debug/app")).toBe(true);
  });

  it.each([
    ["in a folder", "bin/app", "mkdir -p bin"],
    ["beside the copy", "../bin/app", "mkdir -p ../bin"],
    ["elsewhere", "$(ELSEWHERE)/app-2", "mkdir -p $(ELSEWHERE)"],
  ])("is found where a Makefile puts it %s", async (_, target, prepare) => {
    const elsewhere = path.join(folder, "elsewhere");
    const cwd = write(path.join(folder, "w"), {
      Makefile: `ELSEWHERE = ${elsewhere}\nall: ${target}\n${target}: main.cpp\n\t${prepare}\n\t$(CXX) $(CXXFLAGS) main.cpp -o $@\n`,
      ...main,
    });
    const { program } = await built(cwd, {});
    expect(path.basename(program)).toBe(path.posix.basename(target));
    expect(isProgram(program)).toBe(true);
    expect((await built(cwd, { program: path.basename(program) })).program).toBe(program);
  });

  it("is offered where a build made none of the task's name", async () => {
    const cwd = write(path.join(folder, "w"), {
      Makefile: "all: bin/one bin/two\nbin/%: main.cpp\n\tmkdir -p bin\n\t$(CXX) main.cpp -o $@\n",
      ...main,
    });
    const { program, offered } = await built(cwd, { program: "gone" }, { answer: "two" });
    expect(path.basename(program)).toBe("two");
    expect([...offered].sort()).toEqual(["bin/one", "bin/two"]);
    await expect(built(cwd, { program: "gone" })).rejects.toThrow(
      /made no program gone\. It made bin\/(one, bin\/two|two, bin\/one)/,
    );
  });
});
