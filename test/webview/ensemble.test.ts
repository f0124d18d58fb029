import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import type { OpenRequest } from "../../src/engine/api";
import type { Session } from "../../src/session/session";
import { choose, chooseRun, restrictionText } from "../../src/panels/ensemble/controls";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import { ensemble, sizeOf } from "../../src/panels/ensemble/definition";
import { type EnsembleView, graphQueryOf } from "../../src/panels/ensemble/query";
import type { ShownEnsemble } from "../../src/panels/ensemble/shown";
import { askSites, pendingSites } from "../../src/panels/ensemble/sites";
import { type EnsembleContent, type EnsembleState, guideMark, SITE_LIMIT, siteMark } from "../../src/protocol/ensemble";
import type { RunTerm } from "../../src/protocol/runTerms";
import { formatValue } from "../../src/model/units";
import { aside, flowFacts, summary } from "../../webviews/ensemble/describe";
import { draw, type EnsembleScene } from "../../webviews/ensemble/drawing";
import { guidesOf } from "../../webviews/ensemble/guides";
import { tables } from "../../webviews/ensemble/tables";
import { miniheat } from "../recordings";
import { PATCHED_FUNCTION } from "../unit/cli/regression/patch";
import { grammars } from "../unit/engine/miniheat";
import { panelLaws } from "./kit/panelLaws";
import { picks } from "./fakeVsCode";
import { plainTheme } from "./kit/plainTheme";
import { faultsOf, fonts } from "./labelLaw";
import { sampleWorld, viewOf } from "./kit/samples";
import { openPage, sendSample, viewIn } from "./kit/showing";
import { drawn, PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

let opened: Promise<EnsembleView> | undefined;

/** The sample program's 18 runs, on 1 to 27 ranks. */
function measuredView(): Promise<EnsembleView> {
  return (opened ??= open([path.join(miniheat, "profiles/ensemble")]));
}

async function open(paths: readonly string[], as: Partial<OpenRequest> = {}): Promise<EnsembleView> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const [info] = await engine.open({ paths, ensemble: {}, ...as });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  return viewOf({ engine, info, scope }, { ...ensemble.start, steps: byFile });
}

/** The groups that these tests know. */
const byFile: EnsembleState["steps"] = { filter: 0.1, groupBy: "file", operations: [], done: 0 };

/** Six runs on 1 and 2 ranks against six on 16 and 27. */
async function groups(): Promise<EnsembleView> {
  const ofRanks = (...all: string[]) => all.map((value) => ({ parameter: "ranks", value }));
  const sets = { baseline: ofRanks("1", "2"), candidate: ofRanks("16", "27") };
  return withState(await measuredView(), { mode: "difference", sets });
}

const shownOf = (view: EnsembleView): Promise<ShownEnsemble> => ensemble.ask(view, quietTask, []);

const withState = (view: EnsembleView, state: Partial<EnsembleState>): EnsembleView => ({
  ...view,
  state: { ...view.state, ...state },
});

panelLaws({
  definition: ensemble,
  draw,
  async samples() {
    const all = await measuredView();
    const target = withState(all, { mode: "target", target: "np16-r2" });
    const difference = withState(all, { mode: "difference", target: "np27-r3", baseline: "np27-r1" });
    const sample = async (name: string, view: EnsembleView, isPictured = true) => ({
      name,
      view,
      shown: await shownOf(view),
      isPictured,
    });
    return [
      await sample("all runs", all),
      await sample("target", target),
      await sample("difference", difference),
      await sample("some runs", few(target, ["3", "4", "5", "6"])),
      await sample("groups", await groups()),
      await sample("first picture", withState(target, { steps: undefined })),
      await sample("call sites", withState(target, { sites: true })),
    ];
  },
});

const wide = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

/** Every value of every run, as the engine has it: what the drawing says of them is worked out anew from these. */
async function valuesOf(view: EnsembleView, runs?: readonly number[]) {
  const query = graphQueryOf(view);
  const scope = { ...query.scope, ...(runs ? { runs } : {}) };
  const { values, bars, edges, totals } = await view.session.engine.ensembleGraph({ ...query, scope, withRuns: true });
  if (!values) throw new Error("no values");
  const row = (all: Float64Array, at: number) => [...all.subarray(at * totals.length, (at + 1) * totals.length)];
  const known = (all: readonly number[]) => all.filter((value) => !Number.isNaN(value));
  return {
    size: bars.size,
    edges,
    of: (bar: number) => row(values.inclusive, bar),
    most: (bar: number) => Math.max(0, ...known(row(values.inclusive, bar))),
    flow: (edge: number) => row(values.edges, edge),
    mostFlow: (edge: number) => Math.max(0, ...known(row(values.edges, edge))),
    known,
  };
}

async function drawnOf(
  view: EnsembleView,
): Promise<{ content: EnsembleContent; scene: EnsembleScene; shown: ShownEnsemble }> {
  const shown = await shownOf(view);
  const content = ensemble.content(shown, view);
  return { content, scene: draw(content, wide), shown };
}

const few = (view: EnsembleView, members: readonly string[]): EnsembleView => ({
  ...view,
  scope: { ...view.scope, chosen: { by: "run", members } },
});

describe("an ensemble", () => {
  it("has bars as high as their largest run, all on one scale", async () => {
    const view = await measuredView();
    const values = await valuesOf(view);
    const { content, scene } = await drawnOf(view);
    // The sample program's: main.cpp, solver.cpp, halo.cpp, MPI and what is in no region or file.
    expect(content.bars.name).toEqual(
      expect.arrayContaining(["main.cpp", "solver.cpp", "halo.cpp", "MPI", "physics.cpp"]),
    );
    const scale = scene.placed.bars[0].height / values.most(0);
    scene.placed.bars.forEach(({ height }, bar) =>
      expect(height).toBeCloseTo(Math.max(1.5, values.most(bar) * scale), 6),
    );
  });

  it("names each low bar above it or beside it, but where something stands there", async () => {
    const ofBuild = await open([path.resolve("test/unit/cli/regression/callgrind")], { answer: "separate" });
    const steps: EnsembleState["steps"] = { filter: 0, groupBy: "function", operations: [], done: 0 };
    const { content, scene } = await drawnOf(withState(ofBuild, { steps }));
    const { bars } = scene.placed;
    const texts = scene.above.flatMap((shape) => (shape.kind === "text" ? [{ ...shape, ...shape.at }] : []));
    const names = texts.filter(({ size }) => size === 12);
    const measure = wide.measure(12);
    const stands = [
      ...bars,
      ...texts.map(({ x, y, text, size }) => ({ x, y: y - 12, width: wide.measure(size)(text), height: 15 })),
    ];
    let beside = 0;
    for (const [bar, { x, y, width, height }] of bars.entries()) {
      if (height >= 16) continue;
      const own = names.find(({ of }) => of === bar);
      // Room for twelve characters, an ellipsis, and what is kept free.
      const room = { x: x + width + 6, y: y + height / 2 - 6, width: 14 * measure("m"), height: 13 };
      const isTaken = stands.some(
        (other) =>
          other !== bars[bar] &&
          other.x < room.x + room.width &&
          other.x + other.width > room.x &&
          other.y < room.y + room.height &&
          other.y + other.height > room.y,
      );
      if (own === undefined && room.x + room.width < wide.width - 4) expect(isTaken, content.bars.name[bar]).toBe(true);
      if (own && own.x > x + width) beside++;
    }
    expect(beside).toBeGreaterThan(0);
  });

  it("keeps the law of labels at 600 and 1400 pixels", async () => {
    const ofBuild = await open([path.resolve("test/unit/cli/regression/callgrind")], { answer: "separate" });
    const byFunction = (filter: number) => ({ filter, groupBy: "function" as const, operations: [], done: 0 });
    const views = [
      await measuredView(),
      withState(ofBuild, { steps: byFunction(1) }),
      // Without a filter: 352 bars, and 149.
      withState(ofBuild, { steps: byFunction(0) }),
      withState(ofBuild, { steps: { ...byFunction(0), groupBy: "file" } }),
      withState(await measuredView(), { steps: byFunction(0) }),
      withState(await measuredView(), { steps: byFunction(0), mode: "target", target: "np16-r2" }),
    ];
    for (const one of views)
      for (const { measure, ...size } of [
        { width: 600, height: 644, measure: fonts.usual },
        { width: 1400, height: 584, measure: fonts.usual },
        { width: 600, height: 644, measure: fonts.wide },
        { width: 1400, height: 584, measure: fonts.wide },
      ]) {
        const sized = { ...one, size };
        const content = ensemble.content(await shownOf(sized), sized);
        const scene = draw(content, { ...size, theme: plainTheme, measure });
        const { border, height } = content.bars;
        const all = [...border.keys()];
        const hottest = all
          .filter((bar) => border[bar] > 0)
          .sort((a, b) => border[b] - border[a] || a - b)
          .slice(0, 5);
        const order = [...new Set([...hottest, ...all.sort((a, b) => height[b] - height[a] || a - b)])];
        const nameOf = (bar: number) => content.bars.name[bar];
        expect(faultsOf(scene, { ...size, measure }, order, hottest.length, nameOf), `${size.width} pixels`).toEqual(
          [],
        );
      }
  });

  it("counts the runs in each bin, and says median, ends and what runs of a bin have in common", async () => {
    const view = await measuredView();
    const values = await valuesOf(view);
    const { content, shown } = await drawnOf(view);
    for (let bar = 0; bar < values.size; bar++) {
      const [own, to] = [values.known(values.of(bar)), values.most(bar)];
      const sorted = own.slice().sort((a, b) => a - b);
      expect(content.bars.median[bar]).toBe((sorted[8] + sorted[9]) / 2);
      expect(content.bars.least[bar]).toBe(sorted[0]);
      expect(values.of(bar)[content.bars.mostRun[bar]]).toBe(to);
      for (let bin = 0; bin < 20; bin++) {
        const inBin = values.of(bar).flatMap((value, run) => {
          const isLast = bin === 19 && value === to;
          return isLast || (value >= (to * bin) / 20 && value < (to * (bin + 1)) / 20) ? [run] : [];
        });
        const cell = bar * 20 + bin;
        expect(content.counts[cell], `${content.bars.name[bar]} ${bin}`).toBe(inBin.length);
        if (inBin.length === 0) continue;
        const ranks = inBin.map((run) => Number(shown.runs.runs[run].metadata.ranks));
        const said = [content.low, content.high].map((column) => Number(content.parameter.values[column[cell]]));
        expect(said).toEqual([Math.min(...ranks), Math.max(...ranks)]);
        // A click on its guide keeps exactly these.
        const mark = guideMark(sizeOf(shown), bar, bin, bin);
        expect(ensemble.members?.of(shown, [mark])).toEqual({ by: "run", members: inBin.map(String) });
      }
    }
    expect(Math.max(...content.counts)).toBe(content.fullest);
  });

  it("has one guide for neighbouring bins whose runs have one value of the parameter, however high they are", async () => {
    const view = await measuredView();
    const values = await valuesOf(view);
    const { content, shown } = await drawnOf(view);
    let together = 0;
    for (let bar = 0; bar < values.size; bar++) {
      const to = values.most(bar);
      const bins = Array.from({ length: 20 }, (_, bin) => ({ bin, ranks: [] as number[] }));
      values.of(bar).forEach((value, run) => {
        if (Number.isNaN(value)) return;
        const bin = value === to ? 19 : bins.findLast(({ bin }) => value >= (to * bin) / 20)!.bin;
        bins[bin].ranks.push(Number(shown.runs.runs[run].metadata.ranks));
      });
      const expected: { first: number; last: number; ranks: number[] }[] = [];
      for (const { bin, ranks } of bins) {
        if (ranks.length === 0) continue;
        const before = expected.at(-1);
        const isOne = before?.last === bin - 1 && new Set([...before.ranks, ...ranks]).size === 1;
        if (!isOne) expected.push({ first: bin, last: bin, ranks });
        else {
          Object.assign(before, { last: bin, ranks: [...before.ranks, ...ranks] });
          together++;
        }
      }
      const guides = guidesOf(content, bar, { x: 0, y: 0, width: 20, height: 100_000 });
      const found = guides.map(({ first, last, runs }) => ({ first, last, runs }));
      expect(found, content.bars.name[bar]).toEqual(
        expected.map(({ first, last, ranks }) => ({ first, last, runs: ranks.length })),
      );
    }
    expect(together).toBeGreaterThan(0);
  });

  it("has the scale of its edges in a narrow panel, too", async () => {
    const window = await PanelWindow.start("ensemble", "Ensemble");
    const panel = await openPage(window);
    await panel.page.setViewportSize({ width: 400, height: 700 });
    const view = await viewIn(panel, withState(await measuredView(), { mode: "target", target: "np16-r2" }));
    await sendSample(panel, ensemble, { name: "narrow", view, shown: await shownOf(view) });
    const legend = panel.page.locator(".legend");
    expect(await legend.locator(".entry:visible").count()).toBeGreaterThanOrEqual(2);
    expect(await legend.evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0);
    await panel.page.setViewportSize({ width: 1000, height: 700 });
    await panel.page.getByText("edge: largest exclusive").waitFor();
    await window.stop();
  });

  it("has call sites beside it where they are wanted: of the runs that stay, as the view of call sites has them", async () => {
    const all = withState(await measuredView(), { mode: "target", target: "np16-r2" });
    for (const view of [withState(all, { sites: true }), few(withState(all, { sites: true }), ["3", "4", "15"])]) {
      const shown = await shownOf(view);
      const part = await askSites(shown, view, quietTask);
      const runs = shown.staying.graph.runs;
      expect(part.runs).toBe(runs.length);
      const { engine } = view.session;
      const target = shown.runs.runs.findIndex(({ name }) => name === "np16-r2");
      const sites = await engine.ensembleCallSites({ scope: graphQueryOf(view).scope, value: "exclusive", target });
      expect(part.names).toEqual(sites.slice(0, SITE_LIMIT).map(({ name, shown = name }) => shown));
      sites.slice(0, SITE_LIMIT).forEach(({ plot, target: own, function: id }, row) => {
        const found = [part.low, part.q1, part.median, part.q3, part.high, part.mean].map((column) => column[row]);
        const [low, high] = plot.whiskers;
        expect(found).toEqual([low, plot.q1, plot.median, plot.q3, high, plot.mean]);
        expect(part.target[row]).toEqual(own?.mean ?? NaN);
        const rings = part.outlying.subarray(part.firstOutlier[row], part.firstOutlier[row + 1]);
        expect(rings).toHaveLength(Math.min(40, plot.outliers.length));
        expect([rings.at(0), rings.at(-1)]).toEqual([plot.outliers.at(0), plot.outliers.at(-1)]);
        // A click selects the function, which bars, trees and the editor follow.
        expect(ensemble.subject?.(shown, siteMark(row), view, quietTask)).toMatchObject({
          target: { kind: "function", function: id },
        });
      });
    }
    expect((await askSites(await shownOf(all), all, quietTask)).names).toEqual([]);
    const on = await choose(all, "sites", "", { onScreen: undefined, notice: () => undefined });
    expect(on).toEqual({ sites: true });
  });

  it("leads from a call site to its function, and keeps call sites until those of other runs have come", async () => {
    const window = await PanelWindow.start("ensemble", "Ensemble");
    const panel = await openPage(window);
    const view = await viewIn(panel, withState(await measuredView(), { sites: true }));
    const shown = await shownOf(view);
    await sendSample(panel, ensemble, { name: "sites", view, shown });
    const rows = panel.page.locator(".side .plots li");
    expect(await rows.count()).toBe((await askSites(shown, view, quietTask)).names.length);
    const side = await panel.page.locator(".side").boundingBox();
    expect(side?.width).toBe(440);
    await panel.sent();
    await rows.nth(1).getByRole("button").click();
    expect(await panel.sent()).toContainEqual(
      expect.objectContaining({ type: "mark", action: "select", mark: siteMark(1) }),
    );
    const pending = pendingSites(shown, view)?.meanwhile;
    await panel.send({ type: "part", revision: 1, part: pending });
    const other = few(view, ["3", "4", "5"]);
    await panel.send({ type: "content", revision: 2, content: ensemble.content(await shownOf(other), other) });
    await drawn(panel.page);
    expect(await rows.count()).toBeGreaterThan(0);
    await panel.send({ type: "part", revision: 2, part: await askSites(shown, await measuredView(), quietTask) });
    await drawn(panel.page);
    expect(await rows.count()).toBe(0);
    await panel.send({ type: "part", revision: 2, part: pending });
    await panel.page.locator(".side").getByText("Call sites · exclusive over 18 runs: computing…").waitFor();
    expect((await panel.page.locator(".side").boundingBox())?.width).toBe(440);
    const title = panel.page.locator(".side h2 span");
    expect(await title.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await panel.send({ type: "part", revision: 2, part: await askSites(shown, view, quietTask) });
    await rows.first().waitFor();
    await window.stop();
  });

  it("has flows as wide at each end as their largest run is of the bar, and the target's inside of them", async () => {
    const view = withState(await measuredView(), { mode: "target", target: "np16-r2" });
    const values = await valuesOf(view);
    const { content, scene } = await drawnOf(view);
    const run = content.runs.name.indexOf("np16-r2");
    const { source, target, size } = values.edges;
    const share = (edge: number, ends: Int32Array) => {
      const bar = ends[edge];
      const together = [...ends.keys()]
        .filter((other) => ends[other] === bar)
        .reduce((sum, other) => sum + values.mostFlow(other), 0);
      return values.mostFlow(edge) / Math.max(together, values.most(bar));
    };
    expect(size).toBeGreaterThan(3);
    for (let edge = 0; edge < size; edge++) {
      const [from, to] = [scene.placed.bars[source[edge]], scene.placed.bars[target[edge]]];
      const { points, thickness, until } = scene.placed.flows[edge];
      expect(thickness).toBeCloseTo(share(edge, source) * from.height, 6);
      expect(until).toBeCloseTo(share(edge, target) * to.height, 6);
      expect(points[1] - thickness / 2).toBeGreaterThanOrEqual(from.y - 1e-6);
      expect(points[1] + thickness / 2).toBeLessThanOrEqual(from.y + from.height + 1e-6);
      const own = scene.placed.targetFlows[edge];
      expect(own.thickness / thickness).toBeCloseTo(values.flow(edge)[run] / values.mostFlow(edge), 6);
      expect(own.points[1] - own.thickness / 2).toBeCloseTo(points[1] - thickness / 2, 6);
    }
    for (let bar = 0; bar < values.size; bar++) {
      const own = values.of(bar)[run];
      const notLarger = values.known(values.of(bar)).filter((value) => value <= own).length;
      expect(content.beside.target?.percentile[bar]).toBe(notLarger / 18);
    }
  });

  it("says of each flow what the target's own is, also of a target that is left out and has more than all others", async () => {
    const all = withState(await measuredView(), { mode: "target", target: "np27-r1" });
    const [everyRun, { content }] = [await valuesOf(all), await drawnOf(few(all, ["0", "1", "2"]))];
    const run = (await shownOf(all)).runs.runs.findIndex(({ name }) => name === "np27-r1");
    let larger = 0;
    for (let flow = 0; flow < content.edges.most.length; flow++) {
      const own = everyRun.flow(flow)[run];
      const said = flowFacts(content, flow).find(([what]) => what === "np27-r1");
      expect(said?.[1]).toBe(Number.isNaN(own) ? "none" : formatValue(own, "s"));
      larger += Number(own > content.edges.most[flow]);
    }
    expect(larger).toBeGreaterThan(0);
  });

  it("keeps every bar in its place and order, whichever runs stay, whatever is beside them, and with any bins", async () => {
    const view = await measuredView();
    const { scene, content } = await drawnOf(view);
    const corners = ({ placed }: EnsembleScene) => placed.bars.map(({ x, y, width }) => [x, y, width]);
    const views = [
      few(view, ["0", "1", "2"]),
      few(view, ["17"]),
      withState(view, { mode: "target", target: "np1-r1" }),
      withState(view, { mode: "difference", target: "np1-r1" }),
      withState(view, { bins: 10 }),
      withState(view, { value: "exclusive" }),
    ];
    for (const other of views) {
      const drawn = await drawnOf(other);
      expect(drawn.content.bars.name).toEqual(content.bars.name);
      expect(corners(drawn.scene)).toEqual(corners(scene));
      drawn.scene.placed.bars.forEach(({ height }, bar) =>
        expect(height).toBeLessThanOrEqual(scene.placed.bars[bar].height + 1e-9),
      );
    }
    const values = await valuesOf(view, [0, 1, 2]);
    const { bars } = (await drawnOf(views[0])).content;
    expect([...bars.height]).toEqual(Array.from({ length: values.size }, (_, bar) => values.most(bar)));
  });

  it("begins with the first picture of all runs, whichever stay, until another grouping is chosen", async () => {
    let view = withState(await measuredView(), { steps: undefined });
    const learn = (shown: ShownEnsemble) => {
      view = withState(view, ensemble.learned?.(shown, view, view.state) ?? {});
    };
    const all = await shownOf(view);
    const { chosen } = all.whole.graph;
    if (!chosen) return expect.fail("it is no first picture");
    expect(all.whole.graph.bars.size).toBeLessThanOrEqual(30);
    const asked = ensemble.asked?.(view);
    learn(all);
    expect(view.state.steps?.first).toMatchObject({ metric: view.metric.name, choice: chosen.choice });
    expect(JSON.stringify(ensemble.asked?.(view))).toBe(JSON.stringify(asked));
    expect(
      ensemble
        .steps?.(view, all)
        ?.map(({ text }) => text)
        .slice(1),
    ).toEqual(["≥ 0.1 %", "first picture"]);

    const some = few(view, ["3", "4"]);
    const restricted = await ensemble.ask(some, quietTask, [{ shown: all, revision: 1 }]);
    expect(restricted.whole).toBe(all.whole);
    expect(restricted.staying.graph.bars.id).toEqual(all.whole.graph.bars.id);
    // Nothing of what was found is known here: the choice is part of the question.
    const { id } = (await shownOf(few(view, ["3"]))).staying.graph.bars;
    expect(id).toEqual(all.whole.graph.bars.id);

    const panel = { onScreen: { shown: all, revision: 1 }, notice: () => undefined };
    const change = async (control: string, value: string) => {
      const changed = await choose(view, control, value, panel);
      view = withState(view, changed ?? {});
    };
    await change("groupBy", "file");
    expect(view.state.steps).toMatchObject({ filter: 0.1, groupBy: "file" });
    await change("undo", "");
    expect(graphQueryOf(view)).toMatchObject({ groupBy: "first", first: chosen.choice });
  });

  it("sets a run against the median one by total, of an even number the lower", async () => {
    const view = withState(await measuredView(), { mode: "difference", target: "np27-r3" });
    const { content, shown, scene } = await drawnOf(view);
    const totals = shown.runs.runs.map(({ total }) => total).sort((a, b) => a - b);
    const { difference } = content.beside;
    if (!difference) throw new Error("no difference");
    expect(shown.runs.runs[difference.baseline.runs[0]].total).toBe(totals[8]);
    const values = await valuesOf(view);
    for (let bar = 0; bar < values.size; bar++) {
      const [before, after] = [difference.baseline, difference.candidate].map(({ runs: [run] }) => values.of(bar)[run]);
      expect(difference.difference[bar]).toBeCloseTo(after - before, 12);
    }
    const mpi = content.bars.name.indexOf("MPI");
    expect(scene.marks[mpi].facts().find(([what]) => what === "difference")?.[1]).toMatch(/^\+\d.*×$/);
    expect(aside(content)?.items.at(0)).toMatchObject({ name: "main.cpp", note: "slower" });
  });

  it("has the run as target that is clicked, and none when it is clicked again", async () => {
    const view = await measuredView();
    const { shown } = await drawnOf(view);
    const followed: unknown[] = [];
    const session = { setEnsembleTarget: (target: unknown) => followed.push(target) } as unknown as Session;
    const { name } = shown.runs.runs[5];
    const chosen = chooseRun(shown.runs, 5, { ...view, session });
    expect(chosen).toEqual({ mode: "target", target: name });
    const again = { ...view, session, state: { ...view.state, ...chosen } };
    expect(chooseRun(shown.runs, 5, again)).toEqual({ mode: "ensemble", target: undefined });
    // And lines in the editor follow.
    const dataSet = view.dataSet.id;
    expect(followed).toEqual([{ dataSet, run: name }, undefined]);
    const panel = { onScreen: { shown, revision: 1 }, notice: () => undefined };
    for (const value of [name, ""]) void choose({ ...view, session }, "target", value, panel);
    expect(followed.slice(2)).toEqual([{ dataSet, run: name }, undefined]);
  });

  it("is followed by lines and trees with what it compares, until that is ended there or here", async () => {
    const view = await measuredView();
    const { shown } = await drawnOf(view);
    const session = {
      engine: view.session.engine,
      ensembleDifference: undefined as Session["ensembleDifference"],
      ensembleTarget: { dataSet: view.dataSet.id, run: "np4-r2" },
      setEnsembleTarget: () => undefined,
      setEnsembleDifference(difference: Session["ensembleDifference"]) {
        session.ensembleDifference = difference;
      },
    };
    const panel = { onScreen: { shown, revision: 1 }, notice: () => undefined };
    const of = (state: Partial<EnsembleState>) =>
      withState({ ...view, session: session as unknown as Session }, { target: "np4-r2", ...state });
    const change = await choose(of({ mode: "target" }), "difference", "median", panel);
    const medianRun = [...shown.runs.runs].sort((a, b) => a.total - b.total)[8].name;
    expect(session.ensembleDifference).toEqual({
      dataSet: view.dataSet.id,
      baseline: { name: medianRun, runs: [medianRun] },
      candidate: { name: "np4-r2", runs: ["np4-r2"] },
    });
    const isShown = of({ ...change });
    expect(ensemble.targeted?.(isShown)).toBeUndefined();
    // Groups, by what they have in common.
    const ranks = (value: string) => [{ parameter: "ranks", value }];
    const sets = { baseline: ranks("1"), candidate: ranks("4") };
    await ensemble.later?.[1].ask(shown, of({ mode: "difference", sets }), quietTask);
    const runs = (np: string) => ["r1", "r2", "r3"].map((run) => `np${np}-${run}`);
    expect(session.ensembleDifference).toMatchObject({
      baseline: { name: "ranks 1", runs: runs("1") },
      candidate: { name: "ranks 4", runs: runs("4") },
    });
    // Ended there.
    session.ensembleDifference = undefined;
    expect(ensemble.targeted?.(isShown)).toEqual({ mode: "target", sets: undefined });
    // And here.
    await choose(of({ mode: "target" }), "difference", "median", panel);
    expect(await choose(isShown, "difference", "none", panel)).toEqual({ mode: "target", sets: undefined });
    expect(session.ensembleDifference).toBeUndefined();
  });

  it("has the target that was chosen in another view, and so have the other views of its runs", async () => {
    const view = await measuredView();
    const withTarget = (run: string | undefined, dataSet = view.dataSet.id) =>
      ({ ensembleTarget: run === undefined ? undefined : { dataSet, run } }) as unknown as Session;
    const own = (session: Session, state: Partial<EnsembleState>) =>
      ensemble.targeted?.({ ...withState(view, state), session });
    expect(own(withTarget("np4-r1"), {})).toEqual({ target: "np4-r1", mode: "target" });
    expect(own(withTarget("np4-r1"), { mode: "target", target: "np4-r1" })).toBeUndefined();
    const comparing = { ...withTarget("np4-r1"), ensembleDifference: { dataSet: view.dataSet.id } } as Session;
    expect(own(comparing, { mode: "difference", target: "np1-r1" })).toEqual({
      target: "np4-r1",
      mode: "difference",
    });
    expect(own(withTarget(undefined), { mode: "target", target: "np4-r1" })).toEqual({ mode: "ensemble" });
    // Another ensemble's says nothing of this one.
    expect(own(withTarget("np4-r1", 99), { mode: "target", target: "np1-r1" })).toBeUndefined();
    const { start } = ensembleRuns;
    const ofRuns = (session: Session) =>
      ensembleRuns.targeted?.({ ...view, session, state: { ...start, target: "x" } });
    expect(ofRuns(withTarget("np4-r1"))).toEqual({ target: "np4-r1" });
    expect(ofRuns(withTarget(undefined))).toEqual({ target: undefined });
    expect(ofRuns(withTarget("y", 99))).toBeUndefined();
  });

  it("leads to the line that costs the target most, and without one the run that has most", async () => {
    const view = await measuredView();
    const { shown, content } = await drawnOf(view);
    const mpi = content.bars.name.indexOf("MPI");
    const subject = async (of: EnsembleView) => ensemble.subject?.(await shownOf(of), mpi, of, quietTask);
    const most = shown.runs.runs.findIndex(({ name }) => name === "np27-r3");
    expect((await subject(view))?.scope?.chosen).toEqual({ by: "run", members: [String(most)] });
    const target = withState(view, { mode: "target", target: "np4-r1" });
    const run = shown.runs.runs.findIndex(({ name }) => name === "np4-r1");
    expect((await subject(target))?.scope?.chosen).toEqual({ by: "run", members: [String(run)] });
  });

  it("calls a restriction by what its runs have in common, else by their names", async () => {
    const view = await measuredView();
    const { shown } = await drawnOf(view);
    const named = (...names: string[]) =>
      names.map((name) => String(shown.runs.runs.findIndex((run) => run.name === name)));
    expect(restrictionText(few(view, named("np8-r1", "np8-r2", "np8-r3")), shown)).toBe("ranks 8");
    expect(restrictionText(few(view, named("np8-r1", "np4-r3")), shown)).toBe("np8-r1, np4-r3");
    expect(restrictionText(few(view, named("np8-r1", "np8-r2", "np4-r3", "np1-r1")), shown)).toBe("4 runs");
    expect(restrictionText(view, shown)).toBeUndefined();
  });

  it("says of one recording that it is none", async () => {
    const { info } = await sampleWorld();
    expect(ensemble.unmeasured?.(info)).toMatch(/not an ensemble/);
  });
});

describe("two groups of runs", () => {
  /** Five runs of one build (A), five of another of the same (B), five of one that does the work of one function twice (P). */
  const view = open([path.resolve("test/unit/cli/regression/tracker")], { answer: "separate" });
  const named = (letter: string) => Array.from({ length: 5 }, (_, at) => ({ run: `${letter}${at + 1}` }));
  const against = async (baseline: RunTerm[], candidate: RunTerm[], more: Partial<EnsembleState> = {}) => {
    const steps: EnsembleState["steps"] = { filter: 0, groupBy: "function", operations: [], done: 0 };
    const sets = { baseline, candidate };
    return withState(await view, { mode: "difference", value: "exclusive", steps, sets, ...more });
  };

  it("have the means of each, and say in words what is not chance", async () => {
    const of = await against(named("A"), named("P"));
    const { content, shown, scene } = await drawnOf(of);
    const { difference } = content.beside;
    if (!difference) throw new Error("no difference");
    expect(difference.baseline.name).toBe("A1 … A5");
    const { values, bars } = await of.session.engine.ensembleGraph({ ...graphQueryOf(of), withRuns: true });
    const runs = shown.runs.runs;
    const meanOf = (bar: number, letter: string) => {
      const own = runs.flatMap(({ name }, run) =>
        name.startsWith(letter) ? [values?.exclusive[bar * runs.length + run] ?? NaN] : [],
      );
      return own.every(Number.isNaN) ? NaN : own.reduce((sum, one) => sum + (Number.isNaN(one) ? 0 : one), 0) / 5;
    };
    for (let bar = 0; bar < bars.size; bar++) {
      expect(difference.before[bar]).toBeCloseTo(meanOf(bar, "A"), 12);
      expect(difference.after[bar]).toBeCloseTo(meanOf(bar, "P"), 12);
    }
    const slow = content.bars.name.findIndex((name) => name.includes(PATCHED_FUNCTION));
    // Of 252 ways to divide ten runs, this one and its opposite part them most: 2 / 252.
    const words = "slower in 5 of 5 runs, p = 0.008";
    expect(scene.marks[slow].facts()).toContainEqual(["significance", words]);
    expect(aside(content)?.title).toBe("P1 … P5 against A1 … A5");
    expect(aside(content)?.items[0]).toMatchObject({ mark: slow, note: words });
    expect(tables(content)[0].columns.map(({ title }) => title)).toContain("significance");
    const others = [...difference.p.keys()].filter((bar) => bar !== slow && difference.p[bar] <= 0.05);
    expect(others.map((bar) => content.bars.name[bar])).toEqual([]);
  });

  it("say in a narrow panel, too, how likely chance is", async () => {
    const window = await PanelWindow.start("ensemble", "Ensemble");
    const panel = await openPage(window);
    await panel.page.setViewportSize({ width: 400, height: 700 });
    const of = await viewIn(panel, await against(named("A"), named("P")));
    await sendSample(panel, ensemble, { name: "groups", view: of, shown: await shownOf(of) });
    const note = panel.page.getByText("slower in 5 of 5 runs, p = 0.008").last();
    expect(await note.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await window.stop();
  });

  it("of one build do not differ by more than chance", async () => {
    const { content } = await drawnOf(await against(named("A"), named("B")));
    expect([...(content.beside.difference?.p ?? [])].filter((p) => p <= 0.05)).toEqual([]);
  });

  it("of fewer than four runs say no more than what is slower", async () => {
    const { content, scene } = await drawnOf(await against(named("A").slice(0, 3), named("P")));
    expect(aside(content)?.items[0].note).toBe("slower");
    expect(scene.marks.flatMap((mark) => mark.facts()).filter(([what]) => what === "significance")).toEqual([]);
  });

  it("are of the runs that stay, and it is said where none does", async () => {
    const of = await against(named("A"), named("P"));
    const { content } = await drawnOf(few(of, ["0", "1", "10", "11"]));
    expect([...(content.beside.difference?.baseline.runs ?? [])]).toEqual([0, 1]);
    const none = await drawnOf(few(of, ["0"]));
    expect(none.content.beside.mode).toBe("ensemble");
    expect(summary(none.content)[0]).toContain("no difference: none of the runs that stay is of P1");
  });

  it("are chosen one after the other, and end with another target", async () => {
    const of = await view;
    const panel = { onScreen: { shown: await shownOf(of), revision: 1 }, notice: () => undefined };
    const titles: (string | undefined)[] = [];
    picks.choose = (items, options) => {
      titles.push(options?.title);
      return items.filter(({ label }) => label.startsWith(titles.length === 1 ? "A" : "P"));
    };
    const change = await choose(of, "difference", "groups", panel);
    expect(change).toEqual({ mode: "difference", sets: { baseline: named("A"), candidate: named("P") } });
    expect(titles).toEqual(["Baseline: Which Runs?", expect.stringContaining("Compared with A1, A2")]);
    picks.choose = undefined;
    expect(await choose(of, "difference", "groups", panel)).toBeUndefined();
    const session = { setEnsembleTarget: () => undefined } as unknown as Session;
    const chosen = chooseRun(panel.onScreen.shown.runs, 3, { ...withState(of, change ?? {}), session });
    expect(chosen).toEqual({ mode: "target", target: "A4", sets: undefined });
  });
});

describe("runs in the order of commits", () => {
  it("have as many digits as tell these apart, and all of them in tooltips", async () => {
    const view = await measuredView();
    const content = ensemble.content(await shownOf(view), view);
    const values = content.parameter.values.map((_, at) => `${at}d90eeb`.padEnd(40, "a"));
    const { marks, above } = draw(
      { ...content, parameter: { name: "commit", values } },
      {
        width: 1400,
        height: 600,
        theme: plainTheme,
        measure: (size: number) => (text: string) => text.length * size * 0.6,
      },
    );
    const texts = above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    expect(texts).toContain("commit 0d90eeb");
    expect(texts.filter((text) => text.includes(values[0].slice(0, 8)))).toEqual([]);
    const run = marks.find(({ name }) => name === "np1-r1");
    expect(run?.facts()).toContainEqual(["commit", values[0]]);
  });
});
