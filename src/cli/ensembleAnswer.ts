/** What `heatflow ensemble` has found, before it is printed. */
import type {
  CallSite,
  CommitChanges,
  DataSetInfo,
  EnsembleDifferences,
  EnsembleGraph,
  EnsembleRuns,
  EnsembleProjection,
  EnsembleScaling,
  EnsembleScope,
  ParameterWeight,
} from "../engine/api";
import type { FunctionPivot } from "./ensemblePivot";

export interface EnsembleAnswer {
  readonly info: DataSetInfo;
  readonly scope: EnsembleScope;
  readonly bins: number;
  readonly runs: EnsembleRuns;
  readonly graph: EnsembleGraph;
  readonly callSites: readonly CallSite[];
  readonly parameters: readonly ParameterWeight[];
  readonly projection: EnsembleProjection;
  /** Whether what a window starts with is printed, too. */
  readonly first: boolean;
  readonly scaling?: EnsembleScaling;
  readonly differences?: EnsembleDifferences;
  readonly changes?: CommitChanges;
  readonly pivots?: readonly FunctionPivot[];
  readonly warnings: readonly string[];
  readonly sources: readonly string[];
}
