/** Whether two recordings may be of one program: only these are offered to be compared. */
import { STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";
import { functionNames } from "../../source/folderMatch";
import { findSystemFrames } from "../../source/systemFrames";
import { parseSignature } from "../../source/signature";
import type { OpenDataSet } from "../dataSets/openDataSet";

/** Names in common that are enough, as for a recording and its source (semantics 16). */
const ENOUGH_NAMES = 3;

const names = new WeakMap<OpenDataSet, ReadonlySet<string>>();

/**
 * Whether half of the names of functions and regions of the recording that has fewer are in the other, too: at least three, all if there
 * are fewer. `main`, MPI, libraries and placeholders do not count, unless a recording has nothing else.
 *
 * @throws CancelledError
 */
export function isOneProgram(one: OpenDataSet, other: OpenDataSet, task: Pick<Task, "check">): boolean {
  const [few, many] = [namesOf(one, task), namesOf(other, task)].sort((a, b) => a.size - b.size);
  let common = 0;
  for (const name of few) if (many.has(name)) common++;
  return common >= Math.max(1, Math.ceil(few.size / 2), Math.min(few.size, ENOUGH_NAMES));
}

function namesOf(open: OpenDataSet, task: Pick<Task, "check">): ReadonlySet<string> {
  const known = names.get(open) ?? readNames(open, task);
  names.set(open, known);
  return known;
}

/** Names with their scopes, without arguments: tools write signatures in different ways. */
function readNames(
  { dataSet: { frames, tree }, functions }: OpenDataSet,
  task: Pick<Task, "check">,
): ReadonlySet<string> {
  const [own, all] = [new Set<string>(), new Set<string>()];
  const ownNameOf = functionNames(frames, findSystemFrames(frames, tree).has);
  for (const [at, frame] of functions.frame.entries()) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    const { scopes, name } = parseSignature(frames.nameOf(frame));
    const qualified = [...scopes, name].join("::");
    all.add(qualified);
    if (ownNameOf(frame) !== undefined) own.add(qualified);
  }
  return own.size > 0 ? own : all;
}
