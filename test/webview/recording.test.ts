import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { HotState, TraceOutline } from "../../src/engine/api";
import type { EventKind } from "../../src/model/eventKinds";
import type { RecordingValues } from "../../src/panels/recording/content";
import type { OverTime } from "../../src/panels/recording/overTime";
import { type LocalEngine, localEngine } from "../../src/engine/localEngine";
import { differenceText } from "../../src/model/differences";
import { quietTask } from "../../src/model/task";
import { formatRatio, formatShare, formatValue } from "../../src/model/units";
import { chosenRanks } from "../../src/model/members";
import type { View } from "../../src/panels/kit/definition";
import { frameMessage } from "../../src/panels/kit/frameMessage";
import { recordingDefinition } from "../../src/panels/recording/definition";
import type { RecordingContent } from "../../src/protocol/recording";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { sampleWorld, viewOf } from "./kit/samples";
import { sampleGraph } from "./superGraphSamples";
import { openPage } from "./kit/showing";
import { grammars } from "../unit/engine/miniheat";
import { miniheatMessages } from "./useTimeline";
import {
  doubleClickAround,
  drawn,
  middleOf,
  type OpenOptions,
  type PanelPage,
  PanelWindow,
  screenshot,
} from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const recording = recordingDefinition(() => Promise.resolve());
const traces = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-page-"));
afterAll(() => fs.rmSync(traces, { recursive: true }));

async function sample(): Promise<{ view: View<object>; shown: RecordingValues }> {
  const world = await sampleWorld();
  const scope = { ...world.scope, over: "mean" } as const;
  const warnings = [{ message: "the last record is cut off", file: "a.cali", at: { line: 7 } }];
  const view = viewOf({ ...world, scope, info: { ...world.info, warnings } }, {});
  const hot = await world.engine.hotPlaces({ scope, limit: 10, everything: true });
  const functions = await world.engine.hotFunctions({ scope, by: "exclusive", limit: 10 });
  const totals = await world.engine.runTotals(scope);
  const imbalance = await world.engine.computingImbalance({ scope });
  return { view, shown: { hot, functions, totals, imbalance } };
}

/** All that the page shows in the end. */
async function askAll(view: View<object>): Promise<RecordingValues> {
  let shown = await recording.ask(view, quietTask, []);
  while (recording.refinement?.isDue(shown)) shown = await recording.refinement.ask(shown, view, quietTask);
  return shown;
}

/** The candidate of two runs that are compared. */
async function compared(isBaseline = false) {
  const { view: of } = await sampleGraph({ runs: true });
  const { session } = of;
  const [own, other] = [1, 2].map((at) => session.dataSets[at]);
  const dataSet = isBaseline ? own : other;
  const view = { ...of, dataSet, scope: { ...of.scope, dataSet: dataSet.id }, state: {} };
  return { view, shown: await askAll(view), both: [own, other] };
}

/** A trace without a metric, with all that a page has of time. */
async function traceOnly(names = (name: string) => name): Promise<{ view: View<object>; shown: RecordingValues }> {
  const { view } = await sample();
  const trace: TraceOutline = {
    lanes: 64,
    events: 400_000,
    startSeconds: 0,
    endSeconds: 8.29,
    counters: 1,
    counterNames: ["power"],
    messages: { count: 1, bytes: 1 },
    arrows: 0,
    links: 1,
    categories: 0,
    transfers: { count: 3, bytes: 10, directions: [{ name: "HtoD", count: 3, bytes: 10 }] },
  };
  const link = { places: [{ file: "/w/cg.c", line: 42 }], rule: "definition", reason: "", considered: [] } as const;
  const state = (name: string, kind: EventKind, seconds: number, count: number, longestSeconds: number): HotState => ({
    name: names(name),
    kind,
    seconds,
    count,
    longestSeconds,
    lines: name === "PMPI_Send" ? [{ name, seconds, link }] : [],
  });
  const overTime: OverTime = {
    states: {
      laneSeconds: 530.6,
      lanes: 64,
      states: [
        state("PMPI_Send", "communication", 279.78, 148_800, 0.375),
        state("computing", "computing", 199.6, 38_464, 0.1),
        state("stencil", "GPU", 10, 12, 1),
        state("PMPI_Init", "communication", 0, 64, 0),
      ],
    },
    transfers: [{ direction: names("HtoD"), fromDevice: -1, toDevice: 0, count: 3, bytes: 1e6, seconds: 0.1 }],
    counters: [
      {
        fact: { name: names("power"), unit: "W", shows: "level" },
        of: names("GPU 0"),
        mean: 200,
        min: 100,
        max: 300,
        change: 0.2,
      },
    ],
    finding: { when: names("2.7 – 3.6 s"), what: names("groups 2, 5, 6 of 8 are 80 % in PMPI_Send, the others 38 %") },
  };
  const dataSet = {
    ...view.dataSet,
    metrics: [],
    defaultMetric: -1,
    contexts: 0,
    warnings: [],
    globals: [],
    trace,
    notRecorded: [names("no calling contexts in this recording")],
  };
  const scope = { dataSet: dataSet.id, metric: -1, over: "sum" } as const;
  return { view: { ...view, dataSet, scope }, shown: { hot: [], functions: [], overTime } };
}

/** Steps of a profiler with one operator each, and kernels for a quarter of the run behind a copy. Times in ms. */
async function gpuTrace(): Promise<View<object>> {
  const event = (cat: string, name: string, [ts, dur]: readonly [number, number], args: object = {}, tid = 1) => ({
    ph: "X",
    pid: cat === "kernel" || cat === "gpu_memcpy" ? 0 : 9,
    tid,
    cat,
    name,
    ts: ts * 1000,
    dur: dur * 1000,
    args,
  });
  const gpu = { device: 0, stream: 7 };
  const traceEvents = [1, 2, 3].flatMap((step) => [
    event("user_annotation", `ProfilerStep#${step}`, [100 * (step - 1), 100]),
    event("cpu_op", "aten::conv", [100 * (step - 1) + 10, 60]),
    event("kernel", "gemm", [100 * (step - 1) + 40, 20], gpu, 7),
    event("kernel", "relu", [100 * (step - 1) + 60, 5], gpu, 7),
    event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", [100 * (step - 1) + 30, 10], { ...gpu, bytes: 1e6 }, 7),
  ]);
  const file = path.join(traces, "steps.pt.trace.json");
  fs.writeFileSync(file, JSON.stringify({ schemaVersion: 1, traceEvents }));
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [file] });
  return viewOf({ engine, info, scope: { dataSet: info.id, metric: info.defaultMetric, over: "sum" } }, {});
}

describe("the page of a trace with GPUs", () => {
  it("has what they are bound by, kernels and copies by time, and numbered steps as one row", async () => {
    const view = await gpuTrace();
    const first = await recording.ask(view, quietTask, []);
    expect(recording.content(first, view).overTime).toBeUndefined();
    expect(recording.refinement?.isDue(first)).toBe(true);
    const shown = await recording.refinement?.ask(first, view, quietTask);
    if (!shown) throw new Error("nothing is refined");
    expect(recording.refinement?.isDue(shown)).toBe(false);
    const { totals, overTime, hotFunctions } = recording.content(shown, view);
    // Of 300 ms the GPU computes for 3 × 25 and copies for 3 × 10; of the others aten::conv has 3 × 25, each step 40.
    expect(totals.at(-1)).toEqual({
      label: "GPU without work",
      value: "65.0 %",
      over: "computing: aten::conv · kernels 25.0 %, exposed movement 10.0 %, of 300 ms",
    });
    expect(overTime?.moves.map(({ name, seconds }) => [name, Math.round(seconds * 1000)])).toEqual([
      ["gemm", 60],
      ["relu", 15],
      [expect.stringContaining("GPU 0"), 30],
    ]);
    expect(overTime?.states).toEqual([]);
    expect(hotFunctions.map(({ name, exclusive }) => [name, Math.round(exclusive * 1000)])).toEqual([
      ["aten::conv", 180],
      ["ProfilerStep#… (3 functions)", 120],
    ]);
    // The joined row leads to one of them.
    expect(recording.subject?.(shown, 1, view, quietTask)).toMatchObject({ target: { kind: "function" } });
  });

  it("asks nothing more of recordings without a GPU", async () => {
    const { view } = await sample();
    expect(recording.refinement?.isDue(await recording.ask({ ...view, state: {} }, quietTask, []))).toBe(false);
  });
});

panelLaws({
  definition: recording,
  isText: true,
  async samples() {
    const { view, shown } = await sample();
    const { dataSet } = view;
    const scope = { dataSet: dataSet.id, metric: -1, over: "sum" } as const;
    const unmeasured = { ...dataSet, metrics: [], defaultMetric: -1, contexts: 0 };
    const metrics = dataSet.metrics.map((metric) => ({ ...metric, name: HOSTILE_NAME, note: HOSTILE_NAME }));
    const hostile = {
      ...dataSet,
      metrics,
      warnings: [{ message: HOSTILE_NAME }],
      globals: [
        { name: HOSTILE_NAME, values: [HOSTILE_NAME] },
        { name: "run.tool", values: [HOSTILE_NAME] },
      ],
      recordingCost: { seconds: 7, processorSeconds: 8 },
    };
    return [
      { name: "measured", view, shown },
      { name: "without a metric", view: { ...view, dataSet: unmeasured, scope }, shown: { hot: [], functions: [] } },
      { name: "of time alone", isPictured: true, ...(await traceOnly()) },
      { name: "of time alone, hostile names", ...(await traceOnly(() => HOSTILE_NAME)) },
      { name: "compared", isPictured: true, ...(await compared()) },
      {
        name: "hostile names",
        view: { ...view, dataSet: hostile },
        shown: { ...shown, foreign: `recorded from ${HOSTILE_NAME}` },
      },
    ];
  },
});

describe("a data set's page", () => {
  let panels: PanelWindow;
  let panel: PanelPage;
  let content: RecordingContent;

  beforeAll(async () => {
    panels = await PanelWindow.start("recording", "Recording");
    const { view, shown } = await sample();
    content = recording.content(shown, view);
  });
  afterAll(() => panels.stop());
  afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

  async function show(options: OpenOptions = {}, changed: Partial<RecordingContent> = {}, change = {}): Promise<void> {
    panel = await openPage(panels, options);
    const { view, shown } = await sample();
    await panel.send(frameMessage(recording, "a-key", { ...view, ...change }, shown));
    await send(changed);
  }

  async function send(changed: Partial<RecordingContent>): Promise<void> {
    await panel.send({ type: "content", revision: 1, content: { ...content, ...changed } });
    await drawn(panel.page);
  }

  const table = (caption: string) => panel.page.locator(`table[aria-label^="${caption}"]`);

  it("shows what numbers are restricted to, and takes it back", async () => {
    const { view } = await sample();
    await show({}, {}, { scope: { ...view.scope, chosen: chosenRanks([0, 4]) } });
    await panel.page.locator(".chip", { hasText: "ranks 0, 4" }).waitFor();
    await panel.page.getByRole("button", { name: "Remove ranks 0, 4" }).click();
    expect((await panel.sent()).at(-1)).toEqual({ type: "remove-chip", id: "restriction" });
    await panel.send(frameMessage(recording, "a-key", view, { hot: [], functions: [] }));
    await panel.page.locator(".chip").waitFor({ state: "hidden" });
  });

  it("has one notice at a time: the next one comes when it is closed, and what was closed stays so", async () => {
    const { view, shown } = await sample();
    const early = { message: "call stacks end early in 97 % of the samples", isUnrooted: true } as const;
    const globals = [{ name: "run.tool", values: ["sample"] }];
    const ofRun = { ...view, dataSet: { ...view.dataSet, warnings: [early], globals } };
    const foreign = { ...shown, foreign: "recorded from work.cu, which is not in these folders" };
    await show();
    await panel.send(frameMessage(recording, "a-key", ofRun, foreign));
    const texts = async () => (await panel.page.locator(".notice").allInnerTexts()).map((text) => text.split(".")[0]);
    await panel.page.getByText("Recorded from work.cu").waitFor();
    expect(await texts()).toHaveLength(1);
    await screenshot(panel.page, "recording-two-notices");
    await panel.page.getByRole("button", { name: "Dismiss" }).click();
    await panel.page.getByRole("button", { name: "Record Again" }).waitFor();
    expect(await texts()).toEqual(["Call stacks end early in 97 % of the samples"]);
    await panel.page.getByRole("button", { name: "Record Again" }).click();
    expect((await panel.sent()).at(-1)).toEqual({ type: "notice-link", id: "recordAgain" });
    await panel.page.getByRole("button", { name: "Dismiss" }).click();
    await panel.page.locator(".notice").waitFor({ state: "detached" });
    await panel.send(frameMessage(recording, "a-key", ofRun, foreign));
    await drawn(panel.page);
    expect(await texts()).toEqual([]);
  });

  it("has the titles of its columns on one line", async () => {
    await show();
    const tops = await panel.page
      .locator("table")
      .first()
      .locator("th button")
      .evaluateAll((titles) =>
        titles.map((title) => {
          const words = document.createRange();
          words.selectNodeContents(title);
          return words.getBoundingClientRect().top;
        }),
      );
    expect(tops.length).toBeGreaterThan(2);
    expect(new Set(tops).size).toBe(1);
  });

  it("says of a line of a header how many functions it is compiled into, and keeps its place in one line", async () => {
    const [first, ...others] = content.hotLines;
    const name = "CaDiCaL::Parser::parse_dimacs_non_profiled(int&, int)";
    await show(
      { width: 520 },
      { hotLines: [{ ...first, name, isMpi: false, functions: 38, place: "propagate.cpp:143" }, ...others] },
    );
    const row = table("Hottest lines").locator("tbody tr").first();
    expect(await row.locator("td").first().textContent()).toBe(`${name} and 37 more`);
    const place = row.locator("td").last();
    expect(await place.textContent()).toBe("propagate.cpp:143");
    expect((await row.boundingBox())?.height).toBe(22);
  });

  it("shows facts, metrics with totals, hottest lines, metadata and warnings", async () => {
    await show();
    const text = await panel.page.locator("main").innerText();
    for (const { label, value } of content.facts) expect(text).toContain(`${label}\n${value}`);
    expect(text).toContain("a.cali, line 7: the last record is cut off");
    const rows = async (caption: string) =>
      table(caption)
        .locator("tbody tr")
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
    const metrics = await rows("Metrics");
    for (const { name, total, unit, current } of content.metrics)
      expect(metrics.map((row) => row.slice(0, 2))).toContainEqual([
        name + (current ? " (shown)" : ""),
        formatValue(total ?? NaN, unit),
      ]);
    expect(await rows("Hottest functions")).toEqual(
      content.hotFunctions.map(({ name, shown = name, exclusive, share, inclusive }) => [
        shown,
        formatValue(exclusive, "s"),
        formatShare(share ?? NaN),
        formatValue(inclusive, "s"),
      ]),
    );
    // As many as there are functions with a cost of their own, at most 10.
    expect(content.hotFunctions).toHaveLength(10);
    expect(await rows("Hottest lines")).toEqual(
      content.hotLines.map(({ name, shown = name, exclusive, share, isMpi, place }) => [
        shown + (isMpi ? " MPI" : ""),
        formatValue(exclusive, "s"),
        formatShare(share ?? NaN),
        place,
      ]),
    );
    expect(content.hotLines.some(({ isMpi }) => isMpi)).toBe(true);
    // Folded at first.
    await panel.page.getByText("Metadata of the run").click();
    expect((await rows("Metadata")).map(([name]) => name).sort()).toEqual(
      content.globals.map(({ name }) => name).sort(),
    );
  });

  it("has what its tool cost beside its name, with a warning if that is much", async () => {
    const badge = { text: "instrument · 8.0× as long", title: "Recording took 7 s of the CPU time.", isWarning: true };
    await show({ width: 400 }, { badge });
    const heading = panel.page.locator("h2.result");
    expect(await heading.innerText()).toBe(`${content.name}\n${badge.text}`);
    expect(await heading.locator("svg").boundingBox()).toMatchObject({ width: 14, height: 14 });
    // One line, beside the name.
    expect((await heading.boundingBox())?.height).toBeLessThan(30);
    await send({ badge: { ...badge, isWarning: false } });
    expect(await heading.locator("svg").count()).toBe(0);
    await send({});
    expect(await heading.count()).toBe(0);
  });

  it("leads to the views, the text, the lines and the metrics", async () => {
    await show();
    await panel.page.getByRole("navigation").getByRole("button", { name: "Super Graph" }).click();
    await panel.page.getByRole("navigation").getByRole("button", { name: "Show as Text" }).click();
    await panel.page.getByRole("navigation").getByRole("button", { name: "Compare with…" }).click();
    const lines = table("Hottest lines").locator("tbody tr");
    await lines.nth(1).click();
    await lines.nth(1).focus();
    await panel.page.keyboard.press("ArrowUp");
    await panel.page.keyboard.press("Enter");
    expect(await panel.sent()).toEqual([
      { type: "control", id: "superGraph", value: "" },
      { type: "control", id: "text", value: "" },
      { type: "control", id: "compare", value: "" },
      { type: "mark", action: "select", revision: 1, mark: 1 },
      { type: "mark", action: "open", revision: 1, mark: 0 },
    ]);
    await table("Metrics").getByText(content.metrics[0].recordedName).click();
    expect(await panel.sent()).toEqual([{ type: "control", id: "metric", value: "0" }]);
  });

  it("begins with the total, the share of MPI and the imbalance of computing beside that of all, each with what it is over", async () => {
    await show();
    const { view, shown } = await sample();
    // From all values of the recording, one by one.
    const { dataSet } = await sampleWorld().then(({ engine }) => ({
      dataSet: (engine as LocalEngine).dataSet(view.dataSet.id),
    }));
    const { tree, frames, values, locations } = dataSet;
    const { rowStart, column, value } = values[view.scope.metric];
    const perRank = new Float64Array(8);
    const computing = new Float64Array(8);
    let mpi = 0;
    for (let context = 0; context < tree.size; context++)
      for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
        perRank[locations[column[at]].rank] += value[at];
        const isCall = frames.nameOf(tree.frame[context]).startsWith("MPI_");
        if (isCall) mpi += value[at];
        else computing[locations[column[at]].rank] += value[at];
      }
    const total = perRank.reduce((sum, one) => sum + one, 0);
    const slowest = perRank.indexOf(Math.max(...perRank));
    expect(shown.totals?.total).toBeCloseTo(total / 8, 9);
    const tiles = await panel.page
      .locator(".totals > div")
      .evaluateAll((all) => all.map((tile) => [...tile.children].map((part) => part.textContent)));
    expect(tiles).toEqual([
      ["time", formatValue(total / 8, "s"), "mean over 8 ranks"],
      ["MPI", formatShare(mpi / total), formatValue(mpi / 8, "s")],
      [
        "imbalance of computing",
        formatRatio((8 * Math.max(...computing)) / computing.reduce((sum, one) => sum + one, 0)),
        `ranks 0, 4 · all ${formatRatio((8 * perRank[slowest]) / total)}`,
      ],
    ]);
  });

  it.each([400, 600])("has its numbers in one row, and no name of the sample cut, at %i pixels", async (width) => {
    await show({ width });
    const tops = await panel.page
      .locator(".totals > div")
      .evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().top));
    expect(tops).toHaveLength(3);
    expect(new Set(tops).size).toBe(1);
    const cut = await panel.page.locator(".one-line td.cut-middle").evaluateAll((cells) => {
      const pen = document.createElement("canvas").getContext("2d");
      return cells.flatMap((cell) => {
        const words = cell.querySelector("bdi");
        if (!pen || !words) return [];
        pen.font = getComputedStyle(words).font;
        const text = words.dataset.start === undefined ? words.textContent : words.dataset.start + words.dataset.end;
        return pen.measureText(text).width > words.getBoundingClientRect().width + 1 ? [text] : [];
      });
    });
    expect(cut).toEqual([]);
  });

  it("says less where there is less: one rank, no MPI, nothing measured", async () => {
    const { view, shown } = await sample();
    const one = { ...view, dataSet: { ...view.dataSet, ranks: [0], units: [] } };
    const { totals } = recording.content({ hot: [], functions: [], totals: { total: 2 } }, one);
    expect(totals).toEqual([{ label: "time", value: "2.00 s", over: "" }]);
    const someRank = { ...shown, totals: { total: 0, noRank: 0.276 } };
    expect(recording.content(someRank, view).totals).toContainEqual({
      label: "of no rank",
      value: "276 ms",
      over: "not part of the mean",
    });
    const unmeasured = { ...view, scope: { ...view.scope, metric: -1 } };
    expect(recording.content({ hot: [], functions: [] }, unmeasured).totals).toEqual([]);
  });

  it("leads to the super graph only where there is something to draw", async () => {
    const superGraph = () => panel.page.getByRole("navigation").getByRole("button", { name: "Super Graph" });
    await show();
    expect(await superGraph().getAttribute("aria-disabled")).toBeNull();
    const { view, shown } = await sample();
    await panel.send(frameMessage(recording, "a-key", { ...view, dataSet: { ...view.dataSet, contexts: 0 } }, shown));
    await expect.poll(() => superGraph().getAttribute("aria-disabled")).toBe("true");
  });

  it("leads to views over time, of movement and of the machine where these were recorded, and says what is missing", async () => {
    const { view, shown } = await sample();
    const reasons = (dataSet: Partial<typeof view.dataSet>) => {
      const ways = recording.controls({ ...view, dataSet: { ...view.dataSet, ...dataSet } }, shown);
      return Object.fromEntries(ways.map((way) => [way.id, way.kind === "tool" ? way.disabled : "no way"]));
    };
    const views = ["timeline", "overview", "summary", "clocks", "metrics", "communication", "hardware"];
    const none = reasons({ trace: undefined, resources: [] });
    for (const id of ["timeline", "overview", "summary", "clocks"])
      expect(none[id]).toMatch(/^No events were recorded/);
    expect(none.metrics).toMatch(/^Neither counters nor events were recorded/);
    expect(none.communication).toMatch(/^Neither messages nor transfers were recorded/);
    expect(none.hardware).toMatch(/^No machine, core, GPU or network link was recorded/);
    expect(none.application).toBeUndefined();
    expect(reasons({ contexts: 0 }).application).toMatch(/Without them there is no application tree/);
    const [info] = await localEngine(grammars).open({ paths: [...miniheatMessages] });
    const all = reasons({ trace: info.trace, resources: [{ type: "Machine", count: 1 }] });
    for (const id of views) expect(all[id], id).toBeUndefined();
    expect(reasons({ trace: info.trace && { ...info.trace, events: 0, counters: 3 } })).toMatchObject({
      timeline: expect.stringMatching(/^No events/) as string,
      overview: undefined,
      metrics: undefined,
    });
  });

  it("leads to a correlation of functions without ranks, and to no histogram", async () => {
    const { view, shown } = await sample();
    const ways = recording.controls({ ...view, dataSet: { ...view.dataSet, units: [], ranks: [] } }, shown);
    const reasonOf = (id: string) => {
      const way = ways.find((one) => one.id === id);
      return way?.kind === "tool" ? way.disabled : "no such way";
    };
    expect(reasonOf("correlation")).toBeUndefined();
    expect(reasonOf("histogram")).toMatch(/no distribution to show/);
  });

  it("has each way to a view once, by its name", async () => {
    await show();
    const ways = await panel.page.getByRole("navigation").getByRole("button").allInnerTexts();
    expect(ways).toEqual(expect.arrayContaining(["Super Graph", "Flame Graph", "Compare with…", "Show as Text"]));
    for (const width of [400, 600, 1400]) {
      await panel.page.setViewportSize({ width, height: 700 });
      // Each question begins a row of its own, and its ways begin in one line.
      const rows = await panel.page
        .locator(".ways-row")
        .evaluateAll((all) => all.map((row) => [row.getAttribute("aria-label"), row.getBoundingClientRect().left]));
      expect(rows.map(([question]) => question)).toEqual(["where", "when", "which rank", "what changed", "more"]);
      expect(new Set(rows.map(([, left]) => left)).size).toBe(1);
      expect(
        (
          await panel.page.locator(".way").evaluateAll((all) => all.map((way) => way.scrollWidth > way.clientWidth))
        ).includes(true),
      ).toBe(false);
    }
    for (const name of ways) expect(await panel.page.getByRole("button", { name, exact: true }).count(), name).toBe(1);
  });

  it("has ways that lead nowhere behind the others of their question", async () => {
    const { view, shown } = await sample();
    const { dataSet } = view;
    const of = (change: Partial<typeof view>) => {
      const ways = recording.controls({ ...view, ...change }, shown);
      return ways.map((way) => (way.kind === "tool" ? { group: way.group, isOpen: way.disabled === undefined } : {}));
    };
    const unmeasured = { scope: { ...view.scope, metric: -1 }, dataSet: { ...dataSet, contexts: 0, trace: undefined } };
    // Without a metric, moments are what there is to see: the question that has an answer comes first.
    const questions = [of({}), of(unmeasured)].map((ways) => [...new Set(ways.map(({ group }) => group))]);
    expect(questions).toEqual([
      ["where", "when", "which rank", "what changed", "more"],
      ["when", "which rank", "where", "what changed", "more"],
    ]);
    for (const ways of [of({}), of(unmeasured)])
      ways.forEach((way, at) => {
        if (at > 0 && ways[at - 1].group === way.group) expect(ways[at - 1].isOpen || !way.isOpen).toBe(true);
      });
  });

  it("of a recording without a metric has states first, then what is unlike the rest, then the overview", async () => {
    const { view, shown } = await traceOnly();
    panel = await openPage(panels, { width: 1000, height: 900 });
    await panel.send(frameMessage(recording, "a-key", view, shown));
    await panel.send({ type: "content", revision: 1, content: recording.content(shown, view) });
    await drawn(panel.page);
    expect(await panel.page.locator("h2").allInnerTexts()).toEqual([
      "Hottest states",
      "Unlike the rest",
      "Kernels and copies",
      "Counters by change (standard deviation / mean)",
      "Recording",
    ]);
    const rows = table("Hottest states").locator("tbody tr");
    const cells = await rows.first().locator("td").allInnerTexts();
    expect(cells.map((cell) => cell.trim().replaceAll("\u00a0", " "))).toEqual([
      "PMPI_Send",
      "280 s",
      "52.7 %",
      "148,800",
      "375 ms",
      "cg.c:42",
    ]);
    // The bar has the colour of the kind.
    const fill = (at: number) =>
      rows
        .nth(at)
        .locator(".table-bar")
        .evaluate((bar) => getComputedStyle(bar).background);
    expect(await fill(0)).not.toBe(await fill(1));
    const ways = await panel.page.locator(".way:not([aria-disabled])").allInnerTexts();
    expect(ways.slice(0, 2)).toEqual(["Overview", "Timeline"]);
    await panel.page.locator(".finding").click();
    await rows.first().click();
    expect(await panel.sent()).toEqual([
      { type: "control", id: "overview", value: "" },
      { type: "mark", action: "select", revision: 1, mark: 0 },
    ]);
    const task = undefined as never;
    expect(await recording.subject?.(shown, 0, view, task)).toMatchObject({
      name: "PMPI_Send",
      link: { places: [{}] },
    });
    // What is missing comes last.
    expect(await panel.page.locator("article > :last-child").innerText()).toBe(
      "No calling contexts in this recording.",
    );
  });

  it("leads to functions as to lines", async () => {
    await show();
    const functions = table("Hottest functions").locator("tbody tr");
    await functions.nth(2).click();
    const mark = content.hotLines.length + 2;
    expect(await panel.sent()).toEqual([{ type: "mark", action: "select", revision: 1, mark }]);
    const { view, shown } = await sample();
    const task = undefined as never;
    expect(await recording.subject?.(shown, mark, view, task)).toEqual({
      target: { kind: "function", function: shown.functions[2].function },
      name: shown.functions[2].name,
    });
    expect(await recording.subject?.(shown, 1, view, task)).toMatchObject({
      target: { context: shown.hot[1].context },
    });
    expect(await recording.subject?.(shown, mark + 100, view, task)).toBeUndefined();
  });

  it("has the hottest lines beside the hottest functions where it is wide, and uses its width", async () => {
    const boxes = async (width: number) => {
      await show({ width });
      return Promise.all(["Hottest functions", "Hottest lines"].map((name) => table(name).boundingBox()));
    };
    const [functions, lines] = await boxes(1400);
    expect(lines?.y).toBe(functions?.y);
    expect((lines?.x ?? 0) + (lines?.width ?? 0)).toBeGreaterThan(1370);
    const [above, below] = await boxes(600);
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));
  });

  it.each([false, true])(
    "says what differs while it is compared with another recording (baseline: %s)",
    async (isBaseline) => {
      const { view, shown, both } = await compared(isBaseline);
      const { engine } = view.session;
      // Added up run by run, and subtracted here.
      const [before, after] = await Promise.all(
        both.map(async ({ id }) => {
          const scope = { ...view.scope, dataSet: id };
          const rows = await engine.hotFunctions({ scope, by: "exclusive", limit: 1000 });
          return new Map(rows.map(({ name, exclusive }) => [name, exclusive]));
        }),
      );
      const names = [...new Set([...before.keys(), ...after.keys()])];
      const differences = names.map((name) => ({ name, by: (after.get(name) ?? 0) - (before.get(name) ?? 0) }));
      const furthest = differences.sort((a, b) => Math.abs(b.by) - Math.abs(a.by)).slice(0, 10);
      const page = recording.content(shown, view);
      expect(page.differences?.names).toEqual(both.map(({ name }) => name));
      expect(page.differences?.rows.map(({ name }) => name)).toEqual(furthest.map(({ name }) => name));
      page.differences?.rows.forEach(({ difference }, at) => expect(difference).toBeCloseTo(furthest[at].by, 9));
      await show({ width: 1400 }, page);
      const rows = await table("Largest differences").locator("tbody tr").allInnerTexts();
      const [first] = furthest;
      const said = differenceText(before.get(first.name) ?? null, after.get(first.name) ?? null, "s");
      expect(
        rows[0]
          .split(/\t|\n/)
          .map((cell) => cell.trim())
          .filter((cell) => cell !== ""),
      ).toEqual([first.name, ...[before, after].map((side) => formatValue(side.get(first.name) ?? NaN, "s")), said]);
      // Names and numbers stand as near each other as in the other tables.
      expect((await table("Largest differences").boundingBox())?.width).toBeLessThan(700);
      // A row is its function, in this recording.
      const mark = page.hotLines.length + page.hotFunctions.length;
      const subject = await recording.subject?.(shown, mark, view, quietTask);
      expect(subject?.name).toBe(first.name);
      const all = await engine.hotFunctions({ scope: view.scope, by: "exclusive", limit: 1000 });
      const own = all.find(({ name }) => name === first.name);
      expect(subject?.target).toEqual({ kind: "function", function: own?.function });
      // It is asked again when a comparison begins, and says why there is none.
      const alone = { ...view, session: { ...view.session, comparison: undefined } };
      expect(recording.asked?.(alone)).not.toEqual(recording.asked?.(view));
      expect(recording.content(await askAll(alone), alone).differences).toBeUndefined();
      const whyNot = "Not compared: np8-r2 has no metric time.";
      await send({ differences: { names: ["a", "b"], rows: [], whyNot } });
      expect(await panel.page.getByText(whyNot).isVisible()).toBe(true);
    },
  );

  it("has notes of metrics whole where the names leave them room", async () => {
    await show({ width: 1400 });
    const notes = table("Metrics").locator("td.cut-end bdi");
    expect(await notes.evaluateAll((all) => all.map((one) => one.scrollWidth > one.clientWidth))).toEqual([false]);
  });

  const signature =
    "bool voro::voronoicell_base::nplane<voro::voronoicell_neighbor>(voro::voronoicell_neighbor&, double)";

  // At 1000 two tables stand beside each other.
  it.each([400, 600, 1000, 1400])("has one line per row at %i pixels, names cut in the middle", async (width) => {
    const place = "/build/voro/src/unitcell/container_periodic.cc:1234 (not found here)";
    const lines = content.hotLines.map((line) => ({ ...line, name: signature, shown: undefined, place, isMpi: false }));
    const functions = content.hotFunctions.map((one) => ({ ...one, name: signature, shown: undefined }));
    const metrics = content.metrics.map((metric) => ({ ...metric, name: signature, note: signature }));
    await show({ width }, { hotLines: lines, hotFunctions: functions, metrics });
    await screenshot(panel.page, `recording-lines-${width}`);
    const rows = await panel.page.locator(".one-line tbody tr").evaluateAll((all) =>
      all.map((row) => ({
        height: row.getBoundingClientRect().height,
        cells: [...row.querySelectorAll("td.text")].map((cell) => {
          const words = cell.querySelector("bdi");
          if (!words) throw new Error("a cell has no text");
          const pen = document.createElement("canvas").getContext("2d");
          if (pen) pen.font = getComputedStyle(words).font;
          const missing = (part: "before" | "after", text = "") =>
            Math.max(0, (pen?.measureText(text).width ?? 0) - parseFloat(getComputedStyle(words, `::${part}`).width));
          return {
            title: cell.getAttribute("title"),
            text: cell.textContent,
            start: missing("before", words.dataset.start),
            end: missing("after", words.dataset.end),
            isInside: words.getBoundingClientRect().right <= cell.getBoundingClientRect().right,
          };
        }),
      })),
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { height, cells } of rows) {
      expect(height).toBe(22);
      for (const { title, text } of cells) expect(`${title} (shown)`).toContain(text);
      expect(cells[0]).toMatchObject({ title: signature, isInside: true });
      expect(cells[0].end).toBeLessThan(1);
    }
    const [name, file] = rows[10].cells;
    expect(file).toMatchObject({ title: place, text: "container_periodic.cc:1234 (not found here)" });
    // The note stays whole, whatever is lost of the file's name.
    expect(file.end).toBeLessThan(1);
    expect(file.isInside).toBe(true);
    expect(name.text).toBe(signature);
    expect(name.start).toBeGreaterThan(10);
  });

  it("has places of lines whole where it is narrow", async () => {
    await show({ width: 400 });
    const places = table("Hottest lines").locator("td.cut-end bdi");
    const isWhole = (all: Element[]) => all.map((one) => [one.textContent, one.scrollWidth <= one.clientWidth]);
    expect(await places.evaluateAll(isWhole)).toContainEqual(["physics.cpp:34", true]);
  });

  it("shows functions in short, and whole where they are pointed at", async () => {
    const [first] = content.hotFunctions;
    const shown = "voro::voronoicell_base::nplane";
    await show({}, { hotFunctions: [{ ...first, name: signature, shown }] });
    const cell = table("Hottest functions").locator("tbody td").first();
    expect(await cell.textContent()).toBe(shown);
    expect(await cell.getAttribute("title")).toBe(signature);
  });

  it("draws bars beside totals of one unit alone", async () => {
    const [metric] = content.metrics;
    const bars = table("Metrics").locator(".table-bar");
    await show({}, { metrics: [metric, { ...metric, name: "waiting" }] });
    expect(await bars.count()).toBe(2);
    // What does not add up has none, nor has a total then that nothing is beside.
    const tool = { ...metric, name: "tool's own", total: undefined };
    await show({}, { metrics: [metric, tool] });
    expect(await bars.count()).toBe(0);
    await show({}, { metrics: [metric, { ...metric, name: "waiting" }, tool] });
    expect(await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width))).toEqual([60, 60]);
    await show({}, { metrics: [metric, { ...metric, name: "samples", unit: "1" }] });
    expect(await bars.count()).toBe(0);
  });

  it("opens no line of other content that came during a double click", async () => {
    await show();
    const row = await table("Hottest lines").locator("tbody tr").nth(1).boundingBox();
    const at = { x: (row?.x ?? 0) + 20, y: (row?.y ?? 0) + (row?.height ?? 0) / 2 };
    await doubleClickAround(panel.page, at, async () => {
      await panel.send({ type: "content", revision: 2, content });
      await drawn(panel.page);
    });
    expect((await panel.sent()).map(({ action }) => action)).toEqual(["select"]);
  });

  it("does what a row was pressed for, of the content in which it was pressed, and shows what came meanwhile", async () => {
    await show();
    const row = table("Hottest functions").locator("tbody tr").nth(1);
    const { x, y } = await middleOf(row);
    await panel.sent();
    await panel.page.mouse.move(x, y);
    await panel.page.mouse.down();
    const hotFunctions = [...content.hotFunctions].reverse();
    await panel.send({ type: "content", revision: 2, content: { ...content, hotFunctions } });
    await drawn(panel.page);
    await panel.page.mouse.up();
    const mark = content.hotLines.length + 1;
    await expect.poll(() => panel.sent()).toEqual([{ type: "mark", action: "select", revision: 1, mark }]);
    // The click is over: the rows are those of the other content.
    await drawn(panel.page);
    await panel.page.mouse.move(x, y);
    await panel.page.mouse.down();
    await panel.page.mouse.up();
    await expect.poll(() => panel.sent()).toMatchObject([{ action: "select", revision: 2 }]);
  });

  it("says what went wrong and what to do", async () => {
    await show();
    const link = { id: "text", text: "Reopen with Text Editor" };
    const problem = {
      type: "problem",
      message: "a.cali, line 3: found x.",
      advice: "Open it again.",
      action: "open",
      link,
    };
    await panel.send({ ...problem, kind: "closed" });
    await panel.page.getByText("Open it again.").waitFor();
    await panel.page.getByRole("button", { name: "Open It" }).click();
    await panel.page.getByRole("button", { name: "Reopen with Text Editor" }).click();
    expect(await panel.sent()).toEqual([{ type: "open-data-set" }, { type: "notice-link", id: "text" }]);
  });

  it("takes names as text, and ignores what is no message", async () => {
    const hostile = '<img src=x onerror="window.broken = 1">\u202e';
    await show({}, { warnings: [hostile.repeat(50)] });
    await panel.send({ type: "content", revision: 1, content: { name: 5 } });
    await send({ name: "x".repeat(9000) });
    expect(await panel.page.locator("img").count()).toBe(0);
    expect(await panel.page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
    expect(await panel.page.locator(".warnings").innerText()).toContain("<img src=x");
  });

  it.each([270, 400, 600, 1400])(
    "shows all columns whole at %i pixels, however long names and paths are",
    async (width) => {
      const long = `mini::HeatOperator::apply(${"mini::Field const&, ".repeat(8)}double)`;
      const place = `/scratch/project/${"a-folder-of-the-build/".repeat(8)}solver.cpp (not found here)`;
      const metrics = [
        {
          name: "PERF_COUNT_HW_CACHE_MISSES:u".repeat(3),
          recordedName: long,
          unit: "1",
          total: 5e9,
          current: true,
          note: long,
        },
      ];
      const hot = { name: long, functions: 1, exclusive: 1.2e6, share: 0.5, isMpi: false, place };
      const hotLines = [hot, ...content.hotLines];
      const globals = [{ name: "opts:".repeat(20), values: ["x".repeat(500)], moreValues: 0 }];
      await show({ width }, { unit: "Ir", metrics, hotLines, globals });
      await screenshot(panel.page, `recording-long-${width}`);
      const cut = await panel.page.locator("th, td").evaluateAll((cells) =>
        cells
          .filter((cell) => {
            const { right } = cell.getBoundingClientRect();
            return cell.scrollWidth > cell.clientWidth + 1 || right > window.innerWidth;
          })
          .map((cell) => cell.textContent),
      );
      expect(cut).toEqual([]);
      expect(await table("Hottest lines").getByText("1.20 M Ir").count()).toBe(1);
    },
  );

  it("says nothing of ranks where none were recorded", async () => {
    await show({}, { ranks: 0 });
    const heading = panel.page.getByRole("heading", { name: "Metrics" });
    expect(await heading.innerText()).toBe("Metrics");
    await send({});
    await heading.filter({ hasText: "totals as sums over ranks" }).waitFor();
  });
});
