/** Chains: bars that do nothing but call one other are folded into it (semantics 2, rule 7). */
import { NONE } from "../../model/ids";
import { START } from "../../model/startGroup";
import { compareText } from "../../model/strings";
import type { CostedBars } from "./groupTree";
import { heavierFirst, type RunCosts } from "./runCosts";

/** Minimum share of both bars' inclusive cost that is in the flow between them. */
const MIN_FLOW_SHARE = 0.98;
/** Maximum exclusive and hidden cost of the upper bar of a chain, as a share of the total. */
const MAX_OWN_SHARE = 0.01;

/** Whether a flow has nearly all of the inclusive cost of one of its ends. */
export function hasMost(flow: number, inclusive: number): boolean {
  return flow >= MIN_FLOW_SHARE * inclusive;
}

/** Whether a bar with this exclusive and hidden cost may be folded into the one that it calls. */
export function isPassing(own: number, costs: RunCosts): boolean {
  return own < MAX_OWN_SHARE * costs.whole;
}

/** Groups of an attempt: those of functions, and one per folded chain. */
export class ChainGroups {
  /** The name of each group. A chain has the name of its lowest part. */
  readonly names: string[];
  private readonly chains = new Map<string, number>();
  private readonly pairs: (readonly [above: number, below: number] | undefined)[];

  constructor(names: readonly string[]) {
    this.names = [...names];
    this.pairs = names.map(() => undefined);
  }

  /** The group of two groups that are folded into one. */
  pair(above: number, below: number): number {
    const key = `${above} ${below}`;
    const known = this.chains.get(key);
    if (known !== undefined) return known;
    const made = this.names.push(this.names[below]) - 1;
    this.pairs.push([above, below]);
    this.chains.set(key, made);
    return made;
  }

  /** The groups that were folded into one, from the top. Only the group itself if it is no chain. */
  partsOf(group: number): number[] {
    const parts: number[] = [];
    const left = [group];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const pair = this.pairs[next];
      if (pair) left.push(pair[1], pair[0]);
      else parts.push(next);
    }
    return parts;
  }
}

/**
 * Keys of the groups above the lowest one of a chain, from the top.
 *
 * @param withStart includes the group of roots that are only on the way
 */
export function heldBy(groups: ChainGroups, group: number, withStart = false): string[] {
  const held = groups.partsOf(group).slice(0, -1);
  return held.map((part) => groups.names[part]).filter((name) => withStart || name !== START);
}

/**
 * Folds every chain of these bars: smallest level first, then the heaviest, then by name.
 *
 * @returns the new group of each bar that is part of a chain, NONE for others; undefined if there is no chain
 */
export function foldedGroups(costed: CostedBars, groups: ChainGroups, costs: RunCosts): Int32Array | undefined {
  const graph = new Folding(costed, groups, costs);
  while (graph.foldNext());
  return graph.groups();
}

class Folding {
  /** The bar that each bar was folded into. */
  private readonly into: Int32Array;
  private readonly group: Int32Array;
  private readonly inclusive: Float64Array;
  private readonly own: Float64Array;
  private readonly isChain: Uint8Array;
  /** Flow from each bar, by its target; in all runs. */
  private readonly flows: Map<number, Float64Array>[];

  constructor(
    private readonly costed: CostedBars,
    private readonly names: ChainGroups,
    private readonly costs: RunCosts,
  ) {
    const { bars, flow } = costed;
    this.into = Int32Array.from({ length: bars.size }, (_, bar) => bar);
    this.group = costed.group.slice();
    this.inclusive = costed.inclusive.slice();
    this.own = costed.own.slice();
    this.isChain = new Uint8Array(bars.size);
    this.flows = Array.from({ length: bars.size }, () => new Map<number, Float64Array>());
    const { runs } = costs;
    bars.source.forEach((source, edge) =>
      this.flows[source].set(bars.target[edge], flow.slice(edge * runs, (edge + 1) * runs)),
    );
  }

  groups(): Int32Array | undefined {
    if (!this.isChain.includes(1)) return undefined;
    return this.into.map((bar) => (this.isChain[bar] === 1 ? this.group[bar] : NONE));
  }

  /** @returns whether there was a chain */
  foldNext(): boolean {
    let first: readonly [above: number, below: number] | undefined;
    for (const [above, targets] of this.flows.entries())
      for (const [below, flow] of targets)
        if (this.isChainOf(above, below, flow) && (!first || this.compare(above, below, first) < 0))
          first = [above, below];
    if (first) this.fold(first[0], first[1]);
    return first !== undefined;
  }

  private compare(above: number, below: number, [otherAbove, otherBelow]: readonly [number, number]): number {
    const { bars } = this.costed;
    return (
      bars.level[above] - bars.level[otherAbove] ||
      heavierFirst(this.costs.at(this.inclusive, above), this.costs.at(this.inclusive, otherAbove)) ||
      compareText(this.names.names[this.group[above]], this.names.names[this.group[otherAbove]]) ||
      above - otherAbove ||
      below - otherBelow
    );
  }

  private isChainOf(above: number, below: number, flow: Float64Array): boolean {
    const { costs } = this;
    const value = costs.at(flow, 0);
    return (
      hasMost(value, costs.at(this.inclusive, above)) &&
      hasMost(value, costs.at(this.inclusive, below)) &&
      isPassing(costs.at(this.own, above), costs) &&
      !this.reachesOtherwise(above, below)
    );
  }

  /** Whether a path other than the flow between them leads from one to the other. */
  private reachesOtherwise(above: number, below: number): boolean {
    const seen = new Set(this.flows[above].keys());
    seen.delete(below);
    for (const bar of seen)
      for (const next of this.flows[bar].keys()) {
        if (next === below) return true;
        seen.add(next);
      }
    return false;
  }

  /** Folds the lower bar into the upper one. The result has the upper one's level and the lower one's name. */
  private fold(above: number, below: number): void {
    const { costs, flows } = this;
    this.group[above] = this.names.pair(this.group[above], this.group[below]);
    this.isChain[above] = 1;
    costs.add(this.own, above, this.own, below);
    costs.add(this.inclusive, above, this.inclusive, below);
    const between = flows[above].get(below);
    if (between) costs.subtract(this.inclusive, above, between, 0);
    flows[above].delete(below);
    for (const [target, flow] of flows[below]) this.addFlow(above, target, flow);
    flows[below].clear();
    for (const [source, targets] of flows.entries()) {
      const flow = targets.get(below);
      if (!flow) continue;
      targets.delete(below);
      this.addFlow(source, above, flow);
    }
    for (let bar = 0; bar < this.into.length; bar++) if (this.into[bar] === below) this.into[bar] = above;
  }

  private addFlow(source: number, target: number, flow: Float64Array): void {
    const known = this.flows[source].get(target);
    if (known) this.costs.add(known, 0, flow, 0);
    else this.flows[source].set(target, flow.slice());
  }
}
