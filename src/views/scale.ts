import type { Scope } from "../engine/api";
import type { Session } from "../session/session";
import type { CostScale } from "./costTexts";

/**
 * Unit and total of a scope. The total is that of all roots under the same combination of ranks, so shares agree with heat
 * and CodeLens; extremes over ranks do not add up and have none.
 */
export async function scaleOf(session: Session, scope: Scope): Promise<CostScale> {
  const info = session.dataSets.find(({ id }) => id === scope.dataSet);
  const metric = info?.metrics[scope.metric];
  if (!metric?.additive || scope.over === "max" || scope.over === "min")
    return { unit: metric?.unit ?? "1", total: undefined };
  const { rows, more } = await session.engine.contexts(scope, undefined, 1000);
  const total = rows.reduce((sum, row) => sum + row.inclusive, 0);
  return { unit: metric.unit, total: more === 0 ? total : undefined };
}
