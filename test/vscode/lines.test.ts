import assert from "node:assert/strict";
import * as vscode from "vscode";
import { formatRatio, formatShare, formatValue } from "../../src/model/units";
import { exclusiveOf, totalSeconds } from "./golden";
import { closeAllEditors, heatflow, openProfile, showSource, until } from "./heatflow";

/** Line of the definition of `updateConductivity`, which calls no other region. */
const CONDUCTIVITY = 34;
/** Line of `main.cpp` that calls `solve`. */
const SOLVE_CALL = 41;

describe("lines of the source", () => {
  const conductivity = () => exclusiveOf("updateConductivity");

  before(openProfile);
  afterEach(closeAllEditors);

  it("have a CodeLens above each function with data", async () => {
    const { document } = await showSource("physics.cpp");
    const lenses = await until("the lenses are there", async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        document.uri,
        100,
      );
      return found.length > 0 && found;
    });
    const title = lenses.find(({ range }) => range.start.line + 1 === CONDUCTIVITY)?.command?.title ?? "";
    const { mean, maximum } = conductivity();
    assert.ok(title.includes(`${formatValue(mean, "s")} inclusive`), title);
    assert.ok(title.includes(`${formatValue(mean, "s")} exclusive`), title);
    assert.ok(title.includes(formatShare((8 * mean) / totalSeconds())), title);
    assert.ok(title.includes(formatRatio(maximum / mean)), title);
    assert.ok(title.includes("mean over 8 ranks"), title);
  });

  it("carry their heat and their cost", async () => {
    const { decorations } = await heatflow();
    const { document } = await showSource("physics.cpp");
    const line = await until("the line is decorated", () =>
      decorations(document.uri).find(({ line }) => line === CONDUCTIVITY),
    );
    const { mean } = conductivity();
    assert.ok(line.level !== undefined && line.level > 0);
    assert.equal(line.text, `${formatValue(mean, "s")} · ${formatShare((8 * mean) / totalSeconds())}`);
  });

  it("lose heat and CodeLens by one command each, and get them back", async () => {
    const { decorations } = await heatflow();
    const { document } = await showSource("physics.cpp");
    const isHot = () => decorations(document.uri).length > 0;
    const hasLens = async () =>
      (await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", document.uri)).length >
      0;
    await until("both are there", async () => isHot() && (await hasLens()));
    await vscode.commands.executeCommand("heatflow.toggleHeat");
    await until("the heat is gone", () => !isHot());
    assert.equal(await hasLens(), true);
    await vscode.commands.executeCommand("heatflow.toggleCodeLens");
    await until("the lenses are gone", async () => !(await hasLens()));
    await vscode.commands.executeCommand("heatflow.toggleHeat");
    await vscode.commands.executeCommand("heatflow.toggleCodeLens");
    await until("both are back", async () => isHot() && (await hasLens()));
  });

  it("explain themselves in a hover", async () => {
    const { document } = await showSource("physics.cpp");
    const text = await until("the hover is there", async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        "vscode.executeHoverProvider",
        document.uri,
        new vscode.Position(CONDUCTIVITY - 1, 8),
      );
      const parts = hovers.flatMap(({ contents }) => contents);
      const found = parts.map((part) => (typeof part === "string" ? part : part.value)).join("\n");
      return found.includes("Heatflow") && found;
    });
    const { mean, minimum, maximum, slowestRank } = conductivity();
    // Numbers are kept together with their units.
    const said = text.replaceAll("\\", "").replace(/&nbsp;|\u00a0/g, " ");
    for (const expected of [
      `min ${formatValue(minimum, "s")}`,
      `mean ${formatValue(mean, "s")}`,
      `max ${formatValue(maximum, "s")} on rank ${slowestRank}`,
      `Imbalance ${formatRatio(maximum / mean)}`,
      "main › timestep › advance › updateConductivity",
    ])
      assert.ok(said.includes(expected), `${expected} is not in: ${said}`);
  });

  it("that only call say what is called, what it costs and where it leads", async () => {
    const { document } = await showSource("main.cpp");
    const text = await until("the hover is there", async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        "vscode.executeHoverProvider",
        document.uri,
        new vscode.Position(SOLVE_CALL - 1, 8),
      );
      const parts = hovers.flatMap(({ contents }) => contents);
      const found = parts.map((part) => (typeof part === "string" ? part : part.value)).join("\n");
      return found.includes("Heatflow") && found;
    });
    const said = text.replaceAll("\\", "").replaceAll("&nbsp;", " ");
    assert.ok(said.includes("Called from this line, inclusive"), said);
    assert.ok(said.includes("[solve]"), said);
    assert.ok(said.includes("defined at solver.cpp:45"), said);
  });

  it("move their heat when lines are inserted above them", async () => {
    const { decorations } = await heatflow();
    const { document } = await showSource("solver.cpp");
    const hotLines = () => decorations(document.uri).map(({ line, level, text }) => ({ line, level, text }));
    const before = await until("the file is decorated", () => hotLines().length > 0 && hotLines());
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "// a remark\n".repeat(10));
    await vscode.workspace.applyEdit(edit);
    const moved = before.map((line) => ({ ...line, line: line.line + 10 }));
    await until("the heat has moved", () => JSON.stringify(hotLines()) === JSON.stringify(moved));
    await vscode.commands.executeCommand("undo");
    await until("the heat is back", () => JSON.stringify(hotLines()) === JSON.stringify(before));
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("are found by “Go to Hottest Line”, MPI left out", async () => {
    await vscode.commands.executeCommand("heatflow.goToHottestLine");
    await until("the cursor is there", () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.fileName.endsWith("physics.cpp") && editor.selection.active.line + 1 === CONDUCTIVITY;
    });
  });
});
