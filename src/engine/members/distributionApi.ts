/** What may be asked of how one value is distributed over ranks, threads, GPU streams or hosts. Plain data. */
import type { LocationUnit } from "../../model/members";
import type { Scope, Target } from "../scope";
import type { MemberOrder, MembersInLine } from "./memberLineApi";

export interface DistributionQuery {
  /** Its metric is the one that is distributed; its restriction says what is chosen and changes no value. */
  readonly scope: Scope;
  readonly by: LocationUnit;
  /** Undefined: the whole recording. */
  readonly target?: Target;
  readonly value: "exclusive" | "inclusive";
  /** How many bins there are to be; all-equal values have one. */
  readonly bins: number;
  readonly order: MemberOrder;
}

/** All members of one kind, whatever the restriction is. */
export interface Distribution extends MembersInLine {
  /** In the metric's unit, one per member. */
  readonly values: Float64Array;
  /** See `analysis/histogram.ts`. */
  readonly edges: Float64Array;
  readonly counts: Int32Array;
  /** Bin of each member; -1 of one whose value is not finite. */
  readonly binOf: Int32Array;
  readonly leftOut: number;
  /** Part of the value that belongs to no member, such as that of records without a rank (semantics 1). */
  readonly outside: number;
}
