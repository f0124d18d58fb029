/**
 * A drawing as data: what a panel's pure drawing function makes of an answer, a size and a theme, and what the kit paints (on
 * elements or on a canvas), explains, finds, moves among by keyboard, and saves.
 */
import type { EventKind } from "../../../src/protocol/timeline";
import type { Measure } from "../../shared/text";
import type { Theme } from "../theme/theme";

/** Keys that go from mark to mark. */
export type MoveKey = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "PageUp" | "PageDown" | "Home" | "End";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** Colours and lines of a shape, as SVG's presentation attributes have them. */
export interface Paint {
  readonly fill?: string;
  readonly fillOpacity?: number;
  /** On a canvas and in saved pictures: the fill turns into this colour from one x to another. */
  readonly blend?: { readonly to: string; readonly from: number; readonly until: number };
  /** On a canvas and in saved pictures: the fill is these colours, evenly from one y to another, mixed between them. */
  readonly graded?: { readonly colors: readonly string[]; readonly from: number; readonly until: number };
  /** On a canvas and in saved pictures: of a box, diagonal lines in the fill's colour, so far apart, that meet those of the boxes beside it. */
  readonly hatch?: number;
  /** On a canvas and in saved pictures: of a box, every other stretch of so many pixels is filled. Of thousands of lines a dashed path takes ten times as long. */
  readonly dotted?: number;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  readonly dash?: readonly number[];
  readonly opacity?: number;
  /** The mark that it belongs to: it stands back where that does. */
  readonly of?: number;
}

/** A path as a canvas draws it. */
export interface Traced {
  trace(pen: CanvasPath, dots: number): void;
  /** In place of the shape's own, where lines of a dot's width show the same: they are drawn ten times as fast. */
  readonly lines?: string;
}

export type Shape =
  | ({ readonly kind: "box"; readonly box: Box } & Paint)
  | ({
      readonly kind: "path";
      readonly d: string;
      /** The same onto a canvas: of hundreds of paths, writing and reading `d` takes as long as all else. */
      readonly traced?: Traced;
    } & Paint)
  | ({
      readonly kind: "text";
      /** The baseline. */
      readonly at: Point;
      readonly text: string;
      readonly size: number;
      readonly weight?: number;
      readonly anchor?: "start" | "middle" | "end";
      /** A rim in this colour keeps it legible on what lies below. */
      readonly halo?: string;
      /** The whole text, where less of it is shown: a saved picture has no other tooltips. */
      readonly title?: string;
    } & Paint);

/** What is known of a mark: what, value, and share where there is one. */
export type Fact = readonly [what: string, value: string, share?: string];

/** One thing that can be pointed at, selected, found and reached by keyboard. */
export interface Mark {
  /** Names it in messages, in the content of one revision. */
  readonly id: number;
  /** The same thing in the next drawing has the same key. */
  readonly key: string;
  /** The mark that it is a part of: Tab leads to it from there, a click selects the whole. */
  readonly within?: number;
  /** The pointer passes through it, to what it is a part of. */
  readonly isPassive?: boolean;
  /** Where it is hit, framed and explained beside. */
  readonly box: Box;
  /** What is framed, where texts stand in the rest of the box. */
  readonly framed?: Box;
  /** What is drawn; absent: its box. */
  readonly d?: string;
  readonly paint: Paint;
  /** On a canvas its scene paints it, together with all others of its kind. */
  readonly isPainted?: true;
  /** It is framed by a circle. */
  readonly isRound?: boolean;
  /** Of one that is no box: whether a point of the box is in it, and the path around it, so many pixels off. */
  readonly outline?: { readonly has: (at: Point) => boolean; readonly around: (off: number) => string };
  /** A text in it, on its fill. */
  readonly label?: Shape & { readonly kind: "text" };
  readonly name: string;
  /** Where it stands in the source. */
  readonly place?: string;
  readonly facts: () => readonly Fact[];
  /** Over what ranks, or what else is to be known. */
  readonly note?: () => string;
  /** Read out; absent: name and facts. */
  readonly says?: () => string;
}

/** A small drawing that is about a mark. */
export interface Sign {
  readonly box: Box;
  readonly mark: number;
  /** What a click on it does, beside what one on the mark does: an action of the definition on the host. */
  readonly does?: string;
}

/** More marks than there should be objects: the canvas shows them, and one is made when somebody asks for it. */
export interface ManyMarks {
  of(id: number): Mark | undefined;
  /** The topmost one at a point. */
  at(point: Point): Mark | undefined;
  /** The mark that a key leads to. @param from undefined: none has the focus */
  next(from: number | undefined, key: MoveKey): number | undefined;
  /** All that the canvas shows, what lies below first. */
  shapes(emphasis: Pick<Emphasis, "found" | "selected">): Iterable<Shape>;
  /** What says of the selected one where it is, above what stands around the marks. */
  over?(selected: number): readonly Shape[];
}

export interface Scene {
  /** Below the marks: axes, flows. */
  readonly below: readonly Shape[];
  /** In the order of the keyboard; later ones lie on top. */
  readonly marks: readonly Mark[];
  /** On a canvas: paints all marks that say so, faster than one by one. What is not found stands back. */
  readonly paintMarks?: (context: CanvasRenderingContext2D, emphasis: Pick<Emphasis, "found">) => void;
  /** In place of marks. */
  readonly many?: ManyMarks;
  /** Above the marks: labels. */
  readonly above: readonly Shape[];
  /** Drawn beside marks: who points at one means its mark. */
  readonly signs?: readonly Sign[];
  /** Nothing is drawn below its marks: a saved picture need not be as high as the panel is. */
  readonly endsWithMarks?: boolean;
  /** Where a drag chooses marks: those whose boxes it meets. */
  readonly brush?: Box;
  /** A drag there draws a line, and chooses the marks whose middles it goes around. */
  readonly lasso?: true;
  /** The mark that an arrow key leads to; absent: the next or previous one. */
  readonly move?: (from: number, key: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown") => number | undefined;
}

/** What stands out since it was selected somewhere else: places by the panel's own numbers, and kinds of work. */
export interface Highlighted {
  readonly name: string;
  readonly places: ReadonlySet<number>;
  readonly kinds: ReadonlySet<EventKind>;
}

/** Whether something of another kind of work stands back for those that are highlighted. */
export function standsBack({ highlighted }: Pick<DrawView, "highlighted">, kind: EventKind): boolean {
  return highlighted !== undefined && highlighted.kinds.size > 0 && !highlighted.kinds.has(kind);
}

/** What a drawing is made for. */
export interface DrawView {
  readonly highlighted?: Highlighted;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** How wide a text is, by its size and weight. */
  readonly measure: (size: number, weight?: number) => Measure;
}

/** Whether all, or some, of what a mark stands for is left by the restriction. */
export type ChosenMarks = ReadonlyMap<number, "all" | "some">;

/** What stands out. Marks by their ids. */
export interface Emphasis {
  /** The one that Tab leads to. */
  readonly active: number | undefined;
  readonly pointed: number | undefined;
  readonly selected: number | undefined;
  /** Undefined: nothing is searched for. */
  readonly found: ReadonlySet<number> | undefined;
  /** Undefined: no restriction. */
  readonly chosen: ChosenMarks | undefined;
}

/** A part of a drawing that shapes are too slow for: it draws itself, below the marks. */
export interface Layer {
  readonly element: Element;
  /** The scene was drawn anew; undefined: there is none. */
  draw(scene: Scene | undefined, view: DrawView): void;
  emphasise(emphasis: Emphasis): void;
  /** What of it lies at a point of the drawing: it can be pointed at, and nothing else. */
  markAt?(x: number, y: number): Mark | undefined;
  /** The same as shapes, for pictures. @param scene the one that was drawn last, or another one of the same content */
  shapes(scene: Scene, view: DrawView): readonly Shape[];
}

export function isIn(box: Box, { x, y }: Point): boolean {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

/** Whether a mark is hit at a point. */
export function isHit({ box, outline }: Pick<Mark, "box" | "outline">, at: Point): boolean {
  return isIn(box, at) && (outline?.has(at) ?? true);
}

/** As many digits of a length as can be seen. */
export function rounded(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}

/** Boxes that meet. */
export function meets(a: Box, b: Box): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;
}

/** The path of a circle that fills a square. */
export function circle({ x, y, width, height }: Box): string {
  const radius = width / 2;
  const half = (to: number) => `a${radius},${radius} 0 1 0 ${to},0`;
  return `M${x},${y + height / 2}${half(width)}${half(-width)}Z`;
}
