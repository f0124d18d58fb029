import path from "node:path";
import { type RunFacts } from "../model/runFacts";
import { joined } from "../model/texts";
import { formatValue } from "../model/units";

/** A run as a list shows it. */
export interface RunTexts {
  /** When it began, and its program. */
  readonly label: string;
  /** Its tool, and what its pages state first: the total of its first metric. */
  readonly description: string;
  /** How it ran, of which commit, and its arguments. */
  readonly detail: string;
}

/** How a program ended, and after how long: `ended with exit code 2 after 3.0 s`. */
export function endedText({ exitCode, signal, seconds }: Pick<RunFacts, "exitCode" | "signal" | "seconds">): string {
  const how = signal !== null ? `ended by ${signal}` : exitCode === 0 ? "ended" : `ended with exit code ${exitCode}`;
  return `${how} after ${seconds.toFixed(1)} s`;
}

/** How long a run took, with what made that so long: `12.8 s under valgrind`. */
export function tookText({ seconds, tool }: Pick<RunFacts, "seconds" | "tool">): string {
  return `${formatValue(seconds, "s")}${tool === "callgrind" ? " under valgrind" : ""}`;
}

/** What else is to be said of how a program ended, with a space in front; empty where there is nothing. */
export function adviceOn({ tool, signal, isLimited }: Pick<RunFacts, "tool" | "signal" | "isLimited">): string {
  if (isLimited === true)
    return ' perf ended the run because its file reached its limit of 2 GB. Take a shorter run, or set "stacks": "fp" in the task: such samples are a hundred times smaller.';
  return tool === "callgrind" && signal === "SIGILL"
    ? " The program may use an instruction that valgrind lacks. Compile it for an older processor (-march=x86-64-v3 instead of -march=native), or use another tool."
    : "";
}

export function runTexts({ total, seconds, commit, isDirty, ...facts }: RunFacts): RunTexts {
  const { program, args, tool, startedAt, ranks, exitCode, signal, process } = facts;
  const sum = total && `${formatValue(total.value, total.unit)} ${total.of}`;
  const ended =
    process !== undefined || exitCode === 0 ? "" : signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
  const took = `${process === undefined ? "ran" : `process ${process}, sampled`} ${tookText({ seconds, tool })}`;
  const changes = isDirty === undefined ? "" : isDirty ? " with changes" : " without changes";
  const source = commit === undefined ? "" : `commit ${commit.slice(0, 10)}${changes}`;
  return {
    label: `${new Date(startedAt).toLocaleString()} ${path.basename(program)}`,
    description: joined([tool, sum ?? ""], " · "),
    detail: joined([took, ended, ranks > 0 ? `${ranks} ranks` : "", source, args.join(" ")], " · "),
  };
}
