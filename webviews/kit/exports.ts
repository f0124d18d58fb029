/** What a panel is saved as: the drawing as SVG or PNG, its tables as CSV. */
import { csv } from "../../src/model/csv";
import { svg } from "../shared/dom";
import { pictureText } from "../shared/pictureText";
import { pngBase64 } from "../shared/png";
import { visible } from "../shared/text";
import { elementOf } from "./stage/painters";
import type { DrawView, Shape } from "./stage/scene";
import type { TableSpec } from "./definition";

const FOOT = 44;
const SIZE = 12;

/** @param lines below the drawing: what it is of */
export async function picture(
  format: "svg" | "png",
  shapes: readonly Shape[],
  { width, height, theme }: DrawView,
  lines: readonly string[],
): Promise<string> {
  const high = height + FOOT;
  const foot = lines.slice(0, 2).map((line, at): Shape => {
    const y = height + 14 + 18 * at;
    return { kind: "text", at: { x: 12, y }, text: visible(line), size: SIZE, fill: theme.text };
  });
  const ground: Shape = { kind: "box", box: { x: 0, y: 0, width, height: high }, fill: theme.background };
  const elements = [ground, ...shapes, ...foot].map((shape) => elementOf(shape, theme.font));
  const text = pictureText(svg("svg", { width, height: high, viewBox: `0 0 ${width} ${high}` }, ...elements));
  return format === "svg" ? text : pngBase64(text, width, high);
}

/** All rows of all tables, numbers in full; several tables stand below each other with an empty line between. */
export function tablesCsv(tables: readonly TableSpec<unknown>[]): string {
  return tables
    .map(({ columns, rows }) =>
      csv([
        columns.map(({ title }) => title),
        // What a row does not have leaves its cell empty.
        ...rows.map((row) => columns.map(({ key }) => (Number.isNaN(key(row)) ? "" : key(row)))),
      ]),
    )
    .join("\r\n");
}
