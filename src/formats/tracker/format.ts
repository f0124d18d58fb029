/**
 * Heatflow's own tracker: Chrome's trace events with calling contexts, their sums and their lines beside them (tracker/README.md).
 *
 * What this format cannot say:
 * - Lines within a region or function: a region is known by the line that it begins at, a function by that of its definition.
 * - Files and lines of functions in a recording that was cut: these are looked up when the program ends.
 * - Messages of communicators other than those whose ranks MPI translates to the world's.
 */
import type { DataSet, Warning } from "../../model/dataSet";
import { FormatError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import { costShare, LEFT_OUT } from "../../model/recordingCost";
import type { Task } from "../../model/task";
import type { Format, ReadContext, RecordingFile } from "../format";
import { eventColumns } from "../format";
import type { FinalNumbers } from "../profileBuilder";
import { missingRanks } from "../missingRanks";
import { collectDataSets, joinedGlobals, nameOfFiles, withFile } from "../reading";
import { finishParts } from "../trace/finishTrace";
import { shorten } from "../../model/texts";
import { messagesBetween } from "../trace/messages";
import type { TracePart } from "../trace/parts";
import { TraceBuilder } from "../trace/traceBuilder";
import { type OwnNumbers, RunProfile } from "./runProfile";
import { isTracker, type Start, startOf } from "./start";
import { runCost } from "./recordingCost";
import { contentWarnings, MUCH, readTrackerFile, type TrackerFile } from "./trackerFile";

const VERSION = "1";

/** A file of a run, and what its head says. */
interface Member {
  readonly entry: RecordingFile;
  readonly start: Start;
}

export const tracker: Format = {
  id: "heatflow",
  label: "Heatflow tracker (JSON)",
  named: /^heatflow-(?:rank)?\d+(?:-\d+)?(?:\..*)?\.json$/,
  recognizes: isTracker,
  async read(files, context, task) {
    const members: Member[] = [];
    for (const entry of files) {
      const found = await context.attempt(entry, async () => ({ entry, start: await checkedStart(entry, context) }));
      if (found) members.push(found);
    }
    return collectDataSets(async (dataSets) => {
      let done = 0;
      for (const run of runsOf(members)) {
        const dataSet = await readRun(run, context, { done, of: files.length }, task);
        if (dataSet) dataSets.push(dataSet);
        done += run.length;
      }
    });
  },
};

/** @throws FormatError of a later version, which may mean other things by the same words */
async function checkedStart({ file }: RecordingFile, context: ReadContext): Promise<Start> {
  const start = startOf(await context.head(file));
  if (start.version === VERSION) return start;
  throw new FormatError({
    file,
    at: { byte: 0 },
    found: `a recording of version ${start.version.slice(0, 20)}`,
    expected: `version ${VERSION}`,
    advice: "Update Heatflow, or record again with the tracker that belongs to this version.",
  });
}

/** Files are one run where their launcher's name of it, program and number of ranks agree, and no rank comes twice (semantics 7). */
function runsOf(members: readonly Member[]): Member[][] {
  const runs = new Map<string, Member[]>();
  for (const member of members) {
    const { run, program, rank, ranks } = member.start;
    const key = rank === NONE ? member.entry.file : JSON.stringify([run, program, ranks]);
    entryOf(runs, key, () => []).push(member);
  }
  return [...runs.values()].flatMap((run) => (hasEachRankOnce(run) ? [run] : runsByLauncher(run)));
}

function hasEachRankOnce(run: readonly Member[]): boolean {
  return new Set(run.map(({ start: { rank } }) => rank)).size === run.length;
}

/** Runs of equal names: those of several launchers if each has started all ranks, else each file alone. */
function runsByLauncher(members: readonly Member[]): Member[][] {
  const runs = new Map<string, Member[]>();
  for (const member of members)
    entryOf(runs, JSON.stringify([member.start.host, member.start.launcher]), () => []).push(member);
  const isWhole = (run: readonly Member[]) =>
    run[0].start.launcher !== "" && hasEachRankOnce(run) && run.length === run[0].start.ranks;
  const found = [...runs.values()];
  return found.every(isWhole) ? found : members.map((one) => [one]);
}

async function readRun(
  run: readonly Member[],
  context: ReadContext,
  { done, of }: { readonly done: number; readonly of: number },
  task: Task,
): Promise<DataSet | undefined> {
  const zero = run.reduce(
    (least, { start: { startNanoseconds } }) => (startNanoseconds < least ? startNanoseconds : least),
    run[0].start.startNanoseconds,
  );
  const builders: TraceBuilder[] = [];
  const profile = new RunProfile();
  const parts: OwnNumbers[] = [];
  try {
    const files = await readFiles(run, context, { zeroNanoseconds: zero, done, of }, builders);
    if (files.length === 0) return undefined;
    const cost = runCost(files);
    // All ranks have the row or none, so that it does not distinguish ranks.
    const hasCost = cost !== undefined && costShare(cost) > MUCH;
    for (const file of files) parts.push(profile.add(file, hasCost, task));
    const { columns, final, warnings } = profile.builder.build(task);
    const traced = files.map((file, index) => partOf(file, parts[index], final));
    const ranks = files.map(({ start }) => start.rank);
    const ends = files.map(({ events }) => ({ ends: events, shiftSeconds: 0 }));
    const messages = await messagesBetween(ranks, ends, eventColumns(context), task);
    if (messages !== undefined) {
      builders.push(messages);
      traced.push({ builder: messages });
    }
    const { warnings: ofTrace, ...trace } = await finishParts(traced, { zeroNanoseconds: zero }, task);
    const hasLines = columns.frames.line.subarray(0, columns.frames.size).some((line) => line > 0);
    return {
      ...columns,
      ...trace,
      name: nameOfFiles(files.map(({ name }) => name)),
      files: files.map(({ name }) => name),
      format: { id: tracker.id, label: "Heatflow tracker", version: VERSION },
      globals: joinedGlobals(files.map(({ globals }) => globals)),
      warnings: [
        ...files.flatMap((file) => file.warnings),
        ...missingFiles(run),
        ...contentWarnings(files, cost),
        ...warnings,
        ...ofTrace,
      ],
      hierarchies: ["combined"],
      recordedAt: Number(zero / 1_000_000n),
      startedAt: Number(zero / 1_000_000n),
      records: files.reduce((sum, { events, contexts }) => sum + events.records + contexts.size, 0),
      ...(cost === undefined ? {} : { recordingCost: cost }),
      notRecorded: [
        ...excludedText(files),
        ...(columns.tree.size === 0 ? ["no calling contexts in this recording"] : []),
        ...(hasLines ? [] : ["no source lines in this recording"]),
      ],
    };
  } catch (problem) {
    await Promise.allSettled(builders.map((builder) => builder.discard()));
    throw problem;
  }
}

/** @param builders receives the builder of each file. The caller discards them on an error */
async function readFiles(
  run: readonly Member[],
  context: ReadContext,
  { zeroNanoseconds, done, of }: { readonly zeroNanoseconds: bigint; readonly done: number; readonly of: number },
  builders: TraceBuilder[],
): Promise<TrackerFile[]> {
  const files: TrackerFile[] = [];
  // All ranks on a host read the same counters of the machine. Those of the lowest rank that can be read are used.
  const byRank = [...run].sort((a, b) => a.start.rank - b.start.rank);
  const knownHosts = new Set<string>();
  for (const [index, { entry, start }] of byRank.entries()) {
    const builder = new TraceBuilder(eventColumns(context));
    builders.push(builder);
    const part = context.part(done + index, of, entry.file);
    const options = { zeroNanoseconds, tellsOfMachine: !knownHosts.has(start.host) };
    const file = await context.attempt(entry, () =>
      withFile(context, entry.file, (source) => readTrackerFile(source, start, options, builder, part)),
    );
    if (file === undefined) {
      await builder.discard();
      continue;
    }
    knownHosts.add(start.host);
    files.push(file);
  }
  return files;
}

/** Note on functions that the compiler did not instrument. */
function excludedText(files: readonly TrackerFile[]): string[] {
  const lists = files.flatMap(({ globals }) => globals.get("heatflow.excluded") ?? []);
  return [...new Set(lists)].map(
    (list) => `${LEFT_OUT}${shorten(list.replaceAll(",", " or "), 200)} in their paths: their time is in their callers`,
  );
}

/** Ranks of the run of which there is no file. */
function missingFiles(run: readonly Member[]): Warning[] {
  const [{ ranks }] = run.map(({ start }) => start);
  const known = run.map(({ start: { rank } }) => rank).filter((rank) => rank !== NONE);
  return missingRanks(known, ranks === NONE ? undefined : ranks);
}

/** A file's trace with the final numbers of what it refers to. */
function partOf(file: TrackerFile, own: OwnNumbers, final: FinalNumbers): TracePart {
  const finalOf = (numbers: Int32Array, of: Int32Array) => numbers.map((one) => (one === NONE ? NONE : of[one]));
  return {
    builder: file.builder,
    frameOf: own.frames,
    contextOf: finalOf(own.contexts, final.contextOf),
    locationOf: finalOf(own.locations, final.locationOf),
  };
}
