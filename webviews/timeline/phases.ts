/** Iterations and phases: a row of them above the lanes, and the one that becomes the window. Pure. */
import type { TimelineContent } from "../../src/protocol/timeline";
import type { TimelinePhases } from "../../src/protocol/timelineLists";
import type { Stretch } from "../../src/protocol/panel";
import { crisp, rule, wordsAt } from "../kit/axis";
import type { SightTool } from "../kit/definition";
import type { Box, DrawView, Shape } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { Axis, RULER, withWindow } from "../kit/time/window";
import { fitName, visible } from "../shared/text";
import { firstWhere } from "./rows";
import { PHASE_ROW, type TimelineSeen } from "./seen";

const SIZE = 11;
/** Narrower phases are drawn together; wider ones have a line through the lanes; pixels. */
const APART = 3;
const LINED = 24;
/** A name has no less room. */
const NAMED = 16;
/** From the panel's edge to what phases are of, and from a text to a line beside it. */
const LEAST_LEFT = 2;
const BESIDE = 2;

interface PlacedPhases {
  readonly x: number;
  readonly width: number;
  /** The first of them, and how many there are. */
  readonly first: number;
  readonly count: number;
}

/** Phases in a window from left to right; one that begins before another one ends is drawn until there. */
function placed({ from, to }: TimelinePhases, window: Stretch, area: Box): PlacedPhases[] {
  const axis = new Axis(area, window);
  const all: PlacedPhases[] = [];
  for (let at = 0; at < from.length; at++) {
    const end = Math.min(to[at], from.at(at + 1) ?? Infinity);
    if (end < window.from || from[at] > window.to) continue;
    const [left, right] = [axis.within(from[at]), axis.within(Math.max(end, from[at]))];
    const before = all.at(-1);
    const isNarrow = right - left < APART;
    const joins = before && isNarrow && left - before.x - before.width < 1 && before.width < APART;
    if (joins) all[all.length - 1] = { ...before, width: right - before.x, count: before.count + 1 };
    else all.push({ x: left, width: right - left, first: at, count: 1 });
  }
  return all;
}

/** The row of phases. */
export function phaseShapes(phases: TimelinePhases | undefined, now: TimelineSeen, area: Box, view: DrawView): Shape[] {
  if (!phases || phases.name.length === 0) return [];
  const { theme } = view;
  const measure = view.measure(SIZE);
  const words = wordsAt(theme);
  const top = RULER;
  const base = top + PHASE_ROW - 4;
  const shown = placed(phases, now, area);
  // Where there is no room for what they are of, that they are phases; and where that has none, nothing.
  const of = visible(phases.of);
  const heading = measure(of) <= area.x - 8 ? of : "phases";
  const headingEnd = Math.max(area.x - 6, LEAST_LEFT + measure(heading));
  const current = phaseInSight(phases, now);
  // What begins at the end of all is drawn before it.
  const inside = (x: number) => Math.min(x, area.x + area.width - 2);
  const shades = shown.map(({ x, width, first }): Shape => {
    const isCurrent = first === current;
    const box = { x: inside(x), y: top, width: Math.max(1, width), height: PHASE_ROW - 1 };
    const fillOpacity = isCurrent ? 0.25 : first % 2 === 0 ? 0.16 : 0.06;
    return { kind: "box", box, fill: isCurrent ? theme.focus : theme.text, fillOpacity };
  });
  const begins = shown.filter(({ x }) => x > area.x);
  const texts = shown.flatMap(({ x, width, first, count }): Shape[] => {
    const room = width - 6;
    if (count > 1 || room < NAMED) return [];
    const text = fitPhase(visible(phases.name[first]), room, measure);
    return text === "" ? [] : [words(x + 4, base, text)];
  });
  return [
    { kind: "box", box: { x: 0, y: top, width: view.width, height: PHASE_ROW }, fill: theme.background },
    ...shades,
    rule(begins.map(({ x }) => `M${crisp(inside(x))},${top}v${PHASE_ROW - 1}`).join(""), theme.outline),
    ...texts,
    ...(headingEnd <= area.x - 2 ? [words(headingEnd, base, heading, { anchor: "end", fill: theme.muted })] : []),
    rule(`M0,${top + PHASE_ROW - 0.5}H${view.width}`, theme.line),
  ];
}

/** Lines through the lanes where phases begin, but through no text: they end above it, and go on below. @param texts in the lanes */
export function phaseLines(
  phases: TimelinePhases | undefined,
  now: TimelineSeen,
  area: Box,
  theme: Theme,
  texts: readonly Box[],
): Shape[] {
  if (!phases) return [];
  const lines = placed(phases, now, area)
    .filter(({ x, width }) => x > area.x && width >= LINED)
    .map(({ x }) => crisp(x));
  const crossed = lines.map((): Box[] => []);
  for (const text of texts) {
    const [left, right] = [text.x - BESIDE, text.x + text.width + BESIDE];
    const first = firstWhere(lines.length, (at) => lines[at] > left);
    for (let at = first; at < lines.length && lines[at] < right; at++) crossed[at].push(text);
  }
  const d = lines.map((x, at) => brokenLine(x, area, crossed[at])).join("");
  return d === "" ? [] : [{ kind: "path", d, stroke: theme.text, strokeWidth: 1, dash: [2, 3], opacity: 0.45 }];
}

/** @param gaps where it is left out */
function brokenLine(x: number, { y, height }: Box, gaps: readonly Box[]): string {
  const parts: string[] = [];
  let from = y;
  const to = y + height;
  const lineTo = (end: number) => {
    if (end > from) parts.push(`M${x},${from}V${Math.min(end, to)}`);
  };
  for (const gap of [...gaps].sort((a, b) => a.y - b.y)) {
    lineTo(gap.y);
    from = Math.max(from, gap.y + gap.height);
  }
  lineTo(to);
  return parts.join("");
}

/** "timestep 12", where there is less room "12". */
function fitPhase(name: string, room: number, measure: (text: string) => number): string {
  if (measure(name) <= room) return name;
  const number = / (\d+)$/.exec(name)?.[1] ?? /#(\d+)$/.exec(name)?.[1];
  if (number !== undefined) return measure(number) <= room ? number : "";
  return fitName(name, room, measure);
}

/** The phase at a moment: of several the one that begins last. */
export function phaseAt({ from, to }: TimelinePhases, seconds: number): number | undefined {
  for (let at = from.length - 1; at >= 0; at--) if (from[at] <= seconds && seconds <= to[at]) return at;
  return undefined;
}

/** What begins or lasts in a stretch, from its begin to its end; the same where there is nothing. */
export function wholePhases({ from, to }: TimelinePhases, stretch: Stretch): Stretch {
  let [first, last] = [Infinity, -Infinity];
  for (let at = 0; at < from.length; at++) {
    if (from[at] >= stretch.to || Math.min(to[at], from.at(at + 1) ?? Infinity) <= stretch.from) continue;
    first = Math.min(first, from[at]);
    last = Math.max(last, to[at]);
  }
  return first < last ? { from: first, to: last } : stretch;
}

/** The window that a phase becomes; undefined where there is none. */
export function phaseWindow(
  content: TimelineContent,
  now: TimelineSeen,
  to: number | "next" | "previous",
): TimelineSeen | undefined {
  const { phases } = content;
  if (!phases) return undefined;
  const windowOf = (at: number) =>
    withWindow(content, now, { from: phases.from[at], to: phases.to[at] }, { isStep: true });
  const isShown = (at: number) => {
    const { from, to: end } = windowOf(at);
    return from === now.from && end === now.to;
  };
  const numbers = Array.from(phases.from.keys());
  const step = to === "next" ? 1 : -1;
  // Phases may begin and end together: from the last such one it goes on, not to its like.
  const current = to === "next" ? numbers.findLast(isShown) : numbers.find(isShown);
  const wanted =
    typeof to === "number"
      ? to
      : current !== undefined
        ? current + step
        : to === "next"
          ? numbers.find((at) => phases.from[at] >= now.from)
          : numbers.findLast((at) => phases.from[at] < now.from);
  return wanted !== undefined && wanted >= 0 && wanted < numbers.length ? windowOf(wanted) : undefined;
}

function phaseInSight({ from, to }: TimelinePhases, now: Stretch): number {
  return from.findIndex((one, at) => one === now.from && to[at] === now.to);
}

/** To the phases beside the one in sight. */
export function phaseTools(phases: TimelinePhases | undefined): readonly SightTool[] {
  if (!phases || phases.name.length === 0) return [];
  const step = (to: "next" | "previous", name: string, icon: string, key: string): SightTool => ({
    kind: "tool",
    id: `${to}-phase`,
    name,
    icon,
    key,
    tucked: true,
    leaves: 6,
    gesture: { kind: "phase", to },
  });
  return [step("previous", "Previous phase", "arrow-left", "Q"), step("next", "Next phase", "arrow-right", "E")];
}
