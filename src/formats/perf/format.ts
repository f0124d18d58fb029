/**
 * What `perf script` prints: samples of call chains, with the source lines that `-F +srcline` asks for.
 *
 * What this format cannot say:
 * - Where a function is defined, but those of Python: only which lines of it were sampled or called from, where they were asked for.
 *   Functions of one name in one load module are one function.
 * - Ranks: threads have the operating system's numbers. Processes are known only where they were printed (`-F +pid`), and the
 *   idle threads of all processors have one number.
 * - The time of day: clocks begin with the system.
 * - How long anything took, or how often it was called: samples stand for what was counted between them.
 * - The names of some functions that were inlined: their lines are lines of the function around them.
 */
import path from "node:path";
import type { DataSet } from "../../model/dataSet";
import { FormatError } from "../../model/errors";
import type { Task } from "../../model/task";
import { type ByteSource, PieceWindow } from "../byteSource";
import { eventColumns, type Format, type ReadContext } from "../format";
import { unfinishedLine, wholeLines } from "../lines";
import { ProfileBuilder } from "../profileBuilder";
import { collectDataSets, withFile } from "../reading";
import { finishParts } from "../trace/finishTrace";
import { TraceBuilder } from "../trace/traceBuilder";
import { CallChains } from "./callChains";
import { isPerfScript } from "./eventLine";
import { Samples } from "./samples";
import { ScriptScanner } from "./scriptScanner";

const LONGEST_LINE = 64 << 20;

export const perf: Format = {
  id: "perf",
  label: "perf (perf script)",
  recognizes: isPerfScript,
  read: (files, context, task) =>
    collectDataSets(async (dataSets) => {
      for (const [index, entry] of files.entries()) {
        const part = context.part(index, files.length, entry.file);
        const read = (source: ByteSource) => readDataSet(source, context, part);
        const dataSet = await context.attempt(entry, () => withFile(context, entry.file, read));
        if (dataSet) dataSets.push(dataSet);
      }
      task.check();
    }),
};

async function readDataSet(source: ByteSource, context: ReadContext, task: Task): Promise<DataSet> {
  const file = source.name;
  const profile = new ProfileBuilder();
  const builder = new TraceBuilder(eventColumns(context));
  try {
    const chains = new CallChains(profile);
    const samples = new Samples(profile, builder);
    const scanner = new ScriptScanner(file, chains, samples);
    await readLines(source, scanner, builder, task);
    if (samples.count === 0) throw noSamples(file);
    samples.finish();
    const { columns, final, warnings } = profile.build(task);
    const { contextOf, locationOf } = final;
    const { warnings: ofTrace, ...traced } = await finishParts([{ builder, contextOf, locationOf }], {}, task);
    return {
      name: path.basename(file),
      files: [file],
      format: { id: perf.id, label: "perf" },
      ...columns,
      ...traced,
      globals: scanner.globals,
      warnings: [...scanner.warnings(), ...warnings, ...ofTrace],
      hierarchies: ["callPaths"],
      recordedAt: source.modifiedAt,
      records: samples.count,
      notRecorded: [
        ...(chains.hasCalls ? [] : ["no calling contexts in this recording"]),
        ...(chains.hasPlaces ? [] : ["no source lines in this recording"]),
      ],
    };
  } catch (problem) {
    await builder.discard();
    throw problem;
  }
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
