/** What is seen of runs whose names are long paths, of a program with a few groups of kernels, as a suite of benchmarks is. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { ensemble } from "../../src/panels/ensemble/definition";
import type { EnsembleView } from "../../src/panels/ensemble/query";
import { ensembleRuns } from "../../src/panels/ensembleRuns/definition";
import { draw } from "../../webviews/ensemble/drawing";
import { shortValues } from "../../webviews/ensemble/guides";
import { draw as drawRuns } from "../../webviews/ensembleRuns/drawing";
import { CaliWriter, rank, regions, time, worldSize } from "../unit/formats/caliper/caliWriter";
import { grammars } from "../unit/engine/miniheat";
import type { Mark } from "../../webviews/kit/stage/scene";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";
import { openPage, sendSample, viewIn } from "./kit/showing";
import { drawn, middleOf, type PanelPage, PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-kernels-"));
const [GROUPS, KERNELS] = [6, 8];
/** As much as ten others, in the middle of their group and last in it. */
const HEAVY = new Set([11, 31]);
const runNames = ["block_128", "block_256"].flatMap((tuning) =>
  ["1048576", "2097152"].map((size) => `clang10.0.1_nvcc10.2.89_${size}/1/Base_CUDA-${tuning}`),
);
let window: PanelWindow;
let view: EnsembleView;

beforeAll(async () => {
  for (const [run, name] of runNames.entries()) {
    const file = path.join(folder, `${name}.cali`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, recording(run));
  }
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [folder], ensemble: {} });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  const steps = { filter: 0, groupBy: "function" as const, operations: [], done: 0 };
  view = viewOf({ engine, info, scope }, { ...ensemble.start, steps });
  window = await PanelWindow.start("ensemble", "Ensemble");
});

afterAll(async () => {
  await window.stop();
  fs.rmSync(folder, { recursive: true });
});

/** Every kernel of a group a little slower than the one before, every run slower than the one before. */
function recording(run: number): string {
  const out = new CaliWriter();
  const columns = `${out.attribute(rank)}=${out.attribute(time)}`;
  const globals = [
    [worldSize, "1"],
    [{ ...worldSize, name: "size", type: "double" }, `${1 + (run % 2)}048576.000000`],
  ] as const;
  const known = `__rec=globals,ref=${out.branch(globals)}\n`;
  const kernels = Array.from({ length: GROUPS * KERNELS }, (_, at) => {
    const group = `Group${Math.floor(at / KERNELS)}`;
    const id = out.branch(regions("Suite", group, `${group}_KERNEL_${at % KERNELS}`));
    return `__rec=ctx,ref=${id},attr=${columns},data=0=${HEAVY.has(at) ? 90 : 1 + (at % KERNELS) + run}\n`;
  });
  return out.text() + known + kernels.join("");
}

const measure = (size: number) => (text: string) => text.length * size * 0.6;
const area = { width: 1028, height: 684, theme: plainTheme, measure };

/** A page that shows them. */
async function shownKernels(): Promise<PanelPage> {
  const panel = await openPage(window);
  const sized = await viewIn(panel, view);
  const shown = await ensemble.ask(sized, quietTask, []);
  await sendSample(panel, ensemble, { name: "kernels", view: sized, shown });
  return panel;
}

describe("an ensemble of kernels", () => {
  it("has the names of the last level behind its bars, within the drawing", async () => {
    const sized = { ...view, size: { width: area.width, height: area.height } };
    const content = ensemble.content(await ensemble.ask(sized, quietTask, []), sized);
    const scene = draw(content, area);
    const kernels = [...content.bars.name.keys()].filter((bar) => content.bars.name[bar].includes("KERNEL"));
    expect(kernels).toHaveLength(GROUPS * KERNELS);
    const names = scene.above.flatMap((shape) =>
      shape.kind === "text" && shape.size === 12 && kernels.includes(shape.of ?? -1) ? [shape] : [],
    );
    // Names are 15 pixels high: of neighbours that are nearer every other one has room.
    expect(names.length).toBeGreaterThanOrEqual(kernels.length / 2);
    const high = kernels.filter((bar) => scene.placed.bars[bar].height >= 16);
    expect(high).toHaveLength(2);
    expect(high.filter((bar) => names.every(({ of }) => of !== bar))).toEqual([]);
    for (const { at, text } of names) expect(at.x + measure(12)(text)).toBeLessThanOrEqual(area.width);
    // Whole, each with the end of its axis.
    for (const { of = -1, text } of names) {
      expect(text).toBe(content.bars.name[of]);
      const own = scene.above.filter(
        (shape) => shape.kind === "text" && shape.of === of && shape.text.startsWith("≤ "),
      );
      expect(own).toHaveLength(1);
    }
  });

  it.each([400, 521])("has them cut where the panel is narrow, the highest first (%i px)", async (width) => {
    const narrow = { ...area, width, measure: (size: number) => (text: string) => text.length * size * 0.7 };
    const sized = { ...view, size: { width, height: area.height } };
    const content = ensemble.content(await ensemble.ask(sized, quietTask, []), sized);
    const { above, placed } = draw(content, narrow);
    const kernels = [...content.bars.name.keys()].filter((bar) => content.bars.name[bar].includes("KERNEL"));
    const high = kernels.sort((a, b) => placed.bars[b].height - placed.bars[a].height).slice(0, 7);
    const named = new Set(above.flatMap((shape) => (shape.kind === "text" && shape.size === 12 ? [shape.of] : [])));
    expect(high.filter((bar) => !named.has(bar))).toEqual([]);
  });

  it("says in a bar's tooltip what a number is, and the number in one line, beside a run's long name", async () => {
    const panel = await shownKernels();
    const bar = panel.page.locator('.drawing [role="option"][aria-label^="Group5_KERNEL_7"]');
    const { x, y } = await middleOf(bar);
    await panel.page.mouse.move(x, y);
    const tooltip = panel.page.getByRole("tooltip");
    await tooltip.waitFor();
    await drawn(panel.page);
    const rows = await tooltip.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return [...element.querySelectorAll("dt, dd")].map((cell) => {
        const box = cell.getBoundingClientRect();
        const isInside = box.left >= left && box.right <= right;
        const isWhole = cell.clientWidth > 0 && cell.scrollWidth <= cell.clientWidth;
        const words = document.createRange();
        words.selectNodeContents(cell);
        return { text: cell.textContent ?? "", isInside, isWhole, lines: words.getClientRects().length };
      });
    });
    expect(rows.find(({ text }) => text.endsWith("Base_CUDA-block_256"))).toBeDefined();
    for (const { text, isInside, isWhole, lines } of rows) {
      expect([text, isInside, isWhole]).toEqual([text, true, true]);
      if (/^\d.*\ss$/.test(text)) expect([text, lines]).toEqual([text, 1]);
    }
    // The table has both ends of a name that it cuts.
    await panel.page.getByRole("button", { name: "Table" }).click();
    const names = panel.page.locator("td.cut-middle > bdi[data-end]");
    await names.first().waitFor();
    for (const one of await names.all()) {
      const [display, end] = await one.evaluate((bdi) => [getComputedStyle(bdi).display, bdi.getAttribute("data-end")]);
      expect([display, end]).toEqual(["inline-flex", expect.stringMatching(/block_(128|256)$/)]);
    }
  });

  it("keeps a long text that is searched for apart from how many have it", async () => {
    const panel = await shownKernels();
    await panel.page.keyboard.press("Control+f");
    await panel.page.getByRole("textbox", { name: "Search" }).fill("Group1_KERNEL");
    await panel.page.locator(".search small").filter({ hasText: "8 bars" }).waitFor();
    const gap = await panel.page.locator(".search").evaluate((search) => {
      const words = document.createRange();
      words.selectNodeContents(search.querySelector("small") ?? search);
      return words.getBoundingClientRect().left - (search.querySelector("input")?.getBoundingClientRect().right ?? NaN);
    });
    expect(gap).toBeGreaterThanOrEqual(6);
  });
});

it("values of a parameter stand in the drawing without the zeros that a program prints, and whole in the table", async () => {
  const sized = { ...view, size: { width: area.width, height: area.height } };
  const content = ensemble.content(await ensemble.ask(sized, quietTask, []), sized);
  const texts = draw(content, area).above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
  expect(texts).toEqual(expect.arrayContaining(["size 1048576", "size 2048576"]));
  expect(texts.join(" ")).not.toContain(".000000");
  const { parameter } = content;
  expect(parameter.values).toEqual(["1048576.000000", "2048576.000000"]);
  const mixed = { ...parameter, values: ["1048576.000000", "1048576"] };
  expect(shortValues(mixed)).toEqual(mixed.values);
});

it("runs whose names begin alike have names in the plane that differ", async () => {
  const inPlane = { ...view, state: { ...ensembleRuns.start, view: "projection" as const } };
  const content = ensembleRuns.content(await ensembleRuns.ask(inPlane, quietTask, []), inPlane);
  const { above } = drawRuns(content, { ...area, width: 700 });
  const texts = above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
  expect(texts.length).toBeGreaterThan(1);
  expect(new Set(texts).size).toBe(texts.length);
});

it("a bin of a distribution stands out with its runs, where all of these are chosen", async () => {
  const pages = await PanelWindow.start("ensembleRuns", "Ensemble Runs");
  try {
    const panel = await openPage(pages);
    const state = { ...ensembleRuns.start, view: "distribution" as const };
    const sized = await viewIn(panel, { ...view, state });
    const chosen = { by: "run" as const, members: ["1", "3"] };
    const shown = await ensembleRuns.ask(sized, quietTask, []);
    await sendSample(panel, ensembleRuns, { name: "chosen", view: sized, shown, chosen });
    const standsOut = await panel.page
      .locator('.drawing [aria-checked="true"]')
      .evaluateAll((marks) => marks.map((mark) => mark.getAttribute("data-key")));
    const bins = shown.view === "distribution" ? [1, 3].map((run) => shown.distribution.binOf[run]) : [];
    expect(new Set(bins).size).toBe(2);
    const members = [1, 3].map((run) => `member ${[...runNames].sort()[run]}`);
    expect(standsOut.sort()).toEqual([...bins.map((bin) => `bin ${bin}`), ...members].sort());
  } finally {
    await pages.stop();
  }
});

describe("in high contrast, where all runs are as strong as they can be", () => {
  // Every colour of a mark may be the same, but that of what is filled and what is not.
  const theme = { ...plainTheme, isHighContrast: true, edge: "#ffffff", link: "#ffffff", muted: "#ffffff" };

  it("the run that others are compared with is an outline above the graph", async () => {
    const [baseline, target] = [runName(0), runName(1)];
    const state = { ...view.state, mode: "difference" as const, baseline, target };
    const sized = { ...view, state, size: { width: area.width, height: area.height } };
    const { marks } = draw(ensemble.content(await ensemble.ask(sized, quietTask, []), sized), { ...area, theme });
    const hollow = marks.filter(({ key, paint }) => key.startsWith("run ") && paint?.fill === theme.background);
    expect(hollow.map(({ name, paint }) => [name, paint?.stroke])).toEqual([[baseline, theme.text]]);
  });

  it("the target's points have a shape of their own", async () => {
    const target = runName(1);
    const inPlane = { ...view, state: { ...ensembleRuns.start, view: "correlation" as const, target } };
    const content = ensembleRuns.content(await ensembleRuns.ask(inPlane, quietTask, []), inPlane);
    const { marks } = drawRuns(content, { ...area, theme });
    const isRound = ({ d = "" }: Mark) => /a/i.test(d);
    const ofTarget = marks.filter(({ name }) => name.endsWith(` in ${target}`));
    expect(ofTarget.length).toBeGreaterThan(GROUPS * KERNELS);
    expect(marks.filter((mark) => !isRound(mark))).toEqual(ofTarget);
  });

  /** By the order of their names. */
  const runName = (run: number) => [...runNames].sort()[run];
});
