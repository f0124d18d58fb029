import path from "node:path";
import { describe, expect, it } from "vitest";
import type { DataSetInfo, Scope } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { isPlaceholderName } from "../../src/model/frames";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();

/** Recordings with calling contexts of three formats, with and without ranks. */
const RECORDINGS = [
  "data/hpctoolkit-v4/viewer-inline.meta.db",
  "data/hpctoolkit-v4/small.d",
  "data/hpctoolkit-v2/hpctoolkit-cpi-database",
  "data/caliper/caliper-lulesh-json",
  "miniapp/profiles/samples-4ranks-callpath.cali",
  "miniapp/profiles/profile-8ranks.cali",
];
const OVER = ["sum", "mean", "max", "min"] as const;
const GROUPINGS = ["function", "class", "file", "folder", "module"] as const;

/** Scopes of every metric that adds up, the same of both. */
function* scopesOf([one, other]: readonly DataSetInfo[]): Iterable<readonly [Scope, Scope]> {
  for (const [metric, { additive, total }] of one.metrics.entries())
    if (additive && total > 0)
      for (const over of OVER)
        yield [
          { dataSet: one.id, metric, over },
          { dataSet: other.id, metric, over },
        ];
}

describe.runIf(shared)("a recording that was opened twice", () => {
  it.each(RECORDINGS)("has no difference from itself, however it is grouped, combined and paired: %s", async (name) => {
    const engine = localEngine(grammars);
    const paths = [path.join(shared ?? "", name)];
    const infos = [(await engine.open({ paths }))[0], (await engine.open({ paths }))[0]];
    let compared = 0;
    for (const [baseline, candidate] of scopesOf(infos)) {
      const sides = { baseline: [baseline], candidate: [candidate], limit: 1_000_000, linked: 0 };
      const { rows: named } = await engine.comparison({ ...sides, value: "exclusive" });
      const renamed = [[named[0].name, named[named.length - 1].name] as const];
      for (const groupBy of GROUPINGS)
        for (const value of ["exclusive", "inclusive"] as const) {
          const { rows } = await engine.comparison({ ...sides, renamed, groupBy, value });
          const what = `${name} ${baseline.metric} ${baseline.over} ${value} by ${groupBy}`;
          expect(
            // What has no name and no address is no function that could be found again.
            rows
              .filter((row) => row.difference !== 0 && !isPlaceholderName(row.name))
              .map((row) => [row.name, row.difference]),
            what,
          ).toEqual([]);
          compared += rows.length;
        }
      const query = { scope: candidate, of: { kind: "recording" }, order: "left-heavy", compared: baseline } as const;
      const window = { from: 0, to: 1, asShares: true, width: 2000, firstDepth: 0, endDepth: 100 };
      expect((await engine.flames({ query, window })).largestDifference, name).toBe(0);
    }
    expect(compared).toBeGreaterThan(20);
  });
});
