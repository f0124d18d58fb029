import { afterAll, describe, expect, it, vi } from "vitest";
import { lastOf } from "../../../../src/model/steps";
import { quietTask } from "../../../../src/model/task";
import { choose, FirstAttempts, LADDER } from "../../../../src/supergraph/first/choice";
import { firstBasis } from "../../../../src/supergraph/first/firstBasis";
import type { FunctionAttributes } from "../../../../src/supergraph/grouping";
import type { GraphOperation } from "../../../../src/supergraph/query";
import {
  type GraphBasis,
  type GraphRequest,
  graphStructure,
  measuredGraph,
} from "../../../../src/supergraph/superGraph";
import { casesOf, seeds } from "../../randomCases";
import { brokenLaws } from "../graphLaws";
import { shuffled } from "../random";
import { basisOf, type Row, rowsOf } from "../treeOf";
import { FirstTwin } from "./firstTwin";
import { randomProgram } from "./randomPrograms";

function attributesOf({ frames, functions }: GraphBasis): FunctionAttributes {
  const frameOf = (id: number) => frames.get(functions.frame[id] as never);
  return { file: (id) => frameOf(id).file, className: () => undefined, module: (id) => frameOf(id).module };
}

function pictureOf(rows: readonly Row[], request: Partial<GraphRequest> = {}) {
  const basis = basisOf(rows);
  const structure = graphStructure(basis, attributesOf(basis), { filter: 0, groupBy: "first", ...request }, quietTask);
  return measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);
}

/** What is chosen, by the names that groups have among functions. */
function choiceOf(rows: readonly Row[], ladder = LADDER) {
  const basis = basisOf(rows);
  const first = firstBasis({ ...basis, attributes: attributesOf(basis) });
  const { choice, picture, isBeyond } = lastOf(choose(new FirstAttempts(first, ladder, quietTask)));
  const { bars, group, inclusive, own, flow } = picture.costed;
  const nameOf = (bar: number) => picture.groups.names[group[bar]];
  return {
    isBeyond,
    filter: choice.filter,
    opened: choice.opened.map(([, key]) => key),
    alone: choice.alone.length,
    bars: bars.id.map((_, bar) => [nameOf(bar), bars.level[bar], inclusive[bar], own[bar]].join(" ")).sort(),
    flows: Array.from(bars.source, (source, edge) =>
      [nameOf(source), nameOf(bars.target[edge]), flow[edge]].join(" "),
    ).sort(),
  };
}

describe("first pictures of random programs", () => {
  const seen = { small: 0, opened: 0, alone: 0 };

  it(`are those of the naive twin, on ${casesOf(300)} trees`, () => {
    for (const seed of seeds(300)) {
      const rows = randomProgram(seed, 60);
      const own = choiceOf(rows);
      const twin = new FirstTwin(rows).picture();
      expect(own.isBeyond, `seed ${seed}`).toBe(twin === undefined);
      if (!twin) continue;
      const { filter, opened, bars, flows } = twin;
      expect(own, `seed ${seed}`).toEqual({ isBeyond: false, filter, opened, alone: twin.alone.length, bars, flows });
      if (opened.length > 0) seen.opened++;
      if (twin.alone.length > 0) seen.alone++;
    }
  });

  it(`are those of the naive twin at a filter that is given, on ${casesOf(100)} trees`, () => {
    for (const seed of seeds(100)) {
      const rows = randomProgram(seed, 60);
      const percent = [0, 0.05, 0.4, 2, 8][seed % 5];
      const twin = new FirstTwin(rows, [percent]).picture();
      const own = choiceOf(rows, [percent]);
      expect(own.isBeyond, `seed ${seed}`).toBe(twin === undefined);
      const graph = pictureOf(rows, { first: { filter: percent } });
      expect(brokenLaws(graph), `seed ${seed}`).toEqual([]);
      if (!twin) {
        // As many bars as can be drawn, at this filter or at the next larger one.
        if (graph.filter > percent)
          expect(graph.notes).toContain(
            `Filtered at ${graph.filter} % instead of ${percent} %: there would be more than 500 bars.`,
          );
        continue;
      }
      const { opened, bars, flows } = twin;
      expect(own, `seed ${seed}`).toEqual({
        isBeyond: false,
        filter: percent,
        opened,
        alone: twin.alone.length,
        bars,
        flows,
      });
      expect(graph.filter, `seed ${seed}`).toBe(percent);
    }
  });

  it("keep what is opened at another filter, and raise one that leaves too many bars", () => {
    const wide = Array.from({ length: 700 }, (_, at): Row => ({
      name: `f${at}`,
      exclusive: 700 - at,
      parent: 0,
      frame: { module: `/home/a/lib${at}` },
    }));
    const rows = [{ name: "main", exclusive: 1, frame: { module: "/home/a/prog" } }, ...wide];
    const { choice } = pictureOf(rows).first ?? {};
    if (!choice) throw new Error("no first picture");
    for (const filter of [0.15, 0.25, 1]) {
      const graph = pictureOf(rows, { first: { ...choice, filter } });
      expect(graph.chosen?.choice).toEqual({ ...choice, filter });
      expect([graph.filter, graph.notes]).toEqual([filter, []]);
    }
    const raised = pictureOf(rows, { first: { ...choice, filter: 0 } });
    expect([raised.filter, raised.notes]).toEqual([
      0.1,
      ["Filtered at 0.1 % instead of 0 %: there would be more than 500 bars."],
    ]);
    expect(raised.bars.length).toBeLessThanOrEqual(500);
  });

  it(`keep the laws of super graphs, and their limits, on ${casesOf(600)} trees`, () => {
    for (const seed of seeds(600)) {
      const graph = pictureOf(randomProgram(seed));
      expect(brokenLaws(graph), `seed ${seed}`).toEqual([]);
      const { first } = graph;
      if (!first) throw new Error("no first picture");
      expect([...first.names].sort()).toEqual(graph.bars.map(({ id }) => id).sort());
      if (first.why.includes("No filter")) continue;
      seen.small++;
      expect(graph.bars.length, `seed ${seed}`).toBeLessThanOrEqual(30);
      expect(first.drawn.length, `seed ${seed}`).toBeLessThanOrEqual(60);
      expect(Math.max(...graph.bars.map(({ level }) => level)), `seed ${seed}`).toBeLessThan(12);
      for (const { inclusive, id } of graph.bars)
        expect(inclusive / graph.total, `seed ${seed} ${id}`).toBeGreaterThanOrEqual(graph.filter / 100 - 1e-9);
    }
  });

  it("are the same bytes whatever the order of the input, twice, and from their choice", () => {
    for (const seed of seeds(100)) {
      const rows = randomProgram(seed).map((row) => ({ ...row, exclusive: row.exclusive / 3 + 0.1 }));
      const graph = pictureOf(rows);
      const bytes = JSON.stringify(graph);
      expect(JSON.stringify(pictureOf(shuffled(rows, seed)))).toBe(bytes);
      expect(JSON.stringify(pictureOf(rows))).toBe(bytes);
      const again = pictureOf(rows, { first: graph.first?.choice });
      expect(JSON.stringify([again.bars, again.edges, again.first?.names, again.first?.drawn])).toBe(
        JSON.stringify([graph.bars, graph.edges, graph.first?.names, graph.first?.drawn]),
      );
    }
  });

  it("take operations, which keep the laws, and fold nothing anew", () => {
    let expanded = 0;
    for (const seed of seeds(300)) {
      const rows = randomProgram(seed);
      const graph = pictureOf(rows);
      const { choice } = graph.first ?? {};
      const target = { group: graph.bars[seed % graph.bars.length].group };
      const steps: GraphOperation[] = [{ kind: "expand", target }];
      const after = pictureOf(rows, { first: choice, operations: steps, lenient: true, mostBars: 5000 });
      expect(brokenLaws(after), `seed ${seed}`).toEqual([]);
      if (after.notes.some((note) => note.startsWith("Left out"))) continue;
      expanded++;
      const back = pictureOf(rows, {
        first: choice,
        operations: [...steps, { kind: "collapse", target }],
        mostBars: 5000,
      });
      expect(back.bars.map(({ id, inclusive }) => [id, inclusive])).toEqual(
        graph.bars.map(({ id, inclusive }) => [id, inclusive]),
      );
    }
    expect(expanded).toBeGreaterThan(casesOf(300) / 10);
  });

  afterAll(() => {
    expect(seen.small).toBeGreaterThan(casesOf(600) / 2);
    expect(seen.opened).toBeGreaterThan(casesOf(300) / 4);
  });
});

describe("a first picture of a long chain", () => {
  const chainOf = (length: number, exclusive: (at: number) => number) =>
    Array.from({ length }, (_, at): Row => ({
      name: `f${at}`,
      exclusive: exclusive(at),
      parent: at === 0 ? undefined : at - 1,
    }));

  it("is one bar with the name of the last function, which holds all others", () => {
    for (const length of [500, 501, 50_000]) {
      const graph = pictureOf(chainOf(length, (at) => (at === length - 1 ? 7 : 0)));
      expect(brokenLaws(graph)).toEqual([]);
      expect(graph.bars.map(({ id, inclusive, exclusive }) => [id, inclusive, exclusive])).toEqual([
        [`f${length - 1}`, 7, 7],
      ]);
      const { first } = graph;
      expect(first?.bars[0].holds).toEqual(chainOf(length - 1, () => 0).map(({ name }) => name));
      const again = pictureOf(
        chainOf(length, (at) => (at === length - 1 ? 7 : 0)),
        { first: first?.choice },
      );
      expect(again.bars).toEqual(graph.bars);
    }
  });

  it("says nothing of limits that it keeps, and starts at the smallest filter", () => {
    const { first, filter } = pictureOf(chainOf(20_000, (at) => (at === 19_999 ? 1 : 0)));
    expect([filter, first?.why]).toEqual([0.1, "Functions and bars below 0.1 % of the total are hidden."]);
  });

  it("keeps what branches off, and code that costs at the top and in the middle", () => {
    const length = 5_000;
    // 2 % on the way stay in the chain below them.
    const rows = chainOf(length, (at) => ({ 0: 100, 2_500: 20, [length - 1]: 500 })[at] ?? 0);
    const graph = pictureOf([
      ...rows,
      { name: "left", exclusive: 200, parent: length - 1 },
      { name: "right", exclusive: 180, parent: length - 1 },
    ]);
    expect(brokenLaws(graph)).toEqual([]);
    expect(graph.bars.map(({ id, inclusive, exclusive }) => [id, inclusive, exclusive])).toEqual([
      ["f0", 1000, 100],
      ["f2500", 900, 20],
      [`f${length - 1}`, 880, 500],
      ["left", 200, 200],
      ["right", 180, 180],
    ]);
    expect(graph.first?.bars.map(({ holds }) => holds.length)).toEqual([0, 2_499, 2_498, 0, 0]);
  });

  it("fails with advice that helps if functions are on all paths in another order each", () => {
    const length = 600;
    const down = chainOf(length, (at) => (at === length - 1 ? 1 : 0));
    const up = down.map((row, at): Row => ({
      ...row,
      name: `f${length - 1 - at}`,
      parent: at === 0 ? undefined : length + at - 1,
    }));
    expect(() => pictureOf([...down, ...up])).toThrow(/more than 500 bars\. Group by load module\./);
    expect(pictureOf([...down, ...up], { groupBy: "module" }).bars).toHaveLength(1);
  });
});

describe("a first picture of small functions", () => {
  it("says why there is no bar, and what helps", () => {
    const rows = Array.from({ length: 5_000 }, (_, at): Row => ({
      name: `f${at}`,
      exclusive: 1,
      frame: { file: `/src/file${at % 3}.c` },
    }));
    const graph = pictureOf(rows);
    expect(graph.bars).toEqual([]);
    expect(graph.notes).toEqual([
      "No function reaches 0.1 % of the total, so there is no bar: the largest has 0.0200 %. Group by file or load module and set the filter to 0, or see Hot Functions.",
    ]);
    expect(pictureOf(rows, { groupBy: "file", filter: 0 }).bars).toHaveLength(3);
  });

  it("says nothing of that if one function has a bar", () => {
    const rows = Array.from({ length: 5_000 }, (_, at): Row => ({ name: `f${at}`, exclusive: at === 0 ? 6 : 1 }));
    const graph = pictureOf(rows);
    expect(graph.bars.map(({ id }) => id)).toEqual(["f0"]);
    expect(graph.notes).toEqual([]);
  });
});

describe("a first picture", () => {
  it("clears columns a few times in all, and not once per root", () => {
    // A flat profile: each function is a root.
    const rows = Array.from({ length: 3_000 }, (_, at): Row => ({ name: `f${at}`, exclusive: 1 + at }));
    const basis = basisOf(rows);
    let cleared = 0;
    const { fill } = Int32Array.prototype;
    const spy = vi.spyOn(Int32Array.prototype, "fill").mockImplementation(function (this: Int32Array, ...given) {
      cleared += this.length;
      return fill.apply(this, given);
    });
    try {
      firstBasis({ ...basis, attributes: attributesOf(basis) });
    } finally {
      spy.mockRestore();
    }
    expect(cleared).toBeLessThan(10 * rows.length);
  });

  const at = (name: string, module: string, exclusive: number, parent?: number): Row => ({
    name,
    exclusive,
    parent,
    frame: { module },
  });
  const LIBC = "/usr/lib/libc.so.6";

  it("makes no bars of libraries between a program's functions, and names chains by their end", () => {
    const graph = pictureOf([
      at("_start", LIBC, 0),
      at("main", "/home/a/prog", 1, 0),
      at("qsort", LIBC, 5, 1),
      at("compare", "/home/a/prog", 500, 2),
      at("memcpy", LIBC, 300, 3),
      at("solve", "/home/a/prog", 400, 1),
    ]);
    expect(graph.bars.map(({ id }) => id)).toEqual(
      ["main", "compare", "solve", "libc"].filter((id) => id !== "libc").concat("memcpy"),
    );
    expect(graph.first?.bars[0].holds).toEqual([]);
    expect(graph.first?.names.slice(0, 3)).toEqual(["compare", "solve", "memcpy"]);
  });

  it("says what a chain holds from the top, and what is inside of a bar", () => {
    const graph = pictureOf(
      rowsOf(`
      main 0
        run 1
          solve 300
            axpy 400
            dot 299`),
    );
    expect(graph.bars.map(({ id }) => id)).toEqual(["solve", "axpy", "dot"]);
    expect(graph.first?.bars[0]).toEqual({ holds: ["main", "run"], inside: [["solve", 300]] });
  });

  it("has code without names as one function a load module", () => {
    const graph = pictureOf([
      at("0x10", "/home/a/prog", 10),
      at("0x20", "/home/a/prog", 20, 0),
      at("0x30", LIBC, 5, 1),
      { name: "[unknown]", exclusive: 7, frame: { address: 4 } },
    ]);
    expect(graph.bars.map(({ group, exclusive }) => [group, exclusive])).toEqual([
      ["prog, no names", 30],
      ["[unknown]", 7],
      ["libc, no names", 5],
    ]);
    expect(graph.notes).toEqual(["prog has no names (71.4 %): install its debug symbols or build with -g."]);
    const ofLibrary = pictureOf([at("0x10", "/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0", 10)]);
    expect(ofLibrary.notes).toEqual([
      "libgomp has no names (100 %): install its debug symbols (libgomp1-dbgsym on Debian and Ubuntu) or build with -g.",
    ]);
  });
});
