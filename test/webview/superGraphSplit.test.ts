import { describe, expect, it, vi } from "vitest";

import { differenceText } from "../../src/model/differences";
import { formatShare, formatValue } from "../../src/model/units";
import type { SuperGraphState } from "../../src/protocol/superGraph";
import { type Sample, sampleGraph } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, type OpenOptions, screenshot, seenThemes } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

function show(
  what: "ranks" | "runs" | "all",
  state: Partial<SuperGraphState> = {},
  options: OpenOptions = {},
): Promise<Sample> {
  return view.show(options, {
    groupBy: "file",
    state,
    ...(what === "ranks" ? { ranks: [0, 4] } : what === "runs" ? { runs: true } : {}),
  });
}

describe("pictures", () => {
  it.each(seenThemes)("of histograms, of chosen ranks above others, and of two runs (%s)", async (theme) => {
    const shown = [
      ["histograms", "all", {}],
      ["ranks", "ranks", {}],
      ["ranks-difference", "ranks", { colour: "difference" }],
      ["runs", "runs", { below: true, colour: "exclusive" }],
      ["runs-difference", "runs", {}],
    ] as const;
    for (const width of [400, 600, 1400]) {
      for (const [name, what, state] of shown) {
        const sample = await show(what, state, { theme, width });
        await screenshot(view.panel.page, `super-graph-${name}-${theme}-${width}`);
        expect(await view.panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(await view.bars().count()).toBe(sample.shown.content.bars.group.length);
      }
    }
  });
});

describe("two graphs", () => {
  it("have room in a low panel, one below the other", async () => {
    await show("ranks", {}, { width: 480, height: 420 });
    const { page } = view.panel;
    const [above, below] = await page.locator(".above text").filter({ hasText: "· mean" }).all();
    const top = async (title: typeof above) => (await title.boundingBox())?.y ?? NaN;
    expect((await top(below)) - (await top(above))).toBeGreaterThan(120);
    const box = await page.locator(".legend").boundingBox();
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(421);
    await screenshot(page, "super-graph-ranks-low");
  });

  it("have the means of chosen ranks and of all others, as the recording's golden numbers say", async () => {
    await show("ranks");
    const labels = await view.bar("MPI").evaluateAll((bars) => bars.map((bar) => bar.getAttribute("aria-label") ?? ""));
    expect(labels).toHaveLength(2);
    expect(labels[0]).toContain("exclusive 1.63 s");
    expect(labels[1]).toContain("exclusive 2.27 s");
    const { shown } = await sampleGraph({ groupBy: "file", filter: 0, ranks: [0, 4] });
    const { bars, texts } = shown.content;
    const values = [...bars.exclusive].filter((_, bar) => texts[bars.group[bar]] === "MPI");
    expect(values.map((value) => value.toFixed(3))).toEqual(["1.628", "2.273"]);
    expect(labels[0]).toContain("in ranks 0, 4, exclusive 645 ms less in ranks 0, 4");
    const titles = await view.panel.page.locator(".above text").filter({ hasText: "· mean" }).allTextContents();
    expect(titles.map((title) => title.split(" · ")[0])).toEqual(["ranks 0, 4", "ranks 1–3, 5–7"]);
  });

  it("are clicked, searched and left by keyboard in either half", async () => {
    const { graph } = await show("ranks");
    const { page } = view.panel;
    const count = graph.bars.length;
    const at = graph.bars.findIndex(({ group }) => group === "physics.cpp");
    const lower = page.locator(`.drawing [data-mark="${at + count}"]`);
    await lower.click();
    expect(await view.sent()).toEqual([{ type: "mark", action: "select", revision: 1, mark: at + count }]);
    await expect.poll(() => lower.getAttribute("aria-selected")).toBe("true");
    await lower.press("ArrowUp");
    await page.keyboard.press("Home");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-mark"))).toBe("0");
    await view.search("MPI");
    await expect.poll(() => page.locator(".search small").innerText()).toBe("2 bars");
  });

  it("of two runs as one: each bar is the candidate's, with the baseline's as an outline, on one scale", async () => {
    const { shown } = await show("runs");
    const { page } = view.panel;
    const [before, after] = shown.asked.graphs.map(({ graph }) => graph.bars);
    const high = await view
      .bars()
      .evaluateAll((bars: SVGGraphicsElement[]) => bars.map((bar) => [Number(bar.dataset.mark), bar.getBBox().height]));
    const outlines = await page
      .locator(".above [stroke-dasharray]")
      .evaluateAll((all: SVGGraphicsElement[]) => all.map((one) => one.getBBox().height));
    const scale = Math.max(...high.map(([, height]) => height)) / Math.max(...after.map(({ inclusive }) => inclusive));
    for (const [bar, height] of high) expect(height).toBeCloseTo(Math.max(2, after[bar].inclusive * scale), 0);
    const expected = before.map(({ inclusive }) => inclusive * scale).filter((height) => height >= 1);
    const ascending = (all: readonly number[]) => all.slice().sort((a, b) => a - b);
    expect(outlines).toHaveLength(expected.length);
    ascending(outlines).forEach((height, at) => expect(height).toBeCloseTo(ascending(expected)[at], 0));
    expect(await page.locator(".legend").textContent()).toContain("np8-r1.cali");
    // Two drawings have no outlines: each has its own bars.
    await show("runs", { below: true });
    expect(await page.locator(".above [stroke-dasharray]").count()).toBe(0);
  });

  it("of two runs have the largest changes listed beside them, each a click away, and every function in the table", async () => {
    const { view: of, shown } = await show("runs", {}, { width: 1400 });
    const [baseline, candidate] = shown.asked.graphs.map(({ query }) => query.scope);
    const sides = { baseline: [baseline], candidate: [candidate] };
    const compared = await of.session.engine.comparison({ ...sides, value: "exclusive", limit: 500, linked: 0 });
    // Those that count as changed, 1 % of the larger total; how many differ by less is said.
    const least = 0.01 * Math.max(compared.baselineTotal, compared.candidateTotal);
    const differing = compared.rows.filter(({ difference }) => difference !== 0);
    const rows = differing.filter(({ difference }) => Math.abs(difference) > least);
    expect(rows.length).toBeGreaterThan(0);
    const { page } = view.panel;
    expect(await page.locator(".side h2").innerText()).toBe(
      `${rows.length} functions changed > 1\u00a0%, ${differing.length - rows.length} less`,
    );
    const items = page.locator(".side .changes li");
    // Where there is no room for the list, the largest one is still said.
    const [largest] = rows;
    const said = `${largest.name} ${differenceText(largest.baseline, largest.candidate, "s")}`;
    expect(await page.locator(".lead").innerText()).toBe(said);
    const titles = items.locator(".name").evaluateAll((names) => names.map((name) => name.getAttribute("title")));
    expect(await titles).toEqual(rows.map(({ name }) => name));
    expect(await items.locator("strong").allInnerTexts()).toEqual(
      rows.map((row) => differenceText(row.baseline, row.candidate, "s")),
    );
    await items.first().locator("button").click();
    const mark = shown.asked.graphs[1].graph.bars.findIndex(({ group }) => group === "MPI");
    expect(rows[0].name).toMatch(/^MPI_/);
    expect(await view.sent()).toEqual([{ type: "mark", action: "select", revision: 1, mark }]);
    await page.getByRole("button", { name: /^Table/ }).click();
    const table = page.locator("table").filter({ hasText: "Functions" }).or(page.locator("table")).first();
    await expect.poll(() => table.locator("tbody tr").count()).toBeGreaterThan(20);
  });

  it("list changes by names that stay different where they are cut, each on one line with its number", async () => {
    const { shown } = await show("runs", {}, { width: 1400 });
    const long = ["initialise", "finalise"].map(
      (end) => `a_rather_long_name_of_a_function_that_does_${end}_things_to_fields`,
    );
    await view.sendParts(await show("runs", {}, { width: 1400 }), {
      parts: (part) =>
        part.kind === "changes"
          ? { ...part, rows: part.rows.map((row, at) => ({ ...row, name: long[at] ?? row.name })) }
          : part,
    });
    await drawn(view.panel.page);
    expect(shown.asked.plan.merged).toBe(true);
    const rows = view.panel.page.locator(".side .changes li");
    const seen = await rows.evaluateAll((all) =>
      all.slice(0, 2).map((row) => {
        const [name, number] = [row.querySelector(".name"), row.querySelector("strong")].map((part) => {
          const words = document.createRange();
          if (part) words.selectNodeContents(part);
          return {
            text: part?.textContent ?? "",
            top: words.getBoundingClientRect().bottom,
            isCut: (part?.scrollWidth ?? 0) > (part?.clientWidth ?? 0),
          };
        });
        return { name, number };
      }),
    );
    expect(seen.map(({ name }) => name.isCut)).toEqual([false, false]);
    for (const { name } of seen) expect(name.text).toMatch(/^a_ra.*….*s$/);
    expect(seen[0].name.text).not.toBe(seen[1].name.text);
    for (const { name, number } of seen) expect(Math.abs(name.top - number.top)).toBeLessThanOrEqual(1);
  });

  it.each([400, 600])("have four whole changes below the drawing at %i pixels", async (width) => {
    await view.sendParts(await show("runs", {}, { width, height: 620 }), {
      parts: (part) =>
        part.kind === "changes"
          ? { ...part, changed: 6, rows: Array.from({ length: 6 }, (_, at) => ({ ...part.rows[0], name: `f${at}` })) }
          : part,
    });
    await drawn(view.panel.page);
    const { strip, rows } = await view.panel.page.locator(".side").evaluate((side) => ({
      strip: side.getBoundingClientRect().bottom,
      rows: [...side.querySelectorAll("li")].map((row) => row.getBoundingClientRect()),
    }));
    expect(rows).toHaveLength(6);
    expect(rows.filter(({ bottom }) => bottom <= strip)).toHaveLength(4);
    // Nothing of the fifth that could be read.
    expect(rows[4].top).toBeGreaterThanOrEqual(strip - 4);
  });

  it("say what is compared, and end by a click on the tool that began it", async () => {
    const { shown } = await show("runs");
    const [first, second] = shown.asked.graphs.map(({ graph }) => graph.total);
    const text = await view.panel.page.locator(".summary").getAttribute("data-hint");
    // The candidate, np8-r2, is faster: baseline first.
    expect(second).toBeLessThan(first);
    expect(text).toContain(`difference −${formatValue(first - second, "s")}, −${formatShare(1 - second / first)}`);
    expect(await view.panel.page.locator(".chip").allInnerTexts()).toEqual(["np8-r1.cali → np8-r2.cali"]);
    await view.panel.page.getByRole("button", { name: "Compared with np8-r2.cali", pressed: true }).click();
    expect(await view.sent()).toEqual([{ type: "control", id: "compare", value: "" }]);
  });
});
