/** Columns of tables, out of what they are sorted by. */
import type { Column } from "./table";

export function textColumn<Row>(
  title: string,
  key: (row: Row) => string | number,
  text = (row: Row): string => String(key(row)),
): Column<Row> {
  return { title, kind: "text", key, text };
}

/** @param kind "bar": with a bar in every row, whatever it is sorted by */
export function numberColumn<Row>(
  title: string,
  key: (row: Row) => number,
  text = (row: Row): string => key(row).toLocaleString("en"),
  kind: "number" | "share" | "bar" = "number",
): Column<Row> {
  return { title, kind, key, text };
}
