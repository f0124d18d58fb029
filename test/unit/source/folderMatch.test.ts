/** Whether a recording is of the folders: a naive twin on random recordings, and what follows for links. */
import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Frame } from "../../../src/model/frames";
import { quietTask } from "../../../src/model/task";
import { Linker } from "../../../src/source/linker";
import type { SourceWorld } from "../../../src/source/sources";
import type { SymbolIndex } from "../../../src/source/symbolIndex";
import { seed, casesOf } from "../randomCases";
import { folderWith, fn, indexOf, linked } from "./program";
import { treeOf } from "./tree";

/** Functions and regions that the folders have, in a folder of three names: rules for endings of two do not matter. */
const DEFINED = 6;
const program = Object.fromEntries(
  Array.from({ length: DEFINED }, (_, at) => [
    `core/part${at}/file${at}.cpp`,
    `void function${at}() {\n}\nvoid around${at}() {\n  CALI_MARK_BEGIN("region ${at}");\n  MPI_Send();\n  CALI_MARK_END("region ${at}");\n}\n`,
  ]),
);

/** What a recording is drawn from. Each counts as the comment says, and as nothing else. */
const number = fc.nat({ max: DEFINED - 1 });
const name = fc.oneof(
  number.map((at): Frame => fn(`function${at}`)), // a name that is here
  number.map((at): Frame => ({ name: `region ${at}`, kind: "region", origin: "mark" })), // a name that is here
  number.map((at): Frame => fn(`elsewhere${at}`)), // a name that is not
  fc.constantFrom<Frame>(
    fn("main"),
    fn("std::vector<int>::push_back(int)"),
    fn("function0", { module: "/usr/lib/libm.so.6" }),
    fn("solve", { module: "libc.so.6" }),
    { name: "MPI_Send", kind: "region", origin: "mpi" },
    { name: "cudaMemcpy", kind: "region", origin: "runtime" },
    fn("[unknown]", { address: 12 }),
    fn("0x7f00"),
  ),
);
const file = fc.oneof(
  number.map((at) => `/build/x/core/part${at}/file${at}.cpp`), // found, by its ending
  number.map((at) => `/build/x/core/part${at}/other${at}.cpp`), // not found
  fc.constantFrom("/usr/include/stdio.h", "/usr/local/lib/python3.11/json.py", "/opt/venv/site-packages/a/b.py"),
  fc.constantFrom("[libm.so]", "<string>", "<unknown file>"),
);
const recorded = fc.oneof(
  name,
  fc.record({ of: name, file }).map(({ of, file: own }): Frame => ({ ...of, file: own, line: 1 })),
);

const isSystem = (text: string) => /^\/usr\/|site-packages/.test(text);
const isFile = (text: string | undefined): text is string => text !== undefined && !/^[[<]/.test(text);
const distinct = <T>(values: readonly T[]) => [...new Set(values)];

/** The rule of semantics 16, read aloud. */
function expectedMatch(frames: readonly Frame[], certain: readonly string[] = []) {
  const isLibrary = ({ module }: Frame) => module !== undefined;
  const files = distinct(
    frames.flatMap((frame) => (isFile(frame.file) && !isSystem(frame.file) && !isLibrary(frame) ? [frame.file] : [])),
  );
  const found = files.filter((one) => certain.includes(one) || one.includes("/file"));
  const isByFiles =
    found.some((one) => certain.includes(one)) || (found.length > 0 && found.length >= Math.min(2, files.length));
  const names = distinct(
    frames.flatMap((frame) => {
      const isOfSystem = isLibrary(frame) || (frame.file !== undefined && isSystem(frame.file));
      return !isOfSystem && /^(function|region|elsewhere)/.test(frame.name) ? [frame.name] : [];
    }),
  );
  const here = names.filter((one) => !one.startsWith("elsewhere"));
  const enough = names.length < 3 ? names.length : 3;
  const isByNames = here.length > 0 && 2 * here.length >= names.length && here.length >= enough;
  return { isOfFolders: isByFiles || isByNames, hasHalfOfFiles: 2 * found.length >= files.length };
}

/** Each frame at the root, and below `main`. */
function linkerOf(frames: readonly Frame[], index: SymbolIndex) {
  const { dataSet, ends } = treeOf(frames.flatMap((frame) => [[frame], [fn("main"), frame]]));
  return { linker: new Linker(dataSet, index), ends };
}

async function matchOf(frames: readonly Frame[], folder: string, world: Partial<SourceWorld> = {}) {
  return linkerOf(frames, await indexOf(folder, world)).linker.matchFolders(quietTask);
}

const cases = { numRuns: casesOf(1000), seed };

describe("a recording is of the folders", () => {
  it("as semantics 16 says, whatever it names and whatever is found", async () => {
    const folder = folderWith(program);
    const index = await indexOf(folder);
    await fc.assert(
      fc.asyncProperty(fc.array(recorded, { minLength: 1, maxLength: 14 }), async (frames) => {
        const { linker, ends } = linkerOf(frames, index);
        const { isOfFolders, hasHalfOfFiles } = await linker.matchFolders(quietTask);
        expect({ isOfFolders, hasHalfOfFiles }).toEqual(expectedMatch(frames));
        for (const [at, end] of ends.entries()) {
          const frame = frames[at >> 1];
          const link = await linker.link(end, quietTask);
          const isAway = isFile(frame.file) && !frame.file.includes("/file");
          if (!isOfFolders) expect(link.places, JSON.stringify(frame)).toEqual([]);
          else if (isAway && !hasHalfOfFiles && frame.origin !== "mpi") expect(link.places).toEqual([]);
          expect(link.reason).not.toBe("");
        }
        if (!isOfFolders)
          for (const one of frames) if (one.file !== undefined) expect(linker.mapFile(one.file)).toBeUndefined();
      }),
      cases,
    );
  });

  it("if one file is at its recorded path, or a rule of the setting leads to it", async () => {
    const folder = folderWith(program);
    await fc.assert(
      fc.asyncProperty(fc.array(recorded, { minLength: 1, maxLength: 8 }), number, async (frames, at) => {
        const own = path.join(folder, `core/part${at}/file${at}.cpp`);
        const all = [...frames, fn("elsewhere", { file: own, line: 1 })];
        expect(await matchOf(all, folder)).toMatchObject(expectedMatch(all, [own]));
        const ruled = `/ruled/file${at}.cpp`;
        const sourceMap = { "/ruled": `core/part${at}` };
        const mapped = [...frames, fn("elsewhere", { file: ruled, line: 1 })];
        expect(await matchOf(mapped, folder, { sourceMap })).toMatchObject(expectedMatch(mapped, [ruled]));
      }),
      { ...cases, numRuns: casesOf(200) },
    );
  });

  it.each<[string, readonly Frame[], boolean]>([
    ["a script among files of packages", [fn("train", { file: "train.py", line: 1 }), ...packages()], true],
    ["a script of that name with other functions", [fn("other", { file: "train.py", line: 1 }), ...packages()], false],
    ["a lone main in a lone main.c", [fn("main", { file: "main.c", line: 1 }), ...packages()], false],
  ])("if a file that was recorded relative to a folder has its functions: %s", async (_, frames, isOfFolders) => {
    const folder = folderWith({ "train.py": "def train():\n    pass\n", "main.c": "int main() {}\n" });
    expect(await matchOf(frames, folder)).toMatchObject({ isOfFolders });
  });
});

/** Functions of packages, as py-spy names their files. */
function packages(): Frame[] {
  return ["torch/nn/modules/linear.py", "torch/optim/adam.py", "threading.py"].map((own, at) =>
    fn(`forward${at}`, { file: own, line: 30 }),
  );
}

describe("a program without debug information", () => {
  /** A function with a line, as perf gives them: the file is that of the line. */
  const at = (name: string, file: string, more: Partial<Frame> = {}) => [
    fn(name, more),
    { name: "", kind: "line", file, line: 9 } satisfies Frame,
  ];
  const system = { module: "/usr/lib/x86_64-linux-gnu/libc.so.6" };
  /** perf names no load module of what was inlined, and glibc's debug information has paths relative to its build. */
  const ofLibc = [
    at("_int_free", "./malloc/./malloc/malloc.c", system),
    at("__libc_start_call_main", "./csu/../sysdeps/x86/libc-start.c", system),
    ...["__GI___libc_malloc", "tcache_get", "checked_request2size", "unlink_chunk", "arena_for_chunk"].map((one) =>
      at(one, "./malloc/./malloc/malloc.c"),
    ),
    at("__libc_start_main_impl", "./csu/../csu/libc-start.c"),
    ...["memcpy@plt", "operator new@plt"].map((one) => [fn(one, { module: "/data/program" })]),
  ];
  const own = [0, 1, 2].map((number) => [fn(`function${number}`, { module: "/data/program" })]);
  const match = async (paths: readonly (readonly Frame[])[]) => {
    const { dataSet } = treeOf(paths.map((path) => [fn("main"), ...path]));
    return new Linker(dataSet, await indexOf(folderWith(program))).matchFolders(quietTask);
  };

  it("is of the folders by its names, whatever libraries tell of theirs", async () => {
    expect(await match([...own, ...ofLibc])).toMatchObject({ isOfFolders: true, files: { recorded: 0 } });
  });

  it("is not called by a library's file if it is another program", async () => {
    const foreign = await match([...["a", "b", "c"].map((one) => [fn(`elsewhere_${one}`)]), ...ofLibc]);
    expect(foreign).toMatchObject({ isOfFolders: false, missingFile: undefined });
    expect(foreign.clause).toBe("its functions and regions are not in these folders");
  });

  it("keeps files relative to a build that no library names", async () => {
    const paths = [at("elsewhere", "./src/../lib/other.c"), ...ofLibc];
    expect((await match(paths)).missingFile).toBe("./src/../lib/other.c");
  });
});

describe("a recording of another program", () => {
  it("is called by a file of its own, if the files of libraries are relative to their builds", async () => {
    const libraries = ["./csu/../csu/libc-start.c", "../sysdeps/x86/cpu-features.c"];
    const frames = [...libraries, "/home/ada/solver/step.cpp"].map((file, at): Frame => ({
      name: `f${at}`,
      kind: "function",
      file,
      line: 3,
    }));
    for (const paths of [[frames], [frames.slice(0, 2)]]) {
      const { dataSet } = treeOf(paths);
      const linker = new Linker(dataSet, await indexOf(folderWith({ "other.cpp": "int other() { return 1; }\n" })));
      const { isOfFolders, clause } = await linker.matchFolders(quietTask);
      const name = paths[0].length === 3 ? "step.cpp" : "libc-start.c";
      expect([isOfFolders, clause]).toEqual([false, `recorded from ${name}, which is not in these folders`]);
    }
  });

  it("is called by the file that most of its frames are in, not by one of the tool that recorded it", async () => {
    const named = ["../csu/libc-start.c", "/opt/caliper/Caliper.cpp", "src/solver.cpp", "src/solver.cpp", "src/mesh.h"];
    for (const files of [named, [...named].reverse()]) {
      const { dataSet } = treeOf([files.map((file, at) => fn(`f${at}`, { file, line: 3 + at }))]);
      const linker = new Linker(dataSet, await indexOf(folderWith({ "other.cpp": "int other() { return 1; }\n" })));
      const { clause } = await linker.matchFolders(quietTask);
      expect(clause).toBe("recorded from solver.cpp, which is not in these folders");
    }
  });

  const foreign = {
    "src/main.cpp": "int main() {\n  apply();\n  MPI_Allreduce();\n}\n",
    "src/apply.cpp": "void apply() {\n}\n",
  };
  const recording: [Frame[], string][] = [
    [[fn("main")], "?"],
    [[fn("main"), fn("apply")], "?"],
    [[fn("main"), { name: "MPI_Allreduce", kind: "region", origin: "mpi" }], "?"],
    ...["relax", "smooth", "restrictGrid", "prolong"].map((one): [Frame[], string] => [[fn("main"), fn(one)], "?"]),
  ];

  it("gets no place by a name that both have", async () => {
    expect(await linked(foreign, recording)).toEqual(recording);
  });

  it("gets none where one of its files is called like one that is here", async () => {
    const files = ["src/main.cpp", "lib/grid.cpp", "lib/smooth.cpp"].map((one): [Frame[], string] => [
      [{ name: `/build/grid/${one}:2`, kind: "line", file: `/build/grid/${one}`, line: 2 }],
      "?",
    ]);
    expect(await linked(foreign, [...recording, ...files])).toEqual([...recording, ...files]);
  });

  it("is said to be one, by the file that it was recorded from", async () => {
    const index = await indexOf(folderWith(foreign));
    const of = async (frames: readonly Frame[]) => {
      const { linker, ends } = linkerOf(frames, index);
      return Promise.all(ends.map((end) => linker.link(end, quietTask)));
    };
    const [worker, , main] = await of([fn("worker", { file: "tracker/test/work.cu", line: 3 }), fn("main")]);
    expect(worker.reason).toBe("Recorded from work.cu, which is not in these folders.");
    expect(worker.missingFile).toBe("tracker/test/work.cu");
    expect(main).toMatchObject({ reason: worker.reason, missingFile: worker.missingFile, places: [] });
    const [alone] = await of([fn("relax")]);
    expect(alone.reason).toMatch(/^The recording is of another program:/);
    expect(alone.missingFile).toBeUndefined();
  });

  it("is of the folders from the moment on in which they have its names, and no longer", async () => {
    const folder = folderWith({ "a.cpp": "void other() {}\n" });
    const index = await indexOf(folder);
    const { linker, ends } = linkerOf([fn("relax"), fn("smooth"), fn("prolong")], index);
    const write = (text: string) => {
      fs.writeFileSync(path.join(folder, "a.cpp"), text);
      expect(index.refresh([path.join(folder, "a.cpp")])).toBe(true);
    };
    const lines = async () =>
      (await Promise.all(ends.map((end) => linker.link(end, quietTask)))).flatMap(({ places }) =>
        places.map(({ line }) => line),
      );
    expect(await lines()).toEqual([]);
    write("void relax() {}\nvoid smooth() {}\nvoid prolong() {}\n");
    expect(await lines()).toEqual([1, 1, 2, 2, 3, 3]);
    write("void relax() {}\nvoid smooth() {}\n");
    expect(await lines()).toEqual([]);
  });
});
