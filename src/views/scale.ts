import type { Scope } from "../engine/api";
import { shownUnit } from "../session/scopeChoice";
import type { Session } from "../session/session";
import type { CostScale } from "./costTexts";

/** Unit and total of a scope, so that shares in trees agree with heat and CodeLens. */
export async function scaleOf(session: Session, scope: Scope): Promise<CostScale> {
  const info = session.dataSets.find(({ id }) => id === scope.dataSet);
  const metric = info?.metrics.at(scope.metric);
  return { unit: metric ? shownUnit(metric) : "1", total: await session.engine.total(scope) };
}
