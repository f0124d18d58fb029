import fs from "node:fs";
import path from "node:path";
import { goldenGraph } from "./golden";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

/** A workspace whose settings lead every recorded path out of it. */
function leadOutside(workspace: string): void {
  const outside = path.join(path.dirname(workspace), "outside");
  fs.cpSync(path.join(workspace, "src"), outside, { recursive: true });
  fs.mkdirSync(path.join(workspace, ".vscode"));
  fs.writeFileSync(
    path.join(workspace, ".vscode", "settings.json"),
    JSON.stringify({ "heatflow.sourceMap": { src: outside, "/home/user/miniheat/src": outside } }),
  );
}

stepsInWindow("Restricted Mode", { restricted: true, prepare: leadOutside }, (here) => {
  it("shows recordings", async () => {
    await here.window.statusBarItem("Restricted Mode").waitFor();
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks").waitFor();
    await here.window.command("Heatflow: Show Super Graph");
    await (await SuperGraph.byFile(here.window)).hasBarsOf(goldenGraph("file", 1));
  });

  it("opens lines of the workspace only, whatever its settings say", async () => {
    const graph = await SuperGraph.of(here.window);
    await graph.open("physics.cpp", "physics.cpp", 34);
    // Of a file outside the workspace the whole path would stand there.
    await here.window.page
      .locator(".breadcrumbs-control .monaco-breadcrumb-item")
      .first()
      .filter({ hasText: /^src$/ })
      .waitFor();
    await new TextEditor(here.window).textBehind("void updateConductivity(", /%/);
  });

  it("runs nothing of the workspace", async () => {
    await here.window.command("Heatflow: Run Traced Build");
    await here.window.notification("which is not trusted").waitFor();
    await here.window.page.keyboard.press("Escape");
  });
});
