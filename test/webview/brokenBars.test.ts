import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { LayoutGraph, SuperGraph } from "../../src/engine/api";
import { formatValue } from "../../src/model/units";
import { breakable, breakBar } from "../../src/panels/superGraph/brokenBars";
import { definition, type Sample, sampleGraph } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, screenshot, seenThemes } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

/** `main` of 100 calls `a` (90, of which 80 are its own) and `b` (10); `a` calls `c` (10). */
const shape: LayoutGraph = {
  level: Int32Array.of(0, 1, 1, 2),
  inclusive: Float64Array.of(100, 90, 10, 10),
  source: Int32Array.of(0, 0, 1),
  target: Int32Array.of(1, 2, 3),
  flow: Float64Array.of(90, 10, 10),
};
const heightsOf = ({ level, inclusive }: LayoutGraph, exclusive: readonly number[]) =>
  ({
    bars: exclusive.map((own, at) => ({ level: level[at], inclusive: inclusive[at], exclusive: own })),
  }) as unknown as SuperGraph;

describe("a broken bar", () => {
  it("is lower by what is broken of its own, and so is what leads to it and contains it; all others stay", () => {
    // Beside the 80 of the fullest level stand 20: half of that is kept.
    const { shape: broken, bars } = breakBar(shape, heightsOf(shape, [0, 80, 10, 10]), 1);
    expect([...broken.inclusive]).toEqual([30, 20, 10, 10]);
    expect([...broken.flow]).toEqual([20, 10, 10]);
    expect([...bars]).toEqual([0, 1]);
  });

  it("leaves no bar lower than what flows out of it, in random graphs", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 3, maxLength: 12 }),
        fc.integer(),
        (own, seed) => {
          // A tree: each bar is called by an earlier one.
          const parent = own.map((_, at) => (at === 0 ? 0 : Math.abs(seed * 31 + at * at * 7) % at));
          const inclusive = own.slice();
          const level = own.map(() => 0);
          for (let at = own.length - 1; at > 0; at--) inclusive[parent[at]] += inclusive[at];
          for (let at = 1; at < own.length; at++) level[at] = level[parent[at]] + 1;
          const children = own.map((_, at) => at).slice(1);
          const tree: LayoutGraph = {
            level: Int32Array.from(level),
            inclusive: Float64Array.from(inclusive),
            source: Int32Array.from(children, (at) => parent[at]),
            target: Int32Array.from(children),
            flow: Float64Array.from(children, (at) => inclusive[at]),
          };
          const exclusive = [...own];
          exclusive[own.length - 1] += 10_000;
          for (let at = own.length - 1; ; at = parent[at]) {
            tree.inclusive[at] += 10_000;
            if (at === 0) break;
            tree.flow[at - 1] += 10_000;
          }
          const { shape: broken } = breakBar(tree, heightsOf(tree, exclusive), own.length - 1);
          for (let at = 0; at < own.length; at++) {
            const out = children
              .filter((child) => parent[child] === at)
              .reduce((sum, child) => sum + broken.flow[child - 1], 0);
            expect(broken.inclusive[at]).toBeGreaterThanOrEqual(out - 1e-9);
            expect(broken.inclusive[at]).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });

  it("is offered where one bar's own fills most of the height, else the toggle says why not", async () => {
    const tool = async (query: Parameters<typeof sampleGraph>[0]) => {
      const { view, shown } = await sampleGraph(query);
      const found = definition.controls(view, shown).find(({ id }) => id === "broken");
      return found?.kind === "tool" ? [found.on, found.disabled] : expect.fail();
    };
    expect(await tool({})).toEqual([false, undefined]);
    expect(await tool({ runs: true })).toEqual([false, "two graphs are compared by their heights"]);
    expect(await tool({ groupBy: "none" })).toEqual([false, "no bar fills most of the height itself"]);
    const { view, shown } = await sampleGraph();
    expect(definition.choose(view, "broken", "", { view } as never)).toEqual({ broken: true });
    expect(breakable(shown.asked)).toBe(shown.asked.graphs[0].graph.bars.findIndex(({ id }) => id === "MPI"));
  });
});

describe("on the page", () => {
  const view = useSuperGraph();
  const height = (name: string) => view.bar(name).evaluate((bar: SVGGraphicsElement) => bar.getBBox().height);
  const words = async () => (await view.panel.page.locator(".legend").textContent()) ?? "";

  it("has a zigzag across it, its full value beside it and a legend; all others are higher", async () => {
    const whole = await view.show();
    const before = await height("physics.cpp");
    expect(await words()).not.toContain("not to scale");
    const sample: Sample = { ...whole, view: { ...whole.view, state: { ...whole.view.state, broken: true } } };
    await view.sendParts(sample);
    await drawn(view.panel.page);
    expect(await height("physics.cpp")).toBeGreaterThan(2 * before);
    expect(await words()).toContain("not to scale");
    const mpi = whole.graph.bars.find(({ id }) => id === "MPI") ?? expect.fail();
    const { inclusive } = mpi;
    expect(await view.panel.page.locator(".drawing text").allTextContents()).toContainEqual(
      expect.stringContaining(formatValue(inclusive, "s")),
    );
    // Both lines of teeth of the bar itself cross all of its width.
    const box = await view.bar("MPI").boundingBox();
    const teeth = await view.panel.page
      .locator(".above path")
      .evaluateAll((paths) =>
        paths
          .filter((path) => path.getAttribute("d")?.split("M").length === 3)
          .map((path) => path.getBoundingClientRect().toJSON() as DOMRect),
      );
    const own = teeth.filter(({ x, y }) => box && x >= box.x && y > box.y && y < box.y + box.height);
    expect(own.map(({ width }) => Math.abs(width - (box?.width ?? NaN)) < 5)).toEqual([true]);
    await view.sendParts(whole);
    await drawn(view.panel.page);
    expect(await height("physics.cpp")).toBe(before);
  });

  it.each(seenThemes)("leaves a picture (%s)", async (theme) => {
    await view.show({ theme, width: 1000 }, { state: { broken: true } });
    await screenshot(view.panel.page, `broken-${theme}`);
  });
});
