/** Reading of single files that does not depend on other files: several threads can share it. */
import type { Hierarchy } from "../model/dataSet";
import type { Task } from "../model/task";
import type { ReadContext, RecordingFile } from "./format";

/** What is done with one file of several. The result goes to another thread as it is: it holds no functions. */
export interface FileJob<Result> {
  /** Finds the job in another thread. */
  readonly id: string;
  /** Of every object in a result that is not plain. */
  readonly classes: readonly (abstract new (...args: never[]) => object)[];
  read(file: RecordingFile, context: ReadContext, task: Task): Promise<Result>;
}

/** What became of one file. */
export type Outcome = { readonly value: unknown } | { readonly problem: unknown };

/** Threads that read files. */
export interface FileReaders {
  /** Whether so much is faster with several threads. */
  pay(files: readonly RecordingFile[]): Promise<boolean>;
  /**
   * Reads each file, some at once, whichever thread is free.
   *
   * @param noteOpened hears of the files that were opened, and what they were like
   * @returns outcomes in the order of the files
   * @throws CancelledError
   */
  read(
    job: FileJob<unknown>,
    files: readonly RecordingFile[],
    hierarchy: Hierarchy,
    noteOpened: (file: string, state: string) => void,
    task: Task,
  ): Promise<Outcome[]>;
}

/**
 * Reads each file, with several threads where there are some; the result is the same.
 *
 * @param take gets the results in the order of the files, without those that were left out
 */
export async function readEach<Result>(
  job: FileJob<Result>,
  files: readonly RecordingFile[],
  context: ReadContext,
  take: (result: Result) => void,
  task: Task,
): Promise<void> {
  const { readers } = context;
  // Columns of events go to files of this thread.
  if (readers !== undefined && context.outlineOnly === true && (await readers.pay(files))) {
    const outcomes = await readers.read(job, files, context.hierarchy, context.noteOpened ?? (() => undefined), task);
    for (const [index, outcome] of outcomes.entries()) {
      const result = await context.attempt(files[index], async () => {
        if ("problem" in outcome) throw outcome.problem;
        return outcome.value as Result;
      });
      if (result !== undefined) take(result);
    }
    return;
  }
  for (const [index, entry] of files.entries()) {
    const part = context.part(index, files.length, entry.file);
    const result = await context.attempt(entry, () => job.read(entry, context, part));
    if (result !== undefined) take(result);
  }
}
