import type { EnsembleBarSpreads, EnsembleRuns, GraphLayout } from "../../engine/api";
import type { EnsembleBeside, EnsembleState } from "../../protocol/ensemble";
import type { View } from "../kit/definition";
import type { GraphSteps } from "../shared";

/** What is on screen. */
export interface ShownEnsemble {
  readonly runs: EnsembleRuns;
  /** Of all runs. */
  readonly whole: EnsembleBarSpreads;
  /** Of those that stay. */
  readonly staying: EnsembleBarSpreads;
  readonly parameter: string | undefined;
  readonly layout: SizedLayout;
  readonly beside: EnsembleBeside;
  /** What `whole` was asked with, as text. */
  readonly asked: string;
  readonly steps: GraphSteps;
}

export interface SizedLayout extends GraphLayout {
  /** Of the drawing that it was made for. */
  readonly size: View<EnsembleState>["size"];
}
