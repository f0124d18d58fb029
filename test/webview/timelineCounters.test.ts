import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { formatStretch, formatValue } from "../../src/model/units";
import { entryOf } from "../../src/model/maps";
import type { PanelHandle } from "../../src/panels/kit/definition";
import { metrics } from "../../src/panels/metrics/definition";
import type { TimelineShown } from "../../src/panels/timeline/shown";
import type { TimelineState } from "../../src/protocol/timeline";
import { recordings } from "../recordings";
import { levelSteps, naiveSums, type NaiveStep } from "../unit/engine/traces/naiveSteps";
import { counterRecording, LENGTH, removeCounterRecording } from "./useMetrics";
import { draw } from "../../webviews/timeline/drawing";
import { crossedTexts, shapesOf } from "./kit/crossing";
import { plainTheme } from "./kit/plainTheme";
import { partsOf } from "./kit/showing";
import { timeline, timelineLooked, timelineView, useTimeline } from "./useTimeline";
import { drawn, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const page = useTimeline();
const shared = recordings();
afterAll(removeCounterRecording);

/** What all counters of the recording are of. */
const PROCESS = "solver (1)";

/** What each counter of the recording holds, by its name: read from the file's own lines. */
function recordedSteps(): Map<string, NaiveStep[]> {
  const { traceEvents } = JSON.parse(fs.readFileSync(counterRecording(), "utf8")) as {
    traceEvents: { ph: string; name: string; ts: number; args: { value: number } }[];
  };
  const points = new Map<string, { seconds: number; value: number }[]>();
  for (const { ph, name, ts, args } of traceEvents)
    if (ph === "C") entryOf(points, name, () => []).push({ seconds: ts / 1e6, value: args.value });
  return new Map([...points].map(([name, all]) => [name, levelSteps(all)]));
}

/** Counters that change during the run, by how much they vary in a window; those that do not vary in it are last, by name. */
function byVariance(from: number, to: number): string[] {
  const changing = [...recordedSteps()].filter(([, steps]) => new Set(steps.map(({ value }) => value)).size > 1);
  const variance = new Map(changing.map(([name, steps]) => [name, naiveSums(steps, from, to, LENGTH).variance]));
  return [...variance.keys()].sort((a, b) => (variance.get(b) ?? 0) - (variance.get(a) ?? 0) || a.localeCompare(b));
}

/** What the drawing says beside and in its rows, from top to bottom. */
async function gutter(): Promise<string[]> {
  const box = await page.panel.page.locator(".drawing").boundingBox();
  const texts = await page.panel.page.locator(".drawing .above text, .drawing g[aria-hidden] text").evaluateAll((all) =>
    all.map((one) => ({
      text: one.querySelector("title") === null ? one.textContent : (one.querySelector("title")?.textContent ?? ""),
      y: one.getBoundingClientRect().top,
    })),
  );
  const bottom = (box?.y ?? 0) + (box?.height ?? 0);
  return texts
    .filter(({ y }) => y > bottom - 6 * 34)
    .sort((a, b) => a.y - b.y)
    .map(({ text }) => text.replaceAll("\u00a0", " "));
}

/** The middle of a row of so many, in the page. */
async function rowAt(row: number, of = 3) {
  const box = await page.panel.page.locator(".drawing").boundingBox();
  if (!box) throw new Error("no drawing");
  return box.y + box.height - (of - row) * 34 + 17;
}

const open = (state: Partial<TimelineState> = {}) => page.show(state, { file: [counterRecording()] });

describe("recorded counters", () => {
  it("stand below the lanes, those that vary most in the window first, with their largest value", async () => {
    await open();
    const expected = (from: number, to: number) =>
      byVariance(from, to).flatMap((name) => {
        const most = Math.max(...(recordedSteps().get(name) ?? []).map(({ value }) => value));
        return [`${name} · ${PROCESS}`, `≤ ${formatValue(most, "1")}`.replaceAll("\u00a0", " ")];
      });
    expect(await gutter()).toEqual(expected(0, LENGTH));
    for (const window of [
      { from: 0.1, to: 0.6 },
      { from: 0.9, to: 1.1 },
      { from: 3, to: 3.05 },
    ]) {
      await page.panel.send({ type: "window", window });
      await page.settle();
      expect(await gutter()).toEqual(expected(window.from, window.to));
    }
    expect(byVariance(0.1, 0.6)).not.toEqual(byVariance(0, LENGTH));
  });

  it("are asked for when marks are there, and stay until others have come", async () => {
    await open();
    const content = () => timeline.content(page.shown, page.view);
    expect([content().counterRows, content().counters]).toEqual([3, undefined]);
    await page.panel.sent();
    // Marks of another window come: what is known of the counters is still drawn.
    await page.panel.send({ type: "window", window: { from: 1, to: 1.01 } });
    await drawn(page.panel.page);
    const [asked] = (await page.panel.sent()).filter(({ type }) => type === "look");
    expect(asked.look).not.toHaveProperty("keepsMarks");
    const before = await gutter();
    await page.panel.send({ type: "content", revision: 1, content: content() });
    await drawn(page.panel.page);
    expect(await gutter()).toEqual(before);
    expect(before).toContain(`power · ${PROCESS}`);
  });

  it("say where they are pointed at what they have in that column", async () => {
    await open();
    const { left, width } = await page.area();
    const order = byVariance(0, LENGTH);
    for (const [name, share] of [
      ["power", 0.3],
      ["power", 0.7],
      ["memory used", 0.5],
    ] as const) {
      const x = Math.round(left + share * width);
      await page.panel.page.mouse.move(x, await rowAt(order.indexOf(name)));
      const tooltip = page.panel.page.locator("[role=tooltip]");
      await tooltip.getByText(`${name} · ${PROCESS}`).waitFor();
      const words = (await tooltip.innerText()).replaceAll(/\s+/g, " ");
      // Columns are as wide as a power of two.
      const step = 2 ** Math.ceil(Math.log2(LENGTH / width));
      const column = Math.floor((((x - left) / width) * LENGTH) / step) * step;
      const { least, most } = naiveSums(recordedSteps().get(name) ?? [], column, column + step, LENGTH);
      expect(words).toContain(formatStretch(column, column + step));
      if (least === most) expect(words).toContain(`value ${formatValue(least, "1")}`);
      else expect(words).toContain(`least ${formatValue(least, "1")} most ${formatValue(most, "1")}`);
    }
    await screenshot(page.panel.page, "timeline-counters-pointed");
  });

  it("are reached by keyboard below the last lane, and lead to their metrics by Enter and by a click", async () => {
    await open();
    const { keyboard, mouse } = page.panel.page;
    await page.panel.page.locator(".drawing [tabindex='0']").focus();
    const name = () => page.panel.page.locator(".drawing :focus").getAttribute("aria-label");
    const order = byVariance(0, LENGTH);
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowDown");
    expect(await name()).toMatch(new RegExp(`^${order[0]} · solver \\(1\\), least`));
    await keyboard.press("ArrowDown");
    expect(await name()).toMatch(new RegExp(`^${order[1]} · solver`));
    for (let up = 0; up < 2; up++) await keyboard.press("ArrowUp");
    expect(await name()).toMatch(/^assemble/);
    await keyboard.press("ArrowDown");
    await page.settle();
    const used = async () => (await page.settle()).filter(({ type }) => type === "mark");
    await keyboard.press("Enter");
    const [{ action, mark }] = await used();
    expect(action).toBe("metrics");
    await mouse.click((await page.area()).left + 200, await rowAt(0));
    expect(await used()).toEqual([expect.objectContaining({ action, mark })]);
    const run = vi.fn();
    const handle = { view: page.view, run } as unknown as PanelHandle<TimelineState, TimelineShown>;
    await timeline.actions?.metrics(page.shown, mark as number, handle);
    // The process that it was recorded of has both lanes.
    expect(run).toHaveBeenCalledWith(
      "heatflow.showMetrics",
      { target: undefined, name: PROCESS, at: { lanes: [0, 1] } },
      { quantity: order[0] },
    );
    expect(metrics.opened?.({} as never, { quantity: order[0] })).toEqual({ quantity: order[0] });
    expect(metrics.opened?.({} as never, { quantity: 7 })).toBeUndefined();
  });

  it("are hidden by a tool, which says why where there are none", async () => {
    await open({ counters: false });
    expect((await gutter()).filter((text) => text.startsWith("≤"))).toEqual([]);
    const tool = () => timeline.controls(page.view, page.shown).find(({ id }) => id === "counters");
    expect(tool()).toMatchObject({ on: false });
    expect(await timeline.choose(page.view, "counters", "", {} as never)).toEqual({ counters: true });
    await page.show();
    expect(tool()).toMatchObject({ on: false, disabled: "No counters are recorded." });
    expect(timeline.content(page.shown, page.view).counterRows).toBe(0);
  });

  it("have no row if they do not change, unless they are asked for", async () => {
    await open();
    const rows = async () => (await gutter()).filter((text) => text.endsWith(PROCESS));
    const tool = (id: string) => timeline.controls(page.view, page.shown).find((one) => one.id === id);
    const content = () => timeline.content(page.shown, page.view);
    expect(await rows()).toHaveLength(3);
    expect(content().counterRows).toBe(3);
    expect(tool("constantCounters")).toMatchObject({
      name: "Counters that do not change (1)",
      on: false,
      tucked: true,
    });
    const asked = await timeline.choose(page.view, "constantCounters", "", {} as never);
    await open(asked as Partial<TimelineState>);
    expect(await rows()).toEqual([...byVariance(0, LENGTH), "GPUs"].map((name) => `${name} · ${PROCESS}`));
    expect(content().counterRows).toBe(4);
    expect(tool("constantCounters")).toMatchObject({ on: true });
    await screenshot(page.panel.page, "timeline-counters-constant");
  });

  it("have no room if all of them stay as they are: the tool says why", async () => {
    const point = (name: string, ts: number, value: number) => ({ ph: "C", pid: 1, name, ts, args: { value } });
    const points = [0, 1, 2, 3].flatMap((at) => [point("GPUs", at * 1e6, 4), point("cores", at * 1e6, at < 9 ? 8 : 9)]);
    const event = { ph: "X", pid: 1, tid: 1, name: "solve", ts: 0, dur: 4e6 };
    const file = path.join(path.dirname(counterRecording()), "constant.json");
    fs.writeFileSync(file, JSON.stringify({ traceEvents: [event, ...points] }));
    await page.show({}, { file: [file] });
    expect(timeline.content(page.shown, page.view).counterRows).toBe(0);
    expect((await gutter()).filter((text) => text.startsWith("≤"))).toEqual([]);
    expect(timeline.controls(page.view, page.shown).filter(({ id }) => /counters/i.test(id))).toMatchObject([
      { on: false, disabled: expect.stringMatching(/^The counters do not change\./) },
      { name: "Counters that do not change (2)", on: false },
    ]);
    await page.show({ constantCounters: true }, { file: [file] });
    expect((await gutter()).filter((text) => text.startsWith("≤"))).toEqual(["≤ 4", "≤ 8"]);
  });

  it("have their whole names, in the rows where there is no room beside them, and free of the curves", async () => {
    for (const width of [400, 600, 1400]) {
      await page.show({}, { file: [counterRecording()], width, height: 700 });
      const box = await page.panel.page.locator(".drawing").boundingBox();
      const { left } = await page.area();
      const texts = await page.panel.page
        .locator(".drawing text")
        .evaluateAll((all) => all.map((one) => ({ text: one.textContent, box: one.getBoundingClientRect() })));
      for (const [row, name] of byVariance(0, LENGTH).entries()) {
        const own = texts.find(({ text }) => text === `${name} · ${PROCESS}`);
        expect(own, `${name} at ${width}`).toBeDefined();
        if (!own || own.box.left < left) continue;
        // What the canvas shows in the letters' lines: the grid, and nothing that is as light as a curve.
        const top = (box?.height ?? 0) - (3 - row) * 34 + 3;
        const light = await page.panel.page
          .locator(".stage canvas:visible")
          .first()
          .evaluate(
            (canvas, [x, y]) => {
              const context = (canvas as HTMLCanvasElement).getContext("2d");
              const { data } = context?.getImageData(x, y, 300, 10) ?? { data: new Uint8ClampedArray(0) };
              return data.filter((value, at) => at % 4 !== 3 && value > 110).length;
            },
            [Math.round(left) + 2, Math.round(top)],
          );
        expect(light, `${name} at ${width}`).toBe(0);
      }
    }
  });

  it("have names that no line of the grid goes through", async () => {
    const { view, shown } = await timelineLooked(await timelineView({}, [counterRecording()]));
    for (const part of await partsOf(timeline, shown, view)) {
      const content = { ...timeline.content(shown, view), ...part };
      for (const width of [400, 600, 1400]) {
        const measure = (size: number) => (text: string) => text.length * size * 0.6;
        const drawing = { width, height: 620, theme: plainTheme, measure };
        const shapes = shapesOf(draw(content, drawing));
        expect(shapes.filter((shape) => shape.kind === "text" && shape.text.endsWith(PROCESS)).length).toBe(3);
        expect(crossedTexts(shapes, drawing), String(width)).toEqual([]);
      }
    }
  });

  it.skipIf(shared === undefined)(
    "of a recording without events are named apart, and nothing is said of ranks",
    async () => {
      const file = path.join(shared ?? "", "data/paje/traces/g5k.trace");
      for (const width of [400, 600, 1400]) {
        await page.show({ constantCounters: true }, { file: [file], width, height: 700 });
        const texts = await gutter();
        const names = texts.filter((text) => / · /.test(text));
        expect(names.length, String(width)).toBe(6);
        expect(new Set(names).size).toBe(6);
        expect(texts.filter((text) => /\d/.test(text) && !names.includes(text)).length).toBeGreaterThanOrEqual(6);
        expect(timeline.notes?.(page.shown, page.view)).toEqual(
          expect.arrayContaining(["No events are recorded, so there are no lanes."]),
        );
        expect(await page.panel.page.locator("#app").innerText()).not.toContain("rank");
      }
      await page.show({}, { file: [file] });
      expect(timeline.notes?.(page.shown, page.view)).toContainEqual({
        text: expect.stringMatching(/^\d+ counters do not change\.$/),
        link: { id: "constantCounters", text: "Show Them" },
      });
      const change = vi.fn();
      await timeline.links?.constantCounters({ change } as unknown as PanelHandle<TimelineState, TimelineShown>);
      expect(change).toHaveBeenCalledWith({ counters: true, constantCounters: true });
    },
  );

  it.skipIf(shared === undefined)("of a GPU have their units", async () => {
    const file = path.join(shared ?? "", "data/dmtracker/gemm-kernels/kernel-opt-5-2.json");
    await page.show({}, { file: [file] });
    const [head, ...lines] = fs.readFileSync(file.replace(/json$/, "csv"), "utf8").trim().split("\n");
    const column = head.split(", ").indexOf("power_draw_w");
    const most = Math.max(...lines.map((line) => Number(line.split(", ")[column])));
    const texts = (await gutter()).join(" ");
    expect(texts).toContain(`≤ ${formatValue(most, "W")}`);
    await screenshot(page.panel.page, "timeline-counters-gpu");
  });

  it.skipIf(shared === undefined)(
    "stand below kernels that are called what people read, whose whole names stay as recorded",
    async () => {
      const file = path.join(shared ?? "", "data/dmtracker/gemm-kernels/kernel-opt-5-2.json");
      await page.show({}, { file: [file] });
      const mangled = [...new Set(fs.readFileSync(file, "utf8").match(/_Z\d+\w+/g))];
      expect(mangled.length).toBeGreaterThan(0);
      const { names, shown } = timeline.content(page.shown, page.view);
      for (const name of mangled) {
        // `_Z8sgemm_v2…`: eight letters.
        const [, length, rest] = /^_Z(\d+)(\w+)$/.exec(name) ?? [];
        const at = names.indexOf(name);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(shown?.[at]).toBe(rest.slice(0, Number(length)));
      }
      await page.panel.page.getByRole("button", { name: /^Table/ }).click();
      await page.panel.page.getByRole("tab", { name: "functions" }).click();
      await page.settle();
      const table = await page.panel.page.locator(".table:visible").innerText();
      for (const name of mangled) expect(table).not.toContain(name);
    },
  );

  it("leave lanes their room in every size and theme; it is looked at", async () => {
    const most = byVariance(0, LENGTH)
      .map((name) => recordedSteps().get(name) ?? [])
      .map((steps) => formatValue(Math.max(...steps.map(({ value }) => value)), "1").replaceAll("\u00a0", " "))
      .sort();
    for (const theme of themeNames)
      for (const width of [400, 600, 1400]) {
        await page.show({}, { file: [counterRecording()], theme, width, height: 700 });
        await page.settle();
        // A value is there as a whole, or not at all.
        expect(
          (await gutter())
            .map((text) => text.replace("≤ ", ""))
            .filter((text) => most.includes(text))
            .sort(),
        ).toEqual(most);
        await screenshot(page.panel.page, `timeline-counters-${theme}-${width}`);
      }
  });
});
