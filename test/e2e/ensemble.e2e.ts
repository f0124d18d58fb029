import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { miniheat } from "../recordings";
import { Explorer } from "./explorer";
import { chooseInSelect } from "./selects";
import { isSteady } from "./steady";
import { stepsInWindow } from "./steps";
import { pressTool } from "./tools";
import { TextEditor } from "./textEditor";

stepsInWindow("an ensemble of runs", {}, (here) => {
  let frame: Frame;
  const marks = (name: string): Locator => frame.locator(`.drawing [role="option"][aria-label^="${name}"]`);

  it("opens a folder of runs as one graph", async () => {
    await new Explorer(here.window).choose("profiles/ensemble", "Open Ensemble…");
    frame = await here.window.webview("Ensemble");
    // The first picture of all runs: calls of MPI are bars of their own.
    await marks("MPI_Allreduce,").waitFor();
    await chooseInSelect(frame, "groupBy", "by file");
    await marks("MPI,").waitFor();
    await frame.getByText("18 runs · 1 – 27 ranks").first().waitFor();
  });

  it("has the run as target whose column is clicked", async () => {
    const box = await marks("np27-r3,").boundingBox();
    if (!box) throw new Error("the run has no column");
    await here.window.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await frame.locator(".legend").getByText("target np27-r3").waitFor();
    if (process.env.HEATFLOW_PICTURES) await here.window.picture(path.resolve(".vscode-test/ensemble-window.png"));
  });

  it("keeps the runs of a guide that is clicked, until their chip is closed", async () => {
    const box = await marks("1 – 2 ranks of MPI,").boundingBox();
    if (!box) throw new Error("the bar has no such guide");
    await here.window.page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
    await frame.getByText("6 of 18 runs").first().waitFor();
    await frame.getByRole("button", { name: "Remove 6 runs" }).click();
    await frame.getByText("6 of 18 runs").first().waitFor({ state: "detached" });
  });

  it("has call sites beside it, of which a click selects the bar that has the function", async () => {
    const tool = frame.getByRole("button", { name: "Call sites beside the drawing" });
    await tool.click();
    const row = frame.locator(".side .plots li").filter({ hasText: "MPI_Waitall" });
    await row.getByRole("button").click();
    await frame.locator('.drawing [aria-selected="true"][aria-label^="MPI,"]').waitFor();
    // The function's line opens beside, which leaves the panel half its width: the tool goes to the menu of what did not fit.
    await new TextEditor(here.window).shows("halo.cpp", "MPI_Waitall(");
    const plots = frame.locator(".side .plots");
    await isSteady(frame);
    await pressTool(frame, "Call sites beside the drawing");
    await plots.waitFor({ state: "detached" });
  });

  it("leads to the line that costs the target most, by keyboard", async () => {
    await marks("MPI,").press("Enter");
    const editor = new TextEditor(here.window);
    await editor.cursorAt("halo.cpp", lineOf("MPI_Allreduce("));
    // Lines follow the target.
    const lens = editor.codeLenses.filter({
      hasText: /inclusive, ensemble .*, \d+(?:st|nd|rd|th) percentile · run np27-r3 · /,
    });
    await lens.first().waitFor({ state: "attached" });
    if (process.env.HEATFLOW_PICTURES)
      await here.window.picture(path.resolve(".vscode-test/ensemble-target-lines.png"));
  });

  it("is there again after a reload, with its target", async () => {
    await here.window.reload();
    frame = await here.window.webview("Ensemble");
    await frame.locator(".toolbar").getByText("np27-r3").first().waitFor();
  });

  it("has its difference to the median run followed by lines, until its chip in the status bar is clicked", async () => {
    await frame.getByRole("button", { name: "Difference to other runs" }).click();
    await frame.getByRole("menuitemradio", { name: "against the median run" }).click();
    const editor = new TextEditor(here.window);
    const compared = editor.codeLenses.filter({ hasText: /[▲▼].* exclusive \(.* → .*\) · .* inclusive/ });
    await compared.first().waitFor({ state: "attached" });
    const chip = here.window.statusBarItem(/→ np27-r3/);
    await chip.waitFor();
    if (process.env.HEATFLOW_PICTURES) await here.window.picture(path.resolve(".vscode-test/ensemble-difference.png"));
    await chip.click();
    // A line that has left the window keeps its old text, hidden, until it comes back.
    await compared.filter({ visible: true }).first().waitFor({ state: "detached" });
    const ofTarget = editor.codeLenses.filter({ hasText: / · run np27-r3 · / });
    await ofTarget.first().waitFor({ state: "attached" });
    await frame.locator(".legend").getByText("target np27-r3").waitFor({ state: "attached" });
  });
});

/** 1-based. */
function lineOf(text: string): number {
  const lines = fs.readFileSync(path.join(miniheat, "src/halo.cpp"), "utf8").split("\n");
  return lines.findIndex((line) => line.includes(text)) + 1;
}
