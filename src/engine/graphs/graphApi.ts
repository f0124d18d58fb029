/** Super graphs: numbers and structure. Plain data. */
import type { OverRanks, Unit } from "../../model/metrics";
import type { SourceLink } from "../../model/sourceLinks";
import type { FinerLevel } from "../../supergraph/levels";
import type { GroupRef } from "../../supergraph/query";
import type { UnrankedCosts } from "../dataSets/unranked";
import type { MeasuredBar, MeasuredEntry, MeasuredGraph, SkippedOperation } from "../../supergraph/superGraph";

export interface GraphEntry extends Pick<MeasuredEntry, "name" | "inclusive" | "exclusive"> {
  readonly link: SourceLink;
  /** Where the link has not been looked up, since the bar has many entries: the context to be linked when it is asked for. */
  readonly unlinked?: number;
  /** The function, as the data set of the graph's scope numbers it; absent where only the recording that it is compared with has it. */
  readonly function?: number;
  /** What the function costs itself in all of the recording, also elsewhere than below this entry; absent for `max` and `min` over ranks. */
  readonly own?: number;
}

export interface GraphBar extends Omit<MeasuredBar, "entries"> {
  /** The group whose expansion made this bar: what `collapse` takes back here. */
  readonly collapsesTo?: GroupRef;
  /** What `expand` would lead to; absent: its contexts have no finer level. */
  readonly finer?: FinerLevel;
  /** What it costs of no rank, where its numbers over ranks are 0 for that (semantics 1, No rank). */
  readonly noRank?: UnrankedCosts;
  /** Its numbers are 0 since the recording has none of it, only the one that it is compared with. */
  readonly isMissing?: true;
  /** Heaviest first. */
  readonly entries: readonly GraphEntry[];
}

/** A super graph: numbers and structure, no geometry (semantics 2). Ends of edges are ids of bars. */
export interface SuperGraph extends Omit<MeasuredGraph, "bars"> {
  readonly metric: string;
  readonly unit: Unit;
  readonly over: OverRanks;
  readonly bars: readonly GraphBar[];
  /** What is shown of functions whose names are shown shorter, by their whole names. */
  readonly shownNames: ReadonlyMap<string, string>;
  /** Operations that were left out, by their index. */
  readonly skipped: readonly SkippedOperation[];
}
