import { describe, expect, it } from "vitest";
import { RequestError } from "../../../src/model/errors";
import { quietTask } from "../../../src/model/task";
import { laidOut } from "./laidOut";
import { parseOperation } from "../../../src/supergraph/operationText";
import type { GroupBy, GroupMap } from "../../../src/supergraph/query";
import { graphStructure, type MeasuredGraph, measuredGraph } from "../../../src/supergraph/superGraph";
import { attributesOf, basisOf, type Row, rowsOf } from "./treeOf";

interface Options {
  readonly groupBy?: GroupBy;
  readonly map?: GroupMap;
  readonly filter?: number;
}

function operated(rows: readonly Row[], texts: readonly string[], options: Options = {}): MeasuredGraph {
  const basis = basisOf(rows);
  const fileOf = new Map(rows.map(({ name, frame }) => [name, frame?.file]));
  const operations = texts.map(parseOperation);
  const request = { filter: 0, groupBy: "file" as const, mostBars: Infinity, ...options, operations };
  const attributes = {
    ...attributesOf(basis, { file: (name) => fileOf.get(name) }),
    file: (id: number) => basis.frames.get(basis.functions.frame[id] as never).file,
  };
  return measuredGraph(graphStructure(basis, attributes, request, quietTask), basis, quietTask);
}

/** `id exclusive`, in order. */
const barsOf = ({ bars }: MeasuredGraph) => bars.map(({ id, exclusive }) => `${id} ${exclusive}`);

const SOLVER = rowsOf(`
main 1 main.c
  solve 2 solver.c
    dot 3 solver.c
      MPI_Allreduce 4
    halo 5 halo.c
      MPI_Send 6
  write 7 io.c
    MPI_Send 8
MPI_Init 9
`);

describe("an operation", () => {
  it("means all contexts of a path where names hold a slash, or by its number those of one bar", () => {
    const rows = rowsOf("a/b 1\n  c 2\na 4\n  b 8\n    c 16\n");
    const none = { groupBy: "none" } as const;
    const hiding = (...texts: string[]) => barsOf(operated(rows, texts, none)).sort();
    expect(hiding()).toEqual(["a 4", "a/b 1", "a/b#2 8", "a/b/c 2", "a/b/c#2 16"]);
    expect(hiding("hide a/b")).toEqual(["a 4", "a/b/c 2", "a/b/c#2 16"]);
    expect(hiding("hide a/b#2")).toEqual(["a 4", "a/b 1", "a/b/c 16", "a/b/c#2 2"]);
    expect(hiding("hide a/b#1", "hide a/b")).toEqual(hiding("hide a/b"));
    expect(hiding("reveal b in a/b", "hide a/b")).toEqual(["a 4", "a/b/c 2", "a/b/c#2 16", "a/b: b 8"]);
  });

  it("splits a part of a split", () => {
    const graph = operated(SOLVER, ["split-by-caller MPI", 'split-by-caller "MPI from halo.c" by function']);
    expect(barsOf(graph).filter((bar) => bar.startsWith("MPI"))).toEqual([
      "MPI from no caller 9",
      "MPI from io.c 8",
      "MPI from solver.c 4",
      "MPI from halo.c from halo 6",
    ]);
  });

  it("takes entries of one bar only where its number is said", () => {
    const rows = rowsOf("a 1 a.c\n  b 1 b.c\n    a 2 a.c\n      c 1 c.c\n        a 4 a.c");
    expect(barsOf(operated(rows, ["split-by-entry a.c#3 {a}"]))).toContain("a.c-a 4");
    expect(barsOf(operated(rows, ["split-by-entry a.c {a}"])).filter((bar) => bar.startsWith("a.c"))).toEqual([
      "a.c-a 1",
      "a.c-a#2 2",
      "a.c-a#3 4",
    ]);
  });

  it("joins a part to the group that has its name already", () => {
    const rows = rowsOf("main 1 main.c\n  f 2 lib\n    g 4 lib-f\n  k 8 lib");
    expect(barsOf(operated(rows, ["split-by-entry lib {f}"]))).toEqual(["main.c 1", "lib 8", "lib-f 6"]);
  });

  it("means all functions of a name, also those of other files", () => {
    const rows = rowsOf("main 1 main.c\n  init 2 x/a.c\n  init 4 y/b.c\n    write 8 io.c\n  other 16 x/a.c");
    const groups = { map: { lib: ["init", "other"], io: ["write"] }, groupBy: "map" as const };
    expect(barsOf(operated(rows, ["split-by-entry lib {init}"], groups))).toEqual([
      "not known 1",
      "lib 16",
      "lib-init 6",
      "io 8",
    ]);
    // As callers the two stay two, named as groups by function are.
    expect(barsOf(operated(rows, ["split-by-caller io by function"], groups))).toContain("io from init (y/b.c) 8");
  });

  it("reveals a function with what leads to it from the entry, recursion included", () => {
    const rows = rowsOf(`
main 1 main.c
  enter 2 lib.c
    step 4 lib.c
      f 8 lib.c
        step 16 lib.c
          f 32 lib.c
            leaf 64 lib.c
  enter2 128 lib.c
`);
    expect(barsOf(operated(rows, ["reveal f"]))).toEqual(["main.c 1", "lib.c: f 62", "lib.c 192"]);
    expect(barsOf(operated(rows, ["reveal f in lib.c"]))).toEqual(barsOf(operated(rows, ["reveal f"])));
    expect(() => operated(rows, ["reveal f in main.c"])).toThrow('"f" is not a function of main.c. There is "main".');
  });

  it("reveals a function and what leads to it with their loops and lines", () => {
    // bzip2 under callgrind: what mainSort costs stands on its lines, and is not below mainGtU.
    const lineOf = (name: string, parent: number, exclusive: number, kind: "line" | "loop"): Row => ({
      name,
      parent,
      exclusive,
      frame: { kind, file: "blocksort.h" },
    });
    const rows: Row[] = [
      { name: "compress", exclusive: 1, frame: { file: "compress.c" } },
      { name: "mainSort", parent: 0, exclusive: 2, frame: { file: "blocksort.c" } },
      lineOf("667", 1, 4, "line"),
      lineOf("660", 1, 8, "loop"),
      lineOf("661", 3, 16, "line"),
      { name: "mainGtU", parent: 3, exclusive: 32, frame: { file: "blocksort.c" } },
      lineOf("360", 5, 64, "line"),
      { name: "fallbackSort", parent: 3, exclusive: 128, frame: { file: "blocksort.c" } },
      lineOf("250", 7, 256, "line"),
    ];
    expect(barsOf(operated(rows, ["reveal mainGtU"]))).toEqual([
      "compress.c 1",
      "blocksort.c: mainGtU 126",
      "blocksort.c 384",
    ]);
    // Without grouping each of them is a group of its own: none of a group that was not asked for.
    const apart = barsOf(operated(rows, [], { groupBy: "none" }));
    const name = "compress/mainSort";
    expect(barsOf(operated(rows, [`reveal mainSort in ${name}`], { groupBy: "none" })).sort()).toEqual(
      apart.map((bar) => (bar === `${name} 2` ? `${name}: mainSort 2` : bar)).sort(),
    );
  });

  it("expands a mapped group to files, then to functions, and goes all the way back", () => {
    const groups = { map: { app: ["main", "solve", "dot", "write", "MPI_*"] }, groupBy: "map" as const };
    const files = operated(SOLVER, ["expand app"], groups);
    // MPI has no file: those contexts stay what they were.
    expect(new Set(files.bars.map(({ group }) => group))).toEqual(
      new Set(["main.c", "solver.c", "io.c", "app", "not known"]),
    );
    const functions = operated(SOLVER, ["expand app", "expand app"], groups);
    expect(functions.bars.map(({ group }) => group)).toContain("MPI_Allreduce");
    expect(operated(SOLVER, ["expand app", "expand app", "collapse app"], groups)).toEqual(files);
    expect(operated(SOLVER, ["expand app", "expand solver.c", "collapse app"], groups)).toEqual(
      operated(SOLVER, [], groups),
    );
    expect(() =>
      operated(SOLVER, ["expand app", "expand solver.c", "collapse app", "collapse solver.c"], groups),
    ).toThrow('"solver.c" has not been expanded, so it cannot be collapsed. No group has been.');
  });

  it("expands to groups of functions that are named like the groups of those without an attribute", () => {
    const rows: Row[] = [
      { name: "not known", exclusive: 1 },
      { name: "MPI", parent: 0, exclusive: 2 },
    ];
    expect(barsOf(operated(rows, ['expand "not known"']))).toEqual(["not known 1", "MPI 2"]);
    expect(() => operated(rows, ['expand "not known"', "expand MPI"])).toThrow(
      '"MPI" cannot be expanded: its contexts have no finer level.',
    );
  });

  it("leaves time outside any region what it is", () => {
    const rows: Row[] = [
      { name: "main", exclusive: 1 },
      { name: "(no region)", exclusive: 2, frame: { origin: "outside" } },
    ];
    expect(() => operated(rows, ['expand "(no region)"'])).toThrow("no finer level");
    expect(barsOf(operated(rows, ['split-by-caller "(no region)"']))).toEqual([
      "(no region) from no caller 2",
      "not known 1",
    ]);
    const hidden = operated(rows, ['hide "(no region)"']);
    expect([hidden.hidden, hidden.total, barsOf(hidden)]).toEqual([2, 3, ["not known 1"]]);
  });

  it("hides a group as a filter does: its cost is hidden in the nearest callers that are left", () => {
    const graph = operated(SOLVER, ["hide solver.c"]);
    expect(graph.bars.map(({ id, hidden }) => `${id} ${hidden}`)).toEqual(["main.c 5", "io.c 0", "halo.c 0", "MPI 0"]);
    expect(graph.edges.filter(({ source }) => source === "main.c").map(({ target }) => target)).toEqual([
      "io.c",
      "halo.c",
      "MPI",
    ]);
  });

  it("can hide everything; then only filter and group-by have something to say", () => {
    const rows = rowsOf("main 1 main.c\n  f 2 main.c");
    const graph = operated(rows, ["hide main.c"]);
    expect([graph.total, graph.hidden, graph.bars, graph.edges, graph.functions]).toEqual([3, 3, [], [], 0]);
    expect(graph.filtered).toEqual({ functions: 2, contexts: 2, exclusive: 3 });
    expect(laidOut(graph, { width: 800, height: 600 }).bars).toEqual([]);
    expect(operated(rows, ["hide main.c", "filter 50", "group-by none"]).total).toBe(3);
    for (const kind of ["hide", "expand", "split-by-caller"])
      expect(() => operated(rows, ["hide main.c", `${kind} main.c`])).toThrow(
        'There is no group "main.c". No context is left.',
      );
  });

  it("keeps the parts of a split through a filter, and ends them by grouping anew", () => {
    const filtered = operated(SOLVER, ["split-by-caller MPI", "filter 20"]);
    expect(filtered.bars.map(({ group }) => group)).toContain("MPI from io.c");
    const anew = operated(SOLVER, ["split-by-caller MPI", "expand solver.c", "group-by file"]);
    expect(anew).toEqual(operated(SOLVER, []));
    expect(() => operated(SOLVER, ["expand solver.c", "group-by file", "collapse solver.c"])).toThrow(RequestError);
  });

  it("names the bar `deeper` as any other", () => {
    // a and b call each other: the ninth visit of a, and all below it, is in `deeper`.
    const rows: Row[] = Array.from({ length: 24 }, (_, at) => ({
      name: at % 2 ? "b" : "a",
      parent: at === 0 ? undefined : at - 1,
      exclusive: 1,
    }));
    const by = { groupBy: "function" as const };
    const deeper = (...texts: string[]) => barsOf(operated(rows, texts, by)).filter((bar) => !/^[ab](#\d)? /.test(bar));
    expect(deeper()).toEqual(["deeper 8"]);
    expect(deeper("hide deeper")).toEqual([]);
    expect(deeper("split-by-entry deeper {a}")).toEqual(["deeper-a 8"]);
    expect(deeper("split-by-caller deeper#1")).toEqual(["deeper from b 8"]);
    expect(deeper("reveal b in deeper")).toEqual(["deeper: b 8"]);
    expect(() => operated(rows, ["hide deeper#2"], by)).toThrow('There is no bar "deeper"#2. "deeper" has 1 bar.');
    // A group is also what is below its ninth visit: nothing of it is left.
    expect(barsOf(operated(rows, ["hide a"], by))).toEqual(["b 12"]);
  });

  it("leaves what of `deeper` is not split off in the groups that it has", () => {
    const rows: Row[] = Array.from({ length: 16 }, (_, at) => ({
      name: at % 2 ? "b" : "a",
      parent: at === 0 ? undefined : at - 1,
      exclusive: 1,
      frame: { file: at % 2 ? "b.c" : "a.c" },
    }));
    // Two ways into `deeper`, each with a context of either file.
    for (const [inA, inB] of ["xy", "zw"])
      rows.push(
        { name: inA, parent: 15, exclusive: 1, frame: { file: "a.c" } },
        { name: inB, parent: rows.length, exclusive: 1, frame: { file: "b.c" } },
      );
    expect(barsOf(operated(rows, [])).at(-1)).toBe("deeper 4");
    expect(barsOf(operated(rows, ["split-by-entry deeper {x}", "hide b.c"]))).toEqual(["a.c 9", "deeper-x 2"]);
  });

  it("refuses to make names that are longer than any recorded one", () => {
    const name = "x".repeat(60_000);
    expect(() => operated([{ name, exclusive: 1 }], [`reveal ${name}`], { groupBy: "function" })).toThrow(
      "A group would have a name of 120002 characters. Take back some operations.",
    );
  });

  it("says which groups there are where it names none", () => {
    expect(() => operated(SOLVER, ["hide nothing"])).toThrow(
      'There is no group "nothing". There are "MPI", "halo.c", "io.c", "main.c", "solver.c".',
    );
    expect(() => operated(SOLVER, ["hide io.c#2"])).toThrow('There is no bar "io.c"#2. "io.c" has 1 bar.');
    expect(() => operated(SOLVER, ["split-by-entry MPI {dot}"])).toThrow(
      '"dot" is not an entry function of MPI. There are "MPI_Allreduce", "MPI_Init", "MPI_Send".',
    );
    expect(() => operated(SOLVER, ["split-by-entry MPI {MPI_Send} {MPI_Init,MPI_Send}"])).toThrow(
      "An entry function can be in one set only: MPI_Init, MPI_Send.",
    );
  });
});

describe("operations on 100,000 contexts", () => {
  const random = (seed: number) => () => (seed = (seed * 48271) % 0x7fffffff) / 0x7fffffff;
  const next = random(7);
  const chain: Row[] = Array.from({ length: 100_000 }, (_, at) => ({
    name: `f${at % 7}`,
    parent: at === 0 ? undefined : at - 1,
    exclusive: 1,
    frame: { file: `file${at % 3}.c` },
  }));
  const bushy: Row[] = Array.from({ length: 100_000 }, (_, at) => {
    const name = Math.floor(next() * 300);
    const parent = at === 0 ? undefined : Math.max(0, at - 1 - Math.floor(next() * 30));
    return { name: `f${name}`, parent, exclusive: next(), frame: { file: `file${name % 40}.c` } };
  });

  it.each([
    ["in one chain", chain, "file1.c"],
    ["in a tree", bushy, "file17.c"],
  ])("%s are done, each for itself and after the others", (_, rows, group) => {
    const basis = basisOf(rows);
    const attributes = {
      ...attributesOf(basis, {}),
      file: (id: number) => basis.frames.get(basis.functions.frame[id] as never).file,
    };
    const entry = group === "file1.c" ? "f1" : "f17";
    const texts = [
      `filter 0`,
      `split-by-entry ${group} {${entry}}`,
      `split-by-caller ${group} by function`,
      `reveal ${entry}`,
      `expand ${group}`,
      `hide ${group}`,
      `split-by-caller deeper`,
      `split-by-entry ${group}#1 {${entry}}`,
      `group-by function`,
    ];
    const build = (operations: readonly string[]) => {
      const request = { filter: 0, groupBy: "file" as const, lenient: true, mostBars: 1_000 };
      const structure = graphStructure(
        basis,
        attributes,
        { ...request, operations: operations.map(parseOperation) },
        quietTask,
      );
      return measuredGraph(structure, basis, quietTask);
    };
    for (const text of [undefined, ...texts]) {
      const graph = build(text === undefined ? [] : [text]);
      const sum = graph.bars.reduce((all, bar) => all + bar.exclusive + bar.hidden, graph.hidden);
      expect(Math.abs(sum - graph.total)).toBeLessThan(1e-9 * graph.total);
    }
    expect(build(texts).total).toBeCloseTo(basis.total, 6);
  });
});
