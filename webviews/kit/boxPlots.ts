/** Box plots in rows beside a drawing: all on one logarithmic axis (look, section 5, Ensemble). Their colours are the style sheet's. */
import { scaleLog } from "d3-scale";
import { svg } from "../shared/dom";
import { heatPosition, RAMP_COLORS } from "./theme/theme";

/** Pixels. */
export const PLOT_WIDTH = 222;
const HEIGHT = 14;
const AXIS_HEIGHT = 16;
/** Left of the axis: what is not positive, which a logarithm has no place for. */
const ZERO = 5;
const [LEFT, RIGHT] = [14, PLOT_WIDTH - 6];
const RING = 2.5;
/** Between the texts of ticks. */
const TICK_ROOM = 48;

export interface PlotAxis {
  /** The least positive value, and the largest. */
  readonly least: number;
  readonly most: number;
  /** Largest mean: of the hottest box. */
  readonly hottest: number;
  /** Powers of ten on it, in words. */
  readonly ticks: readonly (readonly [value: number, text: string])[];
}

export interface BoxPlotShown {
  readonly low: number;
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
  readonly high: number;
  readonly mean: number;
  readonly outlying: readonly number[];
  /** A line across; absent: none. */
  readonly target?: number;
}

/** An axis over positive values, with as many powers of ten as have room. @param textOf a tick's words */
export function plotAxis(values: readonly number[], hottest: number, textOf: (value: number) => string): PlotAxis {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const least = positive.reduce((a, b) => Math.min(a, b), Infinity);
  const most = positive.reduce((a, b) => Math.max(a, b), 0);
  const [from, to] = most > 0 ? [least, Math.max(most, least * 1.01)] : [1, 10];
  const [first, last] = [Math.ceil(Math.log10(from) - 1e-9), Math.floor(Math.log10(to) + 1e-9)];
  const perDecade = (RIGHT - LEFT) / Math.max(1e-9, Math.log10(to / from));
  const every = Math.max(1, Math.ceil(TICK_ROOM / perDecade));
  const exponents = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  const ticks = exponents.filter((exponent) => exponent % every === 0).map((exponent) => 10 ** exponent);
  return { least: from, most: to, hottest, ticks: ticks.map((value) => [value, textOf(value)]) };
}

function placeOn({ least, most }: PlotAxis): (value: number) => number {
  const scale = scaleLog([least, most], [LEFT, RIGHT]);
  return (value) => Math.round((value > 0 ? scale(value) : ZERO) * 10) / 10;
}

export function axisPicture(axis: PlotAxis): SVGSVGElement {
  const toX = placeOn(axis);
  const texts = axis.ticks.map(([value, text]) =>
    svg("text", { x: toX(value), y: 11, "text-anchor": toX(value) > RIGHT - 16 ? "end" : "middle" }, text),
  );
  const size = { width: PLOT_WIDTH, height: AXIS_HEIGHT, class: "box-plot" };
  return svg("svg", size, texts);
}

export function boxPlotPicture(plot: BoxPlotShown, axis: PlotAxis): SVGSVGElement {
  const toX = placeOn(axis);
  const middle = HEIGHT / 2;
  const { low, q1, median, q3, high, mean, target, outlying } = plot;
  const [from, to] = [toX(q1), toX(q3)];
  const whisker = (end: number, at: number) => `M${toX(at)},${middle}H${toX(end)}m0,-3v6`;
  const grid = axis.ticks.map(([value]) => `M${toX(value)},0V${HEIGHT}`).join("");
  const box = svg("rect", { class: "box", x: from - 0.5, y: 1.5, width: Math.max(2, to - from + 1), height: 11 });
  // As bars of tables have it: a new theme needs no new rows.
  const at = heatPosition(mean, axis.hottest) * (RAMP_COLORS - 1);
  const below = Math.min(Math.floor(at), RAMP_COLORS - 2);
  box.style.fill = `color-mix(in oklab, var(--hf-heat${below + 1}) ${(at - below) * 100}%, var(--hf-heat${below}))`;
  return svg(
    "svg",
    { class: "box-plot", width: PLOT_WIDTH, height: HEIGHT, "aria-hidden": "true" },
    svg("path", { class: "grid", d: grid }),
    svg("path", { class: "whisker", d: whisker(low, q1) + whisker(high, q3) }),
    outlying.map((value) => svg("circle", { class: "ring", cx: toX(value), cy: middle, r: RING })),
    box,
    svg("path", { class: "median", d: `M${toX(median)},1.5v11` }),
    target === undefined ? [] : [svg("path", { class: "target", d: `M${toX(target)},0v${HEIGHT}` })],
  );
}
