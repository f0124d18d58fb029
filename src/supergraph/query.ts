/** What a super graph can be grouped by (semantics 2.2). */
export const groupings = ["module", "file", "folder", "class", "function", "map", "none"] as const;
export type GroupBy = (typeof groupings)[number];

/** A user's map of groups: name → function names, globs or `/regular expressions/`; the first match wins. */
export type GroupMap = Readonly<Record<string, readonly string[]>>;

/** Operations in the order given (semantics 2.6); filter comes first, then the grouping. */
export type GraphOperation =
  { readonly kind: "filter"; readonly percent: number } | { readonly kind: "group-by"; readonly groupBy: GroupBy };
