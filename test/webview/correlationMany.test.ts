import fs from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { describe, expect, it, vi } from "vitest";
import { correlation } from "../../src/analysis/correlation";
import { density } from "../../src/analysis/density";
import type { CorrelationAnswer, MetricInfo } from "../../src/engine/api";
import { scatter } from "../../src/panels/correlation/correlationMessage";
import { MESSAGE_LIMIT } from "../../src/protocol/bounds";
import { sampleScatter, scatterControls } from "./miniheatScatter";
import { useCorrelation } from "./useCorrelation";
import { drawn, screenshot, type ThemeName, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const view = useCorrelation();
const time: MetricInfo = {
  name: "time",
  recordedName: "time",
  unit: "s",
  kind: "time",
  additive: true,
  reducedOverRanks: false,
  total: 1,
};

/** Points scattered about y = 2 x, as the engine would answer. */
function many(count: number, isCounted: boolean): CorrelationAnswer {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const x = Float64Array.from({ length: count }, () => random() ** 3);
  const y = x.map((value) => 2 * value + 0.3 * random());
  const cells = density(x, y, 120, 80);
  const { points, ...rest } = cells;
  const shown = isCounted ? points : Int32Array.from(x.keys());
  return {
    fit: correlation(x, y),
    count,
    without: 3,
    same: false,
    x: Float64Array.from(shown, (at) => x[at]),
    y: Float64Array.from(shown, (at) => y[at]),
    ids: shown,
    names: Array.from(shown, (at) => `function${at % 500}`),
    ...(isCounted ? { density: rest } : {}),
  };
}

async function show(answer: CorrelationAnswer, theme: ThemeName = "dark", width = 1400) {
  await view.open({ theme, width });
  const axis = { metric: time, value: "inclusive" } as const;
  const about = { points: "context", x: { ...axis, value: "exclusive" }, y: axis, over: "sum", notes: [] } as const;
  const { message } = scatter(answer, about, { revision: 1, choice: 0 });
  expect(JSON.stringify(message).length).toBeLessThanOrEqual(MESSAGE_LIMIT);
  await view.panel.send({ ...scatterControls, points: "context" });
  await view.panel.send(message);
  await view.panel.page.locator(".point").first().waitFor();
  await drawn(view.panel.page);
  return message;
}

const painted = () =>
  view.panel.page.locator("canvas.point-canvas").evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement;
    const data = (canvas as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
    let count = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 0) count++;
    return count;
  });

describe("20,000 points", () => {
  it("are on a canvas, are walked through in the order of x, and are selected where they are pointed at", async () => {
    const message = await show(many(20_000, false));
    const { page } = view.panel;
    expect(await page.locator(".point").count()).toBe(1);
    expect(await painted()).toBeGreaterThan(20_000);
    await page.locator(".point").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Space");
    const last = message.xs.indexOf(Math.max(...message.xs));
    expect(await view.sent()).toEqual([{ type: "select", revision: 1, mark: last }]);
    expect(await page.locator(".point").getAttribute("aria-posinset")).toBe("20000");
    const { x, y, width, height } = (await page.locator(".point").boundingBox()) ?? expect.fail();
    await page.mouse.click(x + width / 2, y + height / 2);
    expect(await view.sent()).toEqual([{ type: "select", revision: 1, mark: last }]);
    await screenshot(page, "correlation-20000");
    expect((await view.save("svg")).match(/class="point"/g)).toHaveLength(20_000);
  });
});

describe("more points than that", () => {
  it("are counted by cell, which says so and names its largest", async () => {
    const message = await show(many(300_000, true));
    const { page } = view.panel;
    expect(await page.locator(".notes").innerText()).toContain(
      "300,000 calling contexts are too many to draw one by one: they are counted by cell.",
    );
    expect(await view.fact("n")).toBe("300,000 calling contexts");
    const counts = message.density?.counts ?? [];
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300_000);
    expect(await painted()).toBeGreaterThan(10_000);
    await page.locator(".point").focus();
    const first = (await page.locator(".point").getAttribute("aria-label")) ?? "";
    expect(first).toMatch(/calling contexts?, the largest function\d+: x .*s, y /);
    await page.keyboard.press("Enter");
    expect((await view.sent()).map(({ type }) => type)).toEqual(["open"]);
    const picture = await view.save("svg");
    expect(picture.match(/<rect /g)?.length).toBeGreaterThanOrEqual(counts.length);
  });

  it.each(themeNames)("leave a picture (%s)", async (theme) => {
    await show(many(300_000, true), theme, 1000);
    await screenshot(view.panel.page, `correlation-density-${theme}`);
  });
});

describe("without a line", () => {
  const about = {
    points: "rank",
    x: { metric: time, value: "exclusive", of: "main" },
    y: { metric: time, value: "exclusive", of: "MPI" },
    notes: [],
  } as const;
  const answerOf = (x: number[], y: number[]): CorrelationAnswer => ({
    fit: correlation(Float64Array.from(x), Float64Array.from(y)),
    count: x.length,
    without: 0,
    same: false,
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    names: x.map((_, at) => String(at)),
    ids: Int32Array.from(x.keys()),
  });

  it.each([
    ["one value", [1, 2, 3], [5, 5, 5], "All values of y are equal (5.00 s): nothing goes together"],
    ["one point", [1], [2], "There is only 1 rank: a line needs at least three points."],
    ["two points", [1, 2], [2, 3], "There are only 2 ranks: a line needs at least three points."],
    ["all equal", [1, 1, 1], [0, 0, 0], "All values of x are equal (1.00 s), and all values of y are equal (0 s)"],
  ])("says why: %s", async (_, x, y, why) => {
    await view.open({ width: 800 });
    await view.panel.send(scatterControls);
    await view.panel.send(scatter(answerOf(x, y), about, { revision: 1, choice: 0 }).message);
    await view.panel.page.locator(".no-line").filter({ hasText: why }).waitFor();
    expect(await view.panel.page.locator(".fit-line").count()).toBe(0);
    expect(await view.panel.page.locator(".point").count()).toBe(x.length);
  });

  it("leaves out and counts what is not finite", async () => {
    await view.open();
    await view.panel.send(scatterControls);
    const answer = answerOf([1, 2, 3, NaN, 5], [2, 4, 5, 1, Infinity]);
    await view.panel.send(scatter(answer, about, { revision: 1, choice: 0 }).message);
    await view.panel.page.getByText("2 ranks left out: a value is not a finite number.").waitFor();
    expect(await view.panel.page.locator(".point").count()).toBe(3);
    expect(await view.fact("n")).toBe("3 ranks");
  });
});

describe("names out of a recording", () => {
  it.each([
    '<img src=x onerror="window.broken = 1">',
    "\u202egpp.niam\u202c",
    "=cmd|' /C calc'!A0",
    "template<".repeat(110),
    "",
  ])("are text and nothing else: %s", async (name) => {
    await view.open({ width: 700 });
    const { message } = await sampleScatter({ points: "function" });
    await view.panel.send({ ...scatterControls, dataSet: name, selected: name, points: "function" });
    const axis = { ...message.x, of: name.slice(0, 400), metric: name.slice(0, 400) };
    const names = message.names.map(() => name);
    await view.panel.send({ ...message, names, x: axis, y: axis });
    await view.panel.page.locator(".point").first().waitFor();
    await view.panel.page.locator(".point").first().focus();
    await view.panel.page.getByRole("tooltip").waitFor();
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await drawn(view.panel.page);
    expect(await view.panel.page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
    expect(await view.panel.page.locator("img, #app script").count()).toBe(0);
    expect(await view.panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
    expect(await view.panel.page.locator("body").innerText()).not.toMatch(/[\u202a-\u202e]/);
    expect(await view.save("csv")).not.toMatch(/(^|,)=/m);
  });

  it.each([
    ["no known type", () => ({ type: "run" })],
    ["a name that is not there", (sent: object) => ({ ...sent, called: Array(8).fill(99) })],
    ["fewer values than points", (sent: object) => ({ ...sent, xs: [1] })],
    ["an infinite value", (sent: object) => ({ ...sent, ys: Array(8).fill(Infinity) })],
    ["a chosen point that is not there", (sent: object) => ({ ...sent, chosen: [8] })],
  ])("make no message of what is none: %s", async (_, wrong) => {
    const { message } = await view.show();
    const before = await view.panel.page.locator("svg.scatter").innerHTML();
    await view.panel.send(wrong(message));
    await drawn(view.panel.page);
    expect(await view.panel.page.locator("svg.scatter").innerHTML()).toBe(before);
  });
});

describe.each(themeNames)("axe-core finds nothing (%s)", (theme) => {
  it.each([400, 1400])("at %i pixels, with table, search and menu", async (width) => {
    await view.show({ theme, width }, { ranks: [0, 4] });
    const findings = async () => {
      await view.panel.page.evaluate(axe);
      const { violations } = (await view.panel.page.evaluate("axe.run()")) as AxeResults;
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`),
      );
    };
    await view.panel.send({ ...scatterControls, restriction: "ranks 0, 4" });
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await drawn(view.panel.page);
    expect(await findings()).toEqual([]);
    await view.point("rank 4").focus();
    await view.panel.page.keyboard.press("Shift+F10");
    await view.panel.page.getByRole("menu").waitFor();
    expect(await findings()).toEqual([]);
  });
});
