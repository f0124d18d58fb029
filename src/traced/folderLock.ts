/** A lock between processes, windows and hosts that share a file system: a file that names its holder. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";

/** Time between two attempts to take a lock. */
const RETRY_MS = 100;
/** Time between two signs of life of a holder, which processes on other hosts look for. */
const SIGN_MS = 5_000;
/** Several signs of life, and the delay of a network's file system. */
const SILENT_MS = 60_000;

/** Callbacks of a process that waits for a lock. */
export interface LockHost {
  readonly signal: AbortSignal;
  /** Called once if another process, or another part of this one, holds the lock. */
  waiting(): void;
}

/** The holder of a lock. A process number alone is reused, and means nothing on another host or in another container. */
interface Holder {
  readonly host: string;
  /** The kernel's namespace of process numbers. */
  readonly namespace: string;
  readonly process: number;
  /** When the process began, in the kernel's ticks; empty if that cannot be read. */
  readonly started: string;
  /** Tells two locks of one process apart. */
  readonly number: string;
}

/**
 * Runs work that no two processes may do at the same time. The lock of a process that ended without giving it back is taken over.
 *
 * @param file the lock; its folder exists
 * @param silentMs a holder on another host is gone if it gave no sign of life for so long
 * @throws the signal's reason if it is aborted before the lock is taken, and what `work` throws
 */
export async function withLock<Result>(
  file: string,
  host: LockHost,
  work: () => Promise<Result>,
  silentMs = SILENT_MS,
): Promise<Result> {
  const own = JSON.stringify(holderOfThis());
  await take(file, own, host, silentMs);
  const signs = setInterval(
    () => void fs.promises.utimes(file, new Date(), new Date()).catch(() => undefined),
    SIGN_MS,
  );
  signs.unref();
  try {
    return await work();
  } finally {
    clearInterval(signs);
    if ((await textOf(file)) === own) await fs.promises.rm(file, { force: true });
  }
}

async function take(file: string, own: string, { signal, waiting }: LockHost, silentMs: number): Promise<void> {
  let last: { readonly seen: string; readonly sinceMs: number } | undefined;
  for (;;) {
    signal.throwIfAborted();
    if (await create(file, own)) return;
    if (last === undefined) waiting();
    const text = await textOf(file);
    const seen = `${text} ${(await fs.promises.stat(file).catch(() => undefined))?.mtimeMs}`;
    // Clocks of hosts differ, so only this process's own clock is read.
    if (last?.seen !== seen) last = { seen, sinceMs: performance.now() };
    if (text !== undefined && isGone(text, performance.now() - last.sinceMs > silentMs)) await remove(file, text);
    else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** @returns false if there is a lock already */
async function create(file: string, own: string): Promise<boolean> {
  const made = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  await fs.promises.writeFile(made, own, { flag: "wx" });
  try {
    // A link appears with its content at once: nobody reads half a lock.
    return await succeeds(fs.promises.link(made, file)).catch((problem: NodeJS.ErrnoException) => {
      // Some file systems have no links.
      if (problem.code !== "EPERM" && problem.code !== "ENOTSUP" && problem.code !== "ENOSYS") throw problem;
      return succeeds(fs.promises.writeFile(file, own, { flag: "wx" }));
    });
  } finally {
    await fs.promises.rm(made, { force: true });
  }
}

async function succeeds(creating: Promise<void>): Promise<boolean> {
  try {
    await creating;
    return true;
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw problem;
  }
}

/** Removes the lock of a holder that is gone, unless another process did so and has one of its own there now. */
async function remove(file: string, text: string): Promise<void> {
  const aside = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    await fs.promises.rename(file, aside);
  } catch {
    return;
  }
  if ((await textOf(aside)) !== text) await fs.promises.link(aside, file).catch(() => undefined);
  await fs.promises.rm(aside, { force: true });
}

/** @param isSilent no sign of life came for long */
function isGone(text: string, isSilent: boolean): boolean {
  const holder = holderIn(text);
  const here = holderOfThis();
  if (holder === undefined || holder.host !== here.host || holder.namespace !== here.namespace) return isSilent;
  try {
    process.kill(holder.process, 0);
  } catch (problem) {
    // A process of another user is there, too.
    if ((problem as NodeJS.ErrnoException).code === "ESRCH") return true;
  }
  const started = startOf(holder.process);
  // Systems without /proc do not tell whether the number was given to another process.
  return started === "" || holder.started === "" ? isSilent : started !== holder.started;
}

function holderIn(text: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(text);
    return typeof holder === "object" && holder !== null && "process" in holder && Number.isInteger(holder.process)
      ? (holder as Holder)
      : undefined;
  } catch {
    return undefined;
  }
}

function holderOfThis(): Holder {
  let namespace = "";
  try {
    namespace = fs.readlinkSync("/proc/self/ns/pid");
  } catch {
    // Without it, the host has to do.
  }
  const started = startOf(process.pid);
  return { host: os.hostname(), namespace, process: process.pid, started, number: randomBytes(6).toString("hex") };
}

/** Start of a process in the kernel's ticks, field 22 of proc(5). */
function startOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    return (
      stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .at(19) ?? ""
    );
  } catch {
    return "";
  }
}

function textOf(file: string): Promise<string | undefined> {
  return fs.promises.readFile(file, "utf8").catch(() => undefined);
}
