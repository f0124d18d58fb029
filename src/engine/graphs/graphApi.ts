/** Super graphs: numbers and structure. Plain data. */
import type { OverRanks, Unit } from "../../model/metrics";
import type { SourceLink } from "../../model/sourceLinks";
import type { FinerLevel } from "../../supergraph/levels";
import type { GroupBy, GroupRef } from "../../supergraph/query";

export interface GraphEntry {
  readonly name: string;
  readonly inclusive: number;
  readonly exclusive: number;
  readonly link: SourceLink;
  /** Where the link has not been looked up, since the bar has many entries: the context to be linked when it is asked for. */
  readonly unlinked?: number;
}

export interface GraphBar {
  /** `group`, or `group#2` for a further bar of the group. */
  readonly id: string;
  readonly group: string;
  readonly visit: number;
  readonly level: number;
  readonly inclusive: number;
  readonly exclusive: number;
  readonly hidden: number;
  readonly contexts: number;
  /** The group whose expansion made this bar: what `collapse` takes back here. */
  readonly collapsesTo?: GroupRef;
  /** What `expand` would lead to; absent: its contexts have no finer level. */
  readonly finer?: FinerLevel;
  /** Heaviest first. */
  readonly entries: readonly GraphEntry[];
}

export interface GraphEdge {
  /** Ids of bars. */
  readonly source: string;
  readonly target: string;
  readonly inclusive: number;
}

/** A super graph: numbers and structure, no geometry (semantics 2). */
export interface SuperGraph {
  readonly metric: string;
  readonly unit: Unit;
  readonly over: OverRanks;
  readonly total: number;
  readonly hidden: number;
  readonly filtered: { readonly functions: number; readonly contexts: number; readonly exclusive: number };
  readonly functions: number;
  readonly bars: readonly GraphBar[];
  readonly edges: readonly GraphEdge[];
  /** What was grouped by; differs from the query's when that was "auto". */
  readonly groupBy: GroupBy;
  /** What was filtered at: higher than asked for where more than 500 bars would be drawn. */
  readonly filter: number;
  /** Operations that were left out, by their index. */
  readonly skipped: readonly { readonly index: number; readonly reason: string }[];
  /** Sentences that the view must show: why by module, why filtered higher, estimated, extremes do not add up. */
  readonly notes: readonly string[];
}
