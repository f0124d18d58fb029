/** What is asked of recordings that are compared, and what is answered. Plain data; values in the metric's unit. */
import type { Drift, FunctionPlace, HotPlace } from "../lines/lineApi";
import type { Renamed } from "../../model/jointFunctions";
import type { Named } from "../../model/shortName";
import type { GroupBy } from "../../supergraph/query";
import type { FunctionSets } from "../ensembles/ensembleApi";
import type { Scope } from "../scope";

/** Two sets of runs (semantics 10, Difference); each set's values are its mean, in which a run without a function counts as 0. */
export interface ComparedRuns {
  readonly baseline: readonly Scope[];
  readonly candidate: readonly Scope[];
  /** Functions that are the same though their names differ. */
  readonly renamed?: Renamed;
}

export interface ComparisonQuery extends ComparedRuns {
  readonly value: "exclusive" | "inclusive";
  /** By function unless said; by anything else only one run with one other. */
  readonly groupBy?: Exclude<GroupBy, "none" | "map">;
  /** Rows that are given, and of how many of them it is said where they are in the source. */
  readonly limit: number;
  readonly linked: number;
  /** The share of the larger total above which a difference counts as a change; 0 unless said. */
  readonly changedFrom?: number;
}

/** One function, or group, on both sides. */
export interface ComparedRow extends Named, FunctionPlace {
  /** Its function in the first run of a side that has it; absent for groups, and where no run of the side has it. */
  readonly baselineFunction?: FunctionOfRun;
  readonly candidateFunction?: FunctionOfRun;
  /** Null: no run of the side has it, which counts as 0 in the difference. */
  readonly baseline: number | null;
  readonly candidate: number | null;
  /** What has no rank, where a side's value over ranks is 0 for that (semantics 1, No rank). */
  readonly baselineNoRank?: number;
  readonly candidateNoRank?: number;
  /** Candidate − baseline. */
  readonly difference: number;
  /** Of a function that one side lacks: what has its lines there, as it is shown. */
  readonly inlinedInto?: string;
  /** Runs of each side that have it. */
  readonly baselineRuns: number;
  readonly candidateRuns: number;
}

export interface FunctionOfRun {
  /** Index among the runs of its side. */
  readonly run: number;
  readonly function: number;
}

export type ComparedSide = "baseline" | "candidate";

/** A value on both sides; null: that side has none, which counts as 0. */
export interface ComparedValue {
  readonly baseline: number | null;
  readonly candidate: number | null;
  /** The sum of what is of no rank, where a side is 0 for that. */
  readonly baselineNoRank?: number;
  readonly candidateNoRank?: number;
}

/** One run with one other: what editor and trees show. */
export interface ComparedPair {
  readonly baseline: Scope;
  readonly candidate: Scope;
  readonly renamed?: Renamed;
}

/** The line of a function that changed most. */
export type ChangedLine = Omit<HotPlace, "context">;

/** What stands on a line. */
export interface ComparedLine extends ComparedValue {
  readonly line: number;
  /** |difference| of the larger total, 0 to 1. */
  readonly share: number;
  /** Set where the cost has several equally likely places: text only, never heat. */
  readonly oneOf?: number;
}

/** A function that is defined in a document. */
export interface ComparedFunction extends Named {
  readonly line: number;
  /** The side whose function this is: the candidate's, where that has it. */
  readonly side: ComparedSide;
  readonly function: number;
  readonly exclusive: ComparedValue;
  readonly inclusive: ComparedValue;
  /** Sides whose inclusive is only known not to be more ({@link CallGraph.atMost}): what differs is not known then. */
  readonly bounds?: readonly ComparedSide[];
  /** The larger of both |differences| that are known, of the larger total. */
  readonly share: number;
  readonly oneOf?: number;
  /** Of two sets of runs of an ensemble: how many have it, and whether its exclusive differs significantly. */
  readonly sets?: FunctionSets;
}

/** What one open document shows of a comparison. */
export interface DocumentDifferences {
  /** Exclusive of each line; of each function at its definition, where lines cannot be compared. */
  readonly lines: readonly ComparedLine[];
  readonly functions: readonly ComparedFunction[];
  /** Why lines are not compared, a sentence. */
  readonly functionsOnly?: string;
  readonly drift: Drift;
}

/** Rows by |difference|, the largest first, ties by name. */
export interface Comparison {
  readonly baselineTotal: number;
  readonly candidateTotal: number;
  readonly rows: readonly ComparedRow[];
  readonly more: number;
  /** How many of all rows changed. */
  readonly changed: number;
  /** Of the functions that were said to be renamed, the pairs that no row is of: one run has both names, or neither has one of them. */
  readonly unpaired: Renamed;
}
