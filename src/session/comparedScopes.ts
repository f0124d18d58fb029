/** Which values of two recordings, or of runs of an ensemble, are compared (semantics 10, Difference). Pure. */
import type { ComparedPair, DataSetInfo, Scope } from "../engine/api";
import { chosenOf } from "./chosenRuns";
import { sameFolderFirst } from "../model/recordingNames";
import { shorten } from "../model/texts";
import type { Session } from "./session";

/** A recording with the values that it shows. */
export interface ScopedDataSet {
  readonly info: DataSetInfo;
  readonly scope: Scope;
}

const NAME_LENGTH = 120;

/** The two recordings that the window compares, baseline first; undefined: none. */
export function comparedDataSets(
  session: Pick<Session, "comparison" | "dataSets" | "scope">,
): readonly [ScopedDataSet, ScopedDataSet] | undefined {
  const { comparison } = session;
  const scoped = (id: number | undefined): ScopedDataSet | undefined => {
    const info = session.dataSets.find((one) => one.id === id);
    const scope = info && session.scope(info.id);
    return scope && { info, scope };
  };
  const [baseline, candidate] = [scoped(comparison?.baseline), scoped(comparison?.candidate)];
  return baseline && candidate ? [baseline, candidate] : undefined;
}

/** The two that the window compares, where this recording is one of them. */
export function comparedWith(
  session: Parameters<typeof comparedDataSets>[0],
  dataSet: number,
): ReturnType<typeof comparedDataSets> {
  const both = comparedDataSets(session);
  return both?.some(({ info }) => info.id === dataSet) ? both : undefined;
}

/** What both are called. */
export function comparedNames(
  session: Pick<Session, "comparison" | "dataSets" | "scope">,
): readonly [string, string] | undefined {
  const both = comparedDataSets(session);
  if (!both) return undefined;
  return [both[0].info.name, both[1].info.name];
}

/** What the two recordings are compared in, whichever is shown; a string says why they are not; undefined: no two are compared. */
export function pairOrWhyNot(
  session: Pick<Session, "comparison" | "dataSets" | "scope" | "renamed">,
): ComparedPair | string | undefined {
  const both = comparedDataSets(session);
  if (!both) return undefined;
  const [baseline, candidate] = both;
  const scope = sameMetric(baseline, candidate);
  return typeof scope === "string" ? scope : { baseline: baseline.scope, candidate: scope, renamed: session.renamed };
}

/** What of a session says what editor and trees compare. */
export type ComparingSession = Pick<Session, "comparison" | "dataSets" | "scope" | "current" | "renamed"> &
  Partial<Pick<Session, "ensembleDifference">>;

/**
 * What editor and trees compare, while one of the two recordings is the current one, in the metric that it shows: their units are
 * that one's. Else as {@link pairOrWhyNot}.
 */
export function currentPairOrWhyNot(session: ComparingSession): ComparedPair | string | undefined {
  const { current } = session;
  const runs = comparedRuns(session);
  if (runs) return runs.pair;
  const pair = pairOrWhyNot(session);
  const both = comparedDataSets(session);
  if (typeof pair !== "object" || !both) return pair;
  const [baseline, candidate] = both;
  if (candidate.info.id === current?.id) {
    const scope = sameMetric(candidate, baseline);
    return typeof scope === "string" ? scope : { ...pair, baseline: scope, candidate: candidate.scope };
  }
  if (baseline.info.id === current?.id) return pair;
  return `Lines and trees show ${current ? shorten(current.name, NAME_LENGTH) : "nothing"}, which is not part of this comparison.`;
}

/** {@link currentPairOrWhyNot}, where these are compared. */
export function comparedPair(session: ComparingSession): ComparedPair | undefined {
  const pair = currentPairOrWhyNot(session);
  return typeof pair === "string" ? undefined : pair;
}

/**
 * Of the current ensemble, the two runs or groups of runs whose difference is shown, with what they are called; each side's values are its
 * mean. Undefined: none are compared, the ensemble is one of two recordings that are, or a side has no run with the metric that is shown.
 */
export function comparedRuns(
  session: ComparingSession,
): { readonly pair: ComparedPair; readonly names: readonly [string, string] } | undefined {
  const { ensembleDifference: difference, current, comparison } = session;
  const scope = difference && session.scope();
  if (!scope || difference.dataSet !== current?.id) return undefined;
  if (Object.values(comparison ?? {}).includes(current.id) && comparedDataSets(session)) return undefined;
  const lacking = new Set(current.ensemble?.lacking.at(scope.metric)?.map(String));
  const [baseline, candidate] = [difference.baseline, difference.candidate].map(({ runs }): Scope | undefined => {
    const members = chosenOf(runs, current)?.members.filter((run) => !lacking.has(run)) ?? [];
    return members.length === 0 ? undefined : { ...scope, over: "mean", chosen: { by: "run", members } };
  });
  if (!baseline || !candidate) return undefined;
  const names = [difference.baseline.name, difference.candidate.name] as const;
  return { pair: { baseline, candidate, renamed: session.renamed }, names };
}

/** Why lines and trees show no difference while one of two recordings that are compared is the current one. */
export function whyNotCompared(session: Parameters<typeof currentPairOrWhyNot>[0]): string | undefined {
  const { comparison, current } = session;
  const pair = currentPairOrWhyNot(session);
  return typeof pair === "string" && Object.values(comparison ?? {}).includes(current?.id) ? pair : undefined;
}

/** The recordings that one can be compared with in the metric that it shows, those of its folder first. */
export function comparableWith(
  session: Pick<Session, "dataSets" | "scope">,
  own: Session["dataSets"][number],
): readonly Session["dataSets"][number][] {
  const scope = session.scope(own.id);
  if (!scope) return [];
  const isComparable = (info: DataSetInfo) => {
    const other = session.scope(info.id);
    return other !== undefined && typeof sameMetric({ info: own, scope }, { info, scope: other }) === "object";
  };
  const others = session.dataSets.filter((info) => info.id !== own.id && isComparable(info));
  return sameFolderFirst(others, own);
}

/** The recordings among them that may be of the same program: others have nothing in common that could differ. */
export async function offeredToCompare(
  session: Pick<Session, "dataSets" | "scope" | "engine">,
  own: Session["dataSets"][number],
): Promise<readonly Session["dataSets"][number][]> {
  const others = comparableWith(session, own);
  // A recording that is closed meanwhile is not offered.
  const isOffered = await Promise.all(
    others.map(({ id: other }) => session.engine.isSameProgram({ dataSet: own.id, other }).catch(() => false)),
  );
  return others.filter((_, at) => isOffered[at]);
}

/** The other recording's scope with the metric of this one's name and unit; a string says why there is none. */
export function sameMetric(own: ScopedDataSet, other: ScopedDataSet): Scope | string {
  const wanted = own.info.metrics[own.scope.metric];
  const name = shorten(other.info.name, NAME_LENGTH);
  const metric = other.info.metrics.findIndex((known) => known.name === wanted.name);
  const label = shorten(wanted.name, NAME_LENGTH);
  if (metric < 0) return `Not compared: ${name} has no metric ${label}. Choose a metric that both have.`;
  const { unit, total } = other.info.metrics[metric];
  if (unit !== wanted.unit)
    return `Not compared: ${label} is in ${unitText(unit)} in ${name}, and in ${unitText(wanted.unit)} here.`;
  if (!(total > 0)) return `Not compared: the total of ${label} in ${name} is not positive.`;
  const { over } = own.scope;
  if (typeof over === "object" && !counts(other, over.rank))
    return `Not compared: rank ${over.rank} is not among those that are shown of ${name}.`;
  const { window, kinds, ...scope } = other.scope;
  const ofEvents = { ...(window ? { window } : {}), ...(kinds ? { kinds } : {}) };
  return { ...scope, metric, over, ...(other.info.metrics[metric].ofEvents ? ofEvents : {}) };
}

/** Whether one rank's values are there, and not left out by a restriction. */
function counts({ info, scope: { chosen } }: ScopedDataSet, rank: number): boolean {
  const isChosen = chosen === undefined || (chosen.by === "rank" && chosen.members.includes(`${rank}`));
  return isChosen && info.ranks.includes(rank);
}

function unitText(unit: string): string {
  return unit === "1" ? "counts" : shorten(unit, 60);
}
