import assert from "node:assert/strict";
import { formatShare, formatValue } from "../../src/model/units";
import { Explorer } from "./explorer";
import { goldenGraph, meanInclusive } from "./golden";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

stepsInWindow("the main job, with the mouse", {}, (here) => {
  let graph: SuperGraph;

  it("opens the profile from the Explorer's context menu", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks").filter({ hasText: "mean over 8 ranks" }).waitFor();
  });

  it("shows the super graph, by source file", async () => {
    await here.window.command("Heatflow: Show Super Graph");
    graph = await SuperGraph.byFile(here.window);
    // At 0.1 % the same files are left as at 1 %.
    await graph.hasBarsOf(goldenGraph("file", 1));
    await graph.over("mean over 8 ranks").waitFor();
  });

  it("filters", async () => {
    await graph.filter(1);
    await graph.shows(goldenGraph("file", 1));
    await graph.filter(0);
    await graph.shows(goldenGraph("file", 0));
  });

  it("groups by function and back by source file", async () => {
    await graph.choose("groupBy", "by function");
    await graph.shows(goldenGraph("function", 0));
    await graph.choose("groupBy", "by file");
    await graph.shows(goldenGraph("file", 0));
  });

  it("explains a bar under the pointer", async () => {
    await graph.bar("physics.cpp").hover();
    await graph.tooltip.filter({ hasText: "updateConductivity" }).waitFor();
  });

  it("opens the hot line of a bar with a double click", async () => {
    await graph.open("physics.cpp", "physics.cpp", 34);
    assert.equal(await graph.bar("physics.cpp").isVisible(), true, "the panel is still in sight");
  });

  it("shows CodeLens and heat there", async () => {
    const editor = new TextEditor(here.window);
    const { total } = goldenGraph("file", 0);
    // updateConductivity calls no other region: its exclusive is its inclusive, which is a bar of its own by function.
    const mean = meanInclusive(goldenGraph("function", 0), "updateConductivity");
    await editor.codeLenses.filter({ hasText: `${formatValue(mean, "s")} inclusive` }).waitFor();
    // Beside the panel a line of this length has its cost in a column on its left, and its share behind.
    const share = formatShare((8 * mean) / total);
    assert.equal(await editor.textBehind("void updateConductivity(", /%/), share);
    await editor.isInSight("void updateConductivity(", new RegExp(`^"\\u00a0*${formatValue(mean, "s")}"$`));
  });

  it("is followed by the editor when a bar is selected", async () => {
    await graph.bar("solver.cpp").click();
    // The frame with the largest exclusive in that file is the region of dot.
    await new TextEditor(here.window).shows("solver.cpp", "double dot(");
    await graph.selected("solver.cpp").waitFor();
  });

  it("selects the bar from a CodeLens", async () => {
    const editor = new TextEditor(here.window);
    await editor.open("physics.cpp", 34);
    const mean = meanInclusive(goldenGraph("function", 0), "updateConductivity");
    await editor.codeLenses
      .filter({ hasText: `${formatValue(mean, "s")} inclusive` })
      .locator("a")
      .first()
      .click();
    // The file was opened in front of the panel, which now comes to the front again.
    graph = await SuperGraph.of(here.window);
    await graph.selected("physics.cpp").waitFor();
  });
});
