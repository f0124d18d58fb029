/** What a super graph can be grouped by (semantics 2.2). */
export const groupings = ["module", "file", "folder", "class", "function", "map", "none"] as const;
export type GroupBy = (typeof groupings)[number];
/** Initial grouping of a super graph: a chosen one, or that of a first picture (semantics 2.7). */
export type StartingGroups = GroupBy | "first";

/** A user's map of groups: name → function names, globs or `/regular expressions/`; the first match wins. */
export type GroupMap = Readonly<Record<string, readonly string[]>>;

/** All bars of a group, or the one that is numbered so: `MPI`, `MPI#2`. */
export interface GroupRef {
  readonly group: string;
  readonly bar?: number;
}

/** What a caller is named by where a group is split by its callers. */
export type CallerBy = "group" | "function";

/** One step of a super graph, in the order given (semantics 2.6). Functions are named as recorded. */
export type GraphOperation =
  | { readonly kind: "filter"; readonly percent: number }
  | { readonly kind: "group-by"; readonly groupBy: GroupBy }
  | {
      readonly kind: "split-by-entry";
      readonly target: GroupRef;
      /** Entry functions; each set becomes a group. */
      readonly sets: readonly (readonly string[])[];
    }
  | { readonly kind: "split-by-caller"; readonly target: GroupRef; readonly by: CallerBy }
  | { readonly kind: "reveal"; readonly function: string; readonly target?: GroupRef }
  | { readonly kind: "expand" | "collapse" | "hide"; readonly target: GroupRef };
