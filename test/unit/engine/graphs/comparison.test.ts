import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { DataSetInfo, Engine, GraphQuery, Scope, SuperGraph } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { miniheat } from "../../../recordings";
import { grammars } from "../miniheat";

/** One bar's numbers by its id. */
function numbers(graph: SuperGraph): Map<string, readonly number[]> {
  return new Map(graph.bars.map(({ id, inclusive, exclusive }) => [id, [inclusive, exclusive]]));
}

describe("two recordings in one graph", () => {
  let engine: Engine;
  let infos: DataSetInfo[];
  const scopeOf = (at: number, over: Scope["over"] = "mean"): Scope => ({
    dataSet: infos[at].id,
    metric: infos[at].defaultMetric,
    over,
  });
  const query = (at: number, over?: Scope["over"]): GraphQuery => ({
    scope: scopeOf(at, over),
    filter: 0.1,
    groupBy: "file",
  });
  const compared = (at: number, over?: Scope["over"]): GraphQuery => ({
    ...query(at, over),
    compared: scopeOf(1 - at, over),
  });
  beforeAll(async () => {
    engine = localEngine(grammars);
    await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
    infos = [];
    for (const run of ["np8-r1", "np8-r2"])
      infos.push(...(await engine.open({ paths: [path.join(miniheat, `profiles/ensemble/${run}.cali`)] })));
  });

  it("has the same bars and flows with the numbers of either, which are each recording's own", async () => {
    for (const over of ["sum", "mean", "max", "min"] as const) {
      const both = [await engine.superGraph(compared(0, over)), await engine.superGraph(compared(1, over))];
      const shape = ({ bars, edges }: SuperGraph) => [
        bars.map(({ id, level }) => [id, level]),
        edges.map(({ source, target }) => [source, target]),
      ];
      expect(shape(both[1])).toEqual(shape(both[0]));
      for (const at of [0, 1]) {
        const own = await engine.superGraph(query(at, over));
        expect(both[at].total).toBeCloseTo(own.total, 9);
        const joined = numbers(both[at]);
        expect(own.bars.length).toBeGreaterThan(4);
        for (const [id, [inclusive, exclusive]] of numbers(own)) {
          expect(joined.get(id)?.[0]).toBeCloseTo(inclusive, 9);
          expect(joined.get(id)?.[1]).toBeCloseTo(exclusive, 9);
        }
      }
    }
  });

  it("is the same whichever of them was asked for first, and leads to each one's own contexts", async () => {
    const bar = "physics.cpp";
    const places = await Promise.all(
      [0, 1].map((at) =>
        engine.hotPlaces({ scope: scopeOf(at), target: { kind: "bar", query: compared(at), bar }, limit: 1 }),
      ),
    );
    expect(places[0][0].link.places).toEqual(places[1][0].link.places);
    expect(places[0][0].link.places).toHaveLength(1);
    for (const at of [0, 1])
      expect(
        await engine.barOf({ query: compared(at), target: { kind: "context", context: places[at][0].context } }),
      ).toBe(bar);
  });

  it("keeps a function that has its share in one of them alone", async () => {
    const other = await engine.open({ paths: [path.join(miniheat, "profiles/samples-1rank.cali")] });
    const scope: Scope = { dataSet: other[0].id, metric: other[0].defaultMetric, over: "sum" };
    const graph = await engine.superGraph({ ...query(0), groupBy: "function", compared: scope });
    const alone = await engine.superGraph({ scope, filter: 0.1, groupBy: "function" });
    const ids = new Set(graph.bars.map(({ group }) => group));
    for (const { group } of alone.bars) expect(ids).toContain(group);
    await engine.close({ dataSet: other[0].id });
    await expect(engine.superGraph({ ...query(0), compared: scope })).rejects.toThrow(/not open/);
  });
});
