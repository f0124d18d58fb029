/** The difference of an ensemble is one for the window, as its target is: lines and trees follow the panel, and one chip ends it everywhere. */
import type { EnsembleState } from "../../protocol/ensemble";
import type { NamedRuns } from "../../session/session";
import { type Side, sidesOf } from "./beside";
import type { EnsembleView } from "./query";
import type { ShownEnsemble } from "./shown";

/** Tells the window what the panel compares. @param shown undefined: which runs that are is not known yet */
export function followDifference(
  { session, dataSet, state }: Pick<EnsembleView, "session" | "dataSet" | "state">,
  shown: Pick<ShownEnsemble, "runs" | "staying"> | undefined,
): void {
  if (state.mode !== "difference") {
    if (session.ensembleDifference?.dataSet === dataSet.id) session.setEnsembleDifference(undefined);
    return;
  }
  const sides = shown && sidesOf(shown.runs, [...shown.staying.graph.runs], { state });
  const named = (side: Side | undefined): NamedRuns => ({
    name: side?.name ?? "",
    runs: side?.members.map((run) => shown?.runs.runs[run].name ?? "") ?? [],
  });
  session.setEnsembleDifference({
    dataSet: dataSet.id,
    baseline: named(sides?.baseline),
    candidate: named(sides?.candidate),
  });
}

/** What the panel shows where the difference was ended elsewhere; undefined: it was not. */
export function endedDifference({
  session,
  dataSet,
  state,
}: Pick<EnsembleView, "session" | "dataSet" | "state">): Partial<EnsembleState> | undefined {
  if (state.mode !== "difference" || session.ensembleDifference?.dataSet === dataSet.id) return undefined;
  return { mode: state.target === undefined ? "ensemble" : "target", sets: undefined };
}
