import type { Warning } from "../model/dataSet";
import { cutList } from "../model/texts";

/** Characters of a list of ranks in a message. */
const MAX_LIST = 100;

/**
 * Warns if files of a run are missing. There is no warning for a single file: it was opened on purpose.
 *
 * @param ranks ranks of the files, in any order, with duplicates
 * @param worldSize number of ranks of the run, undefined if it is not known
 */
export function missingRanks(ranks: readonly number[], worldSize: number | undefined): Warning[] {
  const recorded = new Set(ranks);
  // A world size below a recorded rank is not that of this run.
  if (worldSize === undefined || recorded.size < 2 || ranks.some((rank) => rank >= worldSize)) return [];
  const missing = worldSize - recorded.size;
  if (missing === 0) return [];
  return [{ message: `files of ${missing} of ${worldSize} ranks are missing: ${listOf(recorded, worldSize)}` }];
}

/** Missing ranks as ranges. Stops at the list's length: a run may have millions of ranks. */
function listOf(recorded: ReadonlySet<number>, worldSize: number): string {
  const ranges: string[] = [];
  const ends = [...recorded, worldSize].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    if (ranges.length > MAX_LIST) break;
    if (end - 1 > from) ranges.push(`${from}–${end - 1}`);
    else if (end > from) ranges.push(`${from}`);
    from = end + 1;
  }
  return cutList(ranges.join(", "), MAX_LIST);
}
