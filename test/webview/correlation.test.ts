import { describe, expect, it, vi } from "vitest";
import { formatValue, threeDigits } from "../../src/model/units";
import { scatterControls } from "./miniheatScatter";
import { useCorrelation } from "./useCorrelation";
import { drawn, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useCorrelation();

describe("the scatter", () => {
  it("has a point for each rank, with both values, and says what is known of the line", async () => {
    const { answer } = await view.show();
    const labels = await view.panel.page
      .locator(".point")
      .evaluateAll((points) => points.map((point) => point.getAttribute("aria-label")));
    const byX = [...answer.x.keys()].sort((a, b) => answer.x[a] - answer.x[b]);
    expect(labels).toEqual(
      byX.map((rank) => `rank ${rank}, x ${formatValue(answer.x[rank], "s")}, y ${formatValue(answer.y[rank], "s")}`),
    );
    if (answer.fit.kind !== "line") throw new Error(answer.fit.kind);
    expect(await view.fact("r")).toBe(threeDigits(answer.fit.r));
    expect(Number(await view.fact("r"))).toBeLessThan(-0.99);
    expect(await view.fact("slope")).toBe(`${formatValue(answer.fit.slope, "s")} per s`);
    expect(await view.fact("intercept")).toBe(formatValue(answer.fit.intercept, "s"));
    expect(await view.fact("n")).toBe("8 ranks");
  });

  it("puts points and line where their values are", async () => {
    const { answer } = await view.show();
    const { fit } = answer;
    if (fit.kind !== "line") throw new Error(fit.kind);
    const middles = await Promise.all(
      [...answer.x.keys()].map(async (rank) => {
        const { x, y, width, height } = (await view.point(`rank ${rank}`).boundingBox()) ?? expect.fail();
        return { x: x + width / 2, y: y + height / 2 };
      }),
    );
    // Any two points give the scale: all others, and the line, must lie on it.
    const [a, b] = [0, 1];
    const perX = (middles[b].x - middles[a].x) / (answer.x[b] - answer.x[a]);
    const perY = (middles[b].y - middles[a].y) / (answer.y[b] - answer.y[a]);
    expect(perX).toBeGreaterThan(0);
    expect(perY).toBeLessThan(0);
    middles.forEach(({ x, y }, rank) => {
      expect(x).toBeCloseTo(middles[a].x + (answer.x[rank] - answer.x[a]) * perX, -0.5);
      expect(y).toBeCloseTo(middles[a].y + (answer.y[rank] - answer.y[a]) * perY, -0.5);
    });
    const line = await view.panel.page.locator(".fit-line").evaluate((element) => {
      const { left, top } = (element.closest("svg") as SVGSVGElement).getBoundingClientRect();
      const at = (name: string) => Number(element.getAttribute(name));
      return { x1: at("x1") + left, y1: at("y1") + top, x2: at("x2") + left, y2: at("y2") + top };
    });
    const valueAt = (x: number) => fit.intercept + fit.slope * (answer.x[a] + (x - middles[a].x) / perX);
    for (const [x, y] of [
      [line.x1, line.y1],
      [line.x2, line.y2],
    ])
      expect(y).toBeCloseTo(middles[a].y + (valueAt(x) - answer.y[a]) * perY, -0.5);
  });

  it("explains points and line under the pointer and with the focus", async () => {
    const { answer } = await view.show();
    const { page } = view.panel;
    const tooltip = page.getByRole("tooltip");
    await view.point("rank 4").hover();
    await tooltip
      .filter({ hasText: "rank 4" })
      .filter({ hasText: formatValue(answer.y[4], "s") })
      .waitFor();
    const line = (await page.locator(".fit-line").boundingBox()) ?? expect.fail();
    await page.mouse.move(line.x + line.width * 0.4, line.y + line.height * 0.4);
    await tooltip.filter({ hasText: "Best-fit line" }).filter({ hasText: "per s" }).waitFor();
    await page.keyboard.press("Escape");
    await tooltip.waitFor({ state: "hidden" });
    await page.locator(".fit").focus();
    await tooltip.filter({ hasText: "r²" }).waitFor();
  });

  it.each(themeNames)("leaves pictures of itself at 400, 600 and 1400 pixels (%s)", async (theme) => {
    for (const width of [400, 600, 1400]) {
      await view.show({ theme, width }, { ranks: [0, 4] });
      await view.panel.send({ ...scatterControls, restriction: "ranks 0, 4" });
      await drawn(view.panel.page);
      await screenshot(view.panel.page, `correlation-${theme}-${width}`);
      // What is chosen can be read in full, except where the lists have half a narrow panel.
      const cut = await view.panel.page.locator('vscode-dropdown[aria-label$="metric"]').evaluateAll((lists) =>
        lists.map((list) => {
          const text = list.shadowRoot?.querySelector(".selected-value") ?? list;
          return text.scrollWidth > text.clientWidth;
        }),
      );
      if (width > 400) expect(cut).toEqual([false, false]);
      expect(await view.panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});
