/** What may be asked of how values are spread over ranks, threads, GPU streams or hosts. Plain data. */
import type { LocationUnit } from "../model/members";
import type { Task } from "../model/task";
import type { Scope, Target } from "./api";

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

export interface SpreadQueries {
  /**
   * How the scope's metric is spread. Of a bar the exclusive is that of its contexts, the inclusive that of its entries; of
   * a function that is recursive the inclusive counts outermost contexts; no target means the whole recording.
   */
  spread(scope: Scope, by: LocationUnit, targets: readonly (Target | undefined)[], task?: Task): Promise<Spread>;
}
