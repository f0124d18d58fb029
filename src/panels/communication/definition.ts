/** The communication matrix: who moved how much to whom, between ranks or between the host and devices. */
import type {
  Chosen,
  CommunicationMatrix,
  MatrixAxis,
  MatrixOf,
  MatrixQuery,
  MatrixValues,
  TimeWindow,
} from "../../engine/api";
import { placeText } from "../../model/placeText";
import { shorten } from "../../model/texts";
import { MARK_LIMIT } from "../../protocol/bounds";
import {
  type CommunicationAxis,
  type CommunicationBy,
  type CommunicationContent,
  type CommunicationState,
  communicationState,
  ROW_LIMIT,
} from "../../protocol/communication";
import type { Control, SelectControl, Step, ToolControl } from "../../protocol/frame";
import { communicationMessage, noLinesMessage, hasRankMovement, hasTransfers } from "../../session/notRecorded";
import type { Selection } from "../../session/session";
import type { PanelDefinition, Subject, View } from "../kit/definition";
import { leftOf, restrictToMembers } from "../kit/restricting";
import { firstStep } from "../kit/frameMessage";

type CommunicationView = View<CommunicationState>;

/** With so many rows every pair may have a cell. */
const FULL_ROWS = Math.floor(Math.sqrt(MARK_LIMIT));
/** Characters of a rank's name, and of a call's. */
const MAX_NAME = 200;
/** Calls that are named; all others are found by their lines. */
const MOST_CALLS = 1000;
/** Kinds of what is in no cell. */
const MOST_BESIDE = 100;
const ANY_LEVEL = "";
/** The step back to everything. */
const ALL = "all";
/** The tool that makes all of the run the window. */
const WHOLE_RUN = "whole-run";

export const communication: PanelDefinition<CommunicationState, CommunicationMatrix, CommunicationContent, never> = {
  id: "communication",
  title: "Communication Matrix",
  saved: "communication",
  state: communicationState,
  start: {},
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  controls,
  choose({ session, dataSet }, id, value) {
    if (id === WHOLE_RUN) return void session.windows.show(dataSet.id, undefined);
    const whole = { rows: undefined, columns: undefined };
    if (id === "step") return value === ALL ? whole : undefined;
    if (id === "of") return { ...whole, of: value as MatrixOf, level: undefined };
    if (id === "level") return { ...whole, level: value === ANY_LEVEL ? undefined : value };
    return { [id]: value };
  },
  unmeasured: communicationMessage,
  asked: queryOf,
  async ask(view, task) {
    const { engine } = view.session;
    const query = queryOf(view);
    const matrix = await engine.communicationMatrix(query, task);
    // Where nearly everybody sends to everybody, as many cells as a page takes need fewer rows.
    if (matrix.cells.row.length <= MARK_LIMIT) return matrix;
    return engine.communicationMatrix({ ...query, mostRows: FULL_ROWS }, task);
  },
  content,
  notes,
  steps,
  async explain(shown, mark, view) {
    const found = await subject(shown, mark, view);
    const place = found?.link && placeText(found.link);
    return found && { facts: [["heaviest call", found.name]], ...(place ? { place: shorten(place, 300) } : {}) };
  },
  subject,
  markOf,
  highlighted: ({ rows, columns }, { lanes }) => {
    const wanted = new Set(lanes);
    const of = ({ groups }: MatrixAxis, first: number) =>
      groups.flatMap((group, at) => (group.lanes?.some((lane) => wanted.has(lane)) ? [first + at] : []));
    return [...of(rows, 0), ...of(columns, ROW_LIMIT)];
  },
  actions: {
    restrict: ({ cells, rows, columns }, mark, panel) => {
      if (mark === undefined) return;
      const ends = [rows.groups[cells.row[mark]].members, columns.groups[cells.column[mark]].members];
      restrictToMembers(membersTogether(ends), panel);
    },
    apart: (shown, mark, panel) => {
      if (mark === undefined) return;
      const [row, column] = [shown.cells.row[mark], shown.cells.column[mark]];
      const [{ first, last }, to] = [shown.rows.groups[row], shown.columns.groups[column]];
      return panel.change({
        rows: { first, last },
        columns: { first: to.first, last: to.last },
        level: undefined,
      });
    },
  },
};

/** Of both ends of what was moved; of the host, which has no members of its own, the device alone. */
function membersTogether(ends: readonly (Chosen | undefined)[]): Chosen | undefined {
  const [first, ...others] = ends.filter((one) => one !== undefined);
  if (!first) return undefined;
  const same = others.filter(({ by }) => by === first.by).flatMap(({ members }) => members);
  return { by: first.by, members: [...new Set([...first.members, ...same])] };
}

function ofView({ state, dataSet }: CommunicationView): MatrixOf {
  return state.of ?? (hasRankMovement(dataSet) || !hasTransfers(dataSet) ? "ranks" : "devices");
}

/** Whether sizes of what is shown were recorded: all zeros would say that nothing was moved. */
function hasSizes(view: CommunicationView): boolean {
  const { trace } = view.dataSet;
  if (!trace) return false;
  return (ofView(view) === "ranks" ? trace.messages : trace.transfers).bytes > 0;
}

function byView(view: CommunicationView): CommunicationBy {
  return view.state.by ?? standardBy(view);
}

function standardBy(view: CommunicationView): CommunicationBy {
  return hasSizes(view) ? "bytes" : "count";
}

/** What the views over time show, as far as the restriction leaves it; undefined: all of the run. */
function windowOf({ window, scope }: CommunicationView): TimeWindow | undefined {
  return window ? leftOf(window, scope.window) : scope.window;
}

function queryOf(view: CommunicationView): MatrixQuery {
  const { level, rows, columns } = view.state;
  const { dataSet, chosen } = view.scope;
  const window = windowOf(view);
  return {
    scope: { dataSet, ...(chosen ? { chosen } : {}), ...(window ? { window } : {}) },
    of: ofView(view),
    by: byView(view),
    ...(level === undefined ? {} : { level }),
    ...(rows ? { rows } : {}),
    ...(columns ? { columns } : {}),
  };
}

function controls(view: CommunicationView, shown?: CommunicationMatrix): Control[] {
  const { state, dataSet } = view;
  const sizes = hasSizes(view) ? {} : { title: "Sizes were not recorded." };
  const missing = (isThere: boolean, what: string) => (isThere ? {} : { disabled: `No ${what} were recorded.` });
  const of: SelectControl = {
    kind: "select",
    id: "of",
    name: "Between",
    value: ofView(view),
    choices: [
      {
        value: "ranks",
        label: "between ranks",
        short: "ranks",
        ...missing(hasRankMovement(dataSet), "messages"),
        title: "A row for each sender, a column for each receiver",
      },
      {
        value: "devices",
        label: "host and devices",
        short: "devices",
        ...missing(hasTransfers(dataSet), "transfers between host and devices"),
        title: "A row for each source of data, a column for each destination",
      },
    ],
  };
  const by: SelectControl = {
    kind: "select",
    id: "by",
    name: "By",
    value: byView(view),
    standard: standardBy(view),
    choices: [
      { value: "bytes", label: "by bytes", short: "bytes", ...sizes },
      { value: "count", label: "by count", short: "count" },
      { value: "seconds", label: "by time", short: "time", title: "Time in which at least one transfer was under way" },
    ],
  };
  const levels = shown?.levels ?? [];
  const level: SelectControl = {
    kind: "select",
    id: "level",
    name: "Rows",
    value: state.level ?? ANY_LEVEL,
    standard: ANY_LEVEL,
    choices: [
      { value: ANY_LEVEL, label: "finest rows", short: "finest", title: "The finest level that has room" },
      ...levels.map((name) => ({ value: name, label: `a row per ${shorten(name, MAX_NAME)}`, short: name })),
    ],
  };
  const wholeRun: ToolControl = {
    kind: "tool",
    id: WHOLE_RUN,
    icon: "screen-full",
    name: "Show the whole run",
    key: "0",
    leaves: 1,
    ...(view.window ? {} : { disabled: "The whole run is shown." }),
  };
  return [by, of, ...(levels.length > 1 ? [level] : []), wholeRun];
}

function content(
  { rows, columns, cells, ofRows, ofColumns, total, beside, calls }: CommunicationMatrix,
  view: CommunicationView,
): CommunicationContent {
  const named = calls.slice(0, MOST_CALLS);
  const numberOf = new Map(named.map(({ context }, at) => [context, at]));
  const { row, column, bytes, count, seconds, context } = cells;
  return {
    by: byView(view),
    of: ofView(view),
    ...timesOf(view),
    rows: axisContent(rows, ofRows),
    columns: axisContent(columns, ofColumns),
    cells: { row, column, bytes, count, seconds, call: context.map((one) => numberOf.get(one) ?? -1) },
    calls: named.map(({ name }) => shorten(name, MAX_NAME)),
    total,
    beside: beside.slice(0, MOST_BESIDE).map((one) => ({ ...one, name: shorten(one.name, MAX_NAME) })),
  };
}

function timesOf(view: CommunicationView): Pick<CommunicationContent, "run" | "window"> {
  const { trace } = view.dataSet;
  if (!trace || !(trace.endSeconds > trace.startSeconds)) return {};
  const run = { from: trace.startSeconds, to: trace.endSeconds };
  return { run, window: leftOf(windowOf(view) ?? run, run) };
}

function axisContent({ level, groups }: MatrixAxis, values: MatrixValues): CommunicationAxis {
  return {
    level: shorten(level, MAX_NAME),
    names: groups.slice(0, ROW_LIMIT).map(({ name }) => shorten(name, MAX_NAME)),
    sizes: Int32Array.from(groups, ({ first, last }) => last - first + 1),
    ...values,
  };
}

function notes({ rows, columns, total, cells }: CommunicationMatrix, view: CommunicationView): string[] {
  const together = Math.max(rows.together, columns.together);
  const noLines = noLinesMessage(view.dataSet);
  return [
    ...(together > 1
      ? [
          `There are more than ${rows.groups.length.toLocaleString("en")} rows: ${together} neighbours (${rows.level}) share one. Their menu shows them apart.`,
        ]
      : []),
    ...(cells.row.length > 0 && total.bytes === 0
      ? [
          byView(view) === "bytes"
            ? "No sizes were recorded: the matrix by count, or by time, has what is known."
            : `Sizes of ${ofView(view) === "ranks" ? "messages" : "transfers"} were not recorded: the matrix is by ${byView(view) === "count" ? "count" : "time"}.`,
        ]
      : []),
    ...(noLines === undefined ? [] : [noLines]),
  ];
}

/** Where one is: the recording, then what is shown apart. */
function steps({ state, dataSet }: CommunicationView, shown?: CommunicationMatrix): Step[] {
  const whole = firstStep(dataSet, ALL);
  if (!state.rows || !state.columns || !shown) return [whole];
  const nameOf = ({ groups }: MatrixAxis) => {
    const [first, last] = [groups.at(0)?.name ?? "", groups.at(-1)?.name ?? ""];
    return shorten(first === last ? first : `${first} – ${last}`, MAX_NAME);
  };
  return [
    { ...whole, title: "Back to everything" },
    { id: "part", text: `${nameOf(shown.rows)} → ${nameOf(shown.columns)}` },
  ];
}

/** The pair's heaviest call, at both of its ends. */
async function subject(
  { cells, rows, columns, calls }: CommunicationMatrix,
  mark: number | undefined,
  { session, scope }: CommunicationView,
): Promise<Subject | undefined> {
  if (mark === undefined || mark >= cells.row.length) return undefined;
  const ends = [rows.groups[cells.row[mark]], columns.groups[cells.column[mark]]];
  const lanes = [...new Set(ends.flatMap((end) => end.lanes ?? []))].sort((a, b) => a - b);
  const at = { lanes, name: [...new Set(ends.map(({ name }) => name))].join(" → ") };
  const context = cells.context[mark];
  const call = calls.find((one) => one.context === context);
  if (!call) return { target: undefined, name: at.name, at };
  const target = { kind: "context", context } as const;
  return { target, name: call.name, at, link: await session.engine.link({ dataSet: scope.dataSet, target }) };
}

/** The pair with most of what is shown, of those whose heaviest call is what is selected. */
function markOf(
  { cells, calls }: CommunicationMatrix,
  { target, name }: Selection,
  view: CommunicationView,
): number | undefined {
  const isOwn = (context: number) =>
    target.kind === "context"
      ? context === target.context
      : target.kind === "function" && calls.some((call) => call.context === context && call.name === name);
  const own = [...cells.row.keys()].filter((cell) => cells.context[cell] >= 0 && isOwn(cells.context[cell]));
  const values = cells[byView(view)];
  return own.length === 0 ? undefined : own.reduce((most, cell) => (values[cell] > values[most] ? cell : most));
}
