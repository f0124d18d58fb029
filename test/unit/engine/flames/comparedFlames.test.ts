import path from "node:path";
import { expect, it } from "vitest";
import type { Flames, FlameQuery, Scope } from "../../../../src/engine/api";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { EngineState } from "../../../../src/engine/engineState";
import { flameFlags } from "../../../../src/engine/flames/flameApi";
import { FlameGraphs } from "../../../../src/engine/flames/flames";
import { Graphs } from "../../../../src/engine/graphs/graphs";
import { SingleSubject } from "../../../../src/engine/graphs/graphSubject";
import { localEngine } from "../../../../src/engine/localEngine";
import { quietTask } from "../../../../src/model/task";
import { miniheat } from "../../../recordings";
import { grammars } from "../miniheat";
import { recordingOf, timeMetric } from "../recordings";

const window = { from: 0, to: 1, asShares: true, width: 20_000, firstDepth: 0, endDepth: 100 };

/** Exclusive of each rectangle that is drawn by itself, by the names on its path. */
function byPath({ rectangles, names }: Flames, value: Float64Array): Map<string, number> {
  const { parent, name, together } = rectangles;
  const paths: string[] = [];
  const found = new Map<string, number>();
  parent.forEach((above, at) => {
    paths[at] = `${above < 0 ? "" : paths[above]}/${names[name[at]]}`;
    if (together[at] === 1) found.set(paths[at], value[at]);
  });
  return found;
}

it.each(["sum", "mean", "max", "min", { rank: 3 }] as const)(
  "a differential flame graph has the candidate's widths and, beside each exclusive, the baseline's of the same path, over %j",
  async (over) => {
    const engine = localEngine(grammars);
    const scopes: Scope[] = [];
    for (const run of ["np8-r1", "np8-r2"]) {
      const [info] = await engine.open({ paths: [path.join(miniheat, `profiles/ensemble/${run}.cali`)] });
      scopes.push({ dataSet: info.id, metric: info.defaultMetric, over });
    }
    const flames = (scope: Scope, compared?: Scope) => {
      const query: FlameQuery = {
        scope,
        of: { kind: "recording" },
        order: "left-heavy",
        ...(compared ? { compared } : {}),
      };
      return engine.flames({ query, window });
    };
    const [baseline, candidate] = scopes;
    const [alone, before, both] = [await flames(candidate), await flames(baseline), await flames(candidate, baseline)];
    expect(both.rectangles.width).toEqual(alone.rectangles.width);
    expect(both.rectangles.exclusive).toEqual(alone.rectangles.exclusive);
    expect(alone.rectangles.baseline).toBeUndefined();
    const own = byPath(before, before.rectangles.exclusive);
    const shown = byPath(both, both.rectangles.baseline ?? new Float64Array());
    expect(shown.size).toBeGreaterThan(20);
    for (const [name, value] of shown) expect(value, name).toBeCloseTo(own.get(name) ?? 0, 12);
    const exclusive = byPath(both, both.rectangles.exclusive);
    const largest = Math.max(...[...shown].map(([name, value]) => Math.abs((exclusive.get(name) ?? 0) - value)));
    expect(both.largestDifference).toBeCloseTo(largest, 12);
    const same = await flames(candidate, candidate);
    expect(same.rectangles.baseline).toEqual(same.rectangles.exclusive);
  },
);

it("is of what both measured alone, and follows functions that were renamed", async () => {
  const state = new EngineState(grammars);
  const open = [recordingOf("main 1\n  old 2"), recordingOf("main 1\n  new 5\n  only 1")].map(
    (dataSet, at) => new OpenDataSet(at + 1, dataSet, 0),
  );
  state.get = (dataSet) => ({ open: open[dataSet - 1] }) as ReturnType<EngineState["get"]>;
  const world = { graphsOf: state.graphsOf.bind(state), openOf: (dataSet: number) => open[dataSet - 1] };
  const graphs = new Graphs(new SingleSubject(open[1], state.links));
  const query: FlameQuery = {
    scope: { dataSet: 2, metric: 0, over: "sum" },
    compared: { dataSet: 1, metric: 0, over: "sum" },
    of: { kind: "recording" },
    order: "left-heavy",
    renamed: [["old", "new"]],
  };
  const { rectangles, names } = await new FlameGraphs(open[1], graphs, world).flames(query, window, quietTask);
  expect(names).toEqual(["main", "new", "only"]);
  expect([...(rectangles.baseline ?? [])]).toEqual([1, 2, 0]);
  // What the baseline lacks is not 0 there.
  expect([...rectangles.flags]).toEqual([0, 0, flameFlags.fresh]);
  Object.assign(open[0].dataSet, { metrics: [{ ...timeMetric, name: "bytes", unit: "B" }] });
  await expect(new FlameGraphs(open[1], graphs, world).flames(query, window, quietTask)).rejects.toThrow(
    "bytes in B is not compared with time in s.",
  );
});
