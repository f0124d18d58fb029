import fs from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sampleControls, sampleGraph } from "./miniheatGraph";
import { drawn, type PanelPage, PanelWindow, type ThemeName, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let panels: PanelWindow;
let panel: PanelPage;

beforeAll(async () => {
  panels = await PanelWindow.start("superGraph", "Super Graph");
});
afterAll(() => panels.stop());
afterEach(() => panel.page.context().close());

/** What axe finds, as texts that say where. */
async function findings(): Promise<string[]> {
  await panel.page.evaluate(axe);
  const { violations } = (await panel.page.evaluate("axe.run()")) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
}

async function show(theme: ThemeName, width: number): Promise<void> {
  panel = await panels.open({ theme, width });
  await panel.page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
  const [ready] = await panel.sent();
  const { message } = await sampleGraph({ width: Number(ready.width), height: Number(ready.height) }, { filter: 1 });
  await panel.send({ ...sampleControls, restriction: "ranks 0, 4" });
  await panel.send({ ...message, notes: ["Grouped by load module, since most of the time has no known file."] });
  await panel.page.locator(".bar").first().waitFor();
  await drawn(panel.page);
}

describe.each(themeNames)("axe-core finds nothing (%s)", (theme) => {
  it.each([400, 1400])("in the graph at %i pixels", async (width) => {
    await show(theme, width);
    await panel.page.locator(".bar").nth(1).focus();
    expect(await findings()).toEqual([]);
  });

  it("in table, search and menu", async () => {
    await show(theme, 600);
    await panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await panel.page.locator('vscode-text-field[placeholder="Search"] input').fill("halo");
    await drawn(panel.page);
    expect(await findings()).toEqual([]);
    await panel.page.locator(".bar").nth(1).focus();
    await panel.page.keyboard.press("Shift+F10");
    await panel.page.getByRole("menu").waitFor();
    expect(await findings()).toEqual([]);
  });

  it("in progress and problems", async () => {
    await show(theme, 600);
    await panel.send({ type: "progress", fraction: 0.4, message: "Looking up definitions" });
    await panel.page.getByText("Looking up definitions").waitFor();
    expect(await findings()).toEqual([]);
    await panel.send({ type: "problem", kind: "error", message: "It broke.", advice: "Mend it.", action: "retry" });
    await panel.page.getByRole("alert").waitFor();
    expect(await findings()).toEqual([]);
  });
});
