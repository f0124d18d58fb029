/** A line of a file. `file` is an absolute path, `line` 1-based. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Which rule of semantics 5 decided a link. */
export type LinkRule =
  | "recorded-line" // file:line of the data through the path map
  | "definition" // a function's name in the symbol index
  | "function-mark" // a definition that carries a function mark
  | "region-begin" // the statement that begins the region
  | "call" // the call inside its parent's extent
  | "unknown";

/** Where a frame leads, and why (semantics 5). */
export interface SourceLink {
  /** No place: not known. One: there. Several: equally likely, all are offered. */
  readonly places: readonly Place[];
  readonly rule: LinkRule;
  /** "Why here?": one sentence for people. */
  readonly reason: string;
  /** What else was considered, and why it was not taken. */
  readonly considered: readonly { readonly place: Place; readonly reason: string }[];
  /** The recorded file that was looked for and not found, or found more than once: what "Locate…" writes a rule for. */
  readonly missingFile?: string;
  /** Said instead of a position where many calls are equally true: "26 calls in CommSBN". */
  readonly summary?: string;
}
