/** What a panel is saved as: the drawing as SVG or PNG, its tables as CSV. */
import { csv } from "../../src/model/csv";
import { setAll, svg } from "../shared/dom";
import { pictureText } from "../shared/pictureText";
import { pngBase64 } from "../shared/png";
import { fit, visible, wrapped } from "../shared/text";
import type { LegendEntry } from "./frame/model";
import { elementOf } from "./stage/painters";
import type { DrawView, Shape } from "./stage/scene";
import type { Theme } from "./theme/theme";
import type { TableSpec } from "./definition";

const LEFT = 12;
/** Pixels from row to row below the drawing, and from there to the first one's letters. */
const ROW = 18;
const FIRST_ROW = 14;
const SIZE = 12;
const LEGEND_SIZE = 11;
/** Between the parts of an entry of the legend, and between entries. */
const PART_GAP = 5;
const ENTRY_GAP = 16;

/** What stands below a saved drawing: what it is of. */
export interface Foot {
  readonly title: string;
  /** The longest wording first. */
  readonly summary: readonly string[];
  /** What has to be known beside it, as the panel says it: "estimated from a call graph". */
  readonly notes: readonly string[];
  readonly legend: readonly LegendEntry[];
}

/** A drawing with all that is to be known of it, as a file of its own. */
export async function picture(
  format: "svg" | "png",
  shapes: readonly Shape[],
  view: DrawView,
  { title, summary, notes, legend }: Foot,
): Promise<string> {
  const { width, height, theme } = view;
  const measure = view.measure(SIZE);
  const room = width - 2 * LEFT;
  const words = summary.map(visible);
  const lines = [
    visible(title),
    words.find((text) => measure(text) <= room) ?? words.at(-1) ?? "",
    ...notes.flatMap((note) => wrapped(visible(note), room, measure)),
  ];
  const texts = lines.map((line, at): Shape => {
    const y = height + FIRST_ROW + ROW * at;
    const weight = at === 0 ? 600 : 400;
    return {
      kind: "text",
      at: { x: LEFT, y },
      text: fit(line, room, view.measure(SIZE, weight)),
      size: SIZE,
      weight,
      fill: theme.text,
    };
  });
  const keys = legendRows(legend, height + FIRST_ROW + ROW * lines.length, view);
  const high = height + ROW * (lines.length + keys.rows) + ROW / 2;
  const ground: Shape = { kind: "box", box: { x: 0, y: 0, width, height: high }, fill: theme.background };
  const elements = [ground, ...shapes, ...texts].map((shape) => elementOf(shape, theme.font));
  const root = svg(
    "svg",
    { width, height: high, viewBox: `0 0 ${width} ${high}` },
    svg("title", {}, lines[0]),
    elements,
    svg("g", {}, keys.elements),
  );
  const text = pictureText(root);
  return format === "svg" ? text : pngBase64(text, width, high);
}

/** All entries of a legend, in as many rows as they need. @param top the first row's baseline */
function legendRows(legend: readonly LegendEntry[], top: number, { width, theme, measure }: DrawView) {
  const elements: SVGElement[] = [];
  const widthOf = measure(LEGEND_SIZE);
  const sizeOf = (part: LegendEntry["parts"][number]) =>
    part instanceof SVGElement ? Number(part.getAttribute("width")) : widthOf(visible(wordsOf(part)));
  let [x, rows] = [LEFT, legend.length > 0 ? 1 : 0];
  for (const { parts } of legend) {
    const wide = parts.reduce((sum, part) => sum + sizeOf(part) + PART_GAP, 0);
    if (x > LEFT && x + wide > width - LEFT) [x, rows] = [LEFT, rows + 1];
    const y = top + ROW * (rows - 1);
    for (const part of parts) {
      elements.push(part instanceof SVGElement ? pictureAt(part, x, y) : wordsAt(part, x, y, theme));
      x += sizeOf(part) + PART_GAP;
    }
    x += ENTRY_GAP - PART_GAP;
  }
  return { elements, rows };
}

type Words = string | { readonly strong: string };

function wordsOf(part: Words): string {
  return typeof part === "string" ? part : part.strong;
}

function wordsAt(part: Words, x: number, y: number, { font, text, muted }: Theme): SVGElement {
  const fill = typeof part === "string" ? muted : text;
  return elementOf({ kind: "text", at: { x, y }, text: visible(wordsOf(part)), size: LEGEND_SIZE, fill }, font);
}

/** The one in the frame stays there. */
function pictureAt(part: SVGSVGElement, x: number, y: number): SVGElement {
  const copy = part.cloneNode(true) as SVGSVGElement;
  setAll(copy, { x, y: y - Number(part.getAttribute("height")) + 1 });
  return copy;
}

/**
 * All rows of all tables, numbers in full, below one header that has the columns of all of them: several tables are told apart by the
 * column `table`.
 *
 * @param notes on what the numbers are, in the first row of a column of their own
 */
export function tablesCsv(tables: readonly TableSpec<unknown>[], notes: readonly string[] = []): string {
  const note = notes.map(visible).join(" · ");
  const named = tables.map((table) => ({ ...table, byTitle: columnsByTitle(table) }));
  const titles = [...new Set(named.flatMap(({ byTitle }) => [...byTitle.keys()]))];
  const isSeveral = tables.length > 1;
  const rows = named.flatMap(({ caption, byTitle, rows: all }) =>
    all.map((row) => [...(isSeveral ? [caption] : []), ...titles.map((title) => cellOf(byTitle.get(title), row))]),
  );
  const header = [...(isSeveral ? ["table"] : []), ...titles];
  if (note === "") return csv([header, ...rows]);
  return csv([[...header, "notes"], ...rows.map((row, at) => [...row, at === 0 ? note : ""])]);
}

type AnyColumn = TableSpec<unknown>["columns"][number];

/** What a row does not have leaves its cell empty. */
function cellOf(column: AnyColumn | undefined, row: unknown): string | number {
  const key = column?.key(row) ?? "";
  return Number.isNaN(key) ? "" : key;
}

/** Of several columns of one title the second is `title (2)`. */
function columnsByTitle({ columns }: TableSpec<unknown>): Map<string, AnyColumn> {
  const byTitle = new Map<string, AnyColumn>();
  for (const column of columns) {
    let { title } = column;
    for (let number = 2; byTitle.has(title); number++) title = `${column.title} (${number})`;
    byTitle.set(title, column);
  }
  return byTitle;
}
