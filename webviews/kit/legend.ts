/** Parts of legends that several panels have. */
import { svg } from "../shared/dom";
import type { LegendEntry } from "./frame/model";
import type { Theme } from "./theme/theme";

const WIDTH = 84;
const STEPS = 28;

/** The heat, or other colours, from one value to another, with what it is of. */
export function rampLegend(
  theme: Theme,
  of: string,
  least: string,
  most: string,
  colorAt: (share: number) => string = (share) => theme.heat(share),
): LegendEntry {
  const steps = Array.from({ length: STEPS }, (_, step) =>
    svg("rect", {
      x: 0.5 + (step * WIDTH) / STEPS,
      y: 0.5,
      width: WIDTH / STEPS + 0.6,
      height: 9,
      fill: colorAt(step / (STEPS - 1)),
    }),
  );
  const frame = svg("rect", { x: 0.5, y: 0.5, width: WIDTH, height: 9, fill: "none", stroke: theme.outline });
  const picture = svg("svg", { width: WIDTH + 1, height: 10, "aria-hidden": "true" }, ...steps, frame);
  return { parts: [{ strong: of }, least, picture, most] };
}

/** What a length or a sign means, in words. */
export function wordLegend(what: string, means: string): LegendEntry {
  return { parts: [{ strong: what }, means] };
}

/** A small box as marks have it, and what it means. @param more is drawn into it */
export function signLegend(
  theme: Theme,
  look: { readonly fill?: string; readonly "stroke-dasharray"?: string },
  means: string,
  more: readonly SVGElement[] = [],
): LegendEntry {
  const box = svg("rect", { x: 0.5, y: 0.5, width: 15, height: 9, fill: "none", stroke: theme.outline, ...look });
  return { parts: [svg("svg", { width: 16, height: 10, "aria-hidden": "true" }, ...more, box), means] };
}
