/** Columns of tables, out of what they are sorted by. */
import { visible } from "../../shared/text";
import type { Column } from "./table";

export function textColumn<Row>(
  title: string,
  key: (row: Row) => string | number,
  text = (row: Row): string => String(key(row)),
): Column<Row> {
  return { title, kind: "text", key, text };
}

/** @param key NaN where a row has no such number; @param kind "bar": with a bar in every row, whatever it is sorted by */
export function numberColumn<Row>(
  title: string,
  key: (row: Row) => number,
  text = (row: Row): string => (Number.isNaN(key(row)) ? "none" : key(row).toLocaleString("en")),
  kind: "number" | "share" | "bar" = "number",
): Column<Row> {
  return { title, kind, key, text };
}

/** Columns that are in saved tables, and not on screen. */
export function savedOnly<Row>(...columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((column) => ({ ...column, saved: "only" }));
}

/** Of what a row's numbers are: `time (s), mean over 8 ranks`. @param over what was combined; "": nothing */
export function metricColumn<Row>(
  { metric, unit }: { readonly metric: string; readonly unit: string },
  over: (row: Row) => string,
): Column<Row> {
  const name = unit === "" ? metric : `${metric} (${unit})`;
  return textColumn("metric", (row) => visible([name, over(row)].filter((part) => part !== "").join(", ")));
}
