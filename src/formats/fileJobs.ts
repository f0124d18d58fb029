/** Reading of single files that does not depend on other files: several threads can share it. */
import type { Task } from "../model/task";
import type { ReadContext, RecordingFile, FileJob, Outcome } from "./format";

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
    const outcomes = new Array<Outcome>(files.length);
    const noteOpened = context.noteOpened ?? (() => undefined);
    const keep = (index: number, outcome: Outcome) => (outcomes[index] = outcome);
    await readers.read(job, files, context.hierarchy, noteOpened, keep, task);
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

/**
 * As {@link readEach}, for results that are not all to be in memory at once.
 *
 * @param take gets the results as they come, without those of files that were left out
 */
export async function readEachAsItComes<Result>(
  job: FileJob<Result>,
  files: readonly RecordingFile[],
  context: ReadContext,
  take: (result: Result) => void,
  task: Task,
): Promise<void> {
  const { readers } = context;
  if (readers === undefined || context.outlineOnly !== true || !(await readers.pay(files)))
    return readEach(job, files, context, take, task);
  const problems: { readonly index: number; readonly problem: unknown }[] = [];
  await readers.read(
    job,
    files,
    context.hierarchy,
    context.noteOpened ?? (() => undefined),
    (index, outcome) => {
      if ("problem" in outcome) problems.push({ index, problem: outcome.problem });
      else take(outcome.value as Result);
    },
    task,
  );
  problems.sort((a, b) => a.index - b.index);
  for (const { index, problem } of problems)
    await context.attempt(files[index], () => Promise.reject(problem as Error));
}
