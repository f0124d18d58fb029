import type { ContextTree } from "../model/contextTree";
import { NONE } from "../model/ids";

/** Why a hot path ends where it does. */
export type HotPathEnd =
  /** It calls nothing. */
  | { readonly why: "leaf" }
  /** It has no positive value that anything could have a share of. */
  | { readonly why: "nothing" }
  /** Its heaviest child keeps less than the threshold. */
  | { readonly why: "share"; readonly heaviest: number; readonly share: number };

export interface HotPathWalk {
  /** From the context that it begins at to the one that it ends at; at least one. */
  readonly contexts: Int32Array;
  readonly end: HotPathEnd;
}

/**
 * Walks down a calling context tree to the deepest context that keeps enough of its parent's inclusive value, at each step to
 * the heaviest child; of equal ones to the first in canonical order.
 *
 * @param inclusive one value per context, any unit
 * @param from where it begins
 * @param threshold the least share of the parent that goes on, 0 to 1
 */
export function walkHotPath(
  tree: Pick<ContextTree, "end">,
  inclusive: Float64Array,
  from: number,
  threshold: number,
): HotPathWalk {
  const contexts = [from];
  for (let context = from; ;) {
    const next = stepFrom(tree, inclusive, context, threshold);
    if (typeof next !== "number") return { contexts: Int32Array.from(contexts), end: next };
    contexts.push(next);
    context = next;
  }
}

/** The child that the path goes on to, or why it ends here. */
function stepFrom(
  { end }: Pick<ContextTree, "end">,
  inclusive: Float64Array,
  context: number,
  threshold: number,
): number | HotPathEnd {
  let heaviest: number = NONE;
  for (let child = context + 1; child < end[context]; child = end[child])
    if (heaviest === NONE || inclusive[child] > inclusive[heaviest]) heaviest = child;
  if (heaviest === NONE) return { why: "leaf" };
  if (!(inclusive[context] > 0)) return { why: "nothing" };
  const share = inclusive[heaviest] / inclusive[context];
  return share >= threshold ? heaviest : { why: "share", heaviest, share };
}

/** The context with the largest value, the first where several are equal; {@link NONE} of none. */
export function heaviestOf(contexts: Iterable<number>, inclusive: Float64Array): number {
  let heaviest: number = NONE;
  for (const context of contexts) if (heaviest === NONE || inclusive[context] > inclusive[heaviest]) heaviest = context;
  return heaviest;
}
