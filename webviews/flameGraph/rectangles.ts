/** The rectangles of a drawing, made fit to be looked up: what they are called, children, neighbours. Pure. */
import { type FlameContent, flameMark, type FlamePaneContent, ofFlameMark } from "../../src/protocol/flameGraph";
import type { Place } from "../../src/protocol/panel";
import { visible } from "../shared/text";

/** Bits of a rectangle's flags, as the engine sets them. */
const FOUND = 1;
const OUTGOING = 2;
const HIDDEN = 4;
const NARROW = 8;
const FRESH = 16;
const NAMELESS = 32;
const KERNEL = 64;

export class Rectangles {
  readonly count: number;
  private readonly children: number[][];
  private readonly byDepth = new Map<number, number[]>();
  private readonly byNode = new Map<number, number>();

  constructor(
    readonly content: FlameContent,
    readonly pane: FlamePaneContent,
    /** Its place among those of the content. */
    readonly number: number,
  ) {
    const { depth, parent, node } = pane;
    this.count = depth.length;
    this.children = Array.from({ length: this.count }, () => []);
    for (let at = 0; at < this.count; at++) {
      if (parent[at] >= 0) this.children[parent[at]].push(at);
      const level = this.byDepth.get(depth[at]);
      if (level) level.push(at);
      else this.byDepth.set(depth[at], [at]);
      this.byNode.set(node[at], at);
    }
  }

  name(at: number): string {
    const { names, name, together } = this.pane;
    return together[at] > 1 ? `${together[at].toLocaleString("en")} more` : visible(names[name[at]]);
  }

  /** What is shown of its name. */
  label(at: number): string {
    const { shown, name, together, frames } = this.pane;
    const text = shown && together[at] === 1 ? visible(shown[name[at]]) : this.name(at);
    return together[at] === 1 && frames[at] > 1 ? `${text} ×${frames[at].toLocaleString("en")}` : text;
  }

  mark(at: number): number {
    return flameMark(this.number, this.pane.node[at]);
  }

  place(at: number): Place {
    const { x, width, depth } = this.pane;
    return { mark: this.mark(at), x: x[at], width: width[at], row: depth[at] };
  }

  isFound = (at: number) => (this.pane.flags[at] & FOUND) !== 0;
  isOutgoing = (at: number) => (this.pane.flags[at] & OUTGOING) !== 0;
  isHidden = (at: number) => (this.pane.flags[at] & HIDDEN) !== 0;
  isNameless = (at: number) => !this.isRun(at) && (this.pane.flags[at] & NAMELESS) !== 0;
  isKernel = (at: number) => !this.isRun(at) && (this.pane.flags[at] & KERNEL) !== 0;
  isNarrow = (at: number) => (this.pane.flags[at] & NARROW) !== 0;
  isRun = (at: number) => this.pane.together[at] > 1;

  /** The group's name; undefined where rectangles are not coloured by group, or it has no colour of its own. */
  group(at: number): string | undefined {
    const group = this.pane.group[at];
    return group < 0 ? undefined : this.content.groups.at(group);
  }

  /** Exclusive in the baseline; null: that has none of it, undefined: nothing is compared. */
  baseline = (at: number): number | null | undefined =>
    (this.pane.flags[at] & FRESH) === 0 || this.isRun(at) ? this.pane.baseline?.[at] : null;

  /** Candidate − baseline, of the exclusive; undefined where nothing is compared. */
  difference = (at: number): number | undefined => {
    const { baseline, exclusive } = this.pane;
    return baseline && exclusive[at] - baseline[at];
  };

  withNode(node: number): number | undefined {
    return this.byNode.get(node);
  }

  above(at: number): number | undefined {
    const above = this.pane.parent[at];
    return above < 0 ? undefined : above;
  }

  /** The way from it to the first level. */
  pathTo(at: number): number[] {
    const path: number[] = [];
    for (let above = this.above(at); above !== undefined; above = this.above(above)) path.push(above);
    return path;
  }

  /** What it calls (of callers: who calls it), widest first. */
  allBelow(at: number): number[] {
    const { width } = this.pane;
    return this.children[at].slice().sort((a, b) => width[b] - width[a]);
  }

  /** The widest of {@link allBelow}. */
  below(at: number): number | undefined {
    return this.allBelow(at).at(0);
  }

  /** The next of the same level. @param by 1: to the right, -1: to the left */
  beside(at: number, by: 1 | -1): number {
    const level = this.byDepth.get(this.pane.depth[at]) ?? [];
    return level[Math.max(0, Math.min(level.length - 1, level.indexOf(at) + by))];
  }
}

const known = new WeakMap<FlameContent, readonly Rectangles[]>();

export function rectanglesOf(content: FlameContent): readonly Rectangles[] {
  let all = known.get(content);
  if (!all) known.set(content, (all = content.panes.map((pane, at) => new Rectangles(content, pane, at))));
  return all;
}

/** The rectangle of a mark; undefined where the content does not have it. */
export function rectangleOf(
  content: FlameContent,
  mark: number,
): { readonly rectangles: Rectangles; readonly at: number } | undefined {
  const { pane, node } = ofFlameMark(mark);
  const rectangles = rectanglesOf(content).at(pane);
  const at = rectangles?.withNode(node);
  return rectangles && at !== undefined ? { rectangles, at } : undefined;
}
