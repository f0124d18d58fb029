import assert from "node:assert/strict";
import fs from "node:fs";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";

const remarks = "// a remark\n".repeat(10);

stepsInWindow("edited source", {}, (here) => {
  let editor: TextEditor;
  let cost: string;
  const file = () => here.window.file("src/solver.cpp");

  it("has its heat before the edit", async () => {
    editor = new TextEditor(here.window);
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks").waitFor();
    await editor.open("solver.cpp", 1);
    cost = await editor.textBehind("void HeatOperator::apply(", /%/);
  });

  it("keeps the heat at its code while lines are inserted above it", async () => {
    await here.window.page.keyboard.press("Control+Home");
    await here.window.page.keyboard.insertText(remarks);
    await editor.cursorAt("solver.cpp", 11);
    assert.equal(await editor.textBehind("void HeatOperator::apply(", /%/), cost);
    await editor.codeLenses.filter({ hasText: "inclusive" }).first().waitFor();
  });

  it("keeps it when the file is saved, and changed once more while the window is closed", async () => {
    await here.window.page.keyboard.press("Control+S");
    await here.window.tab("solver.cpp").and(here.window.page.locator(":not(.dirty)")).waitFor();
    assert.equal(await editor.textBehind("void HeatOperator::apply(", /%/), cost);
    await here.window.restart(() => fs.writeFileSync(file(), remarks + fs.readFileSync(file(), "utf8")));
    await editor.open("solver.cpp", 20);
    assert.equal(await editor.textBehind("void HeatOperator::apply(", /%/), cost);
  });
});
