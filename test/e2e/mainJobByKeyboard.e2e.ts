import assert from "node:assert/strict";
import { formatValue } from "../../src/model/units";
import { Explorer } from "./explorer";
import { goldenGraph, meanInclusive } from "./golden";
import { Keyboard } from "./keyboard";
import { stepsInWindow } from "./steps";
import { BARS, SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

stepsInWindow("the main job, with the keyboard alone", {}, (here) => {
  let keyboard: Keyboard;
  let graph: SuperGraph;

  before(() => {
    keyboard = new Keyboard(here.window);
  });

  it("opens the profile from the Explorer's context menu", async () => {
    await keyboard.focusExplorer();
    await keyboard.focusRow("ArrowDown", "profiles");
    await keyboard.press("ArrowRight");
    await new Explorer(here.window).row("profiles/profile-8ranks.cali");
    await keyboard.focusRow("ArrowDown", "profile-8ranks.cali");
    await keyboard.press("Shift+F10");
    await here.window.menuEntry("Open Performance Data").waitFor();
    await keyboard.focusMenuEntry("ArrowDown", "Open Performance Data");
    await keyboard.press("Enter");
    await here.window.statusBarItem("profile-8ranks").filter({ hasText: "mean over 8 ranks" }).waitFor();
    // The panel opens beside it, not before it.
    await here.window.webview("Recording");
  });

  it("shows the super graph by a chord", async () => {
    await keyboard.chord("g", "Super Graph");
    graph = await SuperGraph.of(here.window);
    await graph.hasStart("≥ 0.1 %", "first picture");
  });

  it("leads from there to the hot line by at most four keys", async () => {
    // The chord has put the focus on the hottest bar; of the program's own code, the hottest stands in the second level.
    await graph.frame.locator(`${BARS}[aria-label^="MPI_Allreduce,"]:focus`).waitFor();
    const keys = ["Home", "ArrowDown", "ArrowDown", "Enter"];
    assert.ok(keys.length <= 4);
    await keyboard.press(...keys);
    await new TextEditor(here.window).cursorAt("physics.cpp", 34);
  });

  it("filters", async () => {
    // The panel is in front; this leads into it.
    await keyboard.focusGroup(2, graph.frame);
    await keyboard.filter(graph.frame, "0");
    // The groups stay those of the first picture.
    await graph.hasStart("nothing hidden", "first picture");
  });

  it("groups by source file, by function and back", async () => {
    for (const [entry, grouping] of [
      ["by file", "file"],
      ["by function", "function"],
      ["by file", "file"],
    ]) {
      await keyboard.chooseSelect(graph.frame, "groupBy", entry);
      await graph.shows(goldenGraph(grouping, 0));
    }
  });

  it("goes from bar to bar, and to the hot line", async () => {
    await keyboard.focusIn(graph.frame, "Tab", BARS);
    // A graph stays near the one before, so either of the roots may be the upper one.
    const roots = ["main.cpp,", "(no region),"].map((name) => `${BARS}[aria-label^="${name}"]`);
    await keyboard.focusIn(graph.frame, "Home", roots.join(", "));
    await keyboard.focusIn(graph.frame, "ArrowDown", roots[0]);
    await keyboard.press("ArrowRight");
    await keyboard.focusIn(graph.frame, "ArrowDown", `${BARS}[aria-label^="physics.cpp,"]`);
    await graph.tooltip.filter({ hasText: "updateConductivity" }).waitFor();
    await keyboard.press("Enter");
    await new TextEditor(here.window).cursorAt("physics.cpp", 34);
  });

  it("shows CodeLens and heat there, and goes on to the next hot line", async () => {
    const editor = new TextEditor(here.window);
    const mean = meanInclusive(goldenGraph("function", 0), "updateConductivity");
    await editor.codeLenses.filter({ hasText: `${formatValue(mean, "s")} inclusive` }).waitFor();
    await editor.textBehind("void updateConductivity(", /%/);
    await keyboard.press("Control+Alt+H", "n");
    // The region of reactionSource begins after its name's line: it has no other hot line.
    await editor.cursorAt("physics.cpp", 45);
    await keyboard.press("Control+Alt+H", "h");
    await editor.cursorAt("physics.cpp", 34);
  });
});
