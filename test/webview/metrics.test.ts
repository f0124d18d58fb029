import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { formatStretch, formatValue, threeDigits } from "../../src/model/units";
import { metrics } from "../../src/panels/metrics/definition";
import type { MetricsShown } from "../../src/panels/metrics/shown";
import type { EventKind } from "../../src/protocol/timeline";
import { draw } from "../../webviews/metrics/drawing";
import { crossedTexts, shapesOf } from "./kit/crossing";
import { plainTheme } from "./kit/plainTheme";
import { recordings } from "../recordings";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import type { MetricsSeen } from "../../webviews/metrics/seen";
import { RowAxis } from "../../webviews/metrics/axes";
import { GUTTER } from "../../webviews/metrics/seen";
import { metricsSight } from "../../webviews/metrics/sight";
import { layoutOf, rowPlace } from "../../webviews/metrics/rows";
import { counterRecording, LENGTH, metricsShown, metricsView, powerPoints, useMetrics } from "./useMetrics";
import { miniheatMessages } from "./useTimeline";
import { screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const page = useMetrics();
const shared = recordings();

/** What the engine answers, with other names, and many more rows than have room. */
function renamed(shown: MetricsShown): MetricsShown {
  const { facts } = shown;
  const rows = facts.rows.map((fact, at) => ({
    ...fact,
    name: HOSTILE_NAME + at,
    unit: HOSTILE_NAME,
    says: HOSTILE_NAME,
  }));
  return { ...shown, facts: { ...facts, rows, resources: [{ name: HOSTILE_NAME, type: "", parent: -1 }] } };
}

panelLaws({
  definition: metrics,
  draw,
  async samples() {
    const view = await metricsView({}, [counterRecording()]);
    const derived = await metricsView();
    const fitted = await metricsView({ scale: "window", order: "name" }, [counterRecording()]);
    const shown = await metricsShown(view);
    const gemm =
      shared === undefined
        ? []
        : [await metricsView({}, [path.join(shared, "data/dmtracker/gemm-kernels/kernel-opt-5-2.json")])];
    return [
      { name: "counters", view, shown },
      { name: "events and messages", view: derived, shown: await metricsShown(derived), isPictured: true },
      { name: "from least to most", view: fitted, shown: await metricsShown(fitted) },
      ...(await Promise.all(
        gemm.map(async (one) => ({ name: "gemm", view: one, shown: await metricsShown(one), isPictured: true })),
      )),
      { name: "hostile names", view, shown: renamed(shown) },
    ];
  },
});

describe("a name", () => {
  it("is whole wherever some of the row's numbers have room beside it", async () => {
    const view = await metricsView();
    const content = metrics.content(await metricsShown(view), view);
    const measure = (size: number) => (text: string) => text.length * size * 0.6;
    const { above } = draw(content, { width: 400, height: 620, theme: plainTheme, measure });
    const texts = above.flatMap((shape) => (shape.kind === "text" ? [shape.text.replaceAll("\u00a0", " ")] : []));
    expect(texts).toContain("bytes sent, not yet received");
    expect(texts).toContain("0 B – 49.2 kB");
    expect(texts).toContain("0 – 8, mean 6.58");
  });
});

describe("an axis", () => {
  it("of bytes names no part of one", async () => {
    const view = await metricsView();
    const content = metrics.content(await metricsShown(view), view);
    const row = content.units.indexOf("B");
    expect(row).toBeGreaterThanOrEqual(0);
    for (const [most, texts] of [
      [0, ["0 B", "1 B"]],
      [3, ["0 B", "1 B", "2 B", "3 B"]],
      [5e4, ["0 B", "10 kB", "20 kB", "30 kB", "40 kB", "50 kB"]],
    ] as const) {
      const { ticks } = new RowAxis({ ...content, most: content.most.map(() => most) }, row, 0, 190);
      expect(ticks.map(({ text }) => text.replaceAll("\u00a0", " "))).toEqual(texts);
    }
  });
});

describe("a row", () => {
  it("has a name and numbers that no line of the grid goes through", async () => {
    for (const files of [[counterRecording()], miniheatMessages]) {
      const view = await metricsView({}, files);
      const content = metrics.content(await metricsShown(view), view);
      for (const width of [400, 600, 1400]) {
        const measure = (size: number) => (text: string) => text.length * size * 0.6;
        const drawing = { width, height: 620, theme: plainTheme, measure };
        expect(crossedTexts(shapesOf(draw(content, drawing)), drawing), String(width)).toEqual([]);
      }
    }
  });
});

describe("the strip", () => {
  it("has the name of its row above the curve, which it does not cross", async () => {
    await page.show({}, { file: miniheatMessages, width: 600 });
    const { strip } = metrics.content(page.shown, page.view);
    expect(strip?.row).toBeDefined();
    // Letters are grey, the row that varies most has the colour of its kind.
    const colored = await page.panel.page.locator(".strip canvas").evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const context = (canvas as HTMLCanvasElement).getContext("2d");
      const { data } = context?.getImageData(0, 0, width, height) ?? { data: new Uint8ClampedArray(0) };
      const rows = new Set<number>();
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue, alpha] = data.subarray(at, at + 4);
        if (alpha > 40 && Math.max(red, green, blue) - Math.min(red, green, blue) > 40)
          rows.add(Math.floor(at / 4 / width));
      }
      return [...rows];
    });
    expect(colored.length).toBeGreaterThan(8);
    expect(Math.min(...colored)).toBeGreaterThanOrEqual(14);
  });
});

async function windowOf(): Promise<{ from: number; to: number }> {
  const kept = (await page.panel.kept()) as { seen?: MetricsSeen } | undefined;
  const { facts } = page.shown;
  return { from: kept?.seen?.from ?? facts.startSeconds, to: kept?.seen?.to ?? facts.endSeconds };
}

/** Where rows are drawn, and the middle of a row's plot. */
async function places() {
  const box = await page.panel.page.locator(".drawing").boundingBox();
  if (!box) throw new Error("no drawing");
  const { order, names } = metrics.content(page.shown, page.view);
  const layout = layoutOf(names.length, box.height - 20);
  const yOf = (name: string) => {
    const { plotY, plotHeight } = rowPlace(layout, order.indexOf(names.indexOf(name)));
    return box.y + 20 + plotY + plotHeight / 2;
  };
  return { left: box.x + GUTTER, top: box.y + 20, width: box.width - GUTTER, yOf };
}

/** What the power has in a stretch, from its points: a level holds from each to the next. */
function powerIn(from: number, to: number) {
  const points = powerPoints();
  const held = points.flatMap(({ seconds, value }, at) => {
    const length = Math.min(to, points.at(at + 1)?.seconds ?? LENGTH) - Math.max(from, seconds);
    return length > 0 ? [{ value, length }] : [];
  });
  const length = held.reduce((sum, one) => sum + one.length, 0);
  const mean = held.reduce((sum, one) => sum + one.value * one.length, 0) / length;
  const spread = held.reduce((sum, one) => sum + (one.value - mean) ** 2 * one.length, 0) / length;
  const values = held.map(({ value }) => value);
  return { least: Math.min(...values), most: Math.max(...values), mean, variance: spread / mean ** 2 };
}

/** The rows' numbers as the table has them. */
async function tableRows(): Promise<Record<string, string[]>> {
  const rows = await page.panel.page
    .locator(".table:visible tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent.trim())));
  return Object.fromEntries(rows.map(([name, ...numbers]) => [name, numbers]));
}

const watts = (value: number) => formatValue(value, "1");

describe("the window", () => {
  it("is written with its length, and with what a column is; the wheel zooms it, and the moment at the pointer stays there", async () => {
    await page.show();
    expect(await page.summary()).toMatch(/^whole trace · 4.00 s · 5 rows · least to most of each 3.91 ms$/);
    const { left, top, width } = await places();
    const x = Math.round(left + width / 3);
    await page.panel.page.mouse.move(x, top + 100);
    await page.panel.page.mouse.wheel(0, -200);
    await page.settle();
    const { from, to } = await windowOf();
    const share = (x - left) / width;
    expect(to - from).toBeCloseTo(LENGTH / Math.E, 9);
    expect(from + share * (to - from)).toBeCloseTo(share * LENGTH, 9);
    expect(await page.summary()).toMatch(/^[\d.]+ – [\d.]+ s · 1.47 s of 4.00 s · least to most of each 1.95 ms$/);
  });

  it("is told to other views, and follows them, with the rows that vary most in it first", async () => {
    await page.show();
    const inOrder = () => {
      const { order, names } = metrics.content(page.shown, page.view);
      return Array.from(order, (row) => names[row]);
    };
    expect(inOrder()).toEqual(["memory used", "power", "lanes computing", "temperature", "GPUs"]);
    const window = { from: 0.1, to: 0.6 };
    await page.panel.send({ type: "window", window });
    expect((await page.settle()).filter(({ type }) => type === "window")).toEqual([]);
    expect(await windowOf()).toEqual(window);
    expect(inOrder().slice(0, 2)).toEqual(["power", "temperature"]);
    // What does not change in it comes last, as it was recorded.
    const recorded = page.shown.facts.rows.map(({ name }) => name);
    expect(inOrder().slice(2)).toEqual(recorded.filter((name) => !["power", "temperature"].includes(name)));
    await page.panel.page.locator(".drawing [tabindex='0']").first().focus();
    await page.panel.page.keyboard.press("d");
    const told = await vi.waitFor(async () => {
      const [one] = (await page.settle()).filter(({ type }) => type === "window").slice(-1);
      if (!one) throw new Error("nothing was told");
      return one;
    });
    expect(told.window).toEqual(await windowOf());
    await page.show({}, { before: { type: "window", window } });
    expect(await windowOf()).toEqual(window);
  });
});

describe("a row", () => {
  it("has a bar where it is highlighted; rows of other kinds stand back for one that is", async () => {
    const view = await metricsView();
    const content = metrics.content(await metricsShown(view), view);
    const wide = { width: 1000, height: 600, theme: plainTheme, measure: () => (text: string) => text.length * 6 };
    const of = (places: readonly number[], kinds: readonly EventKind[]) => {
      const highlighted = { name: "", places: new Set(places), kinds: new Set(kinds) };
      const scene = draw(content, { ...wide, highlighted });
      const curves = [...(scene.many?.shapes({ found: undefined, selected: undefined }) ?? [])];
      const bars = scene.above.filter((shape) => shape.kind === "box" && shape.box.x === 0 && shape.box.width === 3);
      return [bars.length, curves.filter(({ opacity }) => opacity !== undefined && opacity < 1).length > 0];
    };
    expect([of([], []), of([0], []), of([], ["idle"])]).toEqual([
      [0, false],
      [1, false],
      [0, true],
    ]);
  });

  it("is scrolled to where it is highlighted out of sight, and no other of them is in sight", async () => {
    const view = await metricsView();
    const content = metrics.content(await metricsShown(view), view);
    const { order } = content;
    const low = { width: 1000, height: 120, theme: plainTheme, measure: () => (text: string) => text.length * 6 };
    const topAfter = (rows: readonly number[]) =>
      metricsSight.moved(content, undefined, { kind: "rows", rows }, low)?.top ?? 0;
    const last = order[order.length - 1];
    expect(topAfter([last])).toBeGreaterThan(0);
    expect([topAfter([]), topAfter([order[0]]), topAfter([last, order[0]]), topAfter([1e6])]).toEqual([0, 0, 0, 0]);
  });

  it("is selected of the kind of work that a function is which is selected elsewhere", async () => {
    const view = await metricsView();
    const shown = await metricsShown(view);
    const rowOf = async (name: string) => {
      const target = { kind: "context", context: 0 } as const;
      const mark = await metrics.markOf?.(
        shown,
        { dataSet: view.dataSet.id, target, name, origin: "flameGraph" },
        view,
      );
      return typeof mark === "number" ? shown.facts.rows[shown.rows[mark]].name : mark;
    };
    expect([await rowOf("MPI_Allreduce"), await rowOf("main"), await rowOf("nobody")]).toEqual([
      "ranks in MPI",
      "lanes computing",
      undefined,
    ]);
    // Without events there is no such row, and nothing is asked.
    const counters = { ...shown, facts: { ...shown.facts, rows: [] }, rows: [] };
    const engine = { timelineKinds: () => Promise.reject(new Error("not recorded")) };
    const session = { ...view.session, engine } as unknown as typeof view.session;
    const selected = { target: { kind: "context", context: 0 }, name: "main", origin: "", dataSet: 1 } as const;
    expect(await metrics.markOf?.(counters, selected, { ...view, session })).toBeUndefined();
  });

  it("says where it is pointed at what it has in that column: time, least, most and mean", async () => {
    await page.show();
    const { left, width, yOf } = await places();
    for (const share of [0.1, 0.4, 0.7]) {
      const x = Math.round(left + share * width);
      await page.panel.page.mouse.move(x, yOf("power"));
      const tooltip = page.panel.page.locator("[role=tooltip]");
      await tooltip.getByText("least").waitFor();
      const words = (await tooltip.innerText()).replaceAll(/\s+/g, " ");
      // Columns are as wide as a power of two.
      const step = 2 ** -8;
      const column = Math.floor(((x - left) / width) * (LENGTH / step)) * step;
      const { least, most, mean } = powerIn(column, column + step);
      expect(words).toContain(formatStretch(column, column + step));
      for (const [what, value] of Object.entries({ least, most, mean }))
        expect(words).toContain(`${what} ${watts(value)}`);
    }
    await screenshot(page.panel.page, "metrics-pointed");
  });

  it("is selected by a click, with its numbers in the window; arrow keys lead to others", async () => {
    await page.show();
    const { left, yOf } = await places();
    await page.panel.page.mouse.click(left + 300, yOf("power"));
    const details = page.panel.page.locator(".details");
    await details.getByText("power · solver").waitFor();
    const { least, most, mean, variance } = powerIn(0, LENGTH);
    const words = (await details.innerText()).replaceAll(/\s+/g, " ");
    for (const said of [`least ${watts(least)}`, `most ${watts(most)}`, `mean ${watts(mean)}`])
      expect(words).toContain(said);
    expect(words).toContain(threeDigits(variance));
    await page.panel.page.keyboard.press("End");
    expect(await page.panel.page.locator(":focus").getAttribute("aria-label")).toMatch(/^GPUs · solver/);
    await page.panel.page.keyboard.press("ArrowUp");
    expect(await page.panel.page.locator(":focus").getAttribute("aria-label")).toMatch(/^temperature/);
    await page.panel.page.keyboard.press("Enter");
    expect(await page.settle()).toContainEqual(expect.objectContaining({ type: "mark", action: "open" }));
  });

  it("leads by a double click to the moment: the window is told before the timeline is asked for", async () => {
    await page.show();
    const { left, width, yOf } = await places();
    await page.panel.page.mouse.dblclick(left + width / 2, yOf("power"));
    const sent = (await page.settle()).filter(({ type, action }) => type === "window" || action === "open");
    expect(sent.map(({ type }) => type)).toEqual(["window", "mark"]);
    const { from, to } = await windowOf();
    expect(sent[0].window).toEqual({ from, to });
    expect((from + to) / 2).toBeCloseTo(LENGTH / 2, 2);
    expect(to - from).toBeCloseTo(LENGTH / 10, 9);
    const ran: string[] = [];
    const handle = { run: (command: string) => Promise.resolve(void ran.push(command)) };
    await metrics.actions?.open(page.shown, 0, handle as never);
    expect(ran).toEqual(["heatflow.showTimeline"]);
  });

  it("is found by name, scrolled to in a low panel, and the table has the numbers of the window for all", async () => {
    await page.show({}, { width: 600, height: 330 });
    const panel = page.panel.page;
    await panel.getByRole("button", { name: /^Search/ }).click();
    await panel.getByRole("textbox", { name: "Search" }).fill("gpus");
    await panel.locator(".search", { hasText: "1 row" }).waitFor();
    await panel.getByRole("textbox", { name: "Search" }).press("Enter");
    await page.settle();
    expect(await panel.locator(".drawing text", { hasText: "GPUs" }).count()).toBe(1);
    await page.show();
    await page.panel.page.getByRole("button", { name: /^Table/ }).click();
    await page.panel.send({ type: "window", window: { from: 0.5, to: 1.5 } });
    await page.settle();
    const { least, most, mean, variance } = powerIn(0.5, 1.5);
    const rows = await tableRows();
    expect(Object.keys(rows)).toHaveLength(5);
    expect(rows.power.slice(1, 5)).toEqual([watts(mean), watts(least), watts(most), threeDigits(variance)]);
    // One lane all of the time, the other for half of it.
    expect(rows["lanes computing"].slice(1, 4)).toEqual(["1.5", "1", "2"]);
    await screenshot(panel, "metrics-table");
  });
});

describe("what is measured", () => {
  it("is a drag on the ruler: numbers are of it, and it is what all numbers are restricted to", async () => {
    await page.show();
    const { left, top, width } = await places();
    const panel = page.panel.page;
    await panel.getByRole("button", { name: /^Table/ }).click();
    await panel.mouse.move(left + 200, top - 8);
    await panel.mouse.down();
    await panel.mouse.move(left + 500, top - 8, { steps: 3 });
    await panel.mouse.up();
    await page.settle();
    const range = { from: (200 / width) * LENGTH, to: (500 / width) * LENGTH };
    const { least, most, mean } = powerIn(range.from, range.to);
    expect((await tableRows()).power.slice(1, 4)).toEqual([watts(mean), watts(least), watts(most)]);
    const words = (await panel.locator(".details").innerText()).replaceAll(/\s+/g, " ");
    expect(words).toContain(formatValue(range.to - range.from, "s").replaceAll(/\s+/g, " "));
    expect(words).toContain(`mean ${watts(mean)}`);
    await panel.getByRole("button", { name: "Restrict all numbers to this" }).click();
    expect(await page.settle()).toContainEqual(expect.objectContaining({ type: "mark", action: "restrict" }));
    const heard: unknown[] = [];
    const session = { ...page.view.session, setWindow: (...what: unknown[]) => heard.push(...what) };
    await metrics.actions?.restrict(page.shown, undefined, { view: { ...page.view, session } } as never);
    expect(heard).toEqual([page.view.dataSet.id, page.shown.look?.range]);
    expect(page.shown.look?.range.from).toBeCloseTo(range.from, 9);
  });
});
