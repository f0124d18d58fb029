import { Explorer } from "./explorer";
import { goldenGraph } from "./golden";
import { itInFull, stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

const opened = "profile-8ranks.cali · time · mean over 8 ranks";

stepsInWindow("what was open", {}, (here) => {
  it("begins with a view that says what to do", async () => {
    await here.window.command("Heatflow: Focus on Data Sets View");
    await here.window.page.locator(".welcome-view-content").filter({ hasText: "Open Performance Data" }).waitFor();
  });

  it("is dropped onto a Heatflow view", async () => {
    const { page } = here.window;
    const view = page.locator(".pane").filter({ hasText: "Hot Functions" }).locator(".pane-body");
    // What is let go of before the window has seen it over the view falls beside it: then it is dragged again.
    await (await new Explorer(here.window).row("profiles/profile-8ranks.cali")).hover();
    await page.mouse.down();
    // What is held over the icon of a container opens it.
    await here.window.moveTo(page.locator('.activitybar [aria-label^="Heatflow"]').first());
    await view.waitFor();
    await here.window.moveTo(view);
    await page.mouse.up();
    // Its page comes last, and would take the focus from what the next step types.
    await here.window.tab("profile-8ranks.cali").and(page.locator(".active")).first().waitFor();
  });

  it("is there again after a reload, with its page and its panel", async () => {
    await new Explorer(here.window).open("profiles/profile-8ranks.cali");
    await here.window.tab("profile-8ranks.cali").waitFor();
    await here.window.command("Heatflow: Show Super Graph");
    await (await SuperGraph.byFile(here.window)).hasBarsOf(goldenGraph("file", 1));
    await here.window.reload();
    await here.window.statusBarItem(opened).waitFor();
    await here.window.tab("profile-8ranks.cali").waitFor();
    await (await SuperGraph.of(here.window)).hasBarsOf(goldenGraph("file", 1));
  });

  // Edited source is shown again after a restart in any run.
  itInFull("is there again after a restart, with its heat", async () => {
    await new TextEditor(here.window).open("physics.cpp", 34);
    await here.window.restart();
    await here.window.statusBarItem(opened).waitFor();
    await new TextEditor(here.window).open("physics.cpp", 34);
    await new TextEditor(here.window).textBehind("void updateConductivity(", /%/);
  });
});
