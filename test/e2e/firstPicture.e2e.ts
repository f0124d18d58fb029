import path from "node:path";
import { miniheat } from "../recordings";
import { Explorer } from "./explorer";
import { printedGraph } from "./firstCases";
import { goldenGraph } from "./golden";
import { Keyboard } from "./keyboard";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";

stepsInWindow("the first picture", {}, (here) => {
  let graph: SuperGraph;
  const profile = path.join(miniheat, "profiles/profile-8ranks.cali");
  const ofProfile = printedGraph(profile, "--first", "--source", path.join(miniheat, "src"));

  it("is what a new panel starts with, and says so", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.command("Heatflow: Show Super Graph");
    graph = await SuperGraph.of(here.window);
    await graph.hasBarsOf(ofProfile);
    await graph.hasStart(`≥ ${ofProfile.first?.filter} %`, "first picture");
    await graph.frame
      .locator('[data-select="groupBy"]')
      .getByText("by file, heaviest by function")
      .waitFor({ state: "attached" });
  });

  it("gives way to files from its step, and comes back by Ctrl+Z and from the menu", async () => {
    const keyboard = new Keyboard(here.window);
    await graph.regroup("by file");
    await graph.hasBarsOf(goldenGraph("file", 1));
    await graph.hasStart(`≥ ${ofProfile.first?.filter} %`, "by file");
    await graph.bar("main.cpp").focus();
    await keyboard.hasFocus(graph.frame);
    await keyboard.press("Control+z");
    await graph.hasBarsOf(ofProfile);
    await keyboard.press("Control+Shift+z");
    await graph.hasBarsOf(goldenGraph("file", 1));
    await graph.choose("groupBy", "first picture");
    await graph.hasBarsOf(ofProfile);
  });

  it("is opened further by its menu, and is there again after a reload", async () => {
    await graph.operate("halo.cpp", "Expand");
    await graph.bar("halo_transfer").waitFor();
    await graph.hasSteps("expand halo.cpp");
    const before = await graph.drawnBars();
    await here.window.reload();
    graph = await SuperGraph.of(here.window);
    await graph.hasSteps("expand halo.cpp");
    await graph.hasStart(`≥ ${ofProfile.first?.filter} %`, "first picture");
    await graph.hasBarsOf({ nodes: before.map((bar) => ({ ...bar, group: bar.name, visit: 1 })) });
    await graph.tool("undo");
    await graph.hasBarsOf(ofProfile);
  });
});
