/** Where a function, bar or context leads: its hottest line; of two recordings that are compared, the one that changed most. */
import type { ChangedLine, HotPlace, Scope, Target } from "../engine/api";
import type { Task } from "../model/task";
import { comparedPair, type ComparingSession } from "./comparedScopes";
import type { Session } from "./session";

/** What both kinds of lines say. */
export type LeadingPlace = HotPlace | ChangedLine;

/** @param target none: the whole recording; a context leads to its own hottest line always, since it is one run's */
export async function hottestPlace(
  session: Pick<Session, "engine"> & ComparingSession,
  scope: Scope,
  target: Target | undefined,
  task?: Task,
): Promise<LeadingPlace | undefined> {
  const pair = comparedPair(session);
  const isCompared = pair && [pair.baseline, pair.candidate].some(({ dataSet }) => dataSet === scope.dataSet);
  if (isCompared && target && target.kind !== "context") {
    const changed = await session.engine.changedLine({ pair, dataSet: scope.dataSet, target }, task);
    if (changed) return changed;
  }
  return (await session.engine.hotPlaces({ scope, target, limit: 1 }, task)).at(0);
}
