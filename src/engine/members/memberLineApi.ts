/** Members of one kind as they stand side by side. Plain data. */
import type { LocationUnit } from "../../model/members";

/** In which order members stand on a line: as they are numbered, by their value, by host, or by their total of a metric. */
export type MemberOrder = "id" | "value" | "host" | { readonly metric: number };

export interface MembersInLine {
  readonly by: LocationUnit;
  readonly members: readonly string[];
  /** The members as they stand on the line; ties in the order of {@link members}. */
  readonly order: Int32Array;
  /** What the line is ordered by, one per member, where that is a metric. */
  readonly attribute?: Float64Array;
  /** Number of the host of each member, -1 where none is known. */
  readonly hosts: Int32Array;
  /** 1 for each member that the scope's restriction leaves something of; absent without one. */
  readonly chosen?: Uint8Array;
}
