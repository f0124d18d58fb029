/** What stands beside the scatter: what is known of the line or why there is none, and what the marks mean. */
import { formatShare } from "../../src/model/units";
import type { ScatterMessage } from "../../src/protocol/correlation";
import { html, svg } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { pairs } from "../shared/tooltip";
import { fitFacts, isOfCode, whyNoLine } from "./describe";
import { shape, type State } from "./shapes";

export function statistics(scatter: ScatterMessage): Node[] {
  const why = whyNoLine(scatter);
  const explained =
    scatter.fit.kind === "line"
      ? html("p", {}, `The line explains ${formatShare(scatter.fit.r ** 2)} of how y varies.`)
      : undefined;
  return [
    html("h2", {}, "Best-fit line"),
    ...(why === undefined ? [] : [html("p", { class: "no-line" }, why)]),
    pairs(fitFacts(scatter)),
    ...(explained ? [explained] : []),
  ];
}

/** Everything that is known of the line, for who points at it. */
export function lineDetails(scatter: ScatterMessage): Node[] {
  return [html("h2", {}, "Best-fit line"), pairs(fitFacts(scatter))];
}

export function legend(scatter: ScatterMessage, hasChosen: boolean, theme: Theme): HTMLElement {
  const { nouns, points, density, fit } = scatter;
  const parts: HTMLElement[] = [];
  if (density) {
    const fullest = density.counts.reduce((most, count) => Math.max(most, count), 1);
    const steps = 24;
    const ramp = Array.from({ length: steps }, (_, step) =>
      svg("rect", { x: step * 4, width: 4.5, height: 12, fill: theme.amount(step / (steps - 1)) }),
    );
    parts.push(part(picture(96, 12, ...ramp), `1 to ${fullest.toLocaleString("en")} ${nouns[1]} in a cell`));
  } else if (hasChosen) {
    parts.push(mark("chosen", theme, `chosen ${nouns[0]}`), mark("out", theme, `other ${nouns[0]}`));
  } else {
    parts.push(mark("plain", theme, isOfCode(points) ? nouns[0] : `${nouns[0]}: drag over several to choose them`));
  }
  if (fit.kind === "line") {
    const line = svg("line", { x1: 0, y1: 10, x2: 22, y2: 2, stroke: theme.foreground, "stroke-width": 2 });
    parts.push(part(picture(22, 12, line), "best-fit line"));
  }
  return html("div", { class: "legend", role: "group", "aria-label": "Legend" }, ...parts);
}

function mark(state: State, theme: Theme, text: string): HTMLElement {
  const path = svg("path", {
    d: shape(state, 9, 9, 5),
    fill: state === "out" ? theme.background : theme.amount(state === "chosen" ? 1 : 0.7),
    stroke: state === "chosen" ? theme.foreground : theme.outline,
  });
  return part(picture(18, 18, path), text);
}

function part(...content: (Node | string)[]): HTMLElement {
  return html("span", { class: "legend-part" }, ...content);
}

function picture(width: number, height: number, ...marks: SVGElement[]): SVGSVGElement {
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...marks);
}
