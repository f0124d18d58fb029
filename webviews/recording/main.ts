/** The page of a recording: its numbers, ways to its views, its hottest lines, and, folded, what else is known of it. */
import { formatShare, formatValue } from "../../src/model/units";
import { recordingContent, type RecordingContent } from "../../src/protocol/recording";
import { type DocumentActions, startDocument } from "../kit/document";
import { numberColumn, textColumn } from "../kit/table/columns";
import { type Column, TableView } from "../kit/table/table";
import { icon } from "../kit/icons";
import { html } from "../shared/dom";
import { plural, visible } from "../shared/text";

type List = "metrics" | "hotLines" | "globals";
type Row<Of extends List> = { readonly at: number } & RecordingContent[Of][number];

startDocument<RecordingContent>({
  title: "Recording",
  content: recordingContent,
  parts: (content, actions) => [
    ...totals(content),
    ways(content, actions),
    ...(content.hotLines.length > 0 ? hotLines(content, actions) : []),
    ...warnings(content),
    ...content.notRecorded.map((sentence) => html("p", { class: "not-recorded" }, html("bdi", {}, visible(sentence)))),
    ...(content.metrics.length > 0 ? metrics(content, actions) : [html("p", {}, "The recording has no metric.")]),
    html("h2", {}, "Recording"),
    html("dl", { class: "facts" }, ...content.facts.flatMap(({ label, value }) => pair(label, value))),
    ...(content.globals.length > 0 ? [globals(content)] : []),
    ...content.shortened.map((sentence) => html("p", {}, sentence)),
  ],
  summary: ({ warnings: { length }, scope }) => [
    [scope, ...(length > 0 ? [plural(length, "warning")] : [])].map(visible).join(" · "),
    length > 0 ? plural(length, "warning") : visible(scope),
  ],
});

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
  return [html("dl", { class: "totals" }, ...tiles)];
}

function ways({ ways: all }: RecordingContent, actions: DocumentActions): Node {
  const buttons = all.map(({ id, name, icon: picture, disabled }) => {
    const attributes = { type: "button", class: "way", "aria-disabled": disabled && "true", title: disabled };
    const button = html("button", attributes, icon(picture), name);
    if (disabled === undefined) button.addEventListener("click", () => actions.choose(id, ""));
    return button;
  });
  return html("nav", { class: "ways", "aria-label": "Views of this recording" }, ...buttons);
}

function pair(label: string, value: string): Node[] {
  return [html("dt", {}, label), html("dd", {}, visible(value))];
}

function warnings({ warnings: all }: RecordingContent): Node[] {
  if (all.length === 0) return [];
  const items = all.map((sentence) => html("li", {}, icon("warning"), html("bdi", {}, visible(sentence))));
  return [html("h2", {}, plural(all.length, "warning")), html("ul", { class: "warnings" }, ...items)];
}

function numbered<Item extends object>(items: readonly Item[]): ({ readonly at: number } & Item)[] {
  return items.map((item, at) => ({ ...item, at }));
}

function hotLines({ hotLines: lines, scope, unit }: RecordingContent, actions: DocumentActions): Node[] {
  const caption = `Hottest lines: ${visible(scope)}`;
  const hasShares = lines.some(({ share }) => share !== undefined);
  const table = new TableView<Row<"hotLines">>(
    caption,
    [
      {
        ...textColumn<Row<"hotLines">>(
          "function",
          ({ name, functions }) => name + (functions > 1 ? ` and ${functions - 1} more` : ""),
        ),
        badge: ({ isMpi }) => (isMpi ? "MPI" : undefined),
      },
      numberColumn(
        "exclusive",
        ({ exclusive }) => exclusive,
        ({ exclusive }) => formatValue(exclusive, unit),
      ),
      ...(hasShares
        ? [
            numberColumn<Row<"hotLines">>(
              "share",
              ({ share }) => share ?? NaN,
              ({ share }) => formatShare(share ?? NaN),
              "share",
            ),
          ]
        : []),
      {
        ...textColumn<Row<"hotLines">>(
          "place",
          ({ place }) => place ?? "",
          ({ place }) => place ?? "not known",
        ),
        isLink: ({ isLinked }) => isLinked === true,
      },
    ],
    { select: ({ at }) => actions.use("select", at), opening: ({ at }) => actions.opening(at) },
    1,
  );
  table.show(numbered(lines), () => false);
  return [html("h2", {}, caption), table.element];
}

function metrics({ metrics: all, ranks }: RecordingContent, actions: DocumentActions): Node[] {
  const columns: Column<Row<"metrics">>[] = [
    textColumn(
      "metric",
      ({ name }) => name,
      ({ name, current }) => name + (current ? " (shown)" : ""),
    ),
    {
      ...numberColumn<Row<"metrics">>(
        "total",
        ({ total }) => total ?? NaN,
        ({ total, unit }) => (total === undefined ? "does not add up" : formatValue(total, unit)),
      ),
      ...(new Set(all.map(({ unit }) => unit)).size > 1 ? { hasUnits: true } : {}),
    },
    textColumn("recorded as", ({ recordedName }) => recordedName),
    ...(all.some(({ note }) => note !== undefined)
      ? [textColumn<Row<"metrics">>("note", ({ note }) => note ?? "")]
      : []),
  ];
  const choose = ({ at }: Row<"metrics">) => actions.choose("metric", String(at));
  const table = new TableView<Row<"metrics">>(
    "Metrics",
    columns,
    { select: choose, opening: (row) => () => choose(row) },
    1,
  );
  table.show(numbered(all), ({ current }) => current);
  const caption = ranks > 1 ? "Metrics, totals as sums over ranks" : "Metrics";
  return [html("h2", {}, caption), table.element];
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
