import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changesBetweenCommits, commitSeries, type CommitOfRun } from "../../../../src/analysis/ensembles/commitSeries";
import { NONE } from "../../../../src/model/ids";
import { shuffled } from "./randomRuns";

const commits = ["c1", "c2", "c3", "c4", "c5", "c6"];

function run(name: string, commit: string | undefined, startSeconds = NaN, isDirty = false): CommitOfRun {
  return { name, commit, startSeconds, isDirty };
}

/** Two runs of each commit, slower from c4 on, and one of each kind that is not tested. */
const runs = [
  ...commits.flatMap((commit, at) => [run(`${commit}-a`, commit, 10 * at), run(`${commit}-b`, commit, 10 * at + 5)]),
  run("dirty", "c2", 11, true),
  run("elsewhere", "of another branch", 2),
  run("unknown", undefined, 1),
];
const seconds = (name: string) => (/^c[123]/.test(name) ? 1 : /^c[456]/.test(name) ? 2 : 50) + name.charCodeAt(3) / 1e4;
const valuesOf = (of: readonly CommitOfRun[]) => Float64Array.from(of, ({ name }) => seconds(`${name}   `));

describe("a series of commits", () => {
  it("has runs in the order of the history, then of their start, then of their names; unknown commits last", () => {
    const mixed = [
      run("z", undefined),
      run("b", "c2", 9),
      run("a", "c2"),
      run("d", "c1", 5),
      run("c", "c1", 5),
      run("e", "c2", 3),
    ];
    const { order, commit, isTested } = commitSeries(mixed, commits);
    expect([...order].map((at) => mixed[at].name)).toEqual(["c", "d", "e", "b", "a", "z"]);
    expect([...commit]).toEqual([0, 0, 1, 1, 1, NONE]);
    expect([...isTested]).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it("names both commits of a change, in any order of runs, and does not test what has no place in the history", () => {
    fc.assert(
      fc.property(shuffled(runs), (given) => {
        const series = commitSeries(given, commits);
        const changes = changesBetweenCommits(series, commits, valuesOf(given));
        expect(changes).toEqual(changesBetweenCommits(commitSeries(runs, commits), commits, valuesOf(runs)));
        expect(changes).toHaveLength(1);
        const [{ before, after, places, p, means }] = changes;
        expect([before, after]).toEqual(["c3", "c4"]);
        expect(places.map((at) => given[series.order[at]].name)).toEqual(["c3-b", "c4-a"]);
        expect(p).toBeLessThanOrEqual(0.01);
        means.forEach((mean, at) => expect(mean).toBeCloseTo(at + 1, 1));
      }),
      { numRuns: 5 },
    );
  });

  it("leaves out runs that have no value, and names the commits beside the change all the same", () => {
    const values = valuesOf(runs);
    values[4] = values[5] = NaN;
    const [change] = changesBetweenCommits(commitSeries(runs, commits), commits, values);
    expect([change.before, change.after]).toEqual(["c2", "c4"]);
  });

  it("reports no change between runs of one commit", () => {
    const one = Array.from({ length: 12 }, (_, at) => run(`r${String(at).padStart(2, "0")}`, "c1", at));
    const values = Float64Array.from(one, (_, at) => (at < 6 ? 1 : 2));
    expect(changesBetweenCommits(commitSeries(one, commits), commits, values)).toEqual([]);
  });
});
