/** Functions of a recording by the names that source files write. */
import { STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";
import { parseSignature } from "../../source/signature";
import type { OpenDataSet } from "../dataSets/openDataSet";

const names = new WeakMap<OpenDataSet, ReadonlySet<string>>();

/** Whether a recording has a function of a name, without scopes and arguments. @throws CancelledError */
export function hasFunctionNamed(open: OpenDataSet, name: string, task: Pick<Task, "check">): boolean {
  const known = names.get(open) ?? unqualifiedNames(open, task);
  names.set(open, known);
  return known.has(name);
}

function unqualifiedNames(open: OpenDataSet, task: Pick<Task, "check">): ReadonlySet<string> {
  const { frames } = open.dataSet;
  const found = new Set<string>();
  for (const [at, frame] of open.functions.frame.entries()) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    found.add(parseSignature(frames.nameOf(frame)).name);
  }
  return found;
}
