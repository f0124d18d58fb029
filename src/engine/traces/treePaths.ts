import type { ContextTree } from "../../model/contextTree";
import { NONE } from "../../model/ids";
import { PairTable } from "../../model/pairTable";

/**
 * Calling contexts of open events for traces whose events were recorded with contexts (semantics 8). When an event has ended that others
 * began in, their contexts become those without it. The tree may lack such a path. Then the path gets a number from the tree's size on,
 * and its time belongs to the context that the event had before.
 */
export class TreePaths {
  /** Paths that the tree does not have, by parent and frame. */
  private readonly further = new PairTable();
  /** Pairs of such a path and the context to use in its place. */
  private readonly replaced = new PairTable();
  /** Context by parent and frame; NONE if the tree has no such context. */
  private readonly children = new Map<number, number>();

  constructor(private readonly tree: Pick<ContextTree, "size" | "parent" | "frame" | "end">) {}

  /** The context in the tree for a number that {@link move} returned. */
  contextOf(number: number): number {
    return number < this.tree.size ? number : this.replaced.second[number - this.tree.size];
  }

  /**
   * Gives an open event its context after the event below it has changed.
   *
   * @param number context of the event, or the result of an earlier call for it; NONE if it has no context
   * @param was number of the event below it until now
   * @param is number of the event below it from now on; NONE if there is no event below it
   * @returns the same number if its path does not go through `was`
   */
  move(number: number, was: number, is: number): number {
    if (number === NONE || was === NONE) return number;
    const outer = this.pathOf(was);
    const frames: number[] = [];
    let at = this.pathOf(number);
    for (; at !== outer && at !== NONE; at = this.parentOf(at)) frames.push(this.frameOf(at));
    if (at === NONE || frames.length === 0) return number;
    const found = frames.reduceRight((path, frame) => this.child(path, frame), is === NONE ? NONE : this.pathOf(is));
    const { size } = this.tree;
    return found < size ? found : size + this.replaced.numberOf(found, this.contextOf(number));
  }

  private pathOf(number: number): number {
    return number < this.tree.size ? number : this.replaced.first[number - this.tree.size];
  }

  private parentOf(path: number): number {
    const { size, parent } = this.tree;
    return path < size ? parent[path] : this.further.first[path - size];
  }

  private frameOf(path: number): number {
    const { size, frame } = this.tree;
    return path < size ? frame[path] : this.further.second[path - size];
  }

  private child(path: number, frame: number): number {
    const { size } = this.tree;
    const found = path < size ? this.childInTree(path, frame) : NONE;
    return found === NONE ? size + this.further.numberOf(path, frame) : found;
  }

  private childInTree(context: number, frame: number): number {
    // Contexts and frames of a file are far fewer than 2^26.
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
