/** Which bar of one graph each bar of another was made from: where it begins when one turns into the other. */
import { NONE } from "../model/ids";
import type { GraphStructure } from "./superGraph";

/**
 * For each bar of `after` the bar of `before` that holds most of its contexts' exclusive, most of its contexts where these
 * weigh nothing or the same, and the first one of several. Both graphs are of one calling context tree.
 *
 * @returns indices of bars of `before`; NONE where none of a bar's contexts was there
 */
export function barOrigins(before: GraphStructure, after: GraphStructure): Int32Array {
  const width = before.bars.size;
  const shared = new Map<number, { exclusive: number; contexts: number }>();
  const { exclusive } = after.basis;
  after.kept.original.forEach((context, at) => {
    const home = before.kept.home[context];
    if (home === NONE || before.kept.original[home] !== context) return;
    const key = after.bars.ofContext[at] * width + before.bars.ofContext[home];
    const sums = shared.get(key) ?? { exclusive: 0, contexts: 0 };
    sums.exclusive += Math.max(0, exclusive[context]);
    sums.contexts++;
    shared.set(key, sums);
  });
  const origin = new Int32Array(after.bars.size).fill(NONE);
  const most = Array.from({ length: after.bars.size }, () => ({ exclusive: -1, contexts: 0 }));
  for (const [key, sums] of [...shared].sort(([a], [b]) => a - b)) {
    const bar = Math.floor(key / width);
    const known = most[bar];
    const isMore =
      sums.exclusive > known.exclusive || (sums.exclusive === known.exclusive && sums.contexts > known.contexts);
    if (!isMore) continue;
    most[bar] = sums;
    origin[bar] = key % width;
  }
  return origin;
}
