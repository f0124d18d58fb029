import type { ContextTree } from "../../model/contextTree";
import { NONE } from "../../model/ids";

/**
 * Contexts of events that were recorded with them, on the path that is open at a moment (semantics 8): after an event that others began
 * in has ended, their contexts are those without it.
 */
export class TreePaths {
  /** By parent and frame: the context, NONE if the tree has none. */
  private readonly children = new Map<number, number>();

  constructor(private readonly tree: Pick<ContextTree, "size" | "parent" | "frame" | "end">) {}

  /**
   * Moves the context of an open event along with the context of the event below it.
   *
   * @param context NONE if the event has none
   * @param was context of the event below it until now
   * @param is context of the event below it from now on; NONE if there is no event below it
   * @returns the same context if it does not lie below `was`, or if the tree has no such path
   */
  move(context: number, was: number, is: number): number {
    if (was === NONE || was === context) return context;
    const { parent, frame } = this.tree;
    const frames: number[] = [];
    let at = context;
    for (; at > was; at = parent[at]) frames.push(frame[at]);
    if (at !== was) return context;
    let found = is;
    for (let next = frames.length - 1; next >= 0; next--) {
      found = this.child(found, frames[next]);
      if (found === NONE) return context;
    }
    return found;
  }

  private child(context: number, frame: number): number {
    // Two 31-bit numbers would not fit: a tree of a file has far fewer contexts and frames.
    const key = (context + 1) * 2 ** 26 + frame;
    const known = this.children.get(key);
    if (known !== undefined) return known;
    const { size, end, frame: frames } = this.tree;
    const last = context === NONE ? size : end[context];
    let at = context + 1;
    while (at < last && frames[at] !== frame) at = end[at];
    const found = at < last ? at : NONE;
    this.children.set(key, found);
    return found;
  }
}
