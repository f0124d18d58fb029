import { widened } from "../../../model/columns";
import { ContextTreeBuilder } from "../../../model/contextTree";
import { NONE } from "../../../model/ids";
import { quietTask, type Task } from "../../../model/task";
import { type CallStacks, FRAMES_BETWEEN_CHECKS } from "../decode/callStacks";

/**
 * Calling contexts of nested events. An event stands below the event that encloses it on its lane. Where it has a recorded
 * call stack that is the enclosing event's with further frames, these come in between; a stack that is another one decides
 * alone where the event stands, and an event without a stack has that of the one around it. Stacks of `stackFrames` may also hold the
 * events around theirs, and the event itself: each of them is one context.
 */
export class NestedContexts {
  /** Ways down the events of a lane: (way of the enclosing event, stack and frame). */
  private readonly ways = new ContextTreeBuilder();
  /** Pairs of stack and frame by number, where there is a stack. */
  private readonly pairs = new ContextTreeBuilder();
  private contextOf = new Int32Array(256);
  private stackOf = new Int32Array(256);
  private readonly rootOf = new Map<number, number>();

  /** @param contexts what the contexts are added to */
  constructor(
    private readonly contexts: ContextTreeBuilder,
    private readonly stacks: CallStacks,
  ) {}

  /** Bytes that stay in memory. */
  get bytes(): number {
    return 40 * (this.ways.size + this.pairs.size);
  }

  /**
   * @param parent way of the enclosing event, NONE for none
   * @param stack as recorded with the event, NONE for none
   */
  enter(parent: number, stack: number, frame: number, task: Pick<Task, "check"> = quietTask): number {
    const resolved = this.stacks.resolve(stack, task);
    // Most events have no stack of their own: the frame alone tells.
    if (resolved === NONE) return this.way(parent, frame, NONE, frame, task);
    const own = this.stacks.eventFrame(stack, resolved, frame);
    return this.way(parent, -2 - this.pairs.child(resolved, own), resolved, own, task);
  }

  /** Way of an event after one that it began in has ended. @param parent way of the event that encloses it now, NONE for none */
  move(way: number, parent: number, task: Pick<Task, "check"> = quietTask): number {
    const pair = this.ways.frameOf(way);
    if (pair >= NONE) return this.way(parent, pair, NONE, pair, task);
    const stacked = -2 - pair;
    return this.way(parent, pair, this.pairs.parentOf(stacked), this.pairs.frameOf(stacked), task);
  }

  private way(parent: number, pair: number, resolved: number, frame: number, task: Pick<Task, "check">): number {
    const way = this.ways.child(parent, pair);
    if (way < this.known) return way;
    this.known = way + 1;
    if (way >= this.contextOf.length) {
      this.contextOf = widened(this.contextOf);
      this.stackOf = widened(this.stackOf);
    }
    this.contextOf[way] = this.contextFor(parent, resolved, frame, task);
    this.stackOf[way] = resolved === NONE && parent !== NONE ? this.stackOf[parent] : resolved;
    return way;
  }

  private known = 0;
  private steps = 0;
  /** What {@link below} found last: of stacks that grow frame by frame, each goes on where the one before ended. */
  private last = { context: NONE as number, outer: NONE as number, inner: NONE as number, found: NONE as number };

  /** Provisional context of a way. */
  context(way: number): number {
    return this.contextOf[way];
  }

  /** Context of a stack alone: that of its innermost frame. */
  stackContext(stack: number, task: Pick<Task, "check"> = quietTask): number {
    return this.below(NONE, NONE, this.stacks.resolve(stack, task), task);
  }

  /** Counted over all events: many may walk up stacks of thousands of frames each. */
  private step(task: Pick<Task, "check">): void {
    if (++this.steps % FRAMES_BETWEEN_CHECKS === 0) task.check();
  }

  private contextFor(parent: number, stack: number, frame: number, task: Pick<Task, "check">): number {
    const { contexts, stacks } = this;
    // An event that is a function of the stack itself (Python's, XRay's) is its last frame, not one more.
    const base = stack !== NONE && stacks.frameOf(stack) === frame ? stacks.parentOf(stack) : stack;
    if (parent === NONE) return contexts.child(this.below(NONE, NONE, base, task), frame);
    if (stack === NONE) return contexts.child(this.contextOf[parent], frame);
    const around = this.stackOf[parent];
    const above = this.contextOf[parent];
    const holdsParent = around !== NONE && stacks.frameOf(around) === contexts.frameOf(above);
    if (!holdsParent && stacks.isListed(stack)) {
      const within = this.within(above, base, task);
      if (within !== NONE) return contexts.child(within, frame);
    }
    if (this.isPrefix(around, base, task)) return contexts.child(this.below(above, around, base, task), frame);
    return contexts.child(this.below(NONE, NONE, base, task), frame);
  }

  /** Context of a stack that begins with the functions of the events around it, below these; NONE if it begins with others. */
  private within(context: number, stack: number, task: Pick<Task, "check">): number {
    const { contexts, stacks } = this;
    const [path, frames]: [number[], number[]] = [[], []];
    for (let at = context; at !== NONE; at = contexts.parentOf(at), this.step(task)) path.push(contexts.frameOf(at));
    for (let at = stack; at !== NONE; at = stacks.parentOf(at), this.step(task)) frames.push(stacks.frameOf(at));
    const further = frames.length - path.length;
    if (further < 0 || path.some((frame, at) => !stacks.isSameName(frame, frames[further + at]))) return NONE;
    return frames.slice(0, further).reduceRight((found, frame) => contexts.child(found, frame), context);
  }

  /** Whether one stack begins as the other does. */
  private isPrefix(outer: number, inner: number, task: Pick<Task, "check">): boolean {
    if (outer === NONE) return true;
    for (let at = inner; at !== NONE; at = this.stacks.parentOf(at)) {
      if (at === outer || (at === this.last.inner && outer === this.last.outer)) return true;
      this.step(task);
    }
    return false;
  }

  /** The context of a stack's innermost frame below a context that has its outer part. */
  private below(context: number, outer: number, inner: number, task: Pick<Task, "check">): number {
    if (inner === outer) return context;
    const fromRoot = outer === NONE && context === NONE;
    const path: number[] = [];
    let found = context;
    for (let at = inner; at !== outer; at = this.stacks.parentOf(at)) {
      const known = fromRoot ? this.rootOf.get(at) : undefined;
      if (known !== undefined) {
        found = known;
        break;
      }
      if (at === this.last.inner && outer === this.last.outer && context === this.last.context) {
        found = this.last.found;
        break;
      }
      path.push(at);
      this.step(task);
    }
    for (const stack of path.reverse()) {
      this.step(task);
      found = this.contexts.child(found, this.stacks.frameOf(stack));
      if (fromRoot) this.rootOf.set(stack, found);
    }
    this.last = { context, outer, inner, found };
    return found;
  }
}
