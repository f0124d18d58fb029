import fs from "node:fs/promises";
import path from "node:path";
import type { ColumnFiles } from "../model/columnFile";
import type { DataSet, Hierarchy, Warning } from "../model/dataSet";
import { FormatError } from "../model/errors";
import type { Task } from "../model/task";
import { caliper } from "./caliper/format";
import { callgrind } from "./callgrind/format";
import { chromeTrace } from "./chrome/format";
import { memoryColumnFiles } from "./columnFiles";
import { dmtracker } from "./dmtracker/format";
import type { FileReaders } from "./fileJobs";
import type { Format, Head, ReadContext, RecordingFile } from "./format";
import { FirstReading } from "./laterTrace";
import { hpctoolkitV2 } from "./hpctoolkit/v2/format";
import { hpctoolkitV4 } from "./hpctoolkit/v4/format";
import { paje } from "./paje/format";
import { headOf, openUnpacked } from "./unpacked";

/** Every format that can be read; where two recognize a file, the first one reads it. */
const FORMATS: readonly Format[] = [dmtracker, caliper, hpctoolkitV2, hpctoolkitV4, paje, chromeTrace, callgrind];

/** How much of a file decides what it is. */
const HEAD_BYTES = 64 << 10;

export interface OpenOptions {
  /** Which frames make the tree where a recording has regions and call paths; default: combined. */
  readonly hierarchy?: Hierarchy;
  /** Where columns of traces go that need not stay in memory; default: they stay. */
  readonly columnFiles?: ColumnFiles;
  /** Columns of traces are made when somebody asks for them (`DataSet.readTrace`); default: in the same pass. */
  readonly outlineOnly?: boolean;
  /** Threads that share the files; absent: they are read one after the other, with the same result. */
  readonly readers?: FileReaders;
  /** How many times larger than its file a packed recording may be; default: 200. */
  readonly unpackedRatio?: number;
  /** The chosen way to understand the files, after an AmbiguityError. */
  readonly answer?: string;
}

/**
 * Reads recordings. Files of one run make one data set, others further ones (semantics 7, One run); the result does
 * not depend on the order of `paths`.
 *
 * @param paths files, and folders whose files are recordings; absolute
 * @throws FormatError when a file that was named cannot be read, or a folder holds nothing that can
 * @throws AmbiguityError when the files can be understood in several ways and `options.answer` does not say which
 * @throws CancelledError
 */
export async function openRecordings(paths: readonly string[], options: OpenOptions, task: Task): Promise<DataSet[]> {
  const failures: FormatError[] = [];
  const found = await recognize(paths, failures, task);
  const dataSets: DataSet[] = [];
  try {
    for (const [format, files] of found)
      dataSets.push(
        ...(await new FirstReading(format, files, (of) => readContext(options, failures, of)).dataSets(task)),
      );
  } catch (problem) {
    await closeAll(dataSets);
    throw problem;
  }
  if (dataSets.length === 0) throw failures[0] ?? nothingReadable(paths);
  if (failures.length === 0) return dataSets;
  const leftOut = failures.map(({ problem: { file, at, found, expected, advice } }): Warning => {
    const message = `left out: found ${found}; expected ${expected}. ${advice}`;
    return { message, file, ...(at === undefined ? {} : { at }) };
  });
  // Of the opening, not of one data set: said once, however many there are.
  const [first, ...others] = dataSets;
  return [{ ...first, warnings: [...first.warnings, ...leftOut] }, ...others];
}

/** Removes the cache files of data sets that nobody will use. */
async function closeAll(dataSets: readonly DataSet[]): Promise<void> {
  await Promise.allSettled(dataSets.map(({ trace }) => trace?.close()));
}

/** @param failures takes what is wrong with files that only their folder named */
export function readContext(options: OpenOptions, failures: FormatError[], task: Task): ReadContext {
  return {
    hierarchy: options.hierarchy ?? "combined",
    columnFiles: options.columnFiles ?? memoryColumnFiles,
    outlineOnly: options.outlineOnly,
    readers: options.readers,
    answer: options.answer,
    head: (file) => headOf(file, HEAD_BYTES),
    open: (file) => openUnpacked(file, options.unpackedRatio ?? 200),
    part: (index, count, file) => ({
      check: () => task.check(),
      progress: (fraction) => task.progress((index + (fraction ?? 0)) / count, path.basename(file)),
    }),
    async attempt({ named }, read) {
      try {
        return await read();
      } catch (problem) {
        if (named || !(problem instanceof FormatError)) throw problem;
        failures.push(problem);
        return undefined;
      }
    },
  };
}

/**
 * Files that were named, and those of folders that were named, by format, each once and in canonical order.
 *
 * @throws FormatError where a file that was named is of no known format
 */
async function recognize(
  paths: readonly string[],
  failures: FormatError[],
  task: Task,
): Promise<Map<Format, RecordingFile[]>> {
  const found = new Map<Format, RecordingFile[]>();
  for (const { file, named } of await filesOf(paths)) {
    task.check();
    const siblings = await namesIn(path.dirname(file));
    try {
      const head = await headOf(file, HEAD_BYTES);
      const format = FORMATS.find((one) => one.recognizes(head, siblings));
      if (format === undefined) {
        if (named) throw unknownFormat(file, head);
        continue;
      }
      const files = found.get(format);
      if (files) files.push({ file, named, siblings });
      else found.set(format, [{ file, named, siblings }]);
    } catch (problem) {
      if (named || !(problem instanceof FormatError)) throw problem;
      failures.push(problem);
    }
  }
  return found;
}

async function filesOf(paths: readonly string[]): Promise<{ file: string; named: boolean }[]> {
  const files = new Map<string, boolean>();
  for (const given of paths) {
    const status = await fs.stat(given).catch(() => undefined);
    if (!status?.isDirectory()) {
      files.set(given, true);
      continue;
    }
    for (const name of await listed(given)) {
      const file = path.join(given, name);
      if (!files.has(file)) files.set(file, false);
    }
  }
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.map(([file, named]) => ({ file, named }));
}

/** Names of the files in a folder, sorted; none where it cannot be listed. */
async function namesIn(folder: string): Promise<string[]> {
  return listed(folder).catch(() => []);
}

async function listed(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    throw new FormatError({
      file: folder,
      found: `a folder that cannot be read (${cause.code})`,
      expected: "a folder of recordings",
      advice: "Check its permissions.",
    });
  });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

function unknownFormat(file: string, head: Head): FormatError {
  const { bytes } = head;
  const expected = `a recording: ${labels()}`;
  if (bytes.length === 0) {
    const advice = "The program that was to write it may have ended early: look at its output, and record again.";
    return new FormatError({ file, at: { byte: 0 }, found: "an empty file", expected, advice });
  }
  const text = Buffer.from(bytes.subarray(0, 4096)).toString("latin1").trimStart();
  const json = text.startsWith("{") || text.startsWith("[");
  const binary = !json && bytes.subarray(0, 4096).some((byte) => byte === 0);
  return new FormatError({
    file,
    at: { byte: 0 },
    found: json
      ? "JSON that is no profile"
      : binary
        ? "binary data of a format that is not known"
        : "text of a format that is not known",
    expected,
    advice: json
      ? 'Caliper writes profiles with `cali-query -q "format json-split"`; other JSON cannot be opened.'
      : "Open the file that the measuring tool wrote itself.",
  });
}

function nothingReadable(paths: readonly string[]): FormatError {
  return new FormatError({
    file: paths.join(", "),
    found: "no recording in it",
    expected: `at least one file that is a recording: ${labels()}`,
    advice: "Folders inside it are not searched: open the folder that holds the recordings themselves.",
  });
}

function labels(): string {
  return FORMATS.map(({ label }) => label).join(", ");
}
