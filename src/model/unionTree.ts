import type { JointFunctions } from "./jointFunctions";
import { type ContextTree, ContextTreeBuilder } from "./contextTree";
import type { FunctionTable } from "./functions";
import { type Frame, FrameTable, isFunctionKind, isPlaceholderName } from "./frames";
import { NONE } from "./ids";
import { entryOf } from "./maps";
import { StringTable } from "./strings";
import { quietTask, STEPS_BETWEEN_CHECKS, type Task } from "./task";

/** A calling context tree with the frames that it is of. */
export interface FramedTree {
  readonly tree: ContextTree;
  readonly frames: FrameTable;
}

/** The contexts of several trees, those of one path once. */
export interface UnionTree extends FramedTree {
  /** For each of the trees, the context of the union that each of its contexts is. */
  readonly contextOf: readonly Int32Array[];
}

/** One run: its contexts, and which function each is of. */
export interface RunTree extends FramedTree {
  readonly functions: FunctionTable;
}

/**
 * Joins calling context trees by their paths of functions. Functions that are the same have the name, file and module that they have
 * in the first run, and lines the file of theirs; addresses count only where they are all that there is.
 */
export function unionTree(
  parts: readonly RunTree[],
  joint: JointFunctions,
  task: Pick<Task, "check"> = quietTask,
): UnionTree {
  const frames = new FrameTable(new StringTable());
  const builder = new ContextTreeBuilder();
  // A function's frame is named once for all runs that share a table of frames.
  const namedOnce = new Map<FrameTable, Map<number, number>>();
  const provisional = parts.map((part, run) => {
    const { tree, frames: own, functions } = part;
    const named = namesInFirst(parts, run, joint);
    const known = entryOf(namedOnce, own, () => new Map<number, number>());
    const joined = new Int32Array(own.size).fill(NONE);
    const join = (frame: number, id: number) => frames.intern(withoutAddress(named(own.get(frame as never), id)));
    const contexts = new Int32Array(tree.size);
    for (let context = 0; context < tree.size; context++) {
      if (context % STEPS_BETWEEN_CHECKS === 0) task.check();
      const frame = tree.frame[context];
      const id = functions.ofContext[context];
      if (joined[frame] === NONE)
        joined[frame] = isFunctionKind(own.kindOf(frame))
          ? entryOf(known, frame * joint.size + joint.jointOf[run][id], () => join(frame, id))
          : join(frame, id);
      const parent = tree.parent[context];
      contexts[context] = builder.child(parent === NONE ? NONE : contexts[parent], joined[frame]);
    }
    return contexts;
  });
  const { tree, finalOf } = builder.build(frames.canonicalRanks(task), task);
  return { tree, frames, contextOf: provisional.map((contexts) => contexts.map((context) => finalOf[context])) };
}

/** Frames of a run as the first run that has the same function names them. */
function namesInFirst(
  parts: readonly RunTree[],
  run: number,
  { jointOf, firstIn, firstId }: JointFunctions,
): (frame: Frame, functionId: number) => Frame {
  const { frames, functions } = parts[run];
  const files = new Map<string, string>();
  const first = (id: number): Frame | undefined => {
    const { [jointOf[run][id]]: at } = firstIn;
    const there = parts[at];
    return at === run ? undefined : there.frames.get(there.functions.frame[firstId[jointOf[run][id]]] as never);
  };
  for (let id = 0; id < functions.size; id++) {
    const file = frames.file[functions.frame[id]];
    if (file === NONE) continue;
    const { file: there } = first(id) ?? {};
    if (there !== undefined) files.set(frames.strings.get(file), there);
  }
  return (frame, id) => {
    if (isFunctionKind(frame.kind)) {
      const { name, file, module, line } = first(id) ?? frame;
      return { ...frame, name, file, module, line };
    }
    const file = frame.file === undefined ? undefined : (files.get(frame.file) ?? frame.file);
    const isNamedByPlace = frame.name === `${frame.file}:${frame.line}`;
    return { ...frame, file, ...(isNamedByPlace ? { name: `${file}:${frame.line}` } : {}), module: undefined };
  };
}

function withoutAddress(frame: Frame): Frame {
  if (!isFunctionKind(frame.kind) || isPlaceholderName(frame.name)) return frame;
  return { ...frame, address: undefined };
}
