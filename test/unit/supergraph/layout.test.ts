import { describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import { graphStructure, type MeasuredGraph, measuredGraph } from "../../../src/supergraph/superGraph";
import { pointsOf } from "./drawnCrossings";
import { shapeOf } from "../../../src/panels/superGraph/askedGraphs";
import { layoutGraph } from "../../../src/supergraph/layout";
import { laidOut, laidOutStacked, plainLayout, type PlainGraph, type PlainLayout } from "./laidOut";
import { crossingsOfOurs, crossingsOfPeer } from "./peer";
import { seeds } from "../randomCases";
import { seeded } from "./random";
import { attributesOf, basisOf, type Row } from "./treeOf";

function randomGraph(seed: number): MeasuredGraph {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const functions = 8 + below(60);
  const files = 4 + below(20);
  const contexts = 20 + below(300);
  const rows: Row[] = [{ name: "f0", exclusive: 1 }];
  const taken = new Set<string>();
  for (let at = 0; at < contexts; at++) {
    const parent = random() < 0.4 ? rows.length - 1 : below(rows.length);
    const name = `f${below(functions)}`;
    if (taken.has(`${parent} ${name}`)) continue;
    taken.add(`${parent} ${name}`);
    rows.push({ name, parent, exclusive: (1 - random()) ** -0.8 });
  }
  const basis = basisOf(rows);
  const attributes = attributesOf(basis, { file: (name) => `file${Number(name.slice(1)) % files}.c` });
  const structure = graphStructure(basis, attributes, { filter: seed % 4, groupBy: "file" }, quietTask);
  return measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);
}

/** A graph from its bars (level, inclusive) and edges (source, target, inclusive). */
function graphOf(bars: Record<string, [number, number]>, edges: [string, string, number][]): PlainGraph {
  return {
    bars: Object.entries(bars).map(([id, [level, inclusive]]) => ({ id, level, inclusive })),
    edges: edges.map(([source, target, inclusive]) => ({ source, target, inclusive })),
  };
}

const first = <T>(list: readonly T[]): T => list[0];
const last = <T>(list: readonly T[]): T => list[list.length - 1];

/** Room above the highest bar, and least gaps between bars, beside a flow that passes, between two of these. */
const TOP = 8;
const [BETWEEN_BARS, BESIDE, BETWEEN_FLOWS] = [33, 12, 4];
/** Share of the height that the fullest level has at least, before gaps shrink further. */
const FILLED = 0.38;

/** What holds for every drawing: nothing overlaps, heights and thicknesses have one scale, flows are packed in order. */
function expectGeometry(graph: PlainGraph, layout: PlainLayout): void {
  const near = 1e-6;
  const index = new Map(graph.bars.map((bar, at) => [bar.id, at]));
  const heaviest = graph.bars.reduce((a, b, at) => (b.inclusive > graph.bars[a].inclusive ? at : a), 0);
  const scale = layout.bars[heaviest].height / graph.bars[heaviest].inclusive;
  graph.bars.forEach((bar, at) => {
    const { x, y, width, height } = layout.bars[at];
    expect(height).toBeCloseTo(bar.inclusive * scale, 6);
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(layout.width);
    expect(y).toBeGreaterThanOrEqual(TOP - near);
    expect(y + height).toBeLessThanOrEqual(layout.height + near);
    graph.bars.forEach((other, at2) => {
      const two = layout.bars[at2];
      if (bar.level < other.level) expect(x + width).toBeLessThan(two.x);
      if (at !== at2 && bar.level === other.level && y <= two.y)
        expect(two.y - (y + height)).toBeGreaterThanOrEqual(-near);
    });
  });
  graph.edges.forEach((edge, at) => {
    const { thickness } = layout.edges[at];
    const points = pointsOf(layout.edges[at].points);
    const [source, target] = [layout.bars[index.get(edge.source) ?? -1], layout.bars[index.get(edge.target) ?? -1]];
    expect(thickness).toBeCloseTo(edge.inclusive * scale, 6);
    expect(first(points).x).toBe(source.x + source.width);
    expect(last(points).x).toBe(target.x);
    points.forEach((point, step) => step > 0 && expect(point.x).toBeGreaterThan(points[step - 1].x));
    for (const [point, bar] of [
      [first(points), source],
      [last(points), target],
    ] as const) {
      expect(point.y - thickness / 2).toBeGreaterThanOrEqual(bar.y - near);
      expect(point.y + thickness / 2).toBeLessThanOrEqual(bar.y + bar.height + near);
    }
  });
  for (const bar of graph.bars) {
    const drawn = layout.edges.map((edge, at) => ({ ...edge, points: pointsOf(edge.points), ...graph.edges[at] }));
    const top = layout.bars[index.get(bar.id) ?? -1].y;
    expectPacked(
      drawn
        .filter(({ source }) => source === bar.id)
        .map(({ thickness, points }) => ({ thickness, here: first(points).y, there: points[1].y })),
      top,
    );
    expectPacked(
      drawn
        .filter(({ target }) => target === bar.id)
        .map(({ thickness, points }) => ({ thickness, here: last(points).y, there: points[points.length - 2].y })),
      top,
    );
  }
}

/**
 * Gaps are whole, or shrink in a level that is too full, and the fullest level fills what it may.
 *
 * @param larger than asked for, to be drawn smaller
 */
function expectGaps(graph: PlainGraph, layout: PlainLayout, larger: number, isThin: (edge: number) => boolean): void {
  const near = 1e-6;
  const room = layout.height - TOP;
  const levels = new Map<number, { top: number; height: number; isBar: boolean }[]>();
  const add = (level: number, node: { top: number; height: number; isBar: boolean }) =>
    levels.set(level, [...(levels.get(level) ?? []), node]);
  const levelOf = new Map(graph.bars.map(({ id, level }) => [id, level]));
  graph.bars.forEach(({ level }, at) => {
    const { y, height } = layout.bars[at];
    add(level, { top: y, height, isBar: true });
  });
  graph.edges.forEach(({ source }, at) => {
    if (isThin(at)) return;
    const { thickness, points } = layout.edges[at];
    const passed = pointsOf(points).slice(1, -1);
    passed.forEach(({ y }, step) => {
      const level = (levelOf.get(source) ?? NaN) + 1 + step / 2;
      if (step % 2 === 0) add(level, { top: y - thickness / 2, height: thickness, isBar: false });
    });
  });
  let fullest = 0;
  let isShrunk = false;
  for (const nodes of levels.values()) {
    nodes.sort((a, b) => a.top - b.top || Number(a.height > b.height));
    const filled = nodes.reduce((sum, { height }) => sum + height, 0);
    const needed = nodes.slice(1).map(({ isBar }, at) => {
      const both = [isBar, nodes[at].isBar];
      return larger * (both.every(Boolean) ? BETWEEN_BARS : both.some(Boolean) ? BESIDE : BETWEEN_FLOWS);
    });
    const need = needed.reduce((sum, gap) => sum + gap, 0);
    const share = need > room - filled ? (room - filled) / need : 1;
    if (share < 1 - near) isShrunk = true;
    needed.forEach((gap, at) => {
      const own = nodes[at + 1].top - nodes[at].top - nodes[at].height;
      expect(own).toBeGreaterThanOrEqual(share * gap - 1e-4);
    });
    fullest = Math.max(fullest, filled);
  }
  if (isShrunk) expect(fullest).toBeGreaterThanOrEqual(FILLED * room - 1e-4);
}

/** From the bar's top, without space between, in the order of the other ends. */
function expectPacked(flows: { thickness: number; here: number; there: number }[], top: number): void {
  flows.sort((a, b) => a.here - b.here || a.there - b.there);
  let edge = top;
  flows.forEach(({ thickness, here, there }, at) => {
    expect(here - thickness / 2).toBeCloseTo(edge, 6);
    edge += thickness;
    if (at > 0) expect(there).toBeGreaterThanOrEqual(flows[at - 1].there - 1e-6);
  });
}

/** Of graphs that were laid out in another way than expected. */
const MET_BEFORE = Array.from({ length: 10 }, (_, at) => 98_860_557 + at);

/** What a bar costs beyond these flows out of it, of the bar with most. */
function largestOwn({ bars }: Pick<MeasuredGraph, "bars">, edges: MeasuredGraph["edges"]): number {
  const own = bars.map(({ id, inclusive }) =>
    edges.reduce((rest, edge) => (edge.source === id ? rest - edge.inclusive : rest), inclusive),
  );
  return Math.max(0, ...own);
}

describe("layout", () => {
  it("has no more weighted crossings than d3-sankey in total over random graphs", () => {
    let ours = 0;
    let peer = 0;
    for (const seed of seeds(200)) {
      const graph = randomGraph(seed);
      ours += crossingsOfOurs(graph) / graph.total;
      peer += crossingsOfPeer(graph) / graph.total;
    }
    expect(peer).toBeGreaterThan(0);
    expect(ours).toBeLessThanOrEqual(peer);
  }, 300_000);

  it.each([300, 400, 1400, 3000])("of random graphs at %d pixels is free of overlaps and keeps one scale", (width) => {
    for (const seed of seeds(100)) {
      const graph = randomGraph(seed);
      const layout = laidOut(graph, { width, height: 700 });
      expectGeometry(graph, layout);
      expectGaps(graph, layout, layout.height / 700, () => false);
    }
  });

  it("gives no gap to flows that are not drawn before they are pointed at", () => {
    for (const seed of seeds(100)) {
      const graph = randomGraph(seed);
      const isThin = Uint8Array.from(graph.edges, ({ inclusive }) => Number(inclusive < 0.05 * graph.total));
      const size = { width: 1400, height: 700 };
      const layout = plainLayout(layoutGraph({ ...shapeOf(graph), isThin }, size));
      expectGaps(graph, layout, 1, (edge) => isThin[edge] === 1);
      // Levels are those of all flows, and every flow has its points.
      expect(layout.bars.map(({ x }) => x)).toEqual(laidOut(graph, size).bars.map(({ x }) => x));
      for (const { points } of layout.edges) expect(points.length).toBeGreaterThanOrEqual(4);
    }
  });

  it("spaces levels by max(bar and label, √l · bars of the fuller level), scaled to the width", () => {
    const bars: Record<string, [number, number]> = { root: [0, 64] };
    const edges: [string, string, number][] = [];
    for (let at = 0; at < 64; at++) {
      bars[`a${at}`] = [1, 1];
      edges.push(["root", `a${at}`, 1]);
    }
    bars["b"] = [2, 1];
    bars["c"] = [3, 1];
    edges.push(["a0", "b", 1], ["b", "c", 1]);
    // Gaps 64 · √1, 64 · √2 and max(50, 1 · √3), on 900 − 50 pixels.
    const size = { width: 900, barWidth: 10, labelWidth: 40 };
    const { bars: drawn } = laidOut(graphOf(bars, edges), { ...size, height: 4000 });
    const unit = 850 / (64 + 64 * Math.SQRT2 + 50);
    expect(drawn[1].x).toBeCloseTo(64 * unit, 6);
    expect(drawn[65].x).toBeCloseTo((64 + 64 * Math.SQRT2) * unit, 6);
    expect(drawn[66].x).toBeCloseTo(850, 6);
  });

  it("leads a long edge around the bars between", () => {
    const graph = graphOf({ a: [0, 10], b: [1, 6], c: [2, 10] }, [
      ["a", "b", 6],
      ["b", "c", 6],
      ["a", "c", 4],
    ]);
    const layout = laidOut(graph, { width: 600, height: 300 });
    const { thickness } = layout.edges[2];
    const points = pointsOf(layout.edges[2].points);
    expect(points.length).toBe(4);
    const middle = layout.bars[1];
    expect(points[1].x).toBe(middle.x);
    expect(points[2].x).toBe(middle.x + middle.width);
    const free = points[1].y + thickness / 2 <= middle.y || points[1].y - thickness / 2 >= middle.y + middle.height;
    expect(free).toBe(true);
  });

  it("with room for some points leaves out the lightest flows alone, as if they were not there", () => {
    let compared = 0;
    for (const seed of [...seeds(100), ...MET_BEFORE]) {
      const graph = randomGraph(seed);
      const level = new Map(graph.bars.map((bar) => [bar.id, bar.level]));
      const cost = ({ source, target }: MeasuredGraph["edges"][number]) =>
        6 + 2 * ((level.get(target) ?? NaN) - (level.get(source) ?? NaN));
      const all = graph.edges.reduce((sum, edge) => sum + cost(edge), 0);
      for (const mostPoints of [0, all / 3, all - 1, all]) {
        const { edges } = laidOut(graph, { width: 1400, height: 700, mostPoints });
        const isDrawn = edges.map(({ points }) => points.length > 0);
        const kept = graph.edges.filter((_, at) => isDrawn[at]);
        const left = graph.edges.filter((_, at) => !isDrawn[at]);
        const lightest = Math.min(...kept.map(({ inclusive }) => inclusive));
        const heaviest = Math.max(...left.map(({ inclusive }) => inclusive));
        expect(heaviest).toBeLessThanOrEqual(lightest);
        const spent = kept.reduce((sum, edge) => sum + cost(edge), 0);
        expect(spent).toBeLessThanOrEqual(mostPoints);
        const next = left.filter(({ inclusive }) => inclusive === heaviest).map(cost);
        if (left.length > 0) expect(spent + Math.max(...next)).toBeGreaterThan(mostPoints);
        const alone = laidOut({ bars: graph.bars, edges: kept }, { width: 1400, height: 700 });
        const drawn = edges.filter((_, at) => isDrawn[at]);
        expect(drawn.map(({ thickness }) => thickness)).toEqual(alone.edges.map(({ thickness }) => thickness));
        // A bar that costs most by itself spreads the others, and what it costs is not more because a flow out of it is not drawn.
        if (largestOwn(graph, kept) > largestOwn(graph, graph.edges)) continue;
        expect(drawn).toEqual(alone.edges);
        if (left.length > 0 && kept.length > 0) compared++;
      }
    }
    expect(compared).toBeGreaterThan(0);
  });

  it("puts a chain on one line", () => {
    const { bars } = laidOut(
      graphOf({ a: [0, 3], b: [1, 3], c: [2, 3] }, [
        ["a", "b", 3],
        ["b", "c", 3],
      ]),
      {
        width: 600,
        height: 300,
      },
    );
    expect(bars[1].y).toBeCloseTo(bars[0].y, 3);
    expect(bars[2].y).toBeCloseTo(bars[0].y, 3);
  });

  it("uses the whole height beside a bar that fills it by itself", () => {
    // Of 100 main keeps 80; what it calls are little bars.
    const few = ["a", "b", "c", "d", "e"];
    const graph = graphOf(
      { main: [0, 100], ...Object.fromEntries(few.map((id) => [id, [1, 4]])) },
      few.map((id) => ["main", id, 4]),
    );
    const { bars, height } = laidOut(graph, { width: 900, height: 700 });
    const bottoms = bars.slice(1).map(({ y, height: high }) => y + high);
    expect(Math.max(...bottoms) - Math.min(...bars.slice(1).map(({ y }) => y))).toBeGreaterThan(0.85 * height);
  });

  it("draws negative values, and values that are no number, as 0", () => {
    const graph = graphOf({ a: [0, 4], b: [1, -1], c: [1, NaN] }, [
      ["a", "b", -1],
      ["a", "c", NaN],
    ]);
    const layout = laidOut(graph, { width: 600, height: 300 });
    expect(layout.bars.map(({ height }) => height > 0)).toEqual([true, false, false]);
    for (const { thickness, points } of layout.edges) {
      expect(thickness).toBe(0);
      for (const { x, y } of pointsOf(points)) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
    }
  });

  it("of no bars is empty, and of zeros is finite", () => {
    expect(laidOut({ bars: [], edges: [] }, { width: 600, height: 300 })).toEqual({
      width: 600,
      height: 300,
      bars: [],
      edges: [],
    });
    const zeros = laidOut(graphOf({ a: [0, 0], b: [1, 0] }, [["a", "b", 0]]), { width: 600, height: 300 });
    expect(JSON.stringify(zeros)).not.toMatch(/null/);
  });

  it("keeps to the height where bars are many, and grows in width so that they never touch", () => {
    const bars: Record<string, [number, number]> = {};
    for (let at = 0; at < 500; at++) bars[`b${at}`] = [0, 1];
    const layout = laidOut(graphOf(bars, []), { width: 300, height: 200 });
    expect(layout.height).toBe(200);
    const filled = layout.bars.reduce((sum, { height }) => sum + height, 0);
    expect(filled).toBeCloseTo(FILLED * (200 - TOP), 6);
    const chain: Record<string, [number, number]> = {};
    for (let at = 0; at < 500; at++) chain[`b${at}`] = [at, 1];
    expect(laidOut(graphOf(chain, []), { width: 300, height: 200, barWidth: 10 }).width).toBeGreaterThan(499 * 20);
  });

  it("is as much higher as it is wider than asked for: seen whole, it fills both", () => {
    const asked = { width: 400, height: 700, labelWidth: 80 };
    const levels = Array.from({ length: 24 }, (_, level) => `f${level}`);
    const bars = Object.fromEntries(levels.map((name, level): [string, [number, number]] => [name, [level, 1]]));
    const edges = levels.slice(1).map((name, at): [string, string, number] => [levels[at], name, 1]);
    const { width, height, bars: places } = laidOut(graphOf(bars, edges), asked);
    expect(width).toBeGreaterThan(1.4 * asked.width);
    expect(height / width).toBeCloseTo(asked.height / asked.width, 6);
    expect(first(places).height).toBeGreaterThan(0.9 * height);
  });

  it("of 500 bars that all call each other takes bounded work", () => {
    const random = seeded(1);
    const bars: Record<string, [number, number]> = {};
    const edges: [string, string, number][] = [];
    for (let at = 0; at < 500; at++) {
      bars[`b${at}`] = [Math.floor(at / 10), 1000];
      for (let call = 0; call < 20; call++) {
        const target = at + 10 + Math.floor(random() * 40);
        if (target < 500 && Math.floor(target / 10) > Math.floor(at / 10))
          edges.push([`b${at}`, `b${target}`, random()]);
      }
    }
    const graph = graphOf(bars, edges);
    const layout = laidOut(graph, { width: 3000, height: 2000 });
    expect(layout.edges.length).toBe(edges.length);
  });
});

/** The same bars and flows with other numbers: each bar's exclusive by chance, everything else added up. */
function otherNumbers({ bars, edges }: PlainGraph, seed: number): PlainGraph {
  const random = seeded(seed);
  const share = new Map(bars.map(({ id }) => [id, random() < 0.2 ? 0 : 2 * random()]));
  return {
    bars: bars.map((bar) => ({ ...bar, inclusive: bar.inclusive * (share.get(bar.id) ?? 0) })),
    edges: edges.map((edge) => ({
      ...edge,
      inclusive: edge.inclusive * Math.min(share.get(edge.source) ?? 0, share.get(edge.target) ?? 0),
    })),
  };
}

describe("graphs one below the other", () => {
  it.each([400, 1400])("have the same columns and order, one scale, and nothing of one in the other (%d)", (width) => {
    const heading = 22;
    for (const seed of seeds(100)) {
      const graph = randomGraph(seed);
      const graphs = [graph, otherNumbers(graph, seed)];
      const { parts, height } = laidOutStacked(graphs, { width, height: 700, heading });
      const scales = parts.map((part, at) => {
        const moved = part.bars.map((bar) => ({ ...bar, y: bar.y - part.top - heading }));
        const edges = part.edges.map(({ thickness, points }) => ({
          thickness,
          points: pointsOf(points).flatMap(({ x, y }) => [x, y - part.top - heading]),
        }));
        expectGeometry(graphs[at], { ...part, height: part.height - heading, bars: moved, edges });
        const heaviest = graphs[at].bars.reduce((a, b, i) => (b.inclusive > graphs[at].bars[a].inclusive ? i : a), 0);
        return part.bars[heaviest].height / graphs[at].bars[heaviest].inclusive;
      });
      expect(scales[1]).toBeCloseTo(scales[0], 9);
      expect(parts[1].top).toBeCloseTo(parts[0].top + parts[0].height, 9);
      expect(parts[1].top + parts[1].height).toBeCloseTo(height, 9);
      expect(parts[1].bars.map(({ x }) => x)).toEqual(parts[0].bars.map(({ x }) => x));
      expect(orderOf(parts[1], graph)).toEqual(orderOf(parts[0], graph));
    }
  });

  it("fill the height that was asked for, each as high as its fullest level needs", () => {
    const graph = graphOf({ a: [0, 3], b: [1, 3] }, [["a", "b", 3]]);
    const half = graphOf({ a: [0, 1], b: [1, 1] }, [["a", "b", 1]]);
    const { parts, height } = laidOutStacked([graph, half], { width: 600, height: 800, heading: 24 });
    expect(height).toBeCloseTo(800, 9);
    // 800 less two times heading and top (24 + 8) are for 3 + 1 units.
    expect(parts.map(({ bars }) => bars[0].height)).toEqual([expect.closeTo(552, 6), expect.closeTo(184, 6)]);
  });

  it("with nothing in one of them are finite", () => {
    const graph = graphOf({ a: [0, 3], b: [1, 3] }, [["a", "b", 3]]);
    const none = graphOf({ a: [0, 0], b: [1, 0] }, [["a", "b", 0]]);
    for (const graphs of [
      [graph, none],
      [none, graph],
      [none, none],
    ])
      expect(JSON.stringify(laidOutStacked(graphs, { width: 600, height: 300, heading: 20 }))).not.toMatch(/null/);
  });
});

/** Bars of each level from top to bottom; those of one place, by their number. */
function orderOf({ bars }: PlainLayout, graph: PlainGraph): number[] {
  return bars.map((_, at) => at).sort((a, b) => graph.bars[a].level - graph.bars[b].level || bars[a].y - bars[b].y);
}
