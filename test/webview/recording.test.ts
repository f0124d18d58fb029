import fs from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { formatValue } from "../../src/model/units";
import { recordingMessage } from "../../src/panels/recording/recordingMessage";
import { parseFromRecording, type RecordingPage } from "../../src/protocol/recording";
import { openMiniheat } from "../unit/engine/miniheat";
import { type OpenOptions, type PanelPage, PanelWindow, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let panels: PanelWindow;
let panel: PanelPage;
let sample: RecordingPage;

beforeAll(async () => {
  panels = await PanelWindow.start("recording", "Recording");
  const { engine, info, scope } = await openMiniheat();
  const mean = { ...scope, over: "mean" } as const;
  const warnings = [{ message: "the last record is cut off", file: "a.cali", at: { line: 7 } }];
  sample = recordingMessage({ ...info, warnings }, mean, await engine.hotPlaces({ scope: mean, limit: 10 }));
});
afterAll(() => panels.stop());
afterEach(async ({ task }) => expect(await panels.endTest(task.result?.state === "fail")).toEqual([]));

async function show(options: OpenOptions = {}, page: RecordingPage = sample): Promise<void> {
  panel = await panels.open(options);
  await expect.poll(() => sent()).toEqual([{ type: "ready" }]);
  await panel.send(page);
  await panel.page.locator("h1").waitFor();
}

async function sent() {
  const messages = await panel.sent();
  for (const message of messages) expect(parseFromRecording(message)).toEqual(message);
  return messages;
}

const table = (caption: string) => panel.page.locator("table", { has: panel.page.getByText(caption) });

describe("a data set's page", () => {
  it("shows what numbers are restricted to, and takes it back", async () => {
    await show({}, { ...sample, restriction: "ranks 0, 4" });
    await panel.page.locator(".chip", { hasText: "ranks 0, 4" }).waitFor();
    await panel.page.getByRole("button", { name: "Remove the restriction" }).click();
    expect((await sent()).at(-1)).toEqual({ type: "clear-restriction" });
    await panel.send(sample);
    await panel.page.locator(".chip").waitFor({ state: "hidden" });
  });

  it("says of a line of a header how many functions it is compiled into, and keeps its place in one line", async () => {
    const [first, ...others] = sample.hotLines;
    const name = "CaDiCaL::Parser::parse_dimacs_non_profiled(int&, int)";
    await show(
      { width: 520 },
      { ...sample, hotLines: [{ ...first, name, functions: 38, place: "propagate.cpp:143" }, ...others] },
    );
    const row = table("Hottest lines").locator("tbody tr").first();
    expect(await row.locator("td").first().innerText()).toBe(`${name} and 37 more`);
    const place = row.locator("td").last();
    const lines = await place.evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
    });
    expect(lines).toBe(1);
  });

  it("shows facts, metrics with totals, hottest lines, metadata and warnings", async () => {
    await show();
    const text = await panel.page.locator("main").innerText();
    for (const { label, value } of sample.facts) expect(text).toContain(`${label}\n${value}`);
    expect(text).toContain("a.cali, line 7: the last record is cut off");
    const rows = async (caption: string) =>
      table(caption)
        .locator("tbody tr")
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
    const metrics = await rows("Metrics");
    for (const { name, total, unit, current } of sample.metrics)
      expect(metrics.map((row) => row.slice(0, 2))).toContainEqual([
        name + (current ? " (shown)" : ""),
        formatValue(total ?? NaN, unit),
      ]);
    expect(await rows("Hottest lines")).toEqual(
      sample.hotLines.map(({ name, exclusive, place }) => [name, formatValue(exclusive, "s"), place]),
    );
    expect((await rows("Metadata")).map(([name]) => name).sort()).toEqual(
      sample.globals.map(({ name }) => name).sort(),
    );
  });

  it("leads to the views, the text, the lines and the metrics", async () => {
    await show();
    await panel.page.getByRole("button", { name: "Super Graph" }).click();
    await panel.page.getByRole("button", { name: "Show as Text" }).click();
    const lines = table("Hottest lines").locator("tbody tr");
    await lines.nth(1).click();
    await lines.nth(1).focus();
    await panel.page.keyboard.press("ArrowUp");
    await panel.page.keyboard.press("Enter");
    expect(await sent()).toEqual([
      { type: "show", view: "superGraph" },
      { type: "show", view: "text" },
      { type: "open-line", line: 1, focus: false },
      { type: "open-line", line: 0, focus: true },
    ]);
    await table("Metrics").getByText(sample.metrics[0].recordedName, { exact: true }).click();
    expect(await sent()).toEqual([{ type: "set-metric", metric: 0 }]);
  });

  it("leads to the super graph first only where there is something to draw", async () => {
    const primary = () => panel.page.locator(".ways vscode-button[appearance=primary]").allTextContents();
    await show();
    expect(await primary()).toEqual(["Super Graph"]);
    await panel.send({ ...sample, metrics: [], hotLines: [] });
    await expect.poll(primary).toEqual(["Data Sets"]);
  });

  it("says what went wrong and what to do", async () => {
    await show();
    await panel.send({ type: "problem", message: "a.cali, line 3: found x.", advice: "Open it again." });
    await panel.page.getByText("Open it again.").waitFor();
    await panel.page.getByRole("button", { name: "Open Again" }).click();
    expect(await sent()).toEqual([{ type: "retry" }]);
  });

  it("takes names as text, and ignores what is no message", async () => {
    const hostile = '<img src=x onerror="window.broken = 1">\u202e';
    await show({}, { ...sample, name: hostile, warnings: [hostile.repeat(50)] });
    await panel.send({ type: "page", name: 5 });
    await panel.send({ ...sample, name: "x".repeat(9000) });
    expect(await panel.page.locator("img").count()).toBe(0);
    expect(await panel.page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
    expect(await panel.page.locator("h1").innerText()).toContain("<img src=x");
  });

  it.each([270, 400, 600, 1400])(
    "shows all columns whole at %i pixels, however long names and paths are",
    async (width) => {
      const long = `mini::HeatOperator::apply(${"mini::Field const&, ".repeat(8)}double)`;
      const place = `/scratch/project/${"a-folder-of-the-build/".repeat(8)}solver.cpp (not found here)`;
      const metrics = [
        {
          name: "PERF_COUNT_HW_CACHE_MISSES:u".repeat(3),
          recordedName: long,
          unit: "1",
          total: 5e9,
          current: true,
          note: long,
        },
      ];
      const hotLines = [{ name: long, functions: 1, exclusive: 1.2e6, place }, ...sample.hotLines];
      const globals = [{ name: "opts:".repeat(20), values: ["x".repeat(500)], moreValues: 0 }];
      await show({ width }, { ...sample, unit: "Ir", metrics, hotLines, globals });
      await screenshot(panel.page, `recording-long-${width}`);
      const cut = await panel.page.locator("th, td").evaluateAll((cells) =>
        cells
          .filter((cell) => {
            const { right } = cell.getBoundingClientRect();
            return cell.scrollWidth > cell.clientWidth + 1 || right > window.innerWidth;
          })
          .map((cell) => cell.textContent),
      );
      expect(cut).toEqual([]);
      expect(await table("Hottest lines").getByText("1.20 M Ir").count()).toBe(1);
    },
  );

  it("says nothing of ranks where none were recorded", async () => {
    await show({}, { ...sample, ranks: 0 });
    expect(await table("Metrics").locator("th").allTextContents()).toContain("total");
    await panel.send(sample);
    await table("Metrics").getByText("total (sum over ranks)").waitFor();
  });

  it.each(themeNames)("has no finding of axe-core at 400, 600 and 1400 pixels (%s)", async (theme) => {
    for (const width of [400, 600, 1400]) {
      await show({ theme, width });
      await screenshot(panel.page, `recording-${theme}-${width}`);
      expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await panel.page.evaluate(axe);
      const { violations } = (await panel.page.evaluate("axe.run()")) as AxeResults;
      expect(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))).toEqual([]);
    }
  });
});
