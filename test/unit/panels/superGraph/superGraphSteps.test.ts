import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type {
  ArgumentOf,
  FirstChoice,
  FunctionRow,
  GraphBar,
  GraphQuery,
  SuperGraph,
} from "../../../../src/engine/api";
import type { OnScreen, View } from "../../../../src/panels/kit/definition";
import type { AskedGraphs } from "../../../../src/panels/superGraph/askedGraphs";
import { superGraph } from "../../../../src/panels/superGraph/definition";
import { newSteps, operationsDone, replaceSteps } from "../../../../src/panels/superGraph/graphSteps";
import { SavedStepsStore } from "../../../../src/panels/superGraph/savedSteps";
import type { ShownGraphs } from "../../../../src/panels/superGraph/shownGraphs";
import { type GraphPanel, keptSteps, operate as operateOn, stepsOf } from "../../../../src/panels/superGraph/steps";
import { commonOf } from "../../../../src/panels/superGraph/graphView";
import { parse } from "../../../../src/protocol/bounds";
import { superGraphState, type SuperGraphState } from "../../../../src/protocol/superGraph";
import { dataSetInfo, metricInfo } from "../../session/sampleInfo";

/** What lists offer, what is chosen of them, and what is copied. */
const heard = vi.hoisted(() => ({ offered: [] as vscode.QuickPickItem[], choose: "", copied: "" }));
vi.mock("vscode", () => ({
  window: {
    showQuickPick: (items: vscode.QuickPickItem[]) => {
      heard.offered = items;
      return Promise.resolve(items.find(({ label }) => label === heard.choose));
    },
  },
  workspace: { getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }) },
  env: { clipboard: { writeText: async (text: string) => void (heard.copied = text) } },
}));

const bar = (group: string, visit = 1, more: Partial<GraphBar> = {}): GraphBar => ({
  id: visit === 1 ? group : `${group}#${visit}`,
  group,
  visit,
  level: 0,
  inclusive: 1,
  exclusive: 1,
  hidden: 0,
  contexts: 1,
  entries: [],
  ...more,
});

function graphOf(bars: GraphBar[], skipped: SuperGraph["skipped"] = []): SuperGraph {
  return {
    shownNames: new Map(),
    metric: "time",
    unit: "s",
    over: "sum",
    total: 1,
    hidden: 0,
    functions: 1,
    edges: [],
    notes: [],
    filtered: { functions: 0, contexts: 0, exclusive: 0 },
    groupBy: "file",
    filter: 0,
    bars,
    skipped,
  };
}

describe("the steps of a panel", () => {
  let state: SuperGraphState;
  let notices: string[];
  let onScreen: OnScreen<ShownGraphs> | undefined;
  const query: GraphQuery = { scope: { dataSet: 1, metric: 0, over: "sum" }, filter: 0, groupBy: "file" };
  const row = (name: string, exclusive: number): FunctionRow => ({
    function: 0,
    name,
    detail: `${name}.cpp`,
    exclusive,
    inclusive: exclusive,
    contexts: 1,
  });
  const session = {
    renamed: [],
    dataSets: [],
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
  const definition = superGraph(saved);
  const view = () =>
    ({
      session,
      dataSet: dataSetInfo(),
      scope: query.scope,
      metric: metricInfo(),
      state,
    }) as unknown as View<SuperGraphState>;
  const panel: GraphPanel = {
    get view() {
      return view();
    },
    get onScreen() {
      return onScreen;
    },
    change: async (more) => void (state = { ...state, ...more }),
    notice: (text) => void notices.push(text),
    copy: async () => undefined,
    goTo: async () => undefined,
    explained: () => undefined,
    highlight: () => undefined,
    showWindow: () => undefined,
    maximize: async () => undefined,
    run: async () => undefined,
  };
  const operations = () => operationsDone(stepsOf(state));
  /** A graph on screen, with another one beside it. */
  const shown = (
    graph: SuperGraph,
    other?: { readonly kind: "members" | "runs"; readonly name: string },
  ): ShownGraphs => {
    const planned = { info: dataSetInfo(), scope: query.scope, name: "own" };
    const second = { ...query, scope: { ...query.scope, dataSet: 2 }, compared: query.scope };
    const graphs = [
      { planned, query, graph, heights: graph },
      ...(other ? [{ planned: { ...planned, name: other.name }, query: second, graph, heights: graph }] : []),
    ];
    const plan = {
      graphs: graphs.map((one) => one.planned),
      merged: false,
      notes: [],
      ...(other ? { pair: other.kind } : {}),
    };
    const asked: AskedGraphs = { plan, graphs };
    return { asked, content: undefined as never, steps: stepsOf(state) };
  };
  const choose = async (id: string, value = "") => {
    const change = await definition.choose(view(), id, value, panel);
    if (change) await panel.change(change);
  };

  beforeEach(() => {
    [notices, onScreen] = [[], undefined];
    storage.clear();
    state = { ...definition.start, ...keptSteps(newSteps({ filter: 0.1, groupBy: "file" })) };
  });
  const three = graphOf([bar("main.c"), bar("lib"), bar("lib", 2)]);
  const operate = (index: number, kind: "hide" | "expand" | "collapse" | "reveal" = "hide", of = shown(three)) =>
    operateOn(kind, of, { bar: index }, panel);

  it("are about the bar that was clicked: its group, or the one of several", async () => {
    await operate(0);
    await operate(2);
    await operate(9);
    expect(operations()).toEqual([
      { kind: "hide", target: { group: "main.c" } },
      { kind: "hide", target: { group: "lib", bar: 2 } },
    ]);
    expect(definition.asked?.(view())).toMatchObject([
      [{ operations: operations(), lenient: true }],
      0.1,
      false,
      [undefined],
    ]);
  });

  /** What a first picture chose. */
  const choice: FirstChoice = { filter: 0.15, opened: [[0, "muscle"]], alone: [] };
  const chosen = { choice, by: "file", why: "Expanded: muscle." } as const;
  const pictured = { ...three, groupBy: "first", chosen } as const;
  /** The graph that was asked for comes. */
  const comes = (graph: SuperGraph) => {
    const answer = shown(graph);
    const learned = definition.learned?.(answer, view(), state);
    state = { ...state, ...learned };
    onScreen = { shown: answer, revision: 1 };
    return learned;
  };
  const stepTexts = () => definition.steps?.(view(), onScreen?.shown)?.map(({ text }) => text);
  const asksWith = () => {
    const { filter, groupBy, first } = commonOf(view());
    return { filter, groupBy, first };
  };

  it("begin with the first picture, whose choice is kept without a step", () => {
    state = { ...definition.start };
    const before = JSON.stringify(definition.asked?.(view()));
    expect(asksWith()).toEqual({ filter: 0, groupBy: "first", first: undefined });
    expect(comes(pictured)).toBeDefined();
    expect(asksWith()).toEqual({ filter: 0, groupBy: "first", first: choice });
    // The same question, so that nothing is asked again.
    expect(JSON.stringify(definition.asked?.(view()))).toBe(before);
    expect(comes(pictured)).toBeUndefined();
    expect(stepTexts()).toEqual(["profile", "≥ 0.15 %", "first picture"]);
    const tools = definition.controls(view(), onScreen?.shown).filter(({ id }) => id === "undo");
    expect(tools).toMatchObject([{ disabled: "nothing was done" }]);
  });

  it("name what the first picture is grouped by, and lead to other groupings", () => {
    state = { ...definition.start };
    comes(pictured);
    const group = definition.controls(view(), onScreen?.shown).find(({ id }) => id === "groupBy");
    if (group?.kind !== "select") return expect.fail();
    expect(group.value).toBe("first");
    expect(group.choices.map(({ label }) => label).slice(0, 4)).toEqual([
      "first picture",
      "by file",
      "by module",
      "by function",
    ]);
    expect(group.choices[0].text).toBe("by file, heaviest by function");
    const crumb = () => definition.steps?.(view(), onScreen?.shown)?.find(({ id }) => id === "start group");
    expect(crumb()).toMatchObject({ title: "by file, heaviest by function. Expanded: muscle.", opens: "groupBy" });
  });

  it("take another grouping back by undo, and the first picture again from the menu", async () => {
    state = { ...definition.start };
    comes(pictured);
    await choose("groupBy", "first");
    expect(asksWith()).toEqual({ filter: 0, groupBy: "first", first: choice });
    await choose("groupBy", "file");
    // The filter on screen stays.
    expect(asksWith()).toEqual({ filter: 0.15, groupBy: "file", first: undefined });
    expect(stepTexts()).toEqual(["profile", "≥ 0.15 %", "by file"]);
    comes(three);
    await choose("undo");
    expect(asksWith()).toEqual({ filter: 0, groupBy: "first", first: choice });
    await choose("redo");
    expect(asksWith()).toMatchObject({ groupBy: "file" });
    await choose("groupBy", "first");
    expect(asksWith()).toEqual({ filter: 0, groupBy: "first", first: undefined });
    comes(pictured);
    expect(stepTexts()).toEqual(["profile", "≥ 0.15 %", "first picture"]);
    for (let at = 0; at < 2; at++) await choose("undo");
    expect(asksWith()).toEqual({ filter: 0, groupBy: "first", first: choice });
  });

  it("keep what was opened at a filter that was chosen by hand, and choose it anew for another metric", async () => {
    state = { ...definition.start };
    comes(pictured);
    const before = JSON.stringify(definition.asked?.(view()));
    await choose("filter", "0");
    expect(JSON.stringify(definition.asked?.(view()))).not.toBe(before);
    const { opened, alone } = choice;
    expect(asksWith()).toEqual({ filter: 0, groupBy: "first", first: { filter: 0, opened, alone } });
    expect(stepTexts()).toEqual(["profile", "nothing hidden", "first picture"]);
    comes({ ...pictured, chosen: { ...chosen, choice: { filter: 0, opened, alone } } });
    await choose("filter", "2");
    expect(asksWith().first).toEqual({ filter: 2, opened, alone });
    const ofBytes = { ...view(), metric: metricInfo({ name: "bytes" }) };
    expect(commonOf(ofBytes).first).toEqual({ filter: 2 });
    await choose("undo");
    await choose("undo");
    expect(commonOf({ ...view(), metric: metricInfo({ name: "bytes" }) }).first).toBeUndefined();
    expect(asksWith().first).toEqual(choice);
  });

  it("keep the choice while ranks are chosen, and after a reload with operations on it", async () => {
    state = { ...definition.start };
    comes(pictured);
    const ofRank = { ...view(), scope: { ...query.scope, chosen: { by: "rank", members: ["0"] } } } as const;
    expect(commonOf(ofRank).first).toEqual(choice);
    // Read again after another run of the program.
    expect(commonOf({ ...view(), metric: metricInfo({ total: 22 }) }).first).toBeUndefined();
    await operate(0, "hide", shown(pictured));
    const restored = parse(superGraphState, JSON.parse(JSON.stringify(state)));
    if (!restored) return expect.fail();
    state = restored;
    expect(asksWith()).toEqual({ filter: 0, groupBy: "first", first: choice });
    expect(operations()).toEqual([{ kind: "hide", target: { group: "main.c" } }]);
    // An operation lies after it: its crumb leads back.
    const crumb = definition.steps?.(view(), shown(pictured))?.find(({ id }) => id === "start group");
    expect(crumb?.opens).toBeUndefined();
  });

  it("choose anew for two recordings that are compared, on both, and again when that ends", () => {
    state = { ...definition.start };
    comes(pictured);
    const other = dataSetInfo({ id: 2, key: "another", name: "other.cali" });
    const both = {
      ...session,
      dataSets: [dataSetInfo(), other],
      comparison: { baseline: 1, candidate: 2 },
      scope: (dataSet: number) => ({ ...query.scope, dataSet }),
    };
    const compared = () => ({ ...view(), session: both }) as unknown as View<SuperGraphState>;
    expect(commonOf(compared()).first).toBeUndefined();
    const ofBoth = { ...choice, filter: 0.3 };
    const learned = definition.learned?.(
      shown({ ...pictured, chosen: { ...chosen, choice: ofBoth } }),
      compared(),
      state,
    );
    state = { ...state, ...learned };
    expect(state.steps?.first).toEqual({ metric: "time", other: "another", totals: [21.5, 21.5], choice: ofBoth });
    expect(commonOf(compared()).first).toEqual(ofBoth);
    // Where another panel draws both, this one has its own alone.
    expect(commonOf({ ...compared(), alone: true }).first).toBeUndefined();
    expect(asksWith().first).toBeUndefined();
    comes(pictured);
    expect(state.steps?.first).toEqual({ metric: "time", totals: [21.5], choice });
  });

  it("are saved with the choice, which counts on the same recording only", async () => {
    state = { ...definition.start };
    comes(pictured);
    const { steps: list = expect.fail() } = state;
    const { filter, groupBy, first } = list;
    await saved.save({ name: "picture", dataSet: "profile.cali", filter, groupBy, first, operations: ["hide MPI"] });
    const [one] = saved.all();
    expect(one).toMatchObject({ groupBy: "first", first: { metric: "time", choice } });
    // As they are applied.
    state = { ...state, ...keptSteps(replaceSteps(stepsOf(state), [], one) ?? expect.fail()) };
    expect(asksWith().first).toEqual(choice);
    expect(commonOf({ ...view(), metric: metricInfo({ total: 3 }) }).first).toBeUndefined();
  });

  it("are copied as a command line that chooses the same, and say what it cannot", async () => {
    state = { ...definition.start };
    comes(pictured);
    await choose("steps", "copy");
    expect(heard.copied).toBe("heatflow graph /data/profile.cali --metric time --over sum --first");
    expect(notices.at(-1)).toBe("Copied.");
    await choose("filter", "2");
    await operate(0, "hide", shown(pictured));
    onScreen = { shown: shown(pictured), revision: 2 };
    await choose("steps", "copy");
    expect(heard.copied).toBe("heatflow graph /data/profile.cali --metric time --over sum --first");
    expect(notices.at(-1)).toBe(
      "Copied: the filter of 2 % is not part of it; 1 step on the first picture is not part of it.",
    );
  });

  it("offer load modules only where some were recorded", () => {
    const moduleOf = (hasModules: boolean) => {
      const dataSet = dataSetInfo({ hasModules });
      const group = definition.controls({ ...view(), dataSet }).find(({ id }) => id === "groupBy");
      return group?.kind === "select" ? group.choices.find(({ value }) => value === "module")?.disabled : expect.fail();
    };
    expect([moduleOf(true), moduleOf(false)]).toEqual([undefined, "no load modules were recorded"]);
  });

  it("collapse what the graph says was expanded, and only that", async () => {
    const of = shown(graphOf([bar("a.c", 1, { collapsesTo: { group: "src" } }), bar("lib")]));
    await operate(1, "collapse", of);
    await operate(0, "collapse", of);
    expect(operations()).toEqual([{ kind: "collapse", target: { group: "src" } }]);
  });

  it("reveal what only the other of two recordings has in a bar, and say so", async () => {
    heard.choose = "limit";
    await operate(0, "reveal", shown(graphOf([bar("lib")]), { kind: "runs", name: "np8-r2.cali" }));
    expect(heard.offered.map(({ label, description, detail }) => [label, description, detail])).toEqual([
      ["solve", "exclusive 3.00 s, inclusive 3.00 s", "solve.cpp"],
      ["limit", "exclusive 0 s, inclusive 0 s", "limit.cpp · only in np8-r2.cali"],
    ]);
    expect(operations()).toEqual([{ kind: "reveal", function: "limit", target: { group: "lib" } }]);
  });

  it("are copied with a word on the second graph, which a command line does not give", async () => {
    const copy = async (other?: Parameters<typeof shown>[1]) => {
      onScreen = { shown: shown(three, other), revision: 1 };
      await choose("steps", "copy");
      expect(heard.copied).toMatch(/^heatflow graph \/data\/profile.cali /);
      return notices.at(-1);
    };
    expect(await copy()).toBe("Copied.");
    expect(await copy({ kind: "runs", name: "np8-r2.cali" })).toBe(
      "Copied: the comparison with np8-r2.cali is not part of it.",
    );
    expect(await copy({ kind: "members", name: "ranks 1-3" })).toBe(
      "Copied: the graph of ranks 1-3 is not part of it.",
    );
  });

  it("are gone back to, removed and undone, and what was undone is done again", async () => {
    await operate(0);
    await operate(1);
    const ids = () => definition.steps?.(view())?.map(({ id, undone }) => [id, undone === true]);
    await choose("step", "start group");
    expect(ids()?.slice(3)).toEqual([
      ["1", true],
      ["2", true],
    ]);
    await choose("redo");
    expect(ids()?.slice(3)).toEqual([
      ["1", false],
      ["2", true],
    ]);
    await choose("remove-step", "1");
    expect(ids()?.slice(3)).toEqual([["2", true]]);
    await choose("undo");
    expect(ids()?.slice(3)).toEqual([
      ["1", false],
      ["2", true],
    ]);
  });

  it("come back from what a panel kept; what is no operation gives none", async () => {
    await operate(0);
    await operate(1);
    await choose("undo");
    expect(state.steps).toEqual({ filter: 0.1, groupBy: "file", operations: ["hide main.c", "hide lib#1"], done: 1 });
    const again = { ...state, steps: structuredClone(state.steps) };
    expect(operationsDone(stepsOf(again))).toEqual(operations());
    const steps = { filter: 0.1, groupBy: "file" as const, operations: ["hide"], done: 1 };
    expect(operationsDone(stepsOf({ steps }))).toEqual([]);
  });

  it("say why one cannot be done, and no longer when it can", async () => {
    await operate(0);
    await operate(1);
    const problems = (of: ShownGraphs) => definition.steps?.(view(), of)?.map(({ problem }) => problem);
    const impossible = shown(graphOf([], [{ index: 1, reason: "There is no group." }]));
    expect(problems(impossible)).toEqual([undefined, undefined, undefined, undefined, "There is no group."]);
    expect(problems(shown(graphOf([])))?.every((problem) => problem === undefined)).toBe(true);
    const texts = definition.steps?.(view())?.map(({ text, title }) => title ?? text);
    expect(texts?.slice(1, 3)).toEqual(["hide below 0.1 %", "by file"]);
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
