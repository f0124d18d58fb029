/** Opens runs as one ensemble: folders of them, files, and manifests. */
import fs from "node:fs/promises";
import path from "node:path";
import { systemFiles } from "../../formats/fileSource";
import { Folders } from "../../formats/folders";
import type { OpenOptions } from "../../formats/readContext";
import { readRuns } from "../../formats/registry";
import type { DataSet, Warning } from "../../model/dataSet";
import { FormatError } from "../../model/errors";
import { appendAll } from "../../model/longLists";
import { groupBy } from "../../model/maps";
import { compareText } from "../../model/strings";
import { counted } from "../../model/texts";
import type { Task } from "../../model/task";
import { Ensemble, type NamedRun } from "./ensemble";
import type { CollectedRuns, EnsembleCache } from "./ensembleCache";
import type { EnsembleOptions } from "./ensembleApi";
import { MANIFEST, type ManifestRun, readManifest } from "./manifest";
import { namePattern } from "./namePattern";
import { type KeptRun, RunCollector } from "./runCollector";
import { foldersBelow } from "./runFolders";
import { metadataOf } from "./runMetadata";
import { compareRunNames, namesApart, runNames } from "./runNames";

/** Bytes of a manifest; a larger file is something else. */
const MOST_MANIFEST_BYTES = 8 << 20;

/** @throws FormatError where nothing can be read, RequestError where the pattern is none */
export async function openEnsemble(
  paths: readonly string[],
  { pattern }: EnsembleOptions,
  options: OpenOptions,
  cache: EnsembleCache | undefined,
  task: Task,
): Promise<{ ensemble: Ensemble; dataSet: DataSet }> {
  const input = await inputOf(paths, options, task);
  const usedPattern = input.pattern ?? pattern;
  const byName = usedPattern === undefined ? undefined : namePattern(usedPattern);
  const collected = await collectedRuns(input.paths, { ...options, searched: paths }, cache, task);
  const { warnings } = collected;
  const runs = withNames(besideFolders(collected.runs), input.manifestRuns).map(({ run, name, given }): NamedRun => ({
    ...run,
    name,
    metadata: metadataOf(run, byName, given?.parameters),
  }));
  runs.sort((a, b) => compareRunNames(a.name, b.name));
  const ensemble = new Ensemble(runs, collected.frames, task);
  const files = runs.flatMap((run) => run.files);
  const name = `${counted(runs.length, "run")} of ${path.basename(commonFolder(files))}`;
  const ofRuns = runs.flatMap(({ warnings, name }) =>
    warnings.map((warning) => ({ ...warning, message: `${name}: ${warning.message}` })),
  );
  return { ensemble, dataSet: ensemble.dataSet(name, files, [...warnings, ...ofRuns]) };
}

/** Reads the runs, or what was kept of them and what is new. */
async function collectedRuns(
  paths: readonly string[],
  options: OpenOptions,
  cache: EnsembleCache | undefined,
  task: Task,
): Promise<CollectedRuns & { readonly warnings: readonly Warning[] }> {
  // Files of classic Caliper that may be ranks of one run are runs of an ensemble, where nobody says otherwise.
  const { answer = "runs", hierarchy = "combined" } = options;
  const states = await cache?.statesOf(paths, JSON.stringify([answer, hierarchy]), task);
  const known = states && (await cache?.load(states, task));
  if (known?.areAll) return { ...known, warnings: [] };
  const collector = new RunCollector(known);
  const reading = { ...options, answer, known: new Set(known?.runs.flatMap(({ files }) => files)) };
  const warnings = await readRuns(paths, reading, (read) => collector.take(read), task);
  const { runs, frames } = collector;
  // What was left out may be there the next time, without any file's being another.
  const isPlain = runs.every(({ measured }) => measured === undefined);
  if (states && warnings.length === 0 && isPlain) cache?.keep(states, { runs, frames });
  return { runs, frames, warnings };
}

interface Input {
  /** Files and folders, each once. */
  readonly paths: readonly string[];
  readonly manifestRuns: readonly ManifestRun[];
  readonly pattern?: string;
}

async function inputOf(
  paths: readonly string[],
  { files: system = systemFiles }: OpenOptions,
  task: Task,
): Promise<Input> {
  const folders = new Folders(system);
  const found = new Set<string>();
  const manifestRuns: ManifestRun[] = [];
  let pattern: string | undefined;
  for (const given of [...new Set(paths)].sort()) {
    const status = await system.stat(given).catch(() => undefined);
    if (status?.isDirectory()) {
      for (const folder of await foldersBelow(given, folders, task)) found.add(folder);
    } else if (MANIFEST.test(given)) {
      const manifest = await readManifest(given, await manifestText(given, status?.size), folders);
      pattern ??= manifest.pattern;
      appendAll(manifestRuns, manifest.runs);
      for (const { files } of manifest.runs) for (const file of files) found.add(file);
    } else found.add(given);
  }
  return { paths: [...found], manifestRuns, ...(pattern === undefined ? {} : { pattern }) };
}

async function manifestText(file: string, size: bigint | undefined): Promise<string> {
  if (size !== undefined && size <= MOST_MANIFEST_BYTES) return fs.readFile(file, "utf8");
  throw new FormatError({
    file,
    found: size === undefined ? "no such file" : `${size} bytes`,
    expected: `a manifest of runs, of at most ${MOST_MANIFEST_BYTES} bytes`,
    advice: "Give the path of a *.heatflow-runs.json.",
  });
}

/** Whether a run is called by the folder of its files. */
function isFolderRun({ path: own, files: [first] }: KeptRun): boolean {
  return own === path.dirname(first);
}

/** Runs of which a single file alone in its folder is called by that folder, if runs of several files lie in folders beside it. */
function besideFolders(runs: readonly KeptRun[]): KeptRun[] {
  const parents = new Set(runs.filter(isFolderRun).map((run) => path.dirname(run.path)));
  const inFolder = groupBy(runs, ({ files }) => path.dirname(files[0]));
  return runs.map((run) => {
    const folder = path.dirname(run.path);
    const isFile = run.files.length === 1 && run.files[0] === run.path;
    const isBeside = isFile && parents.has(path.dirname(folder)) && inFolder.get(folder)?.length === 1;
    return isBeside ? { ...run, path: folder } : run;
  });
}

/** @throws FormatError where files that a manifest gives one name are several runs */
function withNames(collected: readonly KeptRun[], given: readonly ManifestRun[]) {
  const ofFile = byFile(given);
  // Runs come in any order: which of two with one path keeps its name must not depend on it.
  const runs = [...collected].sort((a, b) => compareText(a.path, b.path) || compareText(a.files[0], b.files[0]));
  const taken = new Set(given.flatMap(({ name }) => name ?? []));
  const folders = new Set(runs.filter(isFolderRun).map((run) => run.path));
  const paths = runs.map((run) => run.path);
  const names = namesApart(runNames(paths, folders), taken);
  const named = new Map<string, KeptRun>();
  return runs.map((run, at) => {
    // A database is named by its folder, which its files lie in.
    const one = run.files.map((file) => ofFile.get(file) ?? ofFile.get(path.dirname(file))).find((one) => one);
    if (one?.name === undefined) return { run, name: names[at], given: one };
    const other = named.get(one.name);
    if (other)
      throw new FormatError({
        file: run.files[0],
        found: `another run than ${other.files[0]}, though both are to be "${one.name}"`,
        expected: "one run for each name of a manifest",
        advice: "Leave the name out: runs are then named by their files.",
      });
    named.set(one.name, run);
    return { run, name: one.name, given: one };
  });
}

/** What is said of each file; where several say something of it, a parameter is what the last one says that has it. */
function byFile(given: readonly ManifestRun[]): ReadonlyMap<string, Omit<ManifestRun, "files">> {
  const found = new Map<string, Omit<ManifestRun, "files">>();
  for (const { files, name, parameters } of given) {
    for (const file of new Set(files)) {
      const before = found.get(file);
      if (name !== undefined && before?.name !== undefined)
        throw new FormatError({
          file,
          found: `two names, "${before.name}" and "${name}"`,
          expected: "one name of a manifest for each file",
          advice: "Leave one of the names out.",
        });
      const both = before ? new Map([...before.parameters, ...parameters]) : parameters;
      const own = name ?? before?.name;
      found.set(file, { parameters: both, ...(own === undefined ? {} : { name: own }) });
    }
  }
  return found;
}

function commonFolder(files: readonly string[]): string {
  let folder = path.dirname(files[0]);
  while (!files.every((file) => file.startsWith(folder === path.sep ? folder : folder + path.sep)))
    folder = path.dirname(folder);
  return folder;
}
