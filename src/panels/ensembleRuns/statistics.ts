/** How values of runs are spread, as numbers that people choose from. Pure. */
import type { GroupStatistics } from "../../engine/api";
import type { ToolControl } from "../../protocol/frame";
import {
  type EnsembleRunsState,
  groupShares,
  type Statistic,
  STATISTIC_NAMES,
  statistics,
} from "../../protocol/ensembleRuns";

const SHARES: Readonly<Partial<Record<Statistic, number>>> = {
  min: 0,
  q1: 0.25,
  median: 0.5,
  q3: 0.75,
  p95: 0.95,
  max: 1,
};

/** In the values' unit. @param group what it was asked with: {@link groupShares} */
export function statisticOf({ mean, deviation, percentiles }: GroupStatistics, one: Statistic): number {
  if (one === "mean") return mean;
  if (one === "deviation") return deviation;
  return percentiles[groupShares.findIndex((share) => share === SHARES[one])];
}

/** Those that tables have, in their order. */
export function chosenStatistics({ statistics: chosen }: EnsembleRunsState): readonly Statistic[] {
  return statistics.filter((one) => chosen.includes(one));
}

/** Which columns tables have. */
export function statisticsTool({ statistics: chosen }: EnsembleRunsState): ToolControl {
  return {
    kind: "tool",
    id: "statistics",
    name: "Columns of the table",
    icon: "list-selection",
    leaves: 4,
    menu: statistics.map((one) => ({
      value: one,
      label: STATISTIC_NAMES[one],
      checked: chosen.includes(one),
      ...(chosen.length === 1 && chosen[0] === one ? { disabled: "One column is always there." } : {}),
    })),
  };
}

/** With or without one of them. */
export function toggledStatistic(state: EnsembleRunsState, value: string): Statistic[] {
  return statistics.filter((one) => state.statistics.includes(one) !== (one === value));
}
