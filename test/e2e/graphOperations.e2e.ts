import assert from "node:assert/strict";
import { eventually } from "./eventually";
import { Explorer } from "./explorer";
import { goldenGraph } from "./golden";
import { Keyboard } from "./keyboard";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";

/** Sums over ranks, seconds: what an independent program found. */
const byCaller = { globalSum: 10.71, halo_transfer: 6.172, "no caller": 0.009 };
const fromHalo = 16.882;

const splitByFunction = "split MPI by caller function";
const revealed = "reveal updateConductivity in physics.cpp";

stepsInWindow("operations of the super graph", {}, (here) => {
  let graph: SuperGraph;

  const quickPickTitled = (title: string | RegExp) => here.window.quickInput.filter({ hasText: title });

  it("splits MPI by calling function, by mouse", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.command("Heatflow: Show Super Graph");
    graph = await SuperGraph.byFile(here.window);
    await graph.choose("over", "sum over");
    await graph.over("sum over 8 ranks").waitFor();
    await graph.filter(0);
    await graph.hasBarsOf(goldenGraph("file", 0));
    await graph.operate("MPI", "Split by caller function");
    for (const [caller, seconds] of Object.entries(byCaller)) await graph.hasBar(`MPI from ${caller}`, seconds, 0.0005);
    await graph.hasSteps(splitByFunction);
  });

  it("goes back with undo, and splits by calling file by keyboard", async () => {
    const keyboard = new Keyboard(here.window);
    await graph.bar("main.cpp").focus();
    await keyboard.hasFocus(graph.frame);
    await keyboard.press("Control+z");
    await graph.bar("MPI").waitFor();
    await graph.hasSteps(`${splitByFunction} (undone)`);
    const goTo = async () => {
      await graph.bar("MPI").focus();
      await keyboard.hasFocus(graph.frame);
    };
    await keyboard.chooseFromMenu(graph.frame, goTo, "Split by caller group");
    await graph.hasBar("MPI from halo.cpp", fromHalo);
    // Something new was done: what was undone is gone.
    await graph.hasSteps("split MPI by caller group");
  });

  it("removes a step, and reveals a function that is looked for by name", async () => {
    await graph.removeStep("split MPI by caller group");
    await graph.hasSteps();
    await graph.bar("MPI").waitFor();
    await graph.operate("physics.cpp", "Reveal a function…");
    await quickPickTitled("Reveal a Function of physics.cpp").waitFor();
    await here.window.page.keyboard.type("updateCond");
    await here.window.pick("updateConductivity");
    const inFunctions = goldenGraph("function", 0).nodes.find(({ group }) => group === "updateConductivity");
    assert.ok(inFunctions);
    await graph.hasBar("updateConductivity", inFunctions.inclusive);
    await graph.hasSteps(revealed);
  });

  it("expands a file to functions, and collapses it to the same numbers", async () => {
    const before = await graph.drawnBars();
    await graph.operate("solver.cpp", "Expand by");
    await graph.hasSteps(revealed, "expand solver.cpp");
    const isNew = ({ name }: { name: string }) => !before.some((bar) => bar.name === name);
    await eventually(async () => assert.ok((await graph.drawnBars()).some(isNew)));
    const finer = (await graph.drawnBars()).filter(isNew);
    await graph.operate(finer[0].name, "Collapse to solver.cpp");
    await eventually(async () => assert.deepEqual(await graph.drawnBars(), before));
    await graph.hasSteps(revealed, "expand solver.cpp", "collapse solver.cpp");
  });

  it("splits by entry function, set after set", async () => {
    const { nodes } = goldenGraph("function", 0);
    const total = (name: string) =>
      nodes.filter(({ group }) => group === name).reduce((sum, bar) => sum + bar.inclusive, 0);
    await graph.operate("MPI", "Split by entry function…");
    await quickPickTitled("Set 1").waitFor();
    for (const name of ["MPI_Allreduce", "MPI_Waitall"]) {
      const row = here.window.quickInput.locator(".monaco-list-row").filter({ hasText: name }).first();
      await row.click();
      await row.and(here.window.page.locator('[aria-checked="true"]')).waitFor();
    }
    await here.window.page.keyboard.press("Enter");
    await quickPickTitled("Set 2").waitFor();
    await here.window.page.keyboard.press("Enter");
    await graph.hasBar("MPI-{MPI_Allreduce,MPI_Waitall}", total("MPI_Allreduce") + total("MPI_Waitall"));
  });

  it("hides a bar, and says what is hidden until that is undone", async () => {
    const before = await graph.steps();
    await graph.operate("physics.cpp", "Hide");
    await graph.bar("physics.cpp").waitFor({ state: "detached" });
    await graph.hasSteps(...before, "hide physics.cpp");
    // What main.cpp calls there is hidden in it.
    await graph.frame.locator('.drawing [aria-label^="main.cpp,"][aria-label*=" hidden "]').waitFor();
    await graph.tool("undo");
    await graph.bar("physics.cpp").waitFor();
    await graph.hasSteps(...before, "hide physics.cpp (undone)");
  });

  it("keeps the steps over a reload of the window", async () => {
    const before = await graph.steps();
    assert.equal(before.length, 5);
    await here.window.reload();
    graph = await SuperGraph.of(here.window);
    await graph.hasSteps(...before);
    await graph.hasBar("updateConductivity", 1, 10);
  });

  it("saves steps by name, and applies them to another run; what cannot be done is said", async () => {
    await graph.actOnSteps("Remove all steps");
    await graph.hasSteps();
    await graph.operate("MPI", "Split by caller function");
    await graph.hasBar("MPI from globalSum", byCaller.globalSum);
    await graph.operate("MPI from no caller", "Hide");
    await graph.bar("MPI from no caller").waitFor({ state: "detached" });
    await graph.actOnSteps("Save steps…");
    await here.window.quickInput.locator("input[type=text]").fill("where MPI waits");
    await here.window.page.keyboard.press("Enter");
    await graph.frame.locator(".notice").filter({ hasText: "Saved as where MPI waits" }).waitFor();

    await here.window.closeAllEditors();
    await new Explorer(here.window).openRecording("profiles/ensemble/np8-r1.cali");
    await here.window.statusBarItem("np8-r1").waitFor();
    await here.window.command("Heatflow: Show Super Graph");
    graph = await SuperGraph.byFile(here.window, "MPI");
    const whole = (await graph.drawnBars()).find(({ name }) => name === "MPI");
    await graph.actOnSteps("Apply saved steps…");
    await here.window.pick("where MPI waits");
    await graph.bar("MPI from globalSum").waitFor();
    const parts = (await graph.drawnBars()).filter(({ name }) => name.startsWith("MPI from"));
    const sum = parts.reduce((all, { inclusive }) => all + inclusive, 0);
    // What has no caller is a thousandth of it, and hidden.
    assert.ok(whole && Math.abs(sum - whole.inclusive) < 0.01 * whole.inclusive, `${sum}, not ${whole?.inclusive}`);
    await graph.hasSteps(splitByFunction, "hide MPI from no caller");
  });

  it("says of each step why it cannot be done, and does it again where it can", async () => {
    await graph.choose("groupBy", "by function");
    await graph.bar("MPI_Allreduce").waitFor();
    const impossible = graph.frame.locator('.step[aria-label*="cannot be done: \\"MPI\\" is not a group"]');
    // In a narrow panel the step is in the menu of those that do not fit.
    await impossible.filter({ hasText: splitByFunction }).waitFor({ state: "attached" });
    await graph.frame.locator(".notice").filter({ hasText: "Left out: split-by-caller MPI by function" }).waitFor();
    await graph.tool("undo");
    await graph.bar("MPI from globalSum").waitFor();
    await graph.hasSteps(splitByFunction, "hide MPI from no caller");
  });

  it("copies the command line that gives the same graph", async () => {
    await graph.actOnSteps("Copy as command line");
    await graph.frame.locator(".notice").filter({ hasText: "Copied" }).waitFor();
    await here.window.command("File: New Untitled Text File");
    await here.window.tab("Untitled-1").and(here.window.page.locator(".active")).waitFor();
    await here.window.page.locator(".monaco-editor.focused").waitFor();
    await here.window.page.keyboard.press("Control+v");
    const line = here.window.page.locator(".monaco-editor .view-lines").last();
    await line.filter({ hasText: "heatflow graph" }).waitFor();
    const text = (await line.innerText()).replaceAll("\u00a0", " ").replaceAll("\n", "");
    assert.ok(text.includes("--op 'split-by-caller MPI by function'"), text);
    assert.ok(text.includes(`--op 'hide "MPI from no caller"'`), text);
  });
});
