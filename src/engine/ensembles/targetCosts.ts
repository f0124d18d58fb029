/** What lines and functions of a document cost in one run, beside what they cost in all that stay (semantics 4 and 10, Target). */
import { finiteAscending, quantile } from "../../analysis/ensembles/ascending";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { SparseValues } from "../../model/values";
import type { EngineState } from "../engineState";
import { definitionsIn, documentCosts, onLines } from "../lines/documents";
import { oneByOne, ownRanges, type Ranges, subtrees, union } from "../lines/lineGroups";
import type { Scope } from "../scope";
import type { TargetCosts, TargetCostsQuery, TargetFunction, TargetLine, TargetSpread } from "./ensembleApi";
import { runsThatStay } from "./ensembleGraphs";
import { percentileOf } from "./gradients";

/** @returns undefined where the ensemble has no run of the target's name, or that lacks the metric */
export async function targetCosts(
  state: EngineState,
  { scope, target, document, line }: TargetCostsQuery,
  task: Task,
): Promise<TargetCosts | undefined> {
  const { ensemble, open } = state.ensemble(scope.dataSet);
  const { metric, chosen } = scope;
  const run = ensemble.members.findIndex(({ name }) => name === target);
  if (run < 0 || !ensemble.hasMetric(run, metric)) return undefined;
  const runs = chosen?.by === "run" ? chosen.members.map(Number) : undefined;
  const staying = runsThatStay(ensemble, {
    metric,
    over: "mean",
    ...(runs && { runs }),
  });
  const ofTarget: Scope = { ...scope, chosen: { by: "run", members: [String(run)] } };
  const costs = await documentCosts(open, state.links, ofTarget, document, task);
  const { here } = await state.links.placedIn(open, document, task);
  const placed = line === undefined ? here : here.filter((one) => one.line === line);
  const { total } = open.numbers(ofTarget);
  const row = new Float64Array(ensemble.size);
  const spreadOf = (ranges: Ranges): TargetSpread => {
    addUp(open.dataSet.values[metric], ranges, row);
    const values = Float64Array.from(staying, (one) => row[one]);
    const ascending = finiteAscending(values);
    const own = row[run];
    return {
      target: Number.isNaN(own) ? null : own,
      least: ascending.at(0) ?? NaN,
      median: quantile(ascending, 0.5),
      most: ascending.at(-1) ?? NaN,
      percentile: percentileOf(own, values),
      runs: ascending.length,
      ...(line === undefined ? {} : { values }),
    };
  };
  const lines = [...onLines(placed).values()].map((group): TargetLine => {
    const places = group[0].link.places.length;
    const exclusive = spreadOf(oneByOne(union(group)));
    return { line: group[0].line, exclusive, ...(places > 1 ? { oneOf: places } : {}) };
  });
  const functions = definitionsIn(open, placed).map((definition): TargetFunction => {
    task.check();
    const { function: id, contexts, link } = definition;
    const inclusive = spreadOf(subtrees(open, contexts));
    return {
      line: definition.line,
      ...open.namedFunction(id),
      function: id,
      ...(link.places.length > 1 ? { oneOf: link.places.length } : {}),
      share: (inclusive.target ?? inclusive.most) / total,
      inclusive,
      exclusive: spreadOf(ownRanges(open, contexts)),
    };
  });
  return {
    target,
    names: Array.from(staying, (one) => ensemble.members[one].name),
    costs,
    lines: lines.sort((a, b) => a.line - b.line),
    functions: functions.sort((a, b) => a.line - b.line || compareText(a.name, b.name)),
  };
}

/** Sums by run into `row`; NaN where a run has none of the contexts. */
function addUp({ rowStart, column, value }: SparseValues, ranges: Ranges, row: Float64Array): void {
  row.fill(NaN);
  for (const [from, to] of ranges)
    for (let cell = rowStart[from]; cell < rowStart[to]; cell++) {
      const sum = row[column[cell]];
      row[column[cell]] = Number.isNaN(sum) ? value[cell] : sum + value[cell];
    }
}
