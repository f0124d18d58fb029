/** What is read first in a super graph: the hottest bar, largest changes, and whose number stands where. */
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type Graph, isLaidOut, type LaidOutGraph, withPart } from "../../webviews/superGraph/graph";
import { draw, type GraphScene } from "../../webviews/superGraph/scene";
import { cutName } from "../../webviews/shared/text";
import { recordings } from "../recordings";
import { plainTheme } from "./kit/plainTheme";
import { layoutOf, recordedGraph, type Sample, sampleGraph } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();
const measure = (size: number, weight = 400) => {
  return (text: string) => text.length * size * (weight > 400 ? 0.58 : 0.54);
};

const FILES = [
  "other/callgrind/callgrind.example.log",
  "other/callgrind/callgrind.name-compression.log",
  "caliper/caliper-lulesh-cali/lulesh-annotation-profile.cali",
  "hpctoolkit-v4/small.d/meta.db",
];
const shared = recordings();
const files = shared === undefined ? [] : ["miniheat", ...FILES];

function recorded(file: string): Promise<Sample> {
  const query = { groupBy: file === "miniheat" ? "file" : "function", state: { histograms: "off" } } as const;
  return file === "miniheat"
    ? sampleGraph(query)
    : recordedGraph(path.join(shared ?? "", "data", file), query, { width: 600, height: 690 });
}

function laidOut({ shown }: Sample, area: { width: number; height: number }): LaidOutGraph {
  const parts = [layoutOf(shown, area), ...(shown.content.pair ? [LOOK] : [])];
  const graph = parts.reduce<Graph | undefined>((all, part) => all && withPart(all, part), shown.content);
  if (!graph || !isLaidOut(graph)) throw new Error("no layout");
  return graph;
}

const LOOK = { kind: "look", histograms: "off", colour: "difference" } as const;

function textsOf({ above }: GraphScene, bar: number): string[] {
  return above.flatMap((shape) => (shape.kind === "text" && shape.of === bar ? [shape.text] : []));
}

/** By what the engine says, the bar that costs most itself, of those whose functions have a place. */
function hottestOf({ graph }: Sample): number {
  const placed = graph.bars.filter(({ entries }) => entries.some(({ link }) => link.places.length > 0));
  const hottest = (placed.length > 0 ? placed : graph.bars).reduce((best, bar) =>
    bar.exclusive > best.exclusive ? bar : best,
  );
  return graph.bars.indexOf(hottest);
}

describe("the hottest bar", () => {
  it.skipIf(files.length === 0)("has name and value before any bar of less than 1 % has a label", async () => {
    for (const file of files) {
      const sample = await recorded(file);
      const hottest = hottestOf(sample);
      const { inclusive } = sample.shown.content.bars;
      for (const width of [300, 400, 510, 600, 650, 1000, 1400]) {
        const area = { width, height: 690 };
        const scene = draw(laidOut(sample, area), { ...area, theme: plainTheme, measure });
        const small = [...inclusive.keys()].filter((bar) => inclusive[bar] < 0.01 * sample.graph.total);
        const named = small.filter((bar) => textsOf(scene, bar).length > 0);
        const [name, value] = textsOf(scene, hottest);
        if (named.length > 0) expect([name, value], `${file}, ${width} pixels`).toEqual([name, expect.any(String)]);
      }
    }
  });

  it.skipIf(files.length === 0).each(files)("has the focus at first, and Enter goes to its line (%s)", async (file) => {
    await view.open({ width: 600 });
    await view.panel.send({ type: "focus" });
    const sample = await recorded(file);
    await view.sendGraph(sample);
    const { page } = view.panel;
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-mark"));
    const hottest = hottestOf(sample);
    expect(await focused()).toBe(String(hottest));
    await page.keyboard.press("Enter");
    expect(await view.sent()).toEqual([{ type: "mark", action: "open", revision: 1, mark: hottest }]);
  });
});

describe("names and numbers", () => {
  it("keep the number that tells a bar from another of its name", () => {
    const width = (text: string) => 7 * text.length;
    for (let most = 8; most < 10; most++)
      expect(cutName("rtld.c (2)", 7 * most, width, () => true, 5)).toMatch(/^(?:|.*….* \(2\))$/);
    expect(cutName("/usr/src/elf/rtld.c (2)", 7 * 12, width, () => true)).toBe("…/rtld.c (2)");
    expect(cutName("solve(int, double) (3)", 7 * 12, width, () => true)).toBe("solve (3)");
  });
});

describe("a comparison", () => {
  it.each([400, 600])("lists its largest changes below the drawing at %i pixels, and keeps them", async (width) => {
    await view.show({ width }, { groupBy: "file", runs: true });
    const { page } = view.panel;
    const first = page.locator(".side .changes li button").first();
    const stage = await page.locator(".stage").boundingBox();
    const list = await page.locator(".side").boundingBox();
    if (!stage || !list) throw new Error("not in sight");
    expect(list.y).toBeGreaterThanOrEqual(stage.y + stage.height);
    expect(list.height).toBeGreaterThan(60);
    expect(stage.height).toBeGreaterThan(3 * list.height);
    await first.click();
    await drawn(page);
    expect(await first.isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  it("has no labels at bars that do not differ", async () => {
    const area = { width: 1400, height: 690 };
    const graph = laidOut(await sampleGraph({ groupBy: "file", runs: true, state: { histograms: "off" } }), area);
    const labelled = (one: LaidOutGraph) => {
      const scene = draw(one, { ...area, theme: plainTheme, measure });
      return [...one.bars.group.keys()].filter((bar) => textsOf(scene, bar).length > 0);
    };
    const before = labelled(graph);
    const { other } = graph.bars;
    if (!other) throw new Error("nothing is compared");
    const difference = (bar: number) => Math.abs(graph.bars.exclusive[bar] - other.exclusive[bar]);
    const least = before.reduce((best, bar) => (difference(bar) < difference(best) ? bar : best));
    const exclusive = other.exclusive.map((value, bar) => (bar === least ? graph.bars.exclusive[bar] : value));
    const same = { ...graph, bars: { ...graph.bars, other: { ...other, exclusive } } };
    expect(labelled(same)).toEqual(before.filter((bar) => bar !== least));
  });
});
