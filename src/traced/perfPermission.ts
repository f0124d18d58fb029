import fs from "node:fs/promises";
import { type Machine, need, UnusableTool } from "./machine";
import { runStep, type StepHost } from "./processes";

const PARANOID = "/proc/sys/kernel/perf_event_paranoid";
/** Above, users may not even measure their own programs; some distributions have 3 and 4 of their own. */
const HIGHEST_LEVEL = 2;
/** What perf says where the kernel, or a container's filter, does not let it measure. */
const REFUSED = /perf_event_paranoid|not permitted|permission|access to performance monitoring/i;

/**
 * Asks perf itself whether it may measure, before anything is built for it.
 *
 * @throws MissingProgram where there is no perf, UnusableTool where it is forbidden
 */
export async function checkPerf(machine: Machine, { signal }: Pick<StepHost, "signal">): Promise<void> {
  const { isRecorded, text } = await recordNothing(machine, [], signal);
  // What else is wrong, perf says in the terminal when it is run.
  if (isRecorded || !REFUSED.test(text)) return;
  const level = Number((await fs.readFile(PARANOID, "utf8").catch(() => "")).trim() || Number.NaN);
  throw new UnusableTool(refusal(level));
}

/** Whether perf is installed and may measure here. */
export async function canSample(machine: Machine, signal: AbortSignal): Promise<boolean> {
  if (machine.find("perf") === undefined || machine.find("true") === undefined) return false;
  // A perf that cannot be started at all, such as one of another architecture, cannot measure.
  return recordNothing(machine, [], signal).then(
    ({ isRecorded }) => isRecorded,
    () => false,
  );
}

/** Whether the processor records branches, by which perf finds callers: `--call-graph lbr`. */
export async function hasBranchRecords(machine: Machine, signal: AbortSignal): Promise<boolean> {
  return (await recordNothing(machine, ["--call-graph", "lbr"], signal)).isRecorded;
}

/**
 * Whether perf can end a run at a size of its file: `--max-size`, which came with perf 5.6.
 *
 * @param size as perf writes it
 */
export async function hasSizeLimit(machine: Machine, size: string, signal: AbortSignal): Promise<boolean> {
  const { isRecorded, text } = await recordNothing(machine, ["--max-size", size], signal);
  // A perf that may not measure here may be allowed to on the hosts of the ranks.
  return isRecorded || !/unknown option[^\n]{0,20}max-size/.test(text);
}

/** Records a program that does nothing. @returns what perf printed */
async function recordNothing(
  machine: Machine,
  options: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly isRecorded: boolean; readonly text: string }> {
  const pieces: Buffer[] = [];
  const args = ["record", "-o", "/dev/null", ...options, "--", need(machine, "true")];
  const step = { title: "", command: need(machine, "perf"), args, env: {}, cwd: "/" };
  const host: StepHost = { signal, output: (data) => void pieces.push(data) };
  const { code } = await runStep(step, host, machine.environment);
  return { isRecorded: code === 0, text: Buffer.concat(pieces).toString("utf8") };
}

/** In a user's words. @param level of `kernel.perf_event_paranoid`; NaN where it is not known */
export function refusal(level: number): string {
  if (level > HIGHEST_LEVEL)
    return (
      `This machine does not let users measure with perf: kernel.perf_event_paranoid is ${level}, and ${HIGHEST_LEVEL} is needed. ` +
      `An administrator can allow it until the next start: sudo sysctl kernel.perf_event_paranoid=${HIGHEST_LEVEL} ` +
      "(for good: the same line in /etc/sysctl.d). The built-in tracker needs no permission."
    );
  return (
    "This machine does not let perf measure, though the kernel's own setting (kernel.perf_event_paranoid) would: in a container, " +
    "start that with --cap-add=PERFMON, or with a seccomp profile that has perf_event_open. The built-in tracker needs no permission."
  );
}
