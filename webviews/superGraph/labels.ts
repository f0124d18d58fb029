/**
 * Places of labels: a block of name and value right of its bar, with a halo over flows, otherwise above, below or left of it. No label touches a
 * bar or another label, or is nearer to another bar than to its own. A bar that must have a name gets a label with a leader if there is no such
 * place. In little room the share is left out first, then scopes and the middle of the name. A label without room is left out. Its text is in
 * the tooltip, in the table and for screen readers. Pure.
 */
import { type Box, type Point, rounded, type Shape } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { bareName, cutToLetters, type Measure, namesInShort } from "../shared/text";
import { BoxIndex, type Edges } from "./boxIndex";

export interface LabelText {
  readonly bar: number;
  readonly name: string;
  /** Texts below the name, longest first. */
  readonly numbers: readonly string[];
  /** The label may have a leader: for the root, the hottest bars, and bars under the pointer. High bars always may. */
  readonly needed?: boolean;
}

export interface PlacedLabel extends Box {
  readonly bar: number;
  readonly name: string;
  /** Undefined if the label has only a name. */
  readonly number?: string;
  /** Offset of the number from the label's left edge, if name and number are in one line. */
  readonly numberX?: number;
  /** Line from the label to its bar, if it is not beside the bar. */
  readonly leader?: readonly [from: Point, to: Point];
  readonly shortened: boolean;
}

export interface LabelSpace {
  /** All bars, in drawing coordinates. */
  readonly bars: readonly Box[];
  /** Other boxes that labels must not touch. */
  readonly others?: readonly Box[];
  readonly width: number;
  readonly height: number;
  readonly measureName: Measure;
  readonly measureRest: Measure;
  /** Labels have one line, above their bars if possible, because other texts are right of the bars. */
  readonly areAbove?: boolean;
  /** Names stand alone, in their shortest form. */
  readonly isCrowded?: boolean;
  /** Whether another name on screen differs from this one only in its parameters. If absent, checked for the names that are placed together. */
  readonly keepsArguments?: (name: string) => boolean;
}

/** Height of a name, and of each row below it. */
export const NAME_LINE = 15;
export const LINE = 14;
/** Height of a label with name and value. */
export const BLOCK = NAME_LINE + LINE;
/** Height in pixels from which a bar always has a name. */
export const MIN_NAMED_HEIGHT = 28;
/** Between a bar and the label beside it, or above or below it. */
const SIDE_GAP_PX = 6;
const STACK_GAP_PX = 2;
/** Distance of other bars from a label, in pixels. */
interface Clearance {
  /** Minimum by which they are farther away than the label's own bar. Undefined if they only must not touch it. */
  readonly farther: number | undefined;
  /** Extra distance above and below, where a line has room above and below its letters. */
  readonly air: number;
  /** Distance from bars that the label would seem to name, if it begins left of its own. */
  readonly left: number;
}

const CLEAR: Clearance = { farther: 1, air: 1.5, left: 24 };
/** Clearance for labels without a place after all others are placed. */
const TIGHT: Clearance = { farther: 0.5, air: 1.3, left: 8 };
/** Clearance of a label that is level with its bar. */
const LEVEL: Clearance = { farther: undefined, air: 0, left: 0 };
/** Between labels. */
const LABEL_GAP_PX = 8;
/** Between a name and the number in the same line. */
const NUMBER_GAP_PX = 6;
/** From the edge of the drawing. */
const EDGE_GAP_PX = 4;
/** Text with less room than this is not drawn. */
const MIN_TEXT_PX = 34;
/** A name that is wider is cut, however much room there is. */
const MAX_NAME_PX = 260;
/** A name and its value in one line are hardly wider. */
const MAX_LINE_PX = 400;
/** Numbers of letters that a name is cut to. Shorter names would not be recognizable. */
const CUT_LETTERS = [34, 28, 24, 20, 17, 15, 13, 12];
/** Costs that order attempts: of a shorter name, of a value in the line of its name, and of a missing value beside a whole or cut name. */
const SHORTER_COST = 3;
const LINE_COST = 4;
const VALUE_COST = { whole: 16, cut: 100 };
/** Maximum length of a leader in pixels. A pixel up or down counts as 1.5 to the side. */
const MAX_LEADER_PX = 170;
const STEEP = 1.5;
interface LeaderWay {
  /** It may run across other bars and labels. */
  readonly mayCross: boolean;
  readonly longest: number;
}

/** Attempts for a label with a leader: one across another bar, and a long one, is better than no label. */
const LEADER_WAYS: readonly LeaderWay[] = [
  { mayCross: false, longest: MAX_LEADER_PX },
  { mayCross: true, longest: MAX_LEADER_PX },
  { mayCross: true, longest: 2 * MAX_LEADER_PX },
];
const CROWDED_LEADER_WAYS: readonly LeaderWay[] = [...LEADER_WAYS, { mayCross: true, longest: 4 * MAX_LEADER_PX }];
/** Attempts for low bars, whose names do not justify a long leader across others. */
const SHORT_LEADER_WAYS: readonly LeaderWay[] = [
  { mayCross: false, longest: MAX_LEADER_PX },
  { mayCross: true, longest: MAX_LEADER_PX / 2 },
];
/** Pixels between the places that are tried for a label with a leader. */
const STEP_PX = { x: 8, y: 6 };
/** A name with a leader is not longer, if it has a shorter form. */
const MAX_LEADER_LETTERS = 26;
/** Between the points of a leader that are looked at, and between a leader and its text. */
const LEADER_STEP_PX = 4;
const LEADER_GAP_PX = 2;
const LEADER_WIDTH_PX = 0.75;
/** Maximum number of labels: more could not be read, and would slow down zooming. */
const MAX_LABELS = 240;
/** Maximum number of bars without a label for which a second attempt is made. */
const MAX_RETRIED = 60;
/** Maximum number of bars, as in first pictures, for which low bars may have leaders, too. */
const MAX_BARS_WITH_LEADERS = 30;

/** A place for a block of some height: its left edge and its top. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** Possible texts of a label, and the pixels that they need. */
interface Content {
  readonly width: number;
  readonly height: number;
  readonly name: string;
  readonly number?: string;
  readonly numberX?: number;
}

/** Name and value in two lines, in one line, or only the name. */
type Form = "block" | "line" | "name";

/** One way to write a name. */
interface Attempt {
  readonly name: string;
  readonly form: Form;
}

/** Room at the places of a bar. */
interface Rooms {
  readonly kinds: Readonly<Record<1 | 2, readonly Kind[]>>;
  /** Places that begin at a given x, with the pixels that are free from there. */
  readonly begun: (kind: Kind) => readonly (Place & { readonly room: number })[];
  /** A free place for a block of this width. */
  readonly fitted: (kind: Kind, width: number) => Place | undefined;
  /** Whether a few letters in one line have room anywhere. */
  readonly hasAny: () => boolean;
}

/** Room between bars, and the labels in it. */
export class LabelRoom {
  private readonly bars: BoxIndex;
  private readonly labels: BoxIndex;
  private readonly edges: readonly Edges[];
  /** Names on screen, each with its whole name: different names never get the same text. */
  private readonly shown = new Map<string, string>();

  constructor(private readonly space: LabelSpace) {
    const { width, height, bars, others = [] } = space;
    this.edges = bars.map(edgesOf);
    this.bars = new BoxIndex(width, height, this.edges);
    this.labels = new BoxIndex(width, height, others.map(edgesOf));
  }

  /** Places labels in the given order. Earlier ones have the choice. */
  place(texts: readonly LabelText[]): PlacedLabel[] {
    const areAlike = namesAlike(texts.map(({ name }) => name));
    const placed: PlacedLabel[] = [];
    const left: { readonly text: LabelText; readonly keepsArguments: boolean }[] = [];
    const add = (label: PlacedLabel | undefined, { name }: LabelText) => {
      if (!label) return false;
      placed.push({ ...label, shortened: label.name !== name });
      this.add(edgesOf(label), label.name, name);
      return true;
    };
    for (const text of texts) {
      if (placed.length === MAX_LABELS) return placed;
      if (text.name === "" || !this.isInSight(text.bar)) continue;
      const keepsArguments = this.space.keepsArguments?.(text.name) ?? areAlike(text.name);
      if (!add(this.best(text, keepsArguments), text)) left.push({ text, keepsArguments });
    }
    if (left.length > MAX_RETRIED) return placed;
    const isSmall = this.space.areAbove !== true && this.space.bars.length <= MAX_BARS_WITH_LEADERS;
    for (const { text, keepsArguments } of left) {
      const attempts = this.attempts(text.name, keepsArguments);
      const tight = this.beside(text, attempts, this.roomsOf(text.bar, TIGHT));
      add(tight ?? (isSmall ? this.led(text, attempts, SHORT_LEADER_WAYS) : undefined), text);
    }
    return placed;
  }

  /** Reserves the place of a name that is already placed. @param shown the text on screen of the whole name */
  add(box: Edges, shown: string, whole: string): void {
    this.labels.add(box);
    this.shown.set(shown, whole);
  }

  /** Reserves a place right of a bar, if it is free and no other bar is near. @returns whether it was free */
  take(bar: number, box: Box): boolean {
    const { left, right, top, bottom } = edgesOf(box);
    const own = this.edges[bar];
    if (left < own.right || right > this.space.width - EDGE_GAP_PX || top < 0 || bottom > this.space.height)
      return false;
    const near = { left: left - SIDE_GAP_PX, right: right + SIDE_GAP_PX, top: top - 1, bottom: bottom + 1 };
    if (this.bars.some(near, (other) => other !== own)) return false;
    if (this.labels.some({ left: left - NUMBER_GAP_PX, right: right + NUMBER_GAP_PX, top, bottom }, () => true))
      return false;
    this.labels.add({ left, right, top, bottom });
    return true;
  }

  private isInSight(bar: number): boolean {
    const { left, right, top, bottom } = this.edges[bar];
    return left <= this.space.width && right >= 0 && top <= this.space.height && bottom >= 0;
  }

  /** Forms of a name, best first: whole, without scopes, cut in the middle; each in two lines, then in one. */
  private attempts(whole: string, keepsArguments: boolean): Attempt[] {
    const isNarrow = (name: string) => this.isNarrow(name);
    const isFree = (name: string) => !this.isTaken(name, whole);
    const [uncut, cuts] = formsOf(whole, keepsArguments);
    const shortened = cuts.flatMap((alike) => alike.find((name) => isFree(name) && isNarrow(name)) ?? []);
    const names = [...uncut.filter(isNarrow), ...shortened];
    if (this.space.isCrowded)
      return names
        .filter(isFree)
        .slice(-1)
        .map((name) => ({ name, form: "name" }));
    return names
      .flatMap((name, at) => {
        if (!isFree(name)) return [];
        const cost = SHORTER_COST * at;
        const valueCost = shortened.includes(name) ? VALUE_COST.cut : VALUE_COST.whole;
        return [
          ...(this.space.areAbove === true ? [] : [{ name, form: "block" as const, cost }]),
          { name, form: "line" as const, cost: cost + LINE_COST },
          { name, form: "name" as const, cost: cost + valueCost },
        ];
      })
      .sort((a, b) => a.cost - b.cost);
  }

  private best(text: LabelText, keepsArguments: boolean): PlacedLabel | undefined {
    const { bar, name, needed } = text;
    const isNeeded = needed === true || this.space.bars[bar].height >= MIN_NAMED_HEIGHT;
    const rooms = this.roomsOf(bar, CLEAR);
    if (!isNeeded && !rooms.hasAny()) return undefined;
    // Most names fit whole right of their bars. Shorter forms are computed only for the others.
    const first = { name, form: this.space.areAbove === true ? "line" : "block" } as const;
    const isFirst = !this.space.isCrowded && !this.isTaken(name, name) && this.isNarrow(name);
    const whole = isFirst ? this.beside(text, [first], rooms) : undefined;
    if (whole) return whole;
    const attempts = this.attempts(name, keepsArguments);
    const beside = this.beside(text, attempts, rooms);
    if (beside || !isNeeded) return beside;
    const ways = this.space.isCrowded ? CROWDED_LEADER_WAYS : LEADER_WAYS;
    return this.level(text, attempts) ?? this.led(text, attempts, ways);
  }

  private isNarrow(name: string): boolean {
    return name.length < 1000 && this.space.measureName(name) <= MAX_NAME_PX;
  }

  /** Texts of one form of a name, longest value first. */
  private contents({ numbers }: LabelText, { name, form }: Attempt): Content[] {
    const { measureName, measureRest } = this.space;
    const width = Math.ceil(measureName(name));
    if (form === "name") return [{ width, height: NAME_LINE, name }];
    if (form === "block")
      return numbers.map((number) => ({
        width: Math.max(width, Math.ceil(measureRest(number))),
        height: BLOCK,
        name,
        number,
      }));
    const number = numbers[numbers.length - 1];
    const numberX = width + NUMBER_GAP_PX;
    return [{ width: numberX + Math.ceil(measureRest(number)), height: NAME_LINE, name, number, numberX }];
  }

  /** Room at the places of a bar. Places that begin at a given x have the same room for all attempts, so it is computed once. */
  private roomsOf(bar: number, clearance: Clearance): Rooms {
    const own = this.space.bars[bar];
    const kinds = this.space.areAbove === true ? ABOVE_FIRST : RIGHT_FIRST;
    const known = new Map<Kind, readonly (Place & { readonly room: number })[]>();
    const open = new Map<Kind, boolean>();
    const isFree = (kind: Kind, { x, y }: Place, width: number) =>
      this.roomAt(bar, { x, y }, kind.height, clearance, width) >= width &&
      this.isClear(bar, { x, y, width, height: kind.height }, clearance);
    const begun = (kind: Kind) => {
      let made = known.get(kind);
      if (!made) {
        const places = kind.places(own, this.space);
        made = places.map(({ x, y }) => ({ x, y, room: this.roomAt(bar, { x, y }, kind.height, clearance) }));
        known.set(kind, made);
      }
      return made;
    };
    // A place without room for a few letters is not tried again.
    const isOpen = (kind: Kind) => {
      let has = open.get(kind);
      if (has === undefined) {
        has = kind.fitted?.(own, this.space, MIN_TEXT_PX).some((place) => isFree(kind, place, MIN_TEXT_PX)) === true;
        open.set(kind, has);
      }
      return has;
    };
    return {
      kinds,
      begun,
      fitted: (kind, width) =>
        isOpen(kind) ? kind.fitted?.(own, this.space, width).find((place) => isFree(kind, place, width)) : undefined,
      hasAny: () => kinds[1].some((kind) => begun(kind).some(({ room }) => room > 0) || isOpen(kind)),
    };
  }

  /** Places a label at its bar, nearer to it than to all others. */
  private beside(text: LabelText, attempts: readonly Attempt[], rooms: Rooms): PlacedLabel | undefined {
    const { bar } = text;
    for (const attempt of attempts) {
      const contents = this.contents(text, attempt);
      for (const kind of rooms.kinds[attempt.form === "block" ? 2 : 1]) {
        // A shorter value is better than another place.
        for (const { x, y, room } of rooms.begun(kind)) {
          const content = contents.find(({ width }) => room >= width);
          if (content) return { bar, ...content, x, y, shortened: false };
        }
        for (const content of contents) {
          const found = rooms.fitted(kind, content.width);
          if (found) return { bar, ...content, x: found.x, y: found.y, shortened: false };
        }
      }
    }
    return undefined;
  }

  /** Whether what begins left of its bar stands beside no other one. */
  private isClear(bar: number, { x, y, width, height }: Box, { left: clear }: Clearance): boolean {
    const own = this.edges[bar];
    if (x >= own.left) return true;
    const near = { left: x - clear, right: x + width + clear, top: y - clear, bottom: y + height + clear };
    return !this.bars.some(near, (other) => other !== own && other.right <= own.left);
  }

  /** Places a label level with its bar, although other bars may be as near. */
  private level(text: LabelText, attempts: readonly Attempt[]): PlacedLabel | undefined {
    const { bar } = text;
    const own = this.space.bars[bar];
    const rooms = [BLOCK, NAME_LINE].map((height) =>
      [...right(own, height, this.space), ...anywhere(own, height, this.space)].map((place) => ({
        ...place,
        room: this.roomAt(bar, place, height, LEVEL),
      })),
    );
    for (const attempt of attempts)
      for (const content of this.contents(text, attempt)) {
        const found = rooms[attempt.form === "block" ? 0 : 1].find(({ room }) => room >= content.width);
        if (found) return { bar, ...content, x: found.x, y: found.y, shortened: false };
      }
    return undefined;
  }

  /** Places a label at the nearest free place, with a line from there to the bar. */
  private led(text: LabelText, attempts: readonly Attempt[], ways: readonly LeaderWay[]): PlacedLabel | undefined {
    const last = attempts.findLast(({ form }) => form === (this.space.isCrowded ? "name" : "line"));
    if (!last) return undefined;
    const short = attempts.find(({ name, form }) => form === last.form && name.length <= MAX_LEADER_LETTERS) ?? last;
    const contents = [...this.contents(text, short), ...this.contents(text, { ...last, form: "name" })];
    for (const way of ways)
      for (const content of contents) {
        const led = this.nearest(text.bar, content, way);
        if (led) return led;
      }
    return undefined;
  }

  private nearest(bar: number, content: Content, { mayCross, longest }: LeaderWay): PlacedLabel | undefined {
    const { width: wide, height: high } = this.space;
    const { width, height } = content;
    const own = this.edges[bar];
    const seen = this.visiblePart(own);
    const middle = (own.left + own.right) / 2;
    let best: { readonly x: number; readonly y: number; readonly leader: readonly [Point, Point] } | undefined;
    let nearest = longest;
    const reach = longest / STEEP + height;
    const last = {
      x: Math.min(wide - EDGE_GAP_PX - width, own.right + longest),
      y: Math.min(high - height, seen.bottom + reach),
    };
    for (let y = Math.max(0, seen.top - reach); y <= last.y; y += STEP_PX.y) {
      const line = y + height / 2;
      const rise = STEEP * Math.max(0, seen.top - line, line - seen.bottom);
      if (rise >= nearest) continue;
      for (let x = Math.max(EDGE_GAP_PX, own.left - longest - width); x <= last.x; x += STEP_PX.x) {
        const distance = rise + Math.max(0, x - middle, middle - (x + width));
        if (distance >= nearest) continue;
        const box = { left: x, right: x + width, top: y, bottom: y + height };
        const around = {
          left: x - NUMBER_GAP_PX,
          right: x + width + NUMBER_GAP_PX,
          top: y - 1,
          bottom: y + height + 1,
        };
        // A label that begins right after another bar would seem to name that bar.
        const behind = { left: x - CLEAR.left, right: x, top: y, bottom: y + height };
        if (this.bars.some(around, () => true) || this.bars.some(behind, (other) => other !== own)) continue;
        if (this.labels.some(around, () => true)) continue;
        const leader = leaderOf(box, seen);
        if (!mayCross && this.isCrossed(bar, leader)) continue;
        [best, nearest] = [{ x, y, leader }, distance];
      }
    }
    return best && { bar, ...content, ...best, shortened: false };
  }

  private visiblePart({ left, right, top, bottom }: Edges): Edges {
    return { left, right, top: Math.max(0, top), bottom: Math.min(this.space.height, bottom) };
  }

  /** Whether a leader runs through another bar or a label. */
  private isCrossed(bar: number, [from, to]: readonly [Point, Point]): boolean {
    const own = this.edges[bar];
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / LEADER_STEP_PX);
    for (let step = 0; step < steps; step++) {
      const [x, y] = [from.x + ((to.x - from.x) * step) / steps, from.y + ((to.y - from.y) * step) / steps];
      const point = { left: x - 1, right: x + 1, top: y - 1, bottom: y + 1 };
      if (this.bars.some(point, (other) => other !== own) || this.labels.some(point, () => true)) return true;
    }
    return false;
  }

  private isTaken(shown: string, name: string): boolean {
    const whole = this.shown.get(shown);
    return whole !== undefined && whole !== name;
  }

  /**
   * Width that a block at this place may have before it meets a bar, a label or the edge. 0 if it cannot begin here.
   *
   * @param wanted maximum in pixels
   */
  private roomAt(
    bar: number,
    { x, y }: Place,
    height: number,
    { farther, air }: Clearance,
    wanted = MAX_LINE_PX,
  ): number {
    const { width, height: high } = this.space;
    if (y < 0 || y + height > high) return 0;
    const own = this.edges[bar];
    const dx = Math.max(0, x - own.right, own.left - (x + wanted));
    const dy = Math.max(0, own.top - (y + height), y - own.bottom);
    const far = farther === undefined ? 1 : Math.hypot(dx, dy) + farther + (dy > 0 ? air : 0);
    const least = Math.min(wanted, MIN_TEXT_PX);
    let room = Math.min(wanted, width - EDGE_GAP_PX - x);
    if (room < least) return 0;
    // Bars above, below and right of it: a bar nearer than its own would seem to have its name.
    const area = { left: x, right: x + room + far, top: y - far, bottom: y + height + far };
    this.bars.some(area, (other) => {
      if (other === own) return false;
      room = Math.min(room, other.left - far - x);
      return room < least;
    });
    if (room < least || this.isNearLeft(own, { left: x, right: x, top: y, bottom: y + height }, far)) return 0;
    room = this.labels.roomBeside(x, 1, y - 1, y + height + 1, LABEL_GAP_PX, room, least);
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

/** @returns whether a name has the same beginning before its parameters as another one of these */
export function namesAlike(names: readonly string[]): (name: string) => boolean {
  const bearers = new Map<string, Set<string>>();
  for (const name of names) {
    const bare = bareName(name) ?? name;
    bearers.set(bare, (bearers.get(bare) ?? new Set()).add(name));
  }
  return (name) => (bearers.get(bareName(name) ?? name)?.size ?? 0) > 1;
}

/**
 * Forms of a name, best first: whole and without scopes, then cut in the middle, each with alternatives of the same number of letters.
 *
 * @param keepsArguments whether another name on screen differs in them alone
 */
export function formsOf(whole: string, keepsArguments: boolean): Forms {
  const key = `${keepsArguments ? 1 : 0}${whole}`;
  const known = knownForms.get(key) ?? madeForms(whole, keepsArguments);
  if (knownForms.size > MAX_FORMS) knownForms.clear();
  knownForms.set(key, known);
  return known;
}

type Forms = readonly [uncut: readonly string[], cuts: readonly (readonly string[])[]];

/** Cache: labels are placed again with each frame of a zoom. */
const knownForms = new Map<string, Forms>();
const MAX_FORMS = 2000;

function madeForms(whole: string, keepsArguments: boolean): Forms {
  const names = namesInShort(whole, keepsArguments);
  const shortest = names[names.length - 1];
  const letters = Array.from(shortest.slice(0, 2000)).length;
  return [names, CUT_LETTERS.filter((count) => count + 1 < letters).map((count) => cutToLetters(shortest, count))];
}

/** Places of one kind for blocks of a height. */
interface Kind {
  readonly height: number;
  /** Places that begin at a given x, for any width of the block. */
  readonly places: (bar: Box, space: LabelSpace) => Place[];
  /** Further places, which depend on the width of the block. */
  readonly fitted?: (bar: Box, space: LabelSpace, width: number) => Place[];
}

/** Kinds of places in the order of attempts (look, section 7). */
function kindsOf(height: number): Kind[] {
  const above = (bar: Box) => bar.y - STACK_GAP_PX - height;
  const below = (bar: Box) => bar.y + bar.height + STACK_GAP_PX;
  const stacked = (yOf: (bar: Box) => number): Kind => ({
    height,
    places: (bar) => [{ x: Math.max(bar.x, EDGE_GAP_PX), y: yOf(bar) }],
    fitted: (bar, { width: wide }, width) => {
      const centred = Math.min(wide - EDGE_GAP_PX - width, bar.x + (bar.width - width) / 2);
      const ys = yOf(bar);
      return [bar.x + bar.width - width, Math.max(EDGE_GAP_PX, centred)]
        .filter((x) => x >= EDGE_GAP_PX)
        .map((x) => ({ x, y: ys }));
    },
  });
  return [
    { height, places: (bar, space) => right(bar, height, space) },
    stacked(above),
    stacked(below),
    { height, places: () => [], fitted: (bar, space, width) => left(bar, height, space, width) },
  ];
}

const RIGHT_FIRST = { 2: kindsOf(BLOCK), 1: kindsOf(NAME_LINE) };
const [RIGHT, ABOVE, ...OTHERS] = RIGHT_FIRST[1];
const ABOVE_FIRST = { 2: [], 1: [ABOVE, RIGHT, ...OTHERS] };

/** Places right of the bar: at its top, middle and foot. For a bar that is lower than its label, around its middle. */
function right(bar: Box, height: number, space: LabelSpace): Place[] {
  const x = bar.x + bar.width + SIDE_GAP_PX;
  const bottom = bar.y + bar.height;
  const middle = bar.y + (bar.height - height) / 2;
  if (bar.height < height)
    return [middle, Math.min(bar.y - 1, middle + LINE / 2), Math.max(bottom + 1 - height, middle - LINE / 2)].map(
      (y) => ({ x, y }),
    );
  // The label of a bar that is only partly visible is beside the visible part.
  const top = Math.min(Math.max(bar.y, 0), bottom - height);
  const foot = Math.max(bar.y, Math.min(bottom, space.height) - height);
  return [top, (top + foot) / 2, foot].map((y) => ({ x, y }));
}

/** Places right of a high bar at any visible height: its neighbours may leave room anywhere. */
function anywhere(bar: Box, height: number, space: LabelSpace): Place[] {
  const from = Math.max(bar.y, 0);
  const room = Math.min(bar.y + bar.height, space.height) - height - from;
  const count = Math.max(0, Math.floor((2 * room) / LINE));
  return Array.from({ length: count }, (_, at) => ({
    x: bar.x + bar.width + SIDE_GAP_PX,
    y: from + ((at + 1) * LINE) / 2,
  }));
}

/** Places left of the bar, level with it. */
function left(bar: Box, height: number, space: LabelSpace, width: number): Place[] {
  const x = bar.x - SIDE_GAP_PX - width;
  return x < EDGE_GAP_PX ? [] : right(bar, height, space).map(({ y }) => ({ x, y }));
}

/** The line from a label to its bar. */
export function leaderShape([from, to]: readonly [Point, Point], bar: number, { outline }: Theme): Shape {
  const d = `M${rounded(from.x)},${rounded(from.y)}L${rounded(to.x)},${rounded(to.y)}`;
  return { kind: "path", d, stroke: outline, strokeWidth: LEADER_WIDTH_PX, of: bar };
}

/** Line from the side of a label that faces its bar, to the bar. */
function leaderOf(label: Edges, bar: Edges): readonly [Point, Point] {
  const middle = (label.top + label.bottom) / 2;
  const y = Math.min(Math.max(middle, bar.top + 2), bar.bottom - 2);
  if (label.left >= bar.right)
    return [
      { x: label.left - LEADER_GAP_PX, y: middle },
      { x: bar.right, y },
    ];
  if (label.right <= bar.left)
    return [
      { x: label.right + LEADER_GAP_PX, y: middle },
      { x: bar.left, y },
    ];
  const x = Math.min(Math.max((bar.left + bar.right) / 2, label.left + 2), label.right - 2);
  const to = { x: Math.min(Math.max(x, bar.left), bar.right), y: label.bottom <= bar.top ? bar.top : bar.bottom };
  return [{ x, y: label.bottom <= bar.top ? label.bottom : label.top }, to];
}

function edgesOf({ x, y, width, height }: Box): Edges {
  return { left: x, right: x + width, top: y, bottom: y + height };
}
