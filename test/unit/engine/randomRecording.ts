import { type Cost, openRecording } from "./recordings";

/**
 * A recording of up to 30 costs, whole quarters of a second, so that sums are exact in any order; its functions recurse.
 *
 * @param ranks -1: of no rank; the others have a cost at the root each, so that none is missing
 */
export function randomRecording(seed: number, ranks: readonly number[]) {
  const next = generator(seed);
  const path = () => ["main", ...Array.from({ length: next(4) }, () => "abc"[next(3)])];
  const random = Array.from({ length: 1 + next(30) }, (): Cost => [path(), ranks[next(ranks.length)], next(9) / 4]);
  const roots = ranks.filter((rank) => rank >= 0).map((rank): Cost => [["start"], rank, 1]);
  const costs = [...roots, ...random];
  return { costs, ...openRecording(costs) };
}

/** Whole numbers below a bound, by a linear congruence. */
function generator(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
