import type { LevelOrder } from "./crossings";
import { sortByKey } from "./stableSort";
import { largestIn } from "../model/longLists";

/** Halvings of the scale: beyond what a pixel shows. */
const STEPS = 60;
/** Of a level's height, how much rooms for labels may take before the scale gives way only for bars that must have one. */
const LABEL_SHARE = 0.5;
/** A bar that is so high, of the height of a label, must have one. */
const MUST = 0.45;
/** The air around a label, which spaces give it where the drawing is not made smaller. */
const AROUND = 16;
/** Of what is left at the scale that was found, how much goes to labels of further bars. */
const REST_SHARE = 0.7;

export interface VerticalNeeds {
  readonly order: LevelOrder;
  /** Of each graph, one value per node, at least 0. */
  readonly amounts: readonly Float64Array[];
  /** What each level needs beside its nodes. */
  readonly spaces: readonly number[];
  readonly isBar: (node: number) => boolean;
  /** Height of a label. */
  readonly labelHeight: number;
  /** Above each graph. */
  readonly heading: number;
  /** Asked for. */
  readonly height: number;
  /** Not less than asked for: so high the graphs are together at least. */
  readonly least: number;
}

export interface VerticalRooms {
  /** Pixels a unit, the same for all graphs. */
  readonly scale: number;
  /** How high each graph is. */
  readonly highs: number[];
  /** Of each graph, the least height of each node: that of its label, or 0. */
  readonly least: Float64Array[];
}

/**
 * Pixels a unit such that the fullest level of each graph fits, and which bars have room for a label beside them: the heaviest of each
 * level, and every bar that is nearly half as high as a label. Where the height asked for is not enough for the spaces, the graphs are higher
 * together, and labels count as much more as the drawing will be made smaller to be seen whole.
 */
export function verticalRooms(needs: VerticalNeeds): VerticalRooms {
  const { order, amounts, spaces, isBar, heading, height: asked } = needs;
  const widest = largestIn(spaces) + heading;
  // At least half of the height asked for is for the bars themselves.
  const high = Math.max(needs.least, asked / 2 + amounts.length * widest);
  const smaller = high / asked;
  const labelHeight = needs.labelHeight === 0 ? 0 : needs.labelHeight * smaller + AROUND * (smaller - 1);
  const share = (high - amounts.length * heading) / amounts.length;
  const bars = order.map((nodes) => nodes.filter(isBar));
  const levelsOf = amounts.map((amount) => {
    const lightness = amount.map((value) => -value);
    return bars.map((nodes, level): Level => {
      const heaviest = nodes.slice();
      sortByKey(heaviest, lightness);
      const labels = labelHeight > 0 ? Math.floor((LABEL_SHARE * (share - spaces[level])) / labelHeight) : 0;
      return {
        space: spaces[level],
        sum: order[level].reduce((sum, node) => sum + amount[node], 0),
        heaviest,
        labelled: Math.min(heaviest.length, Math.max(0, labels)),
      };
    });
  });
  const needOf = (part: number, { space, sum, heaviest, labelled }: Level, scale: number) => {
    let need = space + sum * scale;
    for (let at = 0; at < labelled; at++) need += Math.max(0, labelHeight - amounts[part][heaviest[at]] * scale);
    return need;
  };
  const fullest = (part: number, scale: number) =>
    levelsOf[part].reduce((most, level) => Math.max(most, needOf(part, level, scale)), 0);
  const largest = () => {
    const total = (scale: number) => amounts.reduce((sum, _, part) => sum + heading + fullest(part, scale), 0);
    let [low, above] = [0, largestConceivable(levelsOf.flat(), high)];
    for (let step = 0; step < STEPS; step++) {
      const middle = (low + above) / 2;
      if (total(middle) <= high) low = middle;
      else above = middle;
    }
    return low;
  };
  let scale = largest();
  while (haveLabels(levelsOf, amounts, (amount) => amount * scale >= MUST * needs.labelHeight * smaller))
    scale = largest();
  const highs = amounts.map((_, part) => heading + fullest(part, scale));
  // A single graph has all of the height, and so has the last one, where there is nothing to draw.
  highs[highs.length - 1] += Math.max(0, high - highs.reduce((sum, one) => sum + one, 0));
  const least = amounts.map((amount, part) => {
    const rooms = new Float64Array(amount.length);
    for (const level of levelsOf[part]) {
      let rest = REST_SHARE * (highs[part] - heading - needOf(part, level, scale));
      while (level.labelled < level.heaviest.length) {
        rest -= Math.max(0, labelHeight - amount[level.heaviest[level.labelled]] * scale);
        if (rest < 0) break;
        level.labelled++;
      }
      for (let at = 0; at < level.labelled; at++) rooms[level.heaviest[at]] = labelHeight;
    }
    return rooms;
  });
  return { scale, highs, least };
}

/** A level of one graph. */
interface Level {
  readonly space: number;
  /** Of all its nodes' amounts. */
  readonly sum: number;
  /** Its bars, the heaviest first. */
  readonly heaviest: Int32Array;
  /** How many of these have room for a label. */
  labelled: number;
}

function largestConceivable(levels: readonly Level[], high: number): number {
  const most = levels.reduce((sum, level) => Math.max(sum, level.sum), 0);
  return most > 0 ? high / most : 0;
}

/** Gives room for a label to all bars that must have one. @returns whether any had none */
function haveLabels(
  levelsOf: readonly (readonly Level[])[],
  amounts: readonly Float64Array[],
  must: (amount: number) => boolean,
): boolean {
  let more = false;
  levelsOf.forEach((levels, part) => {
    for (const level of levels)
      while (level.labelled < level.heaviest.length && must(amounts[part][level.heaviest[level.labelled]])) {
        level.labelled++;
        more = true;
      }
  });
  return more;
}
