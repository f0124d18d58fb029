import type { Entry, MeasuredTree, Measures } from "./measuredTree";
import type { FunctionTable } from "../model/functions";
import { NONE } from "../model/ids";
import type { MemberCells } from "../model/memberCells";
import type { Bars } from "./bars";
import { PairIndex, picked, pickedOrNone } from "./columns";
import type { FilteredTree } from "./filter";
import { GraphSums, LANES } from "./graphSums";

/**
 * What to measure: exclusive values as one number per context (a sum, a mean or one rank's), or the extreme over ranks of
 * every number.
 */
export type Measurement =
  | { readonly exclusive: Float64Array }
  | { readonly extreme: "max" | "min"; readonly cells: MemberCells };

/** @param functions function of each context of the whole tree, and how many functions there are */
export function measuredTree(
  kept: FilteredTree,
  bars: Bars,
  functions: Pick<FunctionTable, "ofContext" | "size">,
): MeasuredTree {
  const rowOf = picked(rowsAt(bars.entries, kept.size), bars.entryOf);
  const bar = picked(bars.ofContext, bars.entries);
  const original = picked(kept.original, bars.entries);
  const callee = picked(functions.ofContext, original);
  const entry = new Int32Array(bar.length);
  const entries: Entry[] = [];
  const entryIndex = new PairIndex(bars.size, functions.size);
  for (let row = 0; row < entry.length; row++) {
    entry[row] = entryIndex.get(bar[row], callee[row]);
    if (entry[row] !== NONE) continue;
    entry[row] = entries.push({ bar: bar[row], function: callee[row], context: original[row] }) - 1;
    entryIndex.set(bar[row], callee[row], entry[row]);
  }
  return {
    size: bar.length,
    parent: pickedOrNone(rowOf, picked(kept.parent, bars.entries)),
    bar,
    edge: bars.edgeOf,
    entry,
    rowOf: pickedOrNone(rowOf, kept.home),
    isHidden: marksElsewhere(kept.original, kept.home.length),
    entries,
  };
}

/** The row that each entry is; of other contexts nothing. */
function rowsAt(entries: Int32Array, contexts: number): Int32Array {
  const rows = new Int32Array(contexts);
  for (let row = 0; row < entries.length; row++) rows[entries[row]] = row;
  return rows;
}

/** 1 everywhere but at these places. */
function marksElsewhere(places: Int32Array, size: number): Uint8Array {
  const marks = new Uint8Array(size).fill(1);
  for (let at = 0; at < places.length; at++) marks[places[at]] = 0;
  return marks;
}

/**
 * Measures a graph. Sums run over contexts in the tree's order, then over rows, so they are the same bit for bit.
 */
export function measure(
  tree: MeasuredTree,
  bars: Pick<Bars, "size" | "source">,
  what: Measurement,
  check: () => void,
): Measures {
  return measuring(tree, bars, check)(what);
}

/** As {@link measure}, of many: what is summed where is found once. */
export function measuring(
  tree: MeasuredTree,
  bars: Pick<Bars, "size" | "source">,
  check: () => void,
): (what: Measurement) => Measures {
  const sums = new GraphSums(tree, bars);
  return (what) => measureOne(sums, what, check);
}

function measureOne(sums: GraphSums, what: Measurement, check: () => void): Measures {
  const numbers = new Float64Array(sums.count);
  if ("exclusive" in what) {
    check();
    sums.addColumn(what.exclusive);
    takeLane(numbers, sums.finish(), 0);
    return sums.measures(numbers);
  }
  const { cells, extreme } = what;
  const ranks = cells.start.length - 1;
  // What is added up for a few ranks stays in the cache.
  for (let rank = 0; rank < ranks; rank += LANES) {
    check();
    sums.addCells(cells, rank);
    const summed = sums.finish();
    for (let lane = 0; lane < LANES && rank + lane < ranks; lane++) {
      if (rank + lane === 0) takeLane(numbers, summed, lane);
      else if (extreme === "max") takeGreater(numbers, summed, lane);
      else takeLess(numbers, summed, lane);
    }
  }
  return sums.measures(numbers);
}

function takeLane(numbers: Float64Array, summed: Float64Array, lane: number): void {
  for (let at = 0, from = lane; at < numbers.length; at++, from += LANES) numbers[at] = summed[from];
}

function takeGreater(most: Float64Array, summed: Float64Array, lane: number): void {
  for (let at = 0, from = lane; at < most.length; at++, from += LANES)
    if (summed[from] > most[at]) most[at] = summed[from];
}

function takeLess(least: Float64Array, summed: Float64Array, lane: number): void {
  for (let at = 0, from = lane; at < least.length; at++, from += LANES)
    if (summed[from] < least[at]) least[at] = summed[from];
}
