import { describe, expect, it, vi } from "vitest";

import { formatRatio, formatValue } from "../../src/model/units";
import type { HalvesState } from "../../src/panels/superGraph/halvesPlan";
import { sampleHalves } from "./miniheatHalves";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, type OpenOptions, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

async function show(what: "ranks" | "runs" | "all", state: HalvesState = {}, options: OpenOptions = {}) {
  const size = await view.open(options);
  const sample = await sampleHalves(size, what, state);
  await view.panel.send(sample.controls);
  await view.sendGraph(sample.message);
  await view.panel.send(sample.histograms);
  await view.panel.page.locator(".bar").first().waitFor();
  await drawn(view.panel.page);
  const resized = (await view.panel.sent()).filter(({ type }) => type === "resize").at(-1);
  if (resized) {
    const { message } = await sampleHalves(
      { width: Number(resized.width), height: Number(resized.height) },
      what,
      state,
    );
    await view.sendLayout(message);
    await drawn(view.panel.page);
  }
  return sample;
}

describe("pictures", () => {
  it.each(themeNames)("of histograms, of chosen ranks above others, and of two runs (%s)", async (theme) => {
    const shown = [
      ["histograms", "all", {}],
      ["ranks", "ranks", {}],
      ["ranks-difference", "ranks", { colour: "difference" }],
      ["runs", "runs", {}],
      ["runs-difference", "runs", { below: false }],
    ] as const;
    for (const width of [400, 600, 1400]) {
      for (const [name, what, state] of shown) {
        const sample = await show(what, state, { theme, width });
        await screenshot(view.panel.page, `super-graph-${name}-${theme}-${width}`);
        expect(await view.panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(await view.panel.page.locator(".bar").count()).toBe(sample.message.bars.length);
      }
    }
  });
});

describe("two graphs", () => {
  it("have room in a low panel, which scrolls to what is below them", async () => {
    await show("ranks", {}, { width: 480, height: 420 });
    const { page } = view.panel;
    expect((await page.locator(".stage").boundingBox())?.height).toBeGreaterThanOrEqual(320);
    const [above, below] = await page.locator(".titles text").all();
    const top = async (title: typeof above) => (await title.boundingBox())?.y ?? NaN;
    expect((await top(below)) - (await top(above))).toBeGreaterThan(120);
    const legend = page.locator(".legend");
    await legend.scrollIntoViewIfNeeded();
    const box = await legend.boundingBox();
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(421);
    await screenshot(page, "super-graph-ranks-low");
  });

  it("have the means of chosen ranks and of all others, as the recording's golden numbers say", async () => {
    await show("ranks");
    const mpi = view.panel.page.locator('.bar[aria-label^="MPI,"]');
    const labels = await mpi.evaluateAll((bars) => bars.map((bar) => bar.getAttribute("aria-label") ?? ""));
    expect(labels).toHaveLength(2);
    expect(labels[0]).toContain("exclusive 1.63 s");
    expect(labels[1]).toContain("exclusive 2.27 s");
    const { message } = await sampleHalves({ width: 1000, height: 600 }, "ranks", {}, 0);
    const values = message.bars.filter(({ group }) => group === "MPI").map(({ exclusive }) => exclusive);
    expect(values.map((value) => value.toFixed(3))).toEqual(["1.628", "2.273"]);
    expect(labels[0]).toContain("in ranks 0, 4, exclusive 645 ms less in ranks 0, 4");
    const titles = await view.panel.page.locator(".titles text").allTextContents();
    expect(titles.map((title) => title.split(" · ")[0])).toEqual(["ranks 0, 4", "ranks 1-3, 5-7"]);
  });

  it("are clicked, searched and left by keyboard in either half", async () => {
    const { message } = await show("ranks");
    const count = message.bars.length / 2;
    const at = message.bars.findIndex(({ group }) => group === "physics.cpp");
    const lower = view.panel.page.locator(`.bar[data-bar="${at + count}"]`);
    await lower.click({ position: { x: 4, y: 2 } });
    expect(await view.sent()).toEqual([{ type: "select", revision: 1, bar: at + count }]);
    expect(await lower.getAttribute("aria-pressed")).toBe("true");
    await lower.press("ArrowUp");
    await lower.press("Home");
    expect(await view.panel.page.evaluate(() => document.activeElement?.getAttribute("data-bar"))).toBe("0");
    await view.panel.page.getByLabel("Search bars and entry functions").locator("input").fill("MPI");
    await view.panel.page.getByText(/2 of 10 bars found/).waitFor();
  });

  it("say what is compared, and end by a click on the chip", async () => {
    const { all } = await show("runs");
    const [first, second] = all.halves.map(({ graph }) => graph.total);
    const text = await view.panel.page.locator(".summary").innerText();
    expect(text).toContain(`(${formatRatio(first / second)})`);
    expect(text).toContain(`difference +${formatValue(first - second, "s")}`);
    await view.panel.page.getByRole("button", { name: "Stop comparing" }).click();
    expect(await view.sent()).toEqual([{ type: "stop-comparing" }]);
  });
});
