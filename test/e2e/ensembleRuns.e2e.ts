import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { miniheat } from "../recordings";
import { eventually } from "./eventually";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";

stepsInWindow("from which run is slow to the line", {}, (here) => {
  let frame: Frame;
  const marks = (name: string): Locator => frame.locator(`.drawing [role="option"][aria-label^="${name}"]`);

  it("shows the runs of a folder", async () => {
    await new Explorer(here.window).choose("profiles/ensemble", "Open Ensemble…");
    await here.window.webview("Ensemble");
    await here.window.command("Heatflow: Show Ensemble Runs");
    frame = await here.window.webview("Ensemble Runs");
    await marks("MPI_Allreduce,").waitFor();
  });

  it("has the slowest run first, which is made the target by mouse", async () => {
    await chooseSelect("view", "runs");
    const runs = frame.locator('.drawing [role="option"]');
    const first = frame.locator('.drawing [role="option"][aria-label^="np27-"]').first();
    await first.waitFor();
    const slowest = ((await runs.first().getAttribute("aria-label")) ?? "").split(",")[0];
    if (!slowest.startsWith("np27-")) throw new Error(`${slowest} is first`);
    const target = frame.locator(".details").getByRole("button", { name: "Make it the target" });
    await eventually(async (withinMs) => {
      await clickOn(marks(`${slowest},`));
      await target.click({ timeout: withinMs });
    });
    await frame.locator('[data-select="target"]').filter({ hasText: slowest }).waitFor();
  });

  it("leads from its slowest function to the line by mouse", async () => {
    await chooseSelect("view", "call sites");
    await frame.locator(".legend").getByText("target np27-").waitFor();
    await marks("MPI_Allreduce,").dblclick();
    await new TextEditor(here.window).cursorAt("halo.cpp", lineOf("MPI_Allreduce("));
  });

  async function clickOn(mark: Locator): Promise<void> {
    const box = await mark.boundingBox();
    if (!box) throw new Error("what is to be clicked is not in sight");
    await here.window.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  }

  async function chooseSelect(id: string, entry: string): Promise<void> {
    const menu = frame.getByRole("menu");
    await eventually(async (withinMs) => {
      if (!(await menu.isVisible())) await frame.locator(`[data-select="${id}"]`).click({ timeout: withinMs });
      await menu.getByRole("menuitemradio", { name: entry, exact: true }).click({ timeout: withinMs });
      await menu.waitFor({ state: "hidden", timeout: withinMs });
    });
  }
});

/** 1-based. */
function lineOf(text: string): number {
  const lines = fs.readFileSync(path.join(miniheat, "src/halo.cpp"), "utf8").split("\n");
  return lines.findIndex((line) => line.includes(text)) + 1;
}
