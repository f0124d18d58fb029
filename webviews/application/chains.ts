/** Contexts that only call the next one. Pure. */
import type { ApplicationNode } from "../../src/protocol/application";

/** Share of a caller's inclusive from which on its only callee makes it part of a chain (semantics 16, rule 7, chain). */
const CHAIN_SHARE = 0.98;

/**
 * Chains of contexts that do nothing but call the next one: by the last context of each, its callers from the outermost on. A chain has
 * one label, as names side by side would say the same number again and again.
 */
export function chainsOf(
  nodes: readonly Pick<ApplicationNode, "parent" | "inclusive" | "folded">[],
): ReadonlyMap<number, readonly number[]> {
  const callees = new Int32Array(nodes.length);
  for (const { parent } of nodes) if (parent >= 0) callees[parent]++;
  const isOnly = ({ parent, inclusive }: (typeof nodes)[number]) =>
    parent >= 0 &&
    callees[parent] === 1 &&
    nodes[parent].folded.contexts === 0 &&
    inclusive >= CHAIN_SHARE * nodes[parent].inclusive;
  const chains = new Map<number, readonly number[]>();
  // Callers come before what they call.
  nodes.forEach((node, at) => {
    const before = isOnly(node) ? chains.get(node.parent) : undefined;
    if (before) chains.delete(node.parent);
    chains.set(at, before ? [...before, node.parent] : []);
  });
  return chains;
}
