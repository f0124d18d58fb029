import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { quietTask } from "../../src/model/task";
import { siteOrders } from "../../src/protocol/ensembleRuns";
import type { RunsView } from "../../src/panels/ensembleRuns/shown";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import type { EnsembleRunsState } from "../../src/protocol/ensembleRuns";
import { draw, pageOf } from "../../webviews/ensembleRuns/drawing";
import { picks } from "./fakeVsCode";
import { measured, open, plain, runNames, ranksOf, mean, quantile } from "./useEnsembleRuns";

vi.mock("vscode", () => import("./fakeVsCode"));

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

  it.each([
    ["imbalance", /^\d+(\.\d+)?×$/],
    ["iqr", / (s|ms|µs|ns)$/],
    ["kurtosis", /^−?\d+(\.\d+)?$/],
  ] as const)("have what they go by at the right: %s", async (sortedBy, pattern) => {
    const { view, shown } = await measured({ sortedBy });
    const { above } = draw(ensembleRuns.content(shown, view), plain);
    const right = above.flatMap((shape) =>
      shape.kind === "text" && shape.anchor === "end" && shape.at.x > plain.width - 20 ? [shape.text] : [],
    );
    expect(right[0].toLowerCase()).toBe(sortedBy);
    expect(right).toHaveLength(25);
    for (const text of right.slice(1)) expect(text).toMatch(pattern);
    if (sortedBy !== "imbalance") return;
    const all = (await Promise.all(runNames.map((run) => ranksOf(run, "MPI_Allreduce")))).flat();
    expect(right).toContain(`${(Math.max(...all) / mean(all)).toPrecision(3)}×`);
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
      onlyIn: undefined,
      missingIn: undefined,
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
      false,
      "No target run is chosen.",
      1,
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
      filter: 0,
      groupBy: "file",
      withRuns: true,
      scope: { dataSet: 1, metric: 0, over: "mean" },
    });
    const values = await view.session.engine.ensembleGraph({
      filter: 0,
      groupBy: "file",
      withRuns: true,
      value: "exclusive",
      scope: { dataSet: 1, metric: 0, over: "mean" },
    });
    // Of each bar, run by run, what the graph says of it.
    for (const [bar, id] of bars.id.entries())
      for (const value of ["inclusive", "exclusive"] as const) {
        const of = { kind: "bar", query, bar: id } as const;
        const found = await view.session.engine.ensembleDistribution({
          scope: { dataSet: 1, metric: 0, over: "mean" },
          counted: "runs",
          value,
          of,
          bins: 20,
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
    const middle = ({ box }: (typeof marks)[number]) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
    const scaled = marks.filter(({ id }) => content.of[id] === of).map(middle);
    const [low, high] = [scaled[0], scaled[scaled.length - 1]];
    const slope = (low.y - high.y) / (high.x - low.x);
    for (const { x, y } of marks.map(middle)) expect(low.y - y).toBeLessThanOrEqual((x - low.x) * slope + 1);
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
      "The 1,000 functions with the largest mean of 1,200 are shown. The coefficient is that of all.",
    ]);
    fs.rmSync(folder, { recursive: true });
  });
});
