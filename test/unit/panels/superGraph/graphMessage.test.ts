import { describe, expect, it } from "vitest";
import type { GraphLayout, SuperGraph } from "../../../../src/engine/api";
import { placeText } from "../../../../src/model/placeText";
import { formatValue } from "../../../../src/model/units";
import { mostCharacters } from "../../../../src/panels/kit/jsonLength";
import { shorten } from "../../../../src/panels/kit/shorten";
import { layoutGraph } from "../../../../src/supergraph/layout";
import { MARK_LIMIT, MESSAGE_LIMIT } from "../../../../src/protocol/bounds";
import type { GraphMessage } from "../../../../src/protocol/superGraph";
import { messagesOf, understood as understoodOf, type WholeGraph, wholeGraph } from "../../../wholeGraph";

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

const drawnOf = (graph: SuperGraph, heights = graph) => {
  const layout: GraphLayout = layoutGraph(heights, { width: 1000, height: 600 });
  return { graph, heights, layout };
};

function messageOf(graph: SuperGraph, heights = graph): WholeGraph {
  return wholeGraph(drawnOf(graph, heights), 3, "mean over 8 ranks");
}

/** As the view understands it. */
function understood(message: WholeGraph): GraphMessage {
  const copy = JSON.parse(JSON.stringify(message)) as WholeGraph;
  return understoodOf(copy) ?? expect.fail("not understood");
}

/** How many flows are not drawn, as people write it. */
const unseen = (graph: SuperGraph, { flows }: GraphMessage) => (graph.edges.length - flows.length).toLocaleString("en");

/** Of both messages together. */
const lengthOf = (message: WholeGraph) => JSON.stringify(messagesOf(message)).length;

describe("a super graph as a message", () => {
  it("holds every number as it is", () => {
    const graph = graphOf({ levels: 3, width: 2, entries: 4, nameLength: 8 });
    const message = understood(messageOf(graph));
    expect(
      message.bars.map(({ group, inclusive, exclusive, hidden }) => ({ group, inclusive, exclusive, hidden })),
    ).toEqual(graph.bars.map(({ group, inclusive, exclusive, hidden }) => ({ group, inclusive, exclusive, hidden })));
    expect(message.flows.map(({ source, target }) => [graph.bars[source].id, graph.bars[target].id])).toEqual(
      graph.edges.map(({ source, target }) => [source, target]),
    );
    expect(message.bars.every(({ moreEntries }) => moreEntries === 0)).toBe(true);
    message.bars.forEach(({ entries }, bar) =>
      expect(entries).toEqual(
        graph.bars[bar].entries.map(({ name, inclusive, exclusive }) => ({ name, inclusive, exclusive })),
      ),
    );
  });

  it("says where each entry leads, whose names and places it holds once", () => {
    const graph = graphOf({ levels: 2, width: 1, entries: 2, nameLength: 4 });
    const linked = { ...noLink, places: [{ file: "/a/solver.cpp", line: 9 }] };
    const [first, second] = graph.bars.map((bar) => ({
      ...bar,
      entries: bar.entries.map((entry, at) => (at === 1 ? { ...entry, link: linked } : entry)),
    }));
    const message = messageOf({ ...graph, bars: [first, second] });
    expect(message.texts).toEqual(["f0xx", "f1xx", "solver.cpp:9"]);
    for (const { entries } of understood(message).bars)
      expect(entries.map(({ name, place }) => [name, place])).toEqual([
        ["f0xx", undefined],
        ["f1xx", "solver.cpp:9"],
      ]);
  });

  it("is understood where nearly every mark is an entry with a name and a place of its own", () => {
    const graph = graphOf({ levels: 5, width: 20, entries: 150, nameLength: 5 });
    const bars = graph.bars.map((bar, own) => ({
      ...bar,
      entries: bar.entries.map((entry, at) => ({
        ...entry,
        name: `f${own}.${at}`,
        link: { ...noLink, places: [{ file: "/a/b.c", line: 1000 * own + at + 1 }] },
      })),
    }));
    const sent = messageOf({ ...graph, bars });
    // More texts than marks, since each entry has two.
    expect(sent.texts.length).toBeGreaterThan(MARK_LIMIT);
    const last = understood(sent).bars.at(-1)?.entries.at(-1);
    expect([last?.name, last?.place]).toEqual(["f99.149", "b.c:99150"]);
  });

  it("holds the layout to a hundredth of a pixel, of flows past many levels as of all others", () => {
    const chain = graphOf({ levels: 6, width: 3, entries: 1, nameLength: 8 });
    const far = [0, 4, 7].map((at) => ({ source: chain.bars[at].id, target: chain.bars[17].id, inclusive: 0.5 }));
    const drawn = drawnOf({ ...chain, edges: [...chain.edges, ...far] });
    const { geometry } = understood(wholeGraph(drawn, 1, ""));
    const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 100) / 100);
    expect(geometry.bars).toEqual(drawn.layout.bars.map(({ x, y, width, height }) => rounded([x, y, width, height])));
    expect(geometry.flows).toEqual(
      drawn.layout.edges.map(({ thickness, points }) => ({
        thickness: rounded([thickness])[0],
        points: rounded(points),
      })),
    );
    expect(Math.max(...geometry.flows.map(({ points }) => points.length))).toBe(20);
  });

  it.each([
    ["very long names", { levels: 5, width: 100, entries: 20, nameLength: 2000 }],
    ["very many entries", { levels: 5, width: 100, entries: 400, nameLength: 30 }],
    ["very many flows", { levels: 2, width: 250, entries: 1, nameLength: 12 }],
  ])("stays small with %s, says what was cut, and is still understood", (_, shape) => {
    const graph = graphOf(shape);
    const sent = messageOf(graph);
    expect(lengthOf(sent)).toBeLessThanOrEqual(MESSAGE_LIMIT);
    const message = understood(sent);
    expect(message.bars.reduce((sum, bar) => sum + bar.entries.length, message.flows.length)).toBeLessThan(MARK_LIMIT);
    expect(message.bars).toHaveLength(graph.bars.length);
    for (const bar of message.bars) expect(bar.entries.length + bar.moreEntries).toBe(shape.entries);
    if (message.flows.length < graph.edges.length) {
      expect(message.layoutNotes.join()).toContain(`The ${unseen(graph, message)} lightest of`);
      const descending = graph.edges.map(({ inclusive }) => inclusive).sort((a, b) => b - a);
      expect(message.layoutNotes.join()).toContain(
        `the heaviest of them ${formatValue(descending[message.flows.length], "s")}.`,
      );
      const lightest = Math.min(...message.flows.map(({ inclusive }) => inclusive));
      expect(graph.edges.filter(({ inclusive }) => inclusive > lightest).length).toBeLessThan(message.flows.length + 1);
    }
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
    const sent = messageOf(graph);
    expect(lengthOf(sent)).toBeLessThanOrEqual(MESSAGE_LIMIT);
    const message = understood(sent);
    expect(message.flows.length).toBeGreaterThan(1000);
    expect(message.flows.length).toBeLessThan(6000);
    expect(message.layoutNotes.join()).toContain(`The ${unseen(graph, message)} lightest of`);
    expect(message.geometry.flows).toHaveLength(message.flows.length);
  });

  it("is not understood where one value of one column is not what it should be", () => {
    const message = messageOf(graphOf({ levels: 2, width: 1, entries: 1, nameLength: 4 }));
    expect(understoodOf(message)).toBeDefined();
    const { entries, flows, geometry } = message;
    const withEntries = (columns: object) => ({ entries: { ...entries, ...columns } });
    const withFlows = (columns: object) => ({ flows: { ...flows, ...columns } });
    const withGeometry = (parts: object) => ({ geometry: { ...geometry, ...parts } });
    const withCourses = (columns: object) => withGeometry({ flows: { ...geometry.flows, ...columns } });
    const hole = [...geometry.flows.y];
    Reflect.deleteProperty(hole, 1);
    const wrong: object[] = [
      { texts: ["x".repeat(4097)] },
      { texts: [] },
      { texts: {} },
      withEntries({ count: [2, 1] }),
      withEntries({ count: [1, 0] }),
      withEntries({ count: [2] }),
      withEntries({ name: [0, 1] }),
      withEntries({ name: [0] }),
      withEntries({ exclusive: [1, "1"] }),
      withEntries({ exclusive: undefined }),
      withEntries({ place: [-1, 1] }),
      withEntries({ place: [-2, -1] }),
      withFlows({ source: [-1] }),
      withFlows({ target: [0.5] }),
      withFlows({ target: [2] }),
      withFlows({ target: [1, 1] }),
      withFlows({ inclusive: [NaN] }),
      withFlows({ inclusive: [null] }),
      withFlows({ source: Array.from({ length: 1 }) }),
      withGeometry({ bars: geometry.bars.slice(1) }),
      withGeometry({ columns: geometry.columns.slice(0, 2) }),
      withCourses({ thickness: [Infinity] }),
      withCourses({ thickness: [1, 1] }),
      withCourses({ levels: [0] }),
      withCourses({ levels: [2] }),
      withCourses({ level: [1] }),
      withCourses({ y: geometry.flows.y.slice(1) }),
      withCourses({ y: [...geometry.flows.y, 1] }),
      withCourses({ y: ["1", ...geometry.flows.y.slice(1)] }),
      withCourses({ y: hole }),
    ];
    for (const part of wrong) expect(understoodOf({ ...message, ...part }), JSON.stringify(part)).toBeUndefined();
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
      expect(mostCharacters(value)).toBeGreaterThanOrEqual(length);
      expect(mostCharacters(["plain", 123_456, 7])).toBeLessThan(2 * '["plain",123456,7]'.length);
    }
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
    const message = wholeGraph(drawn, 3, "mean over 8 ranks");
    expect(lengthOf(message)).toBeLessThanOrEqual(MESSAGE_LIMIT);
    const { bars: shown, flows } = understood(message);
    expect([shown.length, flows.length > 2000]).toEqual([1000, true]);
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
    const { geometry } = understood(messageOf(graph));
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
