import { describe, expect, it, vi } from "vitest";
import { formatShare, formatValue } from "../../src/model/units";
import { barAsText, barFacts, barSentence, details } from "../../webviews/superGraph/describe";
import { graphContent } from "../../src/panels/superGraph/content";
import { menu } from "../../webviews/superGraph/barMenu";
import { barGroup, barName, type Graph, type LaidOutGraph, withPart } from "../../webviews/superGraph/graph";
import { tables } from "../../webviews/superGraph/tables";
import { draw } from "../../webviews/superGraph/scene";
import { plainTheme } from "./kit/plainTheme";
import { layoutOf, sampleGraph } from "./superGraphSamples";

vi.mock("vscode", () => import("./fakeVsCode"));

describe("bars without groups", () => {
  it("are called by the last name of their path, and what was revealed by the way to it", async () => {
    const { shown, graph } = await sampleGraph({ groupBy: "none" });
    const named = withPart(shown.content, layoutOf(shown, { width: 1400, height: 700 }));
    if (!named) throw new Error("no graph");
    graph.bars.forEach(({ group }, bar) => {
      // No name of the sample has a slash.
      expect(barName(named, bar)).toBe(group.split("/").at(-1));
      expect(barGroup(named, bar)).toBe(group);
    });
    const leaf = graph.bars.findIndex(({ group }) => group.endsWith("/MPI_Allreduce"));
    expect(barFacts(named as LaidOutGraph, leaf)).toContainEqual(["path", graph.bars[leaf].group]);
    const reveal = { kind: "reveal", function: "updateConductivity" } as const;
    const revealed = await sampleGraph({ groupBy: "file", operations: [reveal] });
    const bar = revealed.graph.bars.findIndex(({ group }) => group === "physics.cpp: updateConductivity");
    expect(barName(revealed.shown.content, bar)).toBe("updateConductivity");
    const inside = await sampleGraph({ groupBy: "file", operations: [{ ...reveal, function: "dot" }] });
    const way = inside.graph.bars.findIndex(({ group }) => group === "solver.cpp: dot");
    expect(barName(inside.shown.content, way)).toBe("solve … → dot");
  });
});

it("a group's second bar says what its number means", async () => {
  const { shown } = await sampleGraph({ groupBy: "file" });
  const named = withPart(shown.content, layoutOf(shown, { width: 1400, height: 700 })) as LaidOutGraph;
  const visit = named.bars.visit.map((_, bar) => (bar === 1 ? 2 : 1));
  const again = { ...named, bars: { ...named.bars, visit } };
  expect(barName(again, 1)).toMatch(/ \(2\)$/);
  expect(barFacts(again, 1)).toContainEqual(["(2)", expect.stringMatching(/^the group again/)]);
  expect(JSON.stringify(barFacts(again, 0))).not.toContain("again");
});

it("of a recording with one rank there is no histogram of a bar, and the menu says why; functions are correlated still", async () => {
  const { shown } = await sampleGraph({ groupBy: "file" });
  const disabled = (graph: Graph) =>
    menu(graph, 1).flatMap(({ label, disabled: why }) => (why?.includes("one rank") ? [label] : []));
  const offered = (graph: Graph) => details(graph, 1, undefined).actions.map(({ id }) => id);
  const graphOf = ({ asked }: typeof shown) =>
    withPart(graphContent(asked), layoutOf(shown, { width: 1400, height: 700 })) as LaidOutGraph;
  expect(disabled(graphOf(shown))).toEqual([]);
  expect(offered(graphOf(shown))).toContain("histogram");
  const graphs = shown.asked.graphs.map((one) => {
    const { info } = one.planned;
    return { ...one, planned: { ...one.planned, info: { ...info, ranks: [0], units: [] } } };
  });
  const single = graphOf({ ...shown, asked: { ...shown.asked, graphs } });
  expect(disabled(single)).toEqual(["Show histogram"]);
  expect(offered(single)).not.toContain("histogram");
});

it("an only entry without a name has no line to one", async () => {
  const { shown } = await sampleGraph({ groupBy: "file" });
  const area = { width: 1400, height: 700 };
  const at = shown.content.bars.group.findIndex((group) => shown.content.texts[group] === "main.cpp");
  const ofBar = (texts: readonly string[]) => {
    const named = withPart({ ...shown.content, texts: [...texts] }, layoutOf(shown, area)) as LaidOutGraph;
    const measure = (size: number) => (text: string) => 0.6 * size * text.length;
    return draw(named, { ...area, theme: plainTheme, measure }).above.flatMap((shape) =>
      shape.kind === "path" && shape.of === at && /^M[^M]*h9$/.test(shape.d) ? [shape.d] : [],
    );
  };
  expect(ofBar(shown.content.texts)).toHaveLength(1);
  expect(ofBar(shown.content.texts.map((text) => (text === "main" ? "" : text)))).toEqual([]);
});

describe("what has no rank", () => {
  it("has no difference between two runs, and is no 0 beside the other's number", async () => {
    for (const below of [false, true]) {
      const { shown } = await sampleGraph({ groupBy: "file", runs: true, state: { below } });
      const bar = shown.content.bars.group.findIndex((at) => shown.content.texts[at] === "MPI");
      const unranked = (values: Float64Array) => values.map((_, at) => (at === bar ? 0.276 : 0));
      const none = (values: Float64Array) => values.map((value, at) => (at === bar ? 0 : value));
      const was = shown.content.bars;
      const ofNone = <Numbers extends NonNullable<typeof was.other>>(of: Numbers) => ({
        ...of,
        noRank: unranked(of.noRank),
        exclusiveNoRank: unranked(of.exclusiveNoRank),
        inclusive: none(of.inclusive),
        exclusive: none(of.exclusive),
      });
      // The baseline's numbers are those of the other graph, or of the upper one.
      const bars = was.other ? { ...was, other: ofNone(was.other) } : ofNone(was);
      const named = withPart({ ...shown.content, bars }, layoutOf(shown, { width: 1400, height: 700 })) as LaidOutGraph;
      const columns = tables(named).find(({ caption }) => caption === "Bars")?.columns ?? [];
      const text = (title: string) => columns.find((one) => one.title === title)?.text(bar);
      expect(text("baseline")).toBe("276 ms, of no rank");
      expect(text("inclusive, baseline")).toBe("276 ms, of no rank");
      expect(text("candidate")).toMatch(/^\d.* ms$/);
      expect([text("difference"), text("|difference|"), text("ratio")]).toEqual(["", "", ""]);
      const facts = barFacts(named, bar);
      expect(facts).toContainEqual(["exclusive, np8-r1.cali", "276 ms, of no rank"]);
      expect(facts.map(([what]) => what)).not.toContain("difference");
      expect(barSentence(named, bar)).not.toMatch(/more in|less in/);
    }
  });

  it("is written in words, never as 0", async () => {
    const { shown, graph } = await sampleGraph({ groupBy: "function" });
    const bar = graph.bars.findIndex(({ group }) => group === "updateConductivity");
    const { noRank, inclusive } = shown.content.bars;
    const bars = {
      ...shown.content.bars,
      noRank: noRank.map((value, at) => (at === bar ? 0.276 : value)),
      inclusive: inclusive.map((value, at) => (at === bar ? 0 : value)),
    };
    const content = { ...shown.content, bars };
    const named = withPart(content, layoutOf(shown, { width: 1400, height: 700 })) as LaidOutGraph;
    expect(barFacts(named, bar)[0]).toEqual(["inclusive", "276 ms, of no rank"]);
    expect(barSentence(named, bar)).toMatch(/^updateConductivity, inclusive 276 ms, of no rank/);
    expect(details(named, bar, undefined).numbers[0]).toEqual(["inclusive", "276 ms, of no rank"]);
    expect(barFacts(named, bar)).toContainEqual(["entry updateConductivity", "of no rank"]);
    const [{ columns }] = tables(named);
    const column = columns.find(({ title }) => title === "inclusive");
    expect(column?.text(bar)).toBe("276 ms, of no rank");
    // No cell passes for a measured 0, on screen or saved.
    const cell = (title: string) => columns.find((one) => one.title === title);
    for (const title of ["share", "exclusive", "share, exclusive", "hidden"]) {
      expect(cell(title)?.text(bar), title).toMatch(/^(not known)?$/);
      expect(cell(title)?.key(bar), title).toBeNaN();
    }
    expect([column?.key(bar), cell("inclusive of no rank")?.key(bar)]).toEqual([NaN, 0.276]);
    expect(cell("inclusive of no rank")?.saved).toBe("only");
    const entries = tables(named)[2];
    const entry = named.bars.firstEntry[bar];
    for (const title of ["inclusive", "in this group"])
      expect(entries.columns.find((one) => one.title === title)?.text(entry)).toBe("");
  });

  it("is written of a bar's exclusive alone, too", async () => {
    const { shown, graph } = await sampleGraph({ groupBy: "function", state: { histograms: "off" } });
    const bar = graph.bars.findIndex(({ group }) => group === "solve");
    const { exclusiveNoRank, exclusive } = shown.content.bars;
    const changed = (values: typeof exclusive, to: number) => values.map((value, at) => (at === bar ? to : value));
    const bars = {
      ...shown.content.bars,
      exclusiveNoRank: changed(exclusiveNoRank, 0.276),
      exclusive: changed(exclusive, 0),
    };
    const area = { width: 1400, height: 700 };
    const named = withPart({ ...shown.content, bars }, layoutOf(shown, area)) as LaidOutGraph;
    const inclusive = [
      "inclusive",
      formatValue(graph.bars[bar].inclusive, "s"),
      formatShare(graph.bars[bar].inclusive / graph.total),
    ];
    expect(barFacts(named, bar).slice(0, 2)).toEqual([inclusive, ["exclusive", "276 ms, of no rank"]]);
    expect(barSentence(named, bar)).toContain(", exclusive 276 ms, of no rank");
    expect(barAsText(named, bar)).toContain("exclusive: 276 ms, of no rank");
    expect(barAsText(named, bar)).toMatch(/^ +entry solve: .*, in this group of no rank$/m);
    const [{ columns }] = tables(named);
    const cell = (title: string) => columns.find((one) => one.title === title);
    expect(cell("exclusive")?.text(bar)).toBe("276 ms, of no rank");
    expect([cell("exclusive")?.key(bar), cell("share, exclusive")?.key(bar)]).toEqual([NaN, NaN]);
    expect(cell("exclusive of no rank")?.key(bar)).toBe(0.276);
    const measure = (size: number) => (text: string) => 0.6 * size * text.length;
    const { above } = draw(named, { ...area, theme: plainTheme, measure });
    const texts = above.flatMap((shape) => (shape.kind === "text" && shape.of === bar ? [shape.text] : []));
    expect(texts).toContain("excl. 276 ms, of no rank");
  });
});
