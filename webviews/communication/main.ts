/** The communication matrix's page: who moved how much to whom. */
import { formatValue } from "../../src/model/units";
import {
  type CommunicationAxis,
  type CommunicationContent,
  communicationContent,
} from "../../src/protocol/communication";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import { heatLegend, wordLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { numberColumn, textColumn } from "../kit/table/columns";
import { visible } from "../shared/text";
import { besideList, details, isSeveral, nouns, pairFacts, pairName, summary, unitOf, valueWord } from "./describe";
import { draw, largestOf } from "./drawing";

const definition: PageDefinition<CommunicationContent, never> = {
  title: "Communication Matrix",
  content: communicationContent,
  draw,
  tables: (content) => [
    pairTable(content),
    axisTable(content, content.rows, "Rows"),
    axisTable(content, content.columns, "Columns"),
    besideTable(content),
  ],
  legend: (content, theme) => [
    ...(content.cells.row.length > 0
      ? [heatLegend(theme, valueWord(content), largestOf(content), unitOf(content))]
      : []),
    wordLegend("bars", "sums of rows and columns"),
    wordLegend("empty", "nothing was moved"),
  ],
  hint: () => "click: line of the heaviest call · double click goes there",
  summary,
  aside: besideList,
  name: ({ of }) => (of === "ranks" ? "Messages between ranks" : "Transfers between host and devices"),
  nouns: () => ["pair", "pairs"],
  menu,
  details,
  hasPlaces: true,
  explains: ({ of }) => (of === "ranks" ? "time: from sending to arrival" : "time: a transfer was under way"),
  explanation: {
    name: "Communication matrix",
    facts: [
      ["row", "the source of the data"],
      ["column", "its destination"],
      ["cell", "the amount moved between the two; larger amounts are hotter"],
      ["bars", "sums of rows and columns"],
      ["in no cell", "collectives, messages without a known partner, and calls without data"],
      ["Enter", "goes to the line of the pair's heaviest call"],
      ["0", "shows the whole run, here and in all views over time"],
    ],
  },
};

function menu(content: CommunicationContent, cell: number): MenuEntry[] {
  const numbers = pairFacts(content, cell).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
  return [
    { label: "Go to line", icon: "go-to-file", key: "Enter", does: "open", group: "go" },
    { label: "Select in all views", key: "Space", does: "select", group: "go" },
    ...(isSeveral(content, cell)
      ? [{ label: "Show apart", icon: "zoom-in", does: "apart", group: "show" } as const]
      : []),
    {
      label: `Restrict to ${content.of === "devices" ? "this GPU" : "these ranks"}`,
      icon: "filter",
      does: "restrict",
      group: "change",
    },
    { label: "Copy numbers", does: { copy: [pairName(content, cell), ...numbers].join("\n") }, group: "copy" },
  ];
}

/** Columns of bytes, count and time, those of what is drawn with a bar. */
function valueColumns<Row>(
  by: CommunicationContent["by"],
  noun: string,
  hasSizes: boolean,
  of: {
    readonly bytes: (row: Row) => number;
    readonly count: (row: Row) => number;
    readonly seconds: (row: Row) => number;
  },
) {
  const kind = (which: CommunicationContent["by"]) => (which === by ? "bar" : "number");
  return [
    numberColumn<Row>(
      "bytes",
      of.bytes,
      (row) => (hasSizes ? formatValue(of.bytes(row), "B") : "not recorded"),
      kind("bytes"),
    ),
    numberColumn<Row>(noun, of.count, undefined, kind("count")),
    numberColumn<Row>("time", of.seconds, (row) => formatValue(of.seconds(row), "s"), kind("seconds")),
  ];
}

function pairTable(content: CommunicationContent) {
  const { cells, rows, columns, calls } = content;
  return tableOf<number>({
    caption: "Pairs",
    columns: [
      textColumn("from", (cell) => visible(rows.names[cells.row[cell]])),
      textColumn("to", (cell) => visible(columns.names[cells.column[cell]])),
      ...valueColumns<number>(content.by, nouns(content)[1], content.total.bytes > 0, {
        bytes: (cell) => cells.bytes[cell],
        count: (cell) => cells.count[cell],
        seconds: (cell) => cells.seconds[cell],
      }),
      textColumn("heaviest call", (cell) => (cells.call[cell] < 0 ? "" : visible(calls[cells.call[cell]]))),
    ],
    rows: [...cells.row.keys()],
    sortedBy: 2 + ["bytes", "count", "seconds"].indexOf(content.by),
    markOf: (cell) => cell,
  });
}

function axisTable({ by, total }: CommunicationContent, axis: CommunicationAxis, caption: string) {
  return tableOf<number>({
    caption,
    columns: [
      textColumn(visible(axis.level), (at) => visible(axis.names[at])),
      ...valueColumns<number>(by, "count", total.bytes > 0, {
        bytes: (at) => axis.bytes[at],
        count: (at) => axis.count[at],
        seconds: (at) => axis.seconds[at],
      }),
    ],
    rows: [...axis.names.keys()],
    sortedBy: 1 + ["bytes", "count", "seconds"].indexOf(by),
    markOf: () => undefined,
  });
}

function besideTable({ beside }: CommunicationContent) {
  return tableOf<number>({
    caption: "In no cell",
    columns: [
      textColumn("what", (at) => visible(beside[at].name)),
      ...valueColumns<number>(
        "bytes",
        "count",
        beside.some(({ bytes }) => bytes > 0),
        {
          bytes: (at) => beside[at].bytes,
          count: (at) => beside[at].count,
          seconds: (at) => beside[at].seconds,
        },
      ),
    ],
    rows: [...beside.keys()],
    sortedBy: 1,
    markOf: () => undefined,
  });
}

startPage(definition);
