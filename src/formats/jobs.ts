/** Jobs on single files that threads can share. */
import { caliperFile } from "./caliper/caliperFile";
import { caliperRun } from "./caliper/caliperRun";
import type { FileJob } from "./format";

const jobs: readonly FileJob<unknown>[] = [caliperFile, caliperRun];

export function jobOf(id: string): FileJob<unknown> {
  const job = jobs.find((one) => one.id === id);
  if (job === undefined) throw new Error(`there is no job ${id}`);
  return job;
}
