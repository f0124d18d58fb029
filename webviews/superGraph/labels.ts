/**
 * Where labels go: no label touches a bar or another label; one that has to lie on a flow has a rim of the background;
 * one that finds no room is left out (its text is in the tooltip, in the table and for screen readers). Pure.
 */
import type { Box } from "../kit/stage/scene";
import { fit, fitName, type Measure } from "../shared/text";
import { BoxIndex, type Edges } from "./boxIndex";
import type { FlowIndex } from "./flowIndex";

/** What a label says: the name first, then what may be dropped from the end where there is little room. */
export interface LabelText {
  readonly bar: number;
  readonly lines: readonly string[];
  /** Named a little away from its bar rather than not at all: the root, and what a user points at. */
  readonly needed?: boolean;
  /** Pixels above its bar that are taken. */
  readonly above?: number;
}

export interface PlacedLabel extends Box {
  readonly bar: number;
  readonly lines: readonly string[];
  readonly shortened: boolean;
}

export interface LabelSpace {
  /** All bars, in drawing coordinates. */
  readonly bars: readonly Box[];
  /** What else labels keep clear of. */
  readonly others?: readonly Box[];
  readonly flows: FlowIndex;
  readonly width: number;
  readonly height: number;
  readonly lineHeight: number;
  readonly measureName: Measure;
  readonly measureRest: Measure;
}

/** Room between a label and what it must not touch. */
const GAP = 4;
/** A name is not cut below this many pixels: what is left would say nothing. */
const NARROWEST = 48;
/** What each number of lines is worth: the first number more than the second, since the colour tells that one too. */
const WORTH = [0, 10, 18, 19];
/** What it is worth that no line is cut. */
const WHOLE = 60;
/** How many lines a needed name may stand away from its bar. */
const MOST_AWAY = 4;
/** Later labels would be too many to be read, and too much work while zooming. */
const MOST = 200;

/** Places labels one after the other, in the order given: what comes first has the choice. */
export function placeLabels(texts: readonly LabelText[], space: LabelSpace): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  const indexes: Indexes = {
    bars: new BoxIndex(space.width, space.height, [...space.bars, ...(space.others ?? [])].map(edgesOf)),
    labels: new BoxIndex(space.width, space.height),
  };
  for (const text of texts) {
    const bar = space.bars[text.bar];
    if (bar.x > space.width || bar.x + bar.width < 0 || bar.y > space.height || bar.y + bar.height < 0) continue;
    const beside = bestPlace(text, tries, bar, space, indexes);
    const best =
      beside ??
      (text.needed ? bestPlace({ ...text, lines: text.lines.slice(0, 1) }, away, bar, space, indexes) : undefined);
    if (!best) continue;
    placed.push(best);
    indexes.labels.add(edgesOf(best));
    if (placed.length === MOST) break;
  }
  return placed;
}

/** What labels must keep clear of. */
interface Indexes {
  readonly bars: BoxIndex;
  readonly labels: BoxIndex;
}

interface Try {
  /** The edge of the text that stands still, and the direction in which it may grow. */
  readonly x: number;
  readonly grows: 1 | -1;
  readonly y: number;
  /** Points taken off, for places further from where people look first. */
  readonly malus: number;
}

type Tries = (bar: Box, height: number, space: LabelSpace, above: number) => Try[];

function bestPlace(text: LabelText, triesOf: Tries, bar: Box, space: LabelSpace, indexes: Indexes) {
  // Where not even the name has room, more lines have none either: of hundreds of bars that is most.
  if (!hasRoom(text, triesOf, bar, space, indexes)) return undefined;
  let best: PlacedLabel | undefined;
  let bestScore = 0;
  for (let lines = text.lines.length; lines >= 1; lines--) {
    const shown = text.lines.slice(0, lines);
    const height = lines * space.lineHeight;
    let wanted: number | undefined;
    for (const attempt of triesOf(bar, height, space, text.above ?? 0)) {
      const worth = WORTH[Math.min(lines, 3)] - attempt.malus;
      // Most places could not be better than the best, however much room they had.
      if (worth + WHOLE <= bestScore) continue;
      wanted ??= Math.ceil(widthOf(shown, space)) + 1;
      const least = Math.min(wanted, NARROWEST);
      const room = roomAt(attempt, height, wanted, least, space, indexes);
      if (room < least) continue;
      const width = Math.min(room, wanted);
      const box = { x: attempt.grows === 1 ? attempt.x : attempt.x - width, y: attempt.y, width, height };
      const bare = worth + WHOLE * (width / wanted);
      if (bare <= bestScore) continue;
      const score = bare - (liesOnFlow(box, space.flows) ? 14 : 0);
      if (score <= bestScore) continue;
      const fitted = shown.map((line, at) =>
        at === 0 ? fitName(line, width, space.measureName) : fit(line, width, space.measureRest),
      );
      // Numbers are shown whole or not at all: half a number is a wrong one.
      if (fitted[0] === "" || fitted.some((line, at) => at > 0 && line !== shown[at])) continue;
      best = { ...box, bar: text.bar, lines: fitted, shortened: fitted[0] !== shown[0] };
      bestScore = score;
    }
  }
  return best;
}

/** Whether there is room for the name anywhere. */
function hasRoom(text: LabelText, triesOf: Tries, bar: Box, space: LabelSpace, indexes: Indexes): boolean {
  const height = space.lineHeight;
  const wanted = Math.ceil(widthOf(text.lines.slice(0, 1), space)) + 1;
  const least = Math.min(wanted, NARROWEST);
  return triesOf(bar, height, space, text.above ?? 0).some(
    (attempt) => roomAt(attempt, height, wanted, least, space, indexes) >= least,
  );
}

function tries(bar: Box, height: number, space: LabelSpace, above: number): Try[] {
  const right = bar.x + bar.width;
  // Above and below, the label of a bar that is half out of sight stays in sight.
  const first = Math.max(bar.x, GAP);
  const last = Math.min(right, space.width - GAP);
  const bottom = bar.y + bar.height;
  // Where a bar reaches out of sight, its label stays in sight beside it.
  const top = Math.min(Math.max(bar.y, GAP), Math.max(bar.y, bottom - height));
  const low = Math.max(bar.y, Math.min(bottom, space.height - GAP) - height);
  const middle = Math.max(bar.y, Math.min(bar.y + (bar.height - height) / 2, space.height - GAP - height));
  const small = bar.height < height ? bar.y + (bar.height - height) / 2 : undefined;
  return [
    { x: first, grows: 1, y: bar.y - above - height - GAP / 2, malus: 0 },
    { x: right + GAP, grows: 1, y: small ?? top, malus: 1 },
    { x: right + GAP, grows: 1, y: small ?? low, malus: 2 },
    { x: right + GAP, grows: 1, y: small ?? middle, malus: 3 },
    { x: first, grows: 1, y: bottom + GAP / 2, malus: 12 },
    { x: last, grows: -1, y: bar.y - above - height - GAP / 2, malus: 6 },
    { x: last, grows: -1, y: bottom + GAP / 2, malus: 13 },
    { x: bar.x - GAP, grows: -1, y: small ?? top, malus: 9 },
    { x: bar.x - GAP, grows: -1, y: small ?? low, malus: 10 },
  ];
}

/** Higher above and lower below a bar, where its neighbours stand too close beside it: nearest first. */
function away(bar: Box, height: number, space: LabelSpace, above: number): Try[] {
  const x = Math.max(bar.x, GAP);
  return Array.from({ length: 2 * MOST_AWAY }, (_, at) => (at + 1) / 2).flatMap((lines): Try[] => [
    { x, grows: 1, y: bar.y - above - GAP / 2 - height - lines * space.lineHeight, malus: 3 * lines },
    { x, grows: 1, y: bar.y + bar.height + GAP / 2 + lines * space.lineHeight, malus: 5 * lines },
  ]);
}

/**
 * How far a text at this place may grow before it meets a bar, a label or the edge; 0 where it cannot start at all.
 *
 * @param wanted pixels: as much as it could use
 * @param least less is of no use, however little it is
 */
function roomAt(
  { x, y, grows }: Try,
  height: number,
  wanted: number,
  least: number,
  space: LabelSpace,
  { bars, labels }: Indexes,
): number {
  if (y < 0 || y + height > space.height) return 0;
  let room = Math.min(wanted, grows === 1 ? space.width - GAP - x : x - GAP);
  if (room >= least) room = bars.roomBeside(x, grows, y, y + height, GAP, room, least);
  if (room >= least) room = labels.roomBeside(x, grows, y, y + height, 2 * GAP, room, least);
  return Math.max(0, room);
}

function widthOf(lines: readonly string[], { measureName, measureRest }: LabelSpace): number {
  return lines.reduce((most, line, at) => {
    // Names of any length may come: beyond some hundred characters only the beginning is ever shown.
    const width = at === 0 ? measureName(line.slice(0, 300)) : measureRest(line);
    return Math.max(most, width);
  }, 0);
}

/** Whether a flow runs through the text of a label: its box is a little higher than its letters. */
function liesOnFlow({ x, y, width, height }: Box, flows: FlowIndex): boolean {
  const air = 2;
  const letters = { left: x, right: x + width, top: y + air, bottom: y + height - air };
  return flows.runThrough(letters);
}

function edgesOf({ x, y, width, height }: Box): Edges {
  return { left: x, right: x + width, top: y, bottom: y + height };
}
