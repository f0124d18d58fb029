import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import type { View } from "../../src/panels/kit/definition";
import { AnalysesStore } from "../../src/panels/overview/analyses";
import { overview as definitionOf, type OverviewShown } from "../../src/panels/overview/definition";
import { parse } from "../../src/protocol/bounds";
import { type EventKind, eventKinds } from "../../src/model/eventKinds";
import { FINDINGS, type OverviewContent, type OverviewState } from "../../src/protocol/overview";
import { aside, details, hint, partFacts, partsAbout, quality, summary } from "../../webviews/overview/describe";
import { stateFills } from "../../webviews/overview/colours";
import { draw } from "../../webviews/overview/drawing";
import { recordings } from "../recordings";
import { headOf } from "../unit/formats/paje/writer";
import { grammars } from "../unit/engine/miniheat";
import { memoryStorage } from "../unit/panels/memoryStorage";
import { typed } from "./fakeVsCode";
import { keepUnits } from "../../webviews/shared/text";
import { formatShare } from "../../src/model/units";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";
import { openPage, partsOf, sendParts, sendSample } from "./kit/showing";
import { miniheatMessages } from "./useTimeline";
import { PanelWindow, screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const kept = new AnalysesStore(memoryStorage());
const overview = definitionOf(kept);

type OverviewView = View<OverviewState>;

let opened: Promise<OverviewView> | undefined;

/** The sample program's events and messages on 8 ranks. */
function measuredView(): Promise<OverviewView> {
  return (opened ??= open());
}

async function open(): Promise<OverviewView> {
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [...miniheatMessages] });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
  return viewOf({ engine, info, scope }, overview.start);
}

async function sampleOf(name: string, state: Partial<OverviewState> = {}, isPictured?: true) {
  const plain = await measuredView();
  const view = { ...plain, state: { ...plain.state, ...state } };
  return { name, view, shown: await overview.ask(view, quietTask, []), isPictured };
}

/** 64 processes on 8 machines, three of them without most of their network for half a second. */
async function network(state: Partial<OverviewState> = {}) {
  const shared = recordings();
  if (!shared) return [];
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [path.join(shared, "data/paje/traces/smpi-cg64.trace.gz")] });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
  const plain = viewOf({ engine, info, scope }, overview.start);
  const view = { ...plain, state: { ...plain.state, ...state } };
  return [{ name: "network", view, shown: await overview.ask(view, quietTask, []), isPictured: true as const }];
}

/** As many resources as have no room for rows of their own, of which one does something else for a while. */
async function crowd(
  name: string,
  resource: (at: number) => string,
  state: string,
  chosen: Partial<OverviewState> = {},
) {
  const plain = await measuredView();
  const { shown, view } = await sampleOf(name, chosen);
  const [leaves, slices] = [400, 30];
  const groups = leaves / 8;
  const facts: OverviewShown["facts"] = {
    ...shown.facts,
    leaves,
    slices,
    allLeaves: leaves,
    stateTypes: [],
    variables: [],
    hasModules: false,
    initial: 1,
    uncoveredSeconds: 0,
    states: [
      // One recorded colour can hardly be told from light backgrounds, one from dark ones.
      { name: state, readable: state, kind: 3, color: 0xffffff, total: 100 },
      { name: "compute", readable: "compute", kind: 0, color: 0x000010, total: 50 },
      { name: "other", readable: "other", kind: -1, color: -1, total: 1 },
    ],
    nodes: [
      ...Array.from({ length: leaves }, (_, at) => ({
        name: resource(at),
        parent: leaves + Math.floor(at / 8),
        first: at,
        size: 1,
      })),
      ...Array.from({ length: groups }, (_, at) => ({
        name: `group ${at}`,
        parent: leaves + groups,
        first: 8 * at,
        size: 8,
      })),
      { name: "all", parent: -1, first: 0, size: leaves },
    ],
    entries: [
      { p: 0, gain: 0, loss: 0, parts: leaves * slices },
      { p: 0.5, gain: 9, loss: 1, parts: 102 },
      { p: 1, gain: 10, loss: 4, parts: 1 },
    ],
    unlike: [
      {
        kind: "time",
        fromSeconds: shown.facts.fromSeconds,
        toSeconds: shown.facts.toSeconds / 2,
        leaves: [3],
        strength: 31.4,
        when: "0 – 82 ms",
        what: `${resource(3)} waits`,
        mode: 0,
      },
    ],
  };
  const column = (of: (at: number) => number) => Int32Array.from({ length: 2 * groups }, (_, at) => of(at));
  const parts = {
    count: 2 * groups,
    first: column((at) => 8 * Math.floor(at / 2)),
    size: column(() => 8),
    start: column((at) => (at % 2) * 15),
    end: column((at) => 14 + (at % 2) * 15),
    mode: column((at) => ((at % 7) - 1 > 2 ? 0 : (at % 7) - 1)),
    share: Float64Array.from({ length: 2 * groups }, (_, at) => (at % 10) / 10),
    sign: Uint8Array.from({ length: 2 * groups }, (_, at) => at % 3),
    parts: column((at) => 1 + (at % 3)),
    means: new Float64Array(0),
  };
  const engine = { ...plain.session.engine, overviewParts: () => Promise.resolve(parts) };
  return {
    name,
    isPictured: true as const,
    shown: { ...shown, facts },
    view: { ...view, session: { ...view.session, engine } as unknown as OverviewView["session"] },
  };
}

panelLaws({
  definition: overview,
  draw,
  samples: async () => [
    await sampleOf("measured"),
    await sampleOf("whole", { strength: 1024 }),
    await sampleOf("groups of two", { every: 2, slices: 10 }, true),
    await sampleOf("time alone", { kind: "temporal", shows: "proportion", strength: 40 }, true),
    await sampleOf("resources alone", { kind: "hierarchical", shows: "proportion", strength: 0, every: 2 }, true),
    await sampleOf("parts alone", { shows: "partition", every: 2, by: "category" }, true),
    await sampleOf("its cells", { strength: 1024, cells: { first: 0, size: 8, start: 0, end: 29 } }, true),
    ...(await network()),
    ...(await network({ ownColors: true })).map((sample) => ({ ...sample, name: "network as recorded" })),
    await crowd("pale and dark", (at) => `rank ${at}`, "MPI_Send", { ownColors: true }),
    await crowd("400 resources", (at) => `rank ${at}`, "MPI_Send"),
    await crowd("hostile names", () => HOSTILE_NAME, HOSTILE_NAME),
  ],
});

describe("the detail", () => {
  let window: PanelWindow;
  beforeAll(async () => (window = await PanelWindow.start("overview", "Overview")));
  afterAll(() => window.stop());
  afterEach(async ({ task }) => expect(await window.endTest(task.result?.state === "fail")).toEqual([]));

  async function shownIn(width: number) {
    const panel = await openPage(window, { width, height: 700 });
    const sample = await sampleOf("measured");
    await sendSample(panel, overview, sample);
    const chosen = async () =>
      (await panel.sent()).flatMap(({ type, id, value }) => (type === "control" && id === "entry" ? [value] : []));
    return { panel, chosen, entries: sample.shown.facts.entries, at: sample.shown.facts.initial };
  }
  const valueOf = ({ p }: { readonly p: number }) => `${p * 1024}`;

  it("is a slider beside the drawing that stops at every strength that matters, and a list of them", async () => {
    const { panel, chosen, entries, at } = await shownIn(1400);
    const { page } = panel;
    const slider = page.getByRole("slider", { name: "Detail" });
    expect([await slider.getAttribute("max"), await slider.inputValue()]).toEqual([`${entries.length - 1}`, `${at}`]);
    await slider.focus();
    await page.keyboard.press("End");
    await expect.poll(chosen).toEqual([valueOf(entries[entries.length - 1])]);
    await page.keyboard.press("Home");
    await expect.poll(chosen).toEqual([valueOf(entries[0])]);
    await page.keyboard.press("ArrowRight");
    await expect.poll(chosen).toEqual([valueOf(entries[1])]);
    await page
      .locator(".curve-beside")
      .getByRole("button", { name: /^Detail/ })
      .press("Enter");
    const items = page.getByRole("menuitemradio");
    expect(await items.count()).toBe(entries.length);
    await items.nth(2).click();
    await expect.poll(chosen).toEqual([valueOf(entries[2])]);
  });

  it("is moved by the pointer: to the step that is nearest to where it is", async () => {
    const { panel, chosen, entries } = await shownIn(1400);
    const box = (await panel.page.locator(".curve .grid").first().boundingBox()) ?? expect.fail();
    for (const step of [0, 1, entries.length - 2, entries.length - 1]) {
      await panel.page.mouse.click(box.x + (step / (entries.length - 1)) * box.width, box.y - 20);
      await expect.poll(chosen).toEqual([valueOf(entries[step])]);
    }
  });

  it("is in a popover where there is no room beside the drawing, with the two curves of what steps bring and cost", async () => {
    const { panel, chosen, entries } = await shownIn(600);
    const { page } = panel;
    expect(await page.locator(".curve").isVisible()).toBe(false);
    await page.getByRole("button", { name: /^Detail/ }).click();
    const popover = page.getByRole("dialog", { name: "Detail" });
    await page.keyboard.press("End");
    await expect.poll(chosen).toEqual([valueOf(entries[entries.length - 1])]);
    const ends = await popover
      .locator("polyline")
      .evaluateAll((all) => all.map((one) => one.getAttribute("points")?.split(" ").at(-1)));
    expect(ends).toHaveLength(2);
    expect(ends[0]).toBe(ends[1]);
    expect(await popover.locator(".curve .name").allTextContents()).toEqual(["complexity removed", "information lost"]);
    await screenshot(page, "overview-detail-600");
    await page.keyboard.press("Escape");
    await popover.waitFor({ state: "detached" });
  });
});

describe("a part that is selected", () => {
  let window: PanelWindow;
  beforeAll(async () => (window = await PanelWindow.start("overview", "Overview")));
  afterAll(() => window.stop());
  afterEach(async ({ task }) => expect(await window.endTest(task.result?.state === "fail")).toEqual([]));

  it("leads inside it, to its events, and to its time, by the buttons of its details", async () => {
    const panel = await openPage(window, { width: 900, height: 600 });
    await sendSample(panel, overview, await sampleOf("measured"));
    const box = (await panel.page.locator('.drawing [role="option"]').first().boundingBox()) ?? expect.fail();
    await panel.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const details = panel.page.locator(".details");
    for (const name of [/^Look inside/, /^Show in the timeline/, /^Make it the window/, /^Restrict all numbers/])
      await details.getByRole("button", { name }).click();
    const used = async () =>
      (await panel.sent()).flatMap((message) => (message.type === "mark" ? [message.action] : []));
    await expect.poll(used).toEqual(expect.arrayContaining(["open", "timeline", "window", "restrict"]));
  });
});

const wide = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

async function contentOf(state: Partial<OverviewState> = {}): Promise<OverviewContent> {
  const { view, shown } = await sampleOf("content", state);
  const [part, cells] = await partsOf(overview, shown, view);
  if (!("parts" in part) || "parts" in cells) return expect.fail();
  return { ...overview.content(shown, view), shown: part, ...(cells.size > 0 ? { cells } : {}) };
}

describe("what is selected in other views", () => {
  it("has a bar beside its resources, whatever they belong to, and is known by its lanes", async () => {
    const { view, shown } = await sampleOf("grouped", { every: 2 });
    // The columns are there as soon as a view shows lanes.
    const { lanes } = await view.session.engine.timelineFacts({ dataSet: view.dataSet.id });
    const { leaves, nodes } = shown.facts;
    const own = lanes.flatMap(({ name }, lane) => (["rank 2", "rank 3", "rank 6"].includes(name) ? [lane] : []));
    const highlight = { dataSet: view.dataSet.id, lanes: own, kinds: [], name: "" };
    const places = (await overview.highlighted?.(shown, highlight, view)) ?? [];
    const named = nodes.slice(0, leaves).filter(({ first }) => places.includes(first));
    expect(named.map(({ name }) => name).sort()).toEqual(["rank 2", "rank 3", "rank 6"]);
    // There and back again: what the places stand for are these lanes.
    const query = { query: shown.query, names: named.map(({ name }) => name) };
    expect(await view.session.engine.overviewLanes(query)).toEqual(own);
    const content = await contentOf({ every: 2 });
    const bars = (at: readonly number[], state: Partial<OverviewContent> = {}) => {
      const highlighted = { name: "", places: new Set(at), kinds: new Set<never>() };
      return draw({ ...content, ...state }, { ...wide, highlighted }).above.flatMap((shape) =>
        shape.kind === "box" && shape.fill === plainTheme.focus ? [shape.box] : [],
      );
    };
    expect(bars([])).toEqual([]);
    const [both, alone] = bars([2, 3, 6]);
    const [first] = bars([2]);
    expect([both.y, both.height > 1.9 * first.height, alone.y > both.y + both.height]).toEqual([first.y, true, true]);
    // Over time alone all resources are one row.
    expect(bars([2], { kind: "temporal" })).toEqual([]);
  });

  it("is highlighted in the timeline that a finding leads to, also where nobody knew of lanes before", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-lanes-"));
    try {
      // Four ranks, of which one does something else from the third second on.
      const lines = ["0 M 0 Machine", "2 S M STATE", ...[0, 1, 2, 3].map((rank) => `6 0 r${rank} M 0 rank-${rank}`)];
      for (let second = 0; second < 5; second++) {
        for (let rank = 0; rank < 4; rank++)
          lines.push(`12 ${second} S r${rank} ${second > 1 && rank === 3 ? "b" : "a"}`);
        for (let rank = 0; rank < 4; rank++) lines.push(`13 ${second + 1} S r${rank}`);
      }
      const file = path.join(folder, "four.trace");
      fs.writeFileSync(file, `${headOf()}${[...lines, ...[0, 1, 2, 3].map((rank) => `7 5 M r${rank}`)].join("\n")}\n`);
      const engine = localEngine(grammars);
      const [info] = await engine.open({ paths: [file] });
      const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
      const plain = viewOf({ engine, info, scope }, { ...overview.start, slices: 5 });
      const session = { ...plain.session, windows: { show: () => undefined } } as unknown as OverviewView["session"];
      const view = { ...plain, session };
      const shown = await overview.ask(view, quietTask, []);
      const [finding] = shown.facts.unlike;
      expect(finding.leaves).toHaveLength(1);
      expect(await overview.subject?.(shown, FINDINGS, view, quietTask)).toMatchObject({ at: { lanes: [] } });
      const heard: unknown[] = [];
      const panel = { view, highlight: (...told: unknown[]) => void heard.push(told) } as unknown as Parameters<
        NonNullable<typeof overview.actions>[string]
      >[2];
      await overview.actions?.timeline(shown, FINDINGS, panel);
      const { lanes } = await engine.timelineFacts({ dataSet: info.id });
      const lane = lanes.findIndex(({ name }) => name.startsWith("rank-3"));
      expect(heard).toEqual([[{ lanes: [lane] }, finding.what]]);
      // And it is what is selected, as soon as lanes are known.
      expect(await overview.subject?.(shown, FINDINGS, view, quietTask)).toMatchObject({ at: { lanes: [lane] } });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it("stands back where it is of another kind of work than what is highlighted; a part's kind is highlighted by its menu", async () => {
    const { view, shown } = await sampleOf("kinds");
    await partsOf(overview, shown, view);
    const content = await contentOf();
    const { mode } = content.shown?.parts ?? expect.fail();
    const back = (kind: EventKind) => {
      const highlighted = { name: "", places: new Set<never>(), kinds: new Set([kind]) };
      const { marks } = draw(content, { ...wide, highlighted });
      return marks.flatMap(({ id, paint }) => (id < FINDINGS && paint.fillOpacity !== undefined ? [id] : []));
    };
    const kindAt = (part: number) => eventKinds[content.stateKinds[mode[part]]] as EventKind | undefined;
    const ofKind = (kind: EventKind) => [...mode.keys()].filter((part) => kindAt(part) === kind);
    const others = (kind: EventKind) =>
      [...mode.keys()].filter(
        (part) => mode[part] >= 0 && content.stateKinds[mode[part]] >= 0 && kindAt(part) !== kind,
      );
    expect(ofKind("communication").length).toBeGreaterThan(0);
    for (const kind of ["communication", "idle"] as const) expect(back(kind)).toEqual(others(kind));
    const heard: unknown[] = [];
    const panel = { highlight: (...what: unknown[]) => heard.push(what) } as never;
    await overview.actions?.["highlight-kind"](shown, ofKind("communication")[0], panel);
    await overview.actions?.["highlight-kind"](shown, undefined, panel);
    expect(heard).toEqual([[{ kinds: ["communication"] }, "communication"]]);
  });

  it("is the largest part that is mostly in it, where it is a function", async () => {
    const { view, shown } = await sampleOf("selected");
    await partsOf(overview, shown, view);
    const content = await contentOf();
    const { mode, size, start, end } = content.shown?.parts ?? expect.fail();
    const selected = (name: string) => ({
      dataSet: 0,
      target: { kind: "function", function: 0 } as const,
      name,
      origin: "",
    });
    const at = await overview.markOf?.(shown, selected("MPI_Allreduce"), view);
    if (typeof at !== "number") return expect.fail();
    expect(content.states[mode[at]]).toBe("MPI_Allreduce");
    const cells = [...mode.keys()]
      .filter((part) => mode[part] === mode[at])
      .map((part) => size[part] * (end[part] - start[part] + 1));
    expect(size[at] * (end[at] - start[at] + 1)).toBe(Math.max(...cells));
    expect(await overview.markOf?.(shown, selected("nobody"), view)).toBeUndefined();
    const byKind = { ...view, state: { ...view.state, by: "category" as const } };
    expect(await overview.markOf?.(shown, selected("MPI_Allreduce"), byKind)).toBeUndefined();
  });

  it("is highlighted in a page whose parts come later", async () => {
    const window = await PanelWindow.start("overview", "Overview");
    const panel = await openPage(window, { width: 900, height: 600 });
    const { view, shown } = await sampleOf("later");
    const [part] = await partsOf(overview, shown, view);
    await panel.send({ type: "content", revision: 1, content: overview.content(shown, view) });
    await panel.send({ type: "highlight", revision: 1, name: "rank 3", places: [3], kinds: [] });
    await panel.send({ type: "part", revision: 1, part });
    await panel.page.locator(".legend", { hasText: "highlighted" }).waitFor();
    expect(await window.endTest(false)).toEqual([]);
    await window.stop();
  });
});

describe("an overview that is only near what was asked", () => {
  let window: PanelWindow;
  beforeAll(async () => (window = await PanelWindow.start("overview", "Overview")));
  afterAll(() => window.stop());
  afterEach(async ({ task }) => expect(await window.endTest(task.result?.state === "fail")).toEqual([]));

  it.each([400, 600, 1400])(
    "says so beside and below the drawing until the exact one is there, %i px",
    async (width) => {
      const panel = await openPage(window, { width, height: 700 });
      const { page } = panel;
      const { view, shown } = await sampleOf("near");
      const [part] = await partsOf(overview, shown, view);
      const content = overview.content(shown, view);
      const [summaryRow, legendRow] = [page.locator(".context .summary .wording:visible"), page.locator(".legend")];
      const says = (text: string) =>
        expect
          .poll(async () => [...(await summaryRow.allTextContents()), await legendRow.textContent()].join("\n"))
          .toMatch(text);
      await sendSample(panel, overview, { name: "", view, shown });
      expect(await page.locator(".frame").textContent()).not.toContain("refin");
      await panel.send({ type: "content", revision: 2, content, near: "refining" });
      // Not of the drawing before, which is there until this one is whole.
      expect(await legendRow.textContent()).not.toContain("refin");
      await panel.send({ type: "part", revision: 2, part });
      await says("refining…");
      await screenshot(page, `overview-refining-${width}`);
      const entries = page.locator(".legend .entry:visible");
      expect(await entries.first().textContent()).toContain("refining…");
      for (const wording of await page.locator(".summary .wording").allTextContents())
        expect(wording).toMatch(/^refining… · /);
      await panel.send({ type: "near", revision: 2, near: "nearest" });
      await says("not refined");
      expect(await page.locator(".frame").textContent()).not.toContain("refining");
      await panel.send({ type: "content", revision: 3, content });
      await panel.send({ type: "part", revision: 3, part });
      await expect.poll(() => page.locator(".frame").textContent()).not.toContain("refin");
    },
  );

  it("has one entry for what was not recorded, areas and time alike", async () => {
    const panel = await openPage(window, { width: 1400, height: 700 });
    const { view, shown } = await sampleOf("uncovered");
    const uncovered = { ...shown, facts: { ...shown.facts, uncoveredSeconds: 5 } };
    await sendSample(panel, overview, { name: "", view, shown: uncovered });
    const legend = (await panel.page.locator(".legend").textContent())?.replaceAll("\u00a0", " ");
    expect(legend).toMatch(/nothing recorded ?5\.00 s/);
    expect(legend).not.toContain("not recorded");
  });
});

describe("resources of an overview", () => {
  const said: string[] = [];
  const panel = { notice: (text: string) => said.push(text) } as unknown as Parameters<typeof overview.choose>[3];
  const choose = async (value: string, state: Partial<OverviewState> = {}) => {
    const plain = await measuredView();
    return overview.choose({ ...plain, state: { ...plain.state, ...state } }, "every", value, panel);
  };
  const groupsIn = async (state: Partial<OverviewState>) => {
    const { facts } = (await sampleOf("grouped", state)).shown;
    return facts.nodes.slice(facts.leaves).map(({ name, size }) => `${name}: ${size}`);
  };

  it("belong together by a rule that is typed, as the command line takes it", async () => {
    typed.name = "every 4: node";
    const changed = await choose("rule");
    expect(changed).toEqual({ hierarchy: { kind: "every", count: 4, name: "node" }, strength: undefined });
    expect(await groupsIn({ ...changed })).toEqual(["all: 8", "node 0: 4", "node 1: 4"]);
    typed.name = undefined;
    expect(await choose("rule", { ...changed })).toBeUndefined();
    expect(typed.offered).toBe("every 4: node");
    // What was said is one of the choices, and any other takes its place.
    const plain = await measuredView();
    const [every] = overview
      .controls({ ...plain, state: { ...plain.state, ...changed } })
      .filter(({ id }) => id === "every");
    expect(every).toMatchObject({
      value: "chosen",
      choices: expect.arrayContaining([expect.objectContaining({ label: "every 4: node" })]) as unknown,
    });
    expect(await choose("chosen", { ...changed })).toBeUndefined();
    expect(await choose("2", { ...changed })).toEqual({ every: 2, hierarchy: undefined, strength: undefined });
  });

  it("are at first as recorded, or in groups that the data shows, and so again when that is chosen", async () => {
    const plain = await measuredView();
    const shown = await overview.ask(plain, quietTask, []);
    const choiceOf = (view: OverviewView, known: OverviewShown) =>
      overview.controls(view, known).find(({ id }) => id === "every");
    expect(plain.state.every).toBeUndefined();
    expect(choiceOf(plain, shown)).toMatchObject({ value: "first", standard: "first" });
    const chosen = await choose("first", { every: 2 });
    expect(chosen).toEqual({ every: undefined, hierarchy: undefined, strength: undefined });
    expect(await choose("0")).toEqual({ every: 0, hierarchy: undefined, strength: undefined });
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-groups-"));
    try {
      // 32 threads, of which two groups of eight wait in the second half.
      const events = Array.from({ length: 32 }, (_, tid) => [
        { ph: "X", name: "compute", pid: 1, tid, ts: 0, dur: 1_000_000 },
        {
          ph: "X",
          pid: 1,
          tid,
          ts: 1_000_000,
          dur: 1_000_000,
          name: [1, 2].includes(Math.floor(tid / 8)) ? "MPI_Wait" : "compute",
        },
      ]);
      const file = path.join(folder, "groups.json");
      fs.writeFileSync(file, JSON.stringify(events.flat()));
      const engine = localEngine(grammars);
      const [info] = await engine.open({ paths: [file] });
      const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
      const view = viewOf({ engine, info, scope }, overview.start);
      const found = await overview.ask(view, quietTask, []);
      expect(found.facts.first).toEqual({ hierarchy: "every 8", found: true });
      expect(choiceOf(view, found)).toMatchObject({
        value: "first",
        choices: expect.arrayContaining([
          expect.objectContaining({ value: "first", label: "groups of 8, found in the data" }),
        ]) as unknown,
      });
      const [first] = overview.content(found, view).unlike;
      expect([first.kind, first.when, first.what]).toEqual([
        "group",
        "1.0 – 2.0 s",
        "groups 1, 2 of 4 are 100 % in MPI_Wait, the others 0 %",
      ]);
      const [card] = aside(overview.content(found, view))?.items ?? [];
      expect(card).toMatchObject({
        name: first.when,
        note: first.what.replace("100 %", "100\u00a0%").replace("0 %", "0\u00a0%"),
      });
      const { entries, initial } = found.facts;
      expect(entries[initial].parts).toBeGreaterThan(1);
      await engine.dispose();
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it("belong together by a file, also those alone that are looked at; what is wrong in it is said with its line", async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "hierarchy-")), "hosts");
    const lines = Array.from(
      { length: 8 },
      (_, rank) => `rank ${rank} = ${rank < 3 ? "west" : "east"} / host ${rank >> 1}`,
    );
    fs.writeFileSync(file, `# ranks and hosts\n${lines.join("\n")}\n`);
    typed.file = file;
    const changed = (await choose("file")) ?? expect.fail();
    expect(changed.hierarchy).toMatchObject({ kind: "paths", file: "hosts" });
    // Whatever a resource is called, a window that comes back has it.
    const kept = {
      ...overview.start,
      ...changed,
      hierarchy: { ...changed.hierarchy, paths: [["constructor", ["one"]]] },
    };
    expect(parse(overview.state, kept)).toEqual(kept);
    expect((await groupsIn({ ...changed })).sort()).toEqual([
      "all: 8",
      "east: 5",
      "host 0: 2",
      "host 2: 2",
      "host 3: 2",
      "west: 3",
    ]);
    expect((await groupsIn({ ...changed, only: ["rank 0", "rank 1", "rank 4"] })).sort()).toEqual([
      "all: 3",
      "host 0: 2",
    ]);
    fs.writeFileSync(file, "rank 0 = west\nrank 1\n");
    expect(await choose("file")).toBeUndefined();
    expect(said).toEqual(["hosts:2: a line is 'leaf = outermost/…/innermost group'"]);
    typed.file = undefined;
    expect(await choose("file")).toBeUndefined();
    fs.rmSync(path.dirname(file), { recursive: true });
  });
});

describe("an overview", () => {
  it("has the colours of the recording where these are wanted, and those of kinds where it says none", async () => {
    const { view, shown } = await crowd("colours", (at) => `rank ${at}`, "MPI_Send");
    const kinds = overview.content(shown, view);
    const own = overview.content(shown, { ...view, state: { ...view.state, ownColors: true } });
    expect(stateFills(kinds, plainTheme).slice(0, 2)).toEqual([plainTheme.kind("communication"), "#123456"]);
    expect(stateFills(own, plainTheme)).toEqual(["#ffffff", "#000010", plainTheme.text]);
    const switchOf = (of: OverviewShown) =>
      (overview.controls?.(view, of) ?? []).filter((control) => control.kind === "tool" && control.id === "ownColors");
    expect(switchOf(shown)).toMatchObject([{ on: false, tucked: true }]);
    // Caliper says no colours: there is no switch.
    expect(switchOf((await sampleOf("plain")).shown)).toEqual([]);
  });

  it("has as many parts as its entry, which cover time and resources", async () => {
    const content = await contentOf();
    const { marks } = draw(content, wide);
    const parts = marks.filter(({ id }) => id < FINDINGS);
    expect(parts).toHaveLength(content.entries.parts[content.shown?.entry ?? -1]);
    // Each moment of each resource is in one of them; between them lies less than a pixel.
    const at = (x: number, y: number) =>
      parts.filter(({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
    const [left, right] = [
      Math.min(...parts.map(({ box }) => box.x)),
      Math.max(...parts.map(({ box }) => box.x + box.width)),
    ];
    const [top, bottom] = [
      Math.min(...parts.map(({ box }) => box.y)),
      Math.max(...parts.map(({ box }) => box.y + box.height)),
    ];
    for (let leaf = 0; leaf < content.leaves; leaf++)
      for (let slice = 0; slice < content.slices; slice++) {
        const x = left + ((slice + 0.5) / content.slices) * (right - left);
        const y = top + ((leaf + 0.5) / content.leaves) * (bottom - top);
        expect(at(x, y)).toHaveLength(1);
      }
  });

  it("has all recorded time, that of the states that have no room of their own as other", async () => {
    const { facts } = (await sampleOf("whole")).shown;
    expect(facts.states.map(({ name }) => name)).toContain("other");
    const all = facts.leaves * (facts.toSeconds - facts.fromSeconds);
    expect(facts.states.reduce((sum, { total }) => sum + total, facts.uncoveredSeconds)).toBeCloseTo(all, 9);
    const without = (await sampleOf("without", { without: ["other"] })).shown.facts;
    expect(without.states).toEqual(facts.states.filter(({ name }) => name !== "other"));
    expect(without.uncoveredSeconds).toBeCloseTo(facts.uncoveredSeconds, 9);
  });

  it("says which states and resources were left out before aggregation, in every length but the shortest", async () => {
    const whole = await contentOf({});
    expect(summary(whole).join("\n")).not.toMatch(/without| of /);
    const fewer = summary(await contentOf({ without: [whole.states[0]], only: whole.leafNames.slice(0, 3) }));
    const left = ` · without 1 state · 3 of ${whole.leafNames.length} resources`;
    expect(fewer.slice(0, -1).every((text) => text.includes(left))).toBe(true);
    expect(fewer[fewer.length - 1]).toMatch(/^\d+ parts?$/);
  });

  it("says how much simpler it is, and what it hides: nothing at first, all in the end", async () => {
    const content = await contentOf({ strength: 0 });
    expect(quality(content, 0).lost).toBe(0);
    expect(quality(content, content.entries.strength.length - 1)).toEqual({ removed: 1, lost: 1 });
    expect(summary(content)[0]).toMatch(/parts for 240 cells · complexity −[\d.]+ % · information lost 0(?:\.0+)? %/);
  });

  it("says what a part is mostly in, and all that it is in once that is known", async () => {
    const content = await contentOf({ strength: 1024 });
    expect(partFacts(content, 0)).toContainEqual(["of", "8 resources × 30 slices"]);
    const { view, shown } = await sampleOf("whole", { strength: 1024 });
    await partsOf(overview, shown, view);
    const more = await overview.explain?.(shown, 0, view, quietTask);
    // The last one says of which resources.
    const shares = more?.facts.slice(0, -1).map(([, share]) => Number.parseFloat(share)) ?? [];
    expect(more?.facts.at(-1)?.[1]).toMatch(/^rank 0, rank 1, /);
    expect(more?.facts[0][1]).toMatch(/^[\d.]+\s% · [\d.]+\sms ± [\d.]+\sms a cell$/u);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    expect(details(content, 0, more)?.numbers[0]).toEqual(more?.facts[0]);
  });

  it("shows the cells beneath a part, which are what the whole detail has as parts", async () => {
    const all = await contentOf({ strength: 0, shows: "partition" });
    const cells = { first: 0, size: 8, start: 0, end: 29 };
    const content = await contentOf({ strength: 1024, cells });
    const { mode, share } = content.cells ?? expect.fail();
    const parts = all.shown?.parts ?? expect.fail();
    expect(mode).toHaveLength(240);
    // A part that loses nothing has cells that are alike.
    for (const [at, first] of parts.first.entries())
      for (let leaf = first; leaf < first + parts.size[at]; leaf++)
        for (let slice = parts.start[at]; slice <= parts.end[at]; slice++) {
          expect(mode[30 * leaf + slice]).toBe(parts.mode[at]);
          expect(share[30 * leaf + slice]).toBeCloseTo(parts.share[at], 6);
        }
    // One frame, nothing of which hides what is in it; the same names its button.
    const { marks, below } = draw(content, wide);
    expect(marks.filter(({ id }) => id < FINDINGS).map(({ paint, label }) => [paint?.fill, label])).toEqual([
      ["none", undefined],
    ]);
    const filled = below.flatMap((one) => (one.kind === "path" && one.fill !== undefined ? [one.d] : []));
    expect(filled.join("").match(/M/g)).toHaveLength(mode.filter((one) => one >= 0).length);
    expect(details(content, 0, undefined)?.actions?.map(({ name }) => name)).toContain("Hide its cells");
    expect(details(all, 0, undefined)?.actions?.map(({ name }) => name)).toContain("Show its cells");
    // Of what is no part any more there is nothing to be seen.
    const looks = (of: OverviewContent) => draw(of, wide).marks.map(({ paint, label }) => [paint, label]);
    expect(looks({ ...all, cells: content.cells })).toEqual(looks(all));
  });

  it("finds parts by their resources, groups or state, and findings about these", async () => {
    const content = await contentOf({ strength: 0 });
    const parts = content.shown?.parts ?? expect.fail();
    const ofRank = [...parts.first.keys()].filter((at) => parts.first[at] <= 3 && 3 < parts.first[at] + parts.size[at]);
    const found = [...partsAbout(content, "RANK 3")].filter((mark) => mark < FINDINGS);
    expect(found).toEqual(ofRank);
    expect(found.length).toBeLessThan(parts.first.length);
    const [state] = content.states;
    expect(new Set([...partsAbout(content, state)].filter((mark) => mark < FINDINGS))).toEqual(
      new Set([...parts.mode.keys()].filter((at) => content.states[parts.mode[at]]?.includes(state))),
    );
    expect(partsAbout(content, "no such thing").size).toBe(0);
  });

  it.each([120, 300, 600, 1400])(
    "names parts at %i pixels by whole words and numbers, or by names of 12 letters",
    async (width) => {
      for (const strength of [0, 1, 1024]) {
        const content = await contentOf({ strength });
        const { mode, share } = content.shown?.parts ?? expect.fail();
        for (const { id, box, label } of draw(content, { ...wide, width }).marks) {
          if (id >= FINDINGS || mode[id] < 0) continue;
          const [name, amount] = [content.states[mode[id]], formatShare(share[id])];
          const text = label?.text ?? "";
          const [head, tail] = text.split("…");
          if (tail !== undefined) {
            expect(text.length).toBeGreaterThanOrEqual(12);
            expect([name.startsWith(head), name.endsWith(tail)], text).toEqual([true, true]);
          } else expect(["", name, amount, `${name} ${amount}`]).toContain(text);
          // A part that has room for its share is never without a word.
          if (box.height >= 13 && box.width >= Math.max(34, amount.length * 11 * 0.6 + 8))
            expect(text, name).not.toBe("");
        }
      }
    },
  );

  it("keeps numbers and their units in one line of a card", () => {
    expect(keepUnits("4 resources go from 32.8 % to 31.4 % in 5 s, 7 sizes, 60.0 ms (3 B)")).toBe(
      "4 resources go from 32.8\u00a0% to 31.4\u00a0% in 5\u00a0s, 7 sizes, 60.0\u00a0ms (3\u00a0B)",
    );
  });

  it("lists what is unlike the rest with a mark that frames it", async () => {
    const content = await contentOf();
    const items = aside(content)?.items ?? [];
    expect(items.map(({ mark }) => mark)).toEqual(content.unlike.map((_, at) => FINDINGS + at));
    // A bar is as long as the finding is strong beside the strongest of its kind; no number is shown.
    content.unlike.forEach(({ kind, strength }, at) => {
      const most = Math.max(...content.unlike.filter((one) => one.kind === kind).map((one) => one.strength));
      expect([items[at].number, items[at].strength]).toEqual(["", strength / most]);
    });
    // From the first of its resources to the last, also where lanes of the timeline are not known.
    const { marks } = draw(await contentOf({ strength: 0 }), wide);
    content.unlike.forEach(({ leaves }, at) => {
      const frame = marks.find(({ id }) => id === FINDINGS + at)?.box ?? expect.fail("no frame");
      const rowsOf = (leaf: number) =>
        marks.find(({ id, name }) => id < FINDINGS && name.startsWith(`rank ${leaf},`))?.box;
      const [first, last] = [rowsOf(Math.min(...leaves)), rowsOf(Math.max(...leaves))];
      expect(frame.y).toBeCloseTo(first?.y ?? NaN, 0);
      expect(Math.abs(frame.y + frame.height - (last ? last.y + last.height : NaN))).toBeLessThan(2);
    });
  });

  it("says where to look for more where all is one part", async () => {
    const all = await contentOf({ strength: 1024 });
    expect([all.entries.parts.at(-1), hint(all)]).toEqual([1, "Detail, moved to the left: more parts"]);
    expect(hint(await contentOf({ strength: 0 }))).toMatch(/^click: what is in it/);
  });
});

describe("cards of what is unlike the rest", () => {
  it.each([400, 600])("have their whole sentence below their bar at %i pixels", async (width) => {
    const window = await PanelWindow.start("overview", "Overview");
    try {
      const panel = await openPage(window, { width, height: 720 });
      await sendSample(panel, overview, await sampleOf("cards"));
      await sendParts(panel, overview, await sampleOf("cards"));
      const cards = await panel.page.locator(".cards li").evaluateAll((all) =>
        all.map((card) => {
          const boxOf = (part: string) => card.querySelector(part)?.getBoundingClientRect() ?? new DOMRect();
          const [name, bar, note] = [".name", ".strength", "small"].map(boxOf);
          const { right } = card.getBoundingClientRect();
          const side = card.closest(".side")?.getBoundingClientRect() ?? new DOMRect();
          const lines = card.querySelector("small");
          return {
            isInOrder: name.bottom <= bar.bottom && bar.bottom <= note.top + 2,
            isWithin: note.right <= right && bar.right <= right,
            isWhole:
              lines !== null && lines.scrollWidth <= lines.clientWidth && lines.scrollHeight <= lines.clientHeight,
            isCut: name.top < side.bottom - 2 && note.bottom > side.bottom + 0.5,
            bar: bar.height,
          };
        }),
      );
      expect(cards.length).toBeGreaterThan(2);
      for (const card of cards)
        expect(card).toEqual({ isInOrder: true, isWithin: true, isWhole: true, isCut: false, bar: 3 });
    } finally {
      expect(await window.endTest(false)).toEqual([]);
      await window.stop();
    }
  });
});

describe("a trace of variables alone", () => {
  it("offers its variables before anything is known of it, and shows the one that most resources have", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-variables-"));
    try {
      const file = path.join(folder, "alone.trace");
      const lines = ["0 M 0 Machine", "1 V M power", "1 U M power_used", "6 0 a M 0 a", "6 0 b M 0 b"];
      const values = ["8 0 V a 4", "8 0 U a 1", "8 0 U b 1", "8 1 U a 3", "7 2 M a", "7 2 M b"];
      fs.writeFileSync(file, `${headOf()}${[...lines, ...values].join("\n")}\n`);
      const engine = localEngine(grammars);
      const [info] = await engine.open({ paths: [file] });
      expect(overview.unmeasured?.(info)).toBeUndefined();
      const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
      const view = viewOf({ engine, info, scope }, overview.start);
      const metric = overview.controls(view).find(({ id }) => id === "metric");
      const { value, choices } = metric?.kind === "select" ? metric : expect.fail("no choice");
      expect(value).toBe("variable=power");
      const open = choices.flatMap((one) => (one.disabled === undefined ? [one.value] : []));
      expect(open).toEqual(["variable=power", "variable=power_used"]);
      const shown = await overview.ask(view, quietTask, []);
      const { facts } = shown;
      expect(overview.controls(view, shown).find(({ id }) => id === "metric")).toMatchObject({
        value: "variable=power_used",
      });
      // 1 and 1 in the first second, 3 and 1 until the machines end.
      expect([facts.toSeconds, facts.states.map(({ name, total }) => [name, total / 15])]).toEqual([
        2,
        [["power_used", 6]],
      ]);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});

describe("an analysis that was saved by a name", () => {
  it("brings detail, slices, resources, states and window back, and nothing that came after it", async () => {
    const plain = await measuredView();
    const saved: OverviewState = { ...overview.start, slices: 10, every: 2, strength: 40, without: ["MPI_Wait"] };
    const heard: unknown[] = [];
    const panel = {
      notice: (text: string) => void heard.push(text),
      change: () => Promise.resolve(),
      showWindow: (window: unknown) => void heard.push(window),
    } as unknown as Parameters<typeof overview.choose>[3];
    const window = { from: 0.01, to: 0.05 };
    typed.name = " waits ";
    await overview.choose({ ...plain, state: saved, window }, "keep", "", panel);
    typed.name = "";
    await overview.choose({ ...plain, state: saved }, "keep", "", panel);
    expect(kept.of(plain.dataSet.key).analyses).toEqual([{ name: "waits", state: saved, window }]);
    expect(kept.of("another recording").analyses).toEqual([]);
    const tool = overview.controls(plain).find(({ id }) => id === "analyses");
    const values = tool?.kind === "tool" ? (tool.menu ?? []).map(({ value }) => value) : [];
    expect(values).toHaveLength(2);
    const later: OverviewState = { ...overview.start, only: ["rank 1"], by: "category" };
    const changed = await overview.choose({ ...plain, state: later }, "analyses", values[0], panel);
    expect({ ...later, ...changed }).toEqual({ ...saved, only: undefined, by: undefined });
    expect(heard).toEqual(["Saved as waits.", window]);
    await overview.choose(plain, "analyses", values[1], panel);
    expect(kept.of(plain.dataSet.key).analyses).toEqual([]);
  });
});

describe("what was not recorded", () => {
  it("has no edges in contrast themes, which would make a grid of it", async () => {
    const content = await contentOf({ strength: 0 });
    const parts = content.shown?.parts ?? expect.unreachable("parts are shown");
    const mode = parts.mode.map((state, at) => (at % 2 === 0 ? -1 : state));
    const theme = { ...wide.theme, isHighContrast: true, edge: "#0000ff", edgeOf: () => "#0000ff" };
    for (const shows of ["mode", "partition", "proportion"] as const) {
      const shown = { ...content.shown, shows, parts: { ...parts, mode } };
      const { marks } = draw({ ...content, shown } as OverviewContent, { ...wide, theme });
      const stroked = marks.filter(({ id, paint }) => id < mode.length && paint.stroke !== undefined);
      expect(
        stroked.every(({ id }) => mode[id] >= 0),
        shows,
      ).toBe(true);
      if (shows === "mode") expect(stroked.length).toBeGreaterThan(0);
    }
  });
});
