import { describe, expect, it } from "vitest";
import { CancelledError, RequestError } from "../../../src/model/errors";
import { quietTask, type Task, taskOf } from "../../../src/model/task";
import { laidOut } from "./laidOut";
import {
  type GraphRequest,
  graphStructure,
  type MeasuredGraph,
  measuredGraph,
} from "../../../src/supergraph/superGraph";
import { attributesOf, basisOf, type Row, rowsOf } from "./treeOf";

type Known = Parameters<typeof attributesOf>[1];

function graphOf(
  rows: readonly Row[],
  request: GraphRequest,
  known: Known = {},
  task: Task = quietTask,
): MeasuredGraph {
  const basis = basisOf(rows);
  const structure = graphStructure(basis, attributesOf(basis, known), request, task);
  return measuredGraph(structure, { exclusive: basis.exclusive }, task);
}

const byFunction: GraphRequest = { filter: 0, groupBy: "function" };

describe("super graph", () => {
  it.each([[[0]], [[-1]], [[2, -2]], [[]]])("is refused where the total is not positive: %j", (values) => {
    const rows = values.map((exclusive, at) => ({ name: `f${at}`, exclusive }));
    expect(() => graphOf(rows, byFunction)).toThrow(RequestError);
    expect(() => graphOf(rows, byFunction)).toThrow(/no super graph: its total over all contexts is/);
  });

  it.each([-1, 101, NaN, Infinity])("is refused at a filter of %d percent", (filter) => {
    expect(() => graphOf([{ name: "f", exclusive: 1 }], { filter, groupBy: "function" })).toThrow(/0 to 100/);
  });

  it("keeps a function with exactly the share that is asked for, whatever sums were rounded to", () => {
    // 0.1 + 0.2 is a little more than 0.3, which is the half of 0.6.
    const rows = rowsOf(`
        half 0.3
        main 0.1
          f 0.2`);
    expect(graphOf(rows, { filter: 50, groupBy: "function" }).bars.map((bar) => bar.id)).toEqual(["half", "main"]);
  });

  it("counts the contexts and functions that a filter leaves out, and hides their cost in the nearest ancestor", () => {
    const rows = rowsOf(`
        main 90
          small 1
            big 50
        lost 2`);
    const graph = graphOf(rows, { filter: 10, groupBy: "function" });
    // `small` has 51 of 143 below it, so it stays; only `lost` goes.
    expect(graph.bars.map(({ id, hidden }) => [id, hidden])).toEqual([
      ["main", 0],
      ["small", 0],
      ["big", 0],
    ]);
    expect([graph.hidden, graph.filtered, graph.functions]).toEqual([
      2,
      { functions: 1, contexts: 1, exclusive: 2 },
      3,
    ]);
  });

  it("counts no function that has no context, as the smallest of a call graph", () => {
    const rows = rowsOf(`
        main 99
          small 1`);
    const basis = basisOf(rows, ["smaller", "smallest"]);
    expect(basis.functions.size).toBe(4);
    const structure = graphStructure(basis, attributesOf(basis, {}), { filter: 10, groupBy: "function" }, quietTask);
    const graph = measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);
    expect([graph.functions, graph.filtered.functions]).toEqual([1, 1]);
  });

  it("takes the strictest of its filters and the last of its groupings", () => {
    const rows = rowsOf(`
        main 60
          f 30
            g 10`);
    const request: GraphRequest = {
      filter: 0,
      groupBy: "file",
      operations: [
        { kind: "filter", percent: 20 },
        { kind: "group-by", groupBy: "none" },
        { kind: "filter", percent: 5 },
        { kind: "group-by", groupBy: "function" },
      ],
    };
    const graph = graphOf(rows, request);
    expect([graph.filter, graph.groupBy, graph.bars.map((bar) => bar.id)]).toEqual([20, "function", ["main", "f"]]);
    expect(graph.bars[1].hidden).toBe(10);
  });

  it("orders bars that differ by rounding only by name", () => {
    // Paths p→q and q→p: whichever of the lower two is merged first keeps its group whole. They are equal but for the
    // last bit, by which q is heavier; so p, the first by name, is it.
    const rows = rowsOf(`
        p 1
          q 0.1
            leaf 0.2
        q 1
          p 0.3`);
    expect(0.1 + 0.2).toBeGreaterThan(0.3);
    const { bars } = graphOf(rows, byFunction);
    expect(bars.map(({ id, level }) => `${id} at ${level}`)).toEqual(["q at 0", "p at 1", "q#2 at 2", "leaf at 3"]);
  });

  it("tells the bar of a function named like a second bar from that bar", () => {
    const rows = rowsOf(`
        f 1
          g 1
            f 1
              f#2 1
                deeper 1`);
    const ids = graphOf(rows, byFunction).bars.map((bar) => bar.id);
    expect(ids).toEqual(["f", "g", "f#2", "f#2#1", "deeper"]);
  });

  it("puts everything below a ninth visit into one bar, beside a group of that name", () => {
    const rows: Row[] = [];
    for (let depth = 0; depth < 40; depth++)
      rows.push({
        name: depth % 2 ? "a" : depth === 39 ? "deeper" : "b",
        parent: depth ? depth - 1 : undefined,
        exclusive: 1,
      });
    rows.push({ name: "deeper", exclusive: 1 });
    const graph = graphOf(rows, byFunction);
    const deeper = graph.bars.filter((bar) => bar.group === "deeper");
    // Eight visits of a and b each, then 24 contexts of both in one bar.
    expect(deeper.map(({ id, level, contexts, exclusive }) => [id, level, contexts, exclusive])).toEqual([
      ["deeper", 0, 1, 1],
      ["deeper#2", 16, 24, 24],
    ]);
    expect(graph.bars.length).toBe(18);
  });

  it.each(["chain of one function", "chain of two files", "chain of 100 functions"])(
    "of 100,000 contexts below each other works: %s",
    (kind) => {
      const different = kind.includes("100 functions") ? 100 : kind.includes("two") ? 2 : 1;
      const rows: Row[] = Array.from({ length: 100_000 }, (_, at) => ({
        name: `f${at % different}`,
        parent: at === 0 ? undefined : at - 1,
        exclusive: 1,
      }));
      const graph = graphOf(rows, { filter: 0.1, groupBy: "file", mostBars: 1000 }, { file: (name) => `${name}.c` });
      expect(graph.total).toBe(100_000);
      expect(graph.bars.length).toBe(different === 1 ? 1 : different * 8 + 1);
      const sum = graph.bars.reduce((all, bar) => all + bar.exclusive + bar.hidden, graph.hidden);
      expect(sum).toBe(100_000);
      const layout = laidOut(graph, { width: 800, height: 600 });
      expect(layout.bars.length).toBe(graph.bars.length);
    },
  );

  it("raises the filter to the least round percentage that leaves few enough bars, and says so", () => {
    const rows: Row[] = [{ name: "main", exclusive: 0 }];
    for (let at = 1; at <= 1000; at++) rows.push({ name: `f${at}`, parent: 0, exclusive: at });
    const graph = graphOf(rows, byFunction);
    const share = (at: number) => (100 * at) / graph.total;
    // f502 is the first of the 499 heaviest: main and they make 500 bars.
    expect(graph.bars.length).toBeLessThanOrEqual(500);
    expect(graph.filter).toBeGreaterThan(share(501));
    expect(graph.filter).toBeLessThan(share(501) * 1.25);
    expect(graph.notes).toEqual([`Filtered at ${graph.filter} % instead of 0 %: there would be more than 500 bars.`]);
    expect(graphOf(rows, { ...byFunction, mostBars: Infinity }).bars.length).toBe(1001);
  });

  it("says what to do where no filter leaves few enough bars", () => {
    const rows: Row[] = Array.from({ length: 600 }, (_, at) => ({
      name: `f${at}`,
      parent: at === 0 ? undefined : at - 1,
      exclusive: at === 599 ? 1 : 0,
    }));
    expect(() => graphOf(rows, byFunction)).toThrow(/more than 500 bars. Group by something coarser/);
  });

  it("groups by file, else by module, else by function, and says why", () => {
    const rows = rowsOf(`
        main 40
          f 60`);
    const auto: GraphRequest = { filter: 0, groupBy: "default" };
    const grouped = (known: Known) => {
      const { groupBy, notes } = graphOf(rows, auto, known);
      return [groupBy, ...notes];
    };
    const only = (name: string, value: string) => (one: string) => (one === name ? value : undefined);
    expect(grouped({ file: only("f", "f.c") })).toEqual(["file"]);
    expect(grouped({ file: only("main", "main.c"), module: only("f", "f.so") })).toEqual([
      "module",
      "Grouped by load module: the source file is not known for 60.0 % of the total.",
    ]);
    expect(grouped({})).toEqual([
      "function",
      "Grouped by function: the source file is not known for 100 % of the total, nor the load module for 100 %.",
    ]);
  });

  it("says the same shares of the total whatever the filter leaves", () => {
    const rows = rowsOf(`
      main 10
        a 70
          small 15
          tiny 5`);
    for (const filter of [0, 10, 50])
      expect(graphOf(rows, { filter, groupBy: "default" }, {}).notes, `filter ${filter}`).toContain(
        "Grouped by function: the source file is not known for 100 % of the total, nor the load module for 100 %.",
      );
  });

  it("stops where it is cancelled", () => {
    const rows: Row[] = [{ name: "main", exclusive: 1 }];
    for (let at = 1; at < 3000; at++)
      rows.push({ name: `f${(at * 7919) % 211}`, parent: (at * 7919 + 13) % ((at + 1) >> 1), exclusive: 1 });
    let checks = 0;
    const cancelledAfter = (limit: number) =>
      taskOf(
        () => ++checks > limit,
        () => undefined,
      );
    const byFile: GraphRequest = { filter: 0, groupBy: "file" };
    const file = (name: string) => `${Number(name.slice(1)) % 20}.c`;
    graphOf(rows, byFile, { file }, cancelledAfter(Infinity));
    const all = checks;
    expect(all).toBeGreaterThan(20);
    for (const limit of [0, 1, Math.floor(all / 2), all - 1]) {
      checks = 0;
      expect(() => graphOf(rows, byFile, { file }, cancelledAfter(limit))).toThrow(CancelledError);
    }
  });
});
