/** Cells in heat, what they are from and to at the edges, and the sums of rows and columns. Pure. */
import { type CommunicationAxis, type CommunicationContent, ROW_LIMIT } from "../../src/protocol/communication";
import { highlightBar, highlightRoof } from "../kit/highlight";
import { byStep, everyNth, roundStep, rule, stepWithRoom, TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import type { Box, DrawView, Mark, Scene, Shape } from "../kit/stage/scene";
import { heatPosition } from "../kit/theme/theme";
import { fitName, visible } from "../shared/text";
import { commonPrefix, pairFacts, pairName, valueText } from "./describe";

/** Sums at the edges, and what is between them and the cells. */
const SUMS = 24;
const GAP = 8;
/** Above the cells: what rows and columns are, and names of columns. */
const TOP = 42;
const EDGE = 10;
/** Names of rows are cut beyond this, and beyond a part of the width. */
const WIDEST = 160;
const MOST_GUTTER = 0.28;
/** Between names of rows. */
const LINE = 13;
/** Cells that are lower, or narrower, have no number, and their frame lies around them. */
const NUMBER = { width: 34, height: 26 } as const;
/** The frame of larger ones lies in them. */
const INSET = 6;
/** Cells that are smaller have no edge. */
const EDGED = 5;
/** Two devices fill no wide panel: cells are at most so much wider than high. */
const MOST_CELL = 180;

export function draw(content: CommunicationContent, view: DrawView): Scene {
  const { width, height, theme, measure } = view;
  const { rows, columns, cells } = content;
  const prefixes = [rows, columns].map(({ names }) => commonPrefix(names));
  const rowNames = rows.names.map((name) => visible(name.slice(prefixes[0].length)));
  const wide = measure(SIZE);
  const room = Math.min(WIDEST, Math.round(width * MOST_GUTTER));
  const shown = rowNames.map((name) => fitName(name, room, wide));
  const gutter = 12 + Math.ceil(shown.reduce((most, name) => Math.max(most, wide(name)), 0)) + GAP + 1;
  const free = { width: width - gutter - SUMS - GAP - EDGE, height: height - TOP - SUMS - GAP - EDGE };
  const plot: Box = {
    x: gutter,
    y: TOP,
    width: Math.max(40, Math.min(free.width, MOST_CELL * columns.names.length)),
    height: Math.max(40, Math.min(free.height, MOST_CELL * rows.names.length)),
  };
  const boxes = new Boxes(plot, rows.names.length, columns.names.length);
  const words = wordsAt(theme);
  const right = plot.x + plot.width;
  const rowTicks = shown.map((text, row) => ({ at: boxes.y(row) + boxes.height / 2, text }));
  const columnTicks = columns.names.map((name, column) => ({
    at: boxes.x(column) + boxes.width / 2,
    text: fitName(visible(name.slice(prefixes[1].length)), Math.max(boxes.width - 8, 60), wide),
  }));
  // Both axes name the same ranks, where they have some.
  const [ofRows, ofColumns] = [roundStep(LINE / boxes.height), stepWithRoom(columnTicks, plot, view)];
  const isSquare = rows.names.length === columns.names.length && rows.level === columns.level;
  const least = isSquare ? Math.max(ofRows, ofColumns) : 1;
  const titles = [
    `↓ from ${visible(prefixes[0].trim() || rows.level)}`,
    `to ${visible(prefixes[1].trim() || columns.level)} →`,
  ].map((title) => fitName(title, Math.max(60, (right - 12) / 2 - 8), measure(SIZE, 600)));
  return {
    below: [rule(outline(plot), theme.grid), ...sums(content, boxes, plot, view)],
    marks: marksOf(content, boxes, view),
    above: [
      words(12, 14, titles[0], { weight: 600 }),
      words(Math.max(right, 12 + measure(SIZE, 600)(titles[0]) + 16 + measure(SIZE, 600)(titles[1])), 14, titles[1], {
        weight: 600,
        anchor: "end",
      }),
      ...byStep(rowTicks, Math.max(least, ofRows)).map(({ at, text }) =>
        words(plot.x - GAP - 1, at + 4, text, { anchor: "end" }),
      ),
      ...highlights(content, boxes, plot, view),
      ...everyNth(columnTicks, plot, view, least).map(({ at, text }) =>
        words(at, TOP - GAP - 2, text, { anchor: "middle" }),
      ),
    ],
    move: (from, key) => moved(cells, from, key),
  };
}

/** Beside rows and above columns that are highlighted. */
function highlights({ rows, columns }: CommunicationContent, boxes: Boxes, plot: Box, view: DrawView): Shape[] {
  const isHighlighted = (place: number) => view.highlighted?.places.has(place) === true;
  return [
    ...[...rows.names.keys()]
      .filter((row) => isHighlighted(row))
      .map((row) => highlightBar({ x: plot.x - 5, y: boxes.y(row), width: 0, height: boxes.height }, view)),
    ...[...columns.names.keys()]
      .filter((column) => isHighlighted(ROW_LIMIT + column))
      .map((column) => highlightRoof({ x: boxes.x(column), y: plot.y - 5, width: boxes.width, height: 0 }, view)),
  ];
}

/** Where cells lie. */
class Boxes {
  readonly width: number;
  readonly height: number;

  constructor(
    private readonly plot: Box,
    rows: number,
    columns: number,
  ) {
    this.width = plot.width / Math.max(1, columns);
    this.height = plot.height / Math.max(1, rows);
  }

  x(column: number): number {
    return this.plot.x + column * this.width;
  }

  y(row: number): number {
    return this.plot.y + row * this.height;
  }
}

function outline({ x, y, width, height }: Box): string {
  return `M${x - 0.5},${y - 0.5}h${width + 1}v${height + 1}h${-width - 1}Z`;
}

function marksOf(content: CommunicationContent, boxes: Boxes, { theme, measure }: DrawView): Mark[] {
  const { cells, by } = content;
  const values = cells[by];
  const largest = largestOf(content);
  const apart = Math.min(boxes.width, boxes.height) >= EDGED ? 1 : 0;
  const hasNumbers = boxes.width >= NUMBER.width && boxes.height >= NUMBER.height;
  const wide = measure(SIZE);
  return Array.from(cells.row, (row, cell): Mark => {
    const column = cells.column[cell];
    const box = {
      x: boxes.x(column) + apart / 2,
      y: boxes.y(row) + apart / 2,
      width: boxes.width - apart,
      height: boxes.height - apart,
    };
    const fill = theme.heat(heatPosition(values[cell], largest));
    const text = valueText(content, values[cell]);
    const isNumbered = hasNumbers && wide(text) + 2 * INSET + 4 <= box.width;
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 + 4 };
    return {
      id: cell,
      key: `${row} ${column}`,
      box,
      name: pairName(content, cell),
      ...(hasNumbers ? { framed: inset(box) } : {}),
      paint: { fill, ...(apart > 0 ? { stroke: theme.outline, strokeWidth: 1 } : {}) },
      ...(isNumbered
        ? { label: { kind: "text", at, text, size: SIZE, anchor: "middle", fill: theme.ink(fill) } as const }
        : {}),
      facts: () => pairFacts(content, cell),
    };
  });
}

function inset({ x, y, width, height }: Box): Box {
  return { x: x + INSET, y: y + INSET, width: width - 2 * INSET, height: height - 2 * INSET };
}

/** The end of the heat: the largest cell. */
export function largestOf({ cells, by }: Pick<CommunicationContent, "cells" | "by">): number {
  return cells[by].reduce((most, value) => Math.max(most, value), 0);
}

/** One bar for each row and each column, all on one scale. */
function sums(content: CommunicationContent, boxes: Boxes, plot: Box, { theme }: DrawView): Shape[] {
  const { by, rows, columns } = content;
  const most = [rows, columns].flatMap((axis) => [...axis[by]]).reduce((all, one) => Math.max(all, one), 0);
  if (most === 0) return [];
  const [right, bottom] = [plot.x + plot.width + GAP, plot.y + plot.height + GAP];
  const bars = (axis: CommunicationAxis, size: number, boxOf: (at: number, length: number) => Box) =>
    Array.from(axis[by], (value, at): Shape[] =>
      value > 0 ? [{ kind: "box", box: boxOf(at, Math.max(1, (value / most) * SUMS)), ...barPaint(size) }] : [],
    ).flat();
  const barPaint = (size: number) => ({
    fill: theme.muted,
    ...(theme.edge !== undefined && size > EDGED ? { stroke: theme.edge, strokeWidth: 1 } : {}),
  });
  const thin = (size: number) => Math.max(0.5, size - (size > 3 ? 1 : 0));
  return [
    ...bars(rows, boxes.height, (row, length) => ({
      x: right,
      y: boxes.y(row),
      width: length,
      height: thin(boxes.height),
    })),
    ...bars(columns, boxes.width, (column, length) => ({
      x: boxes.x(column),
      y: bottom,
      width: thin(boxes.width),
      height: length,
    })),
  ];
}

/** Left and right from cell to cell, up and down to the nearest one of the next row that has some. */
function moved({ row, column }: CommunicationContent["cells"], from: number, key: string): number {
  const last = row.length - 1;
  if (key === "ArrowLeft") return Math.max(0, from - 1);
  if (key === "ArrowRight") return Math.min(last, from + 1);
  const step = key === "ArrowUp" ? -1 : 1;
  let to = from;
  while (to >= 0 && to <= last && row[to] === row[from]) to += step;
  if (to < 0 || to > last) return from;
  let best = to;
  for (let at = to; at >= 0 && at <= last && row[at] === row[to]; at += step)
    if (Math.abs(column[at] - column[from]) < Math.abs(column[best] - column[from])) best = at;
  return best;
}
