/** Where functions' times change from one commit to another (semantics 10, Commit series). */
import { changesBetweenCommits, type CommitOfRun, commitSeries } from "../../analysis/ensembles/commitSeries";
import { groupBy } from "../../model/maps";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { placeOfFunction } from "../lines/functionPlace";
import type { ChangingFunction, CommitChanges, CommitChangesQuery } from "./ensembleApi";
import { type OpenEnsemble, runsThatStay } from "./ensembleGraphs";
import { functionValues } from "./functionValues";
import { COMMIT, DIRTY } from "./runMetadata";
import { runRows } from "./runTable";

/** Functions that are tested: each takes as long as the square of the runs. */
const MOST_TESTED = 200;
/** Digits that name a commit where it is not written out. */
const LEAST_DIGITS = 7;

/** Functions that change at a commit, those that change most first. */
export async function commitChanges(
  state: EngineState,
  { scope, commits }: CommitChangesQuery,
  task: Task,
): Promise<CommitChanges> {
  const ofAll = state.ensemble(scope.dataSet);
  const { ensemble, open } = ofAll;
  const values = functionValues(ensemble, open, scope.metric, scope.over, task);
  const stay = runsThatStay(ensemble, scope);
  const series = commitSeries(runsOf(ofAll, values.totals, stay, commits), commits);
  const rowOf = (id: number) => Float64Array.from(stay, (run) => values.exclusive[id * ensemble.size + run]);
  const varying = Array.from({ length: open.functions.size }, (_, id) => ({ id, range: rangeOf(rowOf(id)) }))
    .filter(({ range }) => range > 0)
    .sort((a, b) => b.range - a.range || a.id - b.id);
  const found: ChangingFunction[] = [];
  for (const { id } of varying.slice(0, MOST_TESTED)) {
    task.check();
    const values = rowOf(id);
    const alongHistory = Float64Array.from(series.order, (at) => values[at]);
    for (const { places, ...change } of changesBetweenCommits(series, commits, values))
      found.push({
        ...open.namedFunction(id),
        ...(await placeOfFunction(state, { ...scope, over: "sum" }, id, task)),
        ...change,
        function: id,
        places,
        runs: [stay[series.order[places[0]]], stay[series.order[places[1]]]],
        values: alongHistory,
      });
  }
  const size = ({ means }: ChangingFunction) => Math.abs(means[1] - means[0]);
  found.sort((a, b) => size(b) - size(a) || a.function - b.function);
  return {
    runs: series.order.map((at) => stay[at]),
    commit: series.commit,
    isTested: series.isTested,
    changes: found,
    varying: varying.length,
    tested: series.isTested.includes(1) ? Math.min(MOST_TESTED, varying.length) : 0,
  };
}

function runsOf(
  { ensemble }: OpenEnsemble,
  totals: Float64Array,
  stay: Int32Array,
  commits: readonly string[],
): CommitOfRun[] {
  const fullName = namesIn(commits);
  const rows = runRows(ensemble, totals);
  return Array.from(stay, (run) => {
    const { name, metadata, startedAt = NaN } = rows[run];
    const given = metadata[COMMIT];
    return {
      name,
      commit: given === undefined ? undefined : fullName(given),
      isDirty: metadata[DIRTY] === "true",
      startSeconds: startedAt / 1000,
    };
  });
}

/** Finds a commit of the history by its name, or by the first digits of it where no other one has these. */
function namesIn(commits: readonly string[]): (given: string) => string | undefined {
  const known = new Set(commits);
  let byStart: ReadonlyMap<string, readonly string[]> | undefined;
  return (given) => {
    if (known.has(given)) return given;
    if (given.length < LEAST_DIGITS) return undefined;
    // Histories have up to a million commits, and each run may ask.
    byStart ??= groupBy(known, (commit) => commit.slice(0, LEAST_DIGITS));
    const found = byStart.get(given.slice(0, LEAST_DIGITS))?.filter((commit) => commit.startsWith(given)) ?? [];
    return found.length === 1 ? found[0] : undefined;
  };
}

/** From the least to the largest of what is known; 0 of nothing. */
function rangeOf(values: Float64Array): number {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return Math.max(0, most - least);
}
