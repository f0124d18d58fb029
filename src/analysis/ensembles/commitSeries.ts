import { NONE } from "../../model/ids";
import { compareText } from "../../model/strings";
import { meanOf } from "./ascending";
import { changePoints } from "./changePoints";

/** What is known of a run's place in the history. */
export interface CommitOfRun {
  readonly name: string;
  /** undefined: not known. */
  readonly commit: string | undefined;
  /** Whether the tree had changes that are in no commit. */
  readonly isDirty: boolean;
  /** When it began, in seconds since any moment; NaN: not known, after all others of its commit. */
  readonly startSeconds: number;
}

/** Runs in the order of the history (semantics 10, Commit series). */
export interface CommitSeries {
  /** Runs by place; those of no known commit come last. */
  readonly order: Int32Array;
  /** At each place, the commit as an index into those given; {@link NONE} of no known commit. */
  readonly commit: Int32Array;
  /** At each place, 1 where the run is tested for changes; others are drawn only. */
  readonly isTested: Uint8Array;
}

/** A function's time that is another one from a commit on. */
export interface ChangeBetweenCommits {
  /** The last commit with the time before, and the first with the time after. */
  readonly before: string;
  readonly after: string;
  /** Places in the series of the last run before and of the first run after. */
  readonly places: readonly [before: number, after: number];
  readonly p: number;
  /** Means from the change before to this one, and from this one to the next, in the values' unit. */
  readonly means: readonly [before: number, after: number];
}

/** @param commits as `git log --topo-order --reverse` lists them: parents first */
export function commitSeries(runs: readonly CommitOfRun[], commits: readonly string[]): CommitSeries {
  const placeOf = new Map(commits.map((commit, at) => [commit, at]));
  const commitOf = runs.map(({ commit }) => (commit === undefined ? undefined : placeOf.get(commit)));
  const place = (run: number) => commitOf[run] ?? commits.length;
  const start = (run: number) => (Number.isFinite(runs[run].startSeconds) ? runs[run].startSeconds : Number.MAX_VALUE);
  const order = Int32Array.from(runs, (_, run) => run).sort(
    (a, b) => place(a) - place(b) || start(a) - start(b) || compareText(runs[a].name, runs[b].name),
  );
  return {
    order,
    commit: order.map((run) => commitOf[run] ?? NONE),
    isTested: Uint8Array.from(order, (run) => (commitOf[run] !== undefined && !runs[run].isDirty ? 1 : 0)),
  };
}

/**
 * Where a function's exclusive changes from one commit to another: E-Divisive, in which segments end between commits only.
 *
 * @param values one per run, in the order in which runs were given; NaN: not in this run, which is left out
 */
export function changesBetweenCommits(
  { order, commit, isTested }: CommitSeries,
  commits: readonly string[],
  values: Float64Array,
): ChangeBetweenCommits[] {
  const places = Int32Array.from(order.keys()).filter((at) => isTested[at] === 1 && Number.isFinite(values[order[at]]));
  const series = Float64Array.from(places, (at) => values[order[at]]);
  const isBorder = Uint8Array.from(places, (at, index) =>
    index > 0 && commit[at] !== commit[places[index - 1]] ? 1 : 0,
  );
  const points = changePoints(series, isBorder);
  return points.map(({ at, p }, index) => {
    const from = points[index - 1]?.at ?? 0;
    const to = points[index + 1]?.at ?? series.length;
    const both = [places[at - 1], places[at]] as const;
    return {
      before: commits[commit[both[0]]],
      after: commits[commit[both[1]]],
      places: both,
      p,
      means: [meanOf(series.subarray(from, at)), meanOf(series.subarray(at, to))],
    };
  });
}
