/** The page's half of a panel: its content, the pure function that draws it, and what is said about it in words and tables. */
import type * as v from "valibot";
import type { Details, LegendEntry } from "./frame/model";
import type { Explanation } from "./overlay/tooltip";
import type { ChosenMarks, DrawView, Layer, Scene } from "./stage/scene";
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
}

/** A table among others: its rows are its own, and nobody else makes any. */
export function tableOf<Row>(spec: TableSpec<Row>): TableSpec<unknown> {
  return spec as unknown as TableSpec<unknown>;
}

/** An entry of a mark's menu. `choose` entries are done by the page, others by the panel's host half under their name. */
export interface MenuEntry {
  readonly label: string;
  readonly icon?: string;
  readonly key?: string;
  readonly disabled?: string;
  /** An action of the definition on the host, `select`, `open`, or marks to choose. */
  readonly does: string | { readonly choose: readonly number[] };
}

/**
 * @typeParam Content what is drawn
 * @typeParam ChosenPart what the host says of a restriction
 */
export interface PageDefinition<Content, ChosenPart> {
  /** As the host calls the panel. */
  readonly title: string;
  readonly content: v.GenericSchema<unknown, Content>;
  /** Pure; called again for every size and theme. */
  draw(content: Content, view: DrawView): Scene;
  /** What is too slow for shapes. */
  readonly layer?: (content: () => Content | undefined) => Layer;
  tables(content: Content, chosen: ChosenPart | undefined): readonly TableSpec<unknown>[];
  legend(content: Content, theme: Theme): readonly LegendEntry[];
  /** At the right of the legend in wide panels: gestures. */
  hint?(content: Content): string;
  /** What is drawn, the longest wording first. */
  summary(content: Content, chosen: ChosenPart | undefined): readonly string[];
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
  menu?(content: Content, mark: number, chosen: ChosenMarks | undefined): readonly MenuEntry[];
  /** The strip about the selected mark. */
  details?(content: Content, mark: number): Details;
  /** What "?" says. */
  readonly explanation: Explanation;
}
