/** The timeline's tables, of which one is open: events and clusters in sight, and what functions cost in a stretch of time. Pure. */
import { changeText, differenceOf, signed } from "../../src/model/differences";
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import { eventKinds, type TimelineContent } from "../../src/protocol/timeline";
import type { Place, Stretch } from "../../src/protocol/panel";
import type {
  TimelineDifferences,
  TimelineFunctions,
  TimelineList,
  TimelineOccurrences,
  TimelinePathFunctions,
  TimelinePhases,
  TimelineWaits,
} from "../../src/protocol/timelineLists";
import { tableOf, type TableSpec, type TableTab } from "../kit/definition";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Column } from "../kit/table/table";
import { visible } from "../shared/text";
import { laneName } from "./laneNames";
import { durationsPicture } from "./durations";
import { marksOf } from "./marks";

export function tables(content: TimelineContent, open: string | undefined): readonly TableSpec<unknown>[] {
  const tab = (list: TimelineList, name: string): TableTab => ({
    name,
    isOpen: (open ?? "sight") === list,
    gesture: { kind: "list", list },
  });
  const { differences, occurrences, waits, path, pathFunctions, hasWaits, phases } = content;
  return [
    marksTable(content, tab("sight", "in sight")),
    functionsTable(content.functions, tab("functions", ranged("functions", content.functions))),
    ...(differences || open === "differences"
      ? [differencesTable(differences, tab("differences", differencesName(differences)))]
      : []),
    ...(occurrences ? [occurrencesTable(content, occurrences, tab("occurrences", occurrencesName(occurrences)))] : []),
    ...(hasWaits ? [waitsTable(content, waits, tab("waits", ranged("waits", waits)))] : []),
    ...(phases ? [phasesTable(phases, tab("phases", phasesName(phases)))] : []),
    ...(path ? [pathTable(pathFunctions, tab("path", ranged("critical path", pathFunctions)))] : []),
  ];
}

/** The function of a row that a mark stands for; undefined: no row. */
export function listedRow(
  { functions, differences, occurrences, pathFunctions }: TimelineContent,
  mark: number,
): { readonly name: string; readonly state: number } | undefined {
  const at = functions?.number.indexOf(mark) ?? -1;
  if (functions && at >= 0) return { name: visible(functions.name[at]), state: functions.state[at] };
  const compared = differences?.number.indexOf(mark) ?? -1;
  if (differences && compared >= 0)
    return { name: visible(differences.name[compared]), state: differences.state[compared] };
  const onPath = pathFunctions?.number.indexOf(mark) ?? -1;
  if (pathFunctions && onPath >= 0)
    return { name: visible(pathFunctions.name[onPath]), state: pathFunctions.state[onPath] };
  return occurrences?.number.includes(mark) ? { name: visible(occurrences.of), state: occurrences.state } : undefined;
}

/** A table's name with the stretch of time that it is of. */
function ranged(
  name: string,
  list: { readonly range: Stretch; readonly more: number; readonly laneName?: string } | undefined,
): string {
  if (!list) return name;
  const { range, more, laneName: lane } = list;
  const of = lane === undefined ? "" : ` · ${visible(lane).slice(0, 40)}`;
  return `${name} · ${formatStretch(range.from, range.to)}${of}${more > 0 ? ` · ${more.toLocaleString("en")} more` : ""}`;
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

function differencesName(differences: TimelineDifferences | undefined): string {
  if (!differences) return "differences";
  const { baseline, ...own } = differences;
  return `${ranged("differences", own)} against ${ranged("", { ...baseline, more: 0 }).replace(/^ · /, "")}`;
}

/** As in a comparison of runs: what is in one of the two alone counts as 0 in the other. */
function differencesTable(differences: TimelineDifferences | undefined, tab: TableTab): TableSpec<unknown> {
  const { name = [], place = [] } = differences ?? {};
  type Numbers = "kind" | "count" | "countBefore" | "number" | "exclusive" | "exclusiveBefore";
  const column = (of: Numbers) => (at: number) => differences?.[of][at] ?? 0;
  const difference = (at: number) => differenceOf(column("exclusiveBefore")(at), column("exclusive")(at));
  const side = (seconds: Numbers, count: Numbers) => (at: number) =>
    column(count)(at) === 0 && column(seconds)(at) === 0 ? null : column(seconds)(at);
  return tableOf<number>({
    caption: "Functions of a stretch of time beside another one",
    columns: [
      textColumn("function", (at) => visible(name[at])),
      textColumn("kind", (at) => eventKinds[column("kind")(at)]),
      seconds("baseline", column("exclusiveBefore")),
      seconds("exclusive", column("exclusive")),
      numberColumn("difference", difference, (at) => signed(difference(at), "s")),
      seconds("|difference|", (at) => Math.abs(difference(at))),
      textColumn("change", (at) =>
        changeText(side("exclusiveBefore", "countBefore")(at), side("exclusive", "count")(at)),
      ),
      numberColumn("count, baseline", column("countBefore")),
      numberColumn("count", column("count")),
      { ...textColumn<number>("line", (at) => visible(place[at])), isLink: (at) => place[at] !== "" },
    ],
    rows: Array.from(differences?.number ?? [], (_, at) => at),
    sortedBy: 5,
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
    placeOf: (at) => placeIn(content, { mark: number[at], lane: lane[at], start: start[at], end: end[at] }),
    picture: (width) => durationsPicture(bins, width),
    tab,
  });
}

function placeIn(
  content: TimelineContent,
  {
    mark,
    lane,
    start,
    end,
  }: { readonly mark: number; readonly lane: number; readonly start: number; readonly end: number },
): Place {
  const length = content.end - content.start || 1;
  return { mark, row: lane, x: (start - content.start) / length, width: (end - start) / length };
}

/** What each lane waited for others, and for whom. */
function waitsTable(content: TimelineContent, waits: TimelineWaits | undefined, tab: TableTab): TableSpec<unknown> {
  type Numbers = "lane" | "number" | "lateSender" | "lateReceiver" | "collective" | "longest" | "start" | "end";
  const column = (of: Numbers) => (at: number) => waits?.[of][at] ?? 0;
  const all = (at: number) => column("lateSender")(at) + column("lateReceiver")(at) + column("collective")(at);
  const length = waits ? waits.range.to - waits.range.from : 1;
  return tableOf<number>({
    caption: "Time that lanes wait for others",
    columns: [
      textColumn("lane", (at) => visible(waits?.name[at] ?? "")),
      seconds("waits", all),
      numberColumn(
        "share of time",
        (at) => all(at) / length,
        (at) => formatShare(all(at) / length),
        "share",
      ),
      seconds("late sender", column("lateSender")),
      seconds("late receiver", column("lateReceiver")),
      seconds("collective", column("collective")),
      seconds("longest", column("longest")),
    ],
    rows: Array.from(waits?.lane ?? [], (_, at) => at),
    sortedBy: 1,
    markOf: column("number"),
    placeOf: (at) =>
      placeIn(content, {
        mark: column("number")(at),
        lane: column("lane")(at),
        start: column("start")(at),
        end: column("end")(at),
      }),
    tab,
  });
}

function phasesName({ of, name, more }: TimelinePhases): string {
  const left =
    more > 0 ? ` · the first ${name.length.toLocaleString("en")} of ${(name.length + more).toLocaleString("en")}` : "";
  return `${visible(of).slice(0, 40)}${left}`;
}

/** Iterations or phases: a row becomes the window, with the event that takes longest in it selected. */
function phasesTable(
  { name, from, to, lanes, mean, longest, number }: TimelinePhases,
  tab: TableTab,
): TableSpec<unknown> {
  return tableOf<number>({
    caption: "Iterations and phases",
    columns: [
      textColumn("phase", (at) => visible(name[at])),
      seconds("begins", (at) => from[at]),
      seconds("takes", (at) => to[at] - from[at]),
      numberColumn("lanes", (at) => lanes[at]),
      seconds("mean per lane", (at) => mean[at]),
      seconds("longest", (at) => longest[at]),
    ],
    rows: Array.from(name, (_, at) => at),
    sortedBy: 1,
    ascending: true,
    markOf: (at) => number[at],
    gestureOf: (at) => ({ kind: "phase", to: at }),
    tab,
  });
}

/** Functions by their time on the critical path. */
function pathTable(path: TimelinePathFunctions | undefined, tab: TableTab): TableSpec<unknown> {
  const { name = [], place = [] } = path ?? {};
  const own = (at: number) => path?.seconds[at] ?? 0;
  const length = path ? path.range.to - path.range.from : 1;
  return tableOf<number>({
    caption: "Functions on the critical path",
    columns: [
      textColumn("function", (at) => (name[at] === "" && path?.number[at] === -1 ? "uncovered" : visible(name[at]))),
      seconds("on the path", own),
      numberColumn(
        "share of it",
        (at) => own(at) / length,
        (at) => formatShare(own(at) / length),
        "share",
      ),
      { ...textColumn<number>("line", (at) => visible(place[at])), isLink: (at) => place[at] !== "" },
    ],
    rows: Array.from(name, (_, at) => at),
    sortedBy: 1,
    markOf: (at) => (path && path.number[at] >= 0 ? path.number[at] : undefined),
    tab,
  });
}

function marksTable(content: TimelineContent, tab: TableTab): TableSpec<unknown> {
  const marks = marksOf(content);
  const { lane, depth, start, end, events, share, number } = content.marks;
  return tableOf<number>({
    caption: "Events and clusters in sight",
    columns: [
      textColumn("name", (at) => marks.label(at)),
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
