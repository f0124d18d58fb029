import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import type { Step } from "./steps";

/** How a program ended. */
export interface Ended {
  /** Exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly seconds: number;
}

/** Typed (Ctrl+D), it says that nothing more comes. */
const END_OF_INPUT = "\x04";
/** Between asking a program to end and ending it: it may have something to write. */
const GRACE_MILLISECONDS = 3000;

const LOOK_MILLISECONDS = 50;

/** What runs steps: their output and input, and what stops them. */
export interface StepHost {
  readonly signal: AbortSignal;
  output(data: Buffer): void;
  /** Called with what takes input for the program that runs. */
  input?(write: (text: string) => void): void;
}

/**
 * Runs a program with a process group of its own, which ends as a whole when it is stopped.
 *
 * @throws the error of a program that could not be started
 */
export async function runStep(
  { command, args, env, cwd, into }: Step,
  host: StepHost,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  host.signal.throwIfAborted();
  const started = performance.now();
  const child = spawn(command, args, { cwd, env: { ...environment, ...env }, detached: true, shell: false });
  const file = into === undefined ? undefined : fs.createWriteStream(into);
  if (file !== undefined) child.stdout.pipe(file);
  else child.stdout.on("data", (data: Buffer) => host.output(data));
  child.stderr.on("data", (data: Buffer) => host.output(data));
  // A program that has ended takes no more input.
  child.stdin.on("error", () => undefined);
  if (host.input === undefined) child.stdin.end();
  else host.input((text) => (text === END_OF_INPUT ? child.stdin.end() : child.stdin.write(text)));
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped = endAll(child));
  host.signal.addEventListener("abort", stop, { once: true });
  // Who started it may end first: nobody could stop it then.
  const leave = () => end(treeOf(child), "SIGTERM");
  process.once("exit", leave);
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once("error", reject);
      file?.once("error", reject);
      child.once("close", (code, signal) => resolve([code, signal]));
    });
    const seconds = (performance.now() - started) / 1000;
    // Who reads the file next finds all of it.
    if (file !== undefined && !file.writableFinished) await once(file, "finish");
    // What it started may go on without it.
    await stopped;
    return { code, signal, seconds };
  } finally {
    process.removeListener("exit", leave);
    host.signal.removeEventListener("abort", stop);
  }
}

/** Runs a program for what it prints. @returns undefined where it failed or could not be started */
export async function printed(step: Step, signal: AbortSignal): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  const host: StepHost = { signal, output: (data) => void pieces.push(data) };
  const ended = await runStep(step, host, process.env).catch((problem: unknown) => {
    if (signal.aborted) throw problem;
    return undefined;
  });
  return ended?.code === 0 ? Buffer.concat(pieces).toString("utf8") : undefined;
}

/** The process, all that it has started, and their groups (as negative numbers): launchers give ranks groups of their own. */
function treeOf({ pid }: ChildProcess): Set<number> {
  if (pid === undefined) return new Set();
  const children = new Map<number, { pid: number; group: number }[]>();
  for (const name of listed("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // The program's name may hold anything, brackets too: the last one ends it (proc(5)).
    const [, parent, group] = (textOf(`/proc/${name}/stat`).split(")").pop() ?? "").trim().split(" ");
    const known = children.get(Number(parent)) ?? [];
    known.push({ pid: Number(name), group: Number(group) });
    children.set(Number(parent), known);
  }
  const found = new Set<number>([-pid]);
  const pending = [pid];
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const child of children.get(at) ?? []) {
      if (found.has(child.pid)) continue;
      found.add(child.pid);
      // What has lost its parent is in its group still.
      if (child.group === child.pid) found.add(-child.group);
      pending.push(child.pid);
    }
  return found;
}

/** Asks a process, all that it has started, and their groups to end, and ends them after a while; resolves when none is left. */
async function endAll(child: ChildProcess): Promise<void> {
  const processes = treeOf(child);
  end(processes, "SIGTERM");
  const last = performance.now() + GRACE_MILLISECONDS;
  while (performance.now() < last) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
    if (!end(processes, 0)) return;
  }
  end(new Set([...processes, ...treeOf(child)]), "SIGKILL");
}

/** @returns whether there was any left */
function end(processes: ReadonlySet<number>, signal: NodeJS.Signals | 0): boolean {
  let isAny = false;
  for (const pid of processes)
    try {
      process.kill(pid, signal);
      isAny = true;
    } catch {
      // It has ended already.
    }
  return isAny;
}

function listed(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
