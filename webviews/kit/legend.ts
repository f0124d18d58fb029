/** Parts of legends that several panels have. */
import { formatValue } from "../../src/model/units";
import { svg } from "../shared/dom";
import type { LegendEntry, StrongWords } from "./frame/model";
import { heatShare, type Theme } from "./theme/theme";

/** Half a ramp, in pixels. */
const WIDTH = 36;
const HEIGHT = 9;
/** Colours of half a ramp, mixed between by the browser. */
const STOPS = 6;

/**
 * Colours from one value to another, with the value in their middle: the scale need not be even.
 *
 * @param colorAt 0 to 1
 */
export function rampLegend(
  theme: Theme,
  of: string | StrongWords,
  [least, middle, most]: readonly [least: string, middle: string, most: string],
  colorAt: (position: number) => string = (position) => theme.heat(position),
): LegendEntry {
  const half = (from: number) => halfRamp(theme, (share) => colorAt(from + share / 2));
  const strong = typeof of === "string" ? { strong: of } : of;
  return { parts: [strong, least, half(0), middle, half(0.5), most] };
}

/** The heat of amounts from nothing to the largest. */
export function heatLegend(theme: Theme, of: string | StrongWords, largest: number, unit: string): LegendEntry {
  return rampLegend(theme, of, ["0", formatValue(heatShare(0.5) * largest, unit), formatValue(largest, unit)]);
}

function halfRamp(theme: Theme, colorAt: (share: number) => string): SVGSVGElement {
  const colors = Array.from({ length: STOPS }, (_, stop) => colorAt(stop / (STOPS - 1)));
  const stops = colors.map((color, stop) => svg("stop", { offset: stop / (STOPS - 1), "stop-color": color }));
  // The same name is the same gradient, however often it is there.
  const id = `ramp${colors.join("").replaceAll("#", "-")}`;
  const box = { x: 0.5, y: 0.5, width: WIDTH, height: HEIGHT, fill: `url(#${id})`, stroke: theme.outline };
  const [width, height] = [WIDTH + 1, HEIGHT + 1];
  // Where there is little room it is drawn narrower (kit.css).
  const size = { width, height, viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return svg("svg", { ...size, class: "ramp" }, svg("linearGradient", { id }, stops), svg("rect", box));
}

/** What a length or a sign means, in words. */
export function wordLegend(what: string, means: string): LegendEntry {
  return { parts: [{ strong: what }, means] };
}

/** A small box as marks have it, and what it means. @param more is drawn into it */
export function signLegend(
  theme: Theme,
  look: { readonly fill?: string; readonly stroke?: string; readonly "stroke-dasharray"?: string },
  means: string,
  more: readonly SVGElement[] = [],
): LegendEntry {
  const box = svg("rect", { x: 0.5, y: 0.5, width: 15, height: 9, fill: "none", stroke: theme.outline, ...look });
  return { parts: [svg("svg", { width: 16, height: 10, "aria-hidden": "true" }, more, box), means] };
}
