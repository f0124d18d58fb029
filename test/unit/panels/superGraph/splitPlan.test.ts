import { describe, expect, it } from "vitest";
import type { DataSetInfo, Scope } from "../../../../src/engine/api";
import { titleOf, histogramUnit, planSplit } from "../../../../src/panels/superGraph/splitPlan";
import { dataSetInfo, metricInfo } from "../../session/sampleInfo";

const info = dataSetInfo();
const scope: Scope = { dataSet: 1, metric: 0, over: "mean" };
const of = (own: Partial<DataSetInfo>, values: Partial<Scope> = {}) => {
  const known = dataSetInfo({ id: 2, name: "np8-r2.cali", ...own });
  return { info: known, scope: { ...scope, dataSet: 2, ...values } };
};
const shown = (plan: ReturnType<typeof planSplit>) =>
  plan.graphs.map(({ scope: { dataSet, chosen } }) => ({ dataSet, chosen }));

describe("the graphs of a panel", () => {
  it("are one where nothing is chosen, and two where something is: the others below", () => {
    expect(planSplit({ info, scope }, undefined, {})).toMatchObject({ graphs: [{ scope }], merged: false });
    const chosen = { by: "rank" as const, members: ["0", "4"] };
    const plan = planSplit({ info, scope: { ...scope, chosen } }, undefined, {});
    const others = { by: "rank", members: ["1", "2", "3", "5", "6", "7"] };
    expect(shown(plan)).toEqual([
      { dataSet: 1, chosen },
      { dataSet: 1, chosen: others },
    ]);
    expect(plan.graphs.map(({ name }) => name)).toEqual(["ranks 0, 4", "ranks 1–3, 5–7"]);
    expect(planSplit({ info, scope: { ...scope, chosen } }, undefined, { below: false })).toMatchObject({
      pair: "members",
      graphs: [{}],
    });
  });

  it("are one where all members are chosen, or one rank's values are shown: there is nothing to set against it", () => {
    const all = { by: "rank" as const, members: info.ranks.map(String) };
    expect(planSplit({ info, scope: { ...scope, chosen: all } }, undefined, {}).graphs).toHaveLength(1);
    const chosen = { by: "rank" as const, members: ["3"] };
    const one = planSplit({ info, scope: { ...scope, over: { rank: 3 }, chosen } }, undefined, {});
    expect([one.graphs.length, one.pair]).toEqual([1, undefined]);
  });

  it("of two runs are of the metric of one name and unit, wherever it stands, combined in the same way", () => {
    const metrics = [metricInfo({ name: "other" }), metricInfo()];
    const chosen = { by: "rank" as const, members: ["1"] };
    const plan = planSplit({ info, scope }, of({ metrics }, { over: "sum", chosen }), {});
    expect(plan.graphs.map((graph) => graph.scope)).toEqual([scope, { dataSet: 2, metric: 1, over: "mean", chosen }]);
    expect([plan.pair, plan.merged, plan.notes]).toEqual(["runs", true, []]);
    expect(planSplit({ info, scope }, of({ metrics }), { below: true })).toMatchObject({
      merged: false,
      graphs: [{}, {}],
    });
  });

  it.each([
    [of({ metrics: [metricInfo({ name: "other" })] }), "has no metric time"],
    [of({ metrics: [metricInfo({ unit: "1" })] }), "time is in counts in np8-r2.cali, and in s here"],
    [of({ metrics: [metricInfo({ total: 0 })] }), "the total of time in np8-r2.cali is not positive"],
  ])("of two runs that cannot be compared are one, and why is said (%#)", (other, why) => {
    const plan = planSplit({ info, scope }, other, {});
    expect([plan.graphs.length, plan.pair, plan.notes[0]]).toEqual([1, undefined, expect.stringContaining(why)]);
  });

  it("compare one rank only with one that is there and shown", () => {
    const own = { info, scope: { ...scope, over: { rank: 3 } } };
    const without = "Not compared: rank 3 is not among those that are shown of np8-r2.cali.";
    const chosen = (member: string) => ({ chosen: { by: "rank" as const, members: [member] } });
    expect(planSplit(own, of({ ranks: [0, 1] }), {}).notes).toEqual([without]);
    expect(planSplit(own, of({}, chosen("2")), {}).notes).toEqual([without]);
    expect(planSplit(own, of({}, chosen("3")), {}).graphs[1].scope.over).toEqual({ rank: 3 });
  });
});

describe("what is said of them", () => {
  it("is the value in the metric's unit, and what of is meant", () => {
    const graph = { info, scope: { ...scope, chosen: { by: "rank" as const, members: ["0"] } }, name: "rank 0" };
    expect(titleOf(graph, "members", 2.656)).toBe("rank 0 · mean 2.66 s");
  });

  it("names what histograms are over, or why there are none", () => {
    expect(histogramUnit(info, scope)).toEqual({ by: "rank" });
    expect(histogramUnit(info, { ...scope, chosen: { by: "thread", members: ["0.1"] } })).toEqual({ by: "thread" });
    expect(histogramUnit(info, { ...scope, chosen: { by: "host", members: ["0"] } })).toEqual({ by: "rank" });
    expect(histogramUnit(dataSetInfo({ units: [] }), scope)).toMatch(/neither several ranks nor several threads/);
    expect(histogramUnit(dataSetInfo({ estimated: true }), scope)).toMatch(/estimated from a call graph/);
    const reduced = dataSetInfo({ metrics: [metricInfo({ reducedOverRanks: true })] });
    expect(histogramUnit(reduced, scope)).toMatch(/combined over ranks when they were recorded/);
  });
});
