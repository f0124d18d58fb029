/** Where a function is that only one of two runs has: code that was inlined keeps its lines. */
import { NONE } from "../../model/ids";
import { addTo, entryOf } from "../../model/maps";
import { fileName } from "../../model/placeText";
import { measuredOf, type Run } from "./comparable";

/**
 * The function of the other run that has most of a function's own lines: more than half of its cost stands on them. Files are the
 * same where their base names are, since two builds lie in folders of their own.
 *
 * @param id of `run`
 * @param isInBoth of functions of `other`: one that it alone has may be the same function under another name
 * @returns undefined where there is none, or where no file was recorded
 */
export function inlinedInto(run: Run, id: number, other: Run, isInBoth: (id: number) => boolean): number | undefined {
  const own = measuredOf(run);
  const file = own.dataSet.frames.file[own.functions.frame[id]];
  if (file === NONE) return undefined;
  const costs = new Map<number, number>();
  let whole = 0;
  eachLine(run, (of, at, line, cost) => {
    if (of !== id || at !== file) return;
    addTo(costs, line, cost);
    whole += cost;
  });
  const { strings } = measuredOf(other).dataSet.frames;
  const base = fileName(own.dataSet.frames.strings.get(file));
  const isFile = new Map<number, boolean>();
  const found = new Map<number, Set<number>>();
  eachLine(other, (of, at, line) => {
    if (!costs.has(line) || !entryOf(isFile, at, () => fileName(strings.get(at)) === base) || !isInBoth(of)) return;
    entryOf(found, of, () => new Set()).add(line);
  });
  const covered = [...found].map(([of, lines]) => ({
    of,
    cost: [...lines].reduce((sum, line) => sum + (costs.get(line) ?? 0), 0),
  }));
  const [most] = covered.sort((a, b) => b.cost - a.cost || a.of - b.of);
  return most && most.cost > whole / 2 ? most.of : undefined;
}

/** Whatever costs something on a line that was recorded. */
function eachLine(run: Run, take: (of: number, file: number, line: number, cost: number) => void): void {
  const shown = measuredOf(run);
  const { frames, tree } = shown.dataSet;
  const { exclusive } = shown.numbers(run.scope);
  shown.functions.ofContext.forEach((of, context) => {
    if (of === NONE || !(exclusive[context] > 0)) return;
    const frame = tree.frame[context];
    if (frames.file[frame] !== NONE && frames.line[frame] > 0)
      take(of, frames.file[frame], frames.line[frame], exclusive[context]);
  });
}
