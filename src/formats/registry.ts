import fs from "node:fs/promises";
import path from "node:path";
import type { DataSet, Hierarchy, Warning } from "../model/dataSet";
import { FormatError } from "../model/errors";
import type { Task } from "../model/task";
import { type ByteSource, openFile } from "./byteSource";
import { assemble } from "./caliper/assemble";
import { isCali, readCali } from "./caliper/cali";
import { isJsonSplit, readJsonSplit } from "./caliper/jsonSplit";
import type { Recording } from "./caliper/recording";
import { runsOf } from "./caliper/runs";

/** A file format: recognized by its first bytes, never by the file's name. */
interface Reader {
  readonly id: string;
  /** What people call it, for messages. */
  readonly label: string;
  sniff(head: Uint8Array): boolean;
  read(source: ByteSource, hierarchy: Hierarchy, task: Task): Promise<Recording>;
}

const READERS: readonly Reader[] = [
  { id: "caliper-cali", label: "Caliper .cali", sniff: isCali, read: readCali },
  { id: "caliper-json-split", label: "Caliper json-split", sniff: isJsonSplit, read: readJsonSplit },
];

/** How much of a file decides what it is. */
const HEAD_BYTES = 64 << 10;

export interface OpenOptions {
  /** Which frames make the tree where a recording has regions and call paths; default: combined. */
  readonly hierarchy?: Hierarchy;
}

/**
 * Reads recordings. Files of one run make one data set, others further ones (semantics 7, One run); the result does
 * not depend on the order of `paths`.
 *
 * @param paths files, and folders whose files are recordings; absolute
 * @throws FormatError when a file that was named cannot be read, or a folder holds nothing that can
 * @throws CancelledError
 */
export async function openRecordings(paths: readonly string[], options: OpenOptions, task: Task): Promise<DataSet[]> {
  const { files, failures } = await filesOf(paths);
  const recordings: Recording[] = [];
  for (const [index, { file, named }] of files.entries()) {
    const part: Task = {
      check: () => task.check(),
      progress: (fraction) => task.progress((index + (fraction ?? 0)) / files.length, path.basename(file)),
    };
    try {
      recordings.push(await readRecording(file, options.hierarchy ?? "combined", part));
    } catch (problem) {
      if (named || !(problem instanceof FormatError)) throw problem;
      failures.push(problem);
    }
  }
  if (recordings.length === 0) throw failures[0] ?? nothingReadable(paths);
  const unread: Warning[] = failures.map(({ problem, message }) => ({
    message: `left out: ${message}`,
    file: problem.file,
  }));
  const runs = runsOf(recordings);
  return runs.map((run) => {
    const dataSet = assemble(nameOf(run, runs.length), run, task);
    return unread.length === 0 ? dataSet : { ...dataSet, warnings: [...dataSet.warnings, ...unread] };
  });
}

async function readRecording(file: string, hierarchy: Hierarchy, task: Task): Promise<Recording> {
  const source = await openFile(file);
  try {
    const head = new Uint8Array(Math.min(HEAD_BYTES, source.size));
    await source.read(head, 0);
    const reader = READERS.find((one) => one.sniff(head));
    if (reader === undefined) throw unknownFormat(file, head);
    return await reader.read(source, hierarchy, task);
  } finally {
    await source.close();
  }
}

/** Files that were named, and those of folders that were named, each once, in canonical order. */
async function filesOf(
  paths: readonly string[],
): Promise<{ files: { file: string; named: boolean }[]; failures: FormatError[] }> {
  const files = new Map<string, boolean>();
  const failures: FormatError[] = [];
  for (const given of paths) {
    const status = await fs.stat(given).catch(() => undefined);
    if (!status?.isDirectory()) {
      files.set(given, true);
      continue;
    }
    const inside = await fs.readdir(given, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
      throw new FormatError({
        file: given,
        found: `a folder that cannot be read (${cause.code})`,
        expected: "a folder of recordings",
        advice: "Check its permissions.",
      });
    });
    for (const entry of inside) {
      const file = path.join(given, entry.name);
      if (!entry.isFile() || files.has(file)) continue;
      if (await isRecording(file).catch((problem) => !failures.push(problem))) files.set(file, false);
    }
  }
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { files: sorted.map(([file, named]) => ({ file, named })), failures };
}

async function isRecording(file: string): Promise<boolean> {
  const source = await openFile(file);
  try {
    const head = new Uint8Array(Math.min(HEAD_BYTES, source.size));
    await source.read(head, 0);
    return READERS.some((one) => one.sniff(head));
  } finally {
    await source.close();
  }
}

/** The file's name; of several files their folder, and which of its files where it holds several runs. */
function nameOf(run: readonly Recording[], runs: number): string {
  const names = run.map(({ file }) => path.basename(file));
  if (names.length === 1) return names[0];
  const folder = path.basename(path.dirname(run[0].file));
  if (runs === 1) return folder;
  const [first] = names;
  let before = 0;
  while (names.every((name) => before < name.length && name[before] === first[before])) before++;
  let after = 0;
  while (names.every((name) => after < name.length - before && name.at(-1 - after) === first.at(-1 - after))) after++;
  return `${folder}/${first.slice(0, before)}*${first.slice(first.length - after)}`;
}

function unknownFormat(file: string, head: Uint8Array): FormatError {
  const expected = `a recording: ${READERS.map(({ label }) => label).join(", ")}`;
  if (head.length === 0) {
    const advice = "The program that was to write it may have ended early: look at its output, and record again.";
    return new FormatError({ file, at: { byte: 0 }, found: "an empty file", expected, advice });
  }
  const text = Buffer.from(head.subarray(0, 4096)).toString("latin1").trimStart();
  const json = text.startsWith("{") || text.startsWith("[");
  const binary = !json && head.subarray(0, 4096).some((byte) => byte === 0);
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
    expected: `at least one file that is a recording: ${READERS.map(({ label }) => label).join(", ")}`,
    advice: "Folders inside it are not searched: open the folder that holds the recordings themselves.",
  });
}
