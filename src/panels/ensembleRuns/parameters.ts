/** Runs by their names, and what of their parameters each view can be over. */
import { isToldApartBy, type RunColumn } from "../../model/runColumns";
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
    "File names say it by a pattern, such as run_n{n}.json in the setting heatflow.ensemble.pattern; a manifest (*.heatflow-runs.json) says it of each run.";
  return new NothingToDrawError({ message, advice, link: patternLink });
}

/** What is said where no run is of a commit that is known here. */
export function noCommits(): NothingToDrawError {
  const message = "No run is of a commit of this folder's history.";
  const advice =
    "A traced build notes the commit of its run; else a manifest or a pattern of file names says it, as the parameter commit.";
  return new NothingToDrawError({ message, advice, link: patternLink });
}

/**
 * Over which number runs scale: the chosen one, ranks, what a user has named, else what recordings say of what was run; rather one whose
 * values several runs share. Nothing scales over moments and identifiers of single runs, unless it is asked for.
 */
export function scalingParameter(runs: EnsembleRuns, wanted: string | undefined): RunParameter | undefined {
  const all = scalingParameters(runs);
  const named = all.filter(({ origin }) => origin !== "file");
  const recorded = all.filter(({ origin, name }) => origin === "file" && isToldApartBy(columnOf(runs, name)));
  const shared = (some: readonly RunParameter[]) => some.find(({ values, runs: having }) => values < having);
  return (
    all.find(({ name }) => name === wanted) ??
    all.find(({ name }) => name === "ranks") ??
    shared(named) ??
    named.at(0) ??
    shared(recorded) ??
    recorded.at(0)
  );
}

/** A parameter that is a number. */
function columnOf({ runs }: EnsembleRuns, name: string): RunColumn {
  const numberIn = (text: string | undefined) => (text === undefined ? NaN : Number(text));
  return { name, kind: "number", values: Float64Array.from(runs, (run) => numberIn(parameterOf(run, name))) };
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
