/** What may be asked of how values are spread over ranks, threads, GPU streams or hosts. Plain data. */
import type { LocationUnit } from "../../model/members";
import type { MemberHistogram } from "../../analysis/memberHistograms";
import type { Target } from "../scope";

/** What has a value on each member. Of MPI, all calls with what is below them, exclusive and inclusive are the same. */
export type SpreadTarget = Target | { readonly kind: "mpi" };

/** The values of one thing on each member, in the metric's unit and in the order of {@link Spread.members}. */
export interface MemberValues {
  readonly exclusive: Float64Array;
  readonly inclusive: Float64Array;
}

/** All members of one kind, whatever the restriction is: what is chosen is shown among the others. */
export interface Spread {
  readonly by: LocationUnit;
  readonly members: readonly string[];
  /** One for each target that was asked for. */
  readonly values: readonly MemberValues[];
}

/** How the numbers of bars are asked for as histograms. */
export interface BarHistogramRequest {
  readonly of: "exclusive" | "inclusive";
  /** The members, where the scope is not restricted to some of another kind. */
  readonly by: LocationUnit;
  readonly bins: number;
}

/** Small histograms of the members that the scope is restricted to; their bins are those of all members. */
export interface BarHistograms {
  readonly by: LocationUnit;
  /** Keys of all members; none where no value of the metric has one, and then there are no bars. */
  readonly members: readonly string[];
  /** How many of them count. */
  readonly counting: number;
  /** In the order of the graph; `imbalance` is that of the bar's inclusive (semantics 1), whatever the histogram is of; NaN: none, as over the threads of a recording without ranks. */
  readonly bars: readonly (MemberHistogram & { readonly imbalance: number })[];
  /** The values of those that count, in the order of `members`, of one bar after the other; empty where they are too many to be shown. */
  readonly values: Float64Array;
}
