/** How drawings show what is highlighted: a bar beside the name of a row or lane, a dashed frame around a box. Pure. */
import { visible } from "../shared/text";
import { svg } from "../shared/dom";
import type { LegendEntry } from "./frame/model";
import type { Box, DrawView, Highlighted, Shape } from "./stage/scene";
import type { Theme } from "./theme/theme";

const BAR = 3;
const MAX_NAME = 60;
/** Pixels between a box and its frame. */
const OFF = 1.5;

/** Beside a row, in the first pixels of it. */
export function highlightBar({ x, y, height }: Box, { theme }: DrawView): Shape {
  return { kind: "box", box: { x, y, width: BAR, height }, fill: theme.focus };
}

/** Above a column. */
export function highlightRoof({ x, y, width }: Box, { theme }: DrawView): Shape {
  return { kind: "box", box: { x, y, width, height: BAR }, fill: theme.focus };
}

/** Around a box, dashed: what is selected has a whole frame. */
export function highlightFrame({ x, y, width, height }: Box, { theme }: DrawView): Shape {
  const d = `M${x - OFF},${y - OFF}h${width + 2 * OFF}v${height + 2 * OFF}h${-width - 2 * OFF}Z`;
  return { kind: "path", d, stroke: theme.focus, strokeWidth: 2, dash: [4, 3] };
}

/** What is highlighted, named first of all. @param note what the drawing has of it, where that is no mark of its own */
export function highlightEntry(
  { name }: Pick<Highlighted, "name">,
  note: string | undefined,
  theme: Theme,
): LegendEntry {
  const bar = svg("rect", { x: 0, y: 0, width: BAR, height: 10, fill: theme.focus });
  const sign = svg("svg", { width: 8, height: 10, "aria-hidden": "true" }, bar);
  const whole = visible(name);
  const what = whole.length > MAX_NAME ? `${whole.slice(0, MAX_NAME - 1)}…` : whole;
  return { parts: [sign, { strong: "highlighted" }, note === undefined ? what : `${what}: ${note}`] };
}
