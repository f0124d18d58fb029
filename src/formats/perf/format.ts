/**
 * What `perf script` prints: samples of call chains, with the source lines that `-F +srcline` asks for.
 *
 * What this format cannot say:
 * - Where a function is defined, but those of Python: only which lines of it were sampled or called from, where they were asked for.
 *   Functions of one name in one load module are one function.
 * - Ranks, but for files that a traced build has named by them: threads have the operating system's numbers. Processes are known only
 *   where they were printed (`-F +pid`), and the idle threads of all processors have one number.
 * - The time of day: clocks begin with the system. Those of ranks begin with their first samples here.
 * - How long anything took, or how often it was called: samples stand for what was counted between them.
 * - The names of some functions that were inlined: their lines are lines of the function around them.
 */
import path from "node:path";
import type { DataSet, Warning } from "../../model/dataSet";
import { FormatError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import { groupBy } from "../../model/maps";
import { RUN_FILE } from "../../model/runFacts";
import type { Task } from "../../model/task";
import { type ByteSource, PieceWindow } from "../byteSource";
import { eventColumns, type Format, type ReadContext, type RecordingFile } from "../format";
import { unfinishedLine, wholeLines } from "../lines";
import { decimalDifference } from "../numberScan";
import { ProfileBuilder } from "../profileBuilder";
import { collectDataSets, withFile } from "../reading";
import { finishParts } from "../trace/finishTrace";
import { TraceBuilder } from "../trace/traceBuilder";
import { CallChains } from "./callChains";
import { isPerfScript } from "./recognize";
import { RecordHeader } from "./recordHeader";
import { Samples } from "./samples";
import { ScriptScanner } from "./scriptScanner";
import { StackRoots } from "./stackRoots";

const LONGEST_LINE = 64 << 20;

/** Rank in the name of a traced build's file: `perf.rank3.node1.4711.txt`. */
const RANK = /\.rank(\d{1,9})\.[^/]*$/;

/** Keys of the header about perf's own file. As metadata of runs, `data size` would be a size to scale over. */
const FILE_KEYS = new Set(["header version", "data offset", "data size", "feat offset"]);

export const perf: Format = {
  id: "perf",
  label: "perf (perf script)",
  recognizes: isPerfScript,
  read: (files, context, task) =>
    collectDataSets(async (dataSets) => {
      let done = 0;
      for (const run of groupBy(files, runOf).values()) {
        const parts = run.map(({ file }, index) => context.part(done + index, files.length, file));
        const dataSet = await context.attempt(run[0], () => readDataSet(run, context, parts));
        if (dataSet) dataSets.push(dataSet);
        done += run.length;
      }
      task.check();
    }),
};

/** Files of ranks are one run where a traced build has left its own file beside them. */
function runOf({ file, siblings }: RecordingFile): string {
  return rankOf(file) !== NONE && siblings.has(RUN_FILE) ? path.dirname(file) : file;
}

function rankOf(file: string): number {
  return Number(RANK.exec(file)?.[1] ?? NONE);
}

/** @param parts the task of each file */
async function readDataSet(
  run: readonly RecordingFile[],
  context: ReadContext,
  parts: readonly Task[],
): Promise<DataSet> {
  const profile = new ProfileBuilder();
  const builder = new TraceBuilder(eventColumns(context));
  const files = run.map(({ file }) => file);
  const last = parts[parts.length - 1];
  try {
    const chains = new CallChains(profile);
    const samples = new Samples(profile, builder);
    const roots = new StackRoots();
    const facts: FileFacts = { globals: new Map(), warnings: [], copiedBytes: 0, modifiedAt: undefined };
    for (const [index, file] of files.entries()) {
      const scanner = new ScriptScanner(file, chains, samples, roots);
      const header = new RecordHeader(scanner.globals);
      samples.beginFile(run.length > 1 ? rankOf(file) : NONE, header);
      await withFile(context, file, async (source) => {
        facts.modifiedAt ??= source.modifiedAt;
        await readLines(source, scanner, builder, parts[index]);
      });
      samples.finish();
      addFacts(facts, scanner, header);
    }
    const { globals, copiedBytes, modifiedAt } = facts;
    if (samples.count === 0) throw noSamples(files[0]);
    const { columns, final, warnings } = profile.build(last);
    const { contextOf, locationOf } = final;
    const { warnings: ofTrace, ...finished } = await finishParts(
      [{ builder, contextOf, locationOf }],
      { zeroSeconds: Infinity, difference: decimalDifference },
      last,
    );
    // Samples without times are in no lane, and an empty trace would have no length.
    const traced = samples.hasTimes ? finished : { topology: finished.topology };
    if (!samples.hasTimes) await finished.trace?.close();
    return {
      name: path.basename(files[0]),
      files,
      format: { id: perf.id, label: "perf" },
      ...columns,
      ...traced,
      globals,
      warnings: [...facts.warnings, ...(chains.hasCalls ? roots.warnings(copiedBytes) : []), ...warnings, ...ofTrace],
      hierarchies: ["callPaths"],
      recordedAt: modifiedAt,
      records: samples.count,
      nameless: chains.namelessFrames(contextOf),
      notRecorded: [
        ...(chains.hasCalls ? [] : ["no calling contexts in this recording"]),
        ...(chains.hasPlaces ? [] : ["no source lines in this recording"]),
        ...(samples.hasTimes ? [] : ["no times of samples in this recording"]),
      ],
    };
  } catch (problem) {
    await builder.discard();
    throw problem;
  }
}

/** Facts of all files of a run. */
interface FileFacts {
  readonly globals: Map<string, string[]>;
  readonly warnings: Warning[];
  /** Bytes of each stack that were copied to be unwound by debug information, the largest number of all files. */
  copiedBytes: number;
  /** Time of the first file. */
  modifiedAt: ByteSource["modifiedAt"];
}

function addFacts(facts: FileFacts, scanner: ScriptScanner, header: RecordHeader): void {
  const { globals, warnings } = facts;
  for (const [key, values] of scanner.globals)
    if (!FILE_KEYS.has(key)) globals.set(key, [...new Set([...(globals.get(key) ?? []), ...values])]);
  appendAll(warnings, scanner.warnings());
  facts.copiedBytes = Math.max(facts.copiedBytes, header.copiedBytes());
}

async function readLines(source: ByteSource, scanner: ScriptScanner, builder: TraceBuilder, task: Task): Promise<void> {
  const window = new PieceWindow(source, task);
  try {
    for await (const end of wholeLines(window, LONGEST_LINE, () => tooLong(source.name))) {
      scanner.scan(window.bytes, window.start, end);
      await builder.settle(task);
    }
  } finally {
    await window.settle();
  }
  scanner.finish(unfinishedLine(window));
}

function tooLong(file: string): FormatError {
  const [found, expected] = ["a line of more than 64 MB", "one frame per line"];
  return new FormatError({ file, found, expected, advice: "Print the recording again with `perf script`." });
}

function noSamples(file: string): FormatError {
  return new FormatError({
    file,
    at: { line: 1 },
    found: "no sample",
    expected: "samples as `perf script` prints them",
    advice: "The program may have ended before a sample was taken, or the file was cut: print the recording again.",
  });
}
