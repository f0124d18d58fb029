/** Where the names of a few lines stand among these. Pure. */
import type { CurveControl } from "../../../src/protocol/frame";
import type { Box } from "../stage/scene";
import { smallestIn } from "../../../src/model/longLists";

/** Half the width of a line's name, pixels. */
const HALF = 54;
/** Of places on a line, and nearer to another line than to the own one: the last that are taken. */
const CROSSED = 1000;
const OTHERS = 2000;
/** A line without its name. */
const NOWHERE = 4000;

/** Where one stands: its middle, and its baseline; undefined: it has no place. */
type Place = readonly [middle: number, baseline: number] | undefined;

/**
 * Names of the lines where they touch no line, as far as there is room, and no other name, each nearest to its own: whichever takes its place
 * first, so that both have good ones.
 */
export function labelsOf(lines: CurveControl["lines"], plot: Box): Place[] {
  const forwards = placed(lines, plot);
  if (forwards.cost < CROSSED) return forwards.places;
  const backwards = placed([...lines].reverse(), plot);
  return backwards.cost < forwards.cost ? backwards.places.reverse() : forwards.places;
}

/** One after the other. */
function placed(
  lines: CurveControl["lines"],
  { x: left, y: top, width, height }: Box,
): { readonly places: Place[]; readonly cost: number } {
  const y = (share: number) => top + (1 - share) * height;
  /** Height of a line at a pixel. */
  const heightAt = ({ values }: CurveControl["lines"][number], pixel: number) => {
    const step = ((pixel - left) / width) * (values.length - 1);
    const [from, to] = [values[Math.floor(step)], values[Math.ceil(step)]];
    return y(from + (to - from) * (step - Math.floor(step)));
  };
  const taken: (readonly [number, number])[] = [];
  let cost = 0;
  const places = lines.map((own): Place => {
    let best: readonly [number, number] | undefined;
    let least = Infinity;
    for (let middle = left + HALF; middle <= left + width - HALF; middle += 8)
      for (let baseline = top + 10; baseline <= top + height - 3; baseline += 3) {
        const isNear = taken.some(([x, other]) => Math.abs(x - middle) < 2 * HALF && Math.abs(other - baseline) < 13);
        const pixels = Array.from({ length: 15 }, (_, at) => middle + (at / 7 - 1) * HALF);
        const isCrossed = lines.some((line) =>
          pixels.some((pixel) => {
            const at = heightAt(line, pixel);
            return at > baseline - 10 && at < baseline + 3;
          }),
        );
        if (isNear) continue;
        // Never beyond another line.
        const isBeyond = lines.some((line) => {
          const [at, owns] = [heightAt(line, middle), heightAt(own, middle)];
          return line !== own && (owns < at ? baseline > at : baseline - 8 < at);
        });
        if (isBeyond) continue;
        const distance = (line: CurveControl["lines"][number]) =>
          pixels.reduce((sum, pixel) => sum + Math.abs(heightAt(line, pixel) - baseline + 4), 0);
        const isOthers = lines.some((line) => line !== own && distance(line) <= distance(own));
        const far = smallestIn(pixels.map((pixel) => Math.abs(heightAt(own, pixel) - baseline + 4)));
        // On a line it is read, too, by its halo: where there is no other place.
        const away =
          far + Math.abs(middle - left - width / 2) / 20 + (isCrossed ? CROSSED : 0) + (isOthers ? OTHERS : 0);
        if (away >= least) continue;
        least = away;
        best = [middle, baseline];
      }
    if (best) taken.push(best);
    cost += best ? least : NOWHERE;
    return best;
  });
  return { places, cost };
}
