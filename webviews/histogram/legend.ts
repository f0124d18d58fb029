/** What heights, colours and shadows mean. */
import type { HistogramMessage } from "../../src/protocol/histogram";
import { html, svg } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { valueText } from "./describe";

const RAMP_WIDTH = 72;

export function legend(histogram: HistogramMessage, theme: Theme): HTMLElement {
  const { edges, nouns } = histogram;
  const text = valueText(histogram);
  const steps = 18;
  const colors = Array.from({ length: steps }, (_, step) =>
    svg("rect", {
      x: (step * RAMP_WIDTH) / steps,
      width: RAMP_WIDTH / steps + 0.5,
      height: 12,
      fill: theme.amount(step / (steps - 1)),
    }),
  );
  const frame = svg("rect", {
    x: 0.5,
    y: 0.5,
    width: RAMP_WIDTH - 1,
    height: 11,
    fill: "none",
    stroke: theme.outline,
  });
  const chosen = svg("rect", {
    x: 2,
    y: 2,
    width: 12,
    height: 8,
    fill: theme.amount(0.6),
    stroke: theme.foreground,
    "stroke-width": 3,
  });
  const shadow = svg("path", {
    d: "M1,0C1,6 12,6 12,12H17C17,6 7,6 7,0Z",
    fill: theme.flowNear,
    stroke: theme.flowEdge,
  });
  return html(
    "div",
    { class: "legend", role: "group", "aria-label": "Legend" },
    part("Height", `how many ${nouns[1]}`),
    edges.length > 0
      ? part("Colour: value", text(edges[0]), picture(RAMP_WIDTH, 12, ...colors, frame), text(edges[edges.length - 1]))
      : undefined,
    part("", picture(18, 12, shadow), `from a bin to its ${nouns[1]}`),
    part("", picture(16, 12, chosen), "chosen (drag, or Space)"),
  );
}

function part(label: string, ...content: (string | Node)[]): HTMLElement {
  return html("span", { class: "legend-part" }, label === "" ? undefined : html("b", {}, label), ...content);
}

function picture(width: number, height: number, ...marks: SVGElement[]): SVGSVGElement {
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...marks);
}
