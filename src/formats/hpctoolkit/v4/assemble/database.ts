import fs from "node:fs/promises";
import path from "node:path";
import { ContextTreeBuilder } from "../../../../model/contextTree";
import type { DataSet, SourceCopies, Warning } from "../../../../model/dataSet";
import { FormatError } from "../../../../model/errors";
import { FrameTable } from "../../../../model/frames";
import { NONE } from "../../../../model/ids";
import { compareLocations, location, type Location, withNeededContexts } from "../../../../model/locations";
import { StringTable } from "../../../../model/strings";
import type { Task } from "../../../../model/task";
import type { ByteSource } from "../../../byteSource";
import { eventColumns, type ReadContext } from "../../../format";
import { withFile } from "../../../reading";
import { TraceBuilder } from "../../../trace/traceBuilder";
import { type DbKind, fileNameOf } from "../scan/container";
import { ContextFrames, recordedPath } from "./frames";
import { ContextIds } from "./contextIds";
import { addDerived, computable } from "../metrics/derivedMetrics";
import { locationOf } from "./locations";
import { type MetaDb, readMetaDb } from "../scan/metaDb";
import { type DerivedMetric, readMetricTree } from "../metrics/metricTree";
import { MOST_YAML_BYTES } from "../metrics/metricYaml";
import { ProfileDb, type ProfileInfo } from "../scan/profileDb";
import { TraceDb } from "../scan/traceDb";
import { withSampledTime } from "../../sampledTime";
import { readTraces, type TraceContexts } from "./traceLanes";
import { type MetricValues, onlySummary, readValues, type ValueCounts } from "./values";
import { finishParts } from "../../../trace/finishTrace";

/** The files of one database that are there. */
export interface DatabaseFiles {
  readonly folder: string;
  /** Absolute paths. */
  readonly paths: ReadonlyMap<DbKind, string>;
  /** Files that the user named: what is wrong with one of them is an error. */
  readonly named: ReadonlySet<DbKind>;
}

/** @throws FormatError, CancelledError */
export async function readDatabase(files: DatabaseFiles, context: ReadContext, task: Task): Promise<DataSet> {
  const warnings: Warning[] = [];
  const notRecorded: string[] = [];
  const metaPath = files.paths.get("meta");
  if (metaPath === undefined) throw withoutMeta(files.folder);
  const { meta, recordedAt } = await withFile(context, metaPath, async (source) => ({
    meta: await readMetaDb(source, task),
    recordedAt: source.modifiedAt,
  }));
  const { frames, tree, ids } = contextsOf(meta, metaPath, task);
  task.check();
  const counts: ValueCounts = { read: 0, lacking: 0 };
  const profilePath = files.paths.get("prof");
  let profiles: readonly ProfileInfo[] = [];
  let locations: Locations = { list: [], ofProfile: new Int32Array(0), ofAll: NONE };
  let values: MetricValues = { metrics: [], values: [], warnings: [] };
  if (profilePath === undefined) notRecorded.push(missing("prof", "there are no values"));
  else
    await withFile(context, profilePath, async (source) => {
      const db = await ProfileDb.open(source, task);
      profiles = db.profiles;
      const derived = computable(await taxonomiesOf(files.folder, context, warnings, task), meta.metrics);
      locations = locationsOf(db.profiles, meta.idNames, derived.length > 0, warnings);
      values = await readValues(db, meta.metrics, tree, ids, locations, counts, task);
      await addDerived(values, derived, db, meta.metrics, tree, ids, locations.ofAll, task);
    });
  if (!files.paths.has("ctxt")) notRecorded.push(missing("ctxt", "all values are those of profile.db"));
  if (counts.lacking > 0)
    notRecorded.push(`${counts.lacking} values of ${ids.lacking} contexts that meta.db lacks were left out`);
  const traced = await traceOf(files, { tree, frames, ids }, { meta, profiles, locations }, context, warnings, task);
  if (traced === undefined) notRecorded.push(missing("trce", "there is no trace"));
  const sampled = withSampledTime(values, traced?.threadSeconds);
  return {
    name: path.basename(files.folder),
    files: [...files.paths.values()].sort(),
    format: { id: "hpctoolkit-v4", label: "HPCToolkit", version: `4.${meta.minor}` },
    frames,
    tree,
    locations: locations.list,
    metrics: sampled.metrics,
    values: values.values,
    globals: new Map([
      ["title", [meta.title]],
      ["description", [meta.description]],
    ]),
    warnings: [...warnings, ...values.warnings, ...sampled.warnings],
    hierarchies: ["combined"],
    recordedAt,
    records: counts.read + (traced?.samples ?? 0),
    ...(traced?.samples ? traced.finished : {}),
    sourceCopies: copiesOf(meta, files.folder),
    notRecorded,
  };
}

/** Metrics that are computed, as `metrics/*.yaml` has them; what cannot be read is left out with a warning. */
async function taxonomiesOf(
  folder: string,
  context: ReadContext,
  warnings: Warning[],
  task: Task,
): Promise<DerivedMetric[]> {
  const metrics = path.join(folder, "metrics");
  const names = await fs.readdir(metrics).catch(() => ["default.yaml"]);
  const found = new Map<string, DerivedMetric>();
  for (const name of names.filter((one) => /\.ya?ml$/.test(one)).sort()) {
    task.check();
    const file = path.join(metrics, name);
    const text = await withFile(context, file, (source) => textOf(source)).catch((problem: unknown) => {
      if (problem instanceof FormatError) return "";
      throw problem;
    });
    const tree = text === "" ? [] : readMetricTree(text ?? "");
    if (tree === undefined) warnings.push({ message: `metrics/${name} was left out: it is no list of metrics`, file });
    for (const metric of tree ?? []) found.set(JSON.stringify(metric.path), metric);
  }
  return [...found.values()];
}

async function textOf(source: ByteSource): Promise<string | undefined> {
  if (!(source.size <= MOST_YAML_BYTES)) return undefined;
  const bytes = new Uint8Array(source.size);
  await source.read(bytes, 0);
  return new TextDecoder().decode(bytes);
}

/** Frames and tree in canonical order, and which id of the database leads to which context. */
function contextsOf(meta: MetaDb, file: string, task: Task): TraceContexts {
  const { contexts } = meta;
  const frames = new FrameTable(new StringTable());
  const builder = new ContextTreeBuilder();
  const frameOf = new ContextFrames(meta, frames);
  const own = new Int32Array(contexts.size);
  for (let row = 0; row < contexts.size; row++) {
    if (row % 4096 === 0) task.check();
    const parent = contexts.parent[row];
    own[row] = builder.child(parent === NONE ? NONE : own[parent], frameOf.of(row));
  }
  const { tree, finalOf } = builder.build(frames.canonicalRanks(task), task);
  return { frames, tree, ids: new ContextIds(file, contexts.id, (row) => finalOf[own[row]]) };
}

interface Locations {
  readonly list: readonly Location[];
  /** Position in the list, by profile. */
  readonly ofProfile: Int32Array;
  /** Position of what is one value over all threads, NONE where there is no such value. */
  readonly ofAll: number;
}

/** The distinct locations of all profiles, ascending; that of a summary only where it is asked for, or there is nothing else. */
function locationsOf(
  profiles: readonly ProfileInfo[],
  names: readonly string[],
  withSummary: boolean,
  warnings: Warning[],
): Locations {
  const single = profiles.filter(({ isSummary }) => !isSummary);
  const ofSummary = JSON.stringify(location({}));
  const places = profiles.map(({ ids, isSummary }) => (isSummary ? location({}) : locationOf(ids, names)));
  const keys = withNeededContexts(places).map((place) => JSON.stringify(place));
  const distinct = new Set(single.map(({ index }) => keys[index]));
  if (distinct.size < single.length)
    warnings.push({
      message: `${single.length - distinct.size} of ${single.length} profiles have the same node, rank and thread as another one (processes without a rank): their values are added up`,
    });
  if (withSummary || onlySummary(profiles)) distinct.add(ofSummary);
  const list = [...distinct].map((key) => JSON.parse(key) as Location).sort(compareLocations);
  const at = new Map(list.map((one, index) => [JSON.stringify(one), index]));
  return { list, ofProfile: Int32Array.from(keys, (key) => at.get(key) ?? NONE), ofAll: at.get(ofSummary) ?? NONE };
}

async function traceOf(
  files: DatabaseFiles,
  contexts: TraceContexts,
  known: { meta: MetaDb; profiles: readonly ProfileInfo[]; locations: Locations },
  context: ReadContext,
  warnings: Warning[],
  task: Task,
) {
  const file = files.paths.get("trce");
  if (file === undefined) return undefined;
  const builder = new TraceBuilder(eventColumns(context));
  try {
    return await withFile(context, file, async (source) => {
      const db = await TraceDb.open(source, task);
      const { profiles, locations } = known;
      const places = { idNames: known.meta.idNames, profiles, locationOf: locations.ofProfile };
      const { samples, threadSeconds } = await readTraces(db, contexts, places, builder, warnings, task);
      const options = { zeroNanoseconds: db.earliest };
      const { outline, trace, topology } = await finishParts([{ builder }], options, task);
      return { samples, threadSeconds, finished: { outline, trace, topology } };
    });
  } catch (problem) {
    await builder.discard();
    if (files.named.has("trce") || !(problem instanceof FormatError)) throw problem;
    // The profile is whole without it.
    warnings.push({ message: `trace.db was left out: ${problem.message}`, file });
    return undefined;
  }
}

/** Files that hpcprof copied into the database, by the path that they were recorded with. */
function copiesOf(meta: MetaDb, folder: string): SourceCopies | undefined {
  const copies = new Map<string, string>();
  const root = path.join(folder, "src");
  for (const file of meta.files) {
    const recorded = recordedPath(file);
    const copy = path.join(folder, file.path);
    if (file.copied && recorded !== undefined && copy.startsWith(root + path.sep)) copies.set(recorded, copy);
  }
  return copies.size === 0 ? undefined : { folder: root, files: copies };
}

function missing(kind: DbKind, consequence: string): string {
  return `no ${fileNameOf(kind)} in this database: ${consequence}`;
}

function withoutMeta(folder: string): FormatError {
  return new FormatError({
    file: folder,
    found: "a database without meta.db",
    expected: "meta.db, which names the functions and metrics of all other files",
    advice: "Copy the whole database folder, not single files of it.",
  });
}
