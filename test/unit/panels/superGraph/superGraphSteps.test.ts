import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type { ArgumentOf, FunctionRow, GraphBar, GraphQuery, SuperGraph } from "../../../../src/engine/api";
import { SavedStepsStore } from "../../../../src/panels/superGraph/savedSteps";
import type { DrawnQuery, OtherGraph } from "../../../../src/panels/superGraph/superGraphDrawing";
import { SuperGraphSteps } from "../../../../src/panels/superGraph/superGraphSteps";
import type { StepsMessage } from "../../../../src/protocol/graphSteps";
import { dataSetInfo } from "../../session/sampleInfo";

/** What lists offer, what is chosen of them, and what is copied. */
const heard = vi.hoisted(() => ({ offered: [] as vscode.QuickPickItem[], choose: "", copied: "" }));
vi.mock("vscode", () => ({
  window: {
    showQuickPick: (items: vscode.QuickPickItem[]) => {
      heard.offered = items;
      return Promise.resolve(items.find(({ label }) => label === heard.choose));
    },
  },
  workspace: {},
  env: { clipboard: { writeText: async (text: string) => void (heard.copied = text) } },
}));

const bar = (group: string, visit = 1, more: Partial<GraphBar> = {}): GraphBar => ({
  ...{ id: visit === 1 ? group : `${group}#${visit}`, group, visit, level: 0, inclusive: 1, exclusive: 1, hidden: 0 },
  ...{ contexts: 1, entries: [], ...more },
});

function graphOf(bars: GraphBar[], skipped: SuperGraph["skipped"] = []): SuperGraph {
  return {
    ...{ metric: "time", unit: "s", over: "sum", total: 1, hidden: 0, functions: 1, edges: [], notes: [] },
    ...{ filtered: { functions: 0, contexts: 0, exclusive: 0 }, groupBy: "file", filter: 0, bars, skipped },
  };
}

describe("the steps of a panel", () => {
  let drawn: DrawnQuery[];
  let posted: StepsMessage[];
  let changes: number;
  let notices: string[];
  let other: OtherGraph | undefined;
  let steps: SuperGraphSteps;
  const query: GraphQuery = { scope: { dataSet: 1, metric: 0, over: "sum" }, filter: 0, groupBy: "file" };
  const row = (name: string, exclusive: number): FunctionRow => ({
    ...{ function: 0, name, detail: `${name}.cpp`, exclusive, inclusive: exclusive, contexts: 1 },
  });
  const session = {
    scope: () => query.scope,
    engine: {
      barFunctions: async ({ query: { scope } }: ArgumentOf<"barFunctions">) =>
        scope.dataSet === 1 ? [row("solve", 3)] : [row("limit", 2), row("solve", 1)],
    },
  };
  const storage = new Map<string, unknown>();
  const saved = new SavedStepsStore({
    get: (key: string) => storage.get(key),
    update: async (key: string, value: unknown) => void storage.set(key, value),
  } as unknown as vscode.Memento);
  const create = (state: ConstructorParameters<typeof SuperGraphSteps>[1]) =>
    new SuperGraphSteps(
      {
        session: session as never,
        saved,
        dataSet: () => dataSetInfo(),
        other: () => other,
        drawn: (revision) => drawn.find((known) => known.revision === revision),
        changed: async () => void changes++,
        post: (message) => posted.push(message),
        notice: (text) => notices.push(text),
      },
      state,
    );

  beforeEach(() => {
    [drawn, posted, changes, notices, other] = [[], [], 0, [], undefined];
    storage.clear();
    steps = create({ filter: 0.1, groupBy: "file" });
    drawn.push({ query, graph: graphOf([bar("main.c"), bar("lib"), bar("lib", 2)]), revision: 1 });
  });
  const operate = (index: number, revision = 1, kind: "hide" | "expand" | "collapse" = "hide") =>
    steps.answer({ type: "operate", kind, revision, bar: index });

  it("are about the bar that was clicked: its group, or the one of several", async () => {
    await operate(0);
    await operate(2);
    await operate(9);
    expect(steps.query.operations).toEqual([
      { kind: "hide", target: { group: "main.c" } },
      { kind: "hide", target: { group: "lib", bar: 2 } },
    ]);
    expect([steps.query.lenient, changes]).toEqual([true, 2]);
  });

  it("do not lose a click on the graph before, nor take one on a graph that never was", async () => {
    drawn.unshift({ query, graph: graphOf([bar("lib")]), revision: 2 });
    await operate(0, 1);
    await operate(0, 7);
    expect(steps.query.operations).toEqual([{ kind: "hide", target: { group: "main.c" } }]);
  });

  it("collapse what the graph says was expanded, and only that", async () => {
    drawn.unshift({
      query,
      graph: graphOf([bar("a.c", 1, { collapsesTo: { group: "src" } }), bar("lib")]),
      revision: 2,
    });
    await operate(1, 2, "collapse");
    await operate(0, 2, "collapse");
    expect(steps.query.operations).toEqual([{ kind: "collapse", target: { group: "src" } }]);
  });

  it("reveal what only the other of two recordings has in a bar, and say so", async () => {
    const compared: GraphQuery = { ...query, scope: { ...query.scope, dataSet: 2 }, compared: query.scope };
    other = { query: compared, kind: "runs", name: "np8-r2.cali" };
    drawn.unshift({ query, graph: graphOf([bar("lib")]), revision: 2, other });
    heard.choose = "limit";
    await steps.answer({ type: "operate", kind: "reveal", revision: 2, bar: 0 });
    expect(heard.offered.map(({ label, description, detail }) => [label, description, detail])).toEqual([
      ["solve", "self 3.00 s, inclusive 3.00 s", "solve.cpp"],
      ["limit", "self 0 s, inclusive 0 s", "limit.cpp · only in np8-r2.cali"],
    ]);
    expect(steps.query.operations).toEqual([{ kind: "reveal", function: "limit", target: { group: "lib" } }]);
  });

  it("are copied with a word on the second graph, which a command line does not give", async () => {
    const copy = async (kind: OtherGraph["kind"] | undefined, name: string) => {
      other = kind && { query, kind, name };
      await steps.answer({ type: "steps-action", action: "copy" });
      expect(heard.copied).toMatch(/^heatflow graph \/data\/profile.cali /);
      return notices.at(-1);
    };
    expect(await copy(undefined, "")).toBe("Copied.");
    expect(await copy("runs", "np8-r2.cali")).toBe("Copied: the comparison with np8-r2.cali is not part of it.");
    expect(await copy("members", "ranks 1-3")).toBe("Copied: the graph of ranks 1-3 is not part of it.");
  });

  it("come back from what a panel kept; what is no operation gives none", async () => {
    await operate(0);
    await operate(1);
    await steps.answer({ type: "steps-action", action: "undo" });
    const { state } = steps;
    expect(state.steps).toEqual({ operations: ["hide main.c", "hide lib#1"], done: 1 });
    const again = create(state);
    expect([again.state, again.query]).toEqual([state, steps.query]);
    expect(create({ ...state, steps: { operations: ["hide"], done: 1 } }).query.operations).toBeUndefined();
  });

  it("tell why one cannot be done, and no longer when it can", async () => {
    await operate(0);
    await operate(1);
    const asked = { ...query, ...steps.query };
    steps.tell({ query: asked, graph: graphOf([], [{ index: 1, reason: "There is no group." }]) });
    expect(posted.at(-1)?.steps.map(({ problem }) => problem)).toEqual([undefined, "There is no group."]);
    steps.tell({ query: asked, graph: graphOf([]) });
    expect(posted.at(-1)?.steps.map(({ problem }) => problem)).toEqual([undefined, undefined]);
    expect(posted.at(-1)?.start).toEqual(["hide below 0.1 %", "by source file"]);
  });

  it("are saved by name, the newest of a name first, and what is stored wrong is left out", async () => {
    const one = { name: "a", dataSet: "x.cali", filter: 0.1, groupBy: "file" as const, operations: ["hide MPI"] };
    await saved.save(one);
    await saved.save({ ...one, name: "b" });
    await saved.save({ ...one, operations: ["hide lib"] });
    expect(saved.all().map(({ name, operations }) => [name, operations])).toEqual([
      ["a", ["hide lib"]],
      ["b", ["hide MPI"]],
    ]);
    const [key] = storage.keys();
    storage.set(key, [one, { ...one, operations: ["no operation"] }, { name: 3 }, null]);
    expect(saved.all()).toEqual([one]);
    await saved.remove("a");
    expect(saved.all()).toEqual([]);
    // What another version saved is there when that version is again.
    const later = { ...one, name: "later", operations: ["fold MPI into halo"] };
    storage.set(key, [later]);
    await saved.save(one);
    await saved.remove("a");
    expect([saved.all(), storage.get(key)]).toEqual([[], [later]]);
  });
});
