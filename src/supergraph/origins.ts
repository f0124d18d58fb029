/** Which bar of one graph each bar of another was made from: where it begins when one turns into the other. */
import { NONE } from "../model/ids";
import { PairIndex } from "./columns";
import type { GraphStructure } from "./superGraph";

/**
 * For each bar of `after` the bar of `before` that holds most of its contexts' exclusive, most of its contexts where these
 * weigh nothing or the same, and the first one of several. Both graphs are of one calling context tree.
 *
 * @returns indices of bars of `before`; NONE where none of a bar's contexts was there
 */
export function barOrigins(before: GraphStructure, after: GraphStructure): Int32Array {
  const pairs = new PairIndex(after.bars.size, before.bars.size);
  const shared: { readonly bar: number; readonly from: number; exclusive: number; contexts: number }[] = [];
  const { exclusive } = after.basis;
  const { original } = after.kept;
  for (let at = 0; at < original.length; at++) {
    const context = original[at];
    const home = before.kept.home[context];
    if (home === NONE || before.kept.original[home] !== context) continue;
    const bar = after.bars.ofContext[at];
    const from = before.bars.ofContext[home];
    let pair = pairs.get(bar, from);
    if (pair === NONE) pairs.set(bar, from, (pair = shared.push({ bar, from, exclusive: 0, contexts: 0 }) - 1));
    const sums = shared[pair];
    sums.exclusive += Math.max(0, exclusive[context]);
    sums.contexts++;
  }
  const origin = new Int32Array(after.bars.size).fill(NONE);
  const most = Array.from({ length: after.bars.size }, () => ({ exclusive: -1, contexts: 0 }));
  for (const sums of shared.sort((a, b) => a.bar - b.bar || a.from - b.from)) {
    const known = most[sums.bar];
    const isMore =
      sums.exclusive > known.exclusive || (sums.exclusive === known.exclusive && sums.contexts > known.contexts);
    if (!isMore) continue;
    most[sums.bar] = sums;
    origin[sums.bar] = sums.from;
  }
  return origin;
}
