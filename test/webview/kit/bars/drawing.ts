/** A row for each function: its name, and a bar as long as its value. Pure. */
import { formatShare, formatValue } from "../../../../src/model/units";
import type { DrawView, Mark, Scene } from "../../../../webviews/kit/stage/scene";
import { heatPosition } from "../../../../webviews/kit/theme/theme";
import { fitName, visible } from "../../../../webviews/shared/text";
import type { BarsContent } from "./definition";

const ROW = 22;
const MARGIN = { left: 12, right: 6, top: 10 };
const SIZE = 12;

export function draw(content: BarsContent, { width, height, theme, measure }: DrawView): Scene {
  const { names, values } = content;
  const room = Math.max(0, Math.floor((height - MARGIN.top) / ROW));
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const nameWidth = Math.round(width * 0.4);
  const left = MARGIN.left + nameWidth + 8;
  const marks = names.slice(0, room).map((name, at): Mark => {
    const y = MARGIN.top + at * ROW;
    const length = largest > 0 ? Math.max(1, (Math.max(0, values[at]) / largest) * (width - left - MARGIN.right)) : 1;
    return {
      id: at,
      key: `${at} ${name}`,
      box: { x: MARGIN.left, y, width: width - MARGIN.left - MARGIN.right, height: ROW },
      d: `M${left},${y + 4}h${length}v${ROW - 8}h${-length}Z`,
      paint: { fill: theme.heat(heatPosition(values[at], largest)), stroke: theme.edge },
      label: {
        ...{ kind: "text", at: { x: MARGIN.left, y: y + 15 }, size: SIZE, fill: theme.text },
        text: fitName(visible(name), nameWidth, measure(SIZE)),
      },
      name: visible(name) || "(no name)",
      facts: () => [valueFact(content, at)],
    };
  });
  return { below: [], marks, above: [] };
}

export function valueFact({ by, values, unit, total }: BarsContent, at: number) {
  return [by, formatValue(values[at], unit), formatShare(values[at] / total)] as const;
}
