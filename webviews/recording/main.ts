/** The page of a recording: its numbers, ways to its views, its hottest functions and lines, and, folded, what else is known of it. */
import { formatShare, formatValue } from "../../src/model/units";
import { recordingContent, type RecordingContent } from "../../src/protocol/recording";
import { type DocumentActions, startDocument } from "../kit/document";
import { numberColumn, textColumn } from "../kit/table/columns";
import { type Column, TableView } from "../kit/table/table";
import { icon } from "../kit/icons";
import { html } from "../shared/dom";
import { plural, visible } from "../shared/text";

type List = "metrics" | "hotLines" | "hotFunctions" | "globals";
type DifferenceRow = { readonly at: number } & NonNullable<RecordingContent["differences"]>["rows"][number];
type Row<Of extends List> = { readonly at: number } & RecordingContent[Of][number];

startDocument<RecordingContent>({
  title: "Recording",
  content: recordingContent,
  parts: (content, actions, ways) => [
    ...heading(content),
    ...totals(content),
    ways,
    ...(content.differences ? [html("section", { class: "half" }, differences(content, actions))] : []),
    besideEachOther(
      content.hotFunctions.length > 0 ? hotFunctions(content, actions) : [],
      content.hotLines.length > 0 ? hotLines(content, actions) : [],
    ),
    ...warnings(content),
    ...content.notRecorded.map((sentence) => html("p", { class: "not-recorded" }, html("bdi", {}, visible(sentence)))),
    besideEachOther(
      content.metrics.length > 0 ? metrics(content, actions) : [html("p", {}, "The recording has no metric.")],
      [
        html("h2", {}, "Recording"),
        html(
          "dl",
          { class: "facts" },
          content.facts.flatMap(({ label, value }) => pair(label, value)),
        ),
      ],
    ),
    ...(content.globals.length > 0 ? [globals(content)] : []),
    ...content.shortened.map((sentence) => html("p", {}, sentence)),
  ],
  summary: ({ warnings: { length }, scope }) => [
    [scope, ...(length > 0 ? [plural(length, "warning")] : [])].map(visible).join(" · "),
    length > 0 ? plural(length, "warning") : visible(scope),
  ],
});

/** Name of the recording with the cost of its tool. Absent without a cost: the context row has the name, too. */
function heading({ name, badge }: RecordingContent): Node[] {
  if (!badge) return [];
  const { text, title, isWarning } = badge;
  const cost = html("span", { class: "tool-cost", title }, ...(isWarning ? [icon("warning")] : []), visible(text));
  return [html("h2", { class: "result" }, html("bdi", {}, visible(name)), cost)];
}

function totals({ totals: all }: RecordingContent): Node[] {
  if (all.length === 0) return [];
  const tiles = all.map(({ label, value, over }) =>
    html(
      "div",
      {},
      html("dt", {}, html("bdi", {}, visible(label))),
      html("dd", { class: "total" }, value),
      html("dd", { class: "over" }, html("bdi", {}, visible(over))),
    ),
  );
  return [html("dl", { class: "totals" }, tiles)];
}

/** Parts that a wide page has beside each other. */
function besideEachOther(...parts: readonly (readonly Node[])[]): Node {
  const sections = parts.filter(({ length }) => length > 0).map((part) => html("section", {}, part));
  return html("div", { class: "beside" }, sections);
}

function pair(label: string, value: string): Node[] {
  return [html("dt", {}, label), html("dd", {}, visible(value))];
}

function warnings({ warnings: all }: RecordingContent): Node[] {
  if (all.length === 0) return [];
  const items = all.map((sentence) => html("li", {}, icon("warning"), html("bdi", {}, visible(sentence))));
  return [html("h2", {}, plural(all.length, "warning")), html("ul", { class: "warnings" }, items)];
}

function numbered<Item extends object>(items: readonly Item[]): ({ readonly at: number } & Item)[] {
  return items.map((item, at) => ({ ...item, at }));
}

/** What both lists of what costs most have: a name, the exclusive value with a bar, its share. */
function hotColumns<Row extends RecordingContent["hotFunctions" | "hotLines"][number]>(
  { unit }: RecordingContent,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Column<Row>[] {
  return [
    { ...textColumn<Row>("function", ({ name }) => name, nameOf), cut: "middle" },
    numberColumn(
      "exclusive",
      ({ exclusive }) => exclusive,
      ({ exclusive }) => formatValue(exclusive, unit),
    ),
    ...(rows.some(({ share }) => share !== undefined)
      ? [
          numberColumn<Row>(
            "share",
            ({ share }) => share ?? NaN,
            ({ share }) => formatShare(share ?? NaN),
            "share",
          ),
        ]
      : []),
  ];
}

/** The whole name is in the tooltip. */
function shownOf({ name, shown = name }: { readonly name: string; readonly shown?: string | undefined }): string {
  return shown;
}

function hotFunctions(content: RecordingContent, actions: DocumentActions): Node[] {
  const { hotFunctions: functions, hotLines, unit } = content;
  // Marks of functions come after those of lines.
  const mark = ({ at }: Row<"hotFunctions">) => hotLines.length + at;
  const rows = numbered(functions);
  const columns: Column<Row<"hotFunctions">>[] = [
    ...hotColumns(content, rows, shownOf),
    {
      ...numberColumn<Row<"hotFunctions">>(
        "inclusive",
        ({ inclusive }) => inclusive,
        ({ inclusive, atMost }) => `${atMost ? "at most " : ""}${formatValue(inclusive, unit)}`,
      ),
      leaves: true,
    },
  ];
  return hotTable("Hottest functions", columns, rows, actions, mark);
}

function hotLines(content: RecordingContent, actions: DocumentActions): Node[] {
  const rows = numbered(content.hotLines);
  const others = (functions: number) => (functions > 1 ? ` and ${functions - 1} more` : "");
  const [name, ...numbers] = hotColumns(content, rows, (row) => shownOf(row) + others(row.functions));
  // Shares leave where names need the room: those of functions stay.
  const columns: Column<Row<"hotLines">>[] = [
    { ...name, badge: ({ isMpi }) => (isMpi ? "MPI" : undefined) },
    ...numbers.map((column) => (column.kind === "share" ? { ...column, leaves: true as const } : column)),
    {
      ...textColumn<Row<"hotLines">>(
        "place",
        ({ place }) => place ?? "",
        // The folders of a recorded file are in its tooltip.
        ({ place }) => place?.replace(/^.*[/\\]/, "") ?? "not known",
      ),
      isLink: ({ isLinked }) => isLinked === true,
      cut: rows.some(({ place }) => place?.endsWith(")")) ? "note" : "end",
    },
  ];
  return hotTable("Hottest lines", columns, rows, actions, ({ at }) => at);
}

function differences(content: RecordingContent, actions: DocumentActions): Node[] {
  const { differences: compared, hotFunctions: functions, hotLines: lines, unit } = content;
  if (!compared) return [];
  const caption = `Largest differences, ${compared.names.map(visible).join(" → ")}`;
  const said = compared.whyNot ?? (compared.rows.length === 0 ? "No function differs." : undefined);
  if (said !== undefined) return [html("h2", {}, caption), html("p", {}, html("bdi", {}, visible(said)))];
  const side = (title: "baseline" | "candidate"): Column<DifferenceRow> => ({
    ...numberColumn<DifferenceRow>(
      title,
      (row) => row[title] ?? NaN,
      (row) => (row[title] === undefined ? "none" : formatValue(row[title], unit)),
    ),
    leaves: true,
  });
  const columns: Column<DifferenceRow>[] = [
    { ...textColumn<DifferenceRow>("function", ({ name }) => name, shownOf), cut: "middle" },
    side("baseline"),
    side("candidate"),
    {
      ...numberColumn<DifferenceRow>(
        "difference",
        ({ difference }) => Math.abs(difference),
        ({ text }) => text,
      ),
      // More and less have no bars of one colour.
      hasUnits: true,
    },
  ];
  // Marks of what differs come after those of lines and functions.
  const mark = ({ at }: DifferenceRow) => lines.length + functions.length + at;
  return hotTable(caption, columns, numbered(compared.rows), actions, mark, 3);
}

function hotTable<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  actions: DocumentActions,
  mark: (row: Row) => number,
  sortedBy = 1,
): Node[] {
  const table = new TableView<Row>(
    caption,
    columns,
    { select: (row) => actions.use("select", mark(row)), opening: (row) => actions.opening(mark(row)) },
    sortedBy,
  );
  table.element.classList.add("one-line");
  table.show(rows, () => false);
  return [html("h2", {}, caption), table.element];
}

function metrics({ metrics: all, ranks }: RecordingContent, actions: DocumentActions): Node[] {
  const columns: Column<Row<"metrics">>[] = [
    {
      ...textColumn<Row<"metrics">>(
        "metric",
        ({ name }) => name,
        ({ name, current }) => name + (current ? " (shown)" : ""),
      ),
      cut: "middle",
    },
    {
      ...numberColumn<Row<"metrics">>(
        "total",
        ({ total }) => total ?? NaN,
        ({ total, unit }) => (total === undefined ? "does not add up" : formatValue(total, unit)),
      ),
      ...(new Set(all.map(({ unit }) => unit)).size > 1 ? { hasUnits: true } : {}),
    },
    ...(all.some((metric) => metricNote(metric) !== "")
      ? [{ ...textColumn<Row<"metrics">>("note", metricNote), cut: "end" as const }]
      : []),
  ];
  const choose = ({ at }: Row<"metrics">) => actions.choose("metric", String(at));
  const table = new TableView<Row<"metrics">>(
    "Metrics",
    columns,
    { select: choose, opening: (row) => () => choose(row) },
    1,
  );
  table.element.classList.add("one-line", "noted");
  table.show(numbered(all), ({ current }) => current);
  const caption = ranks > 1 ? "Metrics, totals as sums over ranks" : "Metrics";
  return [html("h2", {}, caption), table.element];
}

/** What is to be said of a metric beside its name. */
function metricNote({ name, recordedName, note }: RecordingContent["metrics"][number]): string {
  return [...(note ? [note] : []), ...(recordedName === name ? [] : [`recorded as ${recordedName}`])].join("; ");
}

function globals({ globals: all }: RecordingContent): Node {
  const columns = [
    textColumn<Row<"globals">>("name", ({ name }) => name),
    textColumn<Row<"globals">>(
      "value",
      ({ values }) => values.join(", "),
      ({ values, moreValues }) => values.join(", ") + (moreValues > 0 ? `, and ${moreValues} more` : ""),
    ),
  ];
  const table = new TableView<Row<"globals">>("Metadata of the run", columns, {}, 0, false);
  table.show(numbered(all), () => false);
  return html("details", {}, html("summary", {}, `Metadata of the run (${all.length})`), table.element);
}
