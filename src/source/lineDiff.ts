import { diffArrays } from "diff";
import { HASH_START, addToHash, finishHash } from "./words";

/** Edits (removed plus added lines) that the exact diff follows; beyond it lines that are unique in both texts are the anchors. */
const MOST_EDITS = 800;
/** The same between two anchors. */
const MOST_EDITS_BETWEEN = 120;

/** A hash per line, blanks around it left out: code that is only indented anew is the same code. */
export function lineHashes(text: string): Int32Array {
  const lines = text.split(/\r\n|\r|\n/);
  return Int32Array.from(lines, (line) => {
    let hash = HASH_START;
    const trimmed = line.trim();
    for (let at = 0; at < trimmed.length; at++) {
      const unit = trimmed.charCodeAt(at);
      hash = addToHash(addToHash(hash, unit & 0xff), unit >> 8);
    }
    return finishHash(hash);
  });
}

/**
 * Matches the lines of two versions of a text.
 *
 * @param before hashes of the older lines
 * @param after hashes of the newer lines
 * @returns for each older line the newer one (0-based), -1 where it is gone; ascending
 */
export function matchLines(before: Int32Array, after: Int32Array): Int32Array {
  const matched = new Int32Array(before.length).fill(-1);
  matchRange(before, 0, before.length, after, 0, after.length, matched, MOST_EDITS, () => {
    // Too different for an exact diff: lines that are unique in both hold the rest in place.
    let [fromBefore, fromAfter] = [0, 0];
    for (const [b, a] of [...anchors(before, after), [before.length, after.length]]) {
      matchRange(before, fromBefore, b, after, fromAfter, a, matched, MOST_EDITS_BETWEEN, () => undefined);
      if (b < before.length) matched[b] = a;
      fromBefore = b + 1;
      fromAfter = a + 1;
    }
  });
  return matched;
}

function matchRange(
  before: Int32Array,
  beforeFrom: number,
  beforeTo: number,
  after: Int32Array,
  afterFrom: number,
  afterTo: number,
  matched: Int32Array,
  mostEdits: number,
  otherwise: () => void,
): void {
  while (beforeFrom < beforeTo && afterFrom < afterTo && before[beforeFrom] === after[afterFrom])
    matched[beforeFrom++] = afterFrom++;
  while (beforeFrom < beforeTo && afterFrom < afterTo && before[beforeTo - 1] === after[afterTo - 1])
    matched[--beforeTo] = --afterTo;
  if (beforeFrom === beforeTo || afterFrom === afterTo) return;
  const changes = diffArrays(
    Array.from(before.subarray(beforeFrom, beforeTo)),
    Array.from(after.subarray(afterFrom, afterTo)),
    { maxEditLength: mostEdits },
  );
  if (changes === undefined) return otherwise();
  for (const change of changes) {
    if (change.removed) beforeFrom += change.value.length;
    else if (change.added) afterFrom += change.value.length;
    else for (let step = 0; step < change.value.length; step++) matched[beforeFrom++] = afterFrom++;
  }
}

/** Pairs of lines that are unique in both texts, as many as keep their order (longest increasing sequence). */
function anchors(before: Int32Array, after: Int32Array): [number, number][] {
  const inBefore = uniqueLines(before);
  const inAfter = uniqueLines(after);
  const pairs: [number, number][] = [];
  for (const [hash, line] of inBefore) {
    const other = inAfter.get(hash);
    if (line >= 0 && other !== undefined && other >= 0) pairs.push([line, other]);
  }
  pairs.sort(([a], [b]) => a - b);
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, other], at) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]][1] < other) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[at] = tails[low - 1];
    tails[low] = at;
  });
  const kept: [number, number][] = [];
  for (let at = tails.length === 0 ? -1 : tails[tails.length - 1]; at >= 0; at = previous[at]) kept.push(pairs[at]);
  return kept.reverse();
}

/** Line of each hash that occurs once; -1 for one that occurs more often. */
function uniqueLines(hashes: Int32Array): Map<number, number> {
  const lines = new Map<number, number>();
  hashes.forEach((hash, line) => lines.set(hash, lines.has(hash) ? -1 : line));
  return lines;
}
