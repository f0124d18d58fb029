/** The page of metrics over time: a row for each quantity. */
import { eventKinds, type MetricsContent, metricsContent } from "../../src/protocol/metrics";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { kindLegend } from "../kit/kinds";
import { signLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Theme } from "../kit/theme/theme";
import { curveLegend } from "../kit/time/curveLegend";
import { visible } from "../shared/text";
import { details, isMpi, rowFacts, rowName, summary, valueText, varianceText } from "./describe";
import { draw } from "./drawing";
import type { MetricsSeen } from "./seen";
import { metricsSight } from "./sight";
import { formatStretch } from "../../src/model/units";

const SHOWS = ["as recorded", "growth per second", "derived"];

const definition: PageDefinition<MetricsContent, never, MetricsSeen> = {
  title: "Metrics over Time",
  content: metricsContent,
  draw,
  sight: metricsSight,
  tables: (content) => [table(content)],
  legend,
  highlightNote: (_, { places }) => (places.size > 0 ? undefined : "no row is of it alone"),
  hint: () => "W S zoom · A D pan · drag on the ruler measures · double click: the events at that moment",
  summary: (content, _, seen) => summary(content, seen),
  name: () => "Metrics over Time",
  nouns: () => ["row", "rows"],
  menu,
  details,
  explanation: {
    name: "Metrics over Time",
    facts: [
      ["row", "a recorded counter of one place, or a count computed from events"],
      ["band", "from the minimum to the maximum in each column; single values if there are few"],
      ["growth", "a counter that only grows is shown as its increase per second"],
      ["variance", "weighted by time, divided by the square of the mean; rows are sorted by it"],
      ["wheel, W, S", "zoom; Shift+wheel, or the wheel over values, scrolls rows"],
      ["drag, A, D", "pans; on the ruler, or with Shift, a drag measures"],
      ["double click", "the events at that moment"],
      ["Enter", "the events of the window"],
    ],
  },
};

function menu(content: MetricsContent, row: number): MenuEntry[] {
  const numbers = rowFacts(content, row).map(([what, value]) => `  ${what}: ${value}`);
  return [
    {
      label: "Show in the timeline",
      icon: "zoom-in",
      key: "Enter",
      does: "open",
      group: "go",
      ...(content.hasEvents ? {} : { disabled: "No events were recorded." }),
    },
    { label: "Highlight in all views", key: "Space", does: "select", group: "go" },
    { label: "Zoom out to everything", key: "0", does: { gesture: { kind: "fit" } }, group: "show" },
    { label: "Copy numbers", does: { copy: [rowName(content, row), ...numbers].join("\n") }, group: "copy" },
    { label: "Copy name", does: { copy: rowName(content, row) }, group: "copy" },
  ];
}

/** Kinds that rows are of, and how values are drawn. */
function legend(content: MetricsContent, theme: Theme): LegendEntry[] {
  const { kinds, bands } = content;
  return [
    ...(kinds.includes(-1) ? [signLegend(theme, { fill: theme.soft }, "recorded")] : []),
    ...kindLegend(theme, (kind) => kinds.includes(kind), isMpi(content)),
    ...curveLegend(bands, content, theme),
  ];
}

function table(content: MetricsContent) {
  const { names, places, shows, points, range, kinds } = content;
  const value = (title: string, column: Float64Array) =>
    numberColumn<number>(
      title,
      (row) => column[row],
      (row) => valueText(content, row, column[row]),
    );
  return tableOf<number>({
    caption: `Rows in ${formatStretch(range.from, range.to)}`,
    columns: [
      textColumn("row", (row) => visible(names[row])),
      textColumn("of", (row) => visible(places[row])),
      value("mean", content.ownMean),
      value("least", content.ownLeast),
      value("most", content.ownMost),
      numberColumn(
        "variance / mean²",
        (row) => content.variance[row],
        (row) => varianceText(content.variance[row]),
      ),
      textColumn("shows", (row) => SHOWS[shows[row]]),
      textColumn("kind", (row) => (kinds[row] < 0 ? "" : eventKinds[kinds[row]])),
      numberColumn("points", (row) => points[row]),
    ],
    rows: [...names.keys()],
    sortedBy: 5,
    markOf: (row) => row,
  });
}

startPage(definition);
