import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { quietTask, taskOf } from "../../../src/model/task";
import { Sources } from "../../../src/source/sources";
import { WordIndex } from "../../../src/source/wordIndex";
import { folderWith, indexOf } from "./program";

const open = (folder: string) => Sources.open({ folders: [folder] }, quietTask);

describe("the files that may be seen", () => {
  it("are those of the folders, without version control, packages and build folders", async () => {
    const folder = folderWith({
      "src/a.c": "",
      ".git/config": "",
      "node_modules/x/y.c": "",
      "build/CMakeCache.txt": "",
      "build/gen.c": "",
      "insource/CMakeCache.txt": "",
      "insource/CMakeLists.txt": "",
      "insource/b.c": "",
      "cache/CACHEDIR.TAG": "",
      "cache/c.c": "",
    });
    const names = (await open(folder)).files.map((file) => path.relative(folder, file));
    expect(names).toEqual(["insource/CMakeCache.txt", "insource/CMakeLists.txt", "insource/b.c", "src/a.c"]);
  });

  it("are not left through links", async () => {
    const outside = folderWith({ "secret.c": "int secret;", "deep/more.c": "int more;" });
    const folder = folderWith({ "a.c": "int a;" });
    fs.symlinkSync(path.join(outside, "secret.c"), path.join(folder, "link.c"));
    fs.symlinkSync(path.join(outside, "deep"), path.join(folder, "deep"));
    fs.symlinkSync(folder, path.join(folder, "circle"));
    const sources = await open(folder);
    expect(sources.files).toEqual([path.join(folder, "a.c")]);
    for (const file of ["link.c", "deep/more.c", "../secret.c", "a.c/../../x"]) {
      expect(sources.read(path.join(folder, file))).toBeUndefined();
      expect(sources.modifiedAt(path.join(folder, file))).toBeUndefined();
    }
    expect(sources.read(path.join(outside, "secret.c"))).toBeUndefined();
    // A file that becomes a link after the listing is not followed either.
    fs.rmSync(path.join(folder, "a.c"));
    fs.symlinkSync(path.join(outside, "secret.c"), path.join(folder, "a.c"));
    const words = await WordIndex.build(sources, quietTask);
    expect(words.filesWith("secret")).toEqual([]);
    expect(sources.read(path.join(folder, "a.c"))).toBeUndefined();
  });

  it("may be folders that are links themselves", async () => {
    const real = folderWith({ "a.c": "int a;" });
    const link = path.join(folderWith({}), "project");
    fs.symlinkSync(real, link);
    const sources = await open(link);
    expect(sources.files).toEqual([path.join(link, "a.c")]);
    expect(sources.read(path.join(link, "a.c"))?.text).toBe("int a;");
  });

  it("are read as the editor has them where that differs", async () => {
    const folder = folderWith({ "a.cpp": "void f() { CALI_CXX_MARK_FUNCTION; }\n" });
    const file = path.join(folder, "a.cpp");
    const index = await indexOf(folder);
    const before = index.facts(file);
    index.setOpenTexts(new Map([[file, "\n\nvoid fresh() {}\n"]]));
    expect(index.facts(file)?.definitions.map(({ name, line }) => [name, line])).toEqual([["fresh", 3]]);
    expect(index.words.filesWith("fresh")).toEqual([0]);
    expect(index.words.filesWith("f")).toEqual([]);
    index.setOpenTexts(new Map());
    expect(index.facts(file)).toEqual(before);
  });

  it("are read again when they were written", async () => {
    const folder = folderWith({ "a.h": "#define IN CALI_CXX_MARK_FUNCTION\n", "b.cpp": "void f() { IN; }\n" });
    const index = await indexOf(folder);
    expect(index.macros.roleOf("IN").marksFunction).toBe(true);
    fs.writeFileSync(path.join(folder, "a.h"), "#define IN nothing_known\n");
    index.refresh([path.join(folder, "a.h")]);
    expect(index.macros.roleOf("IN").marksFunction).toBe(false);
  });

  it("skip what is binary, too large or gone", async () => {
    const folder = folderWith({ "a.c": Buffer.from([1, 0, 2]), "b.c": Buffer.alloc(9 << 20, 32), "c.c": "int c;" });
    const sources = await open(folder);
    fs.rmSync(path.join(folder, "c.c"));
    expect(sources.files.map((file) => sources.read(file))).toEqual([undefined, undefined, undefined]);
  });
});

describe("the word index", () => {
  it("knows words, quoted words, and follows macros through any chain", async () => {
    const folder = folderWith({
      "a.c": 'int alpha_beta; const char* s = "gamma ray"; // Ünïcode\n',
      "m.h": "#define A(x) B(x)\n#  define B(x) \\\n   C(x)\n#define EMPTY\n",
      "n.h": "#define C(x) target(x)\r\n#define OTHER alpha\n",
    });
    const words = await WordIndex.build(await open(folder), quietTask);
    expect(words.filesWith("alpha_beta")).toEqual([0]);
    expect(words.filesWith("alpha")).toEqual([2]);
    expect(words.filesWith("gamma")).toEqual([0]);
    expect(words.filesWithQuoted("gamma")).toEqual([0]);
    expect(words.filesWithQuoted("ray")).toEqual([]);
    expect(words.filesWith("Ünïcode")).toEqual([0]);
    const leading = words.defines.leadingTo([(await import("../../../src/source/words")).hashWord("target")]);
    expect([...leading.values()].sort()).toEqual([[1], [1], [2]]);
  });

  it("stops when it is cancelled", async () => {
    const folder = folderWith(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}.c`, "int x;"])));
    let calls = 0;
    const task = taskOf(
      () => ++calls > 20,
      () => undefined,
    );
    await expect(WordIndex.build(await open(folder), task)).rejects.toThrow("cancelled");
  });
});
