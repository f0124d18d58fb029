import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import { quietTask } from "../../src/model/task";
import { ensembleRunsContent, statistics } from "../../src/protocol/ensembleRuns";
import { formatValue } from "../../src/model/units";
import { MESSAGE_LIMIT } from "../../src/protocol/bounds";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import type { EnsembleRunsState, ScalingContent } from "../../src/protocol/ensembleRuns";
import { draw, pageOf } from "../../webviews/ensembleRuns/drawing";
import { modelText } from "../../webviews/ensembleRuns/scaling";
import { CaliWriter, rank, regions, time, worldSize } from "../unit/formats/caliper/caliWriter";
import { sizeOf } from "./kit/panelLaws";
import { pivotPage } from "../../webviews/ensembleRuns/pivot";
import { plainTheme } from "./kit/plainTheme";
import {
  measured,
  byParameters,
  endHistory,
  open,
  otherSizes,
  history,
  alongHistory,
  plain,
  runNames,
  ranksOf,
  mean,
  quantile,
  middle,
} from "./useEnsembleRuns";

vi.mock("vscode", () => import("./fakeVsCode"));

endHistory();

/** The circles of the efficiency, which are smaller than those of runs. */
function efficiencyDots(content: ScalingContent) {
  return draw(content, plain).below.filter((shape) => shape.kind === "path" && shape.fill !== undefined);
}

function efficiencyInks(content: ScalingContent): unknown[] {
  return [...new Set(efficiencyDots(content).map((shape) => shape.fill))];
}

/** Where they stand along y, from left to right. */
function efficiencyPoints(content: ScalingContent): string[] {
  return efficiencyDots(content).map((shape) =>
    shape.kind === "path" ? (/^M[^,]+,([\d.]+)/.exec(shape.d)?.[1] ?? "") : "",
  );
}

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

  it("says which inputs also differ, in grey and without a model, until their runs are left out", async () => {
    const { view, shown } = await otherSizes();
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "scaling") throw new Error(content.view);
    const sentence = "problem_size is 6 at 27 ranks, else 10; iterations 10, else 20";
    expect(content).toMatchObject({ parameter: "ranks", also: sentence });
    expect(content.model).toBeUndefined();
    const [note] = ensembleRuns.notes?.(shown, view) ?? [];
    expect(note).toEqual({ text: `Also different: ${sentence}.`, link: { id: "leave-out", text: "Leave out 27" } });
    expect(efficiencyInks(content)).toEqual([plainTheme.muted]);
    const setRestriction = vi.fn();
    const session = { ...view.session, setRestriction };
    const panel = { view: { ...view, session }, onScreen: { shown, revision: 1 }, notice: vi.fn() };
    await ensembleRuns.links?.["leave-out"](
      panel as unknown as Parameters<NonNullable<typeof ensembleRuns.links>[string]>[0],
    );
    const left = shown.runs.runs.flatMap(({ ranks }, run) => (ranks === 27 ? [] : [run]));
    expect(setRestriction).toHaveBeenCalledExactlyOnceWith(view.dataSet.id, { by: "run", members: left.map(String) });
    const after = await otherSizes({}, left);
    const alone = ensembleRuns.content(after.shown, after.view);
    if (alone.view !== "scaling") throw new Error(alone.view);
    expect(alone.also).toBeUndefined();
    expect(alone.model).toBeDefined();
    expect(ensembleRuns.notes?.(after.shown, after.view)).toEqual([]);
    expect(efficiencyInks(alone)).toEqual([plainTheme.text]);
  });

  it("shows efficiencies above 200 % only beside inputs that also differ", async () => {
    const { view, shown } = await otherSizes();
    const content = ensembleRuns.content(shown, view);
    if (content.view !== "scaling") throw new Error(content.view);
    const { also, ...unexplained } = { ...content, lastEfficiency: content.lastEfficiency.map(() => 4.5) };
    const textsOf = (one: typeof content) => [
      ...(pageOf(one)
        .aside?.(one)
        ?.items.map(({ note }) => note) ?? []),
      ...pageOf(one)
        .facts(one, 0)
        .map(([, value]) => value),
    ];
    expect(also).toBeDefined();
    expect(textsOf({ ...unexplained, also })).toEqual(expect.arrayContaining(["efficiency 450 %", "450 %"]));
    expect(textsOf(unexplained)).toEqual(expect.arrayContaining(["efficiency > 200 %", "> 200 %"]));
    expect(textsOf(unexplained).join()).not.toContain("450 %");
    // The curve ends there, too: its lowest and highest point are those of 0 and 200 %.
    const curve = Float64Array.from(content.n, (_, at) => at);
    const points = (one: typeof content) => efficiencyPoints({ ...one, efficiency: curve });
    expect(new Set(points(unexplained).slice(2)).size).toBe(1);
    expect(new Set(points({ ...unexplained, also })).size).toBe(content.n.length);
  });

  it("offers outputs of the runs last, below a line, wherever runs are told apart", async () => {
    const { view, shown } = await otherSizes();
    const idsOf = { scaling: "parameter", projection: "colour" } as const;
    for (const [name, id] of Object.entries(idsOf)) {
      const own = { ...view, state: { ...view.state, view: name as keyof typeof idsOf } };
      const menu = ensembleRuns.controls(own, shown).find((one) => one.id === id);
      if (menu?.kind !== "select") throw new Error(menu?.kind);
      const isOutput = menu.choices.map(({ group }) => group === "outputs");
      expect(isOutput).toEqual([...isOutput].sort());
      const outputs = menu.choices.filter(({ group }) => group === "outputs").map(({ value }) => value);
      expect(outputs).toEqual(expect.arrayContaining(["elapsed", "starttime.nsec", "starttime.sec"]));
    }
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
            mean(values),
            deviation(values),
            Math.min(...values),
            quantile(values, 0.25),
            quantile(values, 0.5),
            quantile(values, 0.75),
            quantile(values, 0.95),
            Math.max(...values),
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
      "function",
      ...ranks.flatMap((n) => [`ranks ${n}: median`, `ranks ${n}: runs`]),
      "defined at",
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
      ...shown.pivot,
      rowCount: 1234,
      columns,
      functions: many.map((at) => functions[at]),
      cells: many.map((at) => columns.map((column) => cells[at][column % 6])),
    };
    const wide = { ...shown, pivot };
    const content = ensembleRuns.content(wide, view);
    if (content.view !== "pivot") throw new Error(content.view);
    expect(v.safeParse(ensembleRunsContent, content).success).toBe(true);
    expect(content.rows.length).toBe(Math.floor(30_000 / 6 / 90));
    expect(sizeOf(content)).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(ensembleRuns.notes?.(wide, view)).toEqual(["The 55 functions with the largest mean of 1,234 are shown."]);
    const texts = draw(content, plain).above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    expect(texts).toContainEqual(expect.stringMatching(/^\d+ functions and \d+ groups more in the table$/));
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
