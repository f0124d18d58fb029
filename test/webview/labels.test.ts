import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { placeLabels, type LabelSpace } from "../../webviews/superGraph/labels";
import { FlowIndex } from "../../webviews/superGraph/flowIndex";
import { type Graph, isLaidOut, type LaidOutGraph, withPart } from "../../webviews/superGraph/graph";
import { draw, type GraphScene } from "../../webviews/superGraph/scene";
import { plainTheme } from "./kit/plainTheme";
import { layoutOf, sampleGraph } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Whether two boxes share more than `slack` pixels both ways. */
function overlap(a: Box, b: Box, slack = 0): boolean {
  return (
    Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > slack &&
    Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > slack
  );
}

describe("labels on the screen", () => {
  const view = useSuperGraph();
  const widths = [400, 600, 1400];
  const groupings = ["file", "function", "none"] as const;
  const cases = widths.flatMap((width) => groupings.map((groupBy) => [width, groupBy] as const));

  it.each(cases)("touch neither bars nor each other, at %i pixels by %s", async (width, groupBy) => {
    const { graph } = await view.show({ width }, { groupBy, filter: 0 });
    for (let zoom = 0; zoom < 3; zoom++) {
      await drawn(view.panel.page);
      const { labels, bars, stage } = await view.panel.page.evaluate(() => {
        const boxes = (selector: string) =>
          [...document.querySelectorAll<SVGGraphicsElement>(selector)].map((mark) => {
            const { x, y, width, height } = mark.getBBox();
            return { x, y, width, height, text: mark.textContent ?? "" };
          });
        const { width, height } = document.querySelector(".drawing")?.getBoundingClientRect() ?? new DOMRect();
        return { labels: boxes(".above text"), bars: boxes('.drawing [data-key$="]"]'), stage: { width, height } };
      });
      expect(labels.length).toBeGreaterThan(0);
      expect(bars).toHaveLength(graph.bars.length);
      labels.forEach((label, at) => {
        // Letters' boxes are a little higher than the line they stand on.
        for (const bar of bars) expect(overlap(label, bar, 2), `${label.text} on a bar`).toBe(false);
        for (const other of labels.slice(at + 1)) {
          expect(overlap(label, other, 3), `${label.text} on ${other.text}`).toBe(false);
        }
        expect(label.x + label.width, `${label.text} is cut off`).toBeLessThanOrEqual(stage.width + 1);
        expect(label.x).toBeGreaterThanOrEqual(-1);
      });
      await view.tool("zoom-in", "Zoom in");
    }
  });
});

describe("the root", () => {
  const measure = (size: number) => (text: string) => text.length * (size - 5);
  const sizes = [250, 300, 400, 600, 1000, 1400].flatMap((width) =>
    [120, 200, 400, 800].map((height) => ({ width, height })),
  );

  /** As a graph of many more levels is: wider than any panel, so that it is shown smaller than it was laid out. */
  function stretched(graph: LaidOutGraph): LaidOutGraph {
    const { layout } = graph;
    const { flows } = layout;
    return {
      ...graph,
      layout: {
        ...layout,
        width: 6 * layout.width,
        boxes: layout.boxes.map((value, at) => (at % 4 === 0 ? 6 * value : value)),
        flows: { ...flows, points: flows.points.map((value, at) => (at % 2 === 0 ? 6 * value : value)) },
      },
    };
  }

  /** Where bars are, and what is written: the first line of a label has its bar's name. */
  function seen({ placed, above }: GraphScene) {
    const names = above.filter((shape) => shape.kind === "text" && shape.weight === 600 && shape.of !== undefined);
    return { bars: placed.bars, names };
  }

  it.each(["file", "function", "class", "none"] as const)(
    "has its name whatever the panel's size, by %s",
    async (groupBy) => {
      const { shown } = await sampleGraph({ groupBy });
      for (const area of sizes) {
        const graph: Graph | undefined = withPart(shown.content, layoutOf(shown, area));
        if (!graph || !isLaidOut(graph)) throw new Error("no layout");
        const heaviest = Math.max(...graph.bars.inclusive);
        for (const one of [graph, stretched(graph)]) {
          const { names } = seen(draw(one, { ...area, theme: plainTheme, measure }));
          const named = names.filter(({ of }) => of !== undefined && one.bars.inclusive[of] === heaviest);
          expect(named, `${area.width} × ${area.height}`).not.toEqual([]);
        }
      }
    },
  );
});

describe("placing labels", () => {
  const box = fc.record({
    x: fc.integer({ min: -50, max: 600 }),
    y: fc.integer({ min: -50, max: 400 }),
    width: fc.integer({ min: 4, max: 40 }),
    height: fc.integer({ min: 2, max: 200 }),
  });
  const line = fc.string({ minLength: 1, maxLength: 40 });

  it("never lets a label touch a bar, another label or the edge", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ box, lines: fc.array(line, { minLength: 1, maxLength: 3 }), needed: fc.boolean() }), {
          maxLength: 25,
        }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 400 })), { maxLength: 4 }),
        (bars, ends) => {
          const ribbons = ends.map(([x, y]) => ({ points: [x, y, x + 250, 400 - y], thickness: 12 }));
          const space: LabelSpace = {
            bars: bars.map((bar) => bar.box),
            flows: new FlowIndex(600, 400, ribbons),
            width: 600,
            height: 400,
            lineHeight: 16,
            measureName: (text) => text.length * 7,
            measureRest: (text) => text.length * 6,
          };
          const labels = placeLabels(
            bars.map(({ lines, needed }, bar) => ({ bar, lines, needed })),
            space,
          );
          labels.forEach((label, at) => {
            for (const bar of space.bars) expect(overlap(label, bar)).toBe(false);
            for (const other of labels.slice(at + 1)) expect(overlap(label, other)).toBe(false);
            expect(label.x).toBeGreaterThanOrEqual(0);
            expect(label.x + label.width).toBeLessThanOrEqual(600);
            // The name may be cut, numbers never.
            expect(label.lines.slice(1)).toEqual(bars[label.bar].lines.slice(1, label.lines.length));
          });
        },
      ),
    );
  });
});
