import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { LabelRoom, type LabelSpace } from "../../webviews/superGraph/labels";
import { type Graph, hottestBars, isLaidOut, type LaidOutGraph, withPart } from "../../webviews/superGraph/graph";
import { draw, type GraphScene } from "../../webviews/superGraph/scene";
import { plainTheme } from "./kit/plainTheme";
import { isFull, places, seeds } from "../unit/randomCases";
import { graphByChance } from "./graphByChance";
import { apart, type Box, hasLeader, writtenIn } from "./labelLaw";
import { recordings } from "../recordings";
import { layoutOf, recordedGraph, sampleGraph, shownOf } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

/** Whether two boxes share more than `slack` pixels both ways. */
function overlap(a: Box, b: Box, slack = 0): boolean {
  return (
    Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > slack &&
    Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > slack
  );
}

const shared = recordings();
const RECORDING = /^(?:experiment\.xml|meta\.db|callgrind.*\.out.*|.*\.cali|.*\.json|.*\.trace)$/;

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
            const text = mark.textContent ?? "";
            return { x, y, width, height, text };
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
  const sizes = [300, 400, 600, 1000, 1400].flatMap((width) => [200, 400, 800].map((height) => ({ width, height })));

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
  const text = fc.string({ minLength: 1, maxLength: 40 });
  /** Left of the first bar a label ends exactly where the second one begins, a little above it. */
  const endsWhereAnotherBegins = [
    { box: { x: 590, y: 16, width: 4, height: 2 }, name: " ", value: " ", needed: false },
    { box: { x: 584, y: 0, width: 4, height: 2 }, name: " ", value: " ", needed: false },
  ];

  it("never lets a label touch a bar, another label or the edge, or stand nearer to another bar", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ box, name: text, value: text, needed: fc.boolean() }), { maxLength: 25 }),
        (bars) => {
          const space: LabelSpace = {
            bars: bars.map((bar) => bar.box),
            width: 600,
            height: 400,
            measureName: (one) => one.length * 7,
            measureRest: (one) => one.length * 6,
          };
          const texts = bars.map(({ name, value, needed }, bar) => ({
            bar,
            name,
            needed,
            numbers: [`${value} · share`, value],
          }));
          const labels = new LabelRoom(space).place(texts);
          labels.forEach((label, at) => {
            const own = space.bars[label.bar];
            const isInSight = (one: Box) => overlap(one, { x: 0, y: 0, width: 600, height: 400 });
            const others = space.bars.filter((bar, at) => at !== label.bar && isInSight(bar));
            for (const bar of space.bars) expect(overlap(label, bar)).toBe(false);
            for (const other of labels.slice(at + 1)) expect(overlap(label, other)).toBe(false);
            expect(label.x).toBeGreaterThanOrEqual(0);
            expect(label.x + label.width).toBeLessThanOrEqual(600);
            // The name may be cut, numbers never.
            if (label.number !== undefined) expect(texts[label.bar].numbers).toContain(label.number);
            // A needed name may stand level with its bar, or has a leader.
            if (label.leader) expect(apart(label, own)).toBeLessThanOrEqual(340);
            else if (!bars[label.bar].needed && own.height < 28) {
              for (const other of others) expect(apart(label, other)).toBeGreaterThan(apart(label, own));
              // What begins left of its bar would seem to be the label of one that it stands beside.
              if (label.x < own.x)
                for (const other of others)
                  if (other.x + other.width <= own.x) expect(apart(label, other)).toBeGreaterThanOrEqual(8);
            }
            if (label.shortened) expect(label.name).toContain("…");
            else expect(label.name).toBe(bars[label.bar].name);
          });
          const cut = labels.filter(({ shortened }) => shortened);
          for (const one of cut)
            for (const other of labels)
              if (other.name === one.name) expect(bars[other.bar].name).toBe(bars[one.bar].name);
        },
      ),
      { examples: [[endsWhereAnotherBegins]] },
    );
  });
});

describe("a bar that is high enough has its name", () => {
  const measure = (size: number) => (text: string) => (text.length * size) / 2;
  const space = { width: 600, height: 400, measureName: measure(12), measureRest: measure(11) };
  const placed = (bars: readonly Box[], name: string, numbers: readonly string[], others: readonly Box[] = []) =>
    new LabelRoom({ ...space, bars, others }).place([{ bar: 0, name, numbers }])[0];

  it("apart with a leader, where the next one is too near", () => {
    const bar = { x: 10, y: 0, width: 13, height: 400 };
    const [label] = [placed([bar, { ...bar, x: bar.x + bar.width + 17 }], "finalize.c", ["1.01 s"])];
    expect(label).toMatchObject({ name: "finalize.c", number: "1.01 s" });
    const [from, to] = label.leader ?? [];
    expect(to?.x).toBe(23);
    expect(from?.x).toBe(label.x - 2);
  });

  it("whole, where no number has room beside it", () => {
    const bar = { x: 10, y: 20, width: 13, height: 60 };
    const placedOne = placed([bar, { ...bar, x: bar.x + 60, width: 30 }], "main", ["14.4 G cycles"]);
    expect(placedOne).toMatchObject({ name: "main", shortened: false });
    expect(placedOne.number).toBeUndefined();
  });

  it("level with itself, where it is needed and the others of its column are near", () => {
    const column = Array.from({ length: 12 }, (_, at) => ({ x: 10, y: 160 + 8 * at, width: 30, height: 2 }));
    const [highest] = [{ x: 10, y: 100, width: 30, height: 40 }];
    const room = new LabelRoom({ ...space, bars: [...column, highest] });
    const [label] = room.place([{ bar: 5, name: "cudaMemcpyAsync", numbers: ["2.71 ms"], needed: true }]);
    expect(label).toMatchObject({ name: "cudaMemcpyAsync", x: 46 });
    expect(label.y).toBeLessThan(column[5].y);
    expect(label.y + label.height).toBeGreaterThan(column[5].y + column[5].height);
  });

  it("beside itself, close above the heading of the next graph", () => {
    const bar = { x: 160, y: 317, width: 21, height: 14 };
    const heading = { x: 0, y: 338, width: 600, height: 24 };
    expect(placed([bar], "physics.cpp", ["17.5 ms"], [heading])).toMatchObject({ x: 187 });
  });
});

describe("what is written in a drawing", () => {
  const measure = (size: number, weight = 400) => {
    return (text: string) => text.length * size * (weight > 400 ? 0.58 : 0.54);
  };
  const HIGH = 14;
  /** So much height between the neighbours of a bar is free for its label. */
  const FREE = 44;
  /** So far from the next column there is room for a name of twelve letters and the sign of a cut, and what lies around it. */
  const WIDE = 110;

  /** The box around two texts. */
  function around<Text extends Box>(a: Text, b: Text): Text {
    const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
    const right = Math.max(a.x + a.width, b.x + b.width);
    return { ...a, x, y, width: right - x, height: Math.max(a.y + a.height, b.y + b.height) - y };
  }

  /** What cannot be read, or not be told whose it is. */
  function faultsOf(graph: Graph, area: { width: number; height: number }): string[] {
    const faults: string[] = [];
    const scene = draw(graph, { ...area, theme: plainTheme, measure });
    const { bars } = scene.placed;
    const highest = bars.reduce((best, { height }, at) => (height > bars[best].height ? at : best), 0);
    const hottest = new Set([...hottestBars(scene.placed.graph, false), highest]);
    const texts = writtenIn(scene, measure);
    texts.forEach((one, at) => {
      for (const other of texts.slice(at + 1)) if (overlap(one, other)) faults.push(`${one.text} on ${other.text}`);
      if (bars.some((bar) => overlap(one, bar))) faults.push(`${one.text} on a bar`);
    });
    const columns = [...new Set(bars.map(({ x }) => x))].sort((a, b) => a - b);
    bars.forEach((bar, at) => {
      const own = texts.filter(({ of }) => of === at);
      const name = own.find(({ size }) => size === 12);
      const isValue = ({ x, y, size }: (typeof own)[number]) =>
        name !== undefined && size === 11 && y - name.y < 16 && x >= name.x && y >= name.y;
      const value = own.find(isValue);
      // A needed name may stand level with its bar, or has a leader.
      if (name && value && bar.height < 28 && !hottest.has(at) && !hasLeader(scene, at)) {
        const label = around(name, value);
        const distance = apart(label, bar);
        if (bars.some((other, index) => index !== at && apart(label, other) <= distance))
          faults.push(`${label.text} is not nearest to its bar`);
      }
      const right = bar.x + bar.width;
      const next = columns.find((x) => x > right) ?? Infinity;
      const column = bars.filter(({ x }) => x === bar.x);
      const above = Math.max(0, ...column.filter(({ y }) => y < bar.y).map(({ y, height }) => y + height));
      const below = Math.min(area.height, ...column.filter(({ y }) => y > bar.y).map(({ y }) => y));
      const hasRoom = area.width >= 1400 && bar.height >= HIGH && next - right >= WIDE && below - above >= FREE;
      if (hasRoom && !value)
        faults.push(`${graph.texts[graph.bars.group[at]]}: a bar ${bar.height} high without name or value`);
    });
    return faults;
  }

  const AREAS = [300, 400, 600, 1000, 1400, 1600].map((width) => ({ width, height: width < 1000 ? 620 : 690 }));

  it("stands clear of all else, whatever the graph: name and value at each bar that has room", async () => {
    const sample = await sampleGraph({ state: { histograms: "off" } });
    for (const seed of seeds(100)) {
      const size = seed % 5 === 0 ? 500 : 10 + (seed % 90);
      const shown = shownOf(graphByChance(seed, size, seed % 3 === 0 ? 300 : 25), sample);
      for (const area of AREAS) {
        const graph = withPart(shown.content, layoutOf(shown, area));
        if (!graph) throw new Error("no graph");
        expect(faultsOf(graph, area), `seed ${seed}, ${area.width} pixels`).toEqual([]);
      }
    }
  }, 120_000);

  it.skipIf(shared === undefined)(
    "stands clear of all else in every recording",
    async () => {
      const data = path.join(shared ?? "", "data");
      const found = fs.readdirSync(data, { recursive: true, withFileTypes: true });
      const files = found.flatMap(({ name, parentPath }) =>
        RECORDING.test(name) && !parentPath.includes("hostile") ? [path.join(parentPath, name)] : [],
      );
      const read: string[] = [];
      // A third of them in a usual run, other ones each time.
      const looked = places(files.length, isFull ? files.length : Math.ceil(files.length / 3));
      for (const file of looked.map((at) => files[at]))
        for (const groupBy of ["file", "function"] as const) {
          const size = { width: 1400, height: 690 };
          const sample = await recordedGraph(file, { groupBy, state: { histograms: "off" } }, size).catch(
            () => undefined,
          );
          if (!sample || sample.graph.bars.length === 0) continue;
          read.push(file);
          for (const area of AREAS) {
            const graph = withPart(sample.shown.content, layoutOf(sample.shown, area));
            if (!graph) throw new Error("no graph");
            expect(faultsOf(graph, area), `${file} by ${groupBy}, ${area.width} pixels`).toEqual([]);
          }
        }
      expect(read.length).toBeGreaterThan(isFull ? 30 : 10);
    },
    300_000,
  );
});
