/**
 * Where labels go: a block of name and value beside its bar, on flows with a rim of the background; else above, else below it. No label
 * touches a bar or another label, or stands nearer to another bar than to its own. Where there is little room the share goes first, then
 * the name is cut in its middle; one that finds no room is left out (its text is in the tooltip, in the table and for screen readers).
 * Pure.
 */
import type { Box } from "../kit/stage/scene";
import { cutName, fitName, type Measure } from "../shared/text";
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
  /** Name and number stand in one line: here the number begins. */
  readonly numberX?: number;
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
    this.bars = new BoxIndex(width, height, [...this.edges, ...others.map(edgesOf)]);
    this.labels = new BoxIndex(width, height);
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
    const [all, ...less] = numbers.map((number) => this.block(name, number));
    const line = this.line(name, numbers[numbers.length - 1]);
    return (
      this.uncut(text, all, [beside, above, below, before]) ??
      less.reduce<PlacedLabel | undefined>(
        (found, one) => found ?? this.uncut(text, one, [beside, before]),
        undefined,
      ) ??
      this.uncut(text, line, [beside]) ??
      this.cut(text) ??
      // A bar that is high enough has a name, however little of it.
      (this.space.bars[bar].height >= HIGH ? this.cut(text, FEWEST_OF_HIGH) : undefined) ??
      (text.needed ? this.cut(text, FEWEST_OF_HIGH, [along]) : undefined) ??
      (text.needed ? this.alone(bar, name) : undefined)
    );
  }

  private block(name: string, number: string): Content {
    const { measureName, measureRest } = this.space;
    // Names of any length may come: beyond some hundred characters only the ends are ever shown.
    const width = Math.ceil(Math.max(measureName(name.slice(0, 300)), measureRest(number)));
    return { width, height: BLOCK, name, number };
  }

  private line(name: string, number: string): Content {
    const { measureName, measureRest } = this.space;
    const numberX = Math.ceil(measureName(name.slice(0, 300))) + BETWEEN;
    return { width: numberX + Math.ceil(measureRest(number)), height: NAME_LINE, name, number, numberX };
  }

  private uncut({ bar, name }: LabelText, content: Content, kinds: readonly Kind[]): PlacedLabel | undefined {
    if (this.isTaken(content.name, name)) return undefined;
    for (const kind of kinds)
      for (const place of kind(this.space.bars[bar], content.height, this.space, content.width))
        if (this.roomAt(bar, place, content.height, content.width) >= content.width)
          return { bar, ...content, x: place.x, y: place.y, shortened: false };
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
      for (const place of kind(bars[bar], BLOCK, this.space, most)) {
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

  /** A name without a number, if need be above or below all that stands around its bar: nearest first. */
  private alone(bar: number, name: string): PlacedLabel | undefined {
    const { measureName, bars } = this.space;
    const wanted = Math.ceil(measureName(name.slice(0, 300)));
    for (const kind of [beside, above, below, away])
      for (const place of kind(bars[bar], NAME_LINE, this.space)) {
        const room = this.roomAt(bar, place, NAME_LINE, wanted, FEWEST, kind === away);
        const shown = fitName(name, room, measureName);
        if (shown === "") continue;
        const width = Math.ceil(measureName(shown));
        return { bar, ...place, width, height: NAME_LINE, name: shown, shortened: shown !== name };
      }
    return undefined;
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

type Kind = (bar: Box, height: number, space: LabelSpace, width: number) => Place[];

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
  const top = Math.min(Math.max(bar.y, 0), bottom - height);
  const low = Math.max(bar.y, Math.min(bottom, space.height) - height);
  return [at(top), at(low), at((top + low) / 2)];
}

function above(bar: Box, height: number): Place[] {
  return [{ x: Math.max(bar.x, EDGE), y: bar.y - STACKED - height }];
}

function below(bar: Box): Place[] {
  return [{ x: Math.max(bar.x, EDGE), y: bar.y + bar.height + STACKED }];
}

/** Right of a high bar at any height in sight: its neighbours may leave room anywhere. */
function along(bar: Box, height: number, space: LabelSpace): Place[] {
  const from = Math.max(bar.y, 0);
  const room = Math.min(bar.y + bar.height, space.height) - height - from;
  const count = Math.max(0, Math.floor((2 * room) / LINE));
  return Array.from({ length: count }, (_, at) => ({ x: bar.x + bar.width + BESIDE, y: from + ((at + 1) * LINE) / 2 }));
}

/** Left of the bar, where nothing else has room: at the edge of the drawing. */
function before(bar: Box, height: number, space: LabelSpace, width: number): Place[] {
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
