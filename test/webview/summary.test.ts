import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, test, vi } from "vitest";
import type { Clock, ClockStretches } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { eventKinds } from "../../src/model/eventKinds";
import { quietTask } from "../../src/model/task";
import type { View } from "../../src/panels/kit/definition";
import { summary } from "../../src/panels/summary/definition";
import type { SummaryCounters } from "../../src/panels/summary/sides";
import { parse } from "../../src/protocol/bounds";
import { longestKind, SECTORS } from "../../src/protocol/clock";
import type { EventKind } from "../../src/protocol/timeline";
import { FINE, type SummaryContent, summaryContent, type SummaryState, utilisations } from "../../src/protocol/summary";
import { formatShare } from "../../src/model/units";
import { isInSector, sectorFacts } from "../../webviews/kit/clock";
import { details, markFacts, ROWS, summary as summaryText, WHOLE } from "../../webviews/summary/describe";
import { draw } from "../../webviews/summary/drawing";
import { scalesOf } from "../../webviews/summary/utilisation";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";
import { openPage, sendSample } from "./kit/showing";
import { PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

type SummaryView = View<SummaryState>;

let opened: Promise<SummaryView> | undefined;

/** The sample program's messages on 8 ranks. */
function measuredView(): Promise<SummaryView> {
  return (opened ??= open());
}

async function open(): Promise<SummaryView> {
  const engine = localEngine(grammars);
  const files = Array.from({ length: 8 }, (_, rank) => path.join(miniheat, `profiles/trace/messages-${rank}.cali`));
  const [info] = await engine.open({ paths: files });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
  return viewOf({ engine, info, scope }, summary.start);
}

const KINDS = eventKinds.length;

/** Two GPUs whose transfers stand before and behind their kernels; without, one rank that only computes. */
function clockOf(changes: Partial<Clock> = {}): Clock {
  const stretches = (count: number): ClockStretches => {
    const size = 1.2 / count;
    const isCopy = (at: number) => at < count / 6 || at >= (count * 5) / 6;
    const each = (of: (at: number) => number) => Float64Array.from({ length: count }, (_, at) => of(at) * size);
    const kinds = (of: (at: number, kind: string) => number) =>
      Float64Array.from(
        { length: count * KINDS },
        (_, cell) => of(Math.floor(cell / KINDS), eventKinds[cell % KINDS]) * size,
      );
    return {
      count,
      cpu: kinds((at, kind) => (kind === "runtime" ? (isCopy(at) ? 0.9 : 0.4) : kind === "computing" ? 0.1 : 0)),
      gpu: kinds((at, kind) => (kind === (isCopy(at) ? "data movement" : "GPU") ? 1.6 : kind === "idle" ? 0.1 : 0)),
      computing: each((at) => (isCopy(at) ? 0 : 1.6)),
      movement: each((at) => (isCopy(at) ? 1.6 : 0.2)),
      hidden: each((at) => (isCopy(at) ? 0 : 0.2)),
      communication: each(() => 0),
      bytes: each((at) => (isCopy(at) ? 3e9 : 0)),
    };
  };
  return {
    fromSeconds: 0,
    toSeconds: 1.2,
    endSeconds: 1.2,
    cpuLanes: 1,
    gpuLanes: 4,
    sectors: stretches(SECTORS),
    fine: stretches(FINE),
    hasBytes: true,
    isMpi: false,
    leftOutGpus: 0,
    bound: { unit: "GPU", count: 2, seconds: 2.4, computing: 1.28, movement: 0.8, hidden: 0.16, communication: 0 },
    ...changes,
  };
}

function emptyClock(): Clock {
  const none = (count: number): ClockStretches => ({
    count,
    cpu: new Float64Array(count * KINDS),
    gpu: new Float64Array(count * KINDS),
    computing: new Float64Array(count),
    movement: new Float64Array(count),
    hidden: new Float64Array(count),
    communication: new Float64Array(count),
    bytes: new Float64Array(count),
  });
  const bound = { unit: "lane", count: 0, seconds: 0, computing: 0, movement: 0, hidden: 0, communication: 0 };
  const ends = { fromSeconds: 0, toSeconds: 0, endSeconds: 0, cpuLanes: 0, gpuLanes: 0 };
  return { ...clockOf(ends), bound, sectors: none(SECTORS), fine: none(FINE), hasBytes: false };
}

const noCounters: SummaryCounters = { facts: { startSeconds: 0, endSeconds: 1.2, rows: [], resources: [] } };
const shownOf = (clock: Clock, counters = noCounters) => ({ asked: "", clock, counters });

/** A power draw that is not recorded in the middle, and a temperature that goes below 0. */
function twoCounters(): SummaryCounters {
  const fact = { shows: "level", points: FINE, resource: 0, least: -20, most: 300, lanes: [], isLeft: true } as const;
  const stretches = (value: (at: number) => number) => {
    const mean = Float64Array.from({ length: FINE }, (_, at) => value(at));
    return {
      seconds: mean.map((one) => (Number.isNaN(one) ? 0 : 0.01)),
      mean,
      least: mean.map((one) => one - 5),
      most: mean.map((one) => one + 10),
    };
  };
  return {
    facts: {
      startSeconds: 0,
      endSeconds: 1.2,
      resources: [{ name: HOSTILE_NAME, type: "GPU", parent: -1 }],
      rows: [
        { ...fact, name: "power", unit: "W" },
        { ...fact, name: "temperature", unit: "°C" },
        { ...fact, name: "fan", unit: "W", isLeft: false },
      ],
    },
    left: { row: 0, stretches: stretches((at) => (at >= 50 && at < 60 ? Number.NaN : 100 + at)) },
    right: { row: 1, stretches: stretches((at) => at / 4 - 15) },
  };
}

const counterState: SummaryState = {
  left: { counter: "power", of: HOSTILE_NAME },
  right: { counter: "temperature", of: HOSTILE_NAME },
};

panelLaws({
  definition: summary,
  draw,
  async samples() {
    const view = await measuredView();
    const shown = await summary.ask(view, quietTask, []);
    const { fromSeconds, toSeconds } = shown.clock;
    const length = (toSeconds - fromSeconds) / SECTORS;
    const window = { from: fromSeconds + 3 * length, to: fromSeconds + 4 * length };
    return [
      { name: "measured", view: { ...view, window }, shown },
      { name: "GPUs", view, shown: shownOf(clockOf()), isPictured: true },
      { name: "whole", view, shown },
      { name: "no time", view, shown: shownOf(emptyClock()), isPictured: true },
      {
        name: "counters",
        view: { ...view, state: counterState },
        shown: shownOf(clockOf(), twoCounters()),
        isPictured: true,
      },
    ];
  },
});

const wide = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

async function contentOf(view: SummaryView, shown: Awaited<ReturnType<typeof summary.ask>>): Promise<SummaryContent> {
  const [part] = summary.later ?? [];
  return { ...summary.content(shown, view), ...(await part.ask(shown, view, quietTask)) };
}

describe("what is drawn along the run", () => {
  it("has whole names above both sides, whichever they are, in each width", async () => {
    const view = await measuredView();
    const shown = await summary.ask(view, quietTask, []);
    const content = await contentOf(view, shown);
    const measure = (size: number, weight?: number) => (text: string) => text.length * size * (weight ? 0.7 : 0.6);
    for (const width of [400, 600, 1400])
      for (const left of utilisations)
        for (const right of utilisations) {
          const sides = { left: { ...content.left, what: left }, right: { ...content.right, what: right } };
          const { below } = draw({ ...content, ...sides }, { ...wide, width, height: 620, measure });
          const titles = below.flatMap((shape) => (shape.kind === "text" && shape.weight === 600 ? [shape] : []));
          const boxes = titles
            .filter(({ text, size }) => size === 11 && (text === left || text === right))
            .map(({ at, text, anchor }) => {
              const wideText = measure(11, 600)(text);
              return {
                ...at,
                left: anchor === "end" ? at.x - wideText : at.x,
                right: anchor === "end" ? at.x : at.x + wideText,
              };
            });
          expect(boxes.length, `${left}, ${right} at ${width}`).toBe(2);
          const [a, b] = boxes;
          expect(a.y !== b.y || a.right < b.left, `${left}, ${right} at ${width}`).toBe(true);
        }
  });
});

describe("counters along the run", () => {
  it("have whole numbers at the ends of their scales, in each width", async () => {
    const view = { ...(await measuredView()), state: counterState };
    const content = await contentOf(view, shownOf(clockOf(), twoCounters()));
    const measure = (size: number, weight?: number) => (text: string) => text.length * size * (weight ? 0.7 : 0.6);
    for (const width of [400, 600, 1400]) {
      const { below } = draw(content, { ...wide, width, height: 620, measure });
      const texts = below.flatMap((shape) =>
        shape.kind === "text" && shape.weight === undefined ? [shape.text.replaceAll("\u00a0", " ")] : [],
      );
      expect(texts, String(width)).toEqual(expect.arrayContaining(["250 W", "−20 … 30 °C"]));
      expect(texts.filter((text) => /\d[^ ]*…$/.test(text))).toEqual([]);
    }
  });
});

describe("what a summary is bound by", () => {
  it("stays in its column, however long the name of a function is, in each width", async () => {
    const view = await measuredView();
    const content = await contentOf(view, await summary.ask(view, quietTask, []));
    const measure = (size: number, weight?: number) => (text: string) => text.length * size * (weight ? 0.7 : 0.6);
    for (const name of ["enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "f".repeat(300), HOSTILE_NAME])
      for (const width of [400, 600, 1400]) {
        const bound = { ...content.clock.bound, title: `Without work for 48.6 %, computing: ${name}` };
        const long = { ...content, clock: { ...content.clock, bound } };
        const { below } = draw(long, { ...wide, width, height: 620, measure });
        const lines = below.flatMap((shape) => (shape.kind === "text" && shape.size === 13 ? [shape] : []));
        expect(lines.length).toBeGreaterThan(1);
        // The column of words ends where the quantities along the run begin.
        const column = width >= 1000 ? width / 3 : width;
        for (const { at, text } of lines) expect(at.x + measure(13, 600)(text)).toBeLessThanOrEqual(column);
      }
  });
});

describe("a summary", () => {
  it("says what the run is bound by, and the window, with the figures", async () => {
    const view = await measuredView();
    const shown = await summary.ask(view, quietTask, []);
    const window = { from: 0.05, to: 0.06 };
    const whole = await contentOf(view, shown);
    // Nearly all of it is waiting in MPI, in every rank (the recording's own sums: events-*.cali, 81 to 97 %).
    expect(whole.clock.bound).toMatchObject({ title: "Bound by communication", over: "8 ranks" });
    expect(whole.clock.isMpi).toBe(true);
    expect(summaryText(whole)[0]).toMatch(/ · computing \d\.\d\d×, ranks? \d.* · all \d\.\d\d× · whole run · 160 ms$/);
    expect(summaryText(whole)[1]).toMatch(/^Bound by communication \(\d\d\.\d %\) · whole run · 160 ms$/);
    const part = await contentOf({ ...view, window }, shown);
    expect(part.window).toMatchObject({ ...window, bound: { over: "8 ranks" } });
    expect(summaryText(part)[0]).toMatch(/^50\.0 – 60\.0 ms · 10\.0 ms of 160 ms · Bound by/);
    const words = draw(part, wide).below.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    expect(words).toEqual(expect.arrayContaining(["Bound by communication", "exposed movement", "hidden movement"]));
    expect(words).toContain(formatShare(part.clock.bound.shares?.exposed ?? 0));
    expect(words).toContain("computing");
  });

  it("calls what GPUs compute kernels, in the GPU's colour", async () => {
    const content = summary.content(shownOf(clockOf()), await measuredView());
    const { below } = draw(content, wide);
    const words = below.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    expect(words).toContain("kernels");
    expect(markFacts(content, WHOLE).map(([what]) => what)).toContain("kernels");
    const bars = below.filter((shape) => shape.kind === "box" && shape.fill !== undefined);
    expect(bars[0]).toMatchObject({ fill: wide.theme.kind("gpu") });
  });

  it("writes no negative length, however rounding left a window", async () => {
    const content = summary.content(shownOf(clockOf()), await measuredView());
    const bound = content.clock.bound;
    const window = { from: 0.5, to: 0.5 - 56e-6, bound };
    for (const one of [
      { ...content, window },
      { ...content, clock: { ...content.clock, end: content.clock.from - 56e-6 } },
    ])
      for (const text of summaryText(one)) expect(text).not.toMatch(/−\d/);
  });

  it("has of a sector what was done, what was moved, and how busy CPUs and GPUs were", async () => {
    const facts = new Map(
      sectorFacts(summary.content(shownOf(clockOf()), await measuredView()).clock, 0).map(([what, ...said]) => [
        what,
        said.join(" "),
      ]),
    );
    expect(facts.get("data movement")).toBe("160 ms 59.3 %");
    expect(facts.get("data moved")).toBe("300 MB");
    expect(facts.get("CPU occupancy")).toBe("10.0 %, of 1 lane");
    expect(facts.get("GPU occupancy")).toBe("0 %, of 2 GPUs");
    expect(facts.get("exposed movement")).toBe("80.0 %");
  });

  it("restricts to a sector's time, and says that its middle is all of the run", async () => {
    const view = await measuredView();
    const shown = await summary.ask(view, quietTask, []);
    const heard: unknown[] = [];
    const session = { ...view.session, setWindow: (_: number, window: unknown) => heard.push(window) };
    const panel = { view: { ...view, session }, notice: (text: string) => heard.push(text) } as never;
    await summary.actions?.restrict(shown, 2, panel);
    await summary.actions?.restrict(shown, 2 * SECTORS, panel);
    const { fromSeconds: from, toSeconds: to } = shown.clock;
    const edge = (sector: number) => expect.closeTo(from + ((to - from) * sector) / SECTORS, 12) as number;
    expect(heard).toEqual([{ from: edge(2), to: edge(3) }, "This is all of the run."]);
  });

  it("says where no GPU was recorded, and where nothing lasts", async () => {
    const view = await measuredView();
    const shown = await summary.ask(view, quietTask, []);
    const content = summary.content(shown, view);
    expect(sectorFacts(content.clock, 0)).toContainEqual(["GPU occupancy", "no GPU recorded"]);
    expect(summary.controls(view, shown)[1]).toMatchObject({
      choices: expect.arrayContaining([
        expect.objectContaining({ value: "GPU", disabled: "Nothing was recorded of a GPU." }),
      ]) as unknown,
    });
    expect(summary.notes?.(shownOf(emptyClock()), view)).toEqual([
      expect.stringMatching(/^Only samples and marks were recorded/),
    ]);
    expect(summary.unmeasured?.({ ...view.dataSet, trace: undefined })).toMatch(/^No events were recorded/);
    expect(summary.notes?.(shownOf(clockOf({ leftOutGpus: 2 })), view)).toEqual([
      "2 GPUs name no rank: the restriction leaves them out.",
    ]);
  });

  it("highlights what most of a sector is spent on; other kinds stand back", async () => {
    const view = await measuredView();
    const content = await contentOf(view, await summary.ask(view, quietTask, []));
    const { clock } = content;
    const own = Array.from(eventKinds, (_, kind) => clock.kinds[5 * eventKinds.length + kind]);
    expect(longestKind(clock, 5)).toBe(eventKinds[own.indexOf(Math.max(...own))]);
    const bars = (kind: EventKind) => {
      const highlighted = { name: "", places: new Set<never>(), kinds: new Set([kind]) };
      return draw(content, { ...wide, highlighted }).below.filter(({ fillOpacity }) => fillOpacity !== undefined)
        .length;
    };
    // All of what is drawn is computing or communication.
    expect(bars("computing")).toBeGreaterThan(0);
    expect(bars("idle")).toBe(bars("computing") + bars("communication"));
  });

  it("finds the sector at a point, clockwise from the top, and none in its middle or outside", () => {
    const dial = { centre: { x: 100, y: 100 }, radius: 100 };
    const at = (degrees: number, distance: number) => ({
      x: 100 + distance * Math.sin((degrees * Math.PI) / 180),
      y: 100 - distance * Math.cos((degrees * Math.PI) / 180),
    });
    for (let sector = 0; sector < SECTORS; sector++)
      for (let other = 0; other < SECTORS; other++)
        expect(isInSector(dial, other, at(sector * 30 + 15, 70))).toBe(sector === other);
    expect(isInSector(dial, 0, at(15, 30))).toBe(false);
    expect(isInSector(dial, 0, at(15, 101))).toBe(false);
  });

  it("lays off what is chosen, as shares of whose time it says", async () => {
    const view = { ...(await measuredView()), state: { left: "exposed movement", right: "GPU" } as const };
    const { left, right } = summary.content(shownOf(clockOf()), view);
    expect(left).toMatchObject({ what: "exposed movement", of: "of the time of 2 GPUs" });
    expect([left.values[0], left.values[60], right.values[60]].map((one) => one.toFixed(9))).toEqual([
      "0.800000000",
      "0.000000000",
      "0.800000000",
    ]);
    for (const { least, most } of scalesOf(left, right)) expect([least, most.toFixed(9)]).toEqual([0, "0.800000000"]);
  });

  it("lays off any two counters that were recorded, with their means and extremes in each stretch", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "summary-"));
    const file = path.join(folder, "counters.json");
    const event = (ts: number, value: number) => ({ name: "power", ph: "C", pid: 1, ts, args: { watts: value } });
    const points = [event(0, 50), event(150_000, 250), event(1_200_000, 250)];
    const heat = { name: "heat", ph: "C", pid: 1, ts: 600_000, args: { degrees: -8 } };
    const work = { name: "work", ph: "X", pid: 1, tid: 1, ts: 0, dur: 1_200_000 };
    fs.writeFileSync(file, JSON.stringify({ traceEvents: [work, ...points, heat] }));
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: [file] });
    fs.rmSync(folder, { recursive: true });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    const plain = viewOf({ engine, info, scope }, summary.start);
    // As people choose them: among the kinds of work, by their names.
    const before = await summary.ask(plain, quietTask, []);
    const chosen = async (side: "left" | "right", name: RegExp) => {
      const control = summary.controls(plain, before).find(({ id }) => id === side);
      const choice = control?.kind === "select" ? control.choices.find(({ label }) => name.test(label)) : undefined;
      expect(choice).toMatchObject({ group: "counters" });
      return summary.choose(plain, side, choice?.value ?? "", undefined as never);
    };
    const state = { ...(await chosen("left", /power/)), ...(await chosen("right", /heat/)) };
    const view = { ...plain, state };
    const shown = await summary.ask(view, quietTask, [{ shown: before, revision: 1 }]);
    expect(shown.clock).toBe(before.clock);
    const content = parse(summaryContent, await contentOf(view, shown)) ?? expect.fail("not taken");
    // By hand: 10 ms a stretch; 50 until 150 ms, 250 from there on; −8 from 600 ms on.
    expect([...content.left.values]).toEqual(Array.from({ length: FINE }, (_, at) => (at < 15 ? 50 : 250)));
    expect([...content.right.values]).toEqual(Array.from({ length: FINE }, (_, at) => (at < 60 ? Number.NaN : -8)));
    // In the second sector half of the time each.
    const facts = new Map(markFacts(content, ROWS + 1).map(([what, ...said]) => [what, said]));
    expect(facts.get(content.left.what)).toEqual(["150 in the mean", "50 … 250"]);
    expect(facts.get(content.right.what)).toEqual(["no value"]);
    const [left, right] = scalesOf(content.left, content.right);
    expect([left.least, left.most]).toEqual([0, 250]);
    expect([right.least <= -8, right.most]).toEqual([true, 0]);
    // What is chosen stays chosen, and is kept.
    expect(parse(summary.state, state)).toEqual(state);
    expect(summary.controls(view, shown)[0]).toMatchObject({ value: JSON.stringify(Object.values(state.left ?? {})) });
    // Nothing is asked anew where nothing else is chosen.
    expect(await summary.ask(view, quietTask, [{ shown, revision: 2 }])).toBe(shown);
    await engine.dispose();
  });

  it("offers counters that the restriction leaves, and shows what says most where the chosen one is not there", async () => {
    const view = { ...(await measuredView()), state: counterState };
    const shown = shownOf(clockOf(), twoCounters());
    const labels = summary
      .controls(view, shown)
      .map((control) =>
        control.kind === "select" ? control.choices.flatMap(({ label, group }) => (group ? [label] : [])) : [],
      );
    for (const own of labels) expect(own.map((label) => label.split(" · ")[0])).toEqual(["power", "temperature"]);
    const without = shownOf(clockOf());
    const { left, right } = summary.content(without, view);
    expect([left.utilisation, right.utilisation]).toEqual(["computing", "GPU"]);
    expect(summary.controls(view, without).map((control) => control.kind === "select" && control.value)).toEqual([
      "computing",
      "GPU",
    ]);
    for (const value of ["", "nothing", "[]", '["a"]', '{"counter":"a"}', "[1,2]"])
      expect(summary.choose(view, "left", value, undefined as never)).toBeUndefined();
  });

  it("makes a sector the window of all views over time, and opens the timeline there", async () => {
    const view = await measuredView();
    const moved: unknown[] = [];
    const run: unknown[] = [];
    const windows = { show: (...what: unknown[]) => moved.push(what) };
    const handle = {
      view: { ...view, session: { ...view.session, windows } },
      run: (command: string) => Promise.resolve(run.push(command)),
    } as never;
    const shown = shownOf(clockOf());
    const { select, open: openSector } = summary.actions ?? {};
    await select(shown, 1, handle);
    await openSector(shown, ROWS + 11, handle);
    await select(shown, WHOLE, handle);
    const { id } = view.dataSet;
    expect(moved).toEqual([
      [id, { from: expect.closeTo(0.1, 9) as number, to: expect.closeTo(0.2, 9) as number }],
      [id, { from: expect.closeTo(1.1, 9) as number, to: 1.2 }],
      [id, undefined],
    ]);
    expect(run).toEqual(["heatflow.showTimeline"]);
    expect(details(summary.content(shown, view), 3)?.actions).toMatchObject([{ id: "open" }]);
  });

  it("asks once while only another quantity is laid off", async () => {
    const view = await measuredView();
    const shown = await summary.ask(view, quietTask, []);
    const other = { ...view, state: { left: "idle" } as const };
    expect(await summary.ask(other, quietTask, [{ shown, revision: 1 }])).toBe(shown);
  });
});

test("a lane that is highlighted elsewhere is said to be in the sums; a kind of work has no such words", async () => {
  const window = await PanelWindow.start(summary.id, summary.title);
  const panel = await openPage(window, { width: 800 });
  const view = await measuredView();
  await sendSample(panel, summary, { name: "measured", view, shown: await summary.ask(view, quietTask, []) });
  const legend = panel.page.locator(".legend");
  await panel.send({ type: "highlight", revision: 1, name: "rank 3", places: [], kinds: [] });
  // The sample program's eight ranks have one thread each.
  await legend.getByText("rank 3: in the sums of 8 lanes").waitFor();
  await panel.send({ type: "highlight", revision: 1, name: "communication", places: [], kinds: ["communication"] });
  await legend.getByText("communication", { exact: true }).waitFor();
  expect(await window.endTest(false)).toEqual([]);
  await window.stop();
});

describe("playing", () => {
  const shownWindow = async (reducedMotion: boolean) => {
    const window = await PanelWindow.start(summary.id, summary.title);
    const view = await measuredView();
    const shown = await summary.ask(view, quietTask, []);
    const panel = await openPage(window, { width: 800, reducedMotion });
    await sendSample(panel, summary, { name: "measured", view, shown });
    const follow = async (sent: { window?: unknown }) => {
      const { window: now } = sent as { window?: { from: number; to: number } };
      const part = await contentOf({ ...view, window: now }, shown);
      await panel.send({ type: "part", revision: 1, part: { window: part.window } });
    };
    const next = async () => {
      let found: Awaited<ReturnType<typeof panel.sent>>[number] | undefined;
      await expect
        .poll(async () => (found = (await panel.sent()).find(({ type }) => type === "window")), { timeout: 5000 })
        .toBeDefined();
      return found as unknown as { window: { from: number; to: number } };
    };
    return { window, panel, shown, follow, next };
  };

  it("moves the window sector by sector, until it is paused", async () => {
    const { window, panel, shown, follow, next } = await shownWindow(false);
    const { fromSeconds: from, toSeconds: to } = shown.clock;
    await panel.page.getByRole("button", { name: /^Play/ }).click();
    for (const sector of [0, 1]) {
      const sent = await next();
      expect(sent.window.from).toBeCloseTo(from + (sector * (to - from)) / SECTORS, 9);
      await follow(sent);
    }
    await panel.page.getByRole("button", { name: /^Pause/ }).click();
    await panel.page.getByRole("button", { name: /^Play/ }).waitFor();
    await window.stop();
  });

  it("goes on by a key where people asked for less motion", async () => {
    const { window, panel, follow, next } = await shownWindow(true);
    const button = panel.page.getByRole("button", { name: "Next sector" });
    await button.press("Enter");
    const first = await next();
    await follow(first);
    await button.press("Enter");
    const second = await next();
    expect(second.window.from).toBeCloseTo(first.window.to, 9);
    await window.stop();
  });
});
