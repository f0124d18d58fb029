/** What is known of every context on the path to one, while a tree is gone through. */
import type { ContextTree } from "./contextTree";
import { NONE } from "./ids";

/** Walks through a tree and keeps what is known of each context on the path. */
export class PathWalk<Part> {
  private readonly contexts: number[] = [];
  readonly parts: Part[] = [];

  constructor(
    private readonly tree: ContextTree,
    private readonly partOf: (context: number) => Part,
  ) {}

  /** Cheapest in preorder; values by iteration begin anew with each iteration. */
  moveTo(context: number): readonly Part[] {
    while (this.contexts.length > 0 && !this.holds(this.contexts[this.contexts.length - 1], context)) {
      this.contexts.pop();
      this.parts.pop();
    }
    const fresh: number[] = [];
    const known = this.contexts.at(-1) ?? NONE;
    for (let at = context; at !== known; at = this.tree.parent[at]) fresh.push(at);
    for (let at = fresh.length - 1; at >= 0; at--) {
      this.contexts.push(fresh[at]);
      this.parts.push(this.partOf(fresh[at]));
    }
    return this.parts;
  }

  private holds(context: number, other: number): boolean {
    return context <= other && other < this.tree.end[context];
  }
}
