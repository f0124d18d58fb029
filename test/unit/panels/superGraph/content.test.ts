import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import type { GraphLayout, SuperGraph } from "../../../../src/engine/api";
import { placeText } from "../../../../src/model/placeText";
import { formatValue } from "../../../../src/model/units";
import { messageSize } from "../../../../src/panels/kit/messageSize";
import { type AskedGraphs, type LaidOut, shapeOf } from "../../../../src/panels/superGraph/askedGraphs";
import type { Note } from "../../../../src/panels/kit/definition";
import { graphContent, graphNotes, markAt } from "../../../../src/panels/superGraph/content";
import { layoutPart, unseenFlows } from "../../../../src/panels/superGraph/layoutPart";
import { layoutGraph } from "../../../../src/supergraph/layout";
import { MARK_LIMIT, MESSAGE_LIMIT } from "../../../../src/protocol/bounds";
import {
  type GraphLayoutPart,
  superGraphContent,
  type SuperGraphContent,
  superGraphPart,
} from "../../../../src/protocol/superGraph";
import { dataSetInfo } from "../../session/sampleInfo";
import { plainLayout } from "../../supergraph/laidOut";

vi.mock("vscode", () => ({}));

const noLink = { places: [], rule: "unknown", reason: "", considered: [] } as const;

/** A chain of levels, each bar leading into every bar of the next level. */
function graphOf(options: { levels: number; width: number; entries: number; nameLength: number }): SuperGraph {
  const { levels, width, entries, nameLength } = options;
  const name = (prefix: string) => prefix.padEnd(nameLength, "x");
  const bars: SuperGraph["bars"][number][] = [];
  const edges: SuperGraph["edges"][number][] = [];
  for (let level = 0; level < levels; level++) {
    for (let at = 0; at < width; at++) {
      bars.push({
        id: name(`${level}.${at}`),
        group: name(`${level}.${at}`),
        visit: 1,
        level,
        inclusive: levels - level,
        exclusive: 0.5,
        hidden: 0.25,
        contexts: 1,
        entries: Array.from({ length: entries }, (_, entry) => ({
          name: name(`f${entry}`),
          inclusive: 1,
          exclusive: 0.5,
          link: noLink,
        })),
      });
      for (let to = 0; level + 1 < levels && to < width; to++)
        edges.push({ source: name(`${level}.${at}`), target: name(`${level + 1}.${to}`), inclusive: 1 + to });
    }
  }
  return {
    metric: "time",
    unit: "s",
    over: "sum",
    total: levels * width,
    hidden: 0,
    shownNames: new Map(),
    filtered: { functions: 0, contexts: 0, exclusive: 0 },
    functions: 10,
    bars,
    edges,
    groupBy: "function",
    filter: 0,
    skipped: [],
    notes: [],
  };
}

/** A first picture of a graph: each bar has as many folded callers as bars before it. */
function firstOf({ bars }: SuperGraph): NonNullable<SuperGraph["first"]> {
  return {
    choice: { filter: 0.1, opened: [], alone: [] },
    opened: [],
    alone: [],
    why: "",
    drawn: [0],
    names: bars.map(({ id }) => id).reverse(),
    bars: bars.map((_, at) => ({
      holds: Array.from({ length: at }, (_, caller) => `caller ${caller}`),
      inside: [["ns::inner", at + 1]],
    })),
  };
}

const scope = { dataSet: 1, metric: 0, over: "mean" } as const;

function askedOf(graph: SuperGraph, heights = graph, more: Partial<AskedGraphs> = {}): AskedGraphs {
  const planned = { info: dataSetInfo(), scope, name: "own" };
  const query = { scope, filter: 0, groupBy: "function" } as const;
  const plan = { graphs: [planned], merged: false, notes: [] };
  return { plan, graphs: [{ planned, query, graph, heights }], ...more };
}

function laidOut(heights: SuperGraph): LaidOut {
  const { width, height, ...part }: GraphLayout = layoutGraph(shapeOf(heights), { width: 1000, height: 600 });
  return { width, height, parts: [part] };
}

interface Drawn {
  readonly asked: AskedGraphs;
  readonly content: SuperGraphContent;
  readonly layout: GraphLayoutPart;
  readonly notes: readonly string[];
}

function drawnOf(graph: SuperGraph, heights = graph): Drawn {
  const asked = askedOf(graph, heights);
  const layout = laidOut(heights);
  const notes = [...graphNotes(asked).map(noteText), ...unseenFlows(asked, layout)];
  return { asked, content: graphContent(asked), layout: layoutPart(asked, layout), notes };
}

const noteText = (note: Note) => (typeof note === "string" ? note : note.text);

const isUnderstood = ({ content, layout }: Pick<Drawn, "content" | "layout">) =>
  v.is(superGraphContent, content) && v.is(superGraphPart, layout);

/** Entries of a bar: name and place. */
function entriesOf({ bars, entries, texts }: SuperGraphContent, bar: number) {
  const at = [...entries.name.keys()].slice(bars.firstEntry[bar], bars.firstEntry[bar + 1]);
  return at.map((entry) => [
    texts[entries.name[entry]],
    texts.at(entries.place[entry] < 0 ? Infinity : entries.place[entry]),
  ]);
}

/** Bytes of columns, and characters of everything else. */
function lengthOf(message: unknown): number {
  let bytes = 0;
  const text = JSON.stringify(message, (_, part: unknown) => {
    if (!ArrayBuffer.isView(part)) return part;
    bytes += part.byteLength;
    return undefined;
  });
  return text.length + bytes;
}

describe("a super graph as a message", () => {
  it("holds every number as it is", () => {
    const graph = graphOf({ levels: 3, width: 2, entries: 4, nameLength: 8 });
    const drawn = drawnOf(graph);
    expect(isUnderstood(drawn)).toBe(true);
    const { content, layout } = drawn;
    const { bars, texts } = content;
    graph.bars.forEach(({ group, inclusive, exclusive, hidden }, bar) =>
      expect([texts[bars.group[bar]], bars.inclusive[bar], bars.exclusive[bar], bars.hidden[bar]]).toEqual([
        group,
        inclusive,
        exclusive,
        hidden,
      ]),
    );
    const { source, target, inclusive } = layout.flows;
    expect(
      [...source.keys()].map((at) => [graph.bars[source[at]].id, graph.bars[target[at]].id, inclusive[at]]),
    ).toEqual(graph.edges.map((edge) => [edge.source, edge.target, edge.inclusive]));
    expect(bars.moreEntries.every((more) => more === 0)).toBe(true);
    graph.bars.forEach(({ entries }, bar) =>
      expect(entriesOf(content, bar)).toEqual(entries.map(({ name }) => [name, undefined])),
    );
  });

  it("names entries after all bars", () => {
    const { content } = drawnOf(graphOf({ levels: 2, width: 2, entries: 3, nameLength: 4 }));
    expect([0, 3, 4, 7, 15, 16].map((mark) => markAt(content.bars, mark))).toEqual([
      { bar: 0 },
      { bar: 3 },
      { bar: 0, entry: 0 },
      { bar: 1, entry: 0 },
      { bar: 3, entry: 2 },
      undefined,
    ]);
  });

  it("says where each entry leads, whose names and places it holds once", () => {
    const graph = graphOf({ levels: 2, width: 1, entries: 2, nameLength: 4 });
    const linked = { ...noLink, places: [{ file: "/a/solver.cpp", line: 9 }] };
    const [first, second] = graph.bars.map((bar) => ({
      ...bar,
      entries: bar.entries.map((entry, at) => (at === 1 ? { ...entry, link: linked } : entry)),
    }));
    const { content } = drawnOf({ ...graph, bars: [first, second] });
    expect(content.texts.slice(2)).toEqual(["f0xx", "f1xx", "solver.cpp:9"]);
    for (const bar of [0, 1])
      expect(entriesOf(content, bar)).toEqual([
        ["f0xx", undefined],
        ["f1xx", "solver.cpp:9"],
      ]);
  });

  it("is understood where nearly every mark is an entry with a name and a place of its own", () => {
    const graph = graphOf({ levels: 5, width: 20, entries: 110, nameLength: 5 });
    const bars = graph.bars.map((bar, own) => ({
      ...bar,
      entries: bar.entries.map((entry, at) => ({
        ...entry,
        name: `f${own}.${at}`,
        link: { ...noLink, places: [{ file: "/a/b.c", line: 1000 * own + at + 1 }] },
      })),
    }));
    const drawn = drawnOf({ ...graph, bars });
    // More texts than marks, since each entry has two.
    expect(drawn.content.texts.length).toBeGreaterThan(MARK_LIMIT);
    expect(isUnderstood(drawn)).toBe(true);
    expect(entriesOf(drawn.content, 99).at(-1)).toEqual(["f99.109", "b.c:99110"]);
  });

  it("holds the layout as it is, of flows past many levels as of all others", () => {
    const chain = graphOf({ levels: 6, width: 3, entries: 1, nameLength: 8 });
    const far = [0, 4, 7].map((at) => ({ source: chain.bars[at].id, target: chain.bars[17].id, inclusive: 0.5 }));
    const graph = { ...chain, edges: [...chain.edges, ...far] };
    const asked = askedOf(graph);
    const layout = laidOut(graph);
    const { boxes, flows } = layoutPart(asked, layout);
    const { bars, edges } = plainLayout({ ...layout, ...layout.parts[0] });
    expect([...boxes]).toEqual(bars.flatMap(({ x, y, width, height }) => [x, y, width, height]));
    edges.forEach(({ thickness, points }, at) => {
      expect(flows.thickness[at]).toBe(thickness);
      expect([...flows.points.subarray(flows.first[at], flows.first[at + 1])]).toEqual(points);
    });
    expect(Math.max(...edges.map(({ points }) => points.length))).toBe(20);
  });

  it.each([
    ["very long names", { levels: 5, width: 100, entries: 20, nameLength: 2000 }],
    ["very many entries", { levels: 5, width: 100, entries: 400, nameLength: 30 }],
    ["very many flows", { levels: 2, width: 250, entries: 1, nameLength: 12 }],
  ])("stays small with %s, says what was cut, and is still understood", (_, shape) => {
    const graph = graphOf(shape);
    const drawn = drawnOf(graph);
    const { content, layout, notes } = drawn;
    for (const message of [content, layout]) expect(lengthOf(message)).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(isUnderstood(drawn)).toBe(true);
    const { bars } = content;
    expect(bars.group).toHaveLength(graph.bars.length);
    graph.bars.forEach((_, bar) => expect(entriesOf(content, bar).length + bars.moreEntries[bar]).toBe(shape.entries));
    const count = layout.flows.inclusive.length;
    if (count < graph.edges.length) {
      expect(notes.join()).toContain(`The ${(graph.edges.length - count).toLocaleString("en")} lightest of`);
      const descending = graph.edges.map(({ inclusive }) => inclusive).sort((a, b) => b - a);
      expect(notes.join()).toContain(`the heaviest of them ${formatValue(descending[count], "s")}.`);
      const lightest = layout.flows.inclusive.reduce((least, one) => Math.min(least, one), Infinity);
      expect(graph.edges.filter(({ inclusive }) => inclusive > lightest).length).toBeLessThan(count + 1);
    }
  });

  it("says which flows are drawn on pointing alone: below 0.5 % and not the largest into their bar", () => {
    const graph = graphOf({ levels: 2, width: 4, entries: 1, nameLength: 4 });
    const edges = graph.edges.map((edge, at) => ({ ...edge, inclusive: [0.03, 0.039, 0.04, 2][at % 4] }));
    const asked = askedOf({ ...graph, total: 8, edges });
    const { flows } = layoutPart(asked, laidOut({ ...graph, total: 8, edges }));
    // 0.5 % of 8 is 0.04. Into the first two bars all flows are equal: the least id of a source is drawn.
    const drawn = edges.flatMap(({ target, inclusive }, at) => {
      const into = edges.filter((other) => other.target === target);
      const isFirst = into[0] === edges[at];
      return inclusive >= 0.04 || isFirst ? [at] : [];
    });
    expect([...flows.thin.keys()].filter((at) => flows.thin[at] === 0)).toEqual(drawn);
    expect(drawn.length).toBeLessThan(edges.length);
    // The answer to a first picture decides itself.
    const first = { ...firstOf(graph), drawn: [1, 2] };
    const chosen = layoutPart(askedOf({ ...graph, edges, first }), laidOut({ ...graph, edges }));
    expect([...chosen.flows.thin.keys()].filter((at) => chosen.flows.thin[at] === 0)).toEqual([1, 2]);
  });

  it("holds what a first picture says: order of names, folded callers, functions inside", () => {
    const graph = graphOf({ levels: 2, width: 2, entries: 1, nameLength: 4 });
    const shownNames = new Map([["ns::inner", "inner"]]);
    const content = graphContent(askedOf({ ...graph, shownNames, first: firstOf(graph) }));
    const { names, holds, inside } = content.first ?? expect.fail("no first picture");
    expect([...names]).toEqual([3, 2, 1, 0]);
    const texts = (of: Int32Array) => [...of].map((at) => content.texts[at]);
    expect([[...holds.first], texts(holds.name)]).toEqual([
      [0, 0, 1, 3, 6],
      ["caller 0", "caller 0", "caller 1", "caller 0", "caller 1", "caller 2"],
    ]);
    expect([[...inside.first], texts(inside.name), [...inside.exclusive]]).toEqual([
      [0, 1, 2, 3, 4],
      ["inner", "inner", "inner", "inner"],
      [1, 2, 3, 4],
    ]);
    expect([...holds.more]).toEqual([0, 0, 0, 0]);
    expect(v.safeParse(superGraphContent, content).success).toBe(true);
    const broken = [
      { holds: { ...holds, more: Int32Array.of(0) } },
      { names: Int32Array.of(9) },
      { holds: { ...holds, first: holds.first.slice(1) } },
      { inside: { ...inside, exclusive: new Float64Array() } },
      { inside: { ...inside, name: Int32Array.of(1000, 0, 0, 0) } },
    ];
    for (const change of broken)
      expect(v.safeParse(superGraphContent, { ...content, first: { ...content.first, ...change } }).success).toBe(
        false,
      );
    expect(graphContent(askedOf(graph)).first).toBeUndefined();
  });

  it("names the first groups of a chain of any length, and counts the others", () => {
    const graph = graphOf({ levels: 2, width: 2, entries: 1, nameLength: 4 });
    const first = firstOf(graph);
    const chain = Array.from({ length: 70_000 }, (_, at) => `caller ${at}`);
    const bars = first.bars.map((bar, at) => (at === 2 ? { ...bar, holds: chain } : bar));
    const content = graphContent(askedOf({ ...graph, first: { ...first, bars } }));
    expect(v.safeParse(superGraphContent, content).success).toBe(true);
    const { holds } = content.first ?? expect.fail("no first picture");
    const named = [...holds.name.subarray(holds.first[2], holds.first[3])].map((at) => content.texts[at]);
    expect(named).toEqual(chain.slice(0, named.length));
    expect(named.length).toBeGreaterThanOrEqual(59);
    expect([...holds.more]).toEqual([0, 0, chain.length - named.length, 0]);
  });

  it("stays small with flows past many levels, whose way has many points", () => {
    const chain = graphOf({ levels: 30, width: 10, entries: 1, nameLength: 12 });
    // From each bar of the upper half to every third of the lower.
    const [upper, lower] = [chain.bars.slice(0, 150), chain.bars.slice(150)];
    const far = upper.flatMap(({ id }, at) =>
      lower
        .filter((_, to) => (to + at) % 3 === 0)
        .map((bar) => ({ source: id, target: bar.id, inclusive: 1 / (at + 1) })),
    );
    const graph = { ...chain, edges: [...chain.edges, ...far] };
    const drawn = drawnOf(graph);
    expect(lengthOf(drawn.layout)).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(isUnderstood(drawn)).toBe(true);
    const count = drawn.layout.flows.inclusive.length;
    expect(count).toBeGreaterThan(1000);
    expect(count).toBeLessThan(6000);
    expect(drawn.notes.join()).toContain(`The ${(graph.edges.length - count).toLocaleString("en")} lightest of`);
  });

  it("is not understood where one value of one column is not what it should be", () => {
    const { content, layout } = drawnOf(graphOf({ levels: 2, width: 1, entries: 1, nameLength: 4 }));
    expect(isUnderstood({ content, layout })).toBe(true);
    const { entries, bars } = content;
    const { flows, boxes } = layout;
    const whole = (...all: number[]) => Int32Array.from(all);
    const real = (...all: number[]) => Float64Array.from(all);
    const contents: object[] = [
      { texts: ["x".repeat(4097)] },
      { texts: [] },
      { texts: {} },
      ...[
        { firstEntry: whole(0, 1) },
        { firstEntry: whole(1, 1, 2) },
        { firstEntry: whole(0, 1, 3) },
        { group: whole(0, 9) },
        { group: whole(0) },
        { collapsible: whole(-2, 0) },
        { inclusive: real(1, NaN) },
        { inclusive: [1, 1] },
        { hiddenShare: real(0, 2) },
        { visit: whole(0, 1) },
        { finer: whole(-1, 9) },
      ].map((columns) => ({ bars: { ...bars, ...columns } })),
      ...[
        { name: whole(0, 9) },
        { name: whole(0) },
        { exclusive: [1, 1] },
        { exclusive: undefined },
        { place: whole(-2, -1) },
        { place: whole(-1, 9) },
      ].map((columns) => ({ entries: { ...entries, ...columns } })),
      { from: { revision: 1, bars: whole(0) } },
      { pair: { kind: "runs", merged: true, halves: [] } },
    ];
    for (const part of contents)
      expect(isUnderstood({ content: { ...content, ...part }, layout }), JSON.stringify(part)).toBe(false);
    const layouts: object[] = [
      { boxes: boxes.slice(1, 4) },
      { boxes: boxes.map(() => Infinity) },
      { headings: [1] },
      { pixelsPerUnit: -1 },
      ...[
        { source: whole(-1) },
        { target: whole(2) },
        { target: whole(1, 1) },
        { inclusive: real(NaN) },
        { inclusive: [1] },
        { thickness: real(Infinity) },
        { thickness: real(1, 1) },
        { first: whole(0) },
        { first: whole(0, 2) },
        { first: whole(2, 4) },
        { points: flows.points.slice(1) },
        { points: [...flows.points] },
      ].map((columns) => ({ flows: { ...flows, ...columns } })),
    ];
    for (const part of layouts)
      expect(isUnderstood({ content, layout: { ...layout, ...part } }), JSON.stringify(part)).toBe(false);
  });

  it("is measured without being written", () => {
    const texts = ["", "plain", 'quo"te', "back\\slash", "\u0001\n", "\ud83d", "ü 😀", "\u007f\u2028"];
    const numbers = [0, -1, 999_999, -999_999, 1e6, 1e21, -1.2345678901234567e-300, 0.1, -Number.MIN_VALUE];
    for (const value of [
      ...texts,
      ...numbers,
      [texts, numbers],
      { a: texts, 'b"': { c: numbers, d: null, e: true } },
    ]) {
      const length = JSON.stringify(value).length;
      expect(messageSize(value)).toBeGreaterThanOrEqual(length);
      expect(messageSize(["plain", 123_456, 7])).toBeLessThan(2 * '["plain",123456,7]'.length);
    }
  });

  it("stays small with two graphs of 500 bars, names that JSON makes six times longer, and many flows", () => {
    const unseen = "\u0001".repeat(5000);
    const least = -Number.MIN_VALUE / 3 - 1 / 3e300;
    const numbers = { inclusive: least, exclusive: least, hidden: least };
    const entry = { name: unseen, inclusive: least, exclusive: least, link: noLink };
    const bars = Array.from({ length: 500 }, (_, at): SuperGraph["bars"][number] => ({
      id: `${at}`,
      group: `${at}${unseen}`,
      visit: 1,
      level: 1000,
      ...numbers,
      contexts: 100_000,
      entries: [entry, entry],
      collapsesTo: { group: unseen },
      finer: "function",
    }));
    const edges = Array.from({ length: 9000 }, (_, at) => ({
      source: `${at % 500}`,
      target: `${(at * 7) % 500}`,
      inclusive: least,
    }));
    const graph: SuperGraph = { ...graphOf({ levels: 1, width: 1, entries: 0, nameLength: 1 }), bars, edges };
    const part = {
      boxes: Float64Array.from(bars.flatMap(() => [99_999.99, 99_999.99, 100.55, 99_999.99])),
      thickness: new Float64Array(edges.length).fill(100.55),
      first: new Int32Array(edges.length + 1).map((_, at) => 4 * at),
      points: new Float64Array(4 * edges.length).fill(99_999.99),
    };
    const [one] = askedOf(graph).graphs;
    const plan = { graphs: [one.planned, one.planned], pair: "runs" as const, merged: false, notes: [] };
    const asked = { plan, graphs: [one, one] };
    const content = graphContent(asked);
    const layout = layoutPart(asked, { width: 99_999, height: 99_999, parts: [part, part], headings: [0, 500] });
    expect(isUnderstood({ content, layout })).toBe(true);
    for (const message of [content, layout]) expect(lengthOf(message)).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect([content.bars.group.length, layout.flows.source.length > 2000]).toEqual([1000, true]);
  });

  it("draws extremes with the heights of the mean, and says so", () => {
    const mean = graphOf({ levels: 3, width: 2, entries: 1, nameLength: 4 });
    const maximum = {
      ...mean,
      over: "max" as const,
      bars: mean.bars.map((bar) => ({ ...bar, inclusive: 10, hidden: 5 })),
    };
    const { content, layout, notes } = drawnOf(maximum, mean);
    expect([...content.bars.hiddenShare]).toEqual(mean.bars.map(({ hidden, inclusive }) => hidden / inclusive));
    expect(layout).toEqual(drawnOf(mean).layout);
    expect(notes.join()).toMatch(/heights: mean over ranks/);
  });

  it("gives the scale of its heights", () => {
    const graph = graphOf({ levels: 2, width: 3, entries: 1, nameLength: 4 });
    const { boxes, pixelsPerUnit } = drawnOf(graph).layout;
    graph.bars.forEach(({ inclusive }, at) => expect(boxes[4 * at + 3]).toBeCloseTo(inclusive * pixelsPerUnit, 1));
  });
});

describe("texts", () => {
  it("say where a link leads", () => {
    const place = (file: string, line: number) => ({ file, line });
    expect(placeText(noLink)).toBeUndefined();
    expect(placeText({ ...noLink, places: [place("/a/b/solver.cpp", 9)] })).toBe("solver.cpp:9");
    expect(placeText({ ...noLink, places: [place("C:\\x\\s.cpp", 9), place("/b.cpp", 1)] })).toBe("s.cpp:9 and 1 more");
    expect(placeText({ ...noLink, summary: "26 calls in CommSBN" })).toBe("26 calls in CommSBN");
  });
});
