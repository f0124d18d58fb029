/** What colours, heights, hatching and squares mean, with the numbers of the drawing as it is. */
import { formatValue } from "../../src/model/units";
import type { GraphMessage } from "../../src/protocol/superGraph";
import { html, svg } from "../shared/dom";
import { visible } from "../shared/text";
import { signed } from "./halves";
import type { Scene, SceneExtras } from "./scene";
import type { Theme } from "../shared/theme";

export interface LegendScale {
  readonly unit: string;
  /** Exclusive at the ramp's end. */
  readonly hottest: number;
  readonly pixelsPerUnit: number;
  readonly hasHidden: boolean;
  /** Colours show differences: their ends, and where there is more or less. */
  readonly difference?: { readonly largest: number; readonly name: string };
  /** What the small histograms are of: "exclusive over ranks". */
  readonly histograms?: string;
}

/** The legend's numbers of the drawing as it is. */
export function legendScale(graph: GraphMessage, scene: Scene, { histograms }: SceneExtras): LegendScale {
  const { hottest, pixelsPerUnit, largestDifference } = scene;
  const { unit, pair } = graph;
  const name = visible(pair?.halves[0].name ?? "").slice(0, 40);
  const isShown = histograms && scene.histograms.some((mark) => mark !== undefined);
  return {
    ...{ unit, hottest, pixelsPerUnit },
    hasHidden: graph.bars.some(({ hidden }) => hidden !== 0),
    ...(largestDifference === undefined ? {} : { difference: { largest: largestDifference, name } }),
    ...(isShown ? { histograms: `${histograms.of} over ${histograms.member}s, min to max` } : {}),
  };
}

const RAMP_WIDTH = 96;
/** The height scale is at most this high. */
const HIGHEST = 36;

export function legend(scale: LegendScale, theme: Theme): HTMLElement {
  const { unit, hottest, pixelsPerUnit, hasHidden, difference, histograms } = scale;
  const steps = 24;
  const colorAt = (share: number) => (difference ? theme.difference(2 * share - 1) : theme.amount(share));
  const colors = Array.from({ length: steps }, (_, step) =>
    svg("rect", {
      x: (step * RAMP_WIDTH) / steps,
      width: RAMP_WIDTH / steps + 0.5,
      height: 12,
      fill: colorAt(step / (steps - 1)),
    }),
  );
  const outlined = (width: number, height: number, fill: string) =>
    svg("rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, fill, stroke: theme.outline });
  const ramp = picture(RAMP_WIDTH, 12, ...colors, outlined(RAMP_WIDTH, 12, "none"));
  const parts = [
    difference
      ? part(
          "Colour: difference",
          `${signed(-difference.largest, unit)} less`,
          ramp,
          `${signed(difference.largest, unit)} more exclusive in ${difference.name}`,
        )
      : part("Colour: exclusive", "0", ramp, formatValue(hottest, unit)),
  ];
  const step = niceAmount(HIGHEST / pixelsPerUnit);
  if (step !== undefined) {
    const height = step * pixelsPerUnit;
    const bracket = svg("path", {
      d: `M9,${(HIGHEST - height) / 2 + 0.5}H3.5v${height - 1}H9`,
      fill: "none",
      stroke: theme.foreground,
    });
    const scale = picture(10, HIGHEST, bracket);
    scale.classList.add("height-scale");
    parts.push(part("Height: inclusive", scale, formatValue(step, unit)));
  }
  if (hasHidden) {
    const lines = [2, 8, 14, 20].map((x) =>
      svg("line", { x1: x, x2: x - 8, y1: 0, y2: 12, stroke: theme.outline, "stroke-width": 2.5 }),
    );
    parts.push(part("", picture(18, 12, ...lines, outlined(18, 12, "none")), "hidden by the filter"));
  }
  if (histograms !== undefined) {
    const columns = svg("path", { d: "M1,12v-10h3v10zM5,12v-5h3v5zM13,12v-3h3v3z", fill: theme.muted });
    parts.push(
      part(
        "",
        picture(18, 12, columns, svg("rect", { y: 11.5, width: 18, height: 0.5, fill: theme.muted })),
        histograms,
      ),
    );
  }
  const square = svg("rect", { x: 1, y: 1, width: 8, height: 8, fill: theme.amount(0.5), stroke: theme.foreground });
  parts.push(part("", picture(10, 10, square), "entry function"));
  return html("div", { class: "legend", role: "group", "aria-label": "Legend" }, ...parts);
}

/** The largest 1, 2 or 5 times a power of ten that is not above `most`; undefined where there is none. */
export function niceAmount(most: number): number | undefined {
  if (!(most > 0) || !Number.isFinite(most)) return undefined;
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((step) => step * power).find((amount) => amount <= most);
}

function part(label: string, ...content: (string | Node)[]): HTMLElement {
  return html("span", { class: "legend-part" }, label === "" ? undefined : html("b", {}, label), ...content);
}

function picture(width: number, height: number, ...marks: SVGElement[]): SVGSVGElement {
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...marks);
}
