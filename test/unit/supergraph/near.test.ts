import { describe, expect, it } from "vitest";
import type { SuperGraph } from "../../../src/engine/api";
import { quietTask } from "../../../src/model/task";
import { shapeOf } from "../../../src/panels/superGraph/askedGraphs";
import { nearLayout } from "../../../src/panels/superGraph/graphTransition";
import { type GraphLayout, layoutGraph, type NearLayout } from "../../../src/supergraph/layout";
import { barOrigins } from "../../../src/supergraph/origins";
import type { GraphOperation } from "../../../src/supergraph/query";
import {
  type GraphStructure,
  graphStructure,
  type MeasuredGraph,
  measuredGraph,
} from "../../../src/supergraph/superGraph";
import { seeds } from "../randomCases";
import { seeded } from "./random";
import { attributesOf, basisOf, type Row } from "./treeOf";

const size = { width: 1000, height: 600 };

/** A random tree of functions in files. */
function randomBasis(seed: number) {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const rows: Row[] = [{ name: "f0", exclusive: 1 }];
  const taken = new Set<string>();
  for (let at = 0; at < 120; at++) {
    const parent = random() < 0.4 ? rows.length - 1 : below(rows.length);
    const name = `f${below(40)}`;
    if (taken.has(`${parent} ${name}`)) continue;
    taken.add(`${parent} ${name}`);
    rows.push({ name, parent, exclusive: (1 - random()) ** -0.8 });
  }
  const basis = basisOf(rows);
  const attributes = attributesOf(basis, { file: (name) => `file${Number(name.slice(1)) % 12}.c` });
  const structure = (operations: GraphOperation[]) =>
    graphStructure(basis, attributes, { filter: 0, groupBy: "file", operations }, quietTask);
  const graph = (of: GraphStructure) => measuredGraph(of, { exclusive: basis.exclusive }, quietTask);
  return { structure, graph };
}

/** As the panel makes it, from ids. */
function nearOf(before: MeasuredGraph, layout: GraphLayout, after: MeasuredGraph, origins: Int32Array) {
  const ids = Array.from(origins, (bar) => (bar < 0 ? undefined : before.bars[bar].id));
  const drawn = { graph: before as unknown as SuperGraph, layout, revision: 1 };
  return nearLayout(drawn, after as unknown as SuperGraph, ids);
}

const topOf = ({ boxes }: GraphLayout, bar: number) => boxes[4 * bar + 1];

/** Pairs of bars of one level that both stayed, and how many of them changed their order. */
function orderKept(
  before: GraphLayout,
  after: GraphLayout,
  graph: MeasuredGraph,
  origins: Int32Array,
  { stays }: NearLayout,
) {
  let [pairs, kept] = [0, 0];
  graph.bars.forEach((a, at) =>
    graph.bars.forEach((b, other) => {
      if (at >= other || a.level !== b.level || stays[at] === 0 || stays[other] === 0) return;
      pairs++;
      const was = topOf(before, origins[at]) - topOf(before, origins[other]);
      if (Math.sign(was) === Math.sign(topOf(after, at) - topOf(after, other))) kept++;
    }),
  );
  return { pairs, kept };
}

describe("a layout near the one before", () => {
  it("is the same, byte for byte, where nothing was there before", () => {
    for (const seed of seeds(100)) {
      const { structure, graph } = randomBasis(seed);
      const shown = graph(structure([]));
      const shape = shapeOf(shown);
      const near = {
        y: shape.inclusive.map(() => NaN),
        stays: new Uint8Array(shown.bars.length),
        first: new Int32Array(shown.edges.length + 1),
        tops: new Float64Array(0),
      };
      expect(layoutGraph(shape, { ...size, near })).toEqual(layoutGraph(shape, size));
    }
  });

  it("leaves everything where it was when nothing changed", () => {
    for (const seed of seeds(100)) {
      const { structure, graph } = randomBasis(seed);
      const shown = graph(structure([]));
      const before = layoutGraph(shapeOf(shown), size);
      const near = nearOf(shown, before, shown, Int32Array.from(shown.bars.keys()));
      const after = layoutGraph(shapeOf(shown), { ...size, near });
      shown.bars.forEach((_, bar) => expect(Math.abs(topOf(after, bar) - topOf(before, bar))).toBeLessThan(2));
    }
  });

  it("keeps the order of what stays better, and moves it less, than a layout that knows nothing of it", () => {
    const sums = { pairs: 0, near: 0, fresh: 0, movedNear: 0, movedFresh: 0 };
    for (const seed of seeds(400)) {
      const { structure, graph } = randomBasis(seed);
      const first = structure([]);
      const shown = graph(first);
      const heaviest = shown.bars.reduce((a, b) => (b.exclusive > a.exclusive && b.level > 0 ? b : a), shown.bars[1]);
      const second = structure([{ kind: "split-by-caller", target: { group: heaviest.group }, by: "function" }]);
      const split = graph(second);
      const origins = barOrigins(first, second);
      const before = layoutGraph(shapeOf(shown), size);
      const near = nearOf(shown, before, split, origins);
      const after = layoutGraph(shapeOf(split), { ...size, near });
      const fresh = layoutGraph(shapeOf(split), size);
      const kept = orderKept(before, after, split, origins, near);
      sums.pairs += kept.pairs;
      sums.near += kept.kept;
      sums.fresh += orderKept(before, fresh, split, origins, near).kept;
      near.stays.forEach((stays, at) => {
        if (stays === 0) return;
        sums.movedNear += Math.abs(topOf(after, at) - topOf(before, origins[at]));
        sums.movedFresh += Math.abs(topOf(fresh, at) - topOf(before, origins[at]));
      });
    }
    expect(sums.pairs).toBeGreaterThan(20);
    expect(sums.near).toBeGreaterThan(sums.fresh);
    expect(sums.movedNear).toBeLessThan(sums.movedFresh / 2);
  });
});

describe("where bars of a graph come from", () => {
  it("is the bar that holds their contexts: parts from the whole, the whole from its parts", () => {
    for (const seed of seeds(100)) {
      const { structure, graph } = randomBasis(seed);
      const whole = structure([]);
      const bars = graph(whole).bars;
      const target = { group: bars[Math.min(2, bars.length - 1)].group };
      const parts = structure([{ kind: "split-by-caller", target, by: "function" }]);
      const names = parts.bars.group;
      const origins = barOrigins(whole, parts);
      names.forEach((group, bar) => {
        const from = whole.bars.group[origins[bar]];
        expect(from).toBe(group.startsWith(`${target.group} from `) ? target.group : group);
      });
      expect([...barOrigins(whole, whole)]).toEqual([...Array(whole.bars.size).keys()]);
      const back = barOrigins(parts, whole);
      whole.bars.group.forEach((group, bar) => {
        const from = names[back[bar]];
        expect(from === group || from.startsWith(`${group} from `)).toBe(true);
      });
    }
  });

  it("is nothing for what was hidden", () => {
    const { structure, graph } = randomBasis(3);
    const { group } = graph(structure([])).bars[3];
    const without = structure([{ kind: "hide", target: { group } }]);
    const whole = structure([]);
    const origins = barOrigins(without, whole);
    whole.bars.group.forEach((name, bar) => expect(origins[bar] === -1).toBe(name === group));
  });
});
