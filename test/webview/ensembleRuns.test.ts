import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as v from "valibot";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { EnsembleOptions } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { openRecordings } from "../../src/formats/registry";
import { ensembleRunsContent, siteOrders, statistics } from "../../src/protocol/ensembleRuns";
import { formatValue } from "../../src/model/units";
import { problemOf } from "../../src/panels/kit/problems";
import { frameMessage } from "../../src/panels/kit/frameMessage";
import { MESSAGE_LIMIT } from "../../src/protocol/bounds";
import type { RunsView, ShownRuns } from "../../src/panels/ensembleRuns/shown";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import type { EnsembleRunsState } from "../../src/protocol/ensembleRuns";
import { draw, pageOf } from "../../webviews/ensembleRuns/drawing";
import { modelText } from "../../webviews/ensembleRuns/scaling";
import { miniheat } from "../recordings";
import { type MeasuredHistory, measuredHistory } from "../unit/engine/history/measuredHistory";
import { grammars } from "../unit/engine/miniheat";
import { CaliWriter, rank, regions, time, worldSize } from "../unit/formats/caliper/caliWriter";
import { picks } from "./fakeVsCode";
import { HOSTILE_NAME, panelLaws, sizeOf } from "./kit/panelLaws";
import { pivotPage } from "../../webviews/ensembleRuns/pivot";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";

vi.mock("vscode", () => import("./fakeVsCode"));

let opened: Promise<RunsView> | undefined;

/** The sample program's 18 runs, on 1 to 27 ranks. */
async function measured(state: Partial<EnsembleRunsState> = {}) {
  const view = await (opened ??= open([path.join(miniheat, "profiles/ensemble")]));
  const own = { ...view, state: { ...view.state, ...state } };
  return { view: own, shown: await ensembleRuns.ask(own, quietTask, []) };
}

/** The same runs, of which their names say ranks and the number of the repeat. */
const pattern = "np{ranks}-r{repeat}.cali";
let openedByName: Promise<RunsView> | undefined;

async function byParameters(state: Partial<EnsembleRunsState> = {}) {
  const view = await (openedByName ??= open([path.join(miniheat, "profiles/ensemble")], undefined, { pattern }));
  const own: RunsView = { ...view, state: { ...view.state, view: "pivot", ...state } };
  return { view: own, shown: await ensembleRuns.ask(own, quietTask, []) };
}

async function open(
  paths: readonly string[],
  sources = path.join(miniheat, "src"),
  ensemble: EnsembleOptions = {},
): Promise<RunsView> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [sources], sourceMap: {} });
  const [info] = await engine.open({ paths, ensemble });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  return viewOf({ engine, info, scope }, ensembleRuns.start);
}

panelLaws({
  definition: ensembleRuns,
  draw,
  async samples() {
    const isPictured = true;
    const sites = await measured({ target: "np16-r2" });
    if (sites.shown.view !== "callSites") throw new Error(sites.shown.view);
    const names = sites.shown.sites.map((site) => ({ ...site, name: HOSTILE_NAME, shown: undefined }));
    return [
      { name: "target", ...sites },
      { name: "missing in some", ...(await measured({ missingIn: [{ parameter: "ranks", value: "1" }] })) },
      { name: "runs' distribution", ...(await measured({ view: "distribution", target: "np16-r2" })) },
      {
        name: "ranks' distribution",
        isPictured,
        ...(await measured({ view: "distribution", counted: "ranks", target: "np16-r2" })),
      },
      { name: "call sites' distribution", ...(await measured({ view: "distribution", counted: "callSites" })) },
      { name: "correlation", isPictured, ...(await measured({ view: "correlation", target: "np16-r2" })) },
      { name: "inside", isPictured, ...(await measured({ view: "hierarchy", target: "np1-r1" })) },
      { name: "scaling", isPictured, ...(await measured({ view: "scaling" })) },
      { name: "projection", isPictured, ...(await measured({ view: "projection" })) },
      { name: "runs", isPictured, ...(await measured({ view: "runs", groupBy: "ranks", target: "np16-r2" })) },
      { name: "functions by ranks", isPictured, ...(await byParameters()) },
      { name: "totals by two", ...(await byParameters({ pivotRows: "ranks", pivotColumns: "repeat" })) },
      { name: "over commits", isPictured, ...(await alongHistory()) },
      { name: "hostile names", view: sites.view, shown: { ...sites.shown, sites: names } },
    ];
  },
});

let ofCommits: Promise<RunsView> | undefined;
let history: MeasuredHistory;

/** Runs of four commits. */
async function alongHistory() {
  const view = await (ofCommits ??= openHistory());
  return { view, shown: await ensembleRuns.ask(view, quietTask, []) };
}

async function openHistory(): Promise<RunsView> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-history-"));
  history = measuredHistory(folder);
  const view = await open([history.manifest], folder);
  const session = { ...view.session, trustedFolders: [folder] };
  return { ...view, session, state: { ...view.state, view: "commits" } };
}

afterAll(() => history && fs.rmSync(path.dirname(history.manifest), { recursive: true }));

const plain = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};
const runNames = [1, 16, 2, 27, 4, 8].flatMap((ranks) => [1, 2, 3].map((repeat) => `np${ranks}-r${repeat}`));

/** Exclusive of a function on every rank of a run that has it, as its file has them. */
async function ranksOf(run: string, name: string): Promise<number[]> {
  const file = path.join(miniheat, `profiles/ensemble/${run}.cali`);
  const [{ tree, frames, locations, values }] = await openRecordings([file], {}, quietTask);
  const contexts = [...tree.parent.keys()].filter((context) => frames.nameOf(tree.frame[context]) === name);
  if (contexts.length === 0) return [];
  const [{ rowStart, column, value }] = values;
  const byRank = new Map<number, number>();
  for (const { rank } of locations) if (rank !== undefined) byRank.set(rank, 0);
  for (const context of contexts)
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++) {
      const { rank } = locations[column[cell]];
      if (rank !== undefined) byRank.set(rank, (byRank.get(rank) ?? 0) + value[cell]);
    }
  return [...byRank.values()];
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** R's type 7. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (at - Math.floor(at)) * (high - low);
}

const middle = ({ x, width }: { x: number; width: number }) => x + width / 2;

describe("call sites", () => {
  it.each(["MPI_Allreduce", "MPI_Irecv", "halo_pack"])(
    "have the values of every rank of every run: %s",
    async (name) => {
      const { view, shown } = await measured({ target: "np16-r2" });
      const content = ensembleRuns.content(shown, view);
      if (content.view !== "callSites") throw new Error(content.view);
      const row = content.names.indexOf(name);
      const byRun = await Promise.all(runNames.map((run) => ranksOf(run, name)));
      const all = byRun.flat();
      expect(content.values[row]).toBe(all.length);
      expect(content.inRuns[row]).toBe(byRun.filter(({ length }) => length > 0).length);
      const expected: [number, number][] = [
        [content.mean[row], mean(all)],
        [content.min[row], Math.min(...all)],
        [content.q1[row], quantile(all, 0.25)],
        [content.median[row], quantile(all, 0.5)],
        [content.q3[row], quantile(all, 0.75)],
        [content.max[row], Math.max(...all)],
        [content.targetMean[row], mean(byRun[runNames.indexOf("np16-r2")])],
      ];
      for (const [is, should] of expected) expect(is / should).toBeCloseTo(1, 9);
      const iqr = quantile(all, 0.75) - quantile(all, 0.25);
      const beyond = all.filter(
        (value) => value > quantile(all, 0.75) + 1.5 * iqr || value < quantile(all, 0.25) - 1.5 * iqr,
      );
      expect(content.outliers[row]).toBe(beyond.length);
    },
  );

  it("stand on one logarithmic axis, the target's number at the right", async () => {
    const { view, shown } = await measured({ target: "np16-r2" });
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "callSites") throw new Error(content.view);
    const { marks, above } = draw(content, plain);
    expect(marks.length).toBe(content.names.length);
    const texts = above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    expect(texts).toContain("321 ms");
    // Boxes that are wider than their least width are as wide as the ratio of their quartiles is.
    const wide = marks.filter(({ framed }) => (framed?.width ?? 0) > 6);
    const perDecade = wide.map(
      ({ framed, id }) => ((framed?.width ?? 0) - 1) / Math.log10(content.q3[id] / content.q1[id]),
    );
    for (const one of perDecade) expect(one / perDecade[0]).toBeCloseTo(1, 1);
    expect(wide.length).toBeGreaterThan(10);
  });

  it.each(siteOrders)("are sorted by %s", async (sortedBy) => {
    const { view, shown } = await measured({ sortedBy });
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "callSites") throw new Error(content.view);
    const { names } = content;
    if (sortedBy === "name") return expect(names).toEqual([...names].sort());
    const column = sortedBy === "iqr" ? content.q3.map((value, at) => value - content.q1[at]) : content[sortedBy];
    const keys = Array.from(column, (key) => (Number.isNaN(key) ? -Infinity : key));
    expect(keys).toEqual([...keys].sort((a, b) => b - a));
    expect(names.length).toBe(24);
  });

  it("lead to their hottest line, and are marked where they are selected elsewhere", async () => {
    const { view, shown } = await measured();
    const subject = await ensembleRuns.subject?.(shown, 0, view, quietTask);
    expect(subject).toMatchObject({ name: "MPI_Allreduce", target: { kind: "function" } });
    expect(await ensembleRuns.explain?.(shown, 0, view, quietTask)).toEqual({ facts: [], place: "halo.cpp:96" });
    if (!subject?.target) throw new Error("no target");
    const selection = { dataSet: 1, target: subject.target, name: subject.name, origin: "test" };
    expect(await ensembleRuns.markOf?.(shown, selection, view)).toBe(0);
  });
});

describe("functions that only some runs have, or lack", () => {
  /** Whether each run has a function, as its file says. */
  const having = async (name: string) =>
    Promise.all(runNames.map(async (run) => (await ranksOf(run, name)).length > 0));
  async function functionsOf(state: Partial<EnsembleRunsState>) {
    const { view, shown } = await measured(state);
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "callSites") throw new Error(content.view);
    return { content, shown, view };
  }
  const choice = async (state: Partial<EnsembleRunsState>, value: string) => {
    const { view, shown } = await measured(state);
    const notice = vi.fn();
    const panel = { onScreen: { shown, revision: 1 }, notice } as unknown as Parameters<typeof ensembleRuns.choose>[3];
    return { change: await ensembleRuns.choose(view, "presence", value, panel), notice };
  };

  it("are those that a search through all files finds, by a parameter's value and by names", async () => {
    const all = (await functionsOf({})).content.names;
    const oneRank = runNames.map((name) => name.startsWith("np1-"));
    const named = runNames.map((name) => name === "np1-r1" || name === "np27-r3");
    const isIn = await Promise.all(all.map(having));
    const wanted = (is: (has: readonly boolean[]) => boolean) => all.filter((_, at) => is(isIn[at])).sort();
    const missing = await functionsOf({ missingIn: [{ parameter: "ranks", value: "1" }] });
    expect(missing.content.names.toSorted()).toEqual(
      wanted((has) => has.some(Boolean) && !has.some((one, run) => one && oneRank[run])),
    );
    expect([missing.content.names.length > 0, missing.content.names.length < all.length]).toEqual([true, true]);
    expect(pageOf(missing.content).summary(missing.content)[0]).toBe(
      `exclusive of ranks and runs · ${missing.content.names.length} functions missing in ranks 1 · 18 runs`,
    );
    const terms = [{ run: "np1-r1" }, { run: "np27-r3" }];
    const lacked = await functionsOf({ missingIn: terms });
    expect(lacked.content.names.toSorted()).toEqual(
      wanted((has) => has.some(Boolean) && !has.some((one, run) => one && named[run])),
    );
    // Every function that one rank has every run has: only in these is none.
    const only = await functionsOf({ onlyIn: [{ parameter: "ranks", value: "1" }] });
    expect(only.content.names.toSorted()).toEqual(wanted((has) => has.every((one, run) => !one || oneRank[run])));
    expect(only.content.names).toEqual([]);
    expect(ensembleRuns.notes?.(only.shown, only.view)).toEqual([
      { text: "No function of these runs is only in ranks 1.", link: { id: "all-functions", text: "All functions" } },
    ]);
    const change = vi.fn();
    await ensembleRuns.links?.["all-functions"]({ change } as unknown as Parameters<typeof ensembleRuns.choose>[3]);
    expect(change).toHaveBeenCalledExactlyOnceWith({ onlyIn: undefined, missingIn: undefined });
    const rest = [1, 2, 4, 8, 16, 27].slice(1).map((ranks) => ({ parameter: "ranks", value: String(ranks) }));
    expect((await functionsOf({ onlyIn: rest })).content.names).toEqual(missing.content.names);
  });

  it("count among the runs that a restriction leaves", async () => {
    const { view } = await measured({ onlyIn: [{ run: "np16-r1" }] });
    const one = String(runNames.indexOf("np16-r1"));
    const scope = { ...view.scope, chosen: { by: "run", members: [one] } } as const;
    const own = { ...view, scope };
    const content = ensembleRuns.content(await ensembleRuns.ask(own, quietTask, []), own);
    if (content.view !== "callSites") throw new Error(content.view);
    const all = (await functionsOf({})).content.names;
    const has = await Promise.all(all.map(async (name) => (await ranksOf("np16-r1", name)).length > 0));
    expect(content.names.toSorted()).toEqual(all.filter((_, at) => has[at]).sort());
  });

  it("are chosen from a list of runs and of values of parameters", async () => {
    let offered: readonly string[] = [];
    picks.choose = (items) => {
      offered = items.map(({ label }) => label);
      return items.filter(({ label }) => label === "ranks 1" || label === "np27-r3");
    };
    const terms = [{ parameter: "ranks", value: "1" }, { run: "np27-r3" }];
    expect((await choice({}, "missingIn some")).change).toEqual({ missingIn: terms });
    expect(offered).toEqual(expect.arrayContaining(["by parameter", "ranks 1", "ranks 16", "runs", ...runNames]));
    expect(offered.indexOf("ranks 2")).toBeLessThan(offered.indexOf("ranks 16"));
    picks.choose = (items) => items.filter(({ picked }) => picked);
    expect((await choice({ onlyIn: [{ run: "np27-r3" }, { parameter: "ranks", value: "1" }] }, "onlyIn some")).change).toEqual({ onlyIn: terms }); // prettier-ignore
    picks.choose = () => [];
    expect((await choice({ onlyIn: terms }, "onlyIn some")).change).toEqual({ onlyIn: undefined });
    picks.choose = undefined;
    expect((await choice({ onlyIn: terms }, "onlyIn some")).change).toBeUndefined();
    expect((await choice({ target: "np16-r2" }, "missingIn target")).change).toEqual({
      missingIn: [{ run: "np16-r2" }],
    });
    expect((await choice({ onlyIn: terms, missingIn: terms }, "all")).change).toEqual({
      ...{ onlyIn: undefined, missingIn: undefined },
    });
    // What is kept with a panel has an end.
    picks.choose = () => Array.from({ length: 600 }, (_, at) => ({ label: "", term: { run: `run ${at}` } }));
    const { change, notice } = await choice({}, "onlyIn some");
    expect(change).toBeUndefined();
    expect(notice).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("choose the value of a parameter"));
    picks.choose = undefined;
  });

  it("are said in the toolbar, and need a target where they are of it", async () => {
    const toolOf = async (state: Partial<EnsembleRunsState>) => {
      const { view, shown } = await measured(state);
      const tool = ensembleRuns.controls(view, shown).find(({ id }) => id === "presence");
      return tool?.kind === "tool" ? tool : expect.fail();
    };
    const none = await toolOf({});
    expect([none.on, none.menu?.[1].disabled, none.menu?.filter(({ checked }) => checked).length]).toEqual([
      ...[false, "No target run is chosen.", 1],
    ]);
    const some = await toolOf({ target: "np16-r2", missingIn: [{ parameter: "ranks", value: "1" }] });
    expect([some.on, some.menu?.[1].disabled]).toEqual([true, undefined]);
    expect(some.menu?.filter(({ checked }) => checked).map(({ label }) => label)).toEqual(["missing in ranks 1…"]);
    const target = await toolOf({ target: "np16-r2", missingIn: [{ run: "np16-r2" }] });
    expect(target.menu?.filter(({ checked }) => checked).map(({ label }) => label)).toEqual([
      "missing in the target run",
    ]);
  });
});

describe("a distribution", () => {
  const binned = (values: readonly number[], edges: Float64Array) =>
    Array.from({ length: edges.length - 1 }, (_, bin) => {
      const isLast = bin === edges.length - 2;
      return values.filter((one) => one >= edges[bin] && (one < edges[bin + 1] || (isLast && one === edges[bin + 1])))
        .length;
    });
  const shownOf = async (state: Partial<EnsembleRunsState>, name?: string) => {
    const { view } = await measured({ view: "distribution", ...state });
    const found = name === undefined ? undefined : await functionNamed(view, name);
    const selection = found && { dataSet: 1, target: found, name: name ?? "", origin: "test" };
    const own = { ...view, state: { ...view.state, ...ensembleRuns.followed?.(selection, view) } };
    const shown = await ensembleRuns.ask(own, quietTask, []);
    const content = ensembleRuns.content(shown, own);
    if (content.view !== "distribution") throw new Error(content.view);
    return { content, shown, view: own };
  };
  async function functionNamed(view: RunsView, name: string) {
    const { names } = await view.session.engine.ensembleFunctions({ dataSet: 1, metric: 0, over: "mean" });
    return { kind: "function", function: names.indexOf(name) } as const;
  }

  it.each(["MPI_Allreduce", "MPI_Irecv"])("over ranks has every rank of every run: %s", async (name) => {
    const { content } = await shownOf({ counted: "ranks", target: "np16-r2" }, name);
    const byRun = await Promise.all(runNames.map((run) => ranksOf(run, name)));
    const all = byRun.flat();
    const { histogram, target } = content;
    expect(histogram.subject).toBe(name);
    expect(histogram.members).toBe(all.length);
    expect(histogram.edges[0] / Math.min(...all)).toBeCloseTo(1, 9);
    expect(histogram.edges[20] / Math.max(...all)).toBeCloseTo(1, 9);
    expect([...histogram.counts]).toEqual(binned(all, histogram.edges));
    expect([...(target?.bins ?? [])]).toEqual(binned(byRun[runNames.indexOf("np16-r2")], histogram.edges));
    // Ranks of one number stand side by side.
    const ranks = histogram.line.keys.map((key) => Number.parseInt(key, 10));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(target?.line.length).toBe(16);
  });

  it("over runs has the mean over ranks of each that has the function, and its bins choose runs", async () => {
    const { content, shown } = await shownOf({ target: "np16-r2" }, "MPI_Irecv");
    const byRun = await Promise.all(runNames.map((run) => ranksOf(run, "MPI_Irecv")));
    const having = runNames.filter((_, at) => byRun[at].length > 0);
    expect(content.histogram.line.keys).toEqual(having);
    having.forEach((run, at) =>
      expect(content.histogram.values[at] / mean(byRun[runNames.indexOf(run)])).toBeCloseTo(1, 9),
    );
    const bin = content.histogram.binOf[0];
    const inBin = having.filter((_, at) => content.histogram.binOf[at] === bin).map((run) => runNames.indexOf(run));
    expect(ensembleRuns.members?.of(shown, [bin])).toEqual({ by: "run", members: inBin.map(String) });
    const first = ensembleRuns.subject?.(shown, 1000, (await shownOf({}, "MPI_Irecv")).view, quietTask);
    expect(await first).toMatchObject({
      name: "MPI_Irecv",
      scope: { chosen: { by: "run", members: [inBin[0].toString()] } },
    });
  });

  it("over call sites has the mean over runs of each function, of all or of a bar", async () => {
    const { content } = await shownOf({ counted: "callSites" });
    expect(content.histogram.line.keys.length).toBe(24);
    const at = content.histogram.line.keys.indexOf("MPI_Allreduce");
    const byRun = await Promise.all(runNames.map((run) => ranksOf(run, "MPI_Allreduce")));
    expect(content.histogram.values[at] / mean(byRun.filter(({ length }) => length > 0).map(mean))).toBeCloseTo(1, 9);
    const { view } = await measured({ view: "distribution" });
    const query = { scope: { dataSet: 1, metric: 0, over: "sum" }, filter: 0, groupBy: "file" } as const;
    const { bars } = await view.session.engine.ensembleGraph({
      ...{ filter: 0, groupBy: "file", withRuns: true },
      scope: { dataSet: 1, metric: 0, over: "mean" },
    });
    const values = await view.session.engine.ensembleGraph({
      ...{ filter: 0, groupBy: "file", withRuns: true, value: "exclusive" },
      scope: { dataSet: 1, metric: 0, over: "mean" },
    });
    // Of each bar, run by run, what the graph says of it.
    for (const [bar, id] of bars.id.entries())
      for (const value of ["inclusive", "exclusive"] as const) {
        const of = { kind: "bar", query, bar: id } as const;
        const found = await view.session.engine.ensembleDistribution({
          ...{ scope: { dataSet: 1, metric: 0, over: "mean" }, counted: "runs", value, of, bins: 20 },
        });
        const own = values.values?.[value].subarray(bar * 18, bar * 18 + 18) ?? [];
        const expected = [...own].filter((one) => !Number.isNaN(one));
        expect(found.values.length).toBe(expected.length);
        expected.forEach((one, run) => expect(found.values[run]).toBeCloseTo(one, 9));
      }
  });
});

describe("the inside of a bar", () => {
  it("has each call of it once, with the largest of all runs, their bins, and what the target lacks", async () => {
    const { view } = await measured({ view: "hierarchy", target: "np1-r1" });
    const { engine } = view.session;
    const query = { scope: { dataSet: 1, metric: 0, over: "sum" }, filter: 0, groupBy: "file" } as const;
    const scope = { dataSet: 1, metric: 0, over: "mean" } as const;
    const { bars, runs, values } = await engine.ensembleGraph({ scope, filter: 0, groupBy: "file", withRuns: true });
    const bar = bars.id.indexOf("solver.cpp");
    const selection = {
      dataSet: 1,
      target: { kind: "bar", query, bar: "solver.cpp" },
      name: "solver.cpp",
      origin: "test",
    } as const;
    const own = { ...view, state: { ...view.state, ...ensembleRuns.followed?.(selection, view) } };
    const shown = await ensembleRuns.ask(own, quietTask, []);
    const content = ensembleRuns.content(shown, own);
    if (content.view !== "hierarchy") throw new Error(content.view);
    expect(content.inside).toBe("solver.cpp");
    const row = (from: Float64Array) => [...from.subarray(bar * runs.length, (bar + 1) * runs.length)];
    // Its roots add up to the bar in each run, so to its height where they are one.
    const roots = [...content.parent.keys()].filter((cell) => content.parent[cell] < 0);
    expect(roots.length).toBe(1);
    expect(content.inclusive[roots[0]]).toBeCloseTo(Math.max(...row(values?.inclusive ?? new Float64Array())), 9);
    const whole = await engine.ensembleHierarchy({ scope, bins: 20, most: 400 });
    for (const [cell, id] of whole.function.entries()) {
      const { name } = whole.functions[id];
      const perRun = (await Promise.all(runNames.map((run) => ranksOf(run, name)))).filter(({ length }) => length > 0);
      const cellsOfIt = [...whole.function.keys()].filter((one) => whole.function[one] === id);
      if (cellsOfIt.length === 1) {
        expect(whole.runs[cell]).toBe(perRun.length);
        expect(whole.exclusive[cell] / Math.max(...perRun.map(mean))).toBeCloseTo(1, 9);
      }
      const counts = whole.counts.subarray(cell * 20, cell * 20 + 20);
      expect(counts.reduce((a, b) => a + b)).toBe(whole.runs[cell]);
      if (whole.parent[cell] >= 0)
        expect(whole.inclusive[cell]).toBeLessThanOrEqual(whole.inclusive[whole.parent[cell]] * (1 + 1e-9));
    }
    // One rank sends nothing: what it lacks is not filled.
    const all = await measured({ view: "hierarchy", target: "np1-r1" });
    const drawnOf = ensembleRuns.content(all.shown, all.view);
    if (drawnOf.view !== "hierarchy" || !drawnOf.target) throw new Error(drawnOf.view);
    const missing = drawnOf.names.filter((_, cell) => Number.isNaN(drawnOf.target?.inclusive[cell]));
    const lacks = await Promise.all(drawnOf.names.map(async (name) => (await ranksOf("np1-r1", name)).length === 0));
    expect(missing).toEqual(drawnOf.names.filter((_, cell) => lacks[cell]));
    expect(missing.length).toBeGreaterThan(0);
    const { marks, below } = draw(drawnOf, plain);
    const filled = new Set(below.map(({ of }) => of));
    for (const { id } of marks) expect(filled.has(id)).toBe(!Number.isNaN(drawnOf.target.inclusive[id]));
  });

  it("leads to the code", async () => {
    const { view, shown } = await measured({ view: "hierarchy" });
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "hierarchy") throw new Error(content.view);
    const cell = content.names.indexOf("MPI_Allreduce");
    expect(await ensembleRuns.subject?.(shown, cell, view, quietTask)).toMatchObject({ name: "MPI_Allreduce" });
    expect(await ensembleRuns.explain?.(shown, cell, view, quietTask)).toMatchObject({ place: "halo.cpp:96" });
  });
});

describe("inclusive against exclusive", () => {
  it("has a point per function and run, which leads to the line in that run", async () => {
    const { view, shown } = await measured({ view: "correlation", target: "np16-r2" });
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "correlation") throw new Error(content.view);
    const of = content.names.indexOf("MPI_Allreduce");
    const points = [...content.of.keys()].filter((point) => content.of[point] === of);
    expect(points.map((point) => content.runs[content.runOf[point]])).toEqual(runNames);
    for (const point of points) {
      const own = mean(await ranksOf(runNames[content.runOf[point]], "MPI_Allreduce"));
      // It calls nothing.
      expect([content.exclusive[point] / own, content.inclusive[point] / own]).toEqual([
        expect.closeTo(1, 9),
        expect.closeTo(1, 9),
      ]);
    }
    expect(content.of.length).toBe(
      (
        await Promise.all(
          content.names.map(
            async (name) =>
              (await Promise.all(runNames.map((run) => ranksOf(run, name)))).filter(({ length }) => length > 0).length,
          ),
        )
      ).reduce((a, b) => a + b),
    );
    const subject = await ensembleRuns.subject?.(shown, points[5], view, quietTask);
    expect(subject).toMatchObject({ name: "MPI_Allreduce", scope: { chosen: { by: "run", members: ["5"] } } });
    expect(await ensembleRuns.explain?.(shown, points[5], view, quietTask)).toMatchObject({ place: "halo.cpp:96" });
    const { marks } = draw(content, plain);
    expect(marks.length).toBe(content.of.length);
    // No point is above the diagonal: both axes have one scale.
    const scaled = marks.filter(({ id }) => content.of[id] === of).map(({ box }) => box);
    const [low, high] = [scaled[0], scaled[scaled.length - 1]];
    const slope = (low.y - high.y) / (high.x - low.x);
    for (const { box } of marks) expect(low.y - box.y).toBeLessThanOrEqual((box.x - low.x) * slope + 1);
  });
});

describe("inclusive against exclusive of more functions than are drawn", () => {
  it("has the first thousand, and says that there are more", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-points-"));
    const names = Array.from({ length: 1200 }, (_, at) => `f${at}`);
    const functions = names.map((name, at) => `fn=${name}\n${at + 1} ${at + 1}\n`).join("\n");
    for (const run of ["a", "b"])
      fs.writeFileSync(path.join(folder, `callgrind.out.${run}`), `# callgrind format\nevents: Ir\n\n${functions}`);
    const view = await open([folder]);
    const own = { ...view, state: { ...view.state, view: "correlation" } } as const;
    const shown = await ensembleRuns.ask(own, quietTask, []);
    const content = ensembleRuns.content(shown, own);
    if (content.view !== "correlation") throw new Error(content.view);
    expect(content.names).toEqual(names.reverse().slice(0, 1000));
    expect(content.of.length).toBe(2000);
    // Where not all names have room, the largest have.
    const written = draw(content, plain).above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    expect(written).toContain("f1199");
    expect(ensembleRuns.notes?.(shown, own)).toEqual([
      "The 1,000 functions with the largest mean of 1,200 are here; the coefficient is of all.",
    ]);
    fs.rmSync(folder, { recursive: true });
  });
});

it("runs may lack a parameter that objects have a method for", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-methods-"));
  for (const [at, value] of ["x", "x", "y", "y", undefined].entries()) {
    const out = new CaliWriter();
    out.snapshot([regions("main"), [[rank, "0"]]], [[time, 1 + at]]);
    const named = { name: "constructor", type: "string", properties: 1612 } as const;
    out.globals([[worldSize, "1"], ...(value === undefined ? [] : [[named, value] as const])]);
    fs.writeFileSync(path.join(folder, `run${at}.cali`), out.text());
  }
  const view = await open([folder]);
  const contentOf = async (state: Partial<EnsembleRunsState>) => {
    const own = { ...view, state: { ...view.state, ...state } };
    return ensembleRuns.content(await ensembleRuns.ask(own, quietTask, []), own);
  };
  const table = await contentOf({ view: "runs", groupBy: "constructor" });
  if (table.view !== "runs") throw new Error(table.view);
  const at = table.parameters.indexOf("constructor");
  const width = table.parameters.length;
  expect(table.names.map((_, run) => table.texts[run * width + at])).toEqual(["x", "x", "y", "y", ""]);
  expect([...(table.groups?.of ?? [])]).toEqual([0, 0, 1, 1, 2]);
  const plane = await contentOf({ view: "projection", colour: "constructor" });
  if (plane.view !== "projection") throw new Error(plane.view);
  expect(plane.colour?.texts).toEqual(["x", "x", "y", "y", ""]);
  fs.rmSync(folder, { recursive: true });
});

describe("ten thousand runs with long names", () => {
  it("fit into a message, whichever view shows them; of more it is said what to do", async () => {
    for (const view of ["runs", "projection", "scaling", "distribution", "correlation"] as const) {
      const { shown, view: own } = await measured({ view });
      const many = manyRuns(shown, 10_000);
      const content = ensembleRuns.content(many, own);
      expect(v.safeParse(ensembleRunsContent, content).success).toBe(true);
      const frame = frameMessage(ensembleRuns, "a-key", own, many);
      expect(sizeOf(content) + sizeOf(frame), view).toBeLessThanOrEqual(MESSAGE_LIMIT);
    }
    const { view } = await measured();
    const info = { ...view.dataSet, locations: 10_001 };
    expect(ensembleRuns.unmeasured?.(info)).toContain("10,001 runs, and at most 10,000 are drawn. Open a part of them");
    expect(ensembleRuns.unmeasured?.({ ...info, locations: 10_000 })).toBeUndefined();
  });

  /** The same answer with each run many times, and names of 500 characters. */
  function manyRuns(shown: ShownRuns, count: number): ShownRuns {
    const at = (column: ArrayLike<number>) => Float64Array.from({ length: count }, (_, run) => column[run % 18]);
    const whole = (column: ArrayLike<number>) => Int32Array.from({ length: count }, (_, run) => column[run % 18]);
    const own = Int32Array.from({ length: count }, (_, run) => run);
    const runs = shown.runs.runs;
    const all = {
      ...shown.runs,
      runs: Array.from({ length: count }, (_, run) => ({
        ...runs[run % 18],
        name: `${"run ü of a study ".repeat(30)}${run}`,
      })),
    };
    switch (shown.view) {
      case "projection": {
        const { x, y, cluster } = shown.projection;
        return {
          ...shown,
          runs: all,
          projection: { ...shown.projection, runs: own, x: at(x), y: at(y), cluster: whole(cluster) },
        };
      }
      case "scaling": {
        const { parameters, functions } = shown.scaling;
        const repeated = functions.map((one) => ({ ...one, values: at(one.values) }));
        return {
          ...shown,
          runs: all,
          scaling: { ...shown.scaling, runs: own, parameters: at(parameters), functions: repeated },
        };
      }
      case "distribution": {
        const { values, binOf } = shown.distribution;
        return {
          ...shown,
          runs: all,
          distribution: { ...shown.distribution, runs: own, values: at(values), binOf: whole(binOf) },
        };
      }
      default:
        return { ...shown, runs: all };
    }
  }
});

describe("scaling", () => {
  it("finds what loses most, with its line, and weak scaling without being told", async () => {
    const { view, shown } = await measured({ view: "scaling" });
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "scaling") throw new Error(content.view);
    const at = async (ranks: number) =>
      mean(
        await Promise.all(
          [1, 2, 3].map(async (repeat) => mean(await ranksOf(`np${ranks}-r${repeat}`, "MPI_Allreduce"))),
        ),
      );
    const [first, last] = [await at(1), await at(27)];
    expect([...content.n]).toEqual([1, 2, 4, 8, 16, 27]);
    expect([content.parameter, content.kind, content.names[0]]).toEqual(["ranks", "weak", "MPI_Allreduce"]);
    expect(content.time[5] / last).toBeCloseTo(1, 9);
    expect(content.lost[0] / (last - first)).toBeCloseTo(1, 9);
    expect(content.efficiency[5] / (first / last)).toBeCloseTo(1, 9);
    const page = pageOf(content);
    expect(page.lead?.(content)?.wordings[0]).toBe(
      "MPI_Allreduce loses most at ranks = 27: 631 ms of 631 ms · halo.cpp:96",
    );
    // Runs stand in a row at their parameter, 18 points in six columns.
    const { marks } = draw(content, plain);
    expect(new Set(marks.map(({ box }) => middle(box).toFixed(1))).size).toBe(6);
    expect(marks.length).toBe(18);
  });

  it("shows the curve of what is selected, and strong scaling where that is chosen", async () => {
    const { view } = await measured({ view: "scaling" });
    const selection = { dataSet: 1, target: { kind: "function", function: 3 }, name: "axpy", origin: "test" } as const;
    expect(ensembleRuns.followed?.(selection, view)).toEqual({ function: "axpy" });
    const strong = await measured({ view: "scaling", function: "axpy", kind: "strong" });
    const content = ensembleRuns.content(strong.shown, strong.view);
    if (content.view !== "scaling") throw new Error(content.view);
    expect(content.names[content.shown]).toBe("axpy");
    expect([...content.ideal]).toEqual(Array.from(content.n, (n) => expect.closeTo(content.time[0] / n, 12) as number));
  });

  it("writes models", () => {
    const model = { a: 0.001, b: 0.02, c: 0.5, d: 2, error: 3 };
    expect(modelText(model, "s")).toBe("T(n) = 1.00 ms + 20.0 ms · n^0.5 · log₂(n)^2");
    expect(modelText({ ...model, a: 0, b: -1, c: 1, d: 0 }, "s")).toBe("T(n) = −1.00 s · n");
    expect(modelText({ ...model, b: 0, c: 0, d: 0 }, "s")).toBe("T(n) = 1.00 ms");
  });
});

describe("runs", () => {
  it("are chosen in the plane, by what the engine numbers them", async () => {
    const { view, shown } = await measured({ view: "projection" });
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "projection") throw new Error(content.view);
    expect(content.names).toEqual(runNames);
    expect(ensembleRuns.members?.of(shown, [4, 3])).toEqual({ by: "run", members: ["3", "4"] });
    expect(ensembleRuns.members?.part(shown, { by: "run", members: ["4", "17"] })).toEqual({
      marks: Int32Array.of(4, 17),
    });
    // What is drawn are distances: one scale for both axes.
    const { marks } = draw(content, plain);
    const at = (run: number) => marks.find(({ id }) => id === run)?.box ?? expect.fail();
    const [a, b] = [at(0), at(9)];
    const perX = (b.x - a.x) / (content.x[9] - content.x[0]);
    for (const run of [3, 7, 12]) {
      expect(at(run).x - a.x).toBeCloseTo((content.x[run] - content.x[0]) * perX, 0);
      expect(a.y - at(run).y).toBeCloseTo((content.y[run] - content.y[0]) * perX, 0);
    }
  });

  it("have groups with mean and deviation of their totals, and say which are outlying", async () => {
    const { view, shown } = await measured({ view: "runs", groupBy: "ranks" });
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "runs" || !content.groups) throw new Error(content.view);
    const { groups, totals } = content;
    expect(groups.values).toEqual(["1", "2", "4", "8", "16", "27"]);
    const of16 = [3, 4, 5].map((run) => totals[run]);
    expect(groups.mean[4]).toBeCloseTo(mean(of16), 12);
    expect(groups.deviation[4]).toBeCloseTo(Math.sqrt(mean(of16.map((value) => (value - mean(of16)) ** 2))), 12);
    const median = quantile([...totals], 0.5);
    const deviation =
      1.4826 *
      quantile(
        [...totals].map((value) => Math.abs(value - median)),
        0.5,
      );
    const outlying = runNames.filter((_, run) => Math.abs(totals[run] - median) > 3 * deviation);
    expect(runNames.filter((_, run) => content.isOutlying[run] === 1)).toEqual(outlying);
    expect(outlying.length).toBeGreaterThan(0);
  });
});

describe("by parameters", () => {
  const ranks = [1, 2, 4, 8, 16, 27];
  const contentOf = async (state: Partial<EnsembleRunsState> = {}) => {
    const { view, shown } = await byParameters(state);
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "pivot") throw new Error(content.view);
    return { content, shown, view };
  };
  const functionNamed = async (name: string) => {
    const { view } = await byParameters();
    const { names } = await view.session.engine.ensembleFunctions({ dataSet: 1, metric: 0, over: "mean" });
    return { kind: "function", function: names.indexOf(name) } as const;
  };
  /** What each run that has a function has of it, its mean over ranks. */
  const valuesOf = async (name: string, runs: readonly string[]) => {
    const all = await Promise.all(runs.map((run) => ranksOf(run, name)));
    return all.filter(({ length }) => length > 0).map(mean);
  };
  const deviation = (values: readonly number[]) => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));

  it("each cell is a mark of its own, whatever rows and columns are called", async () => {
    const { content } = await contentOf();
    const [rows, columns] = [
      content.rows.map((_, at) => ["x", "x a", "x"][at % 3]),
      content.columns.map((_, at) => ["a b", "b", "b"][at % 3]),
    ];
    const view = {
      width: 1400,
      height: 900,
      theme: plainTheme,
      measure: () => (text: string) => 6 * text.length,
    } as never;
    const { marks } = pivotPage.draw({ ...content, rows, columns }, view);
    expect(marks.length).toBeGreaterThan(20);
    expect(new Set(marks.map(({ key }) => key)).size).toBe(marks.length);
  });

  it.each(["MPI_Allreduce", "MPI_Irecv", "axpy"])(
    "every function has the statistics of each group: %s",
    async (name) => {
      const { content } = await contentOf({ statistics: [...statistics] });
      expect([content.rowsBy, content.columnsBy, content.columns]).toEqual(["", "ranks", ranks.map(String)]);
      expect(content.statistics).toEqual(statistics);
      const row = content.rows.indexOf(name);
      for (const [column, one] of ranks.entries()) {
        const cell = row * ranks.length + column;
        const values = await valuesOf(
          name,
          [1, 2, 3].map((repeat) => `np${one}-r${repeat}`),
        );
        expect([content.values[cell], content.runs[cell]]).toEqual([values.length, 3]);
        const numbers = [...content.numbers.subarray(cell * 8, cell * 8 + 8)];
        if (values.length === 0) expect(numbers.every(Number.isNaN)).toBe(true);
        else
          [
            ...[mean(values), deviation(values), Math.min(...values), quantile(values, 0.25), quantile(values, 0.5)],
            ...[quantile(values, 0.75), quantile(values, 0.95), Math.max(...values)],
          ].forEach((expected, at) => expect(numbers[at] / expected).toBeCloseTo(1, 9));
      }
      // Largest mean over all runs first.
      const means = await Promise.all(content.rows.map(async (of) => mean(await valuesOf(of, runNames))));
      means.slice(1).forEach((value, at) => expect(value).toBeLessThanOrEqual(means[at] * (1 + 1e-9)));
    },
  );

  it("a function by two parameters has a cell for each pair of values, those that lack it too", async () => {
    const { view } = await byParameters();
    const selection = { dataSet: 1, target: await functionNamed("MPI_Irecv"), name: "MPI_Irecv", origin: "test" };
    const state = { ...view.state, pivotRows: "ranks", pivotColumns: "repeat" };
    const followed = ensembleRuns.followed?.(selection, { ...view, state });
    const { content, shown, view: own } = await contentOf({ ...state, ...followed });
    expect([content.of, content.rowsBy, content.columnsBy]).toEqual(["MPI_Irecv", "ranks", "repeat"]);
    expect([content.rows, content.columns]).toEqual([ranks.map(String), ["1", "2", "3"]]);
    for (const [row, one] of ranks.entries())
      for (const [column, repeat] of [1, 2, 3].entries()) {
        const values = await valuesOf("MPI_Irecv", [`np${one}-r${repeat}`]);
        const cell = 3 * row + column;
        expect([content.values[cell], content.runs[cell]]).toEqual([values.length, 1]);
        if (values.length > 0) expect(content.numbers[cell * content.statistics.length] / values[0]).toBeCloseTo(1, 9);
      }
    const [first] = draw(content, plain).marks;
    expect([first.name, first.facts()]).toEqual(["ranks 1 · repeat 1", [["in runs", "none of 1"]]]);
    // A double click goes to its hottest line in this very run.
    const subject = await ensembleRuns.subject?.(shown, 3 * 4 + 1, own, quietTask);
    const members = [String(runNames.indexOf("np16-r2"))];
    expect(subject).toMatchObject({ name: "MPI_Irecv", scope: { chosen: { by: "run", members } } });
    expect(await ensembleRuns.explain?.(shown, 3 * 4 + 1, own, quietTask)).toMatchObject({ place: /^halo\.cpp:/ });
    // Where rows are functions, a selection marks its row, and changes nothing.
    const of = await contentOf();
    expect(ensembleRuns.followed?.(selection, of.view)).toBeUndefined();
    expect(await ensembleRuns.markOf?.(of.shown, selection, of.view)).toBe(6 * of.content.rows.indexOf("MPI_Irecv"));
  });

  it("totals are those of the runs, and a function is chosen in the toolbar", async () => {
    const state = { pivotRows: "ranks", pivotColumns: "repeat", statistic: "max" } as const;
    const { content, shown, view } = await contentOf(state);
    const totals = shown.runs.runs;
    expect(content.of).toBe("");
    for (const [row, one] of ranks.entries()) {
      const { total } = totals[runNames.indexOf(`np${one}-r2`)];
      const cell = 3 * row + 1;
      expect(content.numbers[cell * content.statistics.length + content.drawn]).toBe(total);
    }
    const control = ensembleRuns.controls(view, shown).find(({ id }) => id === "pivotFunction");
    if (control?.kind !== "select") throw new Error("no choice of functions");
    const choice = control.choices.find(({ label }) => label === "MPI_Allreduce") ?? expect.fail();
    const panel = { onScreen: { shown, revision: 1 } } as unknown as Parameters<typeof ensembleRuns.choose>[3];
    const change = await ensembleRuns.choose(view, "pivotFunction", choice.value, panel);
    const changed = await contentOf({ ...state, ...change });
    expect(changed.content.of).toBe("MPI_Allreduce");
    const [own] = await valuesOf("MPI_Allreduce", ["np27-r3"]);
    const { numbers, statistics: sent, drawn } = changed.content;
    expect(numbers[(3 * 5 + 2) * sent.length + drawn] / own).toBeCloseTo(1, 9);
    expect(await ensembleRuns.choose(changed.view, "pivotFunction", "", panel)).toEqual({ subject: undefined });
    // What is not offered is nothing.
    expect(await ensembleRuns.choose(view, "pivotFunction", "123456", panel)).toBeUndefined();
  });

  it("cells choose their runs, and numbers are of the runs that stay", async () => {
    const { content, shown, view } = await contentOf();
    const of16 = ["np16-r1", "np16-r2", "np16-r3"].map((name) => String(runNames.indexOf(name)));
    expect(ensembleRuns.members?.of(shown, [4, 6 + 4])).toEqual({ by: "run", members: of16 });
    const page = pageOf(content);
    expect(page.can?.(content, 4)).toBe(true);
    const own = { ...view, scope: { ...view.scope, chosen: { by: "run", members: of16.slice(0, 2) } as const } };
    const staying = ensembleRuns.content(await ensembleRuns.ask(own, quietTask, []), own);
    if (staying.view !== "pivot") throw new Error(staying.view);
    expect([staying.columns, staying.runs[0]]).toEqual([["16"], 2]);
    const values = await valuesOf(staying.rows[0], ["np16-r1", "np16-r2"]);
    expect(staying.numbers[0] / mean(values)).toBeCloseTo(1, 9);
  });

  it("tables have a column for each group and statistic that is chosen, in both views of groups", async () => {
    const chooser = (await contentOf()).view;
    const panel = {} as unknown as Parameters<typeof ensembleRuns.choose>[3];
    const without = await ensembleRuns.choose(chooser, "statistics", "deviation", panel);
    expect(without).toEqual({ statistics: ["mean", "q1", "median", "q3", "p95"] });
    expect(await ensembleRuns.choose(chooser, "statistics", "max", panel)).toEqual({
      statistics: ["mean", "deviation", "q1", "median", "q3", "p95", "max"],
    });
    // The last one stays.
    const one = await contentOf({ statistics: ["median"], statistic: "median" });
    const tool = ensembleRuns.controls(one.view, one.shown).find(({ id }) => id === "statistics");
    expect(tool?.kind === "tool" && tool.menu?.filter(({ disabled }) => disabled).map(({ value }) => value)).toEqual([
      "median",
    ]);
    const [table] = pageOf(one.content).tables(one.content, undefined);
    expect(table.columns.map(({ title }) => title)).toEqual([
      ...["function", ...ranks.flatMap((n) => [`ranks ${n}: median`, `ranks ${n}: runs`]), "defined at"],
    ]);
    const runs = await measured({ view: "runs", groupBy: "ranks", statistics: ["deviation", "max"] });
    const content = ensembleRuns.content(runs.shown, runs.view);
    if (content.view !== "runs" || !content.groups) throw new Error(content.view);
    const [groups] = pageOf(content).tables(content, undefined);
    expect(groups.columns.map(({ title }) => title)).toEqual(["ranks", "runs", "deviation", "largest"]);
    const of27 = ["np27-r1", "np27-r2", "np27-r3"].map((name) => content.totals[runNames.indexOf(name)]);
    expect(content.groups.numbers[5 * 2 + 1]).toBe(Math.max(...of27));
  });

  it("keep functions by the runs that have them, and say what has no room", async () => {
    const some = await contentOf({ missingIn: [{ parameter: "ranks", value: "1" }] });
    const sites = await measured({ missingIn: [{ parameter: "ranks", value: "1" }] });
    if (sites.shown.view !== "callSites") throw new Error(sites.shown.view);
    expect(some.content.rows.toSorted()).toEqual(sites.shown.sites.map(({ name }) => name).sort());
    expect(pageOf(some.content).summary(some.content)[0]).toContain("functions missing in ranks 1 × 6 groups by ranks");
    const none = await contentOf({ onlyIn: [{ run: "np1-r1" }] });
    expect(ensembleRuns.notes?.(none.shown, none.view)).toEqual([
      { text: "No function of these runs is only in np1-r1.", link: { id: "all-functions", text: "All functions" } },
    ]);
    const { shown, view } = await byParameters();
    if (shown.view !== "pivot") throw new Error(shown.view);
    const { functions, cells } = shown.pivot;
    const many = Array.from({ length: 1000 }, (_, at) => at % functions.length);
    const columns = Array.from({ length: 90 }, (_, at) => at);
    const pivot = {
      ...{ ...shown.pivot, rowCount: 1234, columns, functions: many.map((at) => functions[at]) },
      cells: many.map((at) => columns.map((column) => cells[at][column % 6])),
    };
    const wide = { ...shown, pivot };
    const content = ensembleRuns.content(wide, view);
    if (content.view !== "pivot") throw new Error(content.view);
    expect(v.safeParse(ensembleRunsContent, content).success).toBe(true);
    expect(content.rows.length).toBe(Math.floor(30_000 / 6 / 90));
    expect(sizeOf(content)).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(ensembleRuns.notes?.(wide, view)).toEqual(["The 55 functions with the largest mean of 1,234 are here."]);
    const texts = draw(content, plain).above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    expect(texts).toContainEqual(expect.stringMatching(/^\d+ functions and \d+ groups more in the table$/));
  });
});

describe("functions over commits", () => {
  it("have a point per run, steps at the means, and a line between the two commits of a change", async () => {
    const { view, shown } = await alongHistory();
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "commits") throw new Error(content.view);
    const { commits, means } = history;
    expect(content.names).toEqual(["solve"]);
    const commitOf = ({ [0]: change }: Int32Array) => content.commits[content.commit[change]];
    expect([commitOf(content.before), commitOf(content.after)]).toEqual([commits[1], commits[2]]);
    expect([content.meanBefore[0], content.meanAfter[0]]).toEqual(means);
    const { marks, below, above } = draw(content, plain);
    expect(marks.map(({ name }) => name)).toEqual(["solve"]);
    const points = below.filter((shape) => shape.kind === "path" && shape.d.includes("a3,3"));
    expect(points.length).toBe(16);
    // One with changes, one of no known commit; both took forty times as long.
    expect(below.filter((shape) => shape.kind === "path" && shape.d.endsWith("l3,6h-6Z")).length).toBe(2);
    // The steps are as far apart as the means are, on the scale of the points.
    const heights = points.map((shape) => (shape.kind === "path" ? Number(/^M[^,]+,([^a]+)/.exec(shape.d)?.[1]) : NaN));
    const line = below.find((shape) => shape.kind === "path" && /^M[^H]+H[^L]+L[^H]+H[\d.]+$/.test(shape.d));
    const steps = line?.kind === "path" ? [...line.d.matchAll(/,([\d.]+)H/g)].map(([, y]) => Number(y)) : [];
    const average = (some: readonly number[]) => some.reduce((a, b) => a + b) / some.length;
    expect(steps).toEqual([
      expect.closeTo(average(heights.slice(0, 8)), 1),
      expect.closeTo(average(heights.slice(8)), 1),
    ]);
    const facts = new Map(marks[0].facts().map(([what, value]) => [what, value]));
    expect(facts.get(`up to ${commits[1].slice(0, 7)}`)).toBe(formatValue(means[0], content.unit));
    expect(facts.get(`from ${commits[2].slice(0, 7)}`)).toBe(formatValue(means[1], content.unit));
    expect(facts.get("chance")).toMatch(/^p = 0\.00\d: as much in \d of 1,000 orders of these runs$/);
    const texts = above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    for (const commit of commits) expect(texts).toContain(commit.slice(0, 7));
    expect(ensembleRuns.notes?.(shown, view)).toEqual([
      "Drawn, and left out of the test: 1 run of no known commit, 1 run with changes that were not committed.",
    ]);
  });

  it("have as many digits of commits as tell these apart", async () => {
    const { view, shown } = await alongHistory();
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "commits") throw new Error(content.view);
    const commits = content.commits.map((_, at) => `abcdef012${at}`.padEnd(40, "0"));
    const { marks, above } = draw({ ...content, commits }, plain);
    const texts = above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    for (const commit of commits) expect(texts).toContain(commit.slice(0, 10));
    const [before, after] = [content.before, content.after].map(([place]) => content.commit[place]);
    const said = marks[0].facts().map(([what]) => what);
    expect(said).toEqual(expect.arrayContaining([`up to abcdef012${before}`, `from abcdef012${after}`]));
  });

  it("lead to the hottest line, and to the diff of the file between the two commits", async () => {
    const { view, shown } = await alongHistory();
    expect(await ensembleRuns.explain?.(shown, 0, view, quietTask)).toMatchObject({ place: "solve.cpp:7" });
    const run = vi.fn();
    const panel = { view, run, notice: vi.fn() } as unknown as Parameters<
      NonNullable<typeof ensembleRuns.actions>["diff"]
    >[2];
    await ensembleRuns.actions?.diff(shown, 0, panel);
    const [, before, after] = history.commits;
    expect(run).toHaveBeenCalledExactlyOnceWith("heatflow.openCommitDiff", expect.objectContaining({ name: "solve" }), {
      file: history.source,
      before,
      after,
    });
  });

  it("are asked of no repository before the workspace is trusted", async () => {
    const { view } = await alongHistory();
    const untrusted = { ...view, session: { ...view.session, trustedFolders: [] } };
    await expect(ensembleRuns.ask(untrusted, quietTask, [])).rejects.toThrow(
      "No folder of a trusted workspace is open",
    );
  });
});

describe("runs of which little is known", () => {
  const repeats = [1, 2, 3].map((repeat) => path.join(miniheat, `profiles/ensemble/np1-r${repeat}.cali`));

  async function asking(
    state: Partial<EnsembleRunsState>,
    {
      paths = repeats,
      ensemble = {},
      folders = [],
    }: { paths?: string[]; ensemble?: EnsembleOptions; folders?: string[] },
  ) {
    const view = await open(paths, undefined, ensemble);
    const session = { ...view.session, trustedFolders: folders };
    const own: RunsView = { ...view, session, state: { ...view.state, ...state } };
    return { view: own, shown: ensembleRuns.ask(own, quietTask, []) };
  }

  it.each(["scaling", "pivot"] as const)("%s says how parameters become known, and opens the setting", async (what) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-unknown-"));
    const paths = [5, 7].map((dur) => path.join(folder, `run-${dur}.json`));
    for (const [at, file] of paths.entries())
      fs.writeFileSync(file, `[{"ph":"X","name":"solve","pid":1,"tid":1,"ts":0,"dur":${at + 5}}]`);
    const { view, shown } = await asking({ view: what }, { paths });
    const error: unknown = await shown.catch((reason: unknown) => reason);
    fs.rmSync(folder, { recursive: true });
    const problem = problemOf(error);
    expect(problem).toMatchObject({ kind: "empty", link: { id: "pattern" } });
    expect(problem.advice).toContain("heatflow.ensemble.pattern");
    expect(Object.keys(ensembleRuns.links ?? {})).toContain(problem.link?.id);
    const empty = ensembleRuns.controls(view).filter((one) => one.kind === "select" && one.choices.length === 0);
    expect(empty).toEqual([]);
  });

  it("scale over what their names say, though it is another value in each", async () => {
    const { shown } = await asking({ view: "scaling" }, { ensemble: { pattern: "np1-r{n}.cali" } });
    const scaling = await shown;
    if (scaling.view !== "scaling") throw new Error(scaling.view);
    expect(scaling.scaling.parameter).toBe("n");
    expect([...scaling.scaling.n]).toEqual([1, 2, 3]);
  });

  it("scale over no number of a process, nor over the time when it began", async () => {
    // Caliper's starttime.sec is the same in two of them.
    const { shown } = await asking({ view: "scaling" }, {});
    await expect(shown).rejects.toThrow("No parameter of these runs is a number");
  });

  it("explain nothing by what is the same in all of them", async () => {
    const { view, shown } = await asking({ view: "projection" }, {});
    const content = ensembleRuns.content(await shown, view);
    if (content.view !== "projection") throw new Error(content.view);
    // All three are of one machine and one executable.
    const { metadata } = (await view.session.engine.ensembleRuns(view.scope, quietTask)).runs[0];
    expect(Object.keys(metadata)).toContain("ranks");
    expect(content.parameters).not.toContain("ranks");
  });

  it("say that they are of no commit of the open folder", async () => {
    await alongHistory();
    const { shown } = await asking({ view: "commits" }, { folders: [path.dirname(history.manifest)] });
    const problem = problemOf(await shown.catch((reason: unknown) => reason));
    expect(problem).toMatchObject({ kind: "empty", message: expect.stringContaining("No run is of a commit") });
  });
});
