/** Runs by their names, and what of their parameters each view can be over. */
import type { EnsembleRun, EnsembleRuns, RunParameter } from "../../engine/api";
import { NothingToDrawError } from "../../model/errors";

/** -1: there is no such run, or it lacks the metric. */
export function runNamed({ runs }: EnsembleRuns, wanted: string | undefined): number {
  return runs.findIndex(({ name, total }) => name === wanted && !Number.isNaN(total));
}

/** What a run has of a parameter, whose name may be that of what every object has. */
export function parameterOf({ metadata }: Pick<EnsembleRun, "metadata">, name: string): string | undefined {
  return Object.hasOwn(metadata, name) ? metadata[name] : undefined;
}

/** To the setting that says what file names say of runs. */
export const PATTERN_LINK = "pattern";
const patternLink = { id: PATTERN_LINK, text: "Set a Pattern" };

/** Nothing that is known of the runs serves a view: what does, and how it becomes known. @param message what is lacking */
export function lackingParameter(message: string): NothingToDrawError {
  const advice =
    "Set a pattern for file names, such as run_n{n}.json, in heatflow.ensemble.pattern, or name the parameters of each run in a manifest (*.heatflow-runs.json).";
  return new NothingToDrawError({ message, advice, link: patternLink });
}

/** What is said where no run is of a commit that is known here. */
export function noCommits(): NothingToDrawError {
  const message = "No run is of a commit of this folder's history.";
  const advice =
    "Traced builds record the commit. For other runs, name it in a manifest or a pattern of file names, as the parameter commit.";
  return new NothingToDrawError({ message, advice, link: patternLink });
}

/** The parameter that runs scale over: the chosen one, else the engine's choice; undefined if the user has to choose. */
export function scalingParameter({ scaling }: EnsembleRuns, wanted: string | undefined): string | undefined {
  return wanted !== undefined && scaling.offered.includes(wanted) ? wanted : scaling.parameter;
}

/** Names of the parameters that are outputs of the runs. */
export function outputNames({ parameters }: EnsembleRuns): ReadonlySet<string> {
  return new Set(parameters.filter(({ isOutput }) => isOutput).map(({ name }) => name));
}

/** Groups that a table has with all their statistics. */
const MOST_GROUPS = 1000;

/** By which runs can be told apart: those that differ, but are not different in every run. */
export function groupingParameters({ parameters }: EnsembleRuns): readonly RunParameter[] {
  return parameters.filter(({ values, runs }) => values > 1 && values < runs && values <= MOST_GROUPS);
}
