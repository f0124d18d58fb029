/** The rectangles of a message, made fit to be looked up: children, neighbours, what lies at a place. Pure. */
import type { FlamesMessage } from "../../src/protocol/flameGraph";
import { visible } from "../shared/text";

/** Bits of a rectangle's flags, as the engine sets them. */
const FOUND = 1;
const OUTGOING = 2;
const HIDDEN = 4;
const NARROW = 8;

export type Step = "up" | "down" | "left" | "right" | "first" | "last";

export class Rectangles {
  readonly count: number;
  private readonly children: number[][];
  private readonly roots: number[] = [];
  private readonly byDepth = new Map<number, number[]>();

  constructor(readonly message: FlamesMessage) {
    this.count = message.depth.length;
    this.children = Array.from({ length: this.count }, () => []);
    for (let at = 0; at < this.count; at++) {
      const above = message.parent[at];
      (above < 0 ? this.roots : this.children[above]).push(at);
      const level = this.byDepth.get(message.depth[at]);
      if (level) level.push(at);
      else this.byDepth.set(message.depth[at], [at]);
    }
  }

  name(at: number): string {
    const { names, name, together } = this.message;
    return together[at] > 1 ? `${together[at].toLocaleString("en")} more` : visible(names[name[at]]);
  }

  isFound = (at: number) => (this.message.flags[at] & FOUND) !== 0;
  isOutgoing = (at: number) => (this.message.flags[at] & OUTGOING) !== 0;
  isHidden = (at: number) => (this.message.flags[at] & HIDDEN) !== 0;
  isNarrow = (at: number) => (this.message.flags[at] & NARROW) !== 0;
  isRun = (at: number) => this.message.together[at] > 1;

  /** The group's name; undefined where rectangles are not coloured by group, or it has no colour of its own. */
  group(at: number): string | undefined {
    const group = this.message.groups.at(this.message.group[at]);
    return this.message.group[at] < 0 || group === undefined ? undefined : visible(group);
  }

  /** The rectangle with this number, unless it is drawn together with others. */
  withNode(node: number): number | undefined {
    const at = this.message.node.indexOf(node);
    return at < 0 ? undefined : at;
  }

  /** What lies at a level and a share of the width. */
  at(depth: number, share: number): number | undefined {
    const { x, width } = this.message;
    const level = this.byDepth.get(depth) ?? [];
    let [low, high] = [0, level.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x[level[middle]] + width[level[middle]] <= share) low = middle + 1;
      else high = middle;
    }
    const found = level.at(low);
    return found !== undefined && low < level.length && x[found] <= share ? found : undefined;
  }

  /** Where an arrow key leads: to the caller, the widest callee, or the next at the same level. */
  neighbour(at: number, step: Step): number {
    const { parent, width, depth } = this.message;
    const level = this.byDepth.get(depth[at]) ?? [];
    const place = level.indexOf(at);
    switch (step) {
      case "up":
        return parent[at] < 0 ? at : parent[at];
      case "down":
        return this.children[at].reduce(
          (best, child) => (best === at || width[child] > width[best] ? child : best),
          at,
        );
      case "left":
        return level[Math.max(0, place - 1)];
      case "right":
        return level[Math.min(level.length - 1, place + 1)];
      case "first":
        return this.roots[0] ?? at;
      case "last":
        return level[level.length - 1];
    }
  }

  /** Which of the siblings it is, from 1, and how many there are. */
  position(at: number): { position: number; count: number } {
    const above = this.message.parent[at];
    const siblings = above < 0 ? this.roots : this.children[above];
    return { position: siblings.indexOf(at) + 1, count: siblings.length };
  }
}
