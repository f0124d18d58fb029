import { describe, expect, it } from "vitest";
import type { GraphLayout, SuperGraph } from "../../../src/engine/api";
import { placeText } from "../../../src/model/placeText";
import { graphMessage } from "../../../src/panels/graphMessage";
import { shorten } from "../../../src/panels/shorten";
import { layoutGraph } from "../../../src/supergraph/layout";
import { MARK_LIMIT, MESSAGE_LIMIT } from "../../../src/protocol/bounds";
import { parseToSuperGraph } from "../../../src/protocol/superGraph";

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

function messageOf(graph: SuperGraph, heights = graph) {
  const layout: GraphLayout = layoutGraph(heights, { width: 1000, height: 600 });
  return graphMessage({ graph, heights, layout }, 3, "mean over 8 ranks");
}

describe("a super graph as a message", () => {
  it("holds every number as it is", () => {
    const graph = graphOf({ levels: 3, width: 2, entries: 4, nameLength: 8 });
    const message = messageOf(graph);
    expect(
      message.bars.map(({ group, inclusive, exclusive, hidden }) => ({ group, inclusive, exclusive, hidden })),
    ).toEqual(graph.bars.map(({ group, inclusive, exclusive, hidden }) => ({ group, inclusive, exclusive, hidden })));
    expect(message.flows.map(({ source, target }) => [graph.bars[source].id, graph.bars[target].id])).toEqual(
      graph.edges.map(({ source, target }) => [source, target]),
    );
    expect(message.bars.every(({ moreEntries }) => moreEntries === 0)).toBe(true);
    expect(parseToSuperGraph(structuredClone(message))).toEqual(message);
  });

  it.each([
    ["very long names", { levels: 5, width: 100, entries: 20, nameLength: 20_000 }],
    ["very many entries", { levels: 5, width: 100, entries: 3000, nameLength: 30 }],
    ["very many flows", { levels: 2, width: 250, entries: 1, nameLength: 12 }],
  ])("stays small with %s, says what was cut, and is still understood", (_, shape) => {
    const graph = graphOf(shape);
    const message = messageOf(graph);
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(message.bars.reduce((sum, bar) => sum + bar.entries.length, message.flows.length)).toBeLessThan(MARK_LIMIT);
    expect(message.bars).toHaveLength(graph.bars.length);
    for (const bar of message.bars) expect(bar.entries.length + bar.moreEntries).toBe(shape.entries);
    if (message.flows.length < graph.edges.length) {
      expect(message.notes.join()).toContain(`The ${graph.edges.length - message.flows.length} lightest of`);
      const lightest = Math.min(...message.flows.map(({ inclusive }) => inclusive));
      expect(graph.edges.filter(({ inclusive }) => inclusive > lightest).length).toBeLessThan(message.flows.length + 1);
    }
    expect(parseToSuperGraph(message)).toBeDefined();
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
    const message = messageOf(graph);
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(message.flows.length).toBeGreaterThan(1000);
    expect(message.flows.length).toBeLessThan(6000);
    expect(message.notes.join()).toContain(`The ${graph.edges.length - message.flows.length} lightest of`);
    expect(message.geometry.flows).toHaveLength(message.flows.length);
    expect(parseToSuperGraph(message)).toBeDefined();
  });

  it("is not understood where one value of one row is not what it should be", () => {
    const message = messageOf(graphOf({ levels: 2, width: 1, entries: 1, nameLength: 4 }));
    expect(parseToSuperGraph(message)).toEqual(message);
    const [bar] = message.bars;
    const [course] = message.geometry.flows;
    const withEntry = (entry: object) => ({ bars: [{ ...bar, entries: [entry] }, message.bars[1]] });
    const withFlow = (flow: object) => ({ flows: [{ ...message.flows[0], ...flow }] });
    const withCourse = (flow: unknown) => ({ geometry: { ...message.geometry, flows: [flow] } });
    const hole = [...course.points];
    Reflect.deleteProperty(hole, 2);
    const wrong: object[] = [
      withEntry({ ...bar.entries[0], name: "x".repeat(4097) }),
      withEntry({ ...bar.entries[0], place: 7 }),
      withEntry({ ...bar.entries[0], exclusive: "1" }),
      withEntry({ name: "no numbers" }),
      { bars: [{ ...bar, entries: {} }, message.bars[1]] },
      withFlow({ source: -1 }),
      withFlow({ target: 0.5 }),
      withFlow({ target: 2 }),
      withFlow({ inclusive: NaN }),
      { flows: [null] },
      { flows: Array.from({ length: 1 }) },
      withCourse({ ...course, thickness: Infinity }),
      withCourse({ ...course, points: course.points.slice(0, 3) }),
      withCourse({ ...course, points: ["1", ...course.points.slice(1)] }),
      withCourse({ ...course, points: hole }),
      withCourse({ points: course.points }),
    ];
    for (const part of wrong) expect(parseToSuperGraph({ ...message, ...part }), JSON.stringify(part)).toBeUndefined();
  });

  it("stays small with two graphs of 500 bars, names that JSON makes six times longer, and long notes", () => {
    const unseen = "\u0001".repeat(5000);
    const least = -Number.MIN_VALUE / 3 - 1 / 3e300;
    const numbers = { inclusive: least, exclusive: least, hidden: least };
    const entry = { name: unseen, inclusive: least, exclusive: least, link: noLink };
    const bars = Array.from({ length: 1000 }, (_, at): SuperGraph["bars"][number] => ({
      ...{ id: `${at}`, group: unseen, visit: 1, level: 1000, ...numbers, contexts: 100_000 },
      ...{ entries: [entry, entry], collapsesTo: { group: unseen }, finer: "function" },
    }));
    const edges = Array.from({ length: 9000 }, (_, at) => ({
      ...{ source: `${at % 1000}`, target: `${(at * 7) % 1000}`, inclusive: least },
    }));
    const notes = Array.from({ length: 100 }, () => unseen);
    const graph: SuperGraph = { ...graphOf({ levels: 1, width: 1, entries: 0, nameLength: 1 }), bars, edges, notes };
    const layout: GraphLayout = {
      ...{ width: 99_999.99, height: 99_999.99 },
      bars: bars.map(() => ({ x: 99_999.99, y: 99_999.99, width: 100.55, height: 99_999.99 })),
      edges: edges.map(() => ({
        thickness: 100.55,
        points: [99_999.99, 99_999.99, 99_999.99, 99_999.99],
      })),
    };
    const drawn = {
      graph,
      heights: graph,
      layout,
      others: graph,
      transition: { revision: 1, from: bars.map(() => -1) },
    };
    const message = graphMessage(drawn, 3, "mean over 8 ranks");
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(parseToSuperGraph(message)).toEqual(message);
    expect([message.bars.length, message.flows.length > 2000]).toEqual([1000, true]);
  });

  it("draws extremes with the heights of the mean, and says so", () => {
    const mean = graphOf({ levels: 3, width: 2, entries: 1, nameLength: 4 });
    const maximum = {
      ...mean,
      over: "max" as const,
      bars: mean.bars.map((bar) => ({ ...bar, inclusive: 10, hidden: 5 })),
    };
    const message = messageOf(maximum, mean);
    expect(message.bars.map(({ hiddenShare }) => hiddenShare)).toEqual(
      mean.bars.map(({ hidden, inclusive }) => hidden / inclusive),
    );
    expect(message.geometry).toEqual(messageOf(mean).geometry);
    expect(message.notes.join()).toMatch(/drawn as the mean/);
  });

  it("gives the scale of its heights", () => {
    const graph = graphOf({ levels: 2, width: 3, entries: 1, nameLength: 4 });
    const { geometry } = messageOf(graph);
    graph.bars.forEach(({ inclusive }, at) =>
      expect(geometry.bars[at][3]).toBeCloseTo(inclusive * geometry.pixelsPerUnit, 1),
    );
  });
});

describe("texts", () => {
  it("are cut in the middle, so that both ends still tell names apart", () => {
    expect(shorten("abcdefghij", 10)).toBe("abcdefghij");
    expect(shorten("abcdefghijk", 7)).toBe("abcd…jk");
    expect(shorten("x".repeat(1000), 100)).toHaveLength(100);
  });

  it("say where a link leads", () => {
    const place = (file: string, line: number) => ({ file, line });
    expect(placeText(noLink)).toBeUndefined();
    expect(placeText({ ...noLink, places: [place("/a/b/solver.cpp", 9)] })).toBe("solver.cpp:9");
    expect(placeText({ ...noLink, places: [place("C:\\x\\s.cpp", 9), place("/b.cpp", 1)] })).toBe("s.cpp:9 and 1 more");
    expect(placeText({ ...noLink, summary: "26 calls in CommSBN" })).toBe("26 calls in CommSBN");
  });
});
