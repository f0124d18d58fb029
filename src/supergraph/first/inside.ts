/** Costs of the functions inside the bars of a first picture. */
import { NONE } from "../../model/ids";
import type { Bars } from "../bars";
import type { FilteredTree } from "../filter";
import type { Measurement } from "../measure";
import type { FirstPicture } from "./firstPicture";

interface Insides {
  readonly kept: FilteredTree;
  readonly bars: Pick<Bars, "ofContext">;
  readonly contents: FirstPicture["contents"];
  readonly functions: { readonly ofContext: Int32Array };
}

/** Exclusive cost of the functions of each bar, in their order, in the measurement's unit. */
export function insideCosts({ kept, bars, contents, functions }: Insides, what: Measurement): number[][] {
  const starts: number[] = [];
  let size = 0;
  const rowOf = contents.map(({ inside }) => {
    starts.push(size);
    const rows = new Map<number, number>();
    for (const { functions: members } of inside) {
      for (const id of members) rows.set(id, size);
      size++;
    }
    return rows;
  });
  const rows = new Int32Array(kept.home.length).fill(NONE);
  for (let at = 0; at < kept.size; at++) {
    const context = kept.original[at];
    rows[context] = rowOf[bars.ofContext[at]].get(functions.ofContext[context]) ?? NONE;
  }
  const costs = "exclusive" in what ? summed(rows, what.exclusive, size) : extremes(rows, what, size);
  return contents.map(({ inside }, bar) => inside.map((_, at) => costs[starts[bar] + at]));
}

function summed(rows: Int32Array, values: Float64Array, size: number): Float64Array {
  const sums = new Float64Array(size);
  for (let context = 0; context < rows.length; context++)
    if (rows[context] !== NONE) sums[rows[context]] += values[context];
  return sums;
}

function extremes(
  rows: Int32Array,
  { cells, extreme }: Extract<Measurement, { extreme: unknown }>,
  size: number,
): Float64Array {
  const found = new Float64Array(size).fill(extreme === "max" ? -Infinity : Infinity);
  for (let member = 0; member + 1 < cells.start.length; member++) {
    const sums = new Float64Array(size);
    for (let at = cells.start[member]; at < cells.start[member + 1]; at++) {
      const row = rows[cells.context[at]];
      if (row !== NONE) sums[row] += cells.value[at];
    }
    for (let row = 0; row < size; row++)
      found[row] = extreme === "max" ? Math.max(found[row], sums[row]) : Math.min(found[row], sums[row]);
  }
  return found;
}
