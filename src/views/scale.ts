import type { Scope } from "../engine/api";
import type { Session } from "../session/session";
import type { CostScale } from "./costTexts";

/** Unit and total of a scope, so that shares in trees agree with heat and CodeLens. */
export async function scaleOf(session: Session, scope: Scope): Promise<CostScale> {
  const info = session.dataSets.find(({ id }) => id === scope.dataSet);
  return { unit: info?.metrics[scope.metric]?.unit ?? "1", total: await session.engine.total(scope) };
}
