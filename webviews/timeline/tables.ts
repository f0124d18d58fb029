/** The timeline's tables, of which one is open: events and clusters in sight, and what functions cost in a stretch of time. Pure. */
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import { eventKinds, type TimelineContent } from "../../src/protocol/timeline";
import type { TimelineFunctions, TimelineList } from "../../src/protocol/timelineLists";
import { tableOf, type TableSpec, type TableTab } from "../kit/definition";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Column } from "../kit/table/table";
import { plural, visible } from "../shared/text";
import { laneName } from "./describe";
import { marksOf } from "./marks";

export function tables(content: TimelineContent, open: string | undefined): readonly TableSpec<unknown>[] {
  const tab = (list: TimelineList, name: string): TableTab => ({
    ...{ name, isOpen: (open ?? "sight") === list, gesture: { kind: "list", list } },
  });
  return [
    marksTable(content, tab("sight", "in sight")),
    functionsTable(content.functions, tab("functions", functionsName(content.functions))),
  ];
}

/** The function of a row that a mark stands for; undefined: it has none. */
export function listedName({ functions }: TimelineContent, mark: number): string | undefined {
  const at = functions?.number.indexOf(mark) ?? -1;
  return at < 0 ? undefined : functions && visible(functions.name[at]);
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
