/** The page's half of a panel: its content, the pure function that draws it, and what is said about it in words and tables. */
import type * as v from "valibot";
import type { ToolControl } from "../../src/protocol/frame";
import type { Explained, Place, Stretch } from "../../src/protocol/panel";
import type { Details, Lead, LegendEntry, Pane } from "./frame/model";
import type { Explanation } from "./overlay/tooltip";
import type { Aside } from "./aside";
import type { PlayerSpec } from "./player";
import type { Found } from "./search";
import type { ChosenMarks, DrawView, Highlighted, Layer, Point, Scene } from "./stage/scene";
import type { Gesture } from "./stage/sight";
import type { StripPicture } from "./strip";
import type { Stage, StageHooks } from "./stage/stage";
import type { Column } from "./table/table";
import type { Theme } from "./theme/theme";

export interface TableSpec<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Column that it is sorted by at first, and how. */
  readonly sortedBy: number;
  readonly ascending?: boolean;
  /** The mark of a row. */
  readonly markOf: (row: Row) => number | undefined;
  /** Marks that it is found with; absent: its own. */
  readonly foundWith?: (row: Row) => readonly number[];
  /** Where the mark of a row lies in a drawing that is in sight in parts: a click on the row brings it there. */
  readonly placeOf?: (row: Row) => Place | undefined;
  /** What a click on the row does to what is in sight. */
  readonly gestureOf?: (row: Row) => Gesture | undefined;
  /** A small picture of its rows beside them. */
  readonly picture?: (width: number) => SVGSVGElement;
  /** One of several tables, of which one is open; its name leads to it. */
  readonly tab?: TableTab;
}

export interface TableTab {
  readonly name: string;
  readonly isOpen: boolean;
  /** Opens it. */
  readonly gesture: Gesture;
}

/** A table among others: its rows are its own, and nobody else makes any. */
export function tableOf<Row>(spec: TableSpec<Row>): TableSpec<unknown> {
  return spec as unknown as TableSpec<unknown>;
}

/** An entry of a mark's menu. What is no name is done by the page, others by the panel's host half under their name. */
export interface MenuEntry {
  readonly label: string;
  readonly icon?: string;
  readonly key?: string;
  readonly disabled?: string;
  /** What belongs together stands between lines. */
  readonly group?: "go" | "show" | "change" | "copy";
  /** Another mark that it is about. */
  readonly mark?: number;
  /** An action of the definition on the host, `select`, `open`, or marks to choose. */
  readonly does:
    | string
    | { readonly choose: readonly number[] }
    | { readonly copy: string }
    | { readonly gesture: Gesture };
}

/** A tool that moves what is in sight. */
export type SightTool = ToolControl & { readonly gesture: Gesture };

/** Of a panel whose host sends only the part of a drawing that is in sight. @typeParam Seen what is in sight, as it is kept */
export interface SightSpec<Content, Seen> {
  readonly schema: v.GenericSchema<unknown, Seen>;
  /** What a gesture makes of it; the same where nothing changes. */
  moved(content: Content, seen: Seen | undefined, gesture: Gesture, view: DrawView): Seen | undefined;
  /**
   * What the host is to be asked, as its definition checks it; undefined where the content has all that is in sight.
   *
   * @param hasTable whether the tables are open
   */
  look(content: Content, seen: Seen | undefined, view: DrawView, search: string, hasTable: boolean): unknown;
  /** Where a mark of the content lies; it may be out of sight. */
  placeOf(content: Content, mark: number): Place | undefined;
  /** What the content says of a search; undefined until it answers this one. */
  found(content: Content, search: string): Found | undefined;
  /** Marks that stand for several: a click shows these apart. */
  isSeveral(content: Content, mark: number): boolean;
  /** A click selects those, too, and a double click shows them apart. */
  readonly selectsSeveral?: true;
  /** Whether the wheel zooms at a point without Ctrl; absent: nowhere. */
  zoomsByWheel?(content: Content, at: Point, view: DrawView): boolean;
  /** Whether a drag from a point measures; one with Shift does wherever this is asked. Absent: nothing can be measured. */
  measures?(content: Content, at: Point): boolean;
  /** What is said in the strip of what was measured; undefined: nothing was. */
  measured?(content: Content, seen: Seen | undefined): Details | undefined;
  /** What a double click at a point of a mark does to what is in sight, before the mark is opened; absent: nothing. */
  opens?(content: Content, seen: Seen | undefined, at: Point, view: DrawView): Gesture | undefined;
  /** Tools beside search and table; absent: those that zoom. */
  tools?(content: Content | undefined, seen: Seen | undefined): readonly SightTool[];
  /** A picture of the whole above the drawing, in which the window is moved. */
  strip?(content: Content, seen: Seen | undefined, view: DrawView): StripPicture | undefined;
  /** Of a drawing over time: seconds of the run that are in sight, which other views show, too; undefined: all of it. */
  window?(content: Content, seen: Seen | undefined): Stretch | undefined;
  /** Which of its tables is open, where one is; what a gesture has opened last. */
  openTable?(content: Content, seen: Seen | undefined): string | undefined;
  /** The way to what is in sight, after the host's steps. */
  crumbs(content: Content, seen: Seen | undefined): readonly { readonly text: string; readonly gesture: Gesture }[];
}

/** What comes after the content. */
export interface LaterSpec<Content, Part> {
  readonly schema: v.GenericSchema<unknown, Part>;
  /** The content with it; undefined where it is not of this content. */
  add(content: Content, part: Part): Content | undefined;
  /** A content with what the one before it has of this, until its own comes; absent: it waits for its own. */
  keeps?(content: Content, before: Content): Content;
  /** Whether a content can be drawn: until then the one before stays. */
  isWhole(content: Content): boolean;
}

/**
 * @typeParam Content what is drawn
 * @typeParam ChosenPart what the host says of a restriction
 * @typeParam Seen what of the drawing is in sight
 * @typeParam Part what comes after the content
 */
export interface PageDefinition<Content, ChosenPart, Seen = undefined, Part = never> {
  /** As the host calls the panel. */
  readonly title: string;
  readonly content: v.GenericSchema<unknown, Content>;
  readonly later?: LaterSpec<Content, Part>;
  /** What was made from a mark of the content of another revision that this one does not have: after an operation the focus is there. */
  madeFrom?(content: Content, revision: number, mark: number): number | undefined;
  /** Where the focus is at first; absent, or undefined: at the first mark. */
  firstMark?(content: Content): number | undefined;
  /** Keys of marks say what these stand for in any content: what is under way when other content comes is still about it. */
  readonly lasting?: boolean;
  /** Pure; called again for every size, theme and part in sight. */
  draw(content: Content, view: DrawView, seen?: Seen): Scene;
  readonly sight?: SightSpec<Content, Seen>;
  /** It can move the window of all views over time by itself. */
  readonly player?: PlayerSpec<Content>;
  /** A stage of its own in the place of the kit's. */
  stage?(hooks: StageHooks<Content, Seen>): Stage<Content, Seen>;
  /** What is too slow for shapes. */
  readonly layer?: (content: () => Content | undefined) => Layer;
  /** @param open the table that is open, as its sight says; undefined: where there are several, the first one */
  tables(content: Content, chosen: ChosenPart | undefined, open?: string): readonly TableSpec<unknown>[];
  legend(content: Content, theme: Theme, scene: Scene): readonly LegendEntry[];
  /** What is to be said of lanes that are highlighted, where the drawing has no mark that is theirs alone; undefined: nothing. */
  highlightNote?(content: Content, highlighted: Highlighted): string | undefined;
  /** At the right of the legend in wide panels: gestures. */
  hint?(content: Content): string;
  /** A list beside the drawing, in narrow panels below it; undefined: none. */
  aside?(content: Content): Aside | undefined;
  /** What is named before the summary; the host's link {@link LEAD} says where it leads. Undefined: nothing. */
  lead?(content: Content): Lead | undefined;
  /** What is drawn, the longest wording first. */
  summary(content: Content, chosen: ChosenPart | undefined, seen?: Seen): readonly string[];
  /** What a picture of it is called. */
  name(content: Content): string;
  /** Of marks that are found: `["rank", "ranks"]`. */
  nouns(content: Content): readonly [string, string];
  /** Marks that a text is about; absent: those whose names have it in them. */
  find?(content: Content, text: string): ReadonlySet<number> | undefined;
  /** Of members that can be chosen here. */
  readonly members?: {
    readonly schema: v.GenericSchema<unknown, ChosenPart>;
    /** Whether the parts of two messages fit together. */
    marks(content: Content, chosen: ChosenPart): ChosenMarks;
    /** What would be left of the content if these marks were chosen; undefined: no member. */
    part(content: Content, marks: ReadonlySet<number>): ChosenPart | undefined;
    /** Marks that can be chosen. */
    can(content: Content, mark: number): boolean;
    /** A plain click chooses; else it selects. */
    readonly byClick: boolean;
  };
  /** An action of the definition on the host that a click on a mark, Space and Enter do in the place of selecting it; undefined: they select. */
  does?(content: Content, mark: number): string | undefined;
  menu?(content: Content, mark: number, chosen: ChosenMarks | undefined): readonly MenuEntry[];
  /** The strip about the selected mark; undefined where the content does not have it any more. @param more what the host said of it */
  details?(content: Content, mark: number, more: Explained | undefined): Details | undefined;
  /** What is said of the selected mark, or of all that is drawn, below the drawing, where that leaves room; `top`: where it ends. */
  readonly pane?: {
    of(content: Content, mark: number | undefined, more: Explained | undefined): Pane | undefined;
    top(content: Content, seen: Seen | undefined, view: DrawView): number | undefined;
  };
  /** Whether the host knows the line of what is selected, for the strip. */
  readonly hasPlaces?: boolean;
  /** Whether the host knows more of a mark, and the last line of each tooltip: over what its numbers are; undefined: it does not. */
  readonly explains?: (content: Content) => string | undefined;
  /** What "?" says. */
  readonly explanation: Explanation;
}
