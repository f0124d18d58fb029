import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { splitArguments } from "../../../src/traced/commandText";
import { makeArguments } from "../../../src/traced/makefile";
import { CompilerMessages } from "../../../src/traced/messages";
import { commandLine } from "../../../src/traced/steps";

let folder: string;
beforeAll(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-traced-"))));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const argument = fc.string({ unit: "grapheme-ascii", maxLength: 8 }).filter((text) => !text.includes("\0"));

describe("arguments as a person types them", () => {
  it("are split where a shell splits them, and nothing of them is expanded", () => {
    const plain = fc.stringMatching(/^[\w$*~()#;|&]{1,6}$/);
    const quoted = fc.stringMatching(/^[\w $*()']{0,6}$/).map((text) => [text, `"${text}"`] as const);
    const one = fc.oneof(
      plain.map((text) => [text, text] as const),
      quoted,
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 5 }), (all) => {
        expect(splitArguments(all.map(([, typed]) => typed).join("  "))).toEqual(all.map(([text]) => text));
      }),
    );
  });

  it("are none of a quote that is not closed", () => {
    expect(splitArguments('a "b')).toBeUndefined();
    expect(splitArguments("it's")).toBeUndefined();
    expect(splitArguments("")).toEqual([]);
    expect(splitArguments("''")).toEqual([""]);
  });
});

describe("a command in the terminal", () => {
  it("is what a shell takes for the same arguments", () => {
    fc.assert(
      fc.property(fc.array(argument, { minLength: 1, maxLength: 5 }), (args) => {
        const line = commandLine({ command: "/usr/bin/printf", args: ["%s\\0", ...args], env: {} });
        const printed = execFileSync("bash", ["-c", line], { encoding: "utf8" });
        expect(printed.split("\0").slice(0, -1)).toEqual(args);
      }),
      { numRuns: 20 },
    );
  });
});

describe("flags for make", () => {
  const flags = { C: ["-g"], CXX: ["-g", "-DNAME='a b'", "-DX=$Y"], CUDA: ["-g"], Fortran: ["-g"] };

  /** What the compiler gets, as a recipe prints it, one argument per line. */
  function given(makefile: string): string[] {
    fs.writeFileSync(path.join(folder, "Makefile"), `${makefile}\nall:\n\t@printf '%s\\n' $(CXXFLAGS)\n`);
    const make = (...args: string[]) => execFileSync("make", args, { cwd: folder, encoding: "utf8" });
    return make(...makeArguments(make("-pn"), flags))
      .trim()
      .split("\n");
  }
  const own = ["-g", "-DNAME='a b'", "-DX=$Y"];

  it.each([
    ["CXXFLAGS = -O3 -Wall", ["-O3", "-Wall"]],
    ["CXXFLAGS := -O3", ["-O3"]],
    ["CXXFLAGS ?= -O3", ["-O3"]],
    ["OPT = -O1\nCXXFLAGS = $(OPT) -Wall", ["-O1", "-Wall"]],
    ["", ["-O2"]],
  ])("stand behind those of a Makefile with %j", (makefile, before) => {
    expect(given(makefile)).toEqual([...before, ...own]);
  });

  it("stand behind those of make's command line", () => {
    fs.writeFileSync(path.join(folder, "Makefile"), "CXXFLAGS = -O1\nall:\n\t@printf '%s\\n' $(CXXFLAGS)\n");
    const more = ["CXXFLAGS=-O3 -Wall"];
    const make = (...args: string[]) => execFileSync("make", args, { cwd: folder, encoding: "utf8" });
    expect(
      make(...more, ...makeArguments(make("-pn", ...more), flags))
        .trim()
        .split("\n"),
    ).toEqual(["-O3", "-Wall", ...own]);
  });

  it("stand before what a Makefile adds in any case", () => {
    const all = given("CXXFLAGS ?= -O3\noverride CXXFLAGS += -std=c++17");
    expect(all).toEqual(expect.arrayContaining(["-O3", ...own, "-std=c++17"]));
  });
});

describe("messages of compilers", () => {
  const output =
    "g++ -c main.cpp\n" +
    "\u001b[1msrc/main.cpp:12:7:\u001b[0m \u001b[31merror: \u001b[0mexpected ';' before 'x'\n" +
    "src/main.cpp:3:10: fatal error: missing.h: No such file or directory\n" +
    "/usr/include/a.h:5: warning: old\n" +
    "CMake Error at CMakeLists.txt:4 (add_executable):\n  Cannot find source file:\n\n    x.cpp\n\n" +
    "solver.f90:8:4:\n\n    8 |   cal x\n      |    1\nError: Unclassifiable statement at (1)\n" +
    "make: *** [Makefile:24: main.o] Error 1\n";
  const expected = [
    { file: "src/main.cpp", line: 12, column: 7, severity: "error", text: "expected ';' before 'x'" },
    { file: "src/main.cpp", line: 3, column: 10, severity: "error", text: "missing.h: No such file or directory" },
    { file: "/usr/include/a.h", line: 5, column: 1, severity: "warning", text: "old" },
    { file: "CMakeLists.txt", line: 4, column: 1, severity: "error", text: "add_executable: Cannot find source file:" },
    { file: "solver.f90", line: 8, column: 4, severity: "error", text: "Unclassifiable statement at (1)" },
  ];

  it("are found in what a build prints, in pieces of any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: output.length }), (size) => {
        const messages = new CompilerMessages();
        for (let at = 0; at < output.length; at += size) messages.add(output.slice(at, at + size));
        expect(messages.messages).toEqual(expected);
      }),
    );
  });

  it("are those that the compiler at hand writes", () => {
    const source = path.join(folder, "broken.cpp");
    fs.writeFileSync(source, "int main() {\n  return nothing;\n}\n");
    const messages = new CompilerMessages();
    try {
      execFileSync("c++", ["-c", source, "-o", "/dev/null"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    } catch (problem) {
      messages.add((problem as { stderr: string }).stderr);
    }
    expect(messages.messages[0]).toMatchObject({ file: source, line: 2, severity: "error" });
  });
});
