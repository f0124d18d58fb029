/** What a row of the data sets view is. */

export interface Row {
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  readonly icon?: string;
  /** For when-clauses of menus. */
  readonly context?: string;
  readonly dataSet: number;
  /** Index of the metric that a click selects. */
  readonly metric?: number;
  /** A click asks what makes the calling contexts. */
  readonly switchesHierarchy?: boolean;
  readonly expanded?: boolean;
  readonly children?: readonly Row[];
  /** Instead of children: a list that is asked for when the row is unfolded. */
  readonly content?: Content;
  /** Stands behind a list that was cut: the key of the row whose list a click continues. */
  readonly continues?: string;
}

/** A list that is asked for when its row is unfolded: lanes may be thousands. */
export type Content =
  | { readonly kind: "lanes" | "categories" | "counters" | "messages" | "transfers" }
  | { readonly kind: "iterations"; readonly series: number }
  | { readonly kind: "resources"; readonly parent?: number };
