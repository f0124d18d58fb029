import { type MemberStatistics, statisticsOver } from "../../analysis/rankStatistics";
import type { Scope } from "../scope";
import { mpiCalls } from "./mpiCalls";
import type { OpenDataSet } from "./openDataSet";
import { unrankedTotal } from "./unranked";

/** A recording in a few numbers, in the metric's unit and combined as the scope says. */
export interface RunTotals {
  readonly total: number;
  /** Inclusive of all MPI calls; absent: there are none. */
  readonly mpi?: number;
  /** Of the total; absent where there are no two members to differ. */
  readonly spread?: MemberStatistics;
  /** Sum of the values that have no rank, and so are not part of `total`; absent: there are none. */
  readonly noRank?: number;
}

export function runTotals(open: OpenDataSet, scope: Scope): RunTotals {
  const { total } = open.numbers(scope);
  const values = open.rankValues(scope);
  const everything: [number, number][] = [[0, open.dataSet.tree.size]];
  const perRank = () => values.perRank(everything);
  const spread = statisticsOver(values.members, perRank);
  const calls = mpiCalls(open);
  const mpi = calls.length === 0 ? undefined : open.cost(scope, calls);
  const noRank = unrankedTotal(open, scope);
  return {
    total,
    ...(mpi === undefined ? {} : { mpi }),
    ...(spread ? { spread } : {}),
    ...(noRank === 0 ? {} : { noRank }),
  };
}
