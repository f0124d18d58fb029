import { type ContextTree, ContextTreeBuilder } from "./contextTree";
import { type Frame, FrameTable, isFunctionKind, isPlaceholderName } from "./frames";
import { NONE } from "./ids";
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

/**
 * Joins calling context trees by their paths. A function that is called the same is the same wherever it was loaded: addresses
 * count only where they are all that there is.
 */
export function unionTree(parts: readonly FramedTree[], task: Pick<Task, "check"> = quietTask): UnionTree {
  const frames = new FrameTable(new StringTable());
  const builder = new ContextTreeBuilder();
  const provisional = parts.map(({ tree, frames: own }) => {
    const joined = new Int32Array(own.size).fill(NONE);
    const contexts = new Int32Array(tree.size);
    for (let context = 0; context < tree.size; context++) {
      if (context % STEPS_BETWEEN_CHECKS === 0) task.check();
      const frame = tree.frame[context];
      if (joined[frame] === NONE) joined[frame] = frames.intern(withoutAddress(own.get(frame as never)));
      const parent = tree.parent[context];
      contexts[context] = builder.child(parent === NONE ? NONE : contexts[parent], joined[frame]);
    }
    return contexts;
  });
  const { tree, finalOf } = builder.build(frames.canonicalRanks(task), task);
  return { tree, frames, contextOf: provisional.map((contexts) => contexts.map((context) => finalOf[context])) };
}

function withoutAddress(frame: Frame): Frame {
  if (!isFunctionKind(frame.kind) || isPlaceholderName(frame.name)) return frame;
  return { ...frame, address: undefined };
}
