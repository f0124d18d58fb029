/**
 * Chrome's Trace Event Format, as browsers, Kineto (PyTorch) and many other tools write it: events on threads.
 *
 * What this format cannot say:
 * - Calling contexts: events nest in time. Stacks only where a tool adds them (`sf`, Kineto's `Call stack`, V8's profiles).
 * - Source lines and load modules: arguments such as `file` and `line` are a convention of some tools.
 * - Exclusive or inclusive values: they are computed from the events.
 * - Ranks, but for Kineto's `distributedInfo`; of several files that say nothing the user is asked. Clocks of files are not aligned.
 * - The time of day, where time stamps count from some other start.
 * - Sizes and tags of messages: arrows join two events. Bytes only of Kineto's transfers.
 */
import { smallestIn } from "../../model/longLists";
import { formatValue } from "../../model/units";
import type { DataSet, Warning } from "../../model/dataSet";
import { AmbiguityError } from "../../model/errors";
import { groupBy } from "../../model/maps";
import type { Task } from "../../model/task";
import type { ByteSource } from "../byteSource";
import type { Format, ReadContext, RecordingFile } from "../format";
import { missingRanks } from "../missingRanks";
import { collectDataSets, joinedGlobals, nameOfFiles, withFile } from "../reading";
import { TraceBuilder } from "../trace/traceBuilder";
import { type Peek, peek } from "./scan/peek";
import { readTrace } from "./readTrace";
import type { TraceFile } from "./traceFile";
import { TraceProfile } from "./assemble/traceProfile";
import { compareNames } from "../../model/strings";

/** A file and what its first bytes tell. */
interface Seen {
  readonly entry: RecordingFile;
  readonly peek: Peek;
}

/** A file of a run, with its rank where it has one. */
interface Member extends Seen {
  readonly rank: number | undefined;
}

export const chromeTrace: Format = {
  id: "chrome-trace",
  label: "Chrome trace (JSON, Kineto)",
  recognizes: (head) => peek(head.bytes).isTrace,
  async read(files, context, task) {
    const seen: Seen[] = [];
    for (const entry of files) {
      const found = await context.attempt(entry, async () => ({
        entry,
        peek: peek((await context.head(entry.file)).bytes),
      }));
      if (found) seen.push(found);
    }
    const runs = runsOf(seen, context.answer);
    return collectDataSets(async (dataSets) => {
      let done = 0;
      for (const run of runs) {
        const dataSet = await readRun(run, context, done, files.length, task);
        if (dataSet) dataSets.push(dataSet);
        done += run.length;
      }
    });
  },
};

/**
 * Files that say of how many ranks they are, and which, make one run where these agree and no rank comes twice. Where several
 * files say nothing, only the user knows.
 *
 * @throws AmbiguityError
 */
function runsOf(seen: readonly Seen[], answer: string | undefined): Member[][] {
  const single = (one: Seen): Member[] => [{ ...one, rank: one.peek.globals.rank }];
  if (seen.length <= 1) return seen.map(single);
  const ranks = seen.map(({ peek: { globals } }) => globals.rank);
  if (!ranks.includes(undefined)) {
    // A larger job that ran before may have left files.
    const bySize = groupBy(seen, ({ peek: { globals } }) => globals.ranks);
    return [...bySize.values()].flatMap((run) =>
      new Set(run.map(({ peek: { globals } }) => globals.rank)).size === run.length
        ? [run.flatMap(single)]
        : run.map(single),
    );
  }
  if (ranks.every((rank) => rank === undefined)) {
    if (answer === "ranks") {
      const inOrder = [...seen].sort((a, b) => compareNames(a.entry.file, b.entry.file));
      return [inOrder.map((one, rank) => ({ ...one, rank }))];
    }
    if (answer !== "runs")
      throw new AmbiguityError(`${seen.length} trace files are opened together: what are they?`, [
        { id: "ranks", label: "One run", detail: "One file per rank, in the order of their names" },
        { id: "runs", label: "Separate runs", detail: "Each file is a recording of its own" },
      ]);
  }
  return seen.map(single);
}

async function readRun(
  run: readonly Member[],
  context: ReadContext,
  done: number,
  of: number,
  task: Task,
): Promise<DataSet | undefined> {
  const profile = new TraceProfile();
  const files: TraceFile[] = [];
  const builders: TraceBuilder[] = [];
  const bases = basesOf(run);
  const firsts = run.flatMap(({ peek: { firstMicroseconds } }, at) =>
    firstMicroseconds === undefined ? [] : firstMicroseconds + bases[at],
  );
  // Clocks of one run are taken as one clock; one that starts far from the others is another clock.
  const first = firsts.length > 0 ? smallestIn(firsts) : undefined;
  try {
    for (const [index, { entry, rank }] of run.entries()) {
      const builder = new TraceBuilder(context.columnFiles);
      builders.push(builder);
      const part = context.part(done + index, of, entry.file);
      const zeroMicroseconds = first === undefined ? undefined : first - bases[index];
      const read = (source: ByteSource) => readTrace(source, builder, profile, part, { zeroMicroseconds, rank });
      const file = await context.attempt(entry, () => withFile(context, entry.file, read));
      if (file) files.push(file);
      else await builder.discard();
    }
    if (files.length === 0) return undefined;
    const clockWarnings = apart(run, files);
    const clocks = clockWarnings.length > 0 ? "separate" : undefined;
    const finished = await profile.finish(files[0].zeroNanoseconds, task, clocks);
    return {
      ...finished,
      name: nameOfFiles(files.map(({ source }) => source.name)),
      files: files.map(({ source }) => source.name),
      format: formatOf(files),
      globals: joinedGlobals(files.map(({ globals }) => globals)),
      warnings: [
        ...files.flatMap(({ warnings }) => warnings),
        ...missingFiles(run),
        ...clockWarnings,
        ...finished.warnings,
      ],
      hierarchies: ["combined"],
      ...recordedAt(files, finished.trace.zeroNanoseconds),
      records: files.reduce((sum, { records }) => sum + records, 0),
    };
  } catch (problem) {
    await Promise.allSettled(builders.map((builder) => builder.discard()));
    throw problem;
  }
}

/** Ranks of the run of which there is no file. */
function missingFiles(run: readonly Member[]): Warning[] {
  const [{ peek }] = run;
  return missingRanks(
    run.flatMap(({ rank }) => rank ?? []),
    peek.globals.ranks,
  );
}

/** What files of a run count their times from, in µs since what the first one does; all 0 where one of them does not say it. */
function basesOf(run: readonly Member[]): number[] {
  const bases = run.flatMap(({ peek: { globals } }) => globals.zeroNanoseconds(0) ?? []);
  if (bases.length < run.length) return run.map(() => 0);
  return bases.map((base) => Number((base - bases[0]) / 1000n));
}

/** Files of a run that count from another time than the first one, which was known too late: what they say behind their events. */
function apart(run: readonly Member[], files: readonly TraceFile[]): Warning[] {
  if (run.every(({ peek: { globals } }) => globals.zeroNanoseconds(0) !== undefined)) return [];
  const [{ source: first, baseNanoseconds: base }] = files;
  return files.flatMap(({ source: { name }, baseNanoseconds: own }) => {
    if (base === undefined || own === undefined || own === base) return [];
    const shift = formatValue(Math.abs(Number(own - base)) / 1e9, "s");
    const message = `its times count from another moment than those of ${first.name}, which is said behind events alone: they stand ${shift} too ${own > base ? "early" : "late"} beside these`;
    return [{ file: name, message }];
  });
}

function formatOf(files: readonly TraceFile[]): DataSet["format"] {
  const isKineto = files.some((file) => file.isKineto);
  const version = files[0].globals.get("schemaVersion");
  const known = isKineto ? { id: "kineto", label: "Kineto trace" } : { id: "chrome-trace", label: "Chrome trace" };
  return version === undefined ? known : { ...known, version };
}

function recordedAt(
  [{ source }]: readonly TraceFile[],
  zeroNanoseconds: bigint | undefined,
): Pick<DataSet, "recordedAt" | "startedAt"> {
  if (zeroNanoseconds === undefined) return { recordedAt: source.modifiedAt };
  const startedAt = Number(zeroNanoseconds / 1_000_000n);
  return { recordedAt: startedAt, startedAt };
}
