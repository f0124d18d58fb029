import { ContextTreeBuilder } from "../../../model/contextTree";
import type { Frame, FrameTable } from "../../../model/frames";
import { NONE } from "../../../model/ids";
import { quietTask, type Task } from "../../../model/task";

/** Frames of one recorded stack, which may be as deep as its file is long, between two checks of a task. */
export const FRAMES_BETWEEN_CHECKS = 4096;

/** An entry of `stackFrames`. */
interface StackFrame {
  readonly frame: number;
  /** Id of its caller. */
  readonly parent: string | undefined;
}

/** `file.py(12): function`, as Kineto writes; `function(file.js:12:3)`, as Hermes does. */
const PYTHON = /^(.+)\((\d{1,9})\): (.+)$/s;
const SCRIPT_PLACE = /:(\d{1,9}):\d{1,9}\)$/;

/** The function that a line of a recorded stack names. */
export function functionFrame(text: string): Frame {
  const python = PYTHON.exec(text);
  if (python) return withPlace({ name: python[3], kind: "function" }, python[1], Number(python[2]));
  const place = SCRIPT_PLACE.exec(text);
  const open = text.indexOf("(", 1);
  if (place && open > 0 && open + 1 < place.index)
    return withPlace(
      { name: text.slice(0, open), kind: "function" },
      text.slice(open + 1, place.index),
      Number(place[1]),
    );
  return { name: text, kind: "function" };
}

export function withPlace(frame: Frame, file: string | undefined, line: number): Frame {
  if (file === undefined || file === "") return frame;
  return Number.isSafeInteger(line) && line > 0 && line <= 0x7fffffff ? { ...frame, file, line } : { ...frame, file };
}

/**
 * Call stacks as recorded, by number: paths of frames from the root, each once. They are no contexts yet: where in the tree a
 * stack belongs depends on the events around it.
 */
export class CallStacks {
  private readonly tree = new ContextTreeBuilder();
  /** Ids of `stackFrames` that stacks refer to, which may stand behind the events: a root with the frame `-2 - n`. */
  private readonly references: string[] = [];
  private readonly frameIds = new Map<string, StackFrame>();
  /** Stacks of the entries that were needed. */
  private readonly stackOf = new Map<string, number>();
  private readonly resolved = new Map<number, number>();
  /** Stacks of `stackFrames` that were referred to. */
  private readonly listed = new Set<number>();
  private readonly referenceOf = new Map<string, number>();

  constructor(private readonly frames: FrameTable) {}

  child(parent: number, frame: number): number {
    return this.tree.child(parent, frame);
  }

  parentOf(stack: number): number {
    return this.tree.parentOf(stack);
  }

  frameOf(stack: number): number {
    return this.tree.frameOf(stack);
  }

  /** A stack written as text, innermost first, separated by semicolons. */
  fromText(text: string): number {
    let stack: number = NONE;
    const entries = text.split(";");
    for (let at = entries.length - 1; at >= 0; at--)
      if (entries[at] !== "") stack = this.tree.child(stack, this.frames.intern(functionFrame(entries[at])));
    return stack;
  }

  /** The stack whose innermost frame has this id in `stackFrames`, which may not have been read yet. */
  reference(id: string): number {
    let index = this.referenceOf.get(id);
    if (index === undefined) {
      index = this.references.push(id) - 1;
      this.referenceOf.set(id, index);
    }
    return this.tree.child(NONE, -2 - index);
  }

  /** An entry of `stackFrames`. */
  define(id: string, frame: Frame, parent: string | undefined): void {
    this.frameIds.set(id, { frame: this.frames.intern(frame), parent });
  }

  /** The same stack without references; NONE where its frames are not known. */
  resolve(stack: number, task: Pick<Task, "check"> = quietTask): number {
    if (stack === NONE || this.tree.frameOf(stack) >= NONE) return stack;
    const known = this.resolved.get(stack);
    if (known !== undefined) return known;
    const found = this.stackOfId(this.references[-2 - this.tree.frameOf(stack)], task);
    this.resolved.set(stack, found);
    this.listed.add(found);
    return found;
  }

  /** Whether the stack is one of `stackFrames`: functions, of which some may be events. */
  isListed(stack: number): boolean {
    return this.listed.has(stack);
  }

  /**
   * Frame of an event below its stack. A stack of `stackFrames` may end with the event itself (LLVM's XRay): that frame is the event's.
   *
   * @param stack as recorded with the event
   * @param resolved the same stack without references
   */
  eventFrame(stack: number, resolved: number, frame: number): number {
    const innermost = this.tree.frameOf(resolved);
    return this.tree.frameOf(stack) < NONE && this.isSameName(innermost, frame) ? innermost : frame;
  }

  isSameName(frame: number, other: number): boolean {
    return this.frames.nameKey(frame) === this.frames.nameKey(other);
  }

  /** Forgets the entries of `stackFrames`: another file has its own. */
  endOfFile(task: Pick<Task, "check">): void {
    for (const id of this.referenceOf.values()) this.resolve(this.tree.child(NONE, -2 - id), task);
    this.frameIds.clear();
    this.stackOf.clear();
    this.referenceOf.clear();
  }

  /** Each entry is looked at once, however many stacks go through it: a small file may name deep ones without end. */
  private stackOfId(innermost: string, task: Pick<Task, "check">): number {
    const path: { readonly id: string; readonly frame: number }[] = [];
    let found: number = NONE;
    for (let id: string | undefined = innermost; id !== undefined;) {
      const known = this.stackOf.get(id);
      found = known ?? NONE;
      const entry: StackFrame | undefined = known === undefined ? this.frameIds.get(id) : undefined;
      if (entry === undefined) break;
      if (path.length % FRAMES_BETWEEN_CHECKS === 0) task.check();
      this.stackOf.set(id, NONE); // callers in a circle end where it closes
      path.push({ id, frame: entry.frame });
      id = entry.parent;
    }
    for (const { id, frame } of path.reverse()) {
      found = this.tree.child(found, frame);
      this.stackOf.set(id, found);
    }
    return found;
  }
}
