/** What metrics over time have of the engine's answers, and what all their questions name. */
import type { CounterBands, CounterFacts, CounterSums } from "../../engine/api";
import type { Stretch } from "../../protocol/panel";
import type { MetricsLook, MetricsState } from "../../protocol/metrics";
import { currentSettings } from "../../session/sourceFeed";
import type { View } from "../kit/definition";

export type MetricsView = View<MetricsState>;

export interface MetricsShown {
  readonly subject: string;
  readonly facts: CounterFacts;
  /** Those that are shown, by their numbers among the facts; the page names them by their places here. */
  readonly rows: readonly number[];
  /** Rows that have no room in a message. */
  readonly more: number;
  /** Number of rows that are left out since they do not change. */
  readonly constant: number;
  /** The row that varies most over the run, as it is over all of it. */
  readonly strip?: { readonly row: number; readonly bands: CounterBands };
  /** What is here; undefined until the page has said what is in sight. */
  readonly look?: MetricsLook;
  readonly bands?: CounterBands;
  /** Of all facts: in the window, and in what is measured; each where the restriction leaves it. */
  readonly window: RangedSums;
  readonly measured?: RangedSums;
}

export interface RangedSums {
  readonly asked: Stretch;
  readonly range: Stretch;
  readonly sums: CounterSums;
}

/** What all questions name. */
export function countersOf({ dataSet, scope: { chosen } }: MetricsView) {
  return { dataSet: dataSet.id, categories: currentSettings().categories, ...(chosen ? { chosen } : {}) };
}
