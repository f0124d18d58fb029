/** What is read first in a super graph: the hottest bar, largest changes, and whose number stands where. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { barLabel, type Graph, isLaidOut, type LaidOutGraph, withPart } from "../../webviews/superGraph/graph";
import { draw, type GraphScene } from "../../webviews/superGraph/scene";
import { cutName } from "../../webviews/shared/text";
import { signed } from "../../src/model/differences";
import { formatShare, formatValue } from "../../src/model/units";
import type { PanelHandle } from "../../src/panels/kit/definition";
import type { ShownGraphs } from "../../src/panels/superGraph/shownGraphs";
import type { SuperGraphPart, SuperGraphState } from "../../src/protocol/superGraph";
import { miniheat, recordings } from "../recordings";
import { plainTheme } from "./kit/plainTheme";
import { definition, layoutOf, recordedGraph, type Sample, sampleGraph, shownOf } from "./superGraphSamples";
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
  it("stand on lines with a rim of 3 pixels on both sides of each letter", async () => {
    await view.show({ width: 600 });
    const rims = await view.panel.page
      .locator(".above text")
      .evaluateAll((all) => all.map((text) => [text.getAttribute("stroke-width"), text.getAttribute("paint-order")]));
    expect(rims.length).toBeGreaterThan(5);
    for (const rim of rims) expect(rim).toEqual(["6", "stroke"]);
  });

  it("of the hottest bar and its entry functions are there at 400 pixels, and the exclusive of another", async () => {
    const area = { width: 400, height: 620 };
    const sample = await sampleGraph({ groupBy: "file", state: { histograms: "off" } }, area);
    const scene = draw(laidOut(sample, area), { ...area, theme: plainTheme, measure });
    const texts = (name: string) =>
      textsOf(
        scene,
        sample.graph.bars.findIndex(({ id }) => id === name),
      );
    const number = (name: string, of: "inclusive" | "exclusive") =>
      formatValue(sample.graph.bars.find(({ id }) => id === name)?.[of] ?? NaN, "s");
    expect(texts("MPI")).toEqual(expect.arrayContaining(["MPI_Allreduce", "MPI_Waitall"]));
    expect(texts("MPI")[1]).toContain(number("MPI", "inclusive"));
    expect(texts("solver.cpp").join(" ")).toMatch(new RegExp(`excl.* ${number("solver.cpp", "exclusive")}`));
  });

  it.skipIf(files.length === 0)("lose no share to an exclusive below it", async () => {
    for (const file of [...files, "hpctoolkit-v2/callflow-lulesh"]) {
      const sample = await recorded(file);
      for (let width = 300; width < 700; width += 15) {
        const area = { width, height: 690 };
        const graph = laidOut(sample, area);
        const scene = draw(graph, { ...area, theme: plainTheme, measure });
        for (const bar of graph.bars.group.keys()) {
          const texts = textsOf(scene, bar);
          const exclusive = texts.findIndex((text) => text.startsWith("excl. "));
          const share = formatShare(graph.bars.inclusive[bar] / graph.total);
          const before = texts.slice(0, exclusive).join();
          if (exclusive >= 0) expect(before, `${file}, ${width} pixels`).toContain(share);
        }
      }
    }
  });

  it.skipIf(shared === undefined)(
    "are there for high bars whose neighbours are too near, and none is turned",
    async () => {
      const file = path.join(shared ?? "", "data/hpctoolkit-v2/callflow-lulesh");
      const area = { width: 600, height: 620 };
      const sample = await recordedGraph(file, { groupBy: "file", state: { histograms: "off" } }, area);
      const graph = laidOut(sample, area);
      const scene = draw(graph, { ...area, theme: plainTheme, measure });
      const names = scene.above.flatMap((shape) => (shape.kind === "text" && shape.weight === 600 ? [shape.of] : []));
      const high = scene.placed.bars.flatMap(({ height }, bar) => (height >= 28 ? [bar] : []));
      expect(high.length).toBeGreaterThan(3);
      expect(names).toEqual(expect.arrayContaining(high));
    },
  );

  it("of an exclusive that several segments have are bracketed to all of it", async () => {
    const area = { width: 600, height: 620 };
    const sample = await sampleGraph({ groupBy: "file", state: { histograms: "off" } }, area);
    const brackets = (bars: Sample["graph"]["bars"]) => {
      const shown = shownOf({ ...sample.graph, bars }, sample);
      const scene = draw(laidOut({ ...sample, shown }, area), { ...area, theme: plainTheme, measure });
      const at = bars.findIndex(({ id }) => id === "solver.cpp");
      const { y, height, hiddenHeight } = scene.placed.bars[at];
      const bottom = y + height - hiddenHeight;
      const top = bottom - bars[at].exclusive * scene.placed.pixelsPerUnit;
      const paths = scene.above.flatMap((shape) => (shape.kind === "path" && shape.of === at ? [shape.d] : []));
      return paths.filter((d) => {
        const [from, , to] = (d.match(/[\d.]+/g) ?? []).slice(1).map(Number);
        return Math.abs(from - top) < 1 && Math.abs(to - bottom) < 1;
      });
    };
    const { bars } = sample.graph;
    expect(brackets(bars)).toEqual([]);
    const halves = bars.map((bar) => {
      if (bar.id !== "solver.cpp") return bar;
      const [entry] = bar.entries;
      const half = { ...entry, inclusive: bar.inclusive / 2, exclusive: bar.exclusive / 2 };
      return { ...bar, entries: [half, { ...half, name: "other" }] };
    });
    expect(brackets(halves)).toHaveLength(1);
  });

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

  it.each([600, 1400])("has the label of each high bar at its top at %i pixels", async (width) => {
    const area = { width, height: 620 };
    const query = { groupBy: "file", runs: true, state: { histograms: "off" } } as const;
    const sample = await sampleGraph(query, area);
    const scene = draw(laidOut(sample, area), { ...area, theme: plainTheme, measure });
    const names = scene.above.filter((shape) => shape.kind === "text" && shape.weight === 600);
    const high = scene.placed.bars.flatMap(({ y, height }, bar) => (height > 200 ? [{ y, bar }] : []));
    expect(high.length).toBeGreaterThan(3);
    for (const { y, bar } of high) {
      const name = names.find(({ of }) => of === bar);
      expect(name?.kind === "text" && name.at.y - y, `bar ${bar}`).toBeLessThan(16);
    }
  });

  it("draws flows as thick as the candidate's filled bars are high, and says whose bars are filled", async () => {
    const sample = await view.show({ width: 1400 }, { groupBy: "file", runs: true });
    const [baseline, candidate] = sample.shown.asked.graphs;
    const { layout } = laidOut(sample, { width: 1400, height: 690 });
    expect([...layout.flows.inclusive]).toEqual(candidate.graph.edges.map(({ inclusive }) => inclusive));
    layout.flows.inclusive.forEach((inclusive, flow) =>
      expect(layout.flows.thickness[flow]).toBeCloseTo(inclusive * layout.pixelsPerUnit, 6),
    );
    const { page } = view.panel;
    const legend = await page.locator(".legend").innerText();
    const [filled, outlined] = [candidate, baseline].map(({ planned }) => legend.indexOf(`\n${planned.name}`));
    expect(filled).toBeGreaterThan(0);
    expect(outlined).toBeGreaterThan(filled);
    // Ratios beside differences are those of both recordings.
    expect(legend).not.toContain("imbalance");
    expect(await page.locator(".notice:visible").count()).toBe(0);
  });

  it("has a summary whose parts are told apart from what stands in each", async () => {
    await view.show({ width: 1400 }, { groupBy: "file", runs: true });
    const text = await view.panel.page.locator(".summary").getAttribute("data-hint");
    expect(await view.panel.page.locator(".lead").innerText()).toMatch(/^MPI_Allreduce −[^;]+ · −[^;]+ %$/);
    expect(text?.split(" · ")).toEqual([
      ...["np8-r1", "np8-r2"].map((name) => expect.stringMatching(new RegExp(`^${name}.cali, mean over 8 ranks`))),
      expect.stringMatching(/^difference −[^,]+, −[^,]+ %$/),
      "6 bars",
      expect.stringMatching(/ hidden$/),
    ]);
  });

  it("names bars that do not differ, too, and says how what they contain differs", async () => {
    const area = { width: 1400, height: 690 };
    const graph = laidOut(await sampleGraph({ groupBy: "file", runs: true, state: { histograms: "off" } }), area);
    const { other } = graph.bars;
    if (!other) throw new Error("nothing is compared");
    const root = graph.bars.inclusive.indexOf(Math.max(...graph.bars.inclusive));
    const exclusive = other.exclusive.map((value, bar) => (bar === root ? graph.bars.exclusive[bar] : value));
    const same = { ...graph, bars: { ...graph.bars, other: { ...other, exclusive } } };
    const scene = draw(same, { ...area, theme: plainTheme, measure });
    const difference = signed(graph.bars.inclusive[root] - other.inclusive[root], graph.unit);
    expect(textsOf(scene, root)).toEqual([
      barLabel(graph, root),
      expect.stringMatching(`^incl. \\${difference} · `),
      "excl. ±0 s",
    ]);
  });
});

describe("the hottest function", () => {
  /** Of the recording tool's own dump: seconds of each function itself, mean over the 8 ranks. */
  function golden(): [name: string, seconds: number, total: number] {
    const file = path.join(miniheat, "profiles/golden/profile-8ranks.records.json");
    const records = JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, string | number | undefined>[];
    const sums = new Map<string, number>();
    for (const { path: names, "mpi.rank": rank, "sum#sum#time.duration": seconds } of records) {
      if (rank === undefined) continue;
      const name = String(names ?? "").replace(/.*\//, "");
      sums.set(name, (sums.get(name) ?? 0) + Number(seconds) / 8);
    }
    const [[name, most]] = [...sums].sort(([, a], [, b]) => b - a);
    return [name, most, [...sums.values()].reduce((all, one) => all + one)];
  }
  const shownLead = () => view.panel.page.locator(".lead .link").innerText();

  it.each([400, 600, 1400])("is named with its value above bars of files, at %i pixels", async (width) => {
    await view.show({ width }, { groupBy: "file" });
    const [name, seconds, total] = golden();
    // Where that takes the room of a step, its name has to say enough.
    const said = width === 400 ? "" : "hottest: ";
    expect(await shownLead()).toBe(`${said}${name} ${formatValue(seconds, "s")} · ${formatShare(seconds / total)}`);
    // Bars, and how much is hidden, stand beside it.
    const bars = view.panel.page.locator(".summary .wording:visible");
    if (width === 600) expect(await bars.innerText()).toMatch(/^computing 2\.20×/);
    if (width === 1400) expect(await bars.innerText()).toMatch(/^computing 2\.20×, .* · \d bars · \d.* % hidden$/);
  });

  it.each([400, 600, 1400])(
    "has the scale of heights in the legend, right behind the colours, at %i pixels",
    async (width) => {
      const ofColours = async () =>
        (await view.panel.page.locator(".legend .entry:visible").allInnerTexts()).slice(0, 2);
      await view.show({ width });
      expect(await ofColours()).toEqual([expect.stringMatching(/^exclusive/), expect.stringMatching(/^height/)]);
      await view.show({ width }, { runs: true });
      expect(await ofColours()).toEqual([expect.stringMatching(/^exclusive\s*−/), expect.stringMatching(/^height/)]);
    },
  );

  it.each([400, 1400])("keeps its share where its name is cut, at %i pixels", async (width) => {
    const sample = await view.show({ width });
    const name = `heat::Solver::${"advance".repeat(40)}ByOneStep`;
    const parts = (part: SuperGraphPart): SuperGraphPart => (part.kind === "hottest" ? { ...part, name } : part);
    await view.sendGraph(sample, { revision: 2, parts });
    const { page } = view.panel;
    const [, seconds, total] = golden();
    expect(await shownLead()).toMatch(
      new RegExp(`^(hottest: )?[a-z]{3,}…[a-zA-Z]{3,} ${formatShare(seconds / total)}`),
    );
    expect(await page.locator(".context").evaluate((row) => row.scrollWidth - row.clientWidth)).toBeLessThanOrEqual(0);
    expect(await page.locator(".context .current").isVisible()).toBe(true);
    await page.locator(".lead .link").hover();
    await page.locator(".tooltip:visible").filter({ hasText: "ByOneStep" }).waitFor();
  });

  it("leads to its hottest line, by a click and by keys", async () => {
    const { shown } = await view.show({ width: 1000 });
    const { page } = view.panel;
    await page.locator(".lead .link").click();
    expect(await view.sent()).toContainEqual({ type: "notice-link", id: "lead" });
    await page.keyboard.press("Enter");
    expect(await view.sent()).toContainEqual({ type: "notice-link", id: "lead" });
    const ran: unknown[] = [];
    const run = (...call: unknown[]) => Promise.resolve(void ran.push(call));
    const handle = { onScreen: { shown, revision: 1 }, run } as unknown as PanelHandle<SuperGraphState, ShownGraphs>;
    await definition.links?.lead(handle);
    const subject = { name: "MPI_Allreduce", target: { kind: "function", function: expect.any(Number) as number } };
    expect(ran).toEqual([["heatflow.rows.goToHottestLine", expect.objectContaining(subject)]]);
  });

  it.each([
    [600, "computing 2.20×"],
    [1000, "computing 2.20×, ranks 0, 4 · all 1.01× · 5 bars · 0.107 % hidden"],
    [1400, "computing 2.20×, ranks 0, 4 · all 1.01× · 5 bars · 0.107 % hidden"],
  ])("has the imbalance of computing beside it, in one line of %i pixels", async (width, text) => {
    await view.show({ width });
    const { page } = view.panel;
    const summaryOf = async () =>
      (await page.locator(".summary .wording:visible").innerText()).replaceAll("\u00a0", " ");
    await expect.poll(summaryOf).toBe(text);
    const [row] = await page
      .locator(".context")
      .evaluateAll((rows) =>
        rows.map((one) => ({ height: one.clientHeight, isCut: one.scrollWidth > one.clientWidth })),
      );
    expect(row).toEqual({ height: expect.any(Number) as number, isCut: false });
    expect(row.height).toBeLessThanOrEqual(24);
  });

  it("gives up its first word for the imbalance, beside the steps of a first picture", async () => {
    await view.show({ width: 600 }, { groupBy: "first" });
    const [name] = golden();
    await expect
      .poll(() => view.panel.page.locator(".summary .wording:visible").innerText())
      .toMatch(/^computing 2\.20×/);
    expect(await shownLead()).toMatch(new RegExp(`^${name} `));
  });

  it("is in the picture that is saved", async () => {
    await view.show({ width: 1000 });
    const [name, seconds, total] = golden();
    const numbers = `${formatValue(seconds, "s")} · ${formatShare(seconds / total)}`;
    expect(await view.save("svg")).toContain(`>hottest: ${name} ${numbers} · computing 2.20×, ranks 0, 4`);
  });

  it("is not named where nothing costs anything", async () => {
    const sample = await view.show({ width: 1000 });
    const parts = (part: SuperGraphPart): SuperGraphPart =>
      part.kind === "hottest" ? { kind: "hottest", name: "", exclusive: 0, imbalance: [] } : part;
    await view.sendGraph(sample, { revision: 2, parts });
    expect(await view.panel.page.locator(".lead").count()).toBe(0);
  });
});

describe("the tables", () => {
  it("have numbers near the names that they are of, in a wide panel, too", async () => {
    await view.show({ width: 1400 }, { groupBy: "file" });
    const { page } = view.panel;
    await view.tool("table", "Table");
    await page.locator(".table-slot tbody tr").first().waitFor();
    const gaps = await page.locator(".table-slot tbody tr:first-child").evaluateAll((rows) =>
      rows.flatMap((row) =>
        [...row.querySelectorAll("td")].slice(1).map((cell) => {
          const range = document.createRange();
          const before = cell.previousElementSibling ?? cell;
          range.selectNodeContents(before);
          const { right } = range.getBoundingClientRect();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect().left - right;
        }),
      ),
    );
    expect(gaps.length).toBeGreaterThan(8);
    expect(Math.max(...gaps)).toBeLessThan(300);
  });
});
