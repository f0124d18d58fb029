/** Functions by the values of a parameter, or one number by the values of two, as cells in heat. Pure. */
import { formatValue } from "../../src/model/units";
import { type PivotContent, type Statistic, STATISTIC_NAMES } from "../../src/protocol/ensembleRuns";
import { everyNth, TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { tableOf, type TableSpec } from "../kit/definition";
import { heatLegend, wordLegend } from "../kit/legend";
import type { Box, DrawView, Fact, Mark, Scene, Shape } from "../kit/stage/scene";
import { numberColumn, savedOnly, textColumn } from "../kit/table/columns";
import { heatPosition } from "../kit/theme/theme";
import { fit, fitName, plural, visible } from "../shared/text";
import type { RunsViewPage } from "./view";

/** Above the cells: what columns are, and their values. */
const TOP = 40;
const [EDGE, GAP] = [10, 8];
const [LEAST_ROW, MOST_ROW] = [16, 34];
/** A column is at least, and at most, so wide. */
const [LEAST_COLUMN, MOST_COLUMN] = [14, 160];
/** The line that says what there is no room for. */
const REST = 18;
/** Room around a number in its cell. */
const INSET = 5;

export const pivotPage: RunsViewPage<PivotContent> = {
  draw,
  tables: (content) => [pivotTable(content)],
  legend: (content, theme) => [
    heatLegend(theme, STATISTIC_NAMES[content.statistics[content.drawn]], largestOf(content), content.unit),
    ...(content.values.some((having, cell) => having < content.runs[cell])
      ? [wordLegend("2 of 3", "one of the runs lacks it")]
      : []),
  ],
  hint: "double click: hottest line in these runs · drag restricts",
  summary(content) {
    const { rows, columns, columnsBy } = content;
    const of = visible(subjectOf(content)).slice(0, 100);
    const size = `${plural(rows.length, rowNoun(content), rowNouns(content))} × ${plural(columns.length, "group")}`;
    const by = columnsBy === "" ? "" : ` by ${visible(columnsBy).slice(0, 60)}`;
    return [`${of}, ${content.over} · ${size}${by}`, `${of} · ${size}${by}`, `${of} · ${size}`, size];
  },
  name: (content) => visible(`${subjectOf(content)} by ${byOf(content).join(" and ")}`),
  nouns: ["cell", "cells"],
  named: (content) => [
    {
      first: 0,
      names: content.rows.flatMap((_, row) => content.columns.map((__, column) => cellName(content, row, column))),
    },
  ],
  can: ({ runs }, mark) => runs[mark] > 0,
  facts,
};

function rowNoun({ rowsBy }: PivotContent): string {
  return rowsBy === "" ? "function" : "value";
}

function rowNouns({ rowsBy, presence }: PivotContent): string {
  return rowsBy === "" ? `functions${presence === undefined ? "" : ` ${visible(presence)}`}` : "values";
}

/** `exclusive time`, `MPI_Allreduce, exclusive`, `totals of runs`. */
function subjectOf({ rowsBy, of, value, metric }: PivotContent): string {
  if (rowsBy === "") return `${value} ${metric}`;
  return of === "" ? `totals of runs, ${metric}` : `${of}, ${value}`;
}

function byOf({ rowsBy, columnsBy }: PivotContent): string[] {
  return [rowsBy === "" ? "function" : rowsBy, columnsBy].filter((one) => one !== "");
}

function valueName(by: string, value: string): string {
  return by === "" ? "all runs" : `${visible(by)} ${visible(value)}`;
}

/** `MPI_Allreduce · ranks 16`. */
function cellName({ rows, rowsBy, columns, columnsBy }: PivotContent, row: number, column: number): string {
  const own = rowsBy === "" ? visible(rows[row]) : valueName(rowsBy, rows[row]);
  return columnsBy === "" ? own : `${own} · ${valueName(columnsBy, columns[column])}`;
}

function numberOf({ numbers, statistics, drawn }: PivotContent, cell: number, statistic = drawn): number {
  return numbers[cell * statistics.length + statistic];
}

/** The end of the heat. */
function largestOf(content: PivotContent): number {
  return content.runs.reduce((most, _, cell) => {
    const value = numberOf(content, cell);
    return value > most ? value : most;
  }, 0);
}

function draw(content: PivotContent, view: DrawView): Scene {
  const { rows, columns, rowsBy, columnsBy, runs } = content;
  const { width, height, theme } = view;
  const measure = view.measure(SIZE);
  const words = wordsAt(theme);
  const names = rows.map((name) => visible(name).slice(0, 200) || "(no name)");
  const longest = names.reduce((most, name) => Math.max(most, measure(name)), 0);
  const left = EDGE + Math.ceil(Math.min(longest + 1, Math.max(70, width * 0.28), 240)) + GAP;
  const room = { width: width - left - EDGE, height: height - TOP - 4 };
  const shownColumns = Math.min(columns.length, Math.max(1, Math.floor(room.width / LEAST_COLUMN)));
  const wide = Math.min(MOST_COLUMN, room.width / Math.max(1, shownColumns));
  const restColumns = columns.length - shownColumns;
  const free = room.height - (restColumns > 0 ? REST : 0);
  const fits = rows.length * LEAST_ROW <= free;
  const shownRows = fits ? rows.length : Math.max(1, Math.floor((free - (restColumns > 0 ? 0 : REST)) / LEAST_ROW));
  const high = fits ? Math.min(MOST_ROW, free / Math.max(1, rows.length)) : LEAST_ROW;
  const boxOf = (row: number, column: number): Box => ({
    x: left + column * wide + 0.5,
    y: TOP + row * high + 0.5,
    width: wide - 1,
    height: high - 1,
  });
  const largest = largestOf(content);
  const cells = Array.from({ length: shownRows * shownColumns }, (_, at) => ({
    row: Math.floor(at / shownColumns),
    column: at % shownColumns,
  })).filter(({ row, column }) => runs[row * columns.length + column] > 0);
  const ticks = columns.slice(0, shownColumns).map((value, column) => ({
    at: left + (column + 0.5) * wide,
    text: fitName(columnsBy === "" ? "all runs" : visible(value), Math.max(wide - 6, 40), measure),
  }));
  const rest = [
    ...(shownRows < rows.length ? [`${plural(rows.length - shownRows, rowNoun(content))}`] : []),
    ...(restColumns > 0 ? [plural(restColumns, "group")] : []),
  ];
  const bottom = TOP + shownRows * high;
  const right = left + shownColumns * wide;
  const down = rowsBy === "" ? "" : `↓ ${visible(rowsBy)}`;
  const along = columnsBy === "" ? "" : `${visible(columnsBy)} →`;
  return {
    below: [],
    marks: cells.map(({ row, column }) => cellMark(content, row, column, boxOf(row, column), largest, view)),
    above: [
      words(EDGE, 14, fit(down, left - EDGE, measure), { weight: 600 }),
      words(Math.max(right, left + measure(along)), 14, fit(along, width - left - EDGE, view.measure(SIZE, 600)), {
        weight: 600,
        anchor: "end",
      }),
      ...everyNth(ticks, { x: left, y: TOP, width: shownColumns * wide, height: 0 }, view).map(({ at, text }) =>
        words(at, TOP - GAP, text, { anchor: "middle" }),
      ),
      ...names
        .slice(0, shownRows)
        .map((name, row) =>
          words(EDGE, TOP + (row + 0.5) * high + 4, fitName(name, left - EDGE - GAP, measure), { title: name }),
        ),
      ...(rest.length > 0
        ? [words(EDGE, bottom + 13, `${rest.join(" and ")} more in the table`, { fill: theme.muted })]
        : []),
    ],
    brush: { x: left, y: TOP, width: shownColumns * wide, height: shownRows * high },
    move: (from, key) => moved(content, cells, from, key),
  };
}

function cellMark(
  content: PivotContent,
  row: number,
  column: number,
  box: Box,
  largest: number,
  { theme, measure }: DrawView,
): Mark {
  const { rows, columns, places, unit, values, runs } = content;
  const cell = row * columns.length + column;
  const value = numberOf(content, cell);
  const isKnown = !Number.isNaN(value);
  const fill = isKnown ? theme.heat(heatPosition(value, largest)) : undefined;
  const width = measure(SIZE);
  const whole = values[cell] === runs[cell];
  const count = whole ? "" : `${values[cell]} of ${runs[cell]}`;
  const number = isKnown ? formatValue(value, unit) : "";
  const texts = [[number, count].filter((text) => text !== "").join(" · "), number];
  const text = texts.find((one) => one !== "" && width(one) + 2 * INSET <= box.width) ?? "";
  // Of the same name there may be several: cut ones, and a value that is called as what stands for none.
  const before = (names: readonly string[], at: number) => names.slice(0, at).filter((one) => one === names[at]).length;
  const same = [rows[row], before(rows, row), columns[column], before(columns, column)];
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 + 4 };
  const label: Shape & { kind: "text" } = {
    kind: "text",
    at,
    text,
    size: SIZE,
    anchor: "middle",
    fill: fill === undefined ? theme.muted : theme.ink(fill),
  };
  return {
    id: cell,
    key: JSON.stringify(same),
    box,
    name: cellName(content, row, column),
    place: places[row] || undefined,
    paint: { ...(fill === undefined ? {} : { fill }), stroke: theme.outline, strokeWidth: 1 },
    ...(text === "" ? {} : { label }),
    facts: () => facts(content, cell),
    note: () => content.over,
  };
}

/** To the next cell in the same row or column that has runs. */
function moved(
  { columns }: PivotContent,
  cells: readonly { readonly row: number; readonly column: number }[],
  from: number,
  key: string,
): number {
  const at = { row: Math.floor(from / columns.length), column: from % columns.length };
  const isAlong = key === "ArrowLeft" || key === "ArrowRight";
  const isBack = key === "ArrowLeft" || key === "ArrowUp";
  const line = cells.filter(({ row, column }) =>
    isAlong
      ? row === at.row && (isBack ? column < at.column : column > at.column)
      : column === at.column && (isBack ? row < at.row : row > at.row),
  );
  const next = line.at(isBack ? -1 : 0);
  return next ? next.row * columns.length + next.column : from;
}

function facts(content: PivotContent, cell: number): Fact[] {
  const { statistics, unit, values, runs } = content;
  if (values[cell] === 0) return [["in runs", `none of ${runs[cell]}`]];
  return [
    ...statistics.map((one, at): Fact => [STATISTIC_NAMES[one], formatValue(numberOf(content, cell, at), unit)]),
    ["in runs", `${values[cell]} of ${runs[cell]}`],
  ];
}

/** A row as the drawing has it, with every statistic of every group as a column. */
function pivotTable(content: PivotContent): TableSpec<unknown> {
  const { rows, rowsBy, columns, columnsBy, statistics, unit, values, runs, places } = content;
  const cellOf = (row: number, column: number) => row * columns.length + column;
  const titled = (column: number, what: string) =>
    columnsBy === "" ? what : `${valueName(columnsBy, columns[column])}: ${what}`;
  const statistic = (column: number, one: Statistic, at: number) =>
    numberColumn<number>(
      titled(column, STATISTIC_NAMES[one]),
      (row) => numberOf(content, cellOf(row, column), at),
      (row) => {
        const value = numberOf(content, cellOf(row, column), at);
        return Number.isNaN(value) ? "none" : formatValue(value, unit);
      },
    );
  return tableOf<number>({
    caption: visible(`${subjectOf(content)} by ${byOf(content).join(" and ")}`),
    columns: [
      rowsBy === ""
        ? textColumn("function", (row) => visible(rows[row]))
        : textColumn(
            visible(rowsBy),
            (row) => row,
            (row) => visible(rows[row]),
          ),
      ...columns.flatMap((_, column) => [
        ...statistics.map((one, at) => statistic(column, one, at)),
        numberColumn<number>(
          titled(column, "runs"),
          (row) => values[cellOf(row, column)],
          (row) => `${values[cellOf(row, column)]} of ${runs[cellOf(row, column)]}`,
        ),
      ]),
      ...(rowsBy === ""
        ? [textColumn<number>("defined at", (row) => visible(places[row]))]
        : savedOnly(textColumn<number>("of", () => visible(subjectOf(content))))),
    ],
    rows: [...rows.keys()],
    sortedBy: rowsBy === "" && columns.length > 0 ? 1 : 0,
    ...(rowsBy === "" && columns.length > 0 ? {} : { ascending: true }),
    markOf: (row) => {
      const first = columns.findIndex((_, column) => runs[cellOf(row, column)] > 0);
      return first < 0 ? undefined : cellOf(row, first);
    },
  });
}
