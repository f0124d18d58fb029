/**
 * Where labels go: a block of name and value beside its bar, on flows with a rim of the background, at the top of a high one if only its
 * value has room there; else above, else below it, else along it, read downwards. No label touches a bar or another label, or stands nearer
 * to another bar than to its own. Where there is little room the share goes first, then the name is cut in its middle; one that finds no
 * room is left out (its text is in the tooltip, in the table and for screen readers). Pure.
 */
import type { Box } from "../kit/stage/scene";
import { cutName, fit, fitName, type Measure } from "../shared/text";
import { BoxIndex, type Edges } from "./boxIndex";

export interface LabelText {
  readonly bar: number;
  readonly name: string;
  /** What stands below the name: all of it, then less and less. */
  readonly numbers: readonly string[];
  /** Given any room there is, and named a little away from its bar rather than not at all: the root, the hottest, what a user points at. */
  readonly needed?: boolean;
}

export interface PlacedLabel extends Box {
  readonly bar: number;
  readonly name: string;
  /** Undefined: the name stands alone. */
  readonly number?: string;
  /** Name and number stand in one line: this far from its beginning the number begins. */
  readonly numberX?: number;
  /** That line is read downwards. */
  readonly turned?: true;
  readonly shortened: boolean;
}

export interface LabelSpace {
  /** All bars, in drawing coordinates. */
  readonly bars: readonly Box[];
  /** What else labels keep clear of. */
  readonly others?: readonly Box[];
  readonly width: number;
  readonly height: number;
  readonly measureName: Measure;
  readonly measureRest: Measure;
}

/** Height of a name, and of each row below it. */
export const NAME_LINE = 15;
export const LINE = 14;
/** Of a label with name and value. */
export const BLOCK = NAME_LINE + LINE;
/** Between a bar and the label beside it, or above or below it. */
const BESIDE = 6;
const STACKED = 2;
/** How much farther than its own bar all others have to be: below and above letters a line has some air. */
const FARTHER = 1;
const AIR = 1.5;
/** Between labels. */
const APART = 8;
/** Between a name and the number in the same line. */
const BETWEEN = 6;
/** From the edge of the drawing. */
const EDGE = 4;
/** Left of its bar, or of where that begins, a label has no other bar so near: it would seem to be the label of that one. */
const CLEAR = 24;
/** A line that is read downwards: from its bar, less where the next one is near, and across. */
const TURNED_BESIDE = [3, 1];
export const TURNED = 13;
/** Text with less room than this is not drawn. */
const NARROWEST = 34;
/** A bar from here on has a name, if only of so many characters. */
const HIGH = 14;
const FEWEST_OF_HIGH = 5;
/** A name that is wider is cut, however much room there is. */
const WIDEST = 260;
/** Of a needed name so little is better than nothing. */
const FEWEST = 20;
/** How many lines a needed name may stand away from its bar. */
const MOST_AWAY = 4;
/** Later labels would be too many to be read, and too much work while zooming. */
const MOST = 240;

/** A place for a block of some height: its left edge and its top. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** What a label could be, and how many pixels that needs. */
interface Content {
  readonly width: number;
  readonly height: number;
  readonly name: string;
  readonly number?: string;
  readonly numberX?: number;
}

/** The room that bars leave, and what has taken it. */
export class LabelRoom {
  private readonly bars: BoxIndex;
  private readonly labels: BoxIndex;
  private readonly edges: readonly Edges[];
  /** Names as they are shown, each with the whole of it: two that differ never look the same. */
  private readonly shown = new Map<string, string>();

  constructor(private readonly space: LabelSpace) {
    const { width, height, bars, others = [] } = space;
    this.edges = bars.map(edgesOf);
    this.bars = new BoxIndex(width, height, this.edges);
    this.labels = new BoxIndex(width, height, others.map(edgesOf));
  }

  /** Places labels one after the other, in the order given: what comes first has the choice. */
  place(texts: readonly LabelText[]): PlacedLabel[] {
    const placed: PlacedLabel[] = [];
    for (const text of texts) {
      const label = this.isInSight(text.bar) ? this.best(text) : undefined;
      if (!label) continue;
      placed.push(label);
      this.shown.set(label.name, text.name);
      this.labels.add(edgesOf(label));
      if (placed.length === MOST) break;
    }
    return placed;
  }

  /** Takes a place right of a bar, if nothing else has it and no other bar is near. @returns whether it did */
  take(bar: number, box: Box): boolean {
    const { left, right, top, bottom } = edgesOf(box);
    const own = this.edges[bar];
    if (left < own.right || right > this.space.width - EDGE || top < 0 || bottom > this.space.height) return false;
    const near = { left: left - BESIDE, right: right + BESIDE, top: top - FARTHER, bottom: bottom + FARTHER };
    if (this.bars.some(near, (other) => other !== own)) return false;
    if (this.labels.some({ left: left - BETWEEN, right: right + BETWEEN, top, bottom }, () => true)) return false;
    this.labels.add({ left, right, top, bottom });
    return true;
  }

  private isInSight(bar: number): boolean {
    const { left, right, top, bottom } = this.edges[bar];
    return left <= this.space.width && right >= 0 && top <= this.space.height && bottom >= 0;
  }

  private best(text: LabelText): PlacedLabel | undefined {
    const { name: whole } = text;
    if (whole === "") return undefined;
    // What is as wide as a column of text is no name that anybody reads.
    const { measureName } = this.space;
    const isWide = measureName(whole.slice(0, 300)) > WIDEST;
    const name = isWide ? cutName(whole, WIDEST, measureName, (cut) => !this.isTaken(cut, whole)) || whole : whole;
    const placed = this.named(text, name);
    return placed && { ...placed, shortened: placed.name !== whole };
  }

  private named(text: LabelText, name: string): PlacedLabel | undefined {
    const { numbers, bar } = text;
    const blocks = numbers.map((number) => this.block(name, number));
    const line = this.line(name, numbers[numbers.length - 1]);
    return (
      this.uncut(text, blocks, [atTop]) ??
      // Read downwards, but from the top, where labels are looked for, and whole.
      this.along(text, name, true) ??
      this.uncut(text, blocks, [beside, above, below, before]) ??
      this.uncut(text, [line], [beside]) ??
      this.cut(text) ??
      this.along(text, name, false) ??
      // Rather a whole name without its number than a cut one.
      (this.space.bars[bar].height >= HIGH ? this.uncut(text, [this.only(name)], [beside]) : undefined) ??
      // A bar that is high enough has a name, however little of it.
      (this.space.bars[bar].height >= HIGH ? this.cut(text, FEWEST_OF_HIGH) : undefined) ??
      (text.needed ? this.cut(text, FEWEST_OF_HIGH, [anywhere]) : undefined) ??
      (text.needed ? this.alone(bar, name) : undefined)
    );
  }

  private block(name: string, number: string): Content {
    const { measureName, measureRest } = this.space;
    // Names of any length may come: beyond some hundred characters only the ends are ever shown.
    const width = Math.ceil(Math.max(measureName(name.slice(0, 300)), measureRest(number)));
    return { width, height: BLOCK, name, number };
  }

  private only(name: string): Content {
    return { width: Math.ceil(this.space.measureName(name.slice(0, 300))), height: NAME_LINE, name };
  }

  private line(name: string, number: string): Content {
    const { measureName, measureRest } = this.space;
    const numberX = Math.ceil(measureName(name.slice(0, 300))) + BETWEEN;
    return { width: numberX + Math.ceil(measureRest(number)), height: NAME_LINE, name, number, numberX };
  }

  /** @param contents all that it could say, then less and less */
  private uncut(
    { bar, name }: LabelText,
    contents: readonly Content[],
    kinds: readonly Kind[],
  ): PlacedLabel | undefined {
    for (const kind of kinds)
      for (const content of contents) {
        if (this.isTaken(content.name, name)) continue;
        const { width, height } = content;
        for (const { x, y } of kind(this.space.bars[bar], height, this.space, width))
          if (this.roomAt(bar, { x, y }, height, width) >= width && this.isClear(bar, { x, y, width, height }))
            return { bar, ...content, x, y, shortened: false };
      }
    return undefined;
  }

  /** Whether what begins left of its bar stands beside no other one. */
  private isClear(bar: number, { x, y, width, height }: Box): boolean {
    const own = this.edges[bar];
    if (x >= own.left) return true;
    const near = { left: x - CLEAR, right: x + width + CLEAR, top: y - CLEAR, bottom: y + height + CLEAR };
    return !this.bars.some(near, (other) => other !== own && other.right <= own.left);
  }

  /** Name and number along a high bar whose neighbour is too near for a block: one line, read downwards. @param isAll from its top, and nothing cut */
  private along({ bar, name: whole, numbers }: LabelText, name: string, isAll: boolean): PlacedLabel | undefined {
    const { bars, height: high, measureName, measureRest } = this.space;
    const own = bars[bar];
    const top = Math.max(own.y, 0);
    const most = Math.min(own.y + own.height, high) - top;
    const wanted = Math.ceil(measureName(name.slice(0, 300)));
    const leaves = (number: string) => most - BETWEEN - Math.ceil(measureRest(number));
    const number = numbers.find((one) => leaves(one) >= wanted) ?? numbers[numbers.length - 1];
    if (leaves(number) < NARROWEST || (isAll && leaves(numbers[0]) < wanted)) return undefined;
    const shown = cutName(name, leaves(number), measureName, (cut) => !this.isTaken(cut, whole));
    const numberX = Math.ceil(measureName(shown)) + BETWEEN;
    const height = numberX + Math.ceil(measureRest(number));
    if (shown === "") return undefined;
    for (const beside of TURNED_BESIDE)
      for (const y of isAll ? [top] : [top, top + most - height]) {
        const box = { x: own.x + own.width + beside, y, width: TURNED, height };
        if (this.roomAt(bar, box, height, TURNED, TURNED) < TURNED) continue;
        return { ...box, bar, name: shown, number, numberX, turned: true, shortened: shown !== name };
      }
    return undefined;
  }

  /** The name cut in its middle, where there is room for as much as says anything, and for a number. */
  private cut(
    { bar, name, numbers }: LabelText,
    characters?: number,
    kinds: readonly Kind[] = [beside, above, below],
  ): PlacedLabel | undefined {
    const { measureName, measureRest, bars } = this.space;
    const most = Math.ceil(measureName(name.slice(0, 300)));
    for (const kind of kinds)
      for (const place of kind(bars[bar], BLOCK, this.space)) {
        const room = Math.min(most, this.roomAt(bar, place, BLOCK, most));
        const number = room < Math.min(most, NARROWEST) ? undefined : numbers.find((one) => measureRest(one) <= room);
        const shown =
          number === undefined ? "" : cutName(name, room, measureName, (cut) => !this.isTaken(cut, name), characters);
        if (shown === "" || number === undefined) continue;
        const width = Math.ceil(Math.max(measureName(shown), measureRest(number)));
        const box = { x: place.x, y: place.y, width, height: BLOCK };
        return { ...box, bar, name: shown, number, shortened: shown !== name };
      }
    return undefined;
  }

  /** A name without a number, if need be above or below all that stands around its bar: as much of it as can be, then nearest. */
  private alone(bar: number, name: string): PlacedLabel | undefined {
    const { measureName, bars } = this.space;
    const wanted = Math.ceil(measureName(name.slice(0, 300)));
    let best: PlacedLabel | undefined;
    const kinds: readonly (readonly [Kind, boolean])[] = [
      ...[beside, above, below].map((kind) => [kind, false] as const),
      // Level with its bar, which has a frame, rather than away from it, though others of its column are as near.
      [beside, true],
      [away, true],
    ];
    for (const [kind, isAway] of kinds)
      for (const place of kind(bars[bar], NAME_LINE, this.space)) {
        const room = this.roomAt(bar, place, NAME_LINE, wanted, FEWEST, isAway);
        // In the smallest panels its first letters say that there is one.
        const shown = fitName(name, room, measureName) || fit(name, room, measureName);
        const width = Math.ceil(measureName(shown));
        if (shown === "" || (best && width <= best.width)) continue;
        best = { bar, ...place, width, height: NAME_LINE, name: shown, shortened: shown !== name };
      }
    return best;
  }

  private isTaken(shown: string, name: string): boolean {
    const whole = this.shown.get(shown);
    return whole !== undefined && whole !== name;
  }

  /**
   * How far a block at this place may grow to the right before it meets a bar, a label or the edge; 0 where it cannot start at all.
   *
   * @param fewest pixels that are worth it
   * @param isAway it may be nearer to other bars than to its own
   */
  private roomAt(
    bar: number,
    { x, y }: Place,
    height: number,
    wanted: number,
    fewest = NARROWEST,
    isAway = false,
  ): number {
    const { width, height: high } = this.space;
    if (y < 0 || y + height > high) return 0;
    const own = this.edges[bar];
    const dx = Math.max(0, x - own.right, own.left - (x + wanted));
    const dy = Math.max(0, own.top - (y + height), y - own.bottom);
    const far = isAway ? 1 : Math.hypot(dx, dy) + FARTHER + (dy > 0 ? AIR : 0);
    const least = Math.min(wanted, fewest);
    let room = Math.min(wanted, width - EDGE - x);
    if (room < least) return 0;
    // Those above, below and right of it: what is nearer than its own bar would seem to bear its name.
    const area = { left: x, right: x + room + far, top: y - far, bottom: y + height + far };
    this.bars.some(area, (other) => {
      if (other === own) return false;
      room = Math.min(room, other.left - far - x);
      return room < least;
    });
    if (room < least || this.isNearLeft(own, { left: x, right: x, top: y, bottom: y + height }, far)) return 0;
    room = this.labels.roomBeside(x, 1, y - 1, y + height + 1, APART, room, least);
    return room < least ? 0 : room;
  }

  /** Whether another bar than its own lies less than this far from the left edge of a block. */
  private isNearLeft(own: Edges, { left, top, bottom }: Edges, far: number): boolean {
    const area = { left: left - far, right: left, top: top - far, bottom: bottom + far };
    return this.bars.some(area, (other) => {
      if (other === own) return false;
      const dx = Math.max(0, left - other.right);
      const dy = Math.max(0, other.top - bottom, top - other.bottom);
      return Math.hypot(dx, dy) < far;
    });
  }
}

/** @param width absent: as wide as there is room for */
type Kind = (bar: Box, height: number, space: LabelSpace, width?: number) => Place[];

/** Right of a bar that is higher than its label: at its top, or where it comes into sight. */
function atTop(bar: Box, height: number): Place[] {
  if (bar.height < height) return [];
  return [{ x: bar.x + bar.width + BESIDE, y: Math.min(Math.max(bar.y, 0), bar.y + bar.height - height) }];
}

/** Right of the bar: at its top, or in the middle of one that is lower than its label. */
function beside(bar: Box, height: number, space: LabelSpace): Place[] {
  const x = bar.x + bar.width + BESIDE;
  const bottom = bar.y + bar.height;
  const at = (y: number) => ({ x, y });
  if (bar.height < height) {
    const middle = bar.y + (bar.height - height) / 2;
    return [
      at(middle),
      at(Math.min(bar.y - 1, middle + LINE / 2)),
      at(Math.max(bottom + 1 - height, middle - LINE / 2)),
    ];
  }
  // Where a bar reaches out of sight, its label stays in sight beside it.
  const [top] = atTop(bar, height);
  const low = Math.max(bar.y, Math.min(bottom, space.height) - height);
  return [top, at(low), at((top.y + low) / 2)];
}

function above(bar: Box, height: number, _: LabelSpace, width?: number): Place[] {
  return stacked(bar, bar.y - STACKED - height, width);
}

function below(bar: Box, _: number, __: LabelSpace, width?: number): Place[] {
  return stacked(bar, bar.y + bar.height + STACKED, width);
}

/** From the bar's left edge on, or up to its right one. */
function stacked(bar: Box, y: number, width?: number): Place[] {
  const from = { x: Math.max(bar.x, EDGE), y };
  const x = width === undefined ? 0 : bar.x + bar.width - width;
  return x < EDGE ? [from] : [from, { x, y }];
}

/** Right of a high bar at any height in sight: its neighbours may leave room anywhere. */
function anywhere(bar: Box, height: number, space: LabelSpace): Place[] {
  const from = Math.max(bar.y, 0);
  const room = Math.min(bar.y + bar.height, space.height) - height - from;
  const count = Math.max(0, Math.floor((2 * room) / LINE));
  return Array.from({ length: count }, (_, at) => ({ x: bar.x + bar.width + BESIDE, y: from + ((at + 1) * LINE) / 2 }));
}

/** Left of the bar, where nothing else has room: at the edge of the drawing. */
function before(bar: Box, height: number, space: LabelSpace, width = Infinity): Place[] {
  const x = bar.x - BESIDE - width;
  return x < EDGE ? [] : beside(bar, height, space).map(({ y }) => ({ x, y }));
}

/** Higher above and lower below a bar, where its neighbours stand too close beside it. */
function away(bar: Box, height: number): Place[] {
  const x = Math.max(bar.x, EDGE);
  return Array.from({ length: 2 * MOST_AWAY }, (_, at) => ((at + 1) * LINE) / 2).flatMap((pixels): Place[] => [
    { x, y: bar.y - STACKED - height - pixels },
    { x, y: bar.y + bar.height + STACKED + pixels },
  ]);
}

function edgesOf({ x, y, width, height }: Box): Edges {
  return { left: x, right: x + width, top: y, bottom: y + height };
}
