/** A drawn link: its flow, and the points that its middle goes through from left to right. */
export interface DrawnLink {
  readonly flow: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Places at which two links are compared between neighbouring points of either. */
const SAMPLES = 5;

/**
 * Sum over all crossings of drawn links of the smaller flow. Between two points a link is the usual curve of a
 * Sankey: horizontal at both ends, bending half-way. Links are followed along their common stretch, and each change of
 * which one is above counts. Brute force over all pairs.
 */
export function drawnCrossings(links: readonly DrawnLink[]): number {
  let sum = 0;
  for (let a = 0; a < links.length; a++)
    for (let b = a + 1; b < links.length; b++)
      sum += changes(links[a], links[b]) * Math.min(links[a].flow, links[b].flow);
  return sum;
}

function changes(a: DrawnLink, b: DrawnLink): number {
  const from = Math.max(a.points[0].x, b.points[0].x);
  const to = Math.min(a.points[a.points.length - 1].x, b.points[b.points.length - 1].x);
  if (to <= from) return 0;
  const stops = [from, to, ...a.points.map(({ x }) => x), ...b.points.map(({ x }) => x)]
    .filter((x) => x >= from && x <= to)
    .sort((x, y) => x - y);
  let above = 0;
  let count = 0;
  for (let stop = 0; stop + 1 < stops.length; stop++) {
    for (let sample = 0; sample <= SAMPLES; sample++) {
      const x = stops[stop] + ((stops[stop + 1] - stops[stop]) * sample) / SAMPLES;
      const difference = heightAt(a, x) - heightAt(b, x);
      if (Math.abs(difference) < 1e-6) continue;
      if (above !== 0 && Math.sign(difference) !== above) count++;
      above = Math.sign(difference);
    }
  }
  return count;
}

function heightAt({ points }: DrawnLink, x: number): number {
  let at = 1;
  while (at + 1 < points.length && points[at].x < x) at++;
  const [left, right] = [points[at - 1], points[at]];
  if (right.x <= left.x) return right.y;
  const share = Math.min(1, Math.max(0, (x - left.x) / (right.x - left.x)));
  // The curve's parameter where it is at x: its x is 1.5 t − 1.5 t² + t³ of the way, which rises.
  let t = share;
  for (let step = 0; step < 8; step++) t -= (1.5 * t - 1.5 * t * t + t * t * t - share) / (1.5 - 3 * t + 3 * t * t);
  return left.y + (right.y - left.y) * (3 * t * t - 2 * t * t * t);
}
