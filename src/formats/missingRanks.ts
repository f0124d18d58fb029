import type { Warning } from "../model/dataSet";
import { cutList } from "../model/texts";

/** So many characters of a list of ranks. */
const MAX_LIST = 100;

/**
 * Says that files of a run are missing. A single file says nothing: it was chosen as it is.
 *
 * @param ranks of the files, in any order, also more than once
 * @param worldSize number of ranks of the run, undefined if it is not known
 */
export function missingRanks(ranks: readonly number[], worldSize: number | undefined): Warning[] {
  const recorded = new Set(ranks);
  // A smaller world than the ranks that are there is no world of this run.
  if (worldSize === undefined || recorded.size < 2 || ranks.some((rank) => rank >= worldSize)) return [];
  const missing = worldSize - recorded.size;
  if (missing === 0) return [];
  return [{ message: `files of ${missing} of ${worldSize} ranks are missing: ${listOf(recorded, worldSize)}` }];
}

/** The ranks that are not recorded, as ranges. A world may have millions of them: those of the list are found, and no more. */
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
