import type { ColumnFiles } from "../model/columnFile";
import type { DataSet, Hierarchy } from "../model/dataSet";
import type { ReadInnermost } from "../model/innermost";
import type { Task } from "../model/task";
import type { ByteSource } from "./byteSource";

/** The first bytes of a file, unpacked where it is packed: what decides on its format, never its name. */
export interface Head {
  readonly bytes: Uint8Array;
  /** The bytes are the whole file. */
  readonly whole: boolean;
}

/** A file that a format recognized. */
export interface RecordingFile {
  /** Absolute path. */
  readonly file: string;
  /** The user named it, and did not only name its folder: what is wrong with it is an error, not a warning. */
  readonly named: boolean;
  /** Names of all files of its folder, sorted, the same set for all its files: companions are found here. */
  readonly siblings: ReadonlySet<string>;
}

/** How one opening is to be done, the same for every format. */
export interface ReadContext {
  /** Which frames make the tree where a recording has regions and call paths. */
  readonly hierarchy: Hierarchy;
  /** Where columns of traces go that need not stay in memory. */
  readonly columnFiles: ColumnFiles;
  /** Columns of events are not needed yet: it is enough to count them, unless the profile itself is made of columns. */
  readonly outlineOnly?: boolean;
  /** Threads that share the files of an opening; absent: they are read one after the other. */
  readonly readers?: FileReaders;
  /** Called with each file that another thread opened, its state, and whether it is packed and was cut. */
  readonly noteOpened?: (file: string, state: string, isCut: boolean) => void;
  /** The answer to an {@link AmbiguityError} of an earlier opening of the same paths. */
  readonly answer?: string;
  /** The first bytes of a file, unpacked where it is packed. */
  head(file: string): Promise<Head>;
  /** Opens a file for reading, unpacked where it is packed (gzip); within the limits that the user set. */
  open(file: string): Promise<ByteSource>;
  /**
   * Reads one file of several. What is wrong with a file that only its folder names is kept as a warning of the opening.
   *
   * @returns undefined where the file was left out
   */
  attempt<Result>(file: RecordingFile, read: () => Promise<Result>): Promise<Result | undefined>;
  /** A part of the progress: file `index` of `count`. */
  part(index: number, count: number, message: string): Task;
}

/** Where columns of events go; undefined where none are needed yet. */
export function eventColumns({ columnFiles, outlineOnly }: ReadContext): ColumnFiles | undefined {
  return outlineOnly === true ? undefined : columnFiles;
}

/** A file format, or one tool's set of files. */
export interface Format {
  readonly id: string;
  /** Its name in messages. */
  readonly label: string;
  /**
   * Whether a file is one of the format's, from its first bytes alone. Names beside it tell only whether files that several
   * formats could read are parts of one recording.
   */
  recognizes(head: Head, siblings?: ReadonlySet<string>): boolean;
  /** Names that only its recordings have: in a folder, a file that is called so and is none is said, where others are passed over. */
  readonly named?: RegExp;
  /**
   * Reads all files of the format that are opened together. Files of one run make one data set (semantics 7, One run); the
   * result does not depend on the order of `files`. A format whose recording is several files (a database) takes those it
   * needs from the siblings, and reads a recording once however many of its files are given.
   *
   * @throws FormatError, CancelledError
   * @throws AmbiguityError where only the user knows what belongs together
   */
  read(files: readonly RecordingFile[], context: ReadContext, task: Task): Promise<DataSet[]>;
  /**
   * As {@link read}, of recordings of which many are compared: each is handed over once it is read, in any order, so that not all
   * are in memory at once. Absent: a format of which nobody has hundreds.
   *
   * @param take `isAlone`: the run is its one file, whatever else there is
   */
  readonly readRuns?: (
    files: readonly RecordingFile[],
    context: ReadContext,
    take: (run: DataSet, isAlone?: boolean) => void,
    task: Task,
  ) => Promise<void>;
  /** One pass over a file for what its resources are in, where its events come in the order of their time. @throws FormatError, CancelledError */
  readInnermost?(
    file: Pick<RecordingFile, "file" | "siblings">,
    context: Pick<ReadContext, "open" | "head">,
    ...asked: Parameters<ReadInnermost>
  ): ReturnType<ReadInnermost>;
}

/** What is done with one file of several. The result goes to another thread as it is: it holds no functions. */
export interface FileJob<Result> {
  /** Finds the job in another thread. */
  readonly id: string;
  /** Of every object in a result that is not plain. */
  readonly classes: readonly (abstract new (...args: never[]) => object)[];
  read(file: RecordingFile, context: ReadContext, task: Task): Promise<Result>;
}

/** The outcome for one file. */
export type Outcome = { readonly value: unknown } | { readonly problem: unknown };

/** Threads that read files. */
export interface FileReaders {
  /** Whether so much is faster with several threads. */
  pay(files: readonly RecordingFile[]): Promise<boolean>;
  /**
   * Reads each file, some at once, whichever thread is free.
   *
   * @param noteOpened called with each file that was opened, its state, and whether it is packed and was cut
   * @param take gets the outcome of each file, as they come
   * @throws CancelledError
   */
  read(
    job: FileJob<unknown>,
    files: readonly RecordingFile[],
    hierarchy: Hierarchy,
    noteOpened: (file: string, state: string, isCut: boolean) => void,
    take: (index: number, outcome: Outcome) => void,
    task: Task,
  ): Promise<void>;
}
