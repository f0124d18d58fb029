/** The values that lines and trees show: of an ensemble with a target run, those of this run alone (semantics 10, Target). Pure. */
import type { DataSetInfo, Scope } from "../engine/api";
import { scopeText } from "./scopeChoice";
import type { Session } from "./session";

type Known = Pick<Session, "scope" | "dataSets" | "current" | "ensembleTarget">;

/** The target of a data set (default: the current one); undefined where it has none, or that lacks the metric that is shown. */
export function shownTarget(
  session: Known,
  dataSet: number | undefined = session.current?.id,
): { readonly run: string; readonly number: number } | undefined {
  const { ensembleTarget, dataSets } = session;
  if (ensembleTarget === undefined || ensembleTarget.dataSet !== dataSet) return undefined;
  const { run } = ensembleTarget;
  const ensemble = dataSets.find(({ id }) => id === dataSet)?.ensemble;
  const number = ensemble?.names.indexOf(run) ?? -1;
  const metric = session.scope(dataSet)?.metric;
  return number < 0 || metric === undefined || ensemble?.lacking.at(metric)?.includes(number) === true
    ? undefined
    : { run, number };
}

/** As {@link Session.scope}, of the target alone where there is one. */
export function shownScope(session: Known, dataSet?: number): Scope | undefined {
  const scope = session.scope(dataSet);
  const target = scope && shownTarget(session, scope.dataSet);
  return scope && target ? { ...scope, chosen: { by: "run", members: [String(target.number)] } } : scope;
}

/** `time · run np16-r2`; without a target as {@link scopeText}. */
export function shownScopeText(session: Known, info: DataSetInfo, scope: Scope): string {
  const target = shownTarget(session, info.id);
  return target ? `${info.metrics[scope.metric].name} · run ${target.run}` : scopeText(info, scope);
}
