/** An ensemble with hundreds of bars and flows: most of these are lines, and a canvas writes what changes with each target. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { ensemble } from "../../src/panels/ensemble/definition";
import type { EnsembleView } from "../../src/panels/ensemble/query";
import { draw, type EnsembleScene } from "../../webviews/ensemble/drawing";
import { painted } from "../../webviews/ensemble/painted";
import type { Shape } from "../../webviews/kit/stage/scene";
import { writeEnsemble } from "../bench/ensembleFiles";
import { grammars } from "../unit/engine/miniheat";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";
import { openPage, sendSample, viewIn } from "./kit/showing";
import { drawn, PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-many-"));
let view: EnsembleView;
let window: PanelWindow;

beforeAll(async () => {
  writeEnsemble(folder, { runs: 4, contexts: 700, ranks: 1 });
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [folder], ensemble: {} });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  const steps = { filter: 0, groupBy: "function" as const, operations: [], done: 0 };
  view = viewOf({ engine, info, scope }, { ...ensemble.start, steps, mode: "target" });
  window = await PanelWindow.start("ensemble", "Ensemble");
});

afterAll(async () => {
  await window.stop();
  fs.rmSync(folder, { recursive: true });
});

const wide = {
  width: 1400,
  height: 684,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

async function sceneOf(): Promise<EnsembleScene> {
  const sized = { ...view, size: { width: wide.width, height: wide.height } };
  return draw(ensemble.content(await ensemble.ask(sized, quietTask, []), sized), wide);
}

/** What a canvas is told, in the words of a path, to two digits. */
function tracedText(shape: Shape): string {
  if (shape.kind !== "path" || !shape.traced) throw new Error("not traced");
  let text = "";
  const words =
    (letter: string) =>
    (...numbers: number[]) => {
      const rounded = numbers.map((number) => Math.round(number * 100) / 100);
      const pairs = rounded.flatMap((x, at) => (at % 2 === 0 ? [`${x},${rounded[at + 1]}`] : []));
      text += letter + pairs.join(" ");
    };
  const pen = { moveTo: words("M"), lineTo: words("L"), bezierCurveTo: words("C"), closePath: words("Z") };
  shape.traced.trace(pen as unknown as CanvasPath, 1);
  return text;
}

/** Where paths begin. */
const begins = (d: string) => [...d.matchAll(/M([^,]+),([^LCZ]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe("hundreds of bars", () => {
  it("have flows that a canvas draws as saved pictures have them, lines that are neighbours as one shape", async () => {
    const scene = await sceneOf();
    const [flows, targetFlows] = painted.parts.slice(0, 2).map((part) => part.shapes(scene, wide));
    const ribbons = scene.placed.flows.filter(({ points }) => points.length > 0);
    expect(ribbons.length).toBeGreaterThan(300);
    expect(flows.length).toBeLessThan(ribbons.length);
    // Those of a target are two pixels wide, and one where there are hundreds.
    const placed = { ...scene.placed, targetFlows: scene.placed.targetFlows.slice(-140) };
    const fewFlows = painted.parts[1].shapes({ ...scene, placed }, wide);
    for (const [shapes, lines] of [
      [flows, 1],
      [targetFlows, 1],
      [fewFlows, 2],
    ] as const) {
      const isLines = shapes.map((shape) => shape.kind === "path" && shape.traced?.lines !== undefined);
      expect(new Set(isLines)).toEqual(new Set([true, false]));
      for (const [at, shape] of shapes.entries()) {
        if (shape.kind !== "path") throw new Error("no path");
        if (!isLines[at]) {
          expect(tracedText(shape)).toBe(shape.d);
          continue;
        }
        // The picture has the upper edge of a band of a pixel first, a canvas its middle, or both edges.
        const [edges, traced] = [begins(shape.d), begins(tracedText(shape))];
        expect(traced).toHaveLength(lines * edges.length);
        for (const [index, [x, y]] of edges.entries()) {
          const own = traced.slice(lines * index, lines * (index + 1));
          expect(own.map((begin) => begin[0])).toEqual(own.map(() => x));
          const middle = own.reduce((sum, begin) => sum + begin[1], 0) / lines;
          expect(Math.abs(middle - y - 0.5)).toBeLessThan(0.15);
        }
      }
    }
    // As many in pictures as there are.
    const ofPicture = flows.flatMap((shape) => (shape.kind === "path" ? begins(shape.d) : []));
    expect(ofPicture).toHaveLength(ribbons.length);
  });

  it("have the target's values on a canvas, which stand back with their bars, and in saved pictures", async () => {
    const panel = await openPage(window);
    const sized = await viewIn(panel, view);
    await sendSample(panel, ensemble, { name: "many", view: sized, shown: await ensemble.ask(sized, quietTask, []) });
    const scene = await sceneOf();
    const values = scene.written.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    expect(values.length).toBeGreaterThan(100);
    const texts = await panel.page.locator(".above text").allTextContents();
    expect(texts.filter((text) => values.includes(text)).length).toBeLessThan(5);

    /** How opaque the canvas of values is at most. */
    const opacity = () =>
      panel.page
        .locator(".layer canvas")
        .nth(painted.parts.length - 1)
        .evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
          let most = 0;
          for (let at = 3; at < data.length; at += 4) most = Math.max(most, data[at]);
          return most / 255;
        });
    expect(await opacity()).toBe(1);
    await panel.page.keyboard.press("Control+f");
    await panel.page.getByRole("textbox", { name: "Search" }).fill("nothing is called so");
    await drawn(panel.page);
    // Rims of several lie over each other.
    expect(await opacity()).toBeLessThan(0.95);
    await panel.page.keyboard.press("Escape");
    await drawn(panel.page);
    expect(await opacity()).toBe(1);

    await panel.sent();
    await panel.page.getByRole("button", { name: "Save SVG" }).click();
    await panel.page.getByRole("menuitem", { name: /SVG/ }).click();
    await drawn(panel.page);
    const saved = (await panel.sent()).find(({ type }) => type === "save");
    const target = scene.content.beside.target?.run ?? -1;
    expect(target).toBeGreaterThanOrEqual(0);
    // A page's letters have other widths, so that some of these have no room there.
    const inPicture = values.filter((text) => String(saved?.content).includes(`>${text}<`));
    expect(inPicture.length).toBeGreaterThan(0.8 * values.length);
    expect(await window.endTest(false)).toEqual([]);
  });
});
