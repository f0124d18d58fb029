import fs from "node:fs/promises";
import path from "node:path";
import { appendAll } from "../model/longLists";
import { RUN_FILE, type RunFacts } from "../model/runFacts";
import { type Built, buildProgram, WAITING } from "./build";
import { type ChooseProgram, programOf } from "./builtProgram";
import { RUNTIME_MACRO } from "./compilers";
import { type Cupti, findCupti } from "./cupti";
import { isInside, type StackKind, TaskError, type TracedTask } from "./definition";
import { withLock } from "./folderLock";
import type { Machine } from "./machine";
import { isSpread, MAX_PERF_DATA, MAX_PERF_DATA_BYTES, measuring, PERF_DATA, stacksFor } from "./measuring";
import { type CompilerMessage, CompilerMessages } from "./messages";
import { checkPerf, hasBranchRecords, hasSizeLimit } from "./perfPermission";
import { type Ended, printed, runStep, type StepHost } from "./processes";
import { factsOf, keepFacts, makeOutput, newRunFolder } from "./runs";
import { whyNoRecording, whyNothingCanBeRecorded } from "./noRecording";
import { PrintedTail } from "./printedCause";
import { adviceOn, endedText } from "./runTexts";
import { processOf, type RunningProcess } from "./runningProcesses";
import { needsRuntime, runtimeLibrary, sharesRecorder } from "./runtime";
import { commandLine, type RunBuildStep, type Step } from "./steps";

/** The window that a run is shown in. */
export interface RunHost extends StepHost {
  /** Stopped again: what makes a recording of a run that was stopped is stopped, too. */
  readonly secondSignal: AbortSignal;
  /** A line of Heatflow's own, between what programs print. */
  say(line: string): void;
  /** All messages of the compiler so far, after each step of a build; files are absolute and the user's own. */
  compilerSaid(messages: readonly CompilerMessage[]): void;
  /** Programs are absolute paths, mostly in the build folder, which the answer is kept relative to. */
  readonly choose: ChooseProgram;
  /** Asks which of several programs that run already is meant. @returns undefined where the user gave none */
  chooseProcess(processes: readonly RunningProcess[]): Promise<RunningProcess | undefined>;
}

/** A run that has ended, however. */
export interface RunResult {
  readonly folder: string;
  readonly facts: RunFacts;
  /** Files and folders that hold the recording; empty where there is none. */
  readonly recordings: readonly string[];
  /** Why there is none, as far as can be told. */
  readonly missing?: string;
  /** Cause of a failure or of a missing recording, as a sentence, from the output of the program or its launcher. */
  readonly cause?: string;
}

/** A program that runs already. */
const NOT_BUILT: Built = { folders: [], programs: [], flags: [], usesCuda: false };

/** A step of the build that failed: its messages have been shown. */
export class BuildFailed extends TaskError {
  constructor(
    message: string,
    /** A compiler said which line is wrong; else (a linker) only what the terminal shows is known. */
    readonly hasErrors: boolean,
  ) {
    super(message);
  }
}

/**
 * Builds a program, runs it with a tool and keeps the recording. A program that fails, or is stopped, leaves what it recorded.
 *
 * @throws BuildFailed, TaskError, UnusableTool; the signal's reason where it was stopped before the program ran
 */
export async function tracedRun(task: TracedTask, machine: Machine, host: RunHost): Promise<RunResult> {
  const buildStep = buildStepOf(machine, host);
  // Other machines may or may not let perf measure. Its message is in the terminal then.
  if (task.tool === "sample" && !isSpread(task, machine)) await checkPerf(machine, host);
  const running = task.process === undefined ? undefined : await processOf(task.process, host.chooseProcess);
  await makeOutput(task.output);
  const built = running === undefined ? await buildProgram(task, machine, host, buildStep) : NOT_BUILT;
  const isRecorded = task.tool === "instrument" || task.tool === "tracker";
  const cupti = isRecorded && built.usesCuda ? findCupti(machine) : undefined;
  if (isRecorded && built.usesCuda && cupti === undefined)
    host.say(
      "CUPTI was not found in the CUDA toolkit, so GPUs will not be recorded. Set CUDA_HOME to a toolkit with CUPTI.",
    );
  const hasRuntime = needsRuntime(task) || built.flags.includes(RUNTIME_MACRO) || (isRecorded && cupti !== undefined);
  const library = hasRuntime ? await runtimeOf(task, machine, { cupti, host }, buildStep) : undefined;
  const program = running === undefined ? await programOf(task, built, host.choose) : running.program || running.name;
  if (built.flags.includes(RUNTIME_MACRO) && !(await sharesRecorder(program, machine, host.signal))) {
    host.say(
      "The tracker's runtime cannot see into this program, so it is built again with all of the tracker in each file.",
    );
    await buildProgram(task, machine, host, buildStep, true);
  }
  const nothing = await whyNothingCanBeRecorded(task, program);
  if (nothing !== undefined) throw new TaskError(`${path.basename(program)} was not run. ${nothing}`);
  const startedAt = new Date();
  const folder = await newRunFolder(task, program, startedAt);
  const { flags } = built;
  const stacks = task.tool === "sample" ? await stacksHere(task, program, machine, host) : undefined;
  const hasLimit = stacks === "dwarf" && (await isLimitedHere(machine, host));
  const measured = { program, folder, flags, library, process: running?.pid, stacks, hasLimit };
  const { run, after } = measuring(task, machine, measured);
  const git = await gitState(task.cwd, machine, host.signal);
  const tail = new PrintedTail();
  const output = (data: Buffer) => {
    tail.add(data);
    host.output(data);
  };
  const ended = await announced(run, { ...host, output }, machine);
  const facts = { ...factsOf(task, measured, startedAt, ended), ...git, ...(hasLimit ? await limitOf(folder) : {}) };
  await keepFacts(folder, facts);
  host.say(`${endedText(facts)}${adviceOn(facts)}`);
  // These steps make the recording, also of a run that was stopped. Stopping again ends them.
  const later = { ...host, signal: host.signal.aborted ? host.secondSignal : host.signal };
  for (const step of after((await fs.readdir(folder)).sort())) {
    const ofStep = await announced(step, later, machine);
    if (ofStep.code !== 0)
      throw new TaskError(`${step.title}: ${howEnded(ofStep)}. The measurements are in ${folder}.`);
    await step.finish?.(later.signal);
  }
  const recordings = await recordingsIn(folder);
  const missing = recordings.length > 0 ? undefined : await whyNoRecording(task, facts, library);
  const hasFailed = facts.exitCode !== 0 && facts.isLimited !== true;
  const isWanted = (hasFailed || recordings.length === 0) && !host.signal.aborted;
  return { folder, facts, recordings, missing, cause: isWanted ? tail.cause(hasFailed) : undefined };
}

/** Runs steps of a build, and reports the messages of the compiler. @throws BuildFailed */
function buildStepOf(machine: Machine, host: RunHost): RunBuildStep {
  const messages: CompilerMessage[] = [];
  host.compilerSaid(messages);
  return async (step) => {
    const compiler = new CompilerMessages();
    const output = (data: Buffer) => {
      compiler.add(data.toString("utf8"));
      host.output(data);
    };
    const ended = await announced(step, { ...host, output }, machine);
    appendAll(
      messages,
      compiler.messages.map((message) => ({ ...message, file: originalOf(message.file, step) })),
    );
    host.compilerSaid(messages);
    if (ended.code !== 0) throw new BuildFailed(`${step.title}: ${howEnded(ended)}`, messages.some(isError));
    await step.finish?.(host.signal);
  };
}

/** Method by which perf finds callers on this machine. Replaces branch records if the processor has none. */
async function stacksHere(task: TracedTask, program: string, machine: Machine, host: RunHost): Promise<StackKind> {
  const stacks = stacksFor(task, program);
  if (stacks !== "lbr" || isSpread(task, machine) || (await hasBranchRecords(machine, host.signal))) return stacks;
  host.say("This processor does not record branches for perf (lbr), so stacks are copied instead (dwarf).");
  return "dwarf";
}

/** Whether perf can limit its file. Only copies of stacks are so large that they may fill a disk. */
async function isLimitedHere(machine: Machine, host: RunHost): Promise<boolean> {
  const hasLimit = await hasSizeLimit(machine, MAX_PERF_DATA, host.signal);
  if (!hasLimit)
    host.say(
      "This perf cannot limit the size of its file (--max-size, from perf 5.6 on). Copies of stacks take about 4 MB per second and thread: stop the task before they fill the disk.",
    );
  return hasLimit;
}

/** @returns whether perf ended the run at the limit of its file; empty if it did not */
async function limitOf(folder: string): Promise<Pick<RunFacts, "isLimited">> {
  for (const name of await fs.readdir(folder))
    if (PERF_DATA.test(name) && (await fs.stat(path.join(folder, name))).size >= MAX_PERF_DATA_BYTES)
      return { isLimited: true };
  return {};
}

/** The tracker's runtime of a task, compiled if it has to be. @returns the library */
function runtimeOf(
  task: TracedTask,
  machine: Machine,
  { cupti, host }: { readonly cupti: Cupti | undefined; readonly host: RunHost },
  buildStep: RunBuildStep,
): Promise<string> {
  const waiting = () => host.say(WAITING);
  return withLock(path.join(task.output, "runtime.lock"), { signal: host.signal, waiting }, async () => {
    const { library, step } = await runtimeLibrary(task, machine, cupti, host.signal);
    if (step !== undefined) await buildStep(step);
    return library;
  });
}

/** A file as the user knows it, absolute. */
function originalOf(file: string, { cwd, copyOf }: Step): string {
  const absolute = path.resolve(cwd, file);
  return copyOf !== undefined && isInside(absolute, cwd) ? path.join(copyOf, path.relative(cwd, absolute)) : absolute;
}

async function announced(
  step: Step,
  host: RunHost | (StepHost & Pick<RunHost, "say">),
  machine: Machine,
): Promise<Ended> {
  host.say(commandLine(step));
  return runStep(step, host, machine.environment);
}

function isError({ severity }: CompilerMessage): boolean {
  return severity === "error";
}

function howEnded({ code, ...ended }: Ended): string {
  return endedText({ exitCode: code, ...ended });
}

async function gitState(
  cwd: string,
  machine: Machine,
  signal: AbortSignal,
): Promise<Pick<RunFacts, "commit" | "isDirty">> {
  const command = machine.find("git");
  if (command === undefined) return {};
  const git = (...args: string[]) => printed({ title: "", command, args, env: {}, cwd }, signal);
  const commit = await git("rev-parse", "HEAD");
  if (commit === undefined) return {};
  const changed = await git("status", "--porcelain", "--untracked-files=no");
  return { commit: commit.trim(), ...(changed === undefined ? {} : { isDirty: changed.trim() !== "" }) };
}

/** What to open of a run: the database of a tool that makes one, else its files. */
async function recordingsIn(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder);
  if (names.includes("database")) return [path.join(folder, "database")];
  const isOther = (name: string) => name === RUN_FILE || name === "measurements" || PERF_DATA.test(name);
  return names
    .filter((name) => !isOther(name))
    .sort()
    .map((name) => path.join(folder, name));
}
