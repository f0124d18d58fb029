import { beforeAll, describe, expect, it } from "vitest";
import type { DataSetInfo, Engine, GraphQuery, Scope } from "../../../../src/engine/api";
import { chosenRanks } from "../../../../src/model/members";
import { openMiniheat } from "../miniheat";

describe("how values are spread over ranks", () => {
  let engine: Engine;
  let info: DataSetInfo;
  let scope: Scope;
  let query: GraphQuery;
  beforeAll(async () => {
    ({ engine, info } = await openMiniheat());
    scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" };
    query = { scope, filter: 0.1, groupBy: "file" };
  });

  it("is, rank by rank, what the same question for one rank gives", async () => {
    const graph = await engine.superGraph(query);
    const functions = await engine.hotFunctions({ scope, by: "exclusive", limit: 5 });
    const targets = [
      undefined,
      ...graph.bars.map(({ id }) => ({ kind: "bar", query, bar: id }) as const),
      ...functions.map(({ function: id }) => ({ kind: "function", function: id }) as const),
    ];
    const { members, values } = await engine.spread({ scope, by: "rank", targets });
    expect(members).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
    for (const rank of [0, 3, 7]) {
      const ofRank: Scope = { ...scope, over: { rank } };
      const bars = (await engine.superGraph({ ...query, scope: ofRank })).bars;
      const rows = await engine.hotFunctions({ scope: ofRank, by: "exclusive", limit: 1000 });
      expect(values[0].inclusive[rank]).toBeCloseTo(await engine.total(ofRank), 9);
      graph.bars.forEach(({ id }, at) => {
        const bar = bars.find((other) => other.id === id);
        expect(values[1 + at].inclusive[rank]).toBeCloseTo(bar?.inclusive ?? NaN, 9);
        expect(values[1 + at].exclusive[rank]).toBeCloseTo(bar?.exclusive ?? NaN, 9);
      });
      functions.forEach(({ function: id }, at) => {
        const row = rows.find((other) => other.function === id);
        expect(values[1 + graph.bars.length + at].inclusive[rank]).toBeCloseTo(row?.inclusive ?? NaN, 9);
        expect(values[1 + graph.bars.length + at].exclusive[rank]).toBeCloseTo(row?.exclusive ?? NaN, 9);
      });
    }
  });

  it("has all members, whatever is chosen", async () => {
    const restricted = await engine.spread({
      scope: { ...scope, chosen: chosenRanks([0, 4]) },
      by: "rank",
      targets: [undefined],
    });
    expect(restricted).toEqual(await engine.spread({ scope, by: "rank", targets: [undefined] }));
  });
});
