/** Opens runs as one ensemble. */
import path from "node:path";
import type { OpenOptions } from "../../formats/readContext";
import { readRuns } from "../../formats/registry";
import type { DataSet } from "../../model/dataSet";
import { counted } from "../../model/texts";
import type { Task } from "../../model/task";
import { Ensemble } from "./ensemble";
import type { EnsembleOptions } from "./ensembleApi";
import { namePattern } from "./namePattern";
import { RunCollector } from "./runCollector";
import { metadataOf } from "./runMetadata";
import { compareRunNames, runNames } from "./runNames";

/** @throws FormatError where nothing can be read, RequestError where the pattern is none */
export async function openEnsemble(
  paths: readonly string[],
  { pattern }: EnsembleOptions,
  options: OpenOptions,
  task: Task,
): Promise<{ ensemble: Ensemble; dataSet: DataSet }> {
  const byName = pattern === undefined ? undefined : namePattern(pattern);
  const collector = new RunCollector();
  const warnings = await readRuns(paths, options, (read) => collector.take(read), task);
  const names = runNames(collector.runs.map((run) => run.path));
  const runs = collector.runs
    .map((run, at) => ({ ...run, name: names[at], metadata: metadataOf(run, byName) }))
    .sort((a, b) => compareRunNames(a.name, b.name));
  const ensemble = new Ensemble(runs, collector.frames, task);
  const files = runs.flatMap((run) => run.files);
  const name = `${counted(runs.length, "run")} of ${path.basename(commonFolder(files))}`;
  const all = runs.flatMap(({ warnings, name }) =>
    warnings.map((warning) => ({ ...warning, message: `${name}: ${warning.message}` })),
  );
  return { ensemble, dataSet: ensemble.dataSet(name, files, [...warnings, ...all]) };
}

function commonFolder(files: readonly string[]): string {
  let folder = path.dirname(files[0]);
  while (!files.every((file) => file.startsWith(folder === path.sep ? folder : folder + path.sep)))
    folder = path.dirname(folder);
  return folder;
}
