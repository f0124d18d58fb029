/** What colours, heights, zigzags, hatching and squares mean, with the numbers of the drawing as it is. */
import { signed } from "../../src/model/differences";
import { appendAll } from "../../src/model/longLists";
import { formatValue } from "../../src/model/units";
import { svg } from "../shared/dom";
import { visible } from "../shared/text";
import type { LegendEntry } from "../kit/frame/model";
import { heatLegend, rampLegend, wordLegend } from "../kit/legend";
import type { Scene } from "../kit/stage/scene";
import { heatPosition, type Theme } from "../kit/theme/theme";
import { type Graph, moreIn, shownHistograms } from "./graph";
import { type GraphScene, OUTLINE_DASH } from "./scene";

/** The height scale is at most this long: with the colours before it, it has room in 400 pixels. */
const LONGEST = 25;

export function legend(graph: Graph, theme: Theme, scene: Scene): LegendEntry[] {
  const { placed, hasHistograms, hasImbalance, hasHidden, hasBroken, hasEntries, hasHairlines, thinFlows } =
    scene as GraphScene;
  const { hottest, pixelsPerUnit } = placed;
  const { unit } = graph;
  const { largestDifference } = placed;
  const entries = [
    largestDifference === undefined
      ? heatLegend(theme, "exclusive", hottest, unit)
      : differenceLegend(theme, largestDifference, unit),
  ];
  const step = niceAmount(LONGEST / pixelsPerUnit);
  if (step !== undefined) {
    // Whole pixels, where lines are sharp.
    const long = Math.max(2, Math.round(step * pixelsPerUnit));
    const bracket = svg("path", {
      d: `M0.5,1v8M0.5,5.5h${long - 1}M${long - 0.5},1v8`,
      fill: "none",
      stroke: theme.text,
    });
    entries.push({
      parts: [{ strong: "height" }, picture(long, bracket), formatValue(step, unit)],
    });
  }
  if (largestDifference !== undefined) appendAll(entries, barsLegend(graph, theme));
  if (hasBroken) {
    const teeth = svg("path", { d: "M0,5l4,-4l5,4l5,-4l4,4M0,9l4,-4l5,4l5,-4l4,4", stroke: theme.text, fill: "none" });
    entries.push({ parts: [picture(18, teeth), "not to scale"] });
  }
  if (hasHidden) {
    const lines = svg("path", {
      d: "M0,6l6,-6M1,10l10,-10M6,10l10,-10M11,10l7,-7",
      stroke: theme.outline,
      "stroke-width": 1.5,
    });
    entries.push({ parts: [picture(18, lines, frame(18, theme.outline)), "hidden"] });
  }
  if (hasHairlines || thinFlows > 0) {
    const line = svg("path", { d: "M0,5.5h16", stroke: theme.flowInk });
    const more = thinFlows === 0 ? [] : [`${thinFlows.toLocaleString("en")} thinner: point at a bar`];
    entries.push({ parts: [picture(16, line), ["below 3 px", ...more].join(" · ")] });
  }
  const histograms = shownHistograms(graph);
  if (histograms && hasHistograms) {
    const columns = svg("path", { d: "M1,10v-9h3v9zM5,10v-5h3v5zM13,10v-3h3v3z", fill: theme.muted });
    entries.push({ parts: [picture(18, columns), visible(histograms.members)] });
  }
  if (histograms && hasImbalance) entries.push(wordLegend("1.00×", `imbalance, max / mean over ${histograms.member}s`));
  if (!hasEntries) return entries;
  const fill = theme.heat(heatPosition(1, 4));
  const segment = svg("rect", { x: 0, y: 0, width: 6, height: 10, fill });
  const tick = svg("path", { d: "M6,5h5", stroke: theme.muted });
  return [...entries, { parts: [picture(11, segment, tick), "entry function"] }];
}

/** What is more in one of two graphs than in the other. */
function differenceLegend(theme: Theme, largest: number, unit: string): LegendEntry {
  const ends = [signed(-largest, unit), "0", signed(largest, unit)] as const;
  return rampLegend(theme, "exclusive", ends, (position) => theme.difference(2 * position - 1));
}

/** Whose bars are filled, whose are outlines, and which has more where a difference is positive. */
function barsLegend(graph: Graph, theme: Theme): LegendEntry[] {
  const { bars, pair } = graph;
  const more = (name: string) => wordLegend("+", `more in ${name}`);
  if (!bars.other || !pair) return [more(moreIn(graph).slice(0, 40))];
  const [outlined, filled] = pair.halves.map(({ name, short = name }) => visible(short).slice(0, 40));
  const box = { x: 0.5, y: 0.5, width: 7, height: 9 };
  const fill = svg("rect", { ...box, fill: theme.muted, stroke: theme.outline });
  const outline = svg("rect", { ...box, fill: "none", stroke: theme.text, "stroke-dasharray": OUTLINE_DASH.join() });
  return [{ parts: [picture(8, fill), filled] }, { parts: [picture(8, outline), outlined] }, more(filled)];
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
  return svg("svg", { width, height: 10, "aria-hidden": "true" }, marks);
}
