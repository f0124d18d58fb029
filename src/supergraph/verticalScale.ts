import type { LevelOrder } from "./crossings";

/** Each step reaches another level for good: graphs have fewer that are the fullest in turn. */
const NEWTON_STEPS = 64;

/**
 * Pixels a unit, the same for all graphs, such that the fullest level of each fits; and how high each is with it. Where the
 * height asked for is not enough for their spaces, they are higher together.
 *
 * @param amounts of each graph, one value per node
 * @param spaces what each level needs beside its nodes
 */
export function verticalScale(
  order: LevelOrder,
  amounts: readonly Float64Array[],
  spaces: readonly number[],
  heading: number,
  asked: number,
): { scale: number; highs: number[] } {
  const widest = Math.max(...spaces) + heading;
  // At least half of the height asked for is for the bars themselves.
  const high = Math.max(asked, asked / 2 + amounts.length * widest);
  const sums = amounts.map((amount) => order.map((nodes) => nodes.reduce((all, node) => all + amount[node], 0)));
  const fullest = (part: number, scale: number) => {
    let most = 0;
    spaces.forEach((space, level) => {
      if (space + sums[part][level] * scale > spaces[most] + sums[part][most] * scale) most = level;
    });
    return most;
  };
  let scale = Infinity;
  for (const levels of sums)
    levels.forEach((sum, level) => {
      if (sum > 0) scale = Math.min(scale, (high - heading - spaces[level]) / sum);
    });
  if (!Number.isFinite(scale)) scale = 0;
  // What is needed grows with the scale piece by piece along straight lines: Newton's steps come down to where it fits.
  for (let step = 0; step < NEWTON_STEPS && amounts.length > 1 && scale > 0; step++) {
    let [fixed, growing] = [0, 0];
    sums.forEach((levels, part) => {
      const level = fullest(part, scale);
      fixed += heading + spaces[level];
      growing += levels[level];
    });
    const next = growing > 0 ? (high - fixed) / growing : 0;
    if (!(next < scale)) break;
    scale = next;
  }
  const highs = sums.map((levels, part) => {
    const level = fullest(part, scale);
    return heading + spaces[level] + levels[level] * scale;
  });
  // A single graph has all of the height, and so has the last one, where there is nothing to draw.
  const rest = high - highs.reduce((sum, one) => sum + one, 0);
  highs[highs.length - 1] += Math.max(0, rest);
  return { scale, highs };
}
