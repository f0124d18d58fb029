import { describe, expect, it, vi } from "vitest";
import type { SuperGraph } from "../../src/engine/api";
import { MARGIN } from "../../src/protocol/graphMargin";
import type { SuperGraphPart } from "../../src/protocol/superGraph";
import { withPart } from "../../webviews/superGraph/graph";
import { fitted } from "../../webviews/superGraph/seen";
import { layoutOf, sampleGraph, shownOf } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();
const noLink = { places: [], rule: "unknown", reason: "", considered: [] } as const;

/** A total of which each flow is large enough to be drawn. */
const SMALL_TOTAL = 10;

/** By default 500 bars in 10 levels, each calling 12 of the next level: the most that is drawn. */
function largeGraph(levels = 10, perLevel = 50, calls = 12, total = SMALL_TOTAL): SuperGraph {
  const bars: SuperGraph["bars"][number][] = [];
  const edges: SuperGraph["edges"][number][] = [];
  for (let at = 0; at < levels * perLevel; at++) {
    const level = Math.floor(at / perLevel);
    const inclusive = 1 + ((at * 7919) % 97);
    const entries = Array.from({ length: 1 + (at % 5) }, (_, entry) => ({
      name: `function${at}.${entry}`,
      inclusive: inclusive / 5,
      exclusive: inclusive / 50,
      link: noLink,
    }));
    const id = `group ${at}`;
    bars.push({
      id,
      group: id,
      visit: 1,
      level,
      inclusive,
      exclusive: inclusive / 10,
      hidden: 0,
      contexts: 5,
      entries,
    });
    for (let call = 0; level + 1 < levels && call < calls; call++) {
      const target = (level + 1) * perLevel + ((at * 31 + call * 17) % perLevel);
      edges.push({ source: id, target: `group ${target}`, inclusive: inclusive / calls });
    }
  }
  return {
    shownNames: new Map(),
    metric: "time",
    unit: "s",
    over: "sum",
    total,
    hidden: 0,
    filtered: { functions: 0, contexts: 0, exclusive: 0 },
    functions: 1500,
    bars,
    edges,
    groupBy: "function",
    filter: 0.1,
    skipped: [],
    notes: [],
  };
}

/** A page with such a graph. */
async function show(graph: SuperGraph) {
  const size = await view.open({ width: 1400, height: 900 });
  const sample = await sampleGraph({ state: { histograms: "off" } }, size);
  const shown = shownOf(graph, sample);
  const part = layoutOf(shown, size) as Extract<SuperGraphPart, { kind: "layout" }>;
  await view.sendGraph({ ...sample, shown, graph }, { parts: (own) => (own.kind === "layout" ? part : own) });
  await view.bars().first().waitFor();
  await drawn(view.panel.page);
  const laidOut = withPart(shown.content, part);
  if (!laidOut?.layout) throw new Error("no layout");
  return { size, shown, part, graph: { ...laidOut, layout: laidOut.layout } };
}

describe("a graph of 500 bars and 5,400 flows", () => {
  it("has its flows on a canvas and its bars as elements, and explains both", async () => {
    const { graph, part } = await show(largeGraph());
    const { page } = view.panel;
    expect(await view.bars().count()).toBe(500);
    const painted = await page.locator("canvas.flow-canvas").evaluate((canvas) => {
      const { data } = (canvas as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, 1400, 700) ?? { data: [] };
      let count = 0;
      for (let at = 3; at < data.length; at += 4) if (data[at] > 0) count++;
      return count;
    });
    expect(painted).toBeGreaterThan(10_000);
    const stage = (await page.locator(".drawing").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const { scale, x, y } = fitted(graph, stage);
    const { first, points, inclusive, source, target } = part.flows;
    const middleOf = (flow: number) => {
      const [x0, y0, x1, y1] = points.subarray(first[flow], first[flow] + 4);
      return {
        x: stage.x + x + ((x0 + x1) / 2 + MARGIN.left) * scale,
        y: stage.y + y + ((y0 + y1) / 2 + MARGIN.top) * scale,
      };
    };
    // In the middle of the heaviest flow that is not below a bar: it, or one that lies on it, is explained.
    const heaviest = [...inclusive.keys()].sort((a, b) => inclusive[b] - inclusive[a]);
    const free = await page.evaluate((middles) => {
      const texts = [...document.querySelectorAll(".above text")].map((text) => text.getBoundingClientRect());
      const isWritten = ({ x, y }: { x: number; y: number }) =>
        texts.some(({ left, right, top, bottom }) => x > left - 2 && x < right + 2 && y > top - 2 && y < bottom + 2);
      return middles.findIndex(
        (at) => !document.elementFromPoint(at.x, at.y)?.closest("[data-mark]") && !isWritten(at),
      );
    }, heaviest.map(middleOf));
    const middle = middleOf(heaviest[free]);
    await page.mouse.move(middle.x, middle.y);
    await page
      .getByRole("tooltip")
      .filter({ hasText: /group \d+ → group \d+/ })
      .waitFor();
    for (let zoom = 0; zoom < 4; zoom++) await view.tool("zoom-in", "Zoom in");
    await page.locator(`.drawing [data-mark="${source[heaviest[0]]}"]`).focus();
    await page.keyboard.press("ArrowRight");
    await drawn(page);
    const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    expect(focused).toContain(graph.texts[graph.bars.group[target[heaviest[0]]]]);
    await screenshot(page, "large-graph");
    await view.tool("fit", "Fit");
    await drawn(page);
    const outcome = await view.save("svg");
    expect(flowsIn(outcome)).toBe(inclusive.length);
  });
});

describe("a graph of 60 bars and 400 flows", () => {
  const showSmaller = () => show(largeGraph(6, 10, 8));

  /** What is painted on a canvas, as a checksum; 0 where nothing is. */
  const paintedOn = (name: string) =>
    view.panel.page.locator(`canvas.${name}`).evaluate((canvas: HTMLCanvasElement) => {
      if (canvas.width === 0) return 0;
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return Array.from(data).reduce((sum, value, at) => (sum + value * ((at % 8191) + 1)) % 2 ** 32, 0);
    });

  it("draws no flow anew for what is pointed at, and has all of them as shapes when it is saved", async () => {
    const { part } = await showSmaller();
    const { page } = view.panel;
    const all = await paintedOn("flow-canvas");
    expect(all).toBeGreaterThan(0);
    expect(await paintedOn("near-canvas")).toBe(0);
    await page.evaluate(() => {
      const counter = window as unknown as { emptied: string[] };
      counter.emptied = [];
      const { clearRect } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        counter.emptied.push(this.canvas.className);
        clearRect.apply(this, box);
      };
    });
    await page.locator('.drawing [data-mark="3"]').hover();
    await expect.poll(() => paintedOn("near-canvas")).toBeGreaterThan(0);
    const ofThree = await paintedOn("near-canvas");
    await page.locator('.drawing [data-mark="34"]').hover();
    await expect.poll(() => paintedOn("near-canvas")).not.toBe(ofThree);
    await page.mouse.move(2, 2);
    await expect.poll(() => paintedOn("near-canvas")).toBe(0);
    expect(await paintedOn("flow-canvas")).toBe(all);
    const emptied = await page.evaluate(() => (window as unknown as { emptied: string[] }).emptied);
    expect(new Set(emptied)).toEqual(new Set(["near-canvas"]));
    expect(flowsIn(await view.save("svg"))).toBe(part.flows.inclusive.length);
  });

  it("draws flows of less than 0.5 % while one of their bars is pointed at, selected or has the focus", async () => {
    const { graph, part } = await show(largeGraph(6, 10, 8, 2500));
    const { page } = view.panel;
    const { source, thin, inclusive } = part.flows;
    const isLeftOut = (flow: number) => thin[flow] === 1;
    const leftOut = [...inclusive.keys()].filter(isLeftOut);
    expect(leftOut.length).toBeGreaterThan(100);
    expect(leftOut.every((flow) => inclusive[flow] < 0.005 * graph.total)).toBe(true);
    const legend = page.getByRole("group", { name: "Legend" });
    await legend.getByText(`${leftOut.length} thinner: point at a bar`).waitFor();
    // Nothing is explained in the middle of a flow that is left out until its bar is selected.
    const flow = leftOut.findLast((one) => graph.bars.level[source[one]] === 0) ?? -1;
    const middle = async () => {
      const stage = (await page.locator(".drawing").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const { scale, x, y } = fitted(graph, stage);
      const [x0, y0, x1, y1] = part.flows.points.subarray(part.flows.first[flow], part.flows.first[flow] + 4);
      return [
        stage.x + x + ((x0 + x1) / 2 + MARGIN.left) * scale,
        stage.y + y + ((y0 + y1) / 2 + MARGIN.top) * scale,
      ] as const;
    };
    const name = `group ${source[flow]} → group ${part.flows.target[flow]}`;
    await page.mouse.move(...(await middle()));
    await drawn(page);
    expect(await page.getByRole("tooltip").filter({ hasText: name }).count()).toBe(0);
    const before = await paintedOn("flow-canvas");
    await page.keyboard.press("Tab");
    await page.locator(`.drawing [data-mark="${source[flow]}"]`).focus();
    await expect.poll(() => paintedOn("near-canvas")).not.toBe(0);
    const focused = await paintedOn("near-canvas");
    await page.locator(`.drawing [data-mark="${source[flow]}"]`).click();
    await drawn(page);
    expect(await paintedOn("near-canvas")).toBeGreaterThan(0);
    await page.mouse.move(...(await middle()));
    await page.getByRole("tooltip").filter({ hasText: "→" }).waitFor();
    expect(focused).toBeGreaterThan(0);
    expect(before).toBeGreaterThan(0);
    // Tables and saved pictures have all of them.
    const saved = await view.save("svg");
    expect(flowsIn(saved)).toBe(inclusive.length);
    expect(saved).not.toContain("point at a bar");
    const lines = (await view.save("csv")).split("\n").filter((line) => /group \d+,group \d+/.test(line));
    expect(lines.length).toBeGreaterThanOrEqual(inclusive.length);
  });

  it("is moved by zoom and drag alone, not by a focus below the stage, after the window got lower", async () => {
    await showSmaller();
    const { page } = view.panel;
    await page.setViewportSize({ width: 1400, height: 600 });
    await drawn(page);
    for (let zoom = 0; zoom < 5; zoom++) await view.tool("zoom-in", "Zoom in");
    await view.bars().and(page.locator('[tabindex="0"]')).focus();
    for (const key of ["ArrowRight", ...Array<string>(7).fill("ArrowDown"), "End"]) {
      await page.keyboard.press(key);
      await drawn(page);
      expect(await page.locator(".stage").evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    }
  });

  it("keeps its flows at its bars while a notice takes room and gives it back", async () => {
    await showSmaller();
    const { page } = view.panel;
    const all = await paintedOn("flow-canvas");
    const boxes = () =>
      page.evaluate(() =>
        ["canvas.flow-canvas", ".stage"].map((one) => {
          const { left, top, width, height } = document.querySelector(one)?.getBoundingClientRect() ?? new DOMRect();
          return { left, top, width, height };
        }),
      );
    const [before, stage] = await boxes();
    expect(before).toEqual(stage);
    await view.panel.send({ type: "notice", message: "one" });
    await page.locator(".notice").waitFor();
    await drawn(page);
    const [canvas, lower] = await boxes();
    expect(lower.height).toBeLessThan(stage.height);
    // Neither stretched nor moved against the bars: a dot of the canvas is a pixel of the stage.
    expect(canvas).toEqual(lower);
    const dots = await page.locator("canvas.flow-canvas").evaluate((one: HTMLCanvasElement) => [one.width, one.height]);
    expect(dots).toEqual([lower.width, lower.height]);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.locator(".notice").waitFor({ state: "detached" });
    await drawn(page);
    expect(await paintedOn("flow-canvas")).toBe(all);
  });
});

/** Flows of a saved drawing. */
function flowsIn(picture: string): number {
  return picture.match(/<path d="M[^"]*Z" fill="/g)?.length ?? 0;
}
