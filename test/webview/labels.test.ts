import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { placeLabels, type LabelSpace } from "../../webviews/superGraph/labels";
import { FlowIndex } from "../../webviews/superGraph/flowIndex";
import { ribbonPieces } from "../../webviews/superGraph/ribbon";
import type { GraphMessage } from "../../src/protocol/superGraph";
import { buildScene, fitView } from "../../webviews/superGraph/scene";
import { understood } from "../wholeGraph";
import { sampleGraph } from "./miniheatGraph";
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
        const { width, height } = document.querySelector("svg.graph")?.getBoundingClientRect() ?? new DOMRect();
        return { labels: boxes(".label text"), bars: boxes(".bar"), stage: { width, height } };
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
      await view.panel.page.getByRole("button", { name: "Zoom in" }).click();
    }
  });
});

describe("the root", () => {
  const fonts = { name: (text: string) => text.length * 7, rest: (text: string) => text.length * 6, lineHeight: 16 };
  const sizes = [250, 300, 400, 600, 1000, 1400].flatMap((width) =>
    [120, 200, 400, 800].map((height) => ({ width, height })),
  );

  /** As a graph of many more levels is: wider than any panel, so that it is shown smaller than it was laid out. */
  function stretched(message: GraphMessage): GraphMessage {
    const { geometry } = message;
    return {
      ...message,
      geometry: {
        ...geometry,
        width: 6 * geometry.width,
        bars: geometry.bars.map(([x, y, width, height]) => [6 * x, y, width, height]),
        flows: geometry.flows.map((flow) => ({
          ...flow,
          points: flow.points.map((value, at) => (at % 2 === 0 ? 6 * value : value)),
        })),
      },
    };
  }

  it.each(["file", "function", "class", "none"] as const)(
    "has its name whatever the panel's size, by %s",
    async (groupBy) => {
      for (const area of sizes) {
        const message = understood((await sampleGraph(area, { groupBy })).message) ?? expect.fail();
        const heaviest = Math.max(...message.bars.map(({ inclusive }) => inclusive));
        for (const graph of [message, stretched(message)]) {
          const { labels, bars } = buildScene(graph, fitView(graph, area), area, fonts);
          const named = labels.filter(({ bar }) => graph.bars[bar].inclusive === heaviest);
          expect(named, `${area.width} × ${area.height}`).not.toEqual([]);
          for (const label of labels) for (const bar of bars) expect(overlap(label, bar)).toBe(false);
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

  it("never lets a label touch a bar, another label or the edge, and marks those that lie on a flow", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ box, lines: fc.array(line, { minLength: 1, maxLength: 3 }), needed: fc.boolean() }), {
          maxLength: 25,
        }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 400 })), { maxLength: 4 }),
        (bars, ends) => {
          const ribbons = ends.map(([x, y]) => ({ points: [x, y, x + 250, 400 - y], thickness: 12 }));
          const flows = ribbons.flatMap(({ points, thickness }) => ribbonPieces(points, thickness));
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
            const text = { x: label.x, y: label.y + 2, width: label.width, height: label.height - 4 };
            const crossed = flows.some(({ left, right, top, bottom }) =>
              overlap(text, { x: left, y: top, width: right - left, height: bottom - top }),
            );
            expect(label.plate).toBe(crossed);
            // The name may be cut, numbers never.
            expect(label.lines.slice(1)).toEqual(bars[label.bar].lines.slice(1, label.lines.length));
          });
        },
      ),
    );
  });
});
