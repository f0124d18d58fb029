import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import { PathMap } from "../../../src/source/pathMap";
import { Sources, type SourceWorld, isWithin } from "../../../src/source/sources";
import { folderWith } from "./program";

/** Maps recorded paths into a folder with these (empty) files; `-` where none is found. */
async function mapped(
  files: readonly string[],
  recorded: readonly string[],
  world: Partial<SourceWorld> = {},
  top = "",
): Promise<string[]> {
  const folder = folderWith(Object.fromEntries(files.map((file) => [path.join(top, file), ""])));
  const root = path.join(folder, top);
  const map = new PathMap(await Sources.open({ folders: [root], ...world }, quietTask), recorded);
  return recorded.map((file) => {
    const found = map.resolve(file).file;
    return found === undefined ? "-" : path.relative(root, found);
  });
}

describe("recorded paths", () => {
  it("are found by their longest ending", async () => {
    const files = ["src/solver.cpp", "src/io/write.cpp", "tests/io/write.cpp", "main.cpp"];
    expect(
      await mapped(files, [
        "/home/user/miniheat/src/solver.cpp",
        "src/solver.cpp",
        "./src/../src/solver.cpp",
        "../src/solver.cpp",
        "/build/x/src/io/write.cpp",
        "io/write.cpp",
        "C:\\work\\app\\src\\solver.cpp",
        "src\\solver.cpp",
      ]),
    ).toEqual([
      "src/solver.cpp",
      "src/solver.cpp",
      "src/solver.cpp",
      "src/solver.cpp",
      "src/io/write.cpp",
      "-",
      "src/solver.cpp",
      "src/solver.cpp",
    ]);
  });

  it("are not taken for the like-named file of another program, which has hardly one of that folder's files", async () => {
    const names = ["solver.cpp", "main.cpp", "clause.cpp", "heuristics.cpp", "parser.cpp"];
    const recorded = names.map((name) => `/home/user/clasp/src/${name}`);
    const other = ["examples/heat/src/solver.cpp", "examples/heat/src/main.cpp", "examples/heat/src/physics.cpp"];
    expect(await mapped(other, recorded)).toEqual(["-", "-", "-", "-", "-"]);
    // A copy of the program in which two files have other names is still the program.
    const copy = ["src/solver.cpp", "src/main.cpp", "src/parser.cpp", "src/clauses.cpp"];
    expect(await mapped(copy, recorded)).toEqual(["src/solver.cpp", "src/main.cpp", "-", "-", "src/parser.cpp"]);
  });

  it("are not taken for files of another folder that share the base name", async () => {
    expect(
      await mapped(
        ["app/memset.S", "app/main.c", "bits/stl_vector.h", "libgomp/team.c"],
        [
          "../sysdeps/x86_64/memset.S",
          "/usr/src/foo/main.c",
          "/usr/include/c++/12/bits/stl_vector.h",
          "../main.c",
          "main.c",
        ],
      ),
    ).toEqual(["-", "-", "-", "-", "app/main.c"]);
  });

  it("may be decided by the folder's own name", async () => {
    expect(await mapped(["main.c"], ["/home/me/heat/main.c"], {}, "heat")).toEqual(["main.c"]);
    expect(await mapped(["main.c"], ["/home/me/heat/main.c"], {}, "cold")).toEqual(["-"]);
  });

  it("bear witness for each other", async () => {
    // Two files of one recorded folder, each found once and in one folder: the folder was renamed.
    expect(
      await mapped(["main.c", "util.c"], ["/home/me/heat-1.2/main.c", "/home/me/heat-1.2/util.c"], {}, "cold"),
    ).toEqual(["main.c", "util.c"]);
    // One strong match tells which of two like-named files is meant, and where the folder above is.
    expect(
      await mapped(["a/src/solver.c", "a/main.c", "b/main.c"], ["/home/me/app/src/solver.c", "/home/me/app/main.c"]),
    ).toEqual(["a/src/solver.c", "a/main.c"]);
    expect(await mapped(["obj/x.txt", "one.c", "two.c"], ["../one.c", "../two.c"], {}, "p")).toEqual([
      "one.c",
      "two.c",
    ]);
  });

  it("say what was looked for when several files match", async () => {
    const folder = folderWith({ "a/x/util.c": "", "b/x/util.c": "" });
    const map = new PathMap(await Sources.open({ folders: [folder] }, quietTask));
    const result = map.resolve("/home/me/x/util.c");
    expect(result).toMatchObject({
      file: undefined,
      missing: "/home/me/x/util.c",
      how: "2 files in the folders match it equally well",
    });
    expect(map.resolve("/home/me/none.c")).toMatchObject({ missing: "/home/me/none.c", alternatives: [] });
  });

  it("follow the user's rules first, the longest prefix before shorter ones", async () => {
    const files = ["one/src/a.c", "two/src/a.c", "src/a.c"];
    const sourceMap = { "/old": "one", "/old/deep/": "two", "D:\\w": "one" };
    expect(
      await mapped(
        files,
        ["/old/src/a.c", "/old/deep/src/a.c", "/older/one/src/a.c", "D:\\w\\src\\a.c", "/old/gone.c"],
        {
          sourceMap,
        },
      ),
    ).toEqual(["one/src/a.c", "two/src/a.c", "one/src/a.c", "one/src/a.c", "-"]);
  });

  it("leave the folders only by a rule that is trusted", async () => {
    const outside = folderWith({ "lib/a.c": "int a;" });
    const sourceMap = { "/lib": path.join(outside, "lib"), "/up": "../.." };
    const folder = folderWith({ "src/b.c": "" });
    const openWith = async (sourceMapTrusted: boolean) =>
      new PathMap(await Sources.open({ folders: [folder], sourceMap, sourceMapTrusted }, quietTask));
    expect((await openWith(false)).resolve("/lib/a.c").file).toBeUndefined();
    expect((await openWith(true)).resolve("/lib/a.c").file).toBe(path.join(outside, "lib/a.c"));
    expect((await openWith(true)).resolve("/lib/../../etc/passwd").file).toBeUndefined();
    expect((await openWith(false)).resolve("/up/etc/passwd").file).toBeUndefined();
  });

  it("never lead outside the folders, whatever is recorded", async () => {
    const folder = folderWith({ "src/a.c": "", passwd: "" });
    const sources = await Sources.open({ folders: [folder], sourceMap: { "/m": "src", x: "../../../.." } }, quietTask);
    const part = fc.constantFrom("..", ".", "src", "a.c", "etc", "passwd", "/", "\\", "C:", "", "m", "x", "__proto__");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, rooted) => {
        const recorded = (rooted ? "/" : "") + parts.join("/");
        const { file } = new PathMap(sources, [recorded]).resolve(recorded);
        if (file !== undefined) expect(isWithin(folder, file)).toBe(true);
      }),
    );
  });
});

describe("copies inside a recording", () => {
  const recorded = "/home/me/app/src/solver.c";
  const copiesIn = (database: string) => ({
    folder: path.join(database, "src"),
    files: new Map([[recorded, path.join(database, "src/home/me/app/src/solver.c")]]),
  });

  it("are opened where no folder has the file, and only there", async () => {
    const database = folderWith({ "src/home/me/app/src/solver.c": "copy" });
    const copies = copiesIn(database);
    const mapIn = async (files: Record<string, string>) => {
      const folder = folderWith(files);
      const map = new PathMap(await Sources.open({ folders: [folder] }, quietTask), [recorded], copies);
      return { folder, found: map.resolve(recorded) };
    };
    const without = await mapIn({ "other.c": "" });
    expect(without.found).toEqual({
      file: copies.files.get(recorded),
      how: "it is the copy inside the recording, since no file of that name is in the folders",
      rule: "copy",
    });
    const beside = await mapIn({ "src/solver.c": "" });
    expect(beside.found.file).toBe(path.join(beside.folder, "src/solver.c"));
  });

  it("do not go before the file that the user works on, where the recording lies in the folders", async () => {
    const folder = folderWith({ "app/src/solver.c": "", "db/src/home/me/app/src/solver.c": "copy" });
    const sources = await Sources.open({ folders: [folder] }, quietTask);
    const map = new PathMap(sources, [recorded], copiesIn(path.join(folder, "db")));
    expect(map.resolve(recorded).file).toBe(path.join(folder, "app/src/solver.c"));
  });

  it("are found with leading folders left out, where no other copy has their name", async () => {
    const database = folderWith({ "src/solver.c": "", "src/b/main.c": "" });
    const below = (name: string) => path.join(database, "src", name);
    const files = new Map([
      [recorded, below("home/me/app/src/solver.c")],
      ["/a/b/main.c", below("a/b/main.c")],
      ["/b/main.c", below("c/b/main.c")],
    ]);
    const sources = await Sources.open({ folders: [folderWith({ "x.c": "" })] }, quietTask);
    const map = new PathMap(sources, files.keys(), { folder: path.join(database, "src"), files });
    const found = [...files.keys()].map((file) => map.resolve(file).file);
    expect(found).toEqual([below("solver.c"), undefined, undefined]);
  });

  it("never lead out of the recording through links", async () => {
    const outside = folderWith({ "solver.c": "secret", "home/me/app/src/solver.c": "secret" });
    const linkedFile = folderWith({ "src/home/me/app/src/other.c": "" });
    fs.symlinkSync(path.join(outside, "solver.c"), path.join(linkedFile, "src/home/me/app/src/solver.c"));
    const linkedFolder = folderWith({ "meta.db": "" });
    fs.symlinkSync(outside, path.join(linkedFolder, "src"));
    for (const database of [linkedFile, linkedFolder]) {
      const sources = await Sources.open({ folders: [folderWith({ "x.c": "" })] }, quietTask);
      const copies = copiesIn(database);
      expect(new PathMap(sources, [recorded], copies).resolve(recorded).file).toBeUndefined();
      expect(sources.read(copies.files.get(recorded) ?? "")).toBeUndefined();
    }
  });
});
