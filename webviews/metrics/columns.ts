/** Columns of a content, looked up by row and time. Pure. */
import type { MetricsBands, MetricsContent } from "../../src/protocol/metrics";

/** What a row shows in one column. */
export interface Column {
  readonly from: number;
  readonly to: number;
  /** NaN: it has no value. */
  readonly least: number;
  readonly most: number;
  readonly mean: number;
}

/** The place of a row among those that are here; -1: it is not. */
export function placeOfRow({ rows }: MetricsBands, row: number): number {
  return rows.indexOf(row);
}

/** The column of a row at a moment; undefined where nothing of it is here. */
export function columnAt({ bands }: MetricsContent, row: number, seconds: number): Column | undefined {
  const place = bands ? placeOfRow(bands, row) : -1;
  if (!bands || place < 0) return undefined;
  const { from, to, columns, least, most, mean } = bands;
  const step = (to - from) / columns;
  const column = Math.floor((seconds - from) / step);
  if (!(column >= 0 && column < columns)) return undefined;
  const at = place * columns + column;
  const begins = from + column * step;
  return { from: begins, to: begins + step, least: least[at], most: most[at], mean: mean[at] };
}

/** Steps of a row that has few; empty where there are more than would be seen. */
export function stepsOf(
  { stepsAt, seconds, value }: MetricsBands,
  place: number,
): { readonly seconds: Float64Array; readonly value: Float64Array } {
  const [first, end] = [stepsAt[place], stepsAt[place + 1]];
  return { seconds: seconds.subarray(first, end), value: value.subarray(first, end) };
}
