import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Frame } from "../../../src/model/frames";
import { functionsOf } from "../../../src/model/functions";
import { quietTask, taskOf } from "../../../src/model/task";
import { Linker } from "../../../src/source/linker";
import { readLiteral } from "../../../src/source/literals";
import { parseSignature } from "../../../src/source/signature";
import { readType } from "../../../src/source/typeTexts";
import { isWithin } from "../../../src/source/sources";
import { branchVariants } from "../../../src/source/recovery";
import { readable } from "../../../src/source/readable";
import { casesOf } from "../randomCases";
import { folderWith, indexOf } from "./program";
import { linksOf, shown, treeOf } from "./tree";

/** Pieces that programs are made of, and what breaks them. */
const piece = fc.constantFrom(
  "{",
  "}",
  "(",
  ")",
  "<",
  ">",
  ";",
  ",",
  "::",
  '"',
  "'",
  "\\",
  "\n",
  "#define ",
  "#if A\n",
  "#else\n",
  "#endif\n",
  "#include ",
  "solve",
  "apply",
  "operator()",
  "operator<",
  "template <class T> ",
  "namespace a ",
  "struct S ",
  "void ",
  "int ",
  "[&]",
  "__func__",
  "CALI_MARK_BEGIN(",
  "CALI_MARK_END(",
  "CALI_CXX_MARK_FUNCTION;",
  "MPI_Send(",
  '"solve"',
  "x",
  "1",
  "/*",
  "//",
  'R"(',
  "\0",
  "é",
  "<<<",
);
const hostile = fc.oneof(
  fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(" ")),
  fc.string({ maxLength: 300, unit: "binary" }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);
const frame: fc.Arbitrary<Frame> = fc.record(
  {
    name: fc.oneof(
      fc.constantFrom(
        "solve",
        "apply",
        "operator()",
        "MPI_Send",
        "",
        "UNKNOWN",
        "__proto__",
        "a::S::solve(int) const",
        "(no region)",
      ),
      fc.string({ maxLength: 30 }),
    ),
    kind: fc.constantFrom("function", "region", "line", "loop", "kernel", "inlined"),
    file: fc.constantFrom("a.cpp", "/x/src/b.c", "../../etc/passwd", "/etc/passwd", "c.py", ""),
    line: fc.nat(50),
  },
  { requiredKeys: ["name", "kind"] },
);

describe("laws of linking", () => {
  it("never throws and never leaves the folders, whatever source and recording hold", async () => {
    await fc.assert(
      fc.asyncProperty(
        hostile,
        hostile,
        hostile,
        fc.array(fc.array(frame, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
        async (cpp, c, python, paths) => {
          const folder = folderWith({ "a.cpp": cpp, "src/b.c": c, "c.py": python });
          const index = await indexOf(folder);
          for (const link of await linksOf(index, paths)) {
            expect(link.reason).not.toBe("");
            expect(link.rule === "unknown").toBe(link.places.length === 0);
            for (const place of [...link.places, ...link.considered.map((other) => other.place)]) {
              expect(isWithin(folder, place.file)).toBe(true);
              expect(place.line).toBeGreaterThanOrEqual(0);
            }
          }
          const { dataSet } = treeOf(paths);
          const functions = functionsOf(dataSet.tree, dataSet.frames);
          const ids = Array.from({ length: functions.size }, (_, id) => id);
          expect(await new Linker(dataSet, index).definitions(functions, ids, quietTask)).toHaveLength(ids.length);
        },
      ),
      { numRuns: casesOf(200) },
    );
  });

  it("gives the same links whatever was linked before", async () => {
    const folder = folderWith({
      "a.cpp": 'void f() { CALI_CXX_MARK_FUNCTION; CALI_MARK_BEGIN("u"); MPI_Send(0); }\n',
      "b.cpp": 'void g() { CALI_CXX_MARK_FUNCTION; CALI_MARK_BEGIN("u"); MPI_Send(0); }\n',
    });
    const index = await indexOf(folder);
    const paths = [["f", "u", "MPI_Send"], ["g", "u", "MPI_Send"], ["u"], ["g"], ["MPI_Send"]];
    const { dataSet, ends } = treeOf(paths);
    const one = async (end: number) => shown(await new Linker(dataSet, index).link(end, quietTask), folder);
    const alone: string[] = [];
    for (const end of ends) alone.push(await one(end));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4]), async (order) => {
        const linker = new Linker(dataSet, index);
        for (const at of order) expect(shown(await linker.link(ends[at], quietTask), folder)).toBe(alone[at]);
      }),
      { numRuns: 20 },
    );
  });

  it("stands deep nesting, one long line, and a path 100,000 regions deep", async () => {
    const deep = `void f() ${"{".repeat(100_000)} CALI_MARK_BEGIN("deep"); ${"}".repeat(100_000)}\n`;
    const brackets = `int x = ${"(".repeat(100_000)}1${")".repeat(100_000)};\nvoid last() { CALI_CXX_MARK_FUNCTION; }\n`;
    const spaces = "namespace n { ".repeat(20_000) + "void inner() { CALI_CXX_MARK_FUNCTION; }" + "}".repeat(20_000);
    const long = `void g() { CALI_MARK_BEGIN("wide"); ${"call(1, 2); ".repeat(90_000)} CALI_MARK_END("wide"); }\n`;
    const unclosed = `void h() { CALI_MARK_BEGIN("lost"); ${'"'.repeat(1001)} ${"<a".repeat(20_000)}`;
    const folder = folderWith({
      "deep.cpp": deep,
      "brackets.c": brackets,
      "n.cpp": spaces,
      "long.cpp": long,
      "u.cpp": unclosed,
    });
    const chain = Array.from({ length: 100_000 }, (_, at) => (at % 2 === 0 ? "f" : "deep"));
    const links = await linksOf(await indexOf(folder), [["f"], ["deep"], ["last"], ["inner"], ["wide"], chain]);
    expect(links.map((link) => shown(link, folder)).slice(1, 5)).toEqual([
      "deep.cpp:1",
      "brackets.c:2",
      "n.cpp:1",
      "long.cpp:1",
    ]);
    expect(links[5].places.map(({ file }) => path.basename(file))).toEqual(["deep.cpp"]);
  });

  it("stops when it is cancelled", async () => {
    const folder = folderWith({ "a.cpp": "void f() { CALI_CXX_MARK_FUNCTION; }\n" });
    const { dataSet, ends } = treeOf([["f", "f", "f"]]);
    let checks = 0;
    const task = taskOf(
      () => ++checks > 2,
      () => undefined,
    );
    const linker = new Linker(dataSet, await indexOf(folder));
    await expect(linker.link(ends[0], task)).rejects.toThrow("cancelled");
    expect((await linker.link(ends[0], quietTask)).places).toHaveLength(1);
  });
});

describe("reading names and texts", () => {
  it("never throws on any name, and reads its own writing", () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string()), (text) => {
        const { name, scopes } = parseSignature(text);
        expect(typeof name).toBe("string");
        expect(scopes.every((scope) => scope !== "")).toBe(true);
        readType(text);
        readLiteral(text);
      }),
    );
    const word = fc.constantFrom("a", "mesh", "Field", "v2", "operator()", "x_1");
    fc.assert(
      fc.property(
        fc.array(
          word.filter((each) => each !== "operator()"),
          { maxLength: 3 },
        ),
        word,
        fc.array(word, { maxLength: 3 }),
        (scopes, name, parameters) => {
          const types = parameters
            .filter((type) => type !== "operator()")
            .map((type) => `std::map<int, ${type}(*)(int)> const&`);
          const signature = parseSignature(
            [...scopes, name].join("::") + `(${types.join(", ")}) const [clone .isra.0]`,
          );
          expect(signature).toEqual({ name, scopes, parameters: types, given: [], constant: true, lambda: 0 });
        },
      ),
    );
  });

  it("keeps offsets and lines in every version of a text that is read", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const version of [readable(text), ...branchVariants(text)]) {
          expect(version.length).toBe(text.length);
          for (let at = 0; at < text.length; at++) expect([text[at], " ", ";"]).toContain(version[at]);
        }
      }),
    );
  });
});
