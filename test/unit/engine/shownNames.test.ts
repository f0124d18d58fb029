import { expect, it } from "vitest";
import { SingleSubject } from "../../../src/engine/graphs/graphSubject";
import { Graphs } from "../../../src/engine/graphs/graphs";
import type { Links } from "../../../src/engine/lines/links";
import { contextRows, hotFunctions, innermostPath } from "../../../src/engine/trees/trees";
import { shownOf } from "../../../src/model/shortName";
import { quietTask } from "../../../src/model/task";
import { contextNode, nodeTexts } from "../../../src/views/contextNodes";
import { openRecording } from "./recordings";

const PLANE = "bool voro::cell::nplane<voro::neighbor>(voro::neighbor&, double)";
const OVERLOAD = "voro::cell::nplane(double)";
const COMPUTE = "void voro::compute<voro::box>(voro::box&)";

const { open, contextOf } = openRecording([
  [["main", COMPUTE], 0, 1],
  [["main", COMPUTE, PLANE], 0, 5],
  [["main", COMPUTE, OVERLOAD], 0, 2],
]);
const scope = { dataSet: 1, metric: 0, over: "sum" } as const;

it("stand in lists with the whole name beside them", () => {
  const rows = hotFunctions(open, scope, "exclusive", 3);
  expect(rows.map(({ name }) => name)).toEqual([PLANE, OVERLOAD, COMPUTE]);
  // Two functions of one name keep what tells them apart.
  expect(rows.map(shownOf)).toEqual(["voro::cell::nplane<voro::neighbor>", "voro::cell::nplane", "voro::compute"]);
});

it("say in which load module a function is whose name the tool did not know", () => {
  const unknown = { name: "<unknown procedure>", kind: "function", module: "/usr/lib64/libpsm.so.1" } as const;
  const recorded = openRecording([
    [["main", { ...unknown, address: 16 }], 0, 2],
    [["main", { ...unknown, module: undefined, address: 32 }], 0, 1],
  ]);
  const rows = hotFunctions(recorded.open, scope, "exclusive", 2);
  expect(rows.map(shownOf)).toEqual(["<unknown procedure> in libpsm.so.1", "<unknown procedure>"]);
  expect(rows.map(({ name }) => name)).toEqual([unknown.name, unknown.name]);
});

it("say in which load module a function is that is known by its address alone, or not at all, wherever it is named", async () => {
  const module = "/usr/lib/ld-linux-x86-64.so.2";
  const [start, noName] = [
    { name: "0x1ab70", kind: "function", module, address: 16 } as const,
    { name: "", kind: "function", module, address: 32 } as const,
  ];
  const recorded = openRecording([
    [[start, "main"], 0, 2],
    [[start, "main", noName], 0, 1],
  ]);
  const shown = ["0x1ab70 in ld-linux-x86-64.so.2", "main", "(no name) in ld-linux-x86-64.so.2"];
  const rows = hotFunctions(recorded.open, scope, "inclusive", 3);
  expect(rows.map(shownOf)).toEqual(shown);
  expect(rows[0].name).toBe(start.name);
  const [first] = contextRows(recorded.open, scope, undefined, 1).rows;
  expect(shownOf(first)).toBe(shown[0]);
  const deepest = contextRows(
    recorded.open,
    scope,
    contextRows(recorded.open, scope, first.context, 1).rows[0].context,
    1,
  );
  expect(innermostPath(recorded.open, deepest.rows[0].context)).toEqual(shown);
  const graph = await graphsOf(recorded.open).superGraph({ scope, filter: 0, groupBy: "function" }, quietTask);
  expect(graph.shownNames.get(start.name)).toBe(shown[0]);
});

it("stand in the calling contexts, and along their paths", () => {
  const [row] = contextRows(open, scope, contextOf(["main"]), 1).rows;
  expect(row.name).toBe(COMPUTE);
  expect(nodeTexts(contextNode(row, undefined), { unit: "s", total: 8 }).label).toMatch(/ %\u2002voro::compute$/);
  expect(innermostPath(open, contextOf(["main", COMPUTE]))).toEqual(["main", "voro::compute"]);
});

function graphsOf(recorded: typeof open): Graphs {
  const links = {
    linksOf: (_: unknown, contexts: readonly number[]) =>
      Promise.resolve(contexts.map(() => ({ places: [], rule: "unknown", reason: "", considered: [] }))),
    notes: () => [],
  } as unknown as Links;
  return new Graphs(new SingleSubject(recorded, links));
}

it("are said of the groups and entries of a super graph", async () => {
  const graphs = graphsOf(open);
  const { shownNames } = await graphs.superGraph({ scope, filter: 0, groupBy: "function" }, quietTask);
  expect([...shownNames]).toEqual(
    expect.arrayContaining([
      [PLANE, "voro::cell::nplane<voro::neighbor>"],
      [COMPUTE, "voro::compute"],
    ]),
  );
  expect(shownNames.has("main")).toBe(false);
});

it("stand for loops without the folders of their file, as HPCToolkit's viewer shows them", () => {
  const file = "/build/solver/src/cg.cpp";
  const loop = { name: `loop at ${file}:12`, kind: "loop", file, line: 12 } as const;
  const recorded = openRecording([
    [["main", loop], 0, 1],
    [["main", { ...loop, name: "timestep", line: 13 }], 0, 2],
  ]);
  const { rows } = contextRows(recorded.open, scope, recorded.contextOf(["main"]), 9);
  expect(rows.map(({ name }) => name)).toEqual(["timestep", "loop at cg.cpp:12"]);
});
