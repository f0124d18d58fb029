/** What is asked of recordings that are compared, and what is answered. Plain data; values in the metric's unit. */
import type { Renamed } from "../../model/jointFunctions";
import type { SourceLink } from "../../model/sourceLinks";
import type { GroupBy } from "../../supergraph/query";
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
}

/** One function, or group, on both sides. */
export interface ComparedRow {
  readonly name: string;
  /** Its function in the first run of a side that has it; absent for groups, and where no run of the side has it. */
  readonly baselineFunction?: FunctionOfRun;
  readonly candidateFunction?: FunctionOfRun;
  /** Null: no run of the side has it, which counts as 0 in the difference. */
  readonly baseline: number | null;
  readonly candidate: number | null;
  /** Candidate − baseline. */
  readonly difference: number;
  /** Runs of each side that have it. */
  readonly baselineRuns: number;
  readonly candidateRuns: number;
  /** Where it is defined. */
  readonly link?: SourceLink;
}

export interface FunctionOfRun {
  readonly dataSet: number;
  readonly function: number;
}

/** Rows by |difference|, the largest first, ties by name. */
export interface Comparison {
  readonly baselineTotal: number;
  readonly candidateTotal: number;
  readonly rows: readonly ComparedRow[];
  readonly more: number;
}
