import type { LocationUnit, Members } from "../model/members";

/** How one number is spread over ranks. */
export interface RankSpread {
  readonly minimum: number;
  readonly mean: number;
  readonly maximum: number;
  /** Position of the largest value; the first where several are equal. */
  readonly slowest: number;
  /** max / mean (semantics 1); NaN where the mean is not positive, and of one rank. */
  readonly imbalance: number;
}

/** @param perRank one value per rank, at least one */
export function rankSpread(perRank: Float64Array): RankSpread {
  let minimum = Infinity;
  let maximum = -Infinity;
  let slowest = 0;
  let sum = 0;
  perRank.forEach((value, at) => {
    sum += value;
    minimum = Math.min(minimum, value);
    if (value > maximum) {
      maximum = value;
      slowest = at;
    }
  });
  const mean = sum / perRank.length;
  return { minimum, mean, maximum, slowest, imbalance: mean > 0 && perRank.length > 1 ? maximum / mean : NaN };
}

/** How one number is spread over the members that numbers are combined over. */
export interface MemberStatistics extends Omit<RankSpread, "slowest"> {
  readonly by: LocationUnit;
  readonly members: number;
  /** Key of the member with the largest value; the first where several are equal. */
  readonly slowest: string;
}

/** @returns undefined where there is one member or none: nothing is spread */
export function statisticsOver({ by, keys }: Members, perMember: () => Float64Array): MemberStatistics | undefined {
  if (keys.length < 2) return undefined;
  const { slowest, ...spread } = rankSpread(perMember());
  return { ...spread, by, members: keys.length, slowest: keys[slowest] };
}

/** Absent where there is one rank, or where the mean is not positive (semantics 1). */
export function imbalancePart(statistics: MemberStatistics | undefined): { readonly imbalance?: number } {
  return statistics && Number.isFinite(statistics.imbalance) ? { imbalance: statistics.imbalance } : {};
}
