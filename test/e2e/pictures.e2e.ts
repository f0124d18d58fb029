import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame } from "playwright-core";
import { root } from "../host/folders.mjs";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";
import type { Window } from "./window";

/** Pictures to look at: the window in every kind of theme, and the panel alone at the widths that it must work at. */
const folder = process.env.HEATFLOW_PICTURES ?? path.join(root, ".vscode-test", "pictures");
const themes = ["Default Dark Modern", "Default Light Modern", "Default High Contrast", "Default High Contrast Light"];
const height = 900;

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** What axe-core finds in a document. */
async function findings(frame: Frame): Promise<string[]> {
  await frame.evaluate(fs.readFileSync(path.join(root, "node_modules", "axe-core", "axe.min.js"), "utf8"));
  const result = await frame.evaluate<AxeResult>("axe.run(document)");
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

async function picture(window: Window, name: string): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  await window.page.screenshot({ path: path.join(folder, `${name}.png`) });
}

/** Makes the panel this wide and waits until it has drawn itself for it. */
async function atWidth(window: Window, graph: SuperGraph, width: number): Promise<void> {
  await window.page.setViewportSize({ width: width + 100, height });
  await graph.fits();
  const beside = width + 100 - (await graph.frame.evaluate<number>("innerWidth"));
  await window.page.setViewportSize({ width: width + beside, height });
  await graph.fits();
}

for (const theme of themes) {
  const name = theme.toLowerCase().replaceAll(" ", "-");
  stepsInWindow(`pictures in ${theme}`, { settings: { "workbench.colorTheme": theme } }, (here) => {
    let graph: SuperGraph;

    it("shows the hot line beside the bar that it was opened from", async () => {
      const { window } = here;
      await new Explorer(window).choose("profiles/profile-8ranks.cali", "Open Performance Data");
      await window.statusBarItem("profile-8ranks").waitFor();
      await new TextEditor(window).open("physics.cpp");
      await window.command("Heatflow: Show Super Graph");
      graph = await SuperGraph.of(window);
      await graph.bar("physics.cpp").dblclick();
      await new TextEditor(window).cursorAt("physics.cpp", 34);
      await graph.selected("physics.cpp").waitFor();
      await new TextEditor(window).textBehind("void updateConductivity", /251 ms/);
      await new TextEditor(window).codeLenses.filter({ hasText: "251 ms" }).first().waitFor();
      await graph.fits();
      await picture(window, `${name}-window`);
    });

    it("draws the panel alone at 1400, 600 and 400 pixels, and axe-core finds nothing", async () => {
      const { window } = here;
      await window.tab("Super Graph").click();
      await window.command("View: Close Primary Side Bar");
      await window.command("View: Close Editors in Other Groups");
      graph = await SuperGraph.of(window);
      for (const width of [1400, 600, 400]) {
        await atWidth(window, graph, width);
        await picture(window, `${name}-${width}`);
      }
      assert.deepEqual(await findings(graph.frame), []);
    });
  });
}
