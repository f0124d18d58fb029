/** What a panel of an ensemble's runs shows, by the view that it shows. */
import type {
  CallSite,
  CommitChanges,
  EnsemblePivot,
  EnsembleProjection,
  EnsembleRuns,
  EnsembleScaling,
  FunctionGroups,
  MetricPoints,
  ParameterWeight,
  RunDistribution,
  RunHierarchy,
  Target,
} from "../../engine/api";
import type { Named } from "../../model/shortName";
import type { EnsembleRunsState } from "../../protocol/ensembleRuns";
import type { View } from "../kit/definition";

export type RunsView = View<EnsembleRunsState>;

/** An answer; `runs` are all, whatever the restriction leaves. */
export type ShownRuns = { readonly runs: EnsembleRuns; readonly asked: string } & (
  | {
      readonly view: "callSites";
      /** In the order of their rows, of so many. */
      readonly sites: readonly CallSite[];
      readonly of: number;
    }
  | { readonly view: "distribution"; readonly distribution: RunDistribution; readonly of: Target | undefined }
  | { readonly view: "hierarchy"; readonly hierarchy: RunHierarchy }
  | { readonly view: "correlation"; readonly points: MetricPoints }
  | {
      readonly view: "scaling";
      readonly scaling: EnsembleScaling;
      /** The line that the first function leads to. */
      readonly leadsTo: string;
      /** The function whose curve is drawn; -1: there is none. */
      readonly curve: number;
    }
  | {
      readonly view: "projection";
      readonly projection: EnsembleProjection;
      readonly weights: readonly ParameterWeight[];
    }
  | {
      readonly view: "commits";
      readonly changes: CommitChanges;
      /** What commits of these are called. */
      readonly commits: readonly string[];
    }
  | { readonly view: "pivot"; readonly pivot: ShownPivot }
  /** Only outputs differ between the runs, and none of them is chosen. */
  | { readonly view: "unchosen"; readonly message: string }
  | { readonly view: "runs"; readonly groups?: { readonly by: string; readonly pivot: EnsemblePivot } }
);

export interface ShownPivot extends Pick<EnsemblePivot, "columns" | "cells" | "columnOf" | "runs"> {
  /** The parameter whose values are rows; undefined: rows are {@link functions}. */
  readonly rowsBy: string | undefined;
  readonly columnsBy: string | undefined;
  readonly rows: EnsemblePivot["rows"];
  readonly functions: FunctionGroups["functions"];
  /** The row of each run; undefined where every run is in every row. */
  readonly rowOf: Int32Array | undefined;
  /** Of all rows, whether they are here or not. */
  readonly rowCount: number;
  /** What can be shown by two parameters. */
  readonly offered: readonly OfferedFunction[];
}

export type OfferedFunction = Named & { readonly function: number };
