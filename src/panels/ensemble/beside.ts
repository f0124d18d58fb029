/** One run beside all of an ensemble, or against another. */
import type { EnsembleRuns } from "../../engine/api";
import type { Task } from "../../model/task";
import { shorten } from "../../model/texts";
import type { EnsembleBeside } from "../../protocol/ensemble";
import { type EnsembleView, graphQueryOf } from "./query";
import type { ShownEnsemble } from "./shown";

/** What depends on the chosen run alone. */
export async function askBeside(
  { runs, staying }: Pick<ShownEnsemble, "runs" | "staying">,
  view: EnsembleView,
  task: Task,
): Promise<EnsembleBeside> {
  const { mode, value } = view.state;
  const target = targetOf(runs, view);
  if (mode === "ensemble" || target === undefined) return { kind: "beside", mode: "ensemble" };
  const query = graphQueryOf(view);
  if (mode === "target") {
    const graph = await view.session.engine.ensembleGraph({ ...query, target }, task);
    return graph.target ? { kind: "beside", mode, target: graph.target } : { kind: "beside", mode: "ensemble" };
  }
  const baseline = baselineOf(runs, [...staying.graph.runs], view);
  if (baseline === undefined) return { kind: "beside", mode: "ensemble" };
  const sets = { baseline: [baseline], candidate: [target] };
  const graph = await view.session.engine.ensembleGraph({ ...query, difference: sets }, task);
  if (!graph.difference) return { kind: "beside", mode: "ensemble" };
  const { baseline: before, candidate: after, difference } = graph.difference[value];
  const named = (run: number) => ({ name: shorten(runs.runs[run].name, 200), run });
  return {
    ...{ kind: "beside", mode },
    difference: { baseline: named(baseline), candidate: named(target), before, after, difference },
  };
}

/** The chosen run; where none was, and one is needed, the one with the largest total. */
export function targetOf({ runs }: EnsembleRuns, { state }: Pick<EnsembleView, "state">): number | undefined {
  const named = runs.findIndex(({ name }) => name === state.target);
  if (named >= 0) return Number.isNaN(runs[named].total) ? undefined : named;
  const having = [...runs.keys()].filter((run) => !Number.isNaN(runs[run].total));
  return having.reduce<number | undefined>(
    (most, run) => (most === undefined || runs[run].total > runs[most].total ? run : most),
    undefined,
  );
}

/** The run of this name, else the median run by total, of an even number the lower one (the first of equal ones by name). */
export function baselineOf(
  { runs }: EnsembleRuns,
  staying: readonly number[],
  { state }: Pick<EnsembleView, "state">,
): number | undefined {
  const named = runs.findIndex(({ name, total }) => name === state.baseline && !Number.isNaN(total));
  if (named >= 0) return named;
  const sorted = staying
    .filter((run) => !Number.isNaN(runs[run].total))
    .sort((a, b) => runs[a].total - runs[b].total || a - b);
  return sorted.at(Math.floor((sorted.length - 1) / 2));
}
