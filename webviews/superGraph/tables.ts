/** The drawing's numbers as tables: bars, flows and entry functions. Pure. */
import { changeText, ratioOf, signed } from "../../src/model/differences";
import { formatRatio, formatShare, formatValue, noRankText } from "../../src/model/units";
import { NONE } from "../../src/protocol/superGraph";
import { visible } from "../shared/text";
import { type TableSpec, tableOf } from "../kit/definition";
import { metricColumn, numberColumn, savedOnly, textColumn } from "../kit/table/columns";
import type { Column } from "../kit/table/table";
import {
  barGroup,
  barLabel,
  barOfEntry,
  barsOfOne,
  bothOf,
  knownOf,
  entriesOf,
  entryMark,
  entryFunction,
  entryName,
  entryPlace,
  type Graph,
  halfOf,
  isLaidOut,
  noRankOf,
  shownHistograms,
  totalOf,
} from "./graph";

export function tables(graph: Graph): readonly TableSpec<unknown>[] {
  return [...changedTable(graph), barTable(graph), flowTable(graph), entryTable(graph)];
}

type NumberOf = (index: number) => number;

/** @param value NaN where there is none: its cell is empty */
function amount({ unit }: Graph, title: string, value: NumberOf): Column<number> {
  return numberColumn(title, value, (at) => (Number.isNaN(value(at)) ? "" : formatValue(value(at), unit)));
}

/** NaN where all of a bar has no rank: its numbers over ranks are 0 for that alone. */
function overRanks({ bars: { noRank } }: Graph, values: Float64Array, barOf: NumberOf = (bar) => bar): NumberOf {
  return (at) => (noRank[barOf(at)] > 0 ? NaN : values[at]);
}

/** The same where all that a bar costs itself has no rank. */
function ownOverRanks(graph: Graph, values: Float64Array, barOf: NumberOf = (bar) => bar): NumberOf {
  const known = overRanks(graph, values, barOf);
  return (at) => (graph.bars.exclusiveNoRank[barOf(at)] > 0 ? NaN : known(at));
}

/** @param barOf of whose half it is */
function share(graph: Graph, title: string, value: NumberOf, barOf: NumberOf): Column<number> {
  const key = (at: number) => value(at) / totalOf(graph, barOf(at));
  return numberColumn(title, key, (at) => formatShare(key(at)), "share");
}

function barTable(graph: Graph): TableSpec<unknown> {
  if (graph.pair?.kind === "runs") return comparedTable(graph);
  const { noRank, exclusiveNoRank, level, contexts } = graph.bars;
  const own = (bar: number) => bar;
  const inclusive = overRanks(graph, graph.bars.inclusive);
  const exclusive = ownOverRanks(graph, graph.bars.exclusive);
  const ofRanks = (title: string, value: NumberOf, unranked: Float64Array) => {
    const known = amount(graph, title, value);
    const text = (bar: number) => (unranked[bar] > 0 ? noRankText(unranked[bar], graph.unit) : known.text(bar));
    return [
      { ...known, text },
      ...(unranked.some((one) => one > 0)
        ? savedOnly(amount(graph, `${title} of no rank`, (bar) => (unranked[bar] > 0 ? unranked[bar] : NaN)))
        : []),
    ];
  };
  return tableOf<number>({
    caption: "Bars",
    columns: [
      textColumn(
        "bar",
        (bar) => barGroup(graph, bar),
        (bar) => barText(graph, bar),
      ),
      ...ofRanks("inclusive", inclusive, noRank),
      share(graph, "share", inclusive, own),
      ...ofRanks("exclusive", exclusive, exclusiveNoRank),
      share(graph, "share, exclusive", exclusive, own),
      amount(graph, "hidden", overRanks(graph, graph.bars.hidden)),
      numberColumn("level", (bar) => level[bar]),
      numberColumn("contexts", (bar) => contexts[bar]),
      textColumn("entry functions", (bar) => entriesText(graph, bar)),
      ...halfColumns(graph, own),
      ...otherColumns(graph),
      ...histogramColumns(graph),
      ...totalColumns(graph, own),
    ],
    rows: [...level.keys()],
    sortedBy: 1,
    markOf: own,
  });
}

/** One row per bar of two runs: both values and what is between them. */
function comparedTable(graph: Graph): TableSpec<unknown> {
  const count = barsOfOne(graph);
  const side = (half: 0 | 1, what: "inclusive" | "exclusive"): Side<number> => ({
    value: (bar) => knownOf(bothOf(graph, bar)?.[half], what),
    noRank: (bar) => noRankOf(bothOf(graph, bar)?.[half], what),
  });
  return tableOf<number>({
    caption: "Bars",
    columns: [
      textColumn(
        "bar",
        (bar) => barGroup(graph, bar),
        (bar) => barText(graph, bar),
      ),
      ...comparedColumns<number>(graph, side(0, "exclusive"), side(1, "exclusive")),
      knownAmount(graph, "inclusive, baseline", side(0, "inclusive")),
      knownAmount(graph, "inclusive, candidate", side(1, "inclusive")),
      ...([0, 1] as const).flatMap((half) =>
        savedOnly<number>(
          textColumn<number>(half === 0 ? "baseline is" : "candidate is", () =>
            visible(graph.pair?.halves[half].name ?? ""),
          ),
          amount(graph, half === 0 ? "total, baseline" : "total, candidate", () => graph.pair?.halves[half].total ?? 0),
          metricColumn<number>(graph, () => graph.pair?.halves[half].combined ?? ""),
        ),
      ),
    ],
    rows: Array.from({ length: count }, (_, bar) => bar),
    sortedBy: 4,
    // Of two drawings, the candidate's.
    markOf: (bar) => (graph.pair?.merged ? bar : bar + count),
  });
}

/** One row per function of two runs. */
function changedTable(graph: Graph): TableSpec<unknown>[] {
  const { changes } = graph;
  if (!changes) return [];
  type Row = (typeof changes.rows)[number];
  return [
    tableOf<Row>({
      caption: "Functions",
      columns: [
        textColumn<Row>(
          "function",
          ({ name }) => visible(name),
          ({ name, shown = name }) => visible(shown),
        ),
        ...comparedColumns<Row>(graph, { value: ({ baseline }) => baseline }, { value: ({ candidate }) => candidate }),
        textColumn<Row>("place", ({ place }) => (place === undefined ? "" : visible(place))),
      ],
      rows: changes.rows,
      sortedBy: 4,
      markOf: ({ bar }) => (bar === NONE ? undefined : bar),
    }),
  ];
}

/** One of two recordings that are compared. */
interface Side<Row> {
  /** null: it has none of it. */
  readonly value: (row: Row) => number | null;
  /** What is of no rank, where its value is 0 for that; else 0. */
  readonly noRank?: (row: Row) => number;
}

/** NaN where the value is of no rank. */
function overRanksOf<Row>({ value, noRank = () => 0 }: Side<Row>, row: Row): number | null {
  return noRank(row) > 0 ? NaN : value(row);
}

/** Empty where a recording has none of it. */
function knownAmount<Row>({ unit }: Graph, name: string, side: Side<Row>): Column<Row> {
  return numberColumn<Row>(
    name,
    (row) => overRanksOf(side, row) ?? NaN,
    (row) => {
      const known = overRanksOf(side, row);
      if (known === null) return "";
      return Number.isNaN(known) ? noRankText(side.noRank?.(row) ?? 0, unit) : formatValue(known, unit);
    },
  );
}

/** Baseline, candidate, difference, ratio; and, to sort by, how large the difference is. */
function comparedColumns<Row>(graph: Graph, before: Side<Row>, after: Side<Row>): Column<Row>[] {
  const { unit } = graph;
  const baseline = (row: Row) => overRanksOf(before, row);
  const candidate = (row: Row) => overRanksOf(after, row);
  // NaN, and so nothing is written, where one side is of no rank.
  const difference = (row: Row) => (candidate(row) ?? 0) - (baseline(row) ?? 0);
  const known = (row: Row, text: string) => (Number.isNaN(difference(row)) ? "" : text);
  return [
    knownAmount<Row>(graph, "baseline", before),
    knownAmount<Row>(graph, "candidate", after),
    numberColumn<Row>("difference", difference, (row) => known(row, signed(difference(row), unit))),
    numberColumn<Row>(
      "|difference|",
      (row) => Math.abs(difference(row)),
      (row) => known(row, formatValue(Math.abs(difference(row)), unit)),
    ),
    numberColumn<Row>(
      "ratio",
      (row) => ratioOf(baseline(row), candidate(row)) ?? NaN,
      (row) => known(row, changeText(baseline(row), candidate(row))),
    ),
  ];
}

/** What a table shows of a bar: the path of contexts, since many end alike; of functions as labels do. */
function barText(graph: Graph, bar: number): string {
  return graph.bars.label[bar] === NONE ? barLabel(graph, bar) : barGroup(graph, bar);
}

function entriesText(graph: Graph, bar: number): string {
  const { first, count } = entriesOf(graph, bar);
  const shown = Array.from({ length: Math.min(3, count) }, (_, at) => entryName(graph, first + at));
  const more = count + graph.bars.moreEntries[bar] - shown.length;
  return shown.join(", ") + (more > 0 ? `, and ${more} more` : "");
}

/** Which of two graphs; where there is one, nothing. @param barOf of whose half it is */
function halfColumns(graph: Graph, barOf: NumberOf): Column<number>[] {
  const { pair } = graph;
  return pair ? [textColumn("of", (at) => visible((halfOf(graph, barOf(at)) ?? pair.halves[0]).name))] : [];
}

/** The same bar in the other of two graphs. */
function otherColumns(graph: Graph): Column<number>[] {
  const { pair } = graph;
  if (!pair) return [];
  const isUpper = (bar: number) => bar < barsOfOne(graph);
  const both = (bar: number) => bothOf(graph, bar) ?? [NOTHING, NOTHING];
  const own = (bar: number) => both(bar)[isUpper(bar) ? 0 : 1];
  const other = (bar: number) => both(bar)[isUpper(bar) ? 1 : 0];
  const side = (what: "inclusive" | "exclusive"): Side<number> => ({
    value: (bar) => knownOf(other(bar), what),
    noRank: (bar) => noRankOf(other(bar), what),
  });
  const isKnown = (bar: number) => [own(bar), other(bar)].every((numbers) => noRankOf(numbers, "exclusive") === 0);
  const otherHalf = (bar: number) => pair.halves[isUpper(bar) ? 1 : 0];
  const difference = (bar: number) => (isKnown(bar) ? own(bar).exclusive - other(bar).exclusive : NaN);
  return [
    knownAmount(graph, "inclusive, other", side("inclusive")),
    knownAmount(graph, "exclusive, other", side("exclusive")),
    numberColumn("difference, exclusive", difference, (bar) =>
      isKnown(bar) ? signed(difference(bar), graph.unit) : "",
    ),
    ...savedOnly(
      amount(graph, "total, other", (bar) => otherHalf(bar).total),
      textColumn("other", (bar) => visible(otherHalf(bar).title)),
    ),
  ];
}

const NOTHING = { inclusive: 0, exclusive: 0, isMissing: true, noRank: { inclusive: 0, exclusive: 0 } };

function histogramColumns(graph: Graph): Column<number>[] {
  const histograms = shownHistograms(graph);
  if (!histograms) return [];
  const { of, member, minimum, mean, maximum, imbalance, slowest, first, counts } = histograms;
  return [
    amount(graph, "min", (bar) => minimum[bar]),
    amount(graph, "mean", (bar) => mean[bar]),
    amount(graph, "max", (bar) => maximum[bar]),
    ...(imbalance.some((one) => one >= 0) ? [ratioColumn("imbalance", imbalance)] : []),
    textColumn("slowest", (bar) => visible(slowest[bar])),
    ...savedOnly(
      textColumn<number>(`${member}s in each bin, min to max`, (bar) =>
        counts.subarray(first[bar], first[bar + 1]).join(" "),
      ),
      textColumn<number>("min to max of", () => `${of} over ${member}s`),
    ),
  ];
}

/** @param values negative: none */
function ratioColumn(title: string, values: Float64Array): Column<number> {
  return numberColumn(
    title,
    (bar) => (values[bar] < 0 ? NaN : values[bar]),
    (bar) => (values[bar] < 0 ? "" : formatRatio(values[bar])),
  );
}

/** What numbers are of, and how much that is in all. @param barOf of whose half it is */
function totalColumns(graph: Graph, barOf: NumberOf): Column<number>[] {
  const combined = (at: number) => halfOf(graph, barOf(at))?.combined ?? graph.combined;
  return savedOnly(
    amount(graph, "total", (at) => totalOf(graph, barOf(at))),
    metricColumn(graph, combined),
  );
}

function flowTable(graph: Graph): TableSpec<unknown> {
  const flows = isLaidOut(graph) ? graph.layout.flows : undefined;
  const { source = [], target = [], inclusive = new Float64Array() } = flows ?? {};
  const from = (flow: number) => source[flow];
  return tableOf<number>({
    caption: "Flows",
    columns: [
      textColumn(
        "from",
        (flow) => barGroup(graph, source[flow]),
        (flow) => barText(graph, source[flow]),
      ),
      textColumn(
        "to",
        (flow) => barGroup(graph, target[flow]),
        (flow) => barText(graph, target[flow]),
      ),
      amount(graph, "inclusive", (flow) => inclusive[flow]),
      share(graph, "share", (flow) => inclusive[flow], from),
      ...halfColumns(graph, from),
      ...totalColumns(graph, from),
    ],
    rows: [...inclusive.keys()],
    sortedBy: 2,
    markOf: (flow) => target[flow],
    foundWith: (flow) => [source[flow], target[flow]],
  });
}

function entryTable(graph: Graph): TableSpec<unknown> {
  const { entries } = graph;
  const { exclusive } = entries;
  const bar = (entry: number) => barOfEntry(graph, entry);
  return tableOf<number>({
    caption: "Entry functions",
    columns: [
      textColumn(
        "entry function",
        (entry) => entryFunction(graph, entry),
        (entry) => entryName(graph, entry),
      ),
      textColumn(
        "bar",
        (entry) => barGroup(graph, bar(entry)),
        (entry) => barText(graph, bar(entry)),
      ),
      amount(graph, "inclusive", overRanks(graph, entries.inclusive, bar)),
      amount(graph, "in this group", ownOverRanks(graph, entries.inGroup, bar)),
      ...(exclusive ? [amount(graph, "exclusive", overRanks(graph, exclusive, bar))] : []),
      textColumn("place", (entry) => entryPlace(graph, entry) ?? ""),
      ...halfColumns(graph, bar),
      ...totalColumns(graph, bar),
    ],
    rows: [...entries.inclusive.keys()],
    sortedBy: 2,
    markOf: (entry) => entryMark(graph, entry),
    foundWith: (entry) => [entryMark(graph, entry), bar(entry)],
  });
}
