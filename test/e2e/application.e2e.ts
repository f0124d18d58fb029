import type { Frame, Locator } from "playwright-core";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";

stepsInWindow("application tree", {}, (here) => {
  let frame: Frame;
  const mark = (name: string): Locator => frame.locator(`.drawing [role="option"][aria-label^="${name},"]`).first();

  it("draws the calling contexts, and says when they were active", async () => {
    await new Explorer(here.window).openRecording("profiles/trace/events-0.cali");
    await here.window.statusBarItem("events-0").waitFor();
    await here.window.command("Heatflow: Show Application Tree");
    frame = await here.window.webview("Application Tree");
    const box = await mark("solve").boundingBox();
    if (!box) throw new Error("no context is drawn");
    await here.window.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await frame.locator(".details").getByText("inclusive", { exact: true }).waitFor();
  });

  it("folds what a context calls, and draws it again, by keyboard", async () => {
    await mark("dot").waitFor();
    await mark("solve").press("c");
    await mark("dot").waitFor({ state: "detached" });
    await mark("solve").press("c");
    await mark("dot").waitFor();
  });

  it("leads to the line, and walks the tree with arrow keys", async () => {
    await mark("solve").press("ArrowLeft");
    await frame.locator('.drawing [role="option"][aria-label^="advance,"]:focus').waitFor();
    await mark("dot").press("Enter");
    await new TextEditor(here.window).shows("solver.cpp", "double dot");
  });
});
