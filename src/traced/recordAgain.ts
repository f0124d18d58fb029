import path from "node:path";
import type { RunFacts } from "../model/runFacts";
import { taskLabel } from "./readyTasks";
import type { TaskEntry } from "./tasksFile";

/**
 * The task that samples a run's program again, with copies of its stacks: the one of tasks.json that made the run, else one that starts the
 * program as it is.
 *
 * @param kept tasks of tasks.json
 */
export function taskAgain(facts: RunFacts, kept: readonly TaskEntry[]): TaskEntry {
  const stacks = "dwarf";
  const made = kept.find((entry) => isTaskOf(entry, facts));
  if (made !== undefined) return { ...made, stacks };
  const { program, args, cwd, ranks, process } = facts;
  const again = { type: "heatflow", label: taskLabel("sample", program), tool: "sample", stacks } as const;
  if (process !== undefined) return { ...again, process: path.basename(program) };
  return {
    ...again,
    build: "none",
    program,
    cwd,
    ...(args.length > 0 ? { args } : {}),
    ...(ranks > 0 ? { ranks } : {}),
  };
}

/** Whether a task makes runs like this one: the same program with the same arguments and ranks. */
export function isTaskOf(entry: TaskEntry, { tool, program, args, ranks, process }: RunFacts): boolean {
  if (entry.tool !== tool || (entry.process !== undefined) !== (process !== undefined)) return false;
  if (process !== undefined) return true;
  const named = typeof entry.program === "string" ? path.basename(entry.program) : "";
  const stem = path.basename(named, path.extname(named));
  const isNamed = named === "" || [named, stem].includes(path.basename(program));
  return isNamed && JSON.stringify(entry.args ?? []) === JSON.stringify(args) && (entry.ranks ?? 0) === ranks;
}
