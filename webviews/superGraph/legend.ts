/** What colours, heights, hatching and squares mean, with the numbers of the drawing as it is. */
import { formatValue } from "../../src/model/units";
import { svg } from "../shared/dom";
import { visible } from "../shared/text";
import type { LegendEntry } from "../kit/frame/model";
import { rampLegend } from "../kit/legend";
import type { Scene } from "../kit/stage/scene";
import { heatPosition, type Theme } from "../kit/theme/theme";
import { type Graph, shownHistograms, signed } from "./graph";
import type { GraphScene } from "./scene";

/** The height scale is at most this long. */
const LONGEST = 40;

export function legend(graph: Graph, theme: Theme, scene: Scene): LegendEntry[] {
  const { placed, hasHistograms } = scene as GraphScene;
  const { hottest, pixelsPerUnit, largestDifference } = placed;
  const { unit, bars, pair } = graph;
  const name = visible(pair?.halves[0].name ?? "").slice(0, 40);
  const entries = [
    largestDifference === undefined
      ? rampLegend(theme, "exclusive", "0", formatValue(hottest, unit))
      : rampLegend(
          theme,
          `difference of exclusive, ${name}`,
          `${signed(-largestDifference, unit)} less`,
          `${signed(largestDifference, unit)} more`,
          (share) => theme.difference(2 * share - 1),
        ),
  ];
  const step = niceAmount(LONGEST / pixelsPerUnit);
  if (step !== undefined) {
    const long = step * pixelsPerUnit;
    const bracket = svg("path", {
      d: `M0.5,1v8M0.5,5h${long - 1}M${long - 0.5},1v8`,
      fill: "none",
      stroke: theme.text,
    });
    entries.push({
      parts: [{ strong: "height" }, picture(Math.ceil(long), bracket), `${formatValue(step, unit)} inclusive`],
    });
  }
  if (bars.hidden.some((hidden) => hidden !== 0)) {
    const lines = svg("path", {
      d: "M0,6l6,-6M1,10l10,-10M6,10l10,-10M11,10l7,-7",
      stroke: theme.outline,
      "stroke-width": 1.5,
    });
    entries.push({ parts: [picture(18, lines, frame(18, theme.outline)), "hidden by the filter"] });
  }
  const histograms = shownHistograms(graph);
  if (histograms && hasHistograms) {
    const columns = svg("path", { d: "M1,10v-9h3v9zM5,10v-5h3v5zM13,10v-3h3v3z", fill: theme.muted });
    entries.push({ parts: [picture(18, columns), `${histograms.of} over ${histograms.member}s, min to max`] });
  }
  const fill = theme.heat(heatPosition(1, 4));
  const square = svg("rect", { x: 1, y: 1, width: 8, height: 8, fill, stroke: theme.text });
  return [...entries, { parts: [picture(10, square), "entry function"] }];
}

/** The largest 1, 2 or 5 times a power of ten that is not above `most`; undefined where there is none. */
export function niceAmount(most: number): number | undefined {
  if (!(most > 0) || !Number.isFinite(most)) return undefined;
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((step) => step * power).find((amount) => amount <= most);
}

function frame(width: number, stroke: string): SVGElement {
  return svg("rect", { x: 0.5, y: 0.5, width: width - 1, height: 9, fill: "none", stroke });
}

function picture(width: number, ...marks: SVGElement[]): SVGSVGElement {
  return svg("svg", { width, height: 10, "aria-hidden": "true" }, ...marks);
}
