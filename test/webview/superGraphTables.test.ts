/** The super graph's tables as they are saved, against what the engine answered; no browser is needed. */
import { describe, expect, it, vi } from "vitest";
import type { SuperGraph } from "../../src/engine/api";
import { MINI_BINS, type SuperGraphPart } from "../../src/protocol/superGraph";
import { tablesCsv } from "../../webviews/kit/exports";
import { type Graph, withPart } from "../../webviews/superGraph/graph";
import { tables } from "../../webviews/superGraph/tables";
import { partsOf } from "./kit/showing";
import { definition, type Sample, sampleGraph, type SampleQuery } from "./superGraphSamples";

vi.mock("vscode", () => import("./fakeVsCode"));

type Row = Readonly<Record<string, string>>;

/** The rows of each table by the titles of their columns (RFC 4180). */
function tablesIn(text: string): Row[][] {
  return text
    .replace(/\r\n$/, "")
    .split("\r\n\r\n")
    .map((table) => {
      const [titles, ...rows] = table
        .split("\r\n")
        .map((line) =>
          [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
            ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
          ),
        );
      return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at]])));
    });
}

async function saved(query: SampleQuery): Promise<{ sample: Sample; bars: Row[]; flows: Row[]; entries: Row[] }> {
  const sample = await sampleGraph(query);
  const { view, shown } = sample;
  const parts: SuperGraphPart[] = await partsOf(definition, shown, view);
  const graph = parts.reduce<Graph>((now, part) => withPart(now, part) ?? now, shown.content);
  // Of two runs, all functions come first.
  const [bars, flows, entries] = tablesIn(tablesCsv(tables(graph))).slice(-3);
  return { sample, bars, flows, entries };
}

const numbersOf = (rows: Row[], ...columns: string[]) =>
  rows.map((row) => columns.map((column) => (row[column] === "" ? NaN : Number(row[column]))));
const textsOf = (rows: Row[], ...columns: string[]) => rows.map((row) => columns.map((column) => row[column]));
const barNumbers = ({ bars }: SuperGraph) =>
  bars.map(({ inclusive, exclusive, hidden, level, contexts }) => [inclusive, exclusive, hidden, level, contexts]);
const flowsOf = ({ edges }: SuperGraph) => edges.map(({ source, target, inclusive }) => [source, target, inclusive]);

describe("saved tables of a super graph", () => {
  it("have every number of the answer in full, what it is of, and how much that is in all", async () => {
    const { sample, bars, flows, entries } = await saved({ groupBy: "file", over: "max" });
    const { graph } = sample;
    expect(numbersOf(bars, "inclusive", "exclusive", "hidden", "level", "contexts")).toEqual(barNumbers(graph));
    expect(textsOf(flows, "from", "to", "inclusive")).toEqual(flowsOf(graph).map((flow) => flow.map(String)));
    const own = graph.bars.flatMap((bar) => bar.entries.map((entry) => ({ ...entry, bar: bar.id })));
    expect(textsOf(entries, "entry function", "bar")).toEqual(own.map(({ name, bar }) => [name, bar]));
    expect(numbersOf(entries, "inclusive", "exclusive")).toEqual(
      own.map(({ inclusive, exclusive }) => [inclusive, exclusive]),
    );
    for (const row of [...bars, ...flows, ...entries]) {
      expect(Number(row.total)).toBe(graph.total);
      expect(row.metric).toBe("time (s), max over 8 ranks");
      expect(row).not.toHaveProperty("of");
    }
  });

  it("have the histograms of bars, with how many members are in each bin", async () => {
    const { sample, bars } = await saved({ groupBy: "file", state: { histograms: "inclusive" } });
    const { view, shown } = sample;
    const { query } = shown.asked.graphs[0];
    const answer = await view.session.engine.barHistograms({ query, of: "inclusive", by: "rank", bins: MINI_BINS });
    expect(numbersOf(bars, "min", "mean", "max", "imbalance")).toEqual(
      answer.bars.map(({ minimum, mean, maximum, imbalance }) => [minimum, mean, maximum, imbalance]),
    );
    expect(textsOf(bars, "slowest", "ranks in each bin, min to max", "min to max of")).toEqual(
      answer.bars.map(({ slowest, counts }) => [answer.members[slowest], counts.join(" "), "inclusive over ranks"]),
    );
    for (const { "ranks in each bin, min to max": bins } of bars)
      expect(bins.split(" ").reduce((sum, count) => sum + Number(count), 0)).toBe(8);
  });

  it("say of two graphs which one bars, flows and entry functions are of, and the totals of both", async () => {
    const { sample, bars, flows, entries } = await saved({ groupBy: "file", ranks: [0, 4] });
    const [upper, lower] = sample.shown.asked.graphs.map(({ graph }) => graph);
    expect(upper.total).not.toBe(lower.total);
    expect(numbersOf(bars, "inclusive", "exclusive", "hidden", "level", "contexts")).toEqual(
      [upper, lower].flatMap(barNumbers),
    );
    const names = ["ranks 0, 4", "ranks 1–3, 5–7"];
    const halves = [upper, lower].map((graph, at) => ({ graph, other: at === 0 ? lower : upper, name: names[at] }));
    const both = halves.flatMap(({ graph, other, name }) =>
      graph.bars.map((bar, at) => [name, bar, other.bars[at], graph.total, other.total] as const),
    );
    expect(textsOf(bars, "of")).toEqual(both.map(([name]) => [name]));
    expect(numbersOf(bars, "inclusive, other", "exclusive, other", "total", "total, other")).toEqual(
      both.map(([, , other, ...totals]) => [other.inclusive, other.exclusive, ...totals]),
    );
    expect(textsOf(flows, "from", "to", "inclusive", "of", "total")).toEqual(
      halves.flatMap(({ graph, name }) => flowsOf(graph).map((flow) => [...flow, name, graph.total].map(String))),
    );
    expect(textsOf(entries, "inclusive", "of", "total", "metric")).toEqual(
      halves.flatMap(({ graph, name }) =>
        graph.bars.flatMap((bar) =>
          bar.entries.map(({ inclusive }) => [
            ...[inclusive, name, graph.total].map(String),
            `time (s), mean over ${name}`,
          ]),
        ),
      ),
    );
  });

  it("name both of two runs that are drawn as one graph", async () => {
    const { sample, bars } = await saved({ groupBy: "file", runs: true, state: { below: false } });
    const [first, second] = sample.shown.asked.graphs.map(({ graph }) => graph);
    expect(textsOf(bars, "baseline is", "total, baseline", "candidate is", "total, candidate")).toEqual(
      first.bars.map(() => ["np8-r1.cali", String(first.total), "np8-r2.cali", String(second.total)]),
    );
    expect(numbersOf(bars, "baseline", "candidate", "difference")).toEqual(
      first.bars.map(({ exclusive }, at) => [
        exclusive,
        second.bars[at].exclusive,
        second.bars[at].exclusive - exclusive,
      ]),
    );
  });
});
