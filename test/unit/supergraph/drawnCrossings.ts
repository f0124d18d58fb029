/** A drawn link: its flow, and the points that its middle goes through from left to right. */
export interface DrawnLink {
  readonly flow: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** The points of a flow of a layout, which has x and y one after the other. */
export function pointsOf(flat: readonly number[]): { x: number; y: number }[] {
  return Array.from({ length: flat.length / 2 }, (_, at) => ({ x: flat[2 * at], y: flat[2 * at + 1] }));
}

/** Places at which links are compared between neighbouring points of any of them. */
const SAMPLES = 4;

/**
 * Sum over all crossings of drawn links of the smaller flow. Between two points a link is the usual curve of a Sankey:
 * horizontal at both ends, bending half-way. Links are followed along their common stretch, and each change of which
 * one is above counts. Brute force over all pairs.
 */
export function drawnCrossings(links: readonly DrawnLink[]): number {
  const stops = [...new Set(links.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const places = stops.flatMap((stop, at) =>
    at === 0
      ? [stop]
      : Array.from(
          { length: SAMPLES },
          (_, sample) => stops[at - 1] + ((stop - stops[at - 1]) * (sample + 1)) / SAMPLES,
        ),
  );
  // NaN where a link is not: it is neither above nor below anything there.
  const heights = links.map((link) => Float64Array.from(places, (x) => heightAt(link, x)));
  let sum = 0;
  for (let a = 0; a < links.length; a++)
    for (let b = a + 1; b < links.length; b++)
      sum += changes(heights[a], heights[b]) * Math.min(links[a].flow, links[b].flow);
  return sum;
}

function changes(a: Float64Array, b: Float64Array): number {
  let above = 0;
  let count = 0;
  for (let at = 0; at < a.length; at++) {
    const difference = a[at] - b[at];
    const now = difference > 1e-6 ? 1 : difference < -1e-6 ? -1 : 0;
    if (now === 0) continue;
    if (above === -now) count++;
    above = now;
  }
  return count;
}

function heightAt({ points }: DrawnLink, x: number): number {
  if (x < points[0].x || x > points[points.length - 1].x) return NaN;
  let at = 1;
  while (at + 1 < points.length && points[at].x < x) at++;
  const [left, right] = [points[at - 1], points[at]];
  const share = (x - left.x) / (right.x - left.x);
  // The curve's parameter where it is at x: its x is 1.5 t − 1.5 t² + t³ of the way, which rises.
  let t = share;
  for (let step = 0; step < 6; step++) t -= (1.5 * t - 1.5 * t * t + t * t * t - share) / (1.5 - 3 * t + 3 * t * t);
  return left.y + (right.y - left.y) * (3 * t * t - 2 * t * t * t);
}
