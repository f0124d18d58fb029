import { describe, expect, it, vi } from "vitest";
import type { GraphLayout, SuperGraph } from "../../src/engine/api";
import { layoutSize } from "../../src/panels/superGraph/layoutSize";
import { layoutGraph } from "../../src/supergraph/layout";
import { fitView, MARGIN } from "../../webviews/superGraph/scene";
import { understood, wholeGraph } from "../wholeGraph";
import { sampleControls } from "./miniheatGraph";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, screenshot } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();
const noLink = { places: [], rule: "unknown", reason: "", considered: [] } as const;

/** By default 500 bars in 10 levels, each calling 12 of the next level: the most that is drawn. */
function largeGraph(levels = 10, perLevel = 50, calls = 12): SuperGraph {
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
    metric: "time",
    unit: "s",
    over: "sum",
    total: 2500,
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

describe("a graph of 500 bars and 5,400 flows", () => {
  it("has its flows on a canvas and its bars as elements, and explains both", async () => {
    const graph = largeGraph();
    const size = await view.open({ width: 1400, height: 900 });
    const layout: GraphLayout = layoutGraph(graph, layoutSize(size));
    const sent = wholeGraph({ graph, heights: graph, layout }, 1, "");
    const message = understood(sent) ?? expect.fail();
    await view.panel.send(sampleControls);
    await view.sendGraph(sent);
    const { page } = view.panel;
    await page.locator(".bar").first().waitFor();
    await drawn(page);
    expect(await page.locator(".bar").count()).toBe(500);
    expect(await page.locator("[data-flow]").count()).toBe(0);
    const painted = await page.locator("canvas.flow-canvas").evaluate((canvas) => {
      const { data } = (canvas as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, 1400, 700) ?? { data: [] };
      let count = 0;
      for (let at = 3; at < data.length; at += 4) if (data[at] > 0) count++;
      return count;
    });
    expect(painted).toBeGreaterThan(10_000);
    const stage = (await page.locator("svg.graph").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const fitted = fitView(message, stage);
    const middleOf = (flow: number) => {
      const [x0, y0, x1, y1] = message.geometry.flows[flow].points;
      return {
        x: stage.x + fitted.x + ((x0 + x1) / 2 + MARGIN.left) * fitted.scale,
        y: stage.y + fitted.y + ((y0 + y1) / 2 + MARGIN.top) * fitted.scale,
      };
    };
    // In the middle of the heaviest flow that is not below a label: it, or one that lies on it, is explained.
    const heaviest = message.flows
      .map((_, at) => at)
      .sort((a, b) => message.flows[b].inclusive - message.flows[a].inclusive);
    const free = await page.evaluate(
      (middles) => middles.findIndex(({ x, y }) => !document.elementFromPoint(x, y)?.closest(".label, .bar")),
      heaviest.map(middleOf),
    );
    const { source, target } = message.flows[heaviest[0]];
    const middle = middleOf(heaviest[free]);
    await page.mouse.move(middle.x, middle.y);
    await page
      .getByRole("tooltip")
      .filter({ hasText: /group \d+ → group \d+/ })
      .waitFor();
    for (let zoom = 0; zoom < 6; zoom++) await page.getByRole("button", { name: "Zoom in" }).click();
    await page.locator(`.bar[data-bar="${source}"]`).focus();
    await page.keyboard.press("ArrowRight");
    await drawn(page);
    const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    expect(focused).toContain(message.bars[target].group);
    await screenshot(page, "large-graph");
    const outcome = await view.save("svg");
    expect(outcome.match(/<path /g)?.length).toBe(message.flows.length);
  });
});

describe("a graph of 60 bars and 400 flows", () => {
  async function show() {
    const graph = largeGraph(6, 10, 8);
    const layout = layoutGraph(graph, layoutSize(await view.open({ width: 1400, height: 900 })));
    const message = wholeGraph({ graph, heights: graph, layout }, 1, "");
    await view.panel.send(sampleControls);
    await view.sendGraph(message);
    await view.panel.page.locator(".bar").first().waitFor();
    await drawn(view.panel.page);
    return { graph, message };
  }

  /** What is painted on a canvas, as a checksum; 0 where nothing is. */
  const paintedOn = (name: string) =>
    view.panel.page.locator(`canvas.${name}`).evaluate((canvas: HTMLCanvasElement) => {
      if (canvas.width === 0) return 0;
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return Array.from(data).reduce((sum, value, at) => (sum + value * ((at % 8191) + 1)) % 2 ** 32, 0);
    });

  it("draws no flow anew for what is pointed at, and has all of them as shapes when it is saved", async () => {
    const { graph } = await show();
    const { page } = view.panel;
    expect(await page.locator("[data-flow]").count()).toBe(0);
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
    await page.locator('.bar[data-bar="3"]').hover();
    await expect.poll(() => paintedOn("near-canvas")).toBeGreaterThan(0);
    const ofThree = await paintedOn("near-canvas");
    await page.locator('.bar[data-bar="34"]').hover();
    await expect.poll(() => paintedOn("near-canvas")).not.toBe(ofThree);
    await page.mouse.move(2, 2);
    await expect.poll(() => paintedOn("near-canvas")).toBe(0);
    expect(await paintedOn("flow-canvas")).toBe(all);
    const emptied = await page.evaluate(() => (window as unknown as { emptied: string[] }).emptied);
    expect(new Set(emptied)).toEqual(new Set(["near-canvas"]));
    expect((await view.save("svg")).match(/<path /g)?.length).toBe(graph.edges.length);
  });

  it("is moved by zoom and drag alone, not by a focus below the stage, after the window got lower", async () => {
    await show();
    const { page } = view.panel;
    await page.setViewportSize({ width: 1400, height: 600 });
    await drawn(page);
    for (let zoom = 0; zoom < 8; zoom++) await page.getByRole("button", { name: "Zoom in" }).click();
    await page.locator('.bar[tabindex="0"]').focus();
    for (const key of ["ArrowRight", ...Array<string>(7).fill("ArrowDown"), "End"]) {
      await page.keyboard.press(key);
      await drawn(page);
      expect(await page.locator(".stage").evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    }
  });

  it("keeps its flows at its bars, and the canvas its memory, while notes take room and give it back", async () => {
    const { message } = await show();
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
    await view.sendGraph({ ...message, revision: 2, notes: ["one", "two"] });
    await page.locator(".notes li").last().waitFor();
    await drawn(page);
    const [canvas, lower] = await boxes();
    expect(lower.height).toBeLessThan(stage.height);
    // Neither stretched nor moved against the bars: a dot of the canvas is a pixel of the stage.
    expect(canvas).toEqual({ ...lower, height: before.height });
    expect(await paintedOn("flow-canvas")).not.toBe(all);
    await view.sendGraph({ ...message, revision: 3 });
    await page.locator(".notes li").first().waitFor({ state: "detached" });
    await drawn(page);
    expect(await paintedOn("flow-canvas")).toBe(all);
  });
});
