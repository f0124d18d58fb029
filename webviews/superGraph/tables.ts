/** The drawing's numbers as tables: bars, flows and entry functions. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import { visible } from "../shared/text";
import { type TableSpec, tableOf } from "../kit/definition";
import type { Column } from "../kit/table/table";
import { imbalanceText } from "./describe";
import {
  barName,
  barOfEntry,
  barsOfOne,
  bothOf,
  entriesOf,
  entryMark,
  entryName,
  entryPlace,
  type Graph,
  halfOf,
  isLaidOut,
  shownHistograms,
  signed,
  totalOf,
} from "./graph";

export function tables(graph: Graph): readonly TableSpec<unknown>[] {
  return [barTable(graph), flowTable(graph), entryTable(graph)];
}

type NumberOf = (index: number) => number;

function name(title: string, text: (index: number) => string): Column<number> {
  return { title, kind: "text", text, key: text };
}

function count(title: string, value: NumberOf): Column<number> {
  return { title, kind: "number", text: (at) => value(at).toLocaleString("en"), key: value };
}

function amount({ unit }: Graph, title: string, value: NumberOf): Column<number> {
  return { title, kind: "number", text: (at) => formatValue(value(at), unit), key: value };
}

/** @param barOf of whose half it is */
function share(graph: Graph, title: string, value: NumberOf, barOf: NumberOf): Column<number> {
  const key = (at: number) => value(at) / totalOf(graph, barOf(at));
  return { title, kind: "share", text: (at) => formatShare(key(at)), key };
}

function barTable(graph: Graph): TableSpec<unknown> {
  const { inclusive, exclusive, hidden, level, contexts } = graph.bars;
  const own = (bar: number) => bar;
  return tableOf<number>({
    caption: "Bars",
    columns: [
      name("bar", (bar) => barName(graph, bar)),
      amount(graph, "inclusive", (bar) => inclusive[bar]),
      share(graph, "share", (bar) => inclusive[bar], own),
      amount(graph, "exclusive", (bar) => exclusive[bar]),
      share(graph, "share, exclusive", (bar) => exclusive[bar], own),
      amount(graph, "hidden", (bar) => hidden[bar]),
      count("level", (bar) => level[bar]),
      count("contexts", (bar) => contexts[bar]),
      name("entry functions", (bar) => entriesText(graph, bar)),
      ...halfColumns(graph),
      ...histogramColumns(graph),
    ],
    rows: [...level.keys()],
    sortedBy: 1,
    markOf: own,
  });
}

function entriesText(graph: Graph, bar: number): string {
  const { first, count } = entriesOf(graph, bar);
  const shown = Array.from({ length: Math.min(3, count) }, (_, at) => entryName(graph, first + at));
  const more = count + graph.bars.moreEntries[bar] - shown.length;
  return shown.join(", ") + (more > 0 ? `, and ${more} more` : "");
}

/** Which half, and the same bar in the other: where there are two graphs. */
function halfColumns(graph: Graph): Column<number>[] {
  const { pair } = graph;
  if (!pair) return [];
  const isUpper = (bar: number) => bar < barsOfOne(graph);
  const both = (bar: number) => bothOf(graph, bar) ?? [NOTHING, NOTHING];
  const own = (bar: number) => both(bar)[isUpper(bar) ? 0 : 1].exclusive;
  const other = (bar: number) => both(bar)[isUpper(bar) ? 1 : 0];
  const difference = (bar: number) => own(bar) - other(bar).exclusive;
  return [
    name("of", (bar) => visible((halfOf(graph, bar) ?? pair.halves[0]).name)),
    amount(graph, "inclusive, other", (bar) => other(bar).inclusive),
    amount(graph, "exclusive, other", (bar) => other(bar).exclusive),
    {
      ...{ title: "difference, exclusive", kind: "number", key: difference },
      text: (bar) => signed(difference(bar), graph.unit),
    },
  ];
}

const NOTHING = { inclusive: 0, exclusive: 0 };

function histogramColumns(graph: Graph): Column<number>[] {
  const histograms = shownHistograms(graph);
  if (!histograms) return [];
  const { minimum, mean, maximum, imbalance, slowest } = histograms;
  return [
    amount(graph, "min", (bar) => minimum[bar]),
    amount(graph, "mean", (bar) => mean[bar]),
    amount(graph, "max", (bar) => maximum[bar]),
    {
      ...{ title: "imbalance", kind: "number", text: (bar) => imbalanceText(imbalance[bar]) },
      key: (bar) => (imbalance[bar] < 0 ? NaN : imbalance[bar]),
    },
    name("slowest", (bar) => visible(slowest[bar])),
  ];
}

function flowTable(graph: Graph): TableSpec<unknown> {
  const flows = isLaidOut(graph) ? graph.layout.flows : undefined;
  const { source = [], target = [], inclusive = new Float64Array() } = flows ?? {};
  return tableOf<number>({
    caption: "Flows",
    columns: [
      name("from", (flow) => barName(graph, source[flow])),
      name("to", (flow) => barName(graph, target[flow])),
      amount(graph, "inclusive", (flow) => inclusive[flow]),
      share(
        graph,
        "share",
        (flow) => inclusive[flow],
        (flow) => source[flow],
      ),
    ],
    rows: [...inclusive.keys()],
    sortedBy: 2,
    markOf: (flow) => target[flow],
  });
}

function entryTable(graph: Graph): TableSpec<unknown> {
  const { inclusive, exclusive } = graph.entries;
  return tableOf<number>({
    caption: "Entry functions",
    columns: [
      name("entry function", (entry) => entryName(graph, entry)),
      name("of", (entry) => barName(graph, barOfEntry(graph, entry))),
      amount(graph, "inclusive", (entry) => inclusive[entry]),
      amount(graph, "exclusive", (entry) => exclusive[entry]),
      name("place", (entry) => entryPlace(graph, entry) ?? ""),
    ],
    rows: [...inclusive.keys()],
    sortedBy: 2,
    markOf: (entry) => entryMark(graph, entry),
  });
}
