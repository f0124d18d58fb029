/** A row for each function: its name, and a bar as long as its value. Pure. */
import { formatShare, formatValue } from "../../../../src/model/units";
import type { DrawView, Mark, Scene, Shape } from "../../../../webviews/kit/stage/scene";
import { heatPosition } from "../../../../webviews/kit/theme/theme";
import { fitName, visible } from "../../../../webviews/shared/text";
import type { BarsContent } from "./definition";

const ROW = 22;
const MARGIN = { left: 12, right: 6, top: 10 };
const SIZE = 12;
/** Of texts in their rows. */
const INSET = 4;
/** Between a bar and its value. */
const GAP = 6;

export function draw(content: BarsContent, { width, height, theme, measure }: DrawView): Scene {
  const { names, values } = content;
  const room = Math.max(0, Math.floor((height - MARGIN.top) / ROW));
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const shown = names.slice(0, room);
  const widest = shown.reduce((most, name) => Math.max(most, measure(SIZE)(visible(name))), 0);
  const nameWidth = Math.min(Math.ceil(widest), Math.round(width * 0.4));
  const says = (at: number) => valueFact(content, at).slice(1).join(" · ");
  const valueWidth = GAP + shown.reduce((most, _, at) => Math.max(most, measure(SIZE)(says(at))), 0);
  const lengthOf = (at: number) =>
    largest > 0 ? Math.max(1, (Math.max(0, values[at]) / largest) * (width - left - valueWidth - MARGIN.right)) : 1;
  const left = MARGIN.left + nameWidth + 8;
  const marks = shown.map((name, at): Mark => {
    const y = MARGIN.top + at * ROW;
    return {
      id: at,
      key: `${at} ${name}`,
      box: { x: MARGIN.left - INSET, y, width: width - MARGIN.left - MARGIN.right + 2 * INSET, height: ROW },
      d: `M${left},${y + 4}h${lengthOf(at)}v${ROW - 8}h${-lengthOf(at)}Z`,
      paint: { fill: theme.heat(heatPosition(values[at], largest)), stroke: theme.edge },
      label: {
        kind: "text",
        at: { x: MARGIN.left, y: y + 15 },
        size: SIZE,
        fill: theme.text,
        text: fitName(visible(name), nameWidth, measure(SIZE)),
      },
      name: visible(name) || "(no name)",
      facts: () => [valueFact(content, at)],
    };
  });
  const above = shown.map((_, at): Shape => ({
    kind: "text",
    at: { x: left + lengthOf(at) + GAP, y: MARGIN.top + at * ROW + 15 },
    text: says(at),
    size: SIZE,
    fill: theme.soft,
    of: at,
  }));
  return { below: [], marks, above };
}

export function valueFact({ by, values, unit, total }: BarsContent, at: number) {
  return [by, formatValue(values[at], unit), formatShare(values[at] / total)] as const;
}
