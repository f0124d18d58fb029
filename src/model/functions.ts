import type { ContextTree } from "./contextTree";
import { type FrameTable, isFunctionKind, isPlaceholderName } from "./frames";
import { NONE } from "./ids";
import { quietTask, STEPS_BETWEEN_CHECKS, type Task } from "./task";

/** The functions of a data set and which one each context belongs to (semantics 1, "Function of a context"). */
export interface FunctionTable {
  readonly size: number;
  /** Function of each context. */
  readonly ofContext: Int32Array;
  /** A frame of each function: its name, file and module. */
  readonly frame: Int32Array;
  /** 1 where no ancestor of the context is the same function: only such contexts count in a function's inclusive (Recursion). */
  readonly outermost: Uint8Array;
}

/**
 * Loops, lines, statements and instructions belong to the nearest enclosing function, inlined frame, kernel or region.
 * Two contexts are the same function when name, file and load module agree; placeholders are no name, so such frames
 * agree only at the same address, and where there is no address each context stands alone.
 *
 * @param known frames of functions that are there whether or not a context is theirs; these come first, in this order
 */
export function functionsOf(
  tree: ContextTree,
  frames: FrameTable,
  known: Iterable<number> = [],
  task: Pick<Task, "check"> = quietTask,
): FunctionTable {
  const ofContext = new Int32Array(tree.size);
  const frame: number[] = [];
  const byKey = new Map<string, number>();
  const byFrame = new Int32Array(frames.size).fill(NONE);
  for (const own of known) {
    byFrame[own] = frame.push(own) - 1;
    const key = functionKey(frames, own);
    if (key !== undefined) byKey.set(key, byFrame[own]);
  }
  for (let context = 0; context < tree.size; context++) {
    if (context % STEPS_BETWEEN_CHECKS === 0) task.check();
    const own = tree.frame[context];
    const parent = tree.parent[context];
    if (parent !== NONE && !isFunctionKind(frames.kindOf(own))) {
      ofContext[context] = ofContext[parent];
      continue;
    }
    let id = byFrame[own];
    if (id === NONE) {
      const key = functionKey(frames, own);
      id = (key === undefined ? undefined : byKey.get(key)) ?? frame.push(own) - 1;
      if (key !== undefined) {
        byKey.set(key, id);
        byFrame[own] = id;
      }
    }
    ofContext[context] = id;
  }
  task.check();
  const table = { size: frame.length, ofContext, frame: Int32Array.from(frame) };
  return { ...table, outermost: outermostContexts(tree, table) };
}

function functionKey(frames: FrameTable, frame: number): string | undefined {
  const placeholder = isPlaceholderName(frames.nameOf(frame));
  if (placeholder && frames.addressOf(frame) === NONE) return undefined;
  return `${frames.nameKey(frame)},${frames.file[frame]},${frames.moduleIndex(frame)},${placeholder ? frames.addressOf(frame) : ""}`;
}

/** 1 for each context without an ancestor of the same function. */
export function outermostContexts(
  tree: Pick<ContextTree, "size" | "parent" | "end">,
  functions: { size: number; ofContext: Int32Array },
): Uint8Array {
  const outermost = new Uint8Array(tree.size);
  const open = new Int32Array(functions.size);
  let deepest = NONE;
  for (let context = 0; context < tree.size; context++) {
    while (deepest !== NONE && tree.end[deepest] <= context) {
      open[functions.ofContext[deepest]]--;
      deepest = tree.parent[deepest];
    }
    const id = functions.ofContext[context];
    outermost[context] = open[id] === 0 ? 1 : 0;
    open[id]++;
    deepest = context;
  }
  return outermost;
}

/**
 * Sums of contexts by function.
 *
 * @param inclusiveOf inclusive value of each context
 * @returns one value per function: each recursion counted once
 */
export function inclusiveByFunction(functions: FunctionTable, inclusiveOf: Float64Array): Float64Array {
  const sums = new Float64Array(functions.size);
  for (let context = 0; context < inclusiveOf.length; context++) {
    if (functions.outermost[context]) sums[functions.ofContext[context]] += inclusiveOf[context];
  }
  return sums;
}

/** @returns the exclusive sum of the contexts of each function */
export function exclusiveByFunction(functions: FunctionTable, exclusiveOf: Float64Array): Float64Array {
  const sums = new Float64Array(functions.size);
  for (let context = 0; context < exclusiveOf.length; context++)
    sums[functions.ofContext[context]] += exclusiveOf[context];
  return sums;
}
