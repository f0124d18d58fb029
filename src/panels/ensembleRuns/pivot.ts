/** Functions by the values of a parameter, or one function, or the totals, by the values of two: what is asked, and the content. */
import type { EnsemblePivot, EnsembleRuns, EnsembleScope, RunParameter } from "../../engine/api";
import { placeText } from "../../model/placeText";
import { shownOf } from "../../model/shortName";
import type { Task } from "../../model/task";
import { shorten } from "../../model/texts";
import {
  type EnsembleRunsState,
  FUNCTION_LIMIT,
  groupShares,
  PIVOT_COLUMNS,
  PIVOT_NUMBERS,
  type PivotContent,
  statistics,
} from "../../protocol/ensembleRuns";
import { MARK_LIMIT } from "../../protocol/bounds";
import { cutToFit, pinned } from "../shared";
import { groupingParameters, lackingParameter } from "./parameters";
import { presenceOf, presenceText } from "./presence";
import type { RunsView, ShownPivot } from "./shown";
import { chosenStatistics, statisticOf } from "./statistics";

/** Functions that are offered to be shown by two parameters. */
const MOST_OFFERED = 300;
const MAX_NAME = 200;
const MOST_NAMES = 60_000;

/** Parameters that group runs, into so few groups that each can be a column. */
export function pivotParameters(runs: EnsembleRuns): readonly RunParameter[] {
  return groupingParameters(runs).filter(({ values }) => values < PIVOT_COLUMNS);
}

export function pivotRows(runs: EnsembleRuns, { pivotRows: wanted }: EnsembleRunsState): string | undefined {
  return pivotParameters(runs).find(({ name }) => name === wanted)?.name;
}

/** The chosen one, else ranks, else the first input; never that of the rows. */
export function pivotColumns(runs: EnsembleRuns, state: EnsembleRunsState): string | undefined {
  const rows = pivotRows(runs, state);
  const others = pivotParameters(runs).filter(({ name }) => name !== rows);
  const named = (wanted: string | undefined) => others.find(({ name }) => name === wanted);
  return (named(state.pivotColumns) ?? named("ranks") ?? others.find(({ isOutput }) => !isOutput))?.name;
}

/** Whether runs could be grouped, but only by outputs, none of which is chosen. */
export function isPivotUnchosen(runs: EnsembleRuns, state: EnsembleRunsState): boolean {
  const isGrouped = pivotRows(runs, state) !== undefined || pivotColumns(runs, state) !== undefined;
  return !isGrouped && pivotParameters(runs).length > 0;
}

/** The function that is shown by two parameters; undefined: the totals. */
export function pivotFunction(view: RunsView): { readonly function: number; readonly name: string } | undefined {
  const { target, name } = pinned(view.state.subject, view);
  return target?.kind === "function" ? { function: target.function, name: name ?? "" } : undefined;
}

export async function askPivot(
  view: RunsView,
  runs: EnsembleRuns,
  scope: EnsembleScope,
  task: Task,
): Promise<ShownPivot> {
  const { state, session } = view;
  const { engine } = session;
  const [rowsBy, columnsBy] = [pivotRows(runs, state), pivotColumns(runs, state)];
  const common = { scope, value: state.value, shares: groupShares };
  if (rowsBy === undefined) {
    if (columnsBy === undefined)
      throw lackingParameter(
        "No parameter groups these runs: none has the same value in several runs and another value in others.",
      );
    const presence = presenceOf(runs, state);
    const query = { ...common, by: columnsBy, most: FUNCTION_LIMIT, ...(presence ? { presence } : {}) };
    const found = await engine.ensembleGroups(query, task);
    return {
      rowsBy,
      columnsBy,
      rows: [],
      rowOf: undefined,
      functions: found.functions,
      rowCount: found.functionCount,
      columns: found.groups,
      cells: found.statistics,
      runs: found.runs,
      columnOf: found.groupOf,
      offered: [],
    };
  }
  const id = pivotFunction(view)?.function;
  const query = { ...common, down: rowsBy, ...(id === undefined ? {} : { function: id }) };
  const pivot = await engine.ensemblePivot(
    { ...query, ...(columnsBy === undefined ? {} : { along: columnsBy }) },
    task,
  );
  const offered = await engine.hotFunctions({ scope: view.scope, by: "exclusive", limit: MOST_OFFERED }, task);
  return { ...pivot, rowsBy, columnsBy, functions: [], rowCount: pivot.rows.length, offered };
}

/** What is sent of each cell: the columns of tables, and what is drawn. */
function sentStatistics(state: EnsembleRunsState) {
  const chosen = chosenStatistics(state);
  return statistics.filter((one) => chosen.includes(one) || one === state.statistic);
}

/** How many rows a message has room for. */
export function rowsHere({ cells, columns }: ShownPivot, state: EnsembleRunsState): number {
  const most = Math.min(MARK_LIMIT, PIVOT_NUMBERS / sentStatistics(state).length);
  return Math.min(cells.length, Math.floor(most / Math.max(1, columns.length)));
}

/** Functions with most, or the first values, before the others. */
export function pivotContent(
  shown: ShownPivot,
  view: RunsView,
  common: Pick<PivotContent, "metric" | "unit" | "over">,
): PivotContent {
  const { rowsBy, columnsBy, columns, functions, cells, rowCount } = shown;
  const { state } = view;
  const sent = sentStatistics(state);
  const here = cells.slice(0, rowsHere(shown, state));
  const isOfFunctions = rowsBy === undefined;
  const of = isOfFunctions ? undefined : pivotFunction(view);
  const presence = isOfFunctions ? presenceText(state) : undefined;
  const valueText = (value: EnsemblePivot["rows"][number]) => (value === null ? "no value" : String(value));
  const names = isOfFunctions ? functions.map(shownOf) : shown.rows.map(valueText);
  const places = isOfFunctions
    ? functions.map(({ link }) => (link && placeText(link)) ?? "")
    : shown.rows.map(() => "");
  return {
    view: "pivot",
    ...common,
    value: state.value,
    of: shorten(of?.name ?? "", MAX_NAME),
    rowsBy: shorten(rowsBy ?? "", MAX_NAME),
    columnsBy: shorten(columnsBy ?? "", MAX_NAME),
    rows: cutToFit(names.slice(0, here.length), MOST_NAMES),
    places: cutToFit(places.slice(0, here.length), MOST_NAMES),
    columns: cutToFit(columns.map(valueText), MOST_NAMES),
    statistics: sent,
    drawn: sent.indexOf(state.statistic),
    numbers: Float64Array.from(
      here.flatMap((row) => row.flatMap((cell) => sent.map((one) => (cell ? statisticOf(cell, one) : NaN)))),
    ),
    values: Int32Array.from(here.flatMap((row) => row.map((cell) => cell?.values ?? 0))),
    runs: Int32Array.from(here.flatMap((row) => row.map((cell) => cell?.runs ?? 0))),
    rowCount,
    ...(presence === undefined ? {} : { presence }),
  };
}

/** The runs of some cells, as the engine numbers them. */
export function runsOfCells({ columns, columnOf, rowOf, runs }: ShownPivot, cells: ReadonlySet<number>): number[] {
  const places = [...cells].map((cell) => [Math.floor(cell / columns.length), cell % columns.length] as const);
  const has = (run: number) =>
    places.some(([row, column]) => columnOf[run] === column && (rowOf === undefined || rowOf[run] === row));
  return [...runs].filter((_, at) => has(at));
}

/** The first cell of a function's row, where functions are rows. */
export function cellOfFunction({ functions, columns }: ShownPivot, id: number): number | undefined {
  const row = functions.findIndex((one) => one.function === id);
  return row < 0 ? undefined : row * columns.length;
}
