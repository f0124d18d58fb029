/** Takes README's pictures anew, of the window as it is now, where HEATFLOW_README_PICTURES is set. */
import path from "node:path";
import { root } from "../host/folders.mjs";
import { Explorer } from "./explorer";
import { FlameGraph } from "./flameGraph";
import { HeatflowViews } from "./heatflowViews";
import { Histogram } from "./histogram";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

const pictures = path.join(root, "media");
const suite = process.env.HEATFLOW_README_PICTURES ? stepsInWindow : () => undefined;

suite("README's pictures", { viewport: { width: 1500, height: 900 } }, (here) => {
  const take = async (name: string) => {
    // Where the pointer explains nothing.
    await here.window.page.mouse.move(750, 890);
    await here.window.page.locator(".monaco-hover:visible").waitFor({ state: "detached" });
    await here.window.picture(path.join(pictures, name));
  };
  /** @param over as the CodeLens says it: numbers of a brush that went on are not those of the picture */
  const hotLine = async (over = "mean over 8 ranks") => {
    const editor = new TextEditor(here.window);
    await editor.textBehind("void updateConductivity(", /%/);
    await editor.codeLenses.filter({ hasText: "inclusive" }).filter({ hasText: over }).first().waitFor();
  };

  it("show the super graph beside the hot line", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks").filter({ hasText: "mean over 8 ranks" }).waitFor();
    await here.window.command("View: Toggle Primary Side Bar Visibility");
    await here.window.command("Heatflow: Show Super Graph");
    const graph = await SuperGraph.of(here.window);
    await graph.hasStart("≥ 0.1 %", "first picture");
    await graph.open("updateConductivity", "physics.cpp", 34);
    await hotLine();
    await take("screenshot.png");
  });

  it("show a restricted histogram below the super graph", async () => {
    await here.window.command("Heatflow: Show Histogram over Ranks");
    const histogram = await Histogram.of(here.window);
    await histogram.brush("0", "4", "ranks 0, 4");
    await here.window.statusBarItem("mean over ranks 0, 4").waitFor();
    await hotLine("mean over ranks 0, 4");
    await take("histogram.png");
    await here.window.command("Heatflow: Clear Restriction");
    await here.window.statusBarItem("mean over 8 ranks").waitFor();
  });

  it("show the flame graph beside the hot line", async () => {
    await here.window.closeAllEditors();
    await new HeatflowViews(here.window).show("Hot Functions");
    await new HeatflowViews(here.window).row("Hot Functions", "updateConductivity").click();
    await hotLine();
    await here.window.command("View: Toggle Primary Side Bar Visibility");
    await here.window.command("Heatflow: Show Flame Graph");
    const flames = await FlameGraph.of(here.window);
    await flames.click(await flames.find("updateConductivity"));
    await flames.clearSearch();
    await hotLine();
    await take("flame-graph.png");
  });
});
