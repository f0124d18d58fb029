/** The super graph's tables as they are saved, against what the engine answered; no browser is needed. */
import { describe, expect, it, vi } from "vitest";
import type { SuperGraph } from "../../src/engine/api";
import { quietTask } from "../../src/model/task";
import { MINI_BINS, type SuperGraphPart } from "../../src/protocol/superGraph";
import { tablesCsv } from "../../webviews/kit/exports";
import { type Graph, withPart } from "../../webviews/superGraph/graph";
import { tables } from "../../webviews/superGraph/tables";
import { partsOf } from "./kit/showing";
import { definition, type Sample, sampleGraph, type SampleQuery } from "./superGraphSamples";

vi.mock("vscode", () => import("./fakeVsCode"));

type Row = Readonly<Record<string, string>>;

/** Rows by the titles of their columns, below one header (RFC 4180) that fits all of them. */
function rowsIn(text: string): Row[] {
  const [titles, ...rows] = text
    .replace(/\r\n$/, "")
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );
  expect(new Set(titles).size).toBe(titles.length);
  expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([titles.length]));
  return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at]])));
}

async function saved(query: SampleQuery): Promise<{ sample: Sample; bars: Row[]; flows: Row[]; entries: Row[] }> {
  const sample = await sampleGraph(query);
  const { view, shown } = sample;
  const parts: SuperGraphPart[] = await partsOf(definition, shown, view);
  const graph = parts.reduce<Graph>((now, part) => withPart(now, part) ?? now, shown.content);
  const rows = rowsIn(tablesCsv(tables(graph), ["estimated", "a mean"]));
  expect(rows.map(({ notes }) => notes).filter((note) => note !== "")).toEqual(["estimated · a mean"]);
  const [bars, flows, entries] = ["Bars", "Flows", "Entry functions"].map((name) =>
    rows.filter(({ table }) => table === name),
  );
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
    expect(numbersOf(entries, "inclusive", "in this group")).toEqual(
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

  it("leave empty what the other of two graphs does not have", async () => {
    const { sample } = await saved({ groupBy: "file", ranks: [0, 4] });
    const { content } = sample.shown;
    const missing = Int32Array.from(content.bars.missing, (_, bar) => Number(bar === content.bars.missing.length / 2));
    const [{ columns }] = tables({ ...content, bars: { ...content.bars, missing } });
    for (const title of ["inclusive, other", "exclusive, other"]) {
      const column = columns.find((one) => one.title === title);
      expect([column?.text(0), column?.key(0)]).toEqual(["", NaN]);
      expect(column?.text(1)).not.toBe("");
    }
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

describe("an entry function", () => {
  it("leads to the hottest line of its function, wherever its bar's is; an MPI call to where it is called", async () => {
    const { shown, view, graph } = await sampleGraph({ groupBy: "file" });
    const asked: unknown[] = [];
    const place = { file: "/src/hot.cpp", line: 7 };
    const engine = {
      ...view.session.engine,
      hotPlaces: ({ target }: { readonly target?: unknown }) => {
        asked.push(target);
        return Promise.resolve([{ link: { places: [place], rule: "recorded-line", reason: "", considered: [] } }]);
      },
    };
    const session = { ...view.session, engine } as unknown as typeof view.session;
    const linkOf = async (bar: string, name: string) => {
      const at = graph.bars.findIndex(({ id }) => id === bar);
      const entry = graph.bars[at].entries.findIndex((one) => one.name === name);
      const mark = graph.bars.length + shown.content.bars.firstEntry[at] + entry;
      const subject = await definition.subject?.(shown, mark, { ...view, session }, quietTask);
      return { entry: graph.bars[at].entries[entry], link: subject?.link };
    };
    const light = await linkOf("physics.cpp", "reactionSource");
    expect(light.link?.places).toEqual([place]);
    expect(asked).toEqual([{ kind: "function", function: light.entry.function }]);
    const call = await linkOf("MPI", "MPI_Waitall");
    expect(call.link).toEqual(call.entry.link);
    expect(asked).toHaveLength(1);
  });

  it("has what its function costs itself beside what lies below it in the group", async () => {
    const { entries, sample } = await saved({ groupBy: "function" });
    // By function each bar is one function: what is in the group of its only entry is what it costs itself.
    expect(sample.graph.bars.length).toBeGreaterThan(5);
    for (const row of entries.filter(({ bar }) => sample.graph.bars.find(({ id }) => id === bar)?.hidden === 0))
      expect(Number(row.exclusive)).toBeCloseTo(Number(row["in this group"]), 12);
    const byFile = (await saved({ groupBy: "file" })).entries.find((row) => row["entry function"] === "solve");
    const solve = sample.graph.bars.find(({ id }) => id === "solve")?.exclusive ?? expect.fail();
    expect(Number(byFile?.exclusive)).toBeCloseTo(solve, 12);
    expect(Number(byFile?.["in this group"])).toBeGreaterThan(1.5 * solve);
  });
});
