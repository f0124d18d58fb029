import { describe, expect, it } from "vitest";
import type { Frame } from "../../../src/model/frames";
import { filterContexts } from "../../../src/supergraph/filter";
import { type FunctionAttributes, groupContexts } from "../../../src/supergraph/grouping";
import { folderOf, normalPath, shortestUniqueEndings } from "../../../src/supergraph/pathNames";
import type { GroupBy, GroupMap } from "../../../src/supergraph/query";
import { basisOf, rowsOf } from "./treeOf";

interface Known {
  readonly frame?: Partial<Frame>;
  readonly file?: string;
  readonly class?: string;
  readonly module?: string;
}

/** The group of each of these functions, all of them roots. */
function groupsOf(
  functions: Record<string, Known>,
  groupBy: GroupBy,
  options: { map?: GroupMap; files?: string[] } = {},
) {
  const rows = Object.entries(functions).map(([name, { frame }]) => ({ name, exclusive: 1, frame }));
  const basis = basisOf(rows);
  const known = new Map(Object.entries(functions));
  const of = (id: number) => known.get(basis.frames.nameOf(basis.functions.frame[id]));
  const attributes: FunctionAttributes = {
    file: (id) => of(id)?.file,
    className: (id) => of(id)?.class,
    module: (id) => of(id)?.module,
    files: options.files,
  };
  const kept = filterContexts(basis, 0);
  const groups = groupContexts({ ...basis, attributes }, kept, groupBy, options.map);
  const named = Array.from(kept.original, (context, at) => [
    basis.frames.nameOf(basis.tree.frame[context]),
    groups.names[groups.ofContext[at]],
  ]);
  return Object.fromEntries(named);
}

describe("groups", () => {
  it("by file have the shortest ending of their path that is unique", () => {
    const functions = {
      a: { file: "/p/solver/main.cpp" },
      b: { file: "/p/io/main.cpp" },
      c: { file: "/p/io/./write.cpp" },
      d: { file: "/p/solver/../io/write.cpp" },
      e: {},
    };
    expect(groupsOf(functions, "file")).toEqual({
      a: "solver/main.cpp",
      b: "io/main.cpp",
      c: "write.cpp",
      d: "write.cpp",
      e: "not known",
    });
  });

  it("by file are told apart from files of the data set that are not kept", () => {
    expect(groupsOf({ a: { file: "/p/x/main.cpp" } }, "file", { files: ["/p/y/main.cpp"] })).toEqual({
      a: "x/main.cpp",
    });
  });

  it("by folder have the shortest ending of the folder; a bare file name has none", () => {
    const functions = {
      a: { file: "/p/x/src/a.c" },
      b: { file: "/p/y/src/b.c" },
      c: { file: "c.c" },
      d: { file: "/d.c" },
    };
    expect(groupsOf(functions, "folder")).toEqual({ a: "x/src", b: "y/src", c: "not known", d: "/" });
  });

  it("by class and module are what is known of the function", () => {
    const functions = { a: { class: "heat::Solver", module: "/lib/a.so" }, b: {} };
    expect(groupsOf(functions, "class")).toEqual({ a: "heat::Solver", b: "not known" });
    expect(groupsOf(functions, "module")).toEqual({ a: "/lib/a.so", b: "not known" });
  });

  it("keep MPI together, by module only where no module is known", () => {
    const functions: Record<string, Known> = {
      wrapped: { frame: { kind: "region", origin: "mpi" }, file: "/p/wrap.c", module: "app" },
      MPI_Send: { module: "libmpi.so" },
      PMPI_Recv: {},
      MPI_Mine: { file: "/p/mine.c" },
      MPI: {},
    };
    expect(groupsOf(functions, "file")).toEqual({
      wrapped: "MPI",
      MPI_Send: "MPI",
      PMPI_Recv: "MPI",
      MPI_Mine: "mine.c",
      MPI: "not known",
    });
    expect(groupsOf(functions, "module")).toEqual({
      wrapped: "app",
      MPI_Send: "libmpi.so",
      PMPI_Recv: "MPI",
      MPI_Mine: "MPI",
      MPI: "not known",
    });
    expect(groupsOf(functions, "class")["MPI_Send"]).toBe("MPI");
    expect(groupsOf(functions, "class")["MPI_Mine"]).toBe("not known");
  });

  it("by map leave what no pattern matches as not known", () => {
    expect(groupsOf({ solve: {}, MPI_Send: {} }, "map", { map: { solver: ["sol*"] } })).toEqual({
      solve: "solver",
      MPI_Send: "not known",
    });
  });

  it.each(["file", "folder", "class", "module", "function", "map", "none"] as const)(
    "by %s keep time outside any region, and that of recording, in groups of their own",
    (groupBy) => {
      const outside: Known = { frame: { kind: "region", origin: "outside" } };
      const functions = { "(no region)": outside, "(recording itself)": outside };
      const groups = groupsOf(functions, groupBy, { map: { all: ["*"] } });
      expect(groups).toEqual({ "(no region)": "(no region)", "(recording itself)": "(recording itself)" });
    },
  );

  it("by function tell functions of one name apart by file or module, and placeholders by address", () => {
    const basis = basisOf([
      { name: "main", exclusive: 1, frame: { file: "a.c" } },
      { name: "main", exclusive: 1, frame: { module: "b.so" } },
      { name: "once", exclusive: 1, frame: { file: "a.c" } },
      { name: "UNKNOWN", exclusive: 1, frame: { address: 255 } },
      { name: "UNKNOWN", exclusive: 1, frame: { address: 16, module: "b.so" } },
      { name: "<unknown procedure>", exclusive: 1 },
    ]);
    const attributes = { file: () => undefined, className: () => undefined, module: () => undefined };
    const groups = groupContexts({ ...basis, attributes }, filterContexts(basis, 0), "function");
    expect([...groups.names].sort()).toEqual([
      "UNKNOWN (0x10, b.so)",
      "UNKNOWN (0xff)",
      "main (a.c)",
      "main (b.so)",
      "not known",
      "once",
    ]);
  });

  it("by none refuse paths that would be gigabytes: a wide tree below a deep chain", () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => ({
      name: `f${at}`,
      parent: at === 0 ? undefined : Math.min(at - 1, 10_000),
      exclusive: 1,
    }));
    const basis = basisOf(rows);
    const attributes: FunctionAttributes = {
      file: () => undefined,
      className: () => undefined,
      module: () => undefined,
    };
    expect(() => groupContexts({ ...basis, attributes }, filterContexts(basis, 0), "none")).toThrow(
      /more than 100 million characters. Filter more, or group by function/,
    );
  });

  it("by none are the paths", () => {
    const basis = basisOf(
      rowsOf(`
        main 1
          f 1
            f 1`),
    );
    const attributes = { file: () => undefined, className: () => undefined, module: () => undefined };
    const groups = groupContexts({ ...basis, attributes }, filterContexts(basis, 0), "none");
    expect(groups.names).toEqual(["main", "main/f", "main/f/f"]);
  });
});

describe("paths", () => {
  it("are compared without dots and doubled slashes", () => {
    expect(normalPath("/a//b/./c/../d.c")).toBe("/a/b/d.c");
    expect(normalPath("../x/y.c")).toBe("../x/y.c");
    expect(normalPath("/../x.c")).toBe("/x.c");
    expect(folderOf("/a/b.c")).toBe("/a");
    expect(folderOf("b.c")).toBeUndefined();
  });

  it("that are the ending of another one keep their whole name", () => {
    const names = shortestUniqueEndings(["b.c", "/a/b.c", "/x/a/b.c", "/b.c"]);
    expect([...names.values()]).toEqual(["b.c", "/a/b.c", "x/a/b.c", "/b.c"]);
    expect(new Set(names.values()).size).toBe(4);
  });
});
