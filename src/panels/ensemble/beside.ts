/** One run beside all of an ensemble, or two runs, or groups of them, against each other. */
import type { EnsembleRuns } from "../../engine/api";
import type { Task } from "../../model/task";
import { shorten } from "../../model/texts";
import type { EnsembleBeside } from "../../protocol/ensemble";
import type { RunTerm } from "../../protocol/runTerms";
import { type EnsembleView, graphQueryOf } from "./query";
import { runsOfTerms, termsText } from "./runTerms";
import type { ShownEnsemble } from "./shown";

const MAX_NAME = 200;

/** What depends on the chosen runs alone. */
export async function askBeside(
  { runs, staying }: Pick<ShownEnsemble, "runs" | "staying">,
  view: EnsembleView,
  task: Task,
): Promise<EnsembleBeside> {
  const { mode, value } = view.state;
  const nothing = { kind: "beside", mode: "ensemble" } as const;
  if (mode === "ensemble") return nothing;
  const query = graphQueryOf(view);
  if (mode === "target") {
    const target = targetOf(runs, view);
    if (target === undefined) return nothing;
    const beside = await view.session.engine.ensembleBeside({ ...query, target }, task);
    return beside.target ? { kind: "beside", mode, target: beside.target } : nothing;
  }
  const sides = sidesOf(runs, [...staying.graph.runs], view);
  if (!sides) return nothing;
  const empty = Object.values(sides).find(({ members }) => members.length === 0);
  if (empty) return { ...nothing, problem: shorten(`none of the runs that stay is of ${empty.name}`, MAX_NAME) };
  const [baseline, candidate] = [sides.baseline, sides.candidate].map(({ name, members }) => ({
    name: shorten(name, MAX_NAME),
    runs: Int32Array.from(members),
    total: members.reduce((sum, run) => sum + runs.runs[run].total, 0) / members.length,
  }));
  const sets = { baseline: sides.baseline.members, candidate: sides.candidate.members };
  const beside = await view.session.engine.ensembleBeside({ ...query, difference: sets }, task);
  if (!beside.difference) return nothing;
  const { baselineRuns, candidateRuns, significance } = beside.difference;
  const { baseline: before, candidate: after, difference } = beside.difference[value];
  return {
    kind: "beside",
    mode,
    difference: {
      baseline,
      candidate,
      before,
      after,
      difference,
      beforeRuns: baselineRuns,
      afterRuns: candidateRuns,
      p: significance.p,
      slowerIn: significance.slowerIn,
    },
  };
}

/** Runs that are compared, with what they are called. */
export interface Side {
  readonly name: string;
  readonly members: readonly number[];
}

/** What a difference is of: of groups, the runs that stay. @returns undefined: no run has the metric */
export function sidesOf(
  runs: EnsembleRuns,
  staying: readonly number[],
  view: Pick<EnsembleView, "state">,
): { readonly baseline: Side; readonly candidate: Side } | undefined {
  const { sets } = view.state;
  if (sets) {
    const stays = new Set(staying);
    const [baseline, candidate] = [sets.baseline, sets.candidate].map((terms): Side => {
      const members = runsOfTerms(runs, terms).filter((run) => stays.has(run));
      return { name: namedText(runs, terms, members), members };
    });
    return { baseline, candidate };
  }
  const [before, after] = [baselineOf(runs, staying, view), targetOf(runs, view)];
  const side = (run: number): Side => ({ name: runs.runs[run].name, members: [run] });
  return before === undefined || after === undefined ? undefined : { baseline: side(before), candidate: side(after) };
}

/** `ranks 8`; of runs that are chosen one by one the first and the last, `A1 … A5`: more names have no room anywhere. */
function namedText({ runs }: EnsembleRuns, terms: readonly RunTerm[], members: readonly number[]): string {
  const isByName = members.length > 2 && terms.every((term) => "run" in term);
  return isByName ? `${runs[members[0]].name} … ${runs[members[members.length - 1]].name}` : termsText(terms);
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
