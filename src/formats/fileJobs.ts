/** Reading of single files that does not depend on other files: several threads can share it. */
import type { Task } from "../model/task";
import type { ReadContext, RecordingFile, FileJob } from "./format";

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
