/** Names of an ensemble's bars: above them, else beside low ones, or along high ones; the highest first. Pure. */
import type { EnsembleContent } from "../../src/protocol/ensemble";
import { formatValue } from "../../src/model/units";
import type { Box, DrawView, Shape } from "../kit/stage/scene";
import { cutName, visible } from "../shared/text";
import { BoxIndex, type Edges } from "../superGraph/boxIndex";
import { GUIDE_LINE } from "./guides";
import { STRIP } from "./placed";

export const [NAME, TEXT] = [12, 11];
/** Text with less room than this is not drawn. */
export const NARROWEST = 34;
/** A name's line stands so far above its bar. */
const BASE = 8;
const BETWEEN = 6;
/** Fewer characters are no name, but of bars that are high enough to be asked about. */
const [FEWEST, FEWEST_OF_HIGH] = [12, 5];

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

/** Where a name stands, and as much of it as has room there. */
interface Found {
  readonly at: Place;
  /** Pixels from its beginning on. */
  readonly room: number;
  readonly text: string;
  readonly turned?: true;
}

/** With the end of its axis where that has room. */
function placedNames(content: EnsembleContent, view: DrawView, bars: readonly Box[]): Names {
  const { theme, measure } = view;
  const shapes: Shape[] = [];
  const boxes: Edges[] = [];
  const taken = new BoxIndex(view.width, view.height, bars.map(edgesOf));
  const shown = new Map<string, string>();
  const [wide, rest] = [measure(NAME, 600), measure(TEXT)];
  for (const bar of byHeight(content)) {
    const whole = visible(content.bars.name[bar]);
    const cut = (room: number, fewest: number) =>
      room < NARROWEST ? "" : cutName(whole, room, wide, (text) => (shown.get(text) ?? whole) === whole, fewest);
    const found = placeOf(bars, bar, view, taken, cut);
    if (found === undefined) continue;
    const { at, room, text, turned } = found;
    shown.set(text, whole);
    const most = `≤ ${formatValue(content.bars.to[bar], content.unit)}${content.value === "exclusive" ? " excl." : ""}`;
    const numberAt = wide(text) + BETWEEN;
    const hasNumber = numberAt + rest(most) <= room;
    const common = { kind: "text", halo: theme.background, of: bar, ...(turned ? { turned } : {}) } as const;
    const title = text === whole ? {} : { title: whole };
    shapes.push({ ...common, at, text, size: NAME, weight: 600, fill: theme.text, ...title });
    const behind = turned ? { x: at.x, y: at.y + numberAt } : { x: at.x + numberAt, y: at.y };
    if (hasNumber) shapes.push({ ...common, at: behind, text: most, size: TEXT, fill: theme.soft });
    const length = hasNumber ? numberAt + rest(most) : wide(text);
    const box = turned
      ? { left: at.x - 3, right: at.x + NAME, top: at.y, bottom: at.y + length }
      : { left: at.x, right: at.x + length, top: at.y - NAME, bottom: at.y + 3 };
    boxes.push(box);
    taken.add(box);
  }
  return { shapes, boxes };
}

/** Above the bar; else beside a low one and one of the last level, or along a high one, read downwards. */
function placeOf(
  bars: readonly Box[],
  bar: number,
  { width, height }: DrawView,
  taken: BoxIndex,
  cut: (room: number, fewest: number) => string,
): Found | undefined {
  const own = bars[bar];
  const right = own.x + own.width;
  const inLine = (at: Place, wanted: number): Found | undefined => {
    if (at.y - NAME < STRIP) return undefined;
    const room = taken.roomBeside(at.x, 1, at.y - NAME + 2, at.y + 3, 4, wanted, 1);
    const text = cut(room, own.height >= GUIDE_LINE ? FEWEST_OF_HIGH : FEWEST);
    return text === "" ? undefined : { at, room, text };
  };
  const above = inLine({ x: own.x, y: own.y - BASE }, Math.min(untilNext(bars, own), width - 4 - own.x));
  if (above) return above;
  const isLast = bars.every(({ x }) => x <= right);
  const beside = isLast || own.height < LOW ? inLine(besideOf(own), width - 4 - besideOf(own).x) : undefined;
  if (beside || own.height < LOW) return beside;
  const top = Math.max(own.y, STRIP) + 4;
  const room = Math.min(own.y + own.height, height) - 4 - top;
  const text = cut(room, FEWEST_OF_HIGH);
  const across = NAME;
  if (text === "" || taken.roomBeside(right + 1, 1, top, top + room, 1, across, across) < across) return undefined;
  return { at: { x: right + 3.5, y: top }, room, text, turned: true };
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
