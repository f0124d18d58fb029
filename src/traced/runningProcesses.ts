import fs from "node:fs/promises";
import path from "node:path";
import { TaskError } from "./definition";

/** A program that runs already. */
export interface RunningProcess {
  readonly pid: number;
  /** File name of its program; what the kernel calls it where that is not known. */
  readonly name: string;
  /** Absolute; "" where it is not known. */
  readonly program: string;
  /** As it was started. */
  readonly command: string;
}

/** Processes of this user that can be measured, the latest first; not this one. */
export async function ownProcesses(): Promise<RunningProcess[]> {
  const user = process.getuid?.();
  const found: RunningProcess[] = [];
  for (const name of await fs.readdir("/proc").catch(() => [])) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const at = (file: string) => path.join("/proc", name, file);
    const owner = await fs.stat(path.join("/proc", name)).catch(() => undefined);
    const command = await fs.readFile(at("cmdline"), "utf8").catch(() => "");
    // Threads of the kernel, and what has ended, have no command.
    if (owner?.uid !== user || command === "") continue;
    const program = await fs.readlink(at("exe")).catch(() => "");
    const called = (await fs.readFile(at("comm"), "utf8").catch(() => "")).trim();
    const shown = command.replace(/\0$/, "").replaceAll("\0", " ");
    found.push({ pid, name: program === "" ? called : path.basename(program), program, command: shown });
  }
  return found.sort((a, b) => b.pid - a.pid);
}

/**
 * The process that a task means.
 *
 * @param wanted number, or name of the program; "" for any
 * @param choose asks where several could be meant
 * @throws TaskError where there is none, or none was chosen
 */
export async function processOf(
  wanted: number | string,
  choose: (processes: readonly RunningProcess[]) => Promise<RunningProcess | undefined>,
  processes: () => Promise<readonly RunningProcess[]> = ownProcesses,
): Promise<RunningProcess> {
  const isMeant = ({ pid, name }: RunningProcess) => wanted === "" || wanted === pid || wanted === name;
  const meant = (await processes()).filter(isMeant);
  if (meant.length === 0)
    throw new TaskError(
      typeof wanted === "number"
        ? `You have no process with number ${wanted}: it may have ended, or be another user's.`
        : `No process of yours runs ${wanted === "" ? "here" : wanted}.`,
    );
  const chosen = meant.length === 1 && wanted !== "" ? meant[0] : await choose(meant);
  if (chosen === undefined) throw new TaskError("No process was chosen.");
  return chosen;
}
