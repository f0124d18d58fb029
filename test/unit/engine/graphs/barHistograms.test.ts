import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { BarHistogramRequest, DataSetInfo, Engine, GraphQuery, Scope } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { type Chosen, chosenRanks } from "../../../../src/model/members";
import { miniheat } from "../../../recordings";
import { grammars, openMiniheat } from "../miniheat";

const exclusive: BarHistogramRequest = { of: "exclusive", by: "rank", bins: 20 };

/** What a histogram is, written down once more: bins of equal width between the outer edges. */
function countsOf(values: readonly number[], all: readonly number[], bins: number): number[] {
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const counts = Array.from({ length: least === most ? 1 : bins }, () => 0);
  for (const value of values)
    counts[least === most ? 0 : Math.min(bins - 1, Math.floor((bins * (value - least)) / (most - least)))]++;
  return counts;
}

describe("histograms of all bars", () => {
  let engine: Engine;
  let info: DataSetInfo;
  let query: GraphQuery;
  beforeAll(async () => {
    ({ engine, info } = await openMiniheat());
    query = { scope: { dataSet: info.id, metric: info.defaultMetric, over: "mean" }, filter: 0.1, groupBy: "file" };
  });

  it.each(["exclusive", "inclusive"] as const)("count what each bar's own spread has (%s)", async (of) => {
    const graph = await engine.superGraph(query);
    const targets = graph.bars.map(({ id }) => ({ kind: "bar", query, bar: id }) as const);
    const spread = await engine.spread({ scope: query.scope, by: "rank", targets });
    const { members, counting, bars, values: each } = await engine.barHistograms({ query, ...exclusive, of });
    expect([members, counting]).toEqual([spread.members, 8]);
    expect(bars).toHaveLength(graph.bars.length);
    bars.forEach((bar, at) => {
      const values = [...spread.values[at][of]];
      const mean = values.reduce((sum, value) => sum + value, 0) / 8;
      expect(bar.minimum).toBeCloseTo(Math.min(...values), 9);
      expect(bar.maximum).toBeCloseTo(Math.max(...values), 9);
      expect(bar.mean).toBeCloseTo(mean, 9);
      expect(bar.mean).toBeCloseTo(graph.bars[at][of], 9);
      expect(bar.slowest).toBe(values.indexOf(Math.max(...values)));
      expect(bar.counts).toEqual(countsOf(values, values, 20));
      // The imbalance is of inclusive, whatever the histogram is of.
      const whole = spread.values[at].inclusive;
      expect(bar.imbalance).toBeCloseTo((8 * Math.max(...whole)) / whole.reduce((sum, value) => sum + value, 0), 9);
      values.forEach((value, member) => expect(each[8 * at + member]).toBeCloseTo(value, 9));
    });
  });

  it("have ranks 0 and 4 alone above all others where they compute more", async () => {
    const graph = await engine.superGraph({ ...query, groupBy: "function" });
    const { bars } = await engine.barHistograms({ query: { ...query, groupBy: "function" }, ...exclusive });
    const { counts } = bars[graph.bars.findIndex(({ id }) => id === "updateConductivity")];
    // Six low, two in the upper half.
    expect(counts.slice(0, 10).reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(counts.slice(10).reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  it("have the bins of all ranks where only some are chosen", async () => {
    const all = await engine.barHistograms({ query, ...exclusive });
    const part = async (ranks: number[]) =>
      engine.barHistograms({
        query: { ...query, scope: { ...query.scope, chosen: chosenRanks(ranks) } },
        ...exclusive,
      });
    const chosen = await part([0, 4]);
    const others = await part([1, 2, 3, 5, 6, 7]);
    expect([chosen.counting, others.counting]).toEqual([2, 6]);
    const [ofAll, ofChosen] = [all.values.subarray(0, 8), chosen.values.subarray(0, 2)];
    expect([...ofChosen]).toEqual([ofAll[0], ofAll[4]]);
    all.bars.forEach(({ counts, from, to }, at) => {
      expect([chosen.bars[at].from, others.bars[at].to]).toEqual([from, to]);
      expect(counts).toEqual(chosen.bars[at].counts.map((count, bin) => count + others.bars[at].counts[bin]));
    });
  });

  it("are those of either recording where two are compared", async () => {
    const both = localEngine(grammars);
    const infos: DataSetInfo[] = [];
    for (const run of ["np8-r1", "np8-r2"])
      infos.push(...(await both.open({ paths: [path.join(miniheat, `profiles/ensemble/${run}.cali`)] })));
    const scopes = infos.map(({ id, defaultMetric }): Scope => ({ dataSet: id, metric: defaultMetric, over: "mean" }));
    for (const at of [0, 1]) {
      const own: GraphQuery = { scope: scopes[at], compared: scopes[1 - at], filter: 0.1, groupBy: "function" };
      const alone: GraphQuery = { scope: scopes[at], filter: 0.1, groupBy: "function" };
      const graph = await both.superGraph(own);
      const graphAlone = await both.superGraph(alone);
      const { bars } = await both.barHistograms({ query: own, ...exclusive });
      const { bars: barsAlone } = await both.barHistograms({ query: alone, ...exclusive });
      expect(graphAlone.bars.length).toBeGreaterThan(5);
      graphAlone.bars.forEach(({ id }, bar) => {
        const joined = bars[graph.bars.findIndex((other) => other.id === id)];
        expect(joined.counts).toEqual(barsAlone[bar].counts);
        expect(joined.maximum).toBeCloseTo(barsAlone[bar].maximum, 12);
      });
    }
  });

  it("have an imbalance over ranks alone: of threads without ranks, most never ran a function", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-threads-"));
    const file = path.join(folder, "threads.json");
    const event = (tid: number, dur: number) => `{"ph":"X","name":"f","pid":1,"tid":${tid},"ts":0,"dur":${dur}}`;
    fs.writeFileSync(file, `[${event(1, 4)},${event(2, 1)},${event(3, 1)}]`);
    const threads = localEngine(grammars);
    const [{ id: dataSet }] = await threads.open({ paths: [file] });
    const over = (chosen?: Chosen) =>
      threads.barHistograms({
        query: { scope: { dataSet, metric: 0, over: "sum", chosen }, filter: 0, groupBy: "function" },
        of: "exclusive",
        by: "thread",
        bins: 20,
      });
    const whole = await over();
    expect([whole.counting, whole.bars[0].maximum, whole.bars[0].imbalance]).toEqual([3, 4e-6, NaN]);
    // Chosen threads stand in the place of ranks.
    const chosen = await over({ by: "thread", members: ["1", "2"] });
    expect(chosen.bars[0].imbalance).toBeCloseTo(4 / 2.5, 12);
    fs.rmSync(folder, { recursive: true });
  });

  it("are none where no value has a member of the kind", async () => {
    expect(await engine.barHistograms({ query, ...exclusive, by: "stream" })).toMatchObject({ members: [], bars: [] });
  });
});
