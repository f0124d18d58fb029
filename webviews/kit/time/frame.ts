/** What stands around the rows of a drawing over time: ruler, what is measured, where the rows are. Pure. */
import type { Stretch } from "../../../src/protocol/panel";
import { crisp, rule, wordsAt } from "../axis";
import type { Box, DrawView, Shape } from "../stage/scene";
import { type Moment, moments } from "./times";
import { Axis, RULER, SCROLLBAR, type WindowSeen } from "./window";

const SIZE = 11;
/** Pixels between names of the ruler. */
const TICK = 120;

/** Moments that the ruler names. */
export function rulerTicks({ from, to }: Stretch, area: Box): Moment[] {
  return moments(from, to, area.width / TICK).filter(({ seconds }) => seconds >= from);
}

/** Lines at the moments that the ruler names, through all rows. */
export function timeGrid(window: Stretch, area: Box, { theme }: DrawView): Shape[] {
  const axis = new Axis(area, window);
  return rulerTicks(window, area).map(({ seconds }) =>
    rule(`M${crisp(axis.x(seconds))},${area.y}V${area.y + area.height}`, theme.grid),
  );
}

/** Behind words above a curve, where lines of the grid would go through them. @param top of the line of words, @param height of it */
export function clearings(
  words: readonly Shape[],
  { top, height }: { readonly top: number; readonly height: number },
  { theme, measure }: DrawView,
): Shape[] {
  return words.flatMap((shape): Shape[] => {
    if (shape.kind !== "text") return [];
    const width = measure(shape.size, shape.weight)(shape.text);
    const x = shape.anchor === "end" ? shape.at.x - width : shape.at.x;
    return [{ kind: "box", box: { x: x - 2, y: top, width: width + 4, height }, fill: theme.background }];
  });
}

/** The ruler with its names, and the line between names of rows and the rows. */
export function ruler(window: Stretch, area: Box, view: DrawView): Shape[] {
  const { theme } = view;
  const axis = new Axis(area, window);
  const words = wordsAt(theme);
  const measure = view.measure(SIZE);
  const texts = rulerTicks(window, area).flatMap(({ seconds, text }): Shape[] => {
    const x = axis.x(seconds);
    return x < area.x + area.width - measure(text) - 4 ? [words(x + 4, 14, text, { fill: theme.muted })] : [];
  });
  return [
    { kind: "box", box: { x: 0, y: 0, width: view.width, height: RULER }, fill: theme.background },
    rule(`M0,${RULER - 0.5}H${view.width}`, theme.line),
    rule(`M${crisp(area.x) - 1},0V${view.height}`, theme.line),
    ...texts,
  ];
}

/** What is measured, over the rows and on the ruler. */
export function measuredRange({ range, from, to }: WindowSeen, area: Box, { theme }: DrawView): Shape[] {
  if (!range) return [];
  const axis = new Axis(area, { from, to });
  const [left, right] = [range.from, range.to].map((at) => axis.within(at));
  const box = { x: left, y: 0, width: Math.max(1, right - left), height: area.y + area.height };
  return [{ kind: "box", box, fill: theme.focus, fillOpacity: 0.12, stroke: theme.focus, strokeWidth: 1 }];
}

/** Which of the rows are in sight. @param height of all of them */
export function scrollbar(height: number, { top }: WindowSeen, area: Box, { theme }: DrawView): Shape[] {
  if (height <= area.height) return [];
  const part = Math.max(16, area.height * (area.height / height));
  const y = area.y + (top / (height - area.height)) * (area.height - part);
  const box = { x: area.x + area.width - SCROLLBAR + 1, y, width: SCROLLBAR - 2, height: part };
  return [{ kind: "box", box, fill: theme.faint, fillOpacity: 0.6 }];
}
