/** A quantity over time as paths: each step if there are few, else a band from the least to the most of each column, and the mean. Pure. */
import type { Stretch } from "../../../src/protocol/panel";
import type { Box, Shape } from "../stage/scene";
import { Axis } from "./window";

/** Opacities of what lies between values and what they stand on, and between the least and the most. */
const AREA = 0.22;
const BAND = 0.4;

export interface Curve {
  /** Between the values and what they stand on. */
  readonly area: string;
  /** From least to most; empty where each step is drawn. */
  readonly band: string;
  /** Each step; if there are too many, the mean of each column. */
  readonly line: string;
}

/** Columns of one width that begin at a moment, with the least and the most in each; NaN: there is no value. */
export interface Extremes extends Stretch {
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** NaN: no value that lasts; absent: no mean is drawn. */
  readonly mean?: Float64Array;
}

/** Where values lie, in pixels. */
export interface ValueAxis {
  at(value: number): number;
  /** What areas stand on. */
  readonly base: number;
}

/** @param opacity of all of it */
export function* curveShapes(
  { area, band, line }: Curve,
  { fill, stroke, opacity = 1 }: { readonly fill: string; readonly stroke: string; readonly opacity?: number },
): Iterable<Shape> {
  if (area !== "") yield { kind: "path", d: area, fill, fillOpacity: AREA, opacity };
  if (band !== "") yield { kind: "path", d: band, fill, fillOpacity: BAND, stroke, strokeWidth: 1, opacity };
  if (line !== "") yield { kind: "path", d: line, stroke, strokeWidth: 1.5, opacity };
}

/** Draws columns that meet an area. @param window that the area shows */
export function bandOf(
  { from, to, least, most, mean }: Extremes,
  values: ValueAxis,
  window: Stretch,
  area: Box,
): Curve {
  const step = (to - from) / least.length;
  const axis = new Axis(area, window);
  const xAt = (column: number) => rounded(axis.within(from + column * step));
  const first = Math.max(0, Math.floor((window.from - from) / step));
  const end = Math.min(least.length, Math.ceil((window.to - from) / step));
  const [areas, bands, means]: [string[], string[], string[]] = [[], [], []];
  for (let at = first; at < end;) {
    if (Number.isNaN(least[at])) {
      at++;
      continue;
    }
    let until = at + 1;
    while (until < end && !Number.isNaN(least[until])) until++;
    const [top, bottom, feet]: [string[], string[], string[]] = [[], [], []];
    for (let column = at; column < until; column++) {
      const right = xAt(column + 1);
      top.push(`V${rounded(values.at(most[column]))}H${right}`);
      const edge = least[column] > 0 ? least[column] : most[column] < 0 ? most[column] : 0;
      feet.push(`V${rounded(values.at(edge))}H${right}`);
    }
    for (let column = until - 1; column >= at; column--)
      bottom.push(`V${rounded(values.at(least[column]))}H${xAt(column)}`);
    let isOpen = false;
    for (let column = at; column < until; column++) {
      const value = mean?.[column] ?? Number.NaN;
      if (Number.isNaN(value)) isOpen = false;
      else {
        const y = rounded(values.at(value));
        means.push(isOpen ? `V${y}H${xAt(column + 1)}` : `M${xAt(column)},${y}H${xAt(column + 1)}`);
        isOpen = true;
      }
    }
    const base = rounded(values.base);
    areas.push(`M${xAt(at)},${base}${feet.join("")}V${base}Z`);
    bands.push(`M${xAt(at)},${rounded(values.at(most[at]))}${top.join("")}${bottom.join("")}Z`);
    at = until;
  }
  return { area: areas.join(""), band: bands.join(""), line: means.join("") };
}

/** Draws each step that holds in an area. @param until what the last one holds to */
export function stepsCurve(
  { seconds, value }: { readonly seconds: Float64Array; readonly value: Float64Array },
  until: number,
  values: ValueAxis,
  window: Stretch,
  area: Box,
): Curve {
  const axis = new Axis(area, window);
  const xAt = (moment: number) => rounded(axis.within(moment));
  const base = rounded(values.base);
  const [areas, lines]: [string[], string[]] = [[], []];
  let isOpen = false;
  const close = () => {
    if (isOpen) areas.push(`V${base}Z`);
    isOpen = false;
  };
  for (const [at, one] of value.entries()) {
    const end = Math.min(until, seconds.at(at + 1) ?? until);
    const [left, right] = [xAt(seconds[at]), xAt(end)];
    if (Number.isNaN(one)) close();
    if (Number.isNaN(one) || end < window.from || seconds[at] > window.to) continue;
    const y = rounded(values.at(one));
    areas.push(isOpen ? `V${y}H${right}` : `M${left},${base}V${y}H${right}`);
    lines.push(isOpen ? `V${y}H${right}` : `M${left},${y}H${right}`);
    isOpen = true;
  }
  close();
  return { area: areas.join(""), band: "", line: lines.join("") };
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
