import fs from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { describe, expect, it, vi } from "vitest";
import type { FrameMessage } from "../../src/protocol/frame";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, readThemes, type ThemeName } from "./window";

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
  const sample = await view.show({ theme, width }, { filter: 1, ranks: [0, 4], state: { below: false } });
  const text = "Grouped by load module, since most of the time has no known file.";
  const more = (message: FrameMessage): FrameMessage => ({
    ...message,
    notices: [{ id: "note", severity: "info", text }],
    steps: [
      ...message.steps,
      { id: "1", text: "hide MPI", removable: true },
      { id: "2", text: "expand MPI", removable: true, problem: "There is no group." },
      { id: "3", text: "reveal solve", removable: true, undone: true },
    ],
  });
  await view.sendFrame(sample, { frame: more });
  await view.panel.page.locator(".notice").waitFor();
  await drawn(view.panel.page);
}

describe.each(readThemes("accessibility"))("axe-core finds nothing (%s)", (theme) => {
  it.each([400, 1400])("in the graph at %i pixels", async (width) => {
    await show(theme, width);
    await view.bars().nth(1).focus();
    expect(await findings()).toEqual([]);
  });

  it("in two runs with the list of what changed most", async () => {
    await view.show({ theme, width: 1400 }, { runs: true });
    await view.panel.page.locator(".side .changes li").first().waitFor();
    expect(await findings()).toEqual([]);
  });

  it("in table, search and menu", async () => {
    await show(theme, 600);
    await view.tool("table", "Table");
    await view.search("halo");
    await drawn(view.panel.page);
    expect(await findings()).toEqual([]);
    await view.bars().nth(1).focus();
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
