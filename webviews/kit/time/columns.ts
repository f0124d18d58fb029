/** Columns of quantities over time, looked up by row and time, and as curves. Pure. */
import { formatStretch } from "../../../src/model/units";
import type { MetricsBands } from "../../../src/protocol/metrics";
import type { Stretch } from "../../../src/protocol/panel";
import type { Box, Fact } from "../stage/scene";
import { bandOf, type Curve, stepsCurve, type ValueAxis } from "./curves";

/** What a row shows in one column. */
export interface Column {
  readonly from: number;
  readonly to: number;
  /** NaN: it has no value. */
  readonly least: number;
  readonly most: number;
  readonly mean: number;
}

/** The column of a row at a moment; undefined where nothing of it is here. @param place of the row among those that are here */
export function columnAt(
  { from, to, columns, least, most, mean }: MetricsBands,
  place: number,
  seconds: number,
): Column | undefined {
  const step = (to - from) / columns;
  const column = Math.floor((seconds - from) / step);
  if (!(column >= 0 && column < columns)) return undefined;
  const at = place * columns + column;
  const begins = from + column * step;
  return { from: begins, to: begins + step, least: least[at], most: most[at], mean: mean[at] };
}

/** What a column has: never a mean alone. */
export function columnFacts({ from, to, least, most, mean }: Column, text: (value: number) => string): Fact[] {
  const at: Fact = ["at", formatStretch(from, to)];
  if (Number.isNaN(least)) return [at, ["value", "none"]];
  if (least === most) return [at, ["value", text(least)]];
  return [at, ["least", text(least)], ["most", text(most)], ["mean", text(mean)]];
}

/** Whether the steps of a row are here: it has few. */
export function hasSteps({ stepsAt }: MetricsBands, place: number): boolean {
  return stepsAt[place + 1] > stepsAt[place];
}

/** A row's steps where there are few, else its least and most in each column. @param end of the run */
export function curveIn(
  bands: MetricsBands,
  place: number,
  end: number,
  values: ValueAxis,
  window: Stretch,
  area: Box,
): Curve {
  const { columns, least, most, mean, stepsAt, seconds, value } = bands;
  const steps = (column: Float64Array) => column.subarray(stepsAt[place], stepsAt[place + 1]);
  if (hasSteps(bands, place))
    return stepsCurve({ seconds: steps(seconds), value: steps(value) }, Math.min(bands.to, end), values, window, area);
  const own = (column: Float64Array) => column.subarray(place * columns, (place + 1) * columns);
  return bandOf({ ...bands, least: own(least), most: own(most), mean: own(mean) }, values, window, area);
}
