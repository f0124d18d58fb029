import fs from "node:fs";
import path from "node:path";
import { Explorer } from "./explorer";
import { HeatflowViews } from "./heatflowViews";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";

const recording = path.resolve("tracker/test/recordings/h100.json.gz");
const prepare = (workspace: string) => fs.copyFileSync(recording, path.join(workspace, "profiles", "h100.json.gz"));

stepsInWindow("a recording of another program", { prepare }, (here) => {
  let editor: TextEditor;
  const lenses = () => editor.codeLenses.filter({ hasText: "inclusive" });

  it("has no heat and no CodeLens where the folder's own recording has them", async () => {
    editor = new TextEditor(here.window);
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await editor.open("main.cpp", 46);
    await lenses().first().waitFor();
    await editor.textBehind("int main(", /%/);
    await new Explorer(here.window).openRecording("profiles/h100.json.gz");
    await here.window.statusBarItem("h100").waitFor();
    // Its page says why.
    const page = await here.window.webview("Recording");
    await page.getByText("Recorded from work.cu, which is not in these folders.").waitFor();
    await page.getByText("Locate Source…").waitFor();
    // Of another program there is nothing to compare.
    await here.window.statusBarItem("Compare with").waitFor({ state: "hidden" });
    await editor.open("main.cpp", 46);
    await lenses().first().waitFor({ state: "detached" });
    await editor.hasNothingBehind("int main(", /%/);
  });

  it("leads to the file that it was recorded from, not to a function of the same name", async () => {
    const views = new HeatflowViews(here.window);
    await views.show("Hot Functions");
    await views.row("Hot Functions", "main").dblclick();
    await here.window.notification("work.cu").last().waitFor();
    await editor.hasNothingBehind("int main(", /%/);
  });
});
