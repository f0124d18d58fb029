import type { DataSet } from "../model/dataSet";
import { NONE } from "../model/ids";
import { cellsByMember, type MemberCells } from "../model/memberCells";
import { type Chosen, chosenMembers, type Members } from "../model/members";
import type { OverRanks } from "../model/metrics";
import type { SparseValues } from "../model/values";
import { sumsByMember } from "./memberValues";

/** Adds up exclusive values to numbers that a view shows: linear in its input, such as inclusive sums or sums by function. */
export type Summation = (exclusive: Float64Array) => Float64Array;

/**
 * The values of one metric, combined over the chosen ranks (semantics 1, "Over ranks").
 *
 * `sum` takes every location, or those of the chosen ranks; `mean` divides the ranks' sum by their number, an absent value
 * being 0; `max` and `min` are taken of each shown number, rank by rank, since extremes do not add up over children.
 * A recording without any rank counts as one rank, and so does a metric none of whose values has one. Where threads or GPU
 * streams were chosen, these stand where ranks do.
 */
export class RankValues {
  /** The ranks that count, or what was chosen instead; without any for a recording, or all of a metric, without ranks. */
  readonly members: Members;
  private readonly columns: MemberColumns;
  private readonly values: SparseValues;
  private readonly contexts: number;

  /** @param dataSet the tree's size is the number of rows of its values */
  constructor(
    private readonly dataSet: Pick<DataSet, "values" | "locations"> & { readonly tree: { readonly size: number } },
    metric: number,
    chosen?: Chosen,
  ) {
    this.values = dataSet.values[metric];
    this.contexts = dataSet.tree.size;
    const members = chosenMembers(dataSet.locations, chosen);
    const isOfRanks = chosen === undefined || chosen.by === "rank";
    const present = isOfRanks ? withUnranked(members, dataSet.locations) : members;
    const hasAny = chosen !== undefined || this.values.column.some((place) => present.of[place] !== NONE);
    this.members = hasAny ? present : { ...present, keys: [], of: new Int32Array(present.of.length).fill(NONE) };
    this.columns = new MemberColumns(this.members, chosen === undefined || dataSet.locations.every(isUnranked(chosen)));
  }

  /** How many ranks a mean divides by. */
  get rankCount(): number {
    return Math.max(1, this.members.keys.length);
  }

  /** Exclusive sum of each context over the chosen ranks; values that are not finite are left out. */
  sums(): Float64Array {
    return this.collect(this.columns.inSum);
  }

  /** Numbers of a view, combined over ranks as asked. */
  evaluate(over: OverRanks, summation: Summation): Float64Array {
    if (over === "sum") return summation(this.sums());
    if (this.members.keys.length === 0)
      return typeof over === "string" ? summation(this.sums()) : summation(new Float64Array(this.contexts));
    if (over === "mean") {
      const numbers = summation(this.collect(this.columns.inMean));
      for (let at = 0; at < numbers.length; at++) numbers[at] /= this.members.keys.length;
      return numbers;
    }
    if (typeof over !== "string") return summation(this.ofRank(over.rank));
    let extremes: Float64Array | undefined;
    this.eachRank((_member, exclusive) => {
      const numbers = summation(exclusive);
      if (extremes === undefined) extremes = numbers === exclusive ? numbers.slice() : numbers;
      else if (over === "max")
        for (let at = 0; at < numbers.length; at++) extremes[at] = Math.max(extremes[at], numbers[at]);
      else for (let at = 0; at < numbers.length; at++) extremes[at] = Math.min(extremes[at], numbers[at]);
    });
    return extremes ?? summation(new Float64Array(this.contexts));
  }

  /** Calls back with the exclusive values of each member, in order; the array is used again for the next one. */
  eachRank(visit: (member: number, exclusive: Float64Array) => void): void {
    const cells = this.cells();
    const exclusive = new Float64Array(this.contexts);
    for (let index = 0; index < this.members.keys.length; index++) {
      exclusive.fill(0);
      for (let at = cells.start[index]; at < cells.start[index + 1]; at++)
        exclusive[cells.context[at]] += cells.value[at];
      visit(index, exclusive);
    }
  }

  /**
   * One number a chosen rank for a set of contexts: the sum of their exclusive values.
   *
   * @param contexts which contexts count, as half-open ranges of the preorder (`[context, end[context])` is a subtree)
   */
  perRank(contexts: Iterable<readonly [from: number, to: number]>): Float64Array {
    const { keys } = this.members;
    return sumsByMember(this.values, keys.length === 0 ? this.columns.single : this.members, contexts);
  }

  private ofRank(rank: number): Float64Array {
    const { locations } = this.dataSet;
    const key = this.members.keys.indexOf(`${rank}`);
    const isOfRank = (at: number) =>
      this.members.by === "rank" ? this.members.of[at] === key : locations[at].rank === rank;
    return this.collect(this.columns.inMean.map((counts, at) => (counts && isOfRank(at) ? 1 : 0)));
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

  private cellsOnce: MemberCells | undefined;

  /** The values by member, to go through them one member after the other. */
  cells(): MemberCells {
    const { keys, of } = this.members;
    return (this.cellsOnce ??= cellsByMember(this.values, of, keys.length));
  }
}

/** Where exactly one rank is known, values without a rank are that rank's (semantics 1, No rank). */
function withUnranked(members: Members, locations: DataSet["locations"]): Members {
  const isOnly = members.keys.length === 1 && new Set(locations.map(({ rank }) => rank).filter(isRank)).size === 1;
  if (!isOnly) return members;
  return { ...members, of: members.of.map((member, at) => (locations[at].rank === NONE ? 0 : member)) };
}

function isRank(rank: number): boolean {
  return rank !== NONE;
}

/** A recording without ranks has nothing that a restriction to ranks could leave out. */
function isUnranked({ by }: Chosen): (location: { readonly rank: number }) => boolean {
  return ({ rank }) => by === "rank" && rank === NONE;
}

/** Which locations count in what, by location. */
class MemberColumns {
  /** A recording without ranks counts as one: every location is its rank 0. */
  readonly single: Pick<Members, "keys" | "of">;
  readonly inSum: Uint8Array;
  readonly inMean: Uint8Array;

  constructor({ of }: Members, all: boolean) {
    this.single = { keys: [""], of: new Int32Array(of.length) };
    this.inMean = Uint8Array.from(of, (at) => (at === NONE ? 0 : 1));
    // A location without rank is part of sums, not of what is chosen by rank.
    this.inSum = all ? new Uint8Array(of.length).fill(1) : this.inMean;
  }
}
