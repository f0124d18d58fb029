/** What is asked of values over ranks, threads, GPU streams or hosts. */
import type { LocationUnit } from "../../model/members";
import { defineQuestion } from "../defineQuestion";
import type { Scope, Target } from "../scope";
import type { CorrelationQuery } from "./correlationApi";
import { correlationOf } from "./correlatedMembers";
import type { DistributionQuery } from "./distributionApi";
import { distribution as distributionOf } from "./distributions";
import { spread as spreadOf } from "./spreads";

interface SpreadQuery {
  readonly scope: Scope;
  readonly by: LocationUnit;
  /** Undefined: the whole recording. */
  readonly targets: readonly (Target | undefined)[];
}

/**
 * How the scope's metric is spread. Of a bar the exclusive is that of its contexts, the inclusive that of its entries; of
 * a function that is recursive the inclusive counts outermost contexts.
 */
export const spread = defineQuestion((state, { scope, by, targets }: SpreadQuery, task) =>
  spreadOf(state.get(scope.dataSet).open, (query) => state.graphsOf(query, task), scope, by, targets, task),
);

export const distribution = defineQuestion((state, query: DistributionQuery, task) =>
  distributionOf(state.get(query.scope.dataSet).open, (graph) => state.graphsOf(graph, task), query, task),
);

export const correlation = defineQuestion((state, query: CorrelationQuery, task) =>
  correlationOf(state.get(query.x.scope.dataSet).open, (graph) => state.graphsOf(graph, task), query, task),
);
