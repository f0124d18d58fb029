import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { formatShare } from "../../src/model/units";
import { everyRank, goldenHotPath, goldenInclusive } from "../goldenRecords";
import { Explorer } from "./explorer";
import { HeatflowViews } from "./heatflowViews";
import { Keyboard } from "./keyboard";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

const TREE = "Calling Contexts";

/** The one line of a source file that calls a function. */
function callLine(workspace: string, file: string, name: string): number {
  const lines = fs.readFileSync(path.join(workspace, file), "utf8").split("\n");
  const calls = lines.flatMap((line, at) => (line.includes(`${name}(`) ? [at + 1] : []));
  assert.equal(calls.length, 1);
  return calls[0];
}

stepsInWindow("the hot path", { viewport: { width: 1400, height: 1000 } }, (here) => {
  const golden = goldenHotPath("main", 0.5, everyRank);
  const end = golden[golden.length - 1];
  const share = goldenInclusive(golden.join("/"), everyRank) / goldenInclusive("main", everyRank);
  let views: HeatflowViews;
  let graph: SuperGraph;

  /** Waits until the end of the path is the row that is selected, as deep in the tree as it should be. */
  const isRevealed = () => views.selected(TREE, end, golden.length).waitFor();
  const isSaid = async () => {
    const said = here.window.notification(`${golden.join(" → ")}: ${formatShare(share)} of main`);
    // What was said a while ago waits with the other notifications.
    await here.window.command("Notifications: Show Notifications");
    await said.waitFor();
    await here.window.command("Notifications: Clear All Notifications");
    await said.waitFor({ state: "hidden" });
  };

  it("goes from main, by command, to where a walk over the golden records ends", async () => {
    assert.equal(end, "MPI_Allreduce");
    views = new HeatflowViews(here.window);
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("mean over 8 ranks").waitFor();
    await views.show(TREE);
    await views.row(TREE, "main").click();
    await here.window.command("Heatflow: Follow Hot Path");
    await new TextEditor(here.window).cursorAt("halo.cpp", callLine(here.window.workspace, "src/halo.cpp", end));
    await isSaid();
    await isRevealed();
  });

  it("goes from a bar, by its menu: the panel stays in sight, and its bar of the end is selected", async () => {
    await here.window.closeAllEditors();
    await here.window.command("Heatflow: Show Super Graph");
    graph = await SuperGraph.byFile(here.window);
    await graph.operate("main.cpp", "Follow hot path");
    await new TextEditor(here.window).cursorAt("halo.cpp", callLine(here.window.workspace, "src/halo.cpp", end));
    await graph.selected("MPI").waitFor();
    assert.equal(await graph.bar("main.cpp").isVisible(), true, "the panel is still in sight");
    await isSaid();
    await isRevealed();
  });

  it("goes from a row, by the keyboard alone, also where the tree shows callers and lies behind the Explorer", async () => {
    const keyboard = new Keyboard(here.window);
    await here.window.closeAllEditors();
    await views.show(TREE);
    await views.press(TREE, "Show Callers");
    // Top-down, main calls it.
    await views.clickRoot(TREE, "solve");
    // Its line comes on its own time: an editor that opens after the others were closed would stay.
    await new TextEditor(here.window).shows("solver.cpp", "solve(");
    await here.window.closeAllEditors();
    await keyboard.focusExplorer();
    await keyboard.press("Control+Alt+H", "d");
    await new TextEditor(here.window).cursorAt("halo.cpp", callLine(here.window.workspace, "src/halo.cpp", end));
    await isRevealed();
  });
});
