/** Which values can be set beside each other (semantics 10, Difference). */
import { RequestError } from "../../model/errors";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { Scope } from "../scope";

/** One run with the values that count of it. */
export interface Run {
  readonly open: OpenDataSet;
  readonly scope: Scope;
}

/** What was measured of a run, not what was estimated. */
export function measuredOf({ open }: Pick<Run, "open">): OpenDataSet {
  return open.measured?.flat ?? open;
}

/** @throws RequestError where runs measured different things, or something that does not add up */
export function checkComparable(runs: readonly Run[]): void {
  const metricOf = ({ open, scope }: Run) => open.metric(scope.metric);
  const { name, unit } = metricOf(runs[0]);
  for (const run of runs) {
    run.open.checkAdditive(run.scope.metric);
    const other = metricOf(run);
    if (other.name !== name || other.unit !== unit)
      throw new RequestError(`${name} in ${unit} is not compared with ${other.name} in ${other.unit}.`);
  }
}
