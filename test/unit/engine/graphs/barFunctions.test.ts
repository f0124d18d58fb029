import { beforeAll, describe, expect, it } from "vitest";
import type { Engine, GraphQuery, Scope } from "../../../../src/engine/api";
import { openMiniheat } from "../miniheat";

describe("the functions inside a bar", () => {
  let engine: Engine;
  let scope: Scope;
  let query: GraphQuery;
  beforeAll(async () => {
    ({ engine, scope } = await openMiniheat());
    query = { scope, filter: 0, groupBy: "file" };
  });

  it("add up to the bar's exclusive, are those of the grouping by function, and each can be revealed", async () => {
    const byFunction = await engine.superGraph({ ...query, groupBy: "function" });
    const { bars } = await engine.superGraph(query);
    const seen: string[] = [];
    for (const bar of bars) {
      const rows = await engine.barFunctions({ query, bar: bar.id });
      expect(rows.reduce((sum, { exclusive }) => sum + exclusive, 0)).toBeCloseTo(bar.exclusive, 9);
      expect(rows.map(({ exclusive }) => exclusive)).toEqual(
        rows.map(({ exclusive }) => exclusive).sort((a, b) => b - a),
      );
      seen.push(...rows.map(({ name }) => name));
      for (const { name, exclusive, contexts } of rows) {
        const whole = byFunction.bars.filter(({ group }) => group === name);
        expect(
          whole.reduce((sum, part) => sum + part.exclusive, 0),
          name,
        ).toBeCloseTo(exclusive, 9);
        expect(whole.reduce((sum, part) => sum + part.contexts, 0)).toBe(contexts);
        const revealed = await engine.superGraph({
          ...query,
          operations: [{ kind: "reveal", function: name, target: { group: bar.group } }],
        });
        expect(revealed.bars.some(({ group }) => group === `${bar.group}: ${name}`)).toBe(true);
      }
    }
    expect(seen.sort()).toEqual([...new Set(byFunction.bars.map(({ group }) => group))].sort());
  });

  it("have the inclusive of the function where nothing outside of the bar calls it", async () => {
    const rows = await engine.barFunctions({ query, bar: "physics.cpp" });
    const all = await engine.hotFunctions({ scope, by: "inclusive", limit: 1000 });
    for (const { name, inclusive } of rows)
      expect(inclusive, name).toBeCloseTo(all.find((row) => row.name === name)?.inclusive ?? NaN, 9);
    expect(rows.map(({ name }) => name)).toContain("updateConductivity");
  });

  it("take extremes over ranks of each number by itself", async () => {
    const of = async (over: Scope["over"]) => {
      const rows = await engine.barFunctions({ query: { ...query, scope: { ...scope, over } }, bar: "MPI" });
      return new Map(rows.map(({ name, exclusive }) => [name, exclusive]));
    };
    const ranks = await Promise.all(Array.from({ length: 8 }, (_, rank) => of({ rank })));
    for (const [name, value] of await of("max"))
      expect(value, name).toBeCloseTo(Math.max(...ranks.map((rank) => rank.get(name) ?? 0)), 9);
  });

  it("are none where there is no such bar", async () => {
    expect(await engine.barFunctions({ query, bar: "no such bar" })).toEqual([]);
  });
});

describe("how far a bar can be expanded", () => {
  it("is to where expanding leads, or nowhere", async () => {
    const { engine, scope } = await openMiniheat();
    for (const groupBy of ["folder", "file", "class", "function"] as const) {
      const query: GraphQuery = { scope, filter: 0, groupBy };
      const { bars } = await engine.superGraph(query);
      for (const bar of bars) {
        const isOnly = bars.every((other) => other === bar || other.group !== bar.group);
        const target = isOnly ? { group: bar.group } : { group: bar.group, bar: bar.visit };
        const expanded = await engine.superGraph({ ...query, lenient: true, operations: [{ kind: "expand", target }] });
        expect(expanded.skipped.length === 0, `${bar.id} by ${groupBy}`).toBe(bar.finer !== undefined);
      }
    }
    const [root] = (await engine.superGraph({ scope, filter: 0, groupBy: "module" })).bars;
    expect(root.finer).toBe("finer");
  });
});
