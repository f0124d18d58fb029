/** What `heatflow ensemble` has found, before it is printed. */
import type {
  CallSite,
  DataSetInfo,
  EnsembleDifferences,
  EnsembleGraph,
  EnsembleRuns,
  EnsembleScope,
} from "../engine/api";

export interface EnsembleAnswer {
  readonly info: DataSetInfo;
  readonly scope: EnsembleScope;
  readonly bins: number;
  readonly runs: EnsembleRuns;
  readonly graph: EnsembleGraph;
  readonly callSites: readonly CallSite[];
  readonly differences?: EnsembleDifferences;
  readonly warnings: readonly string[];
  readonly sources: readonly string[];
}
