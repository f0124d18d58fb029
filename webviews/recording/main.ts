/** The page of a recording: its numbers, ways to its views, its hottest functions and lines, and, folded, what else is known of it. */
import { formatShare, formatValue } from "../../src/model/units";
import { recordingContent, type RecordingContent } from "../../src/protocol/recording";
import { type DocumentActions, startDocument } from "../kit/document";
import { THEMED } from "../kit/kinds";
import { numberColumn, textColumn } from "../kit/table/columns";
import { type Column, TableView } from "../kit/table/table";
import { icon } from "../kit/icons";
import { html } from "../shared/dom";
import { plural, visible } from "../shared/text";

type List = "metrics" | "hotLines" | "hotFunctions" | "globals";
type OverTime = NonNullable<RecordingContent["overTime"]>;
type StateRow = { readonly at: number } & OverTime["states"][number];
type MoveRow = OverTime["moves"][number];
type CounterRow = OverTime["counters"][number];
type DifferenceRow = { readonly at: number } & NonNullable<RecordingContent["differences"]>["rows"][number];
type Row<Of extends List> = { readonly at: number } & RecordingContent[Of][number];

startDocument<RecordingContent>({
  title: "Recording",
  content: recordingContent,
  parts: (content, actions, ways) => [
    ...heading(content),
    ...totals(content),
    ...(content.overTime ? [...overTime(content.overTime, content, actions), ways] : [ways]),
    ...(content.overTime ? [besideEachOther(moves(content.overTime), counters(content.overTime))] : []),
    ...(content.differences ? [html("section", { class: "half" }, differences(content, actions))] : []),
    besideEachOther(
      content.hotFunctions.length > 0 ? hotFunctions(content, actions) : [],
      content.hotLines.length > 0 ? hotLines(content, actions) : [],
    ),
    ...warnings(content),
    besideEachOther(content.metrics.length > 0 ? metrics(content, actions) : [], [
      html("h2", {}, "Recording"),
      html(
        "dl",
        { class: "facts" },
        content.facts.flatMap(({ label, value }) => pair(label, value)),
      ),
    ]),
    ...(content.globals.length > 0 ? [globals(content)] : []),
    ...(content.metrics.length > 0 ? [] : [html("p", { class: "not-recorded" }, "The recording has no metric.")]),
    ...content.notRecorded.map((sentence) => html("p", { class: "not-recorded" }, html("bdi", {}, visible(sentence)))),
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

/** The hottest states, and beside them the first finding of the overview. */
function overTime({ states, finding }: OverTime, content: RecordingContent, actions: DocumentActions): Node[] {
  if (states.length === 0 && !finding) return [];
  return [
    besideEachOther(
      states.length > 0 ? hotStates(numbered(states), content, actions) : [],
      finding ? findingCard(finding, actions) : [],
    ),
  ];
}

function hotStates(rows: readonly StateRow[], content: RecordingContent, actions: DocumentActions): Node[] {
  const { hotLines, hotFunctions: functions, differences: compared } = content;
  // Marks of states come after all others.
  const before = hotLines.length + functions.length + (compared?.rows.length ?? 0);
  const columns: Column<StateRow>[] = [
    { ...textColumn<StateRow>("state", ({ name }) => name), cut: "middle" },
    { ...timeColumn<StateRow>("exclusive", ({ seconds }) => seconds), barFill: ({ kind }) => kindColor(kind) },
    numberColumn<StateRow>(
      "share",
      ({ share }) => share ?? NaN,
      ({ share }) => formatShare(share ?? NaN),
      "share",
    ),
    numberColumn<StateRow>("number", ({ count }) => count),
    { ...timeColumn<StateRow>("longest", ({ longest }) => longest), leaves: true },
  ];
  if (rows.some(({ place }) => place !== undefined))
    columns.push({
      ...textColumn<StateRow>(
        "place",
        ({ place }) => place ?? "",
        ({ place }) => place?.replace(/^.*[/\\]/, "") ?? "not known",
      ),
      isLink: ({ isLinked }) => isLinked,
      cut: "end",
    });
  return hotTable("Hottest states", columns, rows, actions, ({ at }) => before + at);
}

function kindColor(kind: StateRow["kind"]): string {
  return kind === "idle" ? "var(--hf-outline)" : `var(--hf-kind-${THEMED[kind]})`;
}

function findingCard({ when, what }: NonNullable<OverTime["finding"]>, actions: DocumentActions): Node[] {
  const card = html(
    "button",
    { type: "button", class: "finding" },
    html("span", {}, visible(when)),
    html("span", {}, visible(what)),
  );
  card.addEventListener("click", () => actions.choose("overview", ""));
  return [html("h2", {}, "Unlike the rest"), card];
}

function timeColumn<Row>(title: string, key: (row: Row) => number): Column<Row> {
  return numberColumn(title, key, (row) => formatValue(key(row), "s"));
}

function moves({ moves: rows }: OverTime): Node[] {
  if (rows.length === 0) return [];
  const columns: Column<MoveRow>[] = [
    { ...textColumn<MoveRow>("name", ({ name }) => name), cut: "middle" },
    {
      ...timeColumn<MoveRow>("time", ({ seconds }) => seconds),
      barFill: ({ bytes }) => kindColor(bytes === undefined ? "GPU" : "data movement"),
    },
    numberColumn("number", ({ count }) => count),
    numberColumn(
      "bytes",
      ({ bytes }) => bytes ?? NaN,
      ({ bytes }) => (bytes === undefined ? "" : formatValue(bytes, "B")),
    ),
  ];
  return plainTable("Kernels and copies", columns, rows);
}

function counters({ counters: rows }: OverTime): Node[] {
  if (rows.length === 0) return [];
  const amount = (title: string, key: (row: CounterRow) => number): Column<CounterRow> => ({
    ...numberColumn<CounterRow>(title, key, (row) => formatValue(key(row), row.unit)),
    ...(new Set(rows.map(({ unit }) => unit)).size > 1 ? { hasUnits: true as const } : {}),
  });
  const columns: Column<CounterRow>[] = [
    { ...textColumn<CounterRow>("counter", ({ name, of }) => (of === "" ? name : `${name} · ${of}`)), cut: "middle" },
    numberColumn(
      "change",
      ({ change }) => change,
      ({ change }) => formatShare(change),
    ),
    amount("mean", ({ mean }) => mean),
    { ...amount("min", ({ min }) => min), leaves: true },
    { ...amount("max", ({ max }) => max), leaves: true },
  ];
  return plainTable("Counters by change (standard deviation / mean)", columns, rows);
}

function plainTable<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Node[] {
  const table = new TableView<Row>(caption, columns, {}, 1);
  table.element.classList.add("one-line");
  table.show(rows, () => false);
  return [html("h2", {}, caption), table.element];
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
