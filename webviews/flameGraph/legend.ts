/** What widths and colours mean, with the numbers of the drawing as it is. */
import { formatValue } from "../../src/model/units";
import type { FlamesMessage } from "../../src/protocol/flameGraph";
import { categoryColor } from "../shared/categories";
import { html, svg } from "../shared/dom";
import { visible } from "../shared/text";
import type { Theme } from "../shared/theme";

const RAMP_WIDTH = 96;

export function legend(message: FlamesMessage, theme: Theme): HTMLElement {
  const { hottest, unit, groups, groupCount, pane } = message;
  const parts = [part("Width: inclusive")];
  if (groups.length === 0) {
    const steps = 24;
    const colors = Array.from({ length: steps }, (_, step) =>
      svg("rect", {
        x: (step * RAMP_WIDTH) / steps,
        width: RAMP_WIDTH / steps + 0.5,
        height: 12,
        fill: theme.amount(step / (steps - 1)),
      }),
    );
    parts.push(
      part(
        "Colour: exclusive",
        "0",
        picture(RAMP_WIDTH, ...colors, frame(RAMP_WIDTH, theme)),
        formatValue(hottest, unit),
      ),
    );
  } else {
    groups.forEach((group, at) =>
      parts.push(part("", square(categoryColor(at) ?? theme.flow, theme), visible(group).slice(0, 40))),
    );
    const others = groupCount - groups.length;
    parts.push(part("", square(theme.flow, theme), others > 0 ? `${others} other groups, or none` : "no group"));
  }
  parts.push(part("", square(theme.flow, theme), "n more: narrower than a pixel each"));
  if (pane === "bar") {
    const dashed = frame(18, theme);
    dashed.setAttribute("stroke-dasharray", "3 3");
    parts.push(part("", picture(18, dashed), "called out of the bar"));
    const lines = [2, 8, 14, 20].map((x) =>
      svg("line", { x1: x, x2: x - 8, y1: 0, y2: 12, stroke: theme.outline, "stroke-width": 1.5 }),
    );
    parts.push(part("", picture(18, ...lines, frame(18, theme)), "hidden by the filter"));
  }
  return html("div", { class: "legend", role: "group", "aria-label": "Legend" }, ...parts);
}

function square(fill: string, theme: Theme): SVGSVGElement {
  return picture(12, svg("rect", { width: 12, height: 12, fill }), frame(12, theme));
}

function frame(width: number, theme: Theme): SVGElement {
  return svg("rect", { x: 0.5, y: 0.5, width: width - 1, height: 11, fill: "none", stroke: theme.outline });
}

function picture(width: number, ...marks: SVGElement[]): SVGSVGElement {
  return svg("svg", { width, height: 12, viewBox: `0 0 ${width} 12`, "aria-hidden": "true" }, ...marks);
}

function part(label: string, ...content: (string | Node)[]): HTMLElement {
  return html("span", { class: "legend-part" }, label === "" ? undefined : html("b", {}, label), ...content);
}
