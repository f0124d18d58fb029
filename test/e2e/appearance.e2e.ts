import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import type Axe from "axe-core";
import { outputFolder } from "../host/folders.mjs";
import { Explorer } from "./explorer";
import { goldenGraph } from "./golden";
import { inFull, stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";
import { chooseTheme, themes } from "./themes";

/** Pixels. */
const widths = [400, 600, 1400];

/** Where pictures go to be looked at. */
const pictures = process.env.HEATFLOW_PICTURES ?? path.join(outputFolder, "pictures");

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The panel tests read the page in every theme and width, other tests here look for heat and CodeLens: the window is looked at when there
 * is time, or when somebody wants the pictures.
 */
const suite = process.env.HEATFLOW_PICTURES ? stepsInWindow : inFull;

suite("the looks of the window", {}, (here) => {
  let graph: SuperGraph;

  it("has the panel alone", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks").waitFor();
    await here.window.command("View: Toggle Primary Side Bar Visibility");
    await here.window.command("Heatflow: Show Super Graph");
    graph = await SuperGraph.byFile(here.window);
    await graph.hasBarsOf(goldenGraph("file", 1));
  });

  for (const theme of themes) {
    const [name] = theme;
    it(`shows panel, heat and CodeLens in ${name}`, async () => {
      await chooseTheme(here.window, graph.frame, theme);
      await graph.hasBarsOf(goldenGraph("file", 1));
      await graph.open("physics.cpp", "physics.cpp", 34);
      const editor = new TextEditor(here.window);
      await editor.textBehind("void updateConductivity(", /%/);
      await editor.codeLenses.filter({ hasText: "inclusive" }).first().waitFor();
      await here.window.picture(path.join(pictures, `${name}-window.png`));
    });

    it(`has nothing in the panel that axe-core finds fault with in ${name}`, async () => {
      // The driver's own channel: the panel's policy lets no script in.
      await graph.frame.evaluate(axe);
      const found = await graph.frame.evaluate(async () => {
        const { violations } = await (window as unknown as { axe: typeof Axe }).axe.run(document);
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join("; ")}`);
      });
      assert.deepEqual(found, []);
    });

    for (const width of widths) {
      it(`draws the panel at ${width} pixels in ${name}`, async () => {
        if (width === widths[0]) {
          await here.window.closeAllEditors();
          await here.window.command("Heatflow: Show Super Graph");
          graph = await SuperGraph.byFile(here.window);
        }
        await here.window.page.setViewportSize({ width, height: 900 });
        await graph.hasBarsOf(goldenGraph("file", 1));
        await graph.fits();
        await here.window.picture(path.join(pictures, `${name}-${width}.png`));
      });
    }
  }
});
