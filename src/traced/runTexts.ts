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

/** What else is to be said of how a program ended, with a space in front; empty where there is nothing. */
export function adviceOn({ tool, signal }: Pick<RunFacts, "tool" | "signal">): string {
  return tool === "callgrind" && signal === "SIGILL"
    ? " valgrind may lack an instruction that it was compiled to: compile it for an older processor (-march=x86-64-v3 in place of -march=native), or take another tool."
    : "";
}

export function runTexts({ total, seconds, commit, isDirty, ...facts }: RunFacts): RunTexts {
  const { program, args, tool, startedAt, ranks, exitCode, signal, process } = facts;
  const sum = total && `${formatValue(total.value, total.unit)} ${total.of}`;
  const ended =
    process !== undefined || exitCode === 0 ? "" : signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
  const took = `${process === undefined ? "ran" : `process ${process}, sampled`} ${formatValue(seconds, "s")}`;
  const changes = isDirty === undefined ? "" : isDirty ? " with changes" : " without changes";
  const source = commit === undefined ? "" : `commit ${commit.slice(0, 10)}${changes}`;
  return {
    label: `${new Date(startedAt).toLocaleString()} ${path.basename(program)}`,
    description: joined([tool, sum ?? ""], " · "),
    detail: joined([took, ended, ranks > 0 ? `${ranks} ranks` : "", source, args.join(" ")], " · "),
  };
}
