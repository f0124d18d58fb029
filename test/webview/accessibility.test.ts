import fs from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { describe, expect, it, vi } from "vitest";
import { sampleControls, sampleGraph } from "./miniheatGraph";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, type ThemeName, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const view = useSuperGraph();

/** What axe finds, as texts that say where. */
async function findings(): Promise<string[]> {
  await view.panel.page.evaluate(axe);
  const { violations } = (await view.panel.page.evaluate("axe.run()")) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
}

async function show(theme: ThemeName, width: number): Promise<void> {
  const { message } = await sampleGraph(await view.open({ theme, width }), { filter: 1 });
  await view.panel.send({ ...sampleControls, restriction: "ranks 0, 4" });
  await view.sendGraph({ ...message, notes: ["Grouped by load module, since most of the time has no known file."] });
  const step = { text: "hide MPI", done: true };
  await view.panel.send({
    type: "steps",
    start: ["hide below 1 %", "by source file"],
    steps: [
      { ...step, key: 1, label: "hide MPI" },
      { ...step, key: 2, label: "expand MPI", problem: "There is no group." },
      { ...step, key: 3, label: "reveal solve", done: false },
    ],
    canUndo: true,
    canRedo: true,
  });
  await view.panel.page.locator(".bar").first().waitFor();
  await view.panel.page.locator(".step").nth(3).waitFor();
  await drawn(view.panel.page);
}

describe.each(themeNames)("axe-core finds nothing (%s)", (theme) => {
  it.each([400, 1400])("in the graph at %i pixels", async (width) => {
    await show(theme, width);
    await view.panel.page.locator(".bar").nth(1).focus();
    expect(await findings()).toEqual([]);
  });

  it("in table, search and menu", async () => {
    await show(theme, 600);
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await view.panel.page.locator('vscode-text-field[placeholder="Search"] input').fill("halo");
    await drawn(view.panel.page);
    expect(await findings()).toEqual([]);
    await view.panel.page.locator(".bar").nth(1).focus();
    await view.panel.page.keyboard.press("Shift+F10");
    await view.panel.page.getByRole("menu").waitFor();
    expect(await findings()).toEqual([]);
  });

  it("in progress and problems", async () => {
    await show(theme, 600);
    await view.panel.send({ type: "progress", fraction: 0.4, message: "Looking up definitions" });
    await view.panel.page.getByText("Looking up definitions").waitFor();
    expect(await findings()).toEqual([]);
    await view.panel.send({
      type: "problem",
      kind: "error",
      message: "It broke.",
      advice: "Mend it.",
      action: "retry",
    });
    await view.panel.page.getByRole("alert").waitFor();
    expect(await findings()).toEqual([]);
  });
});
