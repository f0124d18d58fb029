import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PathMap } from "../../../src/source/pathMap";
import { quietTask } from "../../../src/model/task";
import { Sources } from "../../../src/source/sources";
import { folderWith } from "./program";

/** Where a recorded path leads among these files; relative to the folder, `?` for nowhere. */
async function mapped(files: readonly string[], recorded: readonly string[], folders = [""]): Promise<string[]> {
  const folder = folderWith(Object.fromEntries(files.map((file) => [file, "int x;\n"])));
  const sources = await Sources.open({ folders: folders.map((one) => path.join(folder, one)) }, quietTask);
  const paths = new PathMap(sources, recorded);
  return recorded.map((one) => {
    const { file } = paths.resolve(one);
    return file === undefined ? "?" : path.relative(folder, file);
  });
}

describe("paths of other machines", () => {
  it("relative to a build folder that is not known", async () => {
    expect(
      await mapped(
        ["src/x.c", "src/core/y.c", "lib/x.c"],
        ["../src/x.c", "./src/x.c", "../../src/core/y.c", "build/../src/x.c", "/w/build/../src/core/y.c", "../x.c"],
      ),
    ).toEqual(["src/x.c", "src/x.c", "src/core/y.c", "src/x.c", "src/core/y.c", "?"]);
  });

  it("of a container or a cluster", async () => {
    expect(
      await mapped(
        ["src/x.c", "src/core/y.c"],
        ["/workspace/build-42/src/x.c", "/p/scratch/them/heat/src/core/y.c", "/proc/self/cwd/src/x.c"],
      ),
    ).toEqual(["src/x.c", "src/core/y.c", "src/x.c"]);
  });

  it("of Windows, with separators of both kinds", async () => {
    expect(
      await mapped(
        ["src/x.cpp", "src/core/y.cpp"],
        [
          "C:\\heat\\src\\x.cpp",
          "C:/heat/src\\core/y.cpp",
          "src\\core\\y.cpp",
          "..\\src\\x.cpp",
          "\\\\server\\share\\src\\x.cpp",
        ],
      ),
    ).toEqual(["src/x.cpp", "src/core/y.cpp", "src/core/y.cpp", "src/x.cpp", "src/x.cpp"]);
  });

  it("that differ in capitals lead to a file only where that is the only one", async () => {
    expect(
      await mapped(["src/Solver.cpp", "src/io.cpp"], ["C:\\Heat\\SRC\\solver.CPP", "c:\\heat\\src\\IO.cpp"]),
    ).toEqual(["src/Solver.cpp", "src/io.cpp"]);
    expect(await mapped(["src/Solver.cpp", "src/solver.cpp"], ["C:\\Heat\\Src\\SOLVER.cpp"])).toEqual(["?"]);
    // The same spelling goes first.
    expect(await mapped(["src/Solver.cpp", "src/solver.cpp"], ["/heat/src/solver.cpp"])).toEqual(["src/solver.cpp"]);
    // A file of another folder is another file, however it is spelled.
    expect(await mapped(["lib/Solver.cpp"], ["/heat/src/solver.cpp"])).toEqual(["?"]);
  });
});

describe("several folders", () => {
  it("are looked through together: the folder must agree where two files have one name", async () => {
    const files = ["app/src/x.c", "lib/src/x.c", "app/src/only.c"];
    const recorded = ["/build/app/src/x.c", "/build/lib/src/x.c", "/build/src/x.c", "src/only.c"];
    expect(await mapped(files, recorded, ["app", "lib"])).toEqual([
      "app/src/x.c",
      "lib/src/x.c",
      "?",
      "app/src/only.c",
    ]);
  });

  it("name all files that fit equally well", async () => {
    const folder = folderWith({ "app/src/x.c": "", "lib/src/x.c": "" });
    const sources = await Sources.open({ folders: [path.join(folder, "app"), path.join(folder, "lib")] }, quietTask);
    const found = new PathMap(sources, []).resolve("/build/src/x.c");
    expect(found).toMatchObject({
      file: undefined,
      alternatives: ["app/src/x.c", "lib/src/x.c"].map((name) => path.join(folder, name)),
    });
    expect(found.how).toContain("2 files");
  });

  it("may be links, or lie in each other", async () => {
    const folder = folderWith({ "real/src/x.c": "int x;\n", "real/other.c": "int y;\n" });
    fs.symlinkSync(path.join(folder, "real"), path.join(folder, "link"));
    const resolved = async (folders: string[], recorded: string) => {
      const sources = await Sources.open({ folders: folders.map((one) => path.join(folder, one)) }, quietTask);
      return new PathMap(sources, [recorded]).resolve(recorded).file;
    };
    expect(await resolved(["link"], "/build/src/x.c")).toBeDefined();
    expect(await resolved(["real", "real/src"], "/build/src/x.c")).toBe(path.join(folder, "real/src/x.c"));
    // One file by two ways is one file.
    const twice = await resolved(["real", "link"], "/build/src/x.c");
    expect(twice === undefined ? undefined : fs.realpathSync(twice)).toBe(path.join(folder, "real/src/x.c"));
  });

  it("are not left through a link to a file outside", async () => {
    const folder = folderWith({ "work/src/in.c": "int x;\n", "elsewhere/secret.c": "int y;\n" });
    fs.symlinkSync(path.join(folder, "elsewhere/secret.c"), path.join(folder, "work/src/secret.c"));
    const sources = await Sources.open({ folders: [path.join(folder, "work")] }, quietTask);
    expect(new PathMap(sources, []).resolve("/build/src/secret.c").file).toBeUndefined();
  });
});
