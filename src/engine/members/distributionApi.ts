/** What may be asked of how one value is distributed over ranks, threads, GPU streams or hosts. Plain data. */
import type { LocationUnit } from "../../model/members";
import type { Scope, Target } from "../scope";

/** In which order members stand on a line: as they are numbered, by their value, by host, or by their total of a metric. */
export type MemberOrder = "id" | "value" | "host" | { readonly metric: number };

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
export interface Distribution {
  readonly by: LocationUnit;
  readonly members: readonly string[];
  /** In the metric's unit, one a member. */
  readonly values: Float64Array;
  /** See `analysis/histogram.ts`. */
  readonly edges: Float64Array;
  readonly counts: Int32Array;
  /** Bin of each member; -1 of one whose value is not finite. */
  readonly binOf: Int32Array;
  readonly leftOut: number;
  /** The members as they stand on the line; ties in the order of {@link members}. */
  readonly order: Int32Array;
  /** What the line is ordered by, one a member, where that is a metric. */
  readonly attribute?: Float64Array;
  /** Number of the host of each member, -1 where none is known. */
  readonly hosts: Int32Array;
  /** 1 for each member that the scope's restriction leaves something of; absent without one. */
  readonly chosen?: Uint8Array;
  /** Part of the value that belongs to no member, such as that of records without a rank (semantics 1). */
  readonly outside: number;
}
