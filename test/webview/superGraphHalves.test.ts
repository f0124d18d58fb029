import { describe, expect, it, vi } from "vitest";

import type { HalvesState } from "../../src/panels/halvesPlan";
import { sampleHalves } from "./miniheatHalves";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, type OpenOptions, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

async function show(what: "ranks" | "runs" | "all", state: HalvesState = {}, options: OpenOptions = {}) {
  const size = await view.open(options);
  const sample = await sampleHalves(size, what, state);
  await view.panel.send(sample.controls);
  await view.panel.send(sample.message);
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
    await view.panel.send({ type: "layout", revision: 1, geometry: message.geometry });
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
        if (name !== "runs-difference" || width !== 1400) await view.panel.page.context().close();
      }
    }
  });
});
