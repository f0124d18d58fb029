import fs from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { describe, expect, it, vi } from "vitest";
import { histogram } from "../../src/analysis/histogram";
import type { Distribution } from "../../src/engine/api";
import { histogramMessage } from "../../src/panels/histogram/histogramMessage";
import { histogramControls, sampleDistribution, timeOf, useHistogram } from "./useHistogram";
import { drawn, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const view = useHistogram();
const RANKS = 4096;

/** @param valueOf seconds of a rank */
function distributionOf(valueOf: (rank: number) => number): Distribution {
  const values = Float64Array.from({ length: RANKS }, (_, rank) => valueOf(rank));
  return {
    by: "rank",
    members: Array.from(values, (_, rank) => String(rank)),
    values,
    ...histogram(values, 20),
    order: Int32Array.from(values.keys()),
    hosts: new Int32Array(RANKS).fill(-1),
    outside: 0,
  };
}

/** Has nothing to do with the rank. */
const scattered = (rank: number) => 1 + ((Math.imul(rank, 2654435761) >>> 8) % 10_000) / 10_000;
/** Each quarter of the ranks is slower than the one before it. */
const bundled = (rank: number) => 1 + Math.floor(rank / 1024) + ((Math.imul(rank, 2654435761) >>> 8) % 1000) / 4000;

describe("4,096 ranks", () => {
  it("tangle where rank and value are unrelated, and are bundles where they are related", async () => {
    await view.open();
    await view.send(histogramMessage(distributionOf(scattered), timeOf, 1));
    await screenshot(view.panel.page, "histogram-tangle-1400");
    await view.send(histogramMessage(distributionOf(bundled), timeOf, 2));
    await screenshot(view.panel.page, "histogram-bundles-1400");
  });

  it("are brushed in frames that each draw a bounded number of shadows", async () => {
    await view.open();
    await view.send(histogramMessage(distributionOf(scattered), timeOf, 1));
    const [first, last] = [await view.middleOf(0), await view.middleOf(19)];
    const { page } = view.panel;
    await page.mouse.move(first.x, first.y);
    await page.mouse.down();
    await drawn(page);
    const frames = await page.evaluate(
      async ({ from, to, y }) => {
        const svg = document.querySelector("svg.histogram");
        const { prototype } = CanvasRenderingContext2D;
        const fill = prototype.fill as (this: CanvasRenderingContext2D, path: Path2D) => void;
        let fills = 0;
        prototype.fill = function (this: CanvasRenderingContext2D, path: Path2D) {
          fills++;
          fill.call(this, path);
        } as typeof prototype.fill;
        const measured: { fills: number; milliseconds: number }[] = [];
        for (let step = 1; step <= 2 * 19 + 40; step++) {
          const clientX = from + ((to - from) * Math.min(19, Math.round(step / 2))) / 19;
          const started = performance.now();
          svg?.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY: y, bubbles: true }));
          await new Promise(requestAnimationFrame);
          measured.push({ fills, milliseconds: performance.now() - started });
          fills = 0;
        }
        return measured;
      },
      { from: first.x, to: last.x, y: first.y },
    );
    // Of 64 shadows at most each.
    expect(Math.max(...frames.map(({ fills }) => fills))).toBeLessThanOrEqual(10);
    // 19 bins of about 205 members, which nobody stands beside.
    expect(frames.reduce((sum, { fills }) => sum + fills, 0)).toBeGreaterThanOrEqual(19 * 3);
    expect(await page.locator('.bin[aria-checked="true"]').count()).toBe(20);
    const sorted = frames.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
    console.log(
      `frames of a brush over ${RANKS} ranks: median ${sorted[39].toFixed(1)} ms, longest ${sorted[77].toFixed(1)} ms`,
    );
    await page.mouse.up();
  });
});

describe.each(themeNames)("axe-core finds nothing (%s)", (theme) => {
  it("in histogram, table and menu", async () => {
    await view.open({ theme, width: 600 });
    await view.send(histogramMessage(await sampleDistribution(), timeOf, 1), {
      ...histogramControls,
      restriction: "ranks 0, 4",
    });
    const findings = async () => {
      await view.panel.page.evaluate(axe);
      const { violations } = (await view.panel.page.evaluate("axe.run()")) as AxeResults;
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
    };
    await view.bin(0).focus();
    expect(await findings()).toEqual([]);
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await view.bin(19).focus();
    await view.panel.page.keyboard.press("Shift+F10");
    await view.panel.page.getByRole("menu").waitFor();
    await drawn(view.panel.page);
    expect(await findings()).toEqual([]);
  });
});
