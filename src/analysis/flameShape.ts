/** Which contexts are drawn as one rectangle of a flame graph, and below which: decided without any values. */
import { type ContextTree, ContextTreeBuilder } from "../model/contextTree";
import type { FunctionTable } from "../model/functions";
import { NONE } from "../model/ids";
import { STEPS_BETWEEN_CHECKS, type Task } from "../model/task";

/** The rectangles as a tree of their own: preorder, siblings in the order of their keys. */
export interface FlameShape {
  readonly size: number;
  readonly parent: Int32Array;
  /** One past the subtree. */
  readonly end: Int32Array;
  /** What each stands for: a function, or a context where nothing is laid together. */
  readonly key: Int32Array;
  readonly keysAre: "functions" | "contexts";
  /** Where the exclusive of each context counts; {@link NONE}: nowhere. */
  readonly nodeOf: Int32Array;
  /**
   * Of callers: the function they call. There a rectangle has no cost of its own: its exclusive is that function's, along
   * its chain of callers.
   */
  readonly calls?: number;
  /** Callers further away than so many levels were not distinguished; undefined: none was left out. */
  readonly cutAt?: number;
}

/** A data set, as far as shapes need it. */
export interface FlameSource {
  readonly tree: ContextTree;
  readonly functions: FunctionTable;
  /** The call that each context belongs to; {@link NONE} for a line or loop above all functions. */
  readonly callOf: Int32Array;
}

/** Every context by itself. */
export function everyContext({ tree }: FlameSource): FlameShape {
  const identity = Int32Array.from({ length: tree.size }, (_, context) => context);
  return { size: tree.size, parent: tree.parent, end: tree.end, key: identity, keysAre: "contexts", nodeOf: identity };
}

/** Contexts of one function below one caller together: lines and loops are part of their function (semantics 1). */
export function byFunction(source: FlameSource, task: Task): FlameShape {
  const shape = new ShapeBuilder(source, task);
  shape.addSubtrees(0, source.tree.size, (context) => source.functions.ofContext[context]);
  return shape.build("functions");
}

/** The outermost calls of a function together, and what they call. */
export function calleesOf(source: FlameSource, id: number, task: Task): FlameShape {
  const shape = new ShapeBuilder(source, task);
  for (const [from, to] of outermostCalls(source, id)) {
    shape.addSubtrees(from, to, (context) => source.functions.ofContext[context]);
  }
  return shape.build("functions");
}

/** Steps up all chains of callers together: what is further up is not distinguished. */
const MOST_STEPS = 20_000_000;

/** The outermost calls of a function together, divided by their callers: each counts with all that it calls. */
export function callersOf(source: FlameSource, id: number, task: Task): FlameShape {
  const { tree, functions, callOf } = source;
  const calls = [...outermostCalls(source, id)];
  const most = Math.max(500, Math.floor(MOST_STEPS / Math.max(1, calls.length)));
  const shape = new ShapeBuilder(source, task);
  let cut = false;
  for (const [call, end] of calls) {
    let node = shape.child(NONE, id);
    let above = tree.parent[call];
    let level = 0;
    for (; above !== NONE && level < most; level++) {
      shape.look();
      const caller = callOf[above] === NONE ? above : callOf[above];
      node = shape.child(node, functions.ofContext[caller]);
      // Lines above all functions are one caller.
      above = callOf[above] === NONE ? NONE : tree.parent[caller];
    }
    cut ||= above !== NONE;
    shape.nodeOf.fill(node, call, end);
  }
  return { ...shape.build("functions"), calls: id, ...(cut ? { cutAt: most } : {}) };
}

/** Subtrees of the calls of a function that no other call of it is around (semantics 1, Recursion). */
function* outermostCalls({ tree, functions }: FlameSource, id: number): Iterable<readonly [from: number, to: number]> {
  for (let context = 0; context < tree.size;) {
    if (functions.ofContext[context] === id && functions.outermost[context]) {
      yield [context, tree.end[context]];
      context = tree.end[context];
    } else context++;
  }
}

/** Collects rectangles, each named by the one above it and its key. */
export class ShapeBuilder {
  /** Of provisional rectangles, until the shape is built. */
  readonly nodeOf: Int32Array;
  private readonly builder = new ContextTreeBuilder();
  private largestKey = 0;
  private steps = 0;

  constructor(
    private readonly source: FlameSource,
    private readonly task: Task,
  ) {
    this.nodeOf = new Int32Array(source.tree.size).fill(NONE);
  }

  child(parent: number, key: number): number {
    if (key > this.largestKey) this.largestKey = key;
    return this.builder.child(parent, key);
  }

  /** Called at every step: long work can be cancelled. */
  look(): void {
    if (++this.steps % STEPS_BETWEEN_CHECKS === 0) this.task.check();
  }

  /** The contexts of whole subtrees; those whose parents are not among them become roots. */
  addSubtrees(from: number, to: number, keyOf: (context: number) => number): void {
    const { tree, callOf } = this.source;
    for (let context = from; context < to; context++) {
      this.look();
      const parent = tree.parent[context];
      const above = parent < from ? NONE : this.nodeOf[parent];
      const isPart = above !== NONE && callOf[context] !== context;
      this.nodeOf[context] = isPart ? above : this.child(above, keyOf(context));
    }
  }

  build(keysAre: FlameShape["keysAre"]): FlameShape {
    const identity = Int32Array.from({ length: this.largestKey + 1 }, (_, key) => key);
    const { tree, finalOf } = this.builder.build(identity, this.task);
    const nodeOf = this.nodeOf.map((node) => (node === NONE ? NONE : finalOf[node]));
    return { size: tree.size, parent: tree.parent, end: tree.end, key: tree.frame, keysAre, nodeOf };
  }
}
