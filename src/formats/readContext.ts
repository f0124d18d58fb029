/** What formats read with, in this thread or in another. */
import path from "node:path";
import type { ColumnFiles } from "../model/columnFile";
import type { Hierarchy } from "../model/dataSet";
import { FormatError } from "../model/errors";
import type { Task } from "../model/task";
import { memoryColumnFiles } from "./memoryColumns";
import { type FileSystem, systemFiles } from "./fileSource";
import { Folders } from "./folders";
import type { ReadContext, FileReaders } from "./format";
import { OpenedFiles } from "./openedFiles";

export interface OpenOptions {
  /** Which frames make the tree where a recording has regions and call paths; default: combined. */
  readonly hierarchy?: Hierarchy;
  /** Where columns of traces go that need not stay in memory; default: they stay. */
  readonly columnFiles?: ColumnFiles;
  /** Columns of traces are made on demand (`DataSet.readTrace`); default: in the same pass. */
  readonly outlineOnly?: boolean;
  /** Threads that share the files; absent: they are read one after the other, with the same result. */
  readonly readers?: FileReaders;
  /** How many times larger than its file a packed recording may be; default: 200. */
  readonly unpackedRatio?: number;
  /** The chosen way to understand the files, after an AmbiguityError. */
  readonly answer?: string;
  /** Files whose recordings the caller has, each a recording of its own: they are not read. */
  readonly known?: ReadonlySet<string>;
  /** What was given where it was searched with all folders below, which are the paths then: what is said where nothing is in them. */
  readonly searched?: readonly string[];
  /** Where the files are; default: in the system's own file system. */
  readonly files?: FileSystem;
}

/** Reads files outside of an opening: with files of its own, which are closed at its end. */
export async function withContext<Result>(
  options: OpenOptions,
  task: Task,
  use: (context: ReadContext) => Promise<Result>,
): Promise<Result> {
  const system = options.files ?? systemFiles;
  const opened = new OpenedFiles(system, new Folders(system));
  try {
    return await use(contextOf(options, opened, [], task));
  } finally {
    await opened.close();
  }
}

/** @param failures takes what is wrong with files that only their folder named */
export function contextOf(options: OpenOptions, opened: OpenedFiles, failures: FormatError[], task: Task): ReadContext {
  return {
    hierarchy: options.hierarchy ?? "combined",
    columnFiles: options.columnFiles ?? memoryColumnFiles,
    outlineOnly: options.outlineOnly,
    readers: options.readers,
    answer: options.answer,
    head: (file) => opened.head(file),
    noteOpened: (file, _, isCut) => {
      if (isCut) opened.noteCut(file);
    },
    open: (file) => opened.read(file, options.unpackedRatio ?? 200),
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
