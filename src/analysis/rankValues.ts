import type { DataSet } from "../model/dataSet";
import { NONE } from "../model/ids";
import { ranksOf } from "../model/locations";
import type { OverRanks } from "../model/metrics";
import type { SparseValues } from "../model/values";

/** Adds up exclusive values to numbers that a view shows: linear in its input, such as inclusive sums or sums by function. */
export type Summation = (exclusive: Float64Array) => Float64Array;

/**
 * The values of one metric, combined over the chosen ranks (semantics 1, "Over ranks").
 *
 * `sum` takes every location, or those of the chosen ranks; `mean` divides the ranks' sum by their number, an absent value
 * being 0; `max` and `min` are taken of each shown number, rank by rank, since extremes do not add up over children.
 * A recording without any rank counts as one rank, and so does a metric none of whose values has one.
 */
export class RankValues {
  /** Ranks that count, ascending; empty for a recording, or all of a metric, without ranks. */
  readonly ranks: readonly number[];
  private readonly byRank: RankColumns;
  private readonly values: SparseValues;
  private readonly contexts: number;

  /** @param dataSet the tree's size is the number of rows of its values */
  constructor(
    dataSet: Pick<DataSet, "values" | "locations"> & { readonly tree: { readonly size: number } },
    metric: number,
    chosen?: readonly number[],
  ) {
    this.values = dataSet.values[metric];
    this.contexts = dataSet.tree.size;
    const present = ranksOf(dataSet.locations);
    const wanted = chosen === undefined ? undefined : new Set(chosen);
    if (wanted !== undefined) this.ranks = present.filter((rank) => wanted.has(rank));
    else this.ranks = this.values.column.some((place) => dataSet.locations[place].rank !== NONE) ? present : [];
    this.byRank = new RankColumns(
      dataSet.locations.map((location) => location.rank),
      this.ranks,
      chosen === undefined || present.length === 0,
    );
  }

  /** How many ranks a mean divides by. */
  get rankCount(): number {
    return Math.max(1, this.ranks.length);
  }

  /** Exclusive sum of each context over the chosen ranks; values that are not finite are left out. */
  sums(): Float64Array {
    return this.collect(this.byRank.inSum);
  }

  /** Numbers of a view, combined over ranks as asked. */
  evaluate(over: OverRanks, summation: Summation): Float64Array {
    if (over === "sum") return summation(this.sums());
    if (this.ranks.length === 0)
      return typeof over === "string" ? summation(this.sums()) : summation(new Float64Array(this.contexts));
    if (over === "mean") {
      const numbers = summation(this.collect(this.byRank.inMean));
      for (let at = 0; at < numbers.length; at++) numbers[at] /= this.ranks.length;
      return numbers;
    }
    if (typeof over !== "string") return summation(this.ofRank(over.rank));
    let extremes: Float64Array | undefined;
    this.eachRank((_rank, exclusive) => {
      const numbers = summation(exclusive);
      if (extremes === undefined) extremes = numbers === exclusive ? numbers.slice() : numbers;
      else if (over === "max")
        for (let at = 0; at < numbers.length; at++) extremes[at] = Math.max(extremes[at], numbers[at]);
      else for (let at = 0; at < numbers.length; at++) extremes[at] = Math.min(extremes[at], numbers[at]);
    });
    return extremes ?? summation(new Float64Array(this.contexts));
  }

  /** Calls back with the exclusive values of each chosen rank, ascending; the array is used again for the next rank. */
  eachRank(visit: (rank: number, exclusive: Float64Array) => void): void {
    const columns = this.transposed();
    const exclusive = new Float64Array(this.contexts);
    for (let index = 0; index < this.ranks.length; index++) {
      exclusive.fill(0);
      for (let at = columns.start[index]; at < columns.start[index + 1]; at++)
        exclusive[columns.context[at]] += columns.value[at];
      visit(this.ranks[index], exclusive);
    }
  }

  /**
   * One number a chosen rank for a set of contexts: the sum of their exclusive values.
   *
   * @param contexts which contexts count, as half-open ranges of the preorder (`[context, end[context])` is a subtree)
   */
  perRank(contexts: Iterable<readonly [from: number, to: number]>): Float64Array {
    const sums = new Float64Array(this.rankCount);
    const { rowStart, column, value } = this.values;
    const indexOf = this.ranks.length === 0 ? this.byRank.single : this.byRank.rankIndex;
    for (const [from, to] of contexts) {
      for (let at = rowStart[from]; at < rowStart[to]; at++) {
        const index = indexOf[column[at]];
        if (index !== NONE && Number.isFinite(value[at])) sums[index] += value[at];
      }
    }
    return sums;
  }

  private ofRank(rank: number): Float64Array {
    const index = this.ranks.indexOf(rank);
    return this.collect(this.byRank.rankIndex.map((own) => (index !== NONE && own === index ? 1 : 0)));
  }

  private collect(taken: ArrayLike<number>): Float64Array {
    const { rowStart, column, value } = this.values;
    const sums = new Float64Array(this.contexts);
    for (let context = 0; context < this.contexts; context++) {
      let sum = 0;
      for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
        if (taken[column[at]] && Number.isFinite(value[at])) sum += value[at];
      }
      sums[context] = sum;
    }
    return sums;
  }

  private transposedOnce: { start: Int32Array; context: Int32Array; value: Float64Array } | undefined;

  private transposed() {
    if (this.transposedOnce) return this.transposedOnce;
    const { rowStart, column, value } = this.values;
    const { rankIndex } = this.byRank;
    const start = new Int32Array(this.ranks.length + 1);
    const counts = (at: number) => rankIndex[column[at]] !== NONE && Number.isFinite(value[at]);
    for (let at = 0; at < column.length; at++) if (counts(at)) start[rankIndex[column[at]] + 1]++;
    for (let index = 0; index < this.ranks.length; index++) start[index + 1] += start[index];
    const next = start.slice();
    const contextOf = new Int32Array(start[this.ranks.length]);
    const valueOf = new Float64Array(start[this.ranks.length]);
    for (let context = 0; context < this.contexts; context++) {
      for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
        if (!counts(at)) continue;
        const slot = next[rankIndex[column[at]]]++;
        contextOf[slot] = context;
        valueOf[slot] = value[at];
      }
    }
    this.transposedOnce = { start, context: contextOf, value: valueOf };
    return this.transposedOnce;
  }
}

/** Which locations count in what, by location. */
class RankColumns {
  /** Position among the chosen ranks, or {@link NONE}. */
  readonly rankIndex: Int32Array;
  /** A recording without ranks counts as one: every location is its rank 0. */
  readonly single: Int32Array;
  readonly inSum: Uint8Array;
  readonly inMean: Uint8Array;

  constructor(rankOfLocation: readonly number[], ranks: readonly number[], all: boolean) {
    const index = new Map(ranks.map((rank, at) => [rank, at]));
    this.rankIndex = Int32Array.from(rankOfLocation, (rank) => (rank === NONE ? NONE : (index.get(rank) ?? NONE)));
    this.single = new Int32Array(rankOfLocation.length);
    this.inMean = Uint8Array.from(this.rankIndex, (at) => (at === NONE ? 0 : 1));
    // A location without rank is part of sums, not of what is chosen by rank.
    this.inSum = all ? new Uint8Array(rankOfLocation.length).fill(1) : this.inMean;
  }
}
