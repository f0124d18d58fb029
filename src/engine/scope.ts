/**
 * What questions are about: the values of a scope, a graph, and what was clicked. Units everywhere: values in the metric's unit,
 * shares 0 to 1, lines 1-based.
 */
import type { EventKind } from "../model/eventKinds";
import type { Renamed } from "../model/jointFunctions";
import type { Chosen } from "../model/members";
import type { OverRanks } from "../model/metrics";
import type { GraphOperation, GroupBy, GroupMap } from "../supergraph/query";
import type { FirstStart } from "../supergraph/first/naming";
import type { OpenGrouping } from "../supergraph/superGraph";

/** Which values a view shows: one metric, how ranks are combined, and the restriction (semantics 3). */
export interface Scope {
  readonly dataSet: number;
  /** Index into {@link DataSetInfo.metrics}. */
  readonly metric: number;
  readonly over: OverRanks;
  /** The restriction; undefined: none. */
  readonly chosen?: Chosen;
  /** The restriction in time; undefined: the whole run. */
  readonly window?: TimeWindow;
  /** The restriction to what time is spent on; undefined: everything. */
  readonly kinds?: ChosenKinds;
}

/** The categories that a restriction keeps (semantics 9). */
export interface ChosenKinds {
  readonly of: readonly EventKind[];
  /** The user's table: it says of which kind some names are. */
  readonly named?: GroupMap;
}

/** Seconds of the trace, from (included) to (excluded). */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

export interface GraphQuery {
  readonly scope: Scope;
  /** Percent of the total (semantics 2.1). */
  readonly filter: number;
  /** "default": by file, module or function, with a note on the reason (semantics 7); "first": the first picture (semantics 2.7). */
  readonly groupBy: GroupBy | OpenGrouping;
  /** For `first`: an earlier choice, or a filter to choose groups at. {@link filter} is ignored. */
  readonly first?: FirstStart;
  readonly map?: GroupMap;
  readonly operations?: readonly GraphOperation[];
  /** Leave out operations that cannot be done, and say which in the notes and in {@link SuperGraph.skipped}. */
  readonly lenient?: boolean;
  /** The graph has the bars of this recording too; its numbers are those of `scope` (absent bars being 0). */
  readonly compared?: Scope;
  /** Functions of the two that are the same though their names differ. */
  readonly renamed?: Renamed;
  /** Largest number of bars, 500 unless said; above it the filter is raised (semantics 2.5). */
  readonly mostBars?: number;
  /** Link every entry function of every bar, however many there are: what the command line prints. */
  readonly linkEveryEntry?: boolean;
  /** Bars without their entries: all that heights are drawn of, where the numbers are those of another graph. */
  readonly barsOnly?: boolean;
}

/** What a click can be about. */
export type Target =
  | { readonly kind: "context"; readonly context: number }
  | { readonly kind: "function"; readonly function: number }
  | { readonly kind: "bar"; readonly query: GraphQuery; readonly bar: string };
