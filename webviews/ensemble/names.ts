/** Names of an ensemble's bars: above them, else beside low ones, the highest first. Pure. */
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

/** With the end of its axis where that has room. */
function placedNames(
  content: EnsembleContent,
  { theme, measure, width, height }: DrawView,
  bars: readonly Box[],
): Names {
  const shapes: Shape[] = [];
  const boxes: Edges[] = [];
  const taken = new BoxIndex(width, height, bars.map(edgesOf));
  const shown = new Map<string, string>();
  const [wide, rest] = [measure(NAME, 600), measure(TEXT)];
  for (const bar of byHeight(content)) {
    const own = bars[bar];
    const whole = visible(content.bars.name[bar]);
    const fewest = own.height >= GUIDE_LINE ? FEWEST_OF_HIGH : FEWEST;
    const fits = ({ x, y }: Place, wanted: number) => {
      if (y - NAME < STRIP) return undefined;
      const room = taken.roomBeside(x, 1, y - NAME + 2, y + 3, 4, wanted, 1);
      const text =
        room < NARROWEST ? "" : cutName(whole, room, wide, (cut) => (shown.get(cut) ?? whole) === whole, fewest);
      return text === "" ? undefined : { at: { x, y }, room, text };
    };
    const found =
      fits({ x: own.x, y: own.y - BASE }, Math.min(untilNext(bars, own), width - 4 - own.x)) ??
      (own.height < LOW ? fits(besideOf(own), width - 4 - besideOf(own).x) : undefined);
    if (found === undefined) continue;
    const { at, room, text } = found;
    shown.set(text, whole);
    const most = `≤ ${formatValue(content.bars.to[bar], content.unit)}${content.value === "exclusive" ? " excl." : ""}`;
    const numberX = wide(text) + BETWEEN;
    const hasNumber = numberX + rest(most) <= room;
    const common = { kind: "text", halo: theme.background, of: bar } as const;
    const title = text === whole ? {} : { title: whole };
    shapes.push({ ...common, at, text, size: NAME, weight: 600, fill: theme.text, ...title });
    if (hasNumber)
      shapes.push({ ...common, at: { x: at.x + numberX, y: at.y }, text: most, size: TEXT, fill: theme.soft });
    const box = {
      left: at.x,
      right: at.x + (hasNumber ? numberX + rest(most) : wide(text)),
      top: at.y - NAME,
      bottom: at.y + 3,
    };
    boxes.push(box);
    taken.add(box);
  }
  return { shapes, boxes };
}

/** Level with a low bar, right of it. */
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
