/** A data set's page: what a recording is, in sentences and tables, and ways to its views. */
import "../shared/page.css";
import "./recording.css";
import { formatValue } from "../../src/model/units";
import {
  type FromRecording,
  parseToRecording,
  type RecordingPage,
  type ToRecording,
} from "../../src/protocol/recording";
import { RestrictionChip } from "../shared/chip";
import { button } from "../shared/controls";
import { html } from "../shared/dom";
import { connect } from "../shared/host";
import { type Column, Table } from "../shared/table";
import { visible } from "../shared/text";

type Row<List extends "metrics" | "hotLines" | "globals"> = { readonly at: number } & RecordingPage[List][number];

const metricColumns = ({ ranks }: RecordingPage): readonly Column<Row<"metrics">>[] => [
  {
    title: "metric",
    text: ({ name, current }) => visible(name) + (current ? " (shown)" : ""),
    key: ({ name }) => name,
  },
  {
    title: ranks > 1 ? "total (sum over ranks)" : "total",
    text: ({ total, unit }) => (total === undefined ? "does not add up" : formatValue(total, unit)),
    key: ({ total }) => total ?? 0,
  },
  { title: "recorded as", text: ({ recordedName }) => visible(recordedName), key: ({ recordedName }) => recordedName },
  { title: "note", text: ({ note }) => visible(note ?? ""), key: ({ note }) => note ?? "" },
];

const globalColumns: readonly Column<Row<"globals">>[] = [
  { title: "name", text: ({ name }) => visible(name), key: ({ name }) => name },
  {
    title: "value",
    text: ({ values, moreValues }) => visible(values.join(", ")) + (moreValues > 0 ? `, and ${moreValues} more` : ""),
    key: ({ values }) => values.join(", "),
  },
];

class RecordingView {
  private readonly host = connect<ToRecording, FromRecording>(parseToRecording, (message) => this.receive(message));
  private readonly status = html("div", { class: "page-status", role: "status" });
  private readonly content = html("div");
  private readonly chip = new RestrictionChip(() => this.host.post({ type: "clear-restriction" }));

  constructor(app: HTMLElement) {
    app.append(this.status, this.content);
    this.host.post({ type: "ready" });
  }

  private receive(message: ToRecording): void {
    switch (message.type) {
      case "progress":
        this.status.replaceChildren(html("p", {}, visible(message.message)));
        return;
      case "problem":
        this.content.replaceChildren();
        this.status.replaceChildren(
          html("p", {}, visible(message.message)),
          html("p", {}, visible(message.advice ?? "")),
          button("Open Again", () => this.host.post({ type: "retry" }), { primary: true }),
          button("Reopen with Text Editor", () => this.show("text")),
        );
        return;
      case "page":
        return this.showPage(message);
    }
  }

  private showPage(page: RecordingPage): void {
    this.status.replaceChildren();
    this.chip.show(page.restriction);
    const isMeasured = page.metrics.some(({ total }) => total !== undefined);
    this.content.replaceChildren(
      html("h1", {}, html("bdi", {}, visible(page.name))),
      html(
        "p",
        { class: "ways" },
        button("Super Graph", () => this.show("superGraph"), { primary: isMeasured }),
        button("Hot Functions", () => this.show("hotFunctions")),
        button("Calling Contexts", () => this.show("callingContexts")),
        button("Data Sets", () => this.show("dataSets"), { primary: !isMeasured }),
        button("Show as Text", () => this.show("text")),
        this.chip.element,
      ),
      html(
        "dl",
        { class: "facts" },
        ...page.facts.flatMap(({ label, value }) => [html("dt", {}, label), html("dd", {}, visible(value))]),
      ),
      ...this.warnings(page),
      ...page.notRecorded.map((text) => html("p", { class: "not-recorded" }, html("bdi", {}, visible(text)))),
      ...this.tables(page),
      ...page.shortened.map((text) => html("p", {}, text)),
    );
  }

  private warnings({ warnings }: RecordingPage): Node[] {
    if (warnings.length === 0) return [];
    return [
      html("h2", {}, warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`),
      html("ul", { class: "warnings" }, ...warnings.map((text) => html("li", {}, html("bdi", {}, visible(text))))),
    ];
  }

  private tables(page: RecordingPage): Node[] {
    const numbered = <Item extends object>(items: readonly Item[]) => items.map((item, at) => ({ ...item, at }));
    const metrics = new Table<Row<"metrics">>(
      "Metrics",
      metricColumns(page).filter(
        ({ title }) => title !== "note" || page.metrics.some(({ note }) => note !== undefined),
      ),
      {
        select: ({ at }) => this.host.post({ type: "set-metric", metric: at }),
        open: ({ at }) => this.host.post({ type: "set-metric", metric: at }),
      },
      1,
    );
    metrics.show(numbered(page.metrics), ({ current }) => current);
    const hotColumns: readonly Column<Row<"hotLines">>[] = [
      {
        title: "function",
        text: ({ name, functions }) => visible(name) + (functions > 1 ? ` and ${functions - 1} more` : ""),
        key: ({ name }) => name,
      },
      {
        title: "exclusive",
        text: ({ exclusive }) => formatValue(exclusive, page.unit),
        key: ({ exclusive }) => exclusive,
      },
      { title: "place", text: ({ place }) => visible(place ?? "not known"), key: ({ place }) => place ?? "" },
    ];
    const hot = new Table<Row<"hotLines">>(
      `Hottest lines: ${visible(page.scope)}, without MPI and runtime`,
      hotColumns,
      {
        select: ({ at }) => this.host.post({ type: "open-line", line: at, focus: false }),
        open: ({ at }) => {
          // A double click may end when another page is there.
          if (hot.element.isConnected) this.host.post({ type: "open-line", line: at, focus: true });
        },
      },
      1,
    );
    hot.show(numbered(page.hotLines), () => false);
    const globals = new Table<Row<"globals">>("Metadata of the run", globalColumns, {}, 0, false);
    globals.show(numbered(page.globals), () => false);
    return [
      ...(page.hotLines.length > 0 ? [hot.element] : []),
      ...(page.metrics.length > 0 ? [metrics.element] : [html("p", {}, "The recording has no metric.")]),
      ...(page.globals.length > 0 ? [globals.element] : []),
    ];
  }

  private show(view: Extract<FromRecording, { type: "show" }>["view"]): void {
    this.host.post({ type: "show", view });
  }
}

const app = document.getElementById("app");
if (app) new RecordingView(app);
