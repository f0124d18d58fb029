/** Names of an ensemble's bars: above them, else beside low ones, else where labels of super graphs stand; the hottest first. Pure. */
import type { EnsembleContent } from "../../src/protocol/ensemble";
import { formatValue } from "../../src/model/units";
import type { Box, DrawView, Shape } from "../kit/stage/scene";
import { visible } from "../shared/text";
import { BoxIndex, type Edges } from "../superGraph/boxIndex";
import { formsOf, LabelRoom, type LabelText, leaderShape, MIN_NAMED_HEIGHT, namesAlike } from "../superGraph/labels";
import { GUIDE_LINE } from "./guides";
import { STRIP } from "./placed";

export const [NAME, TEXT] = [12, 11];
/** Text with less room than this is not drawn. */
export const NARROWEST = 34;
/** A name's line stands so far above its bar. */
const BASE = 8;
const BETWEEN = 6;
/** From the top of a label's line to its baseline. */
const NAME_BASE = 11;
/** Names of so many bars go before all others. */
const HOTTEST = 5;

/** If there are more bars and a target, low ones leave the room beside them to its values. */
const MAX_FITTED_BARS = 60;

/** A lower bar may have its name beside it. */
const LOW = 16;

/** Where a text begins, on its baseline. */
interface Place {
  readonly x: number;
  readonly y: number;
}

interface Names {
  readonly shapes: readonly Shape[];
  readonly boxes: readonly Edges[];
}

/** They stay while another run is set beside all, many times a second. */
const known = new WeakMap<readonly Box[], Names & { readonly view: DrawView }>();

export function namesOf(content: EnsembleContent, view: DrawView, bars: readonly Box[]): Names {
  const last = known.get(bars);
  if (last?.view === view) return last;
  const names = placedNames(content, view, bars);
  known.set(bars, { ...names, view });
  return names;
}

/** The highest first: what finds no room is in the tooltip and the table. */
export function byHeight({ bars }: EnsembleContent): number[] {
  return [...bars.name.keys()].sort((a, b) => bars.height[b] - bars.height[a] || a - b);
}

export function edgesOf({ x, y, width, height }: Box): Edges {
  return { left: x, right: x + width, top: y, bottom: y + height };
}

/** A name as it stands there. */
interface Placed {
  readonly at: Place;
  readonly text: string;
  /** The end of the axis, and how far from the name's beginning it begins. */
  readonly number?: string;
  readonly numberX?: number;
  readonly leader?: readonly [Place, Place];
}

/** With the end of its axis where that has room. Drawings that are too crowded for it have the shortest names alone. */
function placedNames(content: EnsembleContent, view: DrawView, bars: readonly Box[]): Names {
  const whole = attemptNames(content, view, bars, false);
  if (whole.missing === 0) return whole;
  const shortest = attemptNames(content, view, bars, true);
  return shortest.missing < whole.missing ? shortest : whole;
}

/** Names, and the number of bars that must have one and have no room for it. */
interface AttemptedNames extends Names {
  readonly missing: number;
}

function attemptNames(
  content: EnsembleContent,
  view: DrawView,
  bars: readonly Box[],
  isCrowded: boolean,
): AttemptedNames {
  let missing = 0;
  const { theme, measure, width, height } = view;
  const shapes: Shape[] = [];
  const boxes: Edges[] = [];
  const taken = new BoxIndex(width, height, bars.map(edgesOf));
  const [measureName, measureRest] = [measure(NAME, 600), measure(TEXT)];
  const others = [{ x: 0, y: 0, width, height: STRIP }];
  const keepsArguments = namesAlike(content.bars.name.map(visible));
  const room = { bars, others, width, height, measureName, measureRest, keepsArguments };
  const labels = new LabelRoom({ ...room, areAbove: true, isCrowded });
  const shown = new Map<string, string>();
  const hottest = hottestBars(content);
  for (const bar of new Set([...hottest, ...byHeight(content)])) {
    const whole = visible(content.bars.name[bar]);
    const end = `≤ ${formatValue(content.bars.to[bar], content.unit)}${content.value === "exclusive" ? " excl." : ""}`;
    const needed = hottest.includes(bar) || bars[bar].height >= MIN_NAMED_HEIGHT;
    const forms = formsOf(whole, keepsArguments(whole))
      .flat(2)
      .slice(isCrowded ? -1 : 0);
    const fitted = (room: number) =>
      forms.find((text) => (shown.get(text) ?? whole) === whole && measureName(text) <= room) ?? "";
    const inLine = (at: Place, room: number): Placed | undefined => {
      const text = fitted(room);
      const numberX = measureName(text) + BETWEEN;
      const hasNumber = !isCrowded && numberX + measureRest(end) <= room;
      return text === "" ? undefined : { at, text, ...(hasNumber ? { number: end, numberX } : {}) };
    };
    const found =
      lineAt(bars, bar, view, taken, inLine) ??
      (needed || bars.length <= MAX_FITTED_BARS || content.beside.target === undefined
        ? labelOf(labels, { bar, name: whole, numbers: [end], needed })
        : undefined);
    if (found === undefined) {
      if (needed) missing++;
      continue;
    }
    const { at, text, number, numberX = 0, leader } = found;
    shown.set(text, whole);
    const common = { kind: "text", halo: theme.background, of: bar } as const;
    const title = text === whole ? {} : { title: whole };
    if (leader) shapes.push(leaderShape(leader, bar, theme));
    shapes.push({ ...common, at, text, size: NAME, weight: 600, fill: theme.text, ...title });
    const behind = { x: at.x + numberX, y: at.y };
    if (number !== undefined) shapes.push({ ...common, at: behind, text: number, size: TEXT, fill: theme.soft });
    const length = number === undefined ? measureName(text) : numberX + measureRest(number);
    const box = { left: at.x, right: at.x + length, top: at.y - NAME, bottom: at.y + 3 };
    boxes.push(box);
    taken.add(box);
    labels.add(box, text, whole);
  }
  return { shapes, boxes, missing };
}

/** The bars whose edges are hottest. */
function hottestBars({ bars: { border } }: EnsembleContent): number[] {
  const hot = [...border.keys()].filter((bar) => border[bar] > 0);
  return hot.sort((a, b) => border[b] - border[a] || a - b).slice(0, HOTTEST);
}

/** The place that a super graph gives a label of one line. */
function labelOf(labels: LabelRoom, text: LabelText): Placed | undefined {
  const [label] = labels.place([text]);
  return label && { ...label, at: { x: label.x, y: label.y + NAME_BASE }, text: label.name };
}

/** Above the bar; else beside a low one and one of the last level. */
function lineAt(
  bars: readonly Box[],
  bar: number,
  { width }: DrawView,
  taken: BoxIndex,
  inLine: (at: Place, room: number) => Placed | undefined,
): Placed | undefined {
  const own = bars[bar];
  const right = own.x + own.width;
  const from = (at: Place, wanted: number) =>
    at.y - NAME < STRIP ? undefined : inLine(at, taken.roomBeside(at.x, 1, at.y - NAME + 2, at.y + 3, 4, wanted, 1));
  const above = from({ x: own.x, y: own.y - BASE }, Math.min(untilNext(bars, own), width - 4 - own.x));
  if (above) return above;
  const isLast = bars.every(({ x }) => x <= right);
  return isLast || own.height < LOW ? from(besideOf(own), width - 4 - besideOf(own).x) : undefined;
}

/** Level with a bar's middle, right of it. */
function besideOf({ x, y, width, height }: Box): Place {
  return { x: x + width + BETWEEN, y: y + height / 2 + 4 };
}

/** As far as the next bar's name begins, where that stands in the same line. */
function untilNext(bars: readonly Box[], { x, y }: Box): number {
  let least = Infinity;
  for (const other of bars)
    if (other.x > x && Math.abs(other.y - y) < 2 * GUIDE_LINE) least = Math.min(least, other.x - x - BETWEEN);
  return least;
}
