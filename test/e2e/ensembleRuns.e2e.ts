import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { miniheat } from "../recordings";
import { writeRuns } from "../unit/engine/ensembles/runsWithGlobals";
import { type MeasuredHistory, measuredHistory } from "../unit/engine/history/measuredHistory";
import { Explorer } from "./explorer";
import { Keyboard } from "./keyboard";
import { chooseInSelect } from "./selects";
import { isSteady } from "./steady";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";
import type { Window } from "./window";

stepsInWindow("from which run is slow to the line", {}, (here) => {
  let frame: Frame;
  let slowest: string;

  it("shows the runs of a folder", async () => {
    await new Explorer(here.window).choose("profiles/ensemble", "Open Ensemble…");
    await here.window.webview("Ensemble");
    frame = await showRuns(here.window);
    await mark(frame, "MPI_Allreduce").waitFor();
  });

  it("has the slowest run first, which is made the target by mouse", async () => {
    await chooseInSelect(frame, "view", "runs");
    slowest = await firstOfRuns(frame);
    const target = frame.locator(".details").getByRole("button", { name: "Make it the target" });
    await isSteady(frame);
    await clickOn(here.window, mark(frame, slowest));
    await target.click();
    await hasTarget(frame, slowest);
  });

  it("leads from its slowest function to the line by mouse", async () => {
    await chooseInSelect(frame, "view", "call sites");
    await frame.locator(".legend").getByText("target np27-").waitFor();
    await mark(frame, "MPI_Allreduce").dblclick();
    await new TextEditor(here.window).cursorAt("halo.cpp", lineOf("MPI_Allreduce("));
  });

  it("adds a run that comes into its folder, and keeps the target", async () => {
    const folder = path.join(here.window.workspace, "profiles/ensemble");
    fs.copyFileSync(path.join(folder, "np27-r1.cali"), path.join(folder, "np27-new.cali"));
    await chooseInSelect(frame, "view", "runs");
    await mark(frame, "np27-new").waitFor();
    await hasTarget(frame, slowest);
    await here.window.statusBarItem(`run ${slowest}`).waitFor();
  });
});

stepsInWindow("from which run is slow to the line, with the keyboard alone", {}, (here) => {
  let keyboard: Keyboard;
  let frame: Frame;

  it("opens a folder of runs, and shows them", async () => {
    keyboard = new Keyboard(here.window);
    await keyboard.focusExplorer();
    await keyboard.focusRow("ArrowDown", "profiles");
    await keyboard.press("ArrowRight");
    await new Explorer(here.window).row("profiles/ensemble");
    await keyboard.focusRow("ArrowDown", "ensemble");
    await keyboard.press("Shift+F10");
    await here.window.menuEntry("Open Ensemble…").waitFor();
    await keyboard.focusMenuEntry("ArrowDown", "Open Ensemble…");
    await keyboard.press("Enter");
    await here.window.webview("Ensemble");
    frame = await showRuns(here.window);
    await mark(frame, "MPI_Allreduce").waitFor();
  });

  it("makes the slowest run the target", async () => {
    await keyboard.chooseSelect(frame, "view", "runs");
    const slowest = await firstOfRuns(frame);
    const goTo = async () => {
      await keyboard.tabTo(frame, '.drawing [tabindex="0"]');
      await keyboard.focusIn(frame, "Home", `.drawing [role="option"][aria-label^="${slowest},"]`);
    };
    await keyboard.chooseFromMenu(frame, goTo, "Make it the target");
    await hasTarget(frame, slowest);
  });

  it("leads from its slowest function to the line", async () => {
    await keyboard.chooseSelect(frame, "view", "call sites");
    await frame.locator(".legend").getByText("target np27-").waitFor();
    await keyboard.tabTo(frame, '.drawing [tabindex="0"]');
    await keyboard.focusIn(frame, "Home", '.drawing [role="option"][aria-label^="MPI_Allreduce,"]');
    await keyboard.press("Enter");
    await new TextEditor(here.window).cursorAt("halo.cpp", lineOf("MPI_Allreduce("));
  });
});

function prepareSizes(workspace: string): void {
  const folder = path.join(workspace, "profiles/sizes");
  fs.mkdirSync(folder);
  const runs = [1, 2, 4, 8, 16, 27].map((ranks) => ({ ranks, globals: { problem_size: ranks === 27 ? 6 : 10 } }));
  writeRuns(folder, runs);
}

stepsInWindow("scaling of runs that differ in their size, too", { prepare: prepareSizes }, (here) => {
  let frame: Frame;
  const notice = () =>
    frame.locator(".notice").filter({ hasText: "Also different: problem_size is 6 at 27 ranks, else 10." });
  const model = () => frame.locator(".legend").getByText("model", { exact: true });

  it("is over ranks, and says that the size is another one", async () => {
    await new Explorer(here.window).choose("profiles/sizes", "Open Ensemble…");
    await here.window.webview("Ensemble");
    frame = await showRuns(here.window);
    await chooseInSelect(frame, "view", "scaling");
    await notice().waitFor();
    await frame.locator('[data-select="parameter"]').filter({ hasText: "ranks" }).waitFor();
    await model().waitFor({ state: "detached" });
    if (process.env.HEATFLOW_PICTURES) await here.window.picture(path.resolve(".vscode-test/also-different.png"));
  });

  it("has a model once that run is left out, until the chip of the others is closed", async () => {
    await notice().getByText("Leave out 27").click();
    await model().waitFor();
    await notice().waitFor({ state: "detached" });
    await frame.getByRole("button", { name: "Remove 5 runs" }).click();
    await notice().waitFor();
  });
});

let history: MeasuredHistory;
const prepare = (workspace: string) => (history = measuredHistory(workspace));

stepsInWindow("functions over commits", { prepare }, (here) => {
  let frame: Frame;
  const short = (commit: string) => commit.slice(0, 7);

  it("shows the function that one of the commits made slower", async () => {
    await new Explorer(here.window).choose("all.heatflow-runs.json", "Open Ensemble…");
    await here.window.webview("Ensemble");
    frame = await showRuns(here.window);
    await chooseInSelect(frame, "view", "over commits");
    // A line without a width is never called visible.
    await mark(frame, "solve").waitFor({ state: "attached" });
    await frame.locator(".summary").getByText("1 change of 1 function").first().waitFor();
  });

  it("leads to the line that became slower", async () => {
    // A line has no inside that could be waited for.
    await isSteady(frame);
    await clickOn(here.window, mark(frame, "solve"), 2);
    await new TextEditor(here.window).cursorAt("solve.cpp", 7);
  });

  it("opens what the commit changed in that file", async () => {
    const [, before, after] = history.commits;
    const diff = frame.locator(".details").getByRole("button", { name: "Diff of the two commits" });
    await isSteady(frame);
    await clickOn(here.window, mark(frame, "solve"));
    await diff.click();
    await here.window.tab(`solve.cpp (${short(before)} ↔ ${short(after)})`).waitFor();
    for (const [side, text] of [
      ["original", "work(1);"],
      ["modified", "work(2);"],
    ])
      await here.window.page.locator(`.editor.${side} .view-line`).filter({ hasText: text }).waitFor();
    if (process.env.HEATFLOW_PICTURES) await here.window.picture(path.resolve(".vscode-test/commit-diff.png"));
  });
});

async function showRuns(window: Window): Promise<Frame> {
  await window.command("Heatflow: Show Ensemble Runs");
  return window.webview("Ensemble Runs");
}

function mark(frame: Frame, name: string): Locator {
  return frame.locator(`.drawing [role="option"][aria-label^="${name},"]`);
}

/** The name of the run that is drawn first, which must be one of those of 27 ranks. */
async function firstOfRuns(frame: Frame): Promise<string> {
  await frame.locator('.drawing [role="option"][aria-label^="np27-"]').first().waitFor();
  const first = await frame.locator('.drawing [role="option"]').first().getAttribute("aria-label");
  const name = (first ?? "").split(",")[0];
  if (!name.startsWith("np27-")) throw new Error(`${name} is first`);
  return name;
}

async function hasTarget(frame: Frame, run: string): Promise<void> {
  await frame.locator('[data-select="target"]').filter({ hasText: run }).waitFor();
}

async function clickOn(window: Window, one: Locator, clickCount = 1): Promise<void> {
  const box = await one.boundingBox();
  if (!box) throw new Error("what is to be clicked is not in sight");
  await window.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount });
}

/** 1-based. */
function lineOf(text: string): number {
  const lines = fs.readFileSync(path.join(miniheat, "src/halo.cpp"), "utf8").split("\n");
  return lines.findIndex((line) => line.includes(text)) + 1;
}
