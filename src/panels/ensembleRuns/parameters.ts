/** Runs by their names, and what of their parameters each view can be over. */
import type { EnsembleRuns, RunParameter } from "../../engine/api";

/** -1: there is no such run, or it lacks the metric. */
export function runNamed({ runs }: EnsembleRuns, wanted: string | undefined): number {
  return runs.findIndex(({ name, total }) => name === wanted && !Number.isNaN(total));
}

/** Numbers with at least two values; the chosen one, ranks, or what several runs share. */
export function scalingParameter(runs: EnsembleRuns, wanted: string | undefined): RunParameter | undefined {
  const known = scalingParameters(runs);
  const shared = known.filter(({ values, runs: having }) => values < having);
  return (
    known.find(({ name }) => name === wanted) ??
    known.find(({ name }) => name === "ranks") ??
    shared.find(({ origin }) => origin !== "file") ??
    shared.at(0)
  );
}

export function scalingParameters({ parameters }: EnsembleRuns): readonly RunParameter[] {
  return parameters.filter(({ isNumeric, values }) => isNumeric && values > 1);
}

/** Groups that a table has with all their statistics. */
const MOST_GROUPS = 1000;

/** By which runs can be told apart: those that differ, but are not different in every run. */
export function groupingParameters({ parameters }: EnsembleRuns): readonly RunParameter[] {
  return parameters.filter(({ values, runs }) => values > 1 && values < runs && values <= MOST_GROUPS);
}
