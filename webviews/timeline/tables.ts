/** The timeline's tables, of which one is open: events and clusters in sight, and what functions cost in a stretch of time. Pure. */
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import { eventKinds, type TimelineContent } from "../../src/protocol/timeline";
import type { TimelineFunctions, TimelineList, TimelineOccurrences } from "../../src/protocol/timelineLists";
import { tableOf, type TableSpec, type TableTab } from "../kit/definition";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Column } from "../kit/table/table";
import { plural, visible } from "../shared/text";
import { laneName } from "./describe";
import { durationsPicture } from "./durations";
import { marksOf } from "./marks";

export function tables(content: TimelineContent, open: string | undefined): readonly TableSpec<unknown>[] {
  const tab = (list: TimelineList, name: string): TableTab => ({
    ...{ name, isOpen: (open ?? "sight") === list, gesture: { kind: "list", list } },
  });
  const { occurrences } = content;
  return [
    marksTable(content, tab("sight", "in sight")),
    functionsTable(content.functions, tab("functions", functionsName(content.functions))),
    ...(occurrences ? [occurrencesTable(content, occurrences, tab("occurrences", occurrencesName(occurrences)))] : []),
  ];
}

/** The function of a row that a mark stands for; undefined: no row. */
export function listedRow(
  { functions, occurrences }: TimelineContent,
  mark: number,
): { readonly name: string; readonly state: number } | undefined {
  const at = functions?.number.indexOf(mark) ?? -1;
  if (functions && at >= 0) return { name: visible(functions.name[at]), state: functions.state[at] };
  return occurrences?.number.includes(mark) ? { name: visible(occurrences.of), state: occurrences.state } : undefined;
}

function functionsName(functions: TimelineFunctions | undefined): string {
  if (!functions) return "functions";
  const { range, more } = functions;
  return `functions · ${formatStretch(range.from, range.to)}${more > 0 ? ` · ${plural(more, "more")}` : ""}`;
}

function seconds<Row>(title: string, of: (row: Row) => number): Column<Row> {
  return numberColumn(title, of, (row) => (Number.isNaN(of(row)) ? "none" : formatValue(of(row), "s")));
}

function functionsTable(functions: TimelineFunctions | undefined, tab: TableTab): TableSpec<unknown> {
  const rows = Array.from(functions?.number ?? [], (_, at) => at);
  const { name = [], place = [] } = functions ?? {};
  type Numbers = "kind" | "count" | "number" | "exclusive" | "inclusive" | "shortest" | "mean" | "longest";
  const column = (of: Numbers) => (at: number) => functions?.[of][at] ?? 0;
  const begun = (of: Numbers) => (at: number) => (column("count")(at) > 0 ? column(of)(at) : Number.NaN);
  return tableOf<number>({
    caption: "Functions of a stretch of time",
    columns: [
      textColumn("function", (at) => visible(name[at])),
      textColumn("kind", (at) => eventKinds[column("kind")(at)]),
      seconds("exclusive", column("exclusive")),
      seconds("inclusive", column("inclusive")),
      numberColumn("count", column("count")),
      seconds("shortest", begun("shortest")),
      seconds("mean", begun("mean")),
      seconds("longest", begun("longest")),
      { ...textColumn<number>("line", (at) => visible(place[at])), isLink: (at) => place[at] !== "" },
    ],
    rows,
    sortedBy: 2,
    markOf: column("number"),
    tab,
  });
}

function occurrencesName({ of, count, total, number }: TimelineOccurrences): string {
  const longest = number.length < count ? ` · the ${number.length.toLocaleString("en")} longest` : "";
  return `${visible(of).slice(0, 40)} ×${count.toLocaleString("en")} · ${formatValue(total, "s")}${longest}`;
}

function occurrencesTable(
  content: TimelineContent,
  { name, lane, start, end, number, bins }: TimelineOccurrences,
  tab: TableTab,
): TableSpec<unknown> {
  const length = content.end - content.start || 1;
  return tableOf<number>({
    caption: "Events of a function",
    columns: [
      textColumn("lane", (at) => visible(name[at])),
      seconds("begins", (at) => start[at]),
      seconds("takes", (at) => end[at] - start[at]),
    ],
    rows: Array.from(number, (_, at) => at),
    sortedBy: 2,
    markOf: (at) => number[at],
    placeOf: (at) => ({
      ...{ mark: number[at], row: lane[at] },
      ...{ x: (start[at] - content.start) / length, width: (end[at] - start[at]) / length },
    }),
    picture: (width) => durationsPicture(bins, width),
    tab,
  });
}

function marksTable(content: TimelineContent, tab: TableTab): TableSpec<unknown> {
  const marks = marksOf(content);
  const { lane, depth, start, end, events, share, number } = content.marks;
  return tableOf<number>({
    caption: "Events and clusters in sight",
    columns: [
      textColumn("name", (at) => marks.name(at)),
      textColumn("lane", (at) => laneName(content, lane[at])),
      seconds("begins", (at) => start[at]),
      seconds("takes", (at) => end[at] - start[at]),
      numberColumn("events", (at) => events[at]),
      numberColumn(
        "share",
        (at) => share[at],
        (at) => formatShare(share[at]),
        "share",
      ),
      textColumn("kind", (at) => marks.kind(at)),
      ...(content.look === "depth" ? [numberColumn<number>("depth", (at) => depth[at] + 1)] : []),
    ],
    rows: Array.from({ length: marks.count }, (_, at) => at),
    sortedBy: 3,
    markOf: (at) => number[at],
    tab,
  });
}
