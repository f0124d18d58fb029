/** The target run is one for the window: panels of an ensemble have it from the session, as lines and trees do. */
import type { View } from "../kit/definition";

type TargetView = Pick<View<{ readonly target?: string }>, "session" | "dataSet" | "state">;

/** Lines and trees follow, and other panels of the ensemble. @param run its name; undefined: there is none */
export function setTarget({ session, dataSet }: Omit<TargetView, "state">, run: string | undefined): void {
  session.setEnsembleTarget(run === undefined ? undefined : { dataSet: dataSet.id, run });
}

/** The target that a panel has to show where it shows another one; undefined: it is right, or the target is another ensemble's. */
export function otherTarget({
  session,
  dataSet,
  state,
}: TargetView): { readonly target: string | undefined } | undefined {
  const { ensembleTarget } = session;
  if (ensembleTarget && ensembleTarget.dataSet !== dataSet.id) return undefined;
  return ensembleTarget?.run === state.target ? undefined : { target: ensembleTarget?.run };
}
