/** Rectangles as wide as their inclusive, those of callers above what they call. Pure. */
import { heatPosition, type Theme } from "../kit/theme/theme";
import { FLAME_ROW, type FlameContent } from "../../src/protocol/flameGraph";
import type { Box, DrawView, Mark, Paint, Scene, Shape } from "../kit/stage/scene";
import type { Sight } from "../kit/stage/sight";
import { fitName, type Measure } from "../shared/text";
import { rectangleFacts, titleOf, valueTexts } from "./describe";
import { rectangleOf, type Rectangles, rectanglesOf } from "./rectangles";
import { areasOf, type FlameSeen, sightsOf } from "./sight";

const SIZE = 12;
/** Of values. */
const SMALL = 11;
/** Narrower rectangles have no name. */
const NAMED = 24;
/** Between a name and the numbers at the other end of its rectangle. */
const BETWEEN = 16;
/** A name that is cut to fewer says nothing (look, section 4, rule 3). */
const FEWEST_CHARACTERS = 12;
/** Thinner lines between rectangles than that would hide them. */
const OUTLINED = 3;
/** Of texts, below the top of their row. */
const BASELINE = 12.5;
/** Between the lines of what is hidden. */
const HATCH = 6;

export function draw(content: FlameContent, view: DrawView, seen?: FlameSeen): Scene {
  const areas = areasOf(content, view);
  const sights = sightsOf(content, seen);
  const all = rectanglesOf(content);
  const headings = areas.map(({ x, y }, at): Shape => ({
    kind: "text",
    at: { x, y: y - 6 },
    size: 11,
    weight: 600,
    fill: view.theme.text,
    text: titleOf(content, content.panes[at].kind),
  }));
  const marks = all.map((rectangles, at) => marksOf(rectangles, sights[at], areas[at], view));
  return {
    below: areas.length > 1 ? headings : [],
    marks: marks.flatMap((pane) => pane.map(({ mark }) => mark)),
    above: marks.flatMap((pane) => pane.flatMap(({ hatched, numbers }) => [...hatched, ...(numbers ? [numbers] : [])])),
    endsWithMarks: true,
    move: (from, key) => move(content, from, key),
  };
}

interface Drawn {
  readonly mark: Mark;
  /** Lines of what is hidden or has no name, with the name on them. */
  readonly hatched: readonly Shape[];
  /** Value and share, or the value alone, where there is room for them behind the name. */
  readonly numbers: Shape | undefined;
}

function marksOf(rectangles: Rectangles, sight: Sight, area: Box, view: DrawView): Drawn[] {
  const { theme } = view;
  const [measure, measureNumbers] = [view.measure(SIZE), view.measure(SMALL)];
  return Array.from({ length: rectangles.count }, (_, at) => ({ at, box: boxOf(rectangles, at, sight, area) })).flatMap(
    ({ at, box }) => {
      if (!box) return [];
      const paint = paintOf(rectangles, at, theme);
      const { x, y, width, height } = box;
      const isWhole = height >= FLAME_ROW - 1;
      const name = isWhole && width >= NAMED ? rectangles.label(at) : "";
      const both = withValue(name, valueTexts(rectangles, at), width - 8 - BETWEEN, measure, measureNumbers);
      const words = both?.words ?? nameAlone(name, width - 8, measure);
      // Never colour alone (look, section 4, rule 8).
      const hasNoWords = name !== "" && words === "";
      const alone = hasNoWords && valueTexts(rectangles, at).find((value) => measureNumbers(value) <= width - 8);
      const value = both?.value ?? (alone || undefined);
      const isOutlined = width >= OUTLINED && height > 2;
      const isHatched = rectangles.isHidden(at) || (rectangles.isNameless(at) && width >= NAMED);
      const [ink, size] = [theme.ink(paint.fill), SIZE];
      const label = { kind: "text", at: { x: x + 4, y: y + BASELINE }, text: words, size, fill: ink } as const;
      const rim = isHatched ? { halo: paint.fill } : {};
      const named: Shape[] = words === "" ? [] : [{ ...label, ...rim, of: rectangles.mark(at) }];
      const mark: Mark = {
        id: rectangles.mark(at),
        key: `${rectangles.pane.kind} ${rectangles.pane.node[at]}`,
        box,
        // The outline lies inside.
        d: isOutlined ? `M${x + 0.5},${y + 0.5}h${width - 1}v${height - 1}h${1 - width}Z` : undefined,
        paint: { ...paint, ...(isOutlined ? { stroke: theme.outline } : {}) },
        label: words === "" || isHatched ? undefined : label,
        name: rectangles.name(at),
        facts: () => rectangleFacts(rectangles, at),
      };
      const numbers: Shape | undefined = value
        ? {
            kind: "text",
            at: { x: x + width - 4, y: y + BASELINE },
            text: value,
            size: SMALL,
            anchor: "end",
            ...rim,
            fill: ink,
            of: rectangles.mark(at),
          }
        : undefined;
      return [{ mark, hatched: isHatched ? [hatch(box, theme), ...named] : [], numbers }];
    },
  );
}

/** A name with a value: rather the shorter value than a cut name, rather a cut name than no value, unless it is cut to what says nothing. */
function withValue(name: string, values: readonly string[], room: number, measure: Measure, measureNumbers: Measure) {
  if (name === "") return undefined;
  const all = values.map((value) => ({ value, words: fitName(name, room - measureNumbers(value), measure) }));
  return all.find(({ words }) => words === name) ?? all.findLast(({ words }) => words.length >= FEWEST_CHARACTERS);
}

/** A name without a value, cut in the middle where its parts alone are too wide. */
function nameAlone(name: string, room: number, measure: Measure): string {
  if (name === "") return "";
  const words = fitName(name, room, measure);
  const isBegun = words !== name && words.endsWith("…") && words.length < FEWEST_CHARACTERS;
  return words === "" || isBegun ? ends(name, room, measure) : words;
}

/** `s…e`: as much of both ends as has room; empty if not one character of each has. */
function ends(name: string, room: number, measure: Measure): string {
  const characters = Array.from(name.slice(0, 100));
  for (let kept = Math.min(characters.length - 1, 2 * FEWEST_CHARACTERS); kept >= 2; kept--) {
    const first = Math.ceil(kept / 2);
    const cut = `${characters.slice(0, first).join("")}…${characters.slice(characters.length - (kept - first)).join("")}`;
    if (measure(cut) <= room) return cut;
  }
  return "";
}

/** The part of a rectangle that is in sight; callers grow upwards. */
function boxOf({ pane }: Rectangles, at: number, sight: Sight, area: Box): Box | undefined {
  const { x, width, depth, kind } = pane;
  const scale = area.width / (sight.to - sight.from);
  const left = Math.max(0, (x[at] - sight.from) * scale);
  const right = Math.min(area.width, (x[at] + width[at] - sight.from) * scale);
  const row = (depth[at] - sight.row) * FLAME_ROW;
  const [from, to] = kind === "callers" ? [area.height - row - FLAME_ROW, area.height - row] : [row, row + FLAME_ROW];
  const [top, bottom] = [Math.max(0, from), Math.min(area.height, to - 1)];
  if (left >= area.width || right <= 0 || bottom <= top) return undefined;
  return { x: area.x + left, y: area.y + top, width: Math.max(0.5, right - left), height: bottom - top };
}

function paintOf(rectangles: Rectangles, at: number, theme: Theme): Paint & { readonly fill: string } {
  const { content, pane } = rectangles;
  const quiet = theme.flow(0);
  if (rectangles.isOutgoing(at)) return { fill: quiet, dash: [3, 3] };
  if (rectangles.isRun(at) || rectangles.isHidden(at)) return { fill: quiet };
  const difference = rectangles.difference(at);
  if (difference !== undefined) return { fill: theme.difference(difference / (pane.largestDifference || 1)) };
  if (content.groupCount === 0) return { fill: theme.heat(heatPosition(pane.exclusive[at], pane.hottest)) };
  if (rectangles.isKernel(at)) return { fill: kernelGrey(theme) };
  const group = rectangles.group(at);
  const name = group ?? (content.allColoured && pane.group[at] >= 0 ? rectangles.name(at) : undefined);
  return { fill: name === undefined ? quiet : theme.named(name, pane.group[at]) };
}

/** The kernel is no part of a program: it has no hue. */
export function kernelGrey({ faded, text }: Theme): string {
  return faded(text, 0.3);
}

function hatch({ x, y, width, height }: Box, theme: Theme): Shape {
  const lines: string[] = [];
  for (let from = x - height; from < x + width; from += HATCH) {
    const [left, right] = [Math.max(x, from), Math.min(x + width, from + height)];
    if (right > left) lines.push(`M${left},${y + height - (left - from)}L${right},${y + height - (right - from)}`);
  }
  return { kind: "path", d: lines.join(""), stroke: theme.outline, strokeWidth: 1.5 };
}

/** To the caller, the widest callee, or the next of the same level; from the root of the callers to that of the callees. */
function move(content: FlameContent, from: number, key: string): number | undefined {
  const known = rectangleOf(content, from);
  if (!known) return undefined;
  const { rectangles, at } = known;
  if (key === "ArrowLeft" || key === "ArrowRight")
    return rectangles.mark(rectangles.beside(at, key === "ArrowRight" ? 1 : -1));
  const isOutwards = (key === "ArrowUp") === (rectangles.pane.kind === "callers");
  const next = isOutwards ? rectangles.below(at) : rectangles.above(at);
  if (next !== undefined) return rectangles.mark(next);
  const other = rectanglesOf(content).find((pane) => pane !== rectangles);
  return !isOutwards && other && other.count > 0 ? other.mark(0) : from;
}
