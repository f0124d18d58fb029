import { expect, it } from "vitest";
import type { GraphQuery } from "../../../../src/engine/api";
import { openMiniheat } from "../miniheat";

it("a graph of bars only has the numbers of the whole one, without entries", async () => {
  const { engine, scope } = await openMiniheat();
  for (const groupBy of ["file", "function"] as const) {
    const query: GraphQuery = { scope, filter: 0, groupBy };
    const whole = await engine.superGraph(query);
    expect(whole.bars.every(({ entries }) => entries.length > 0)).toBe(true);
    const bars = whole.bars.map((bar) => ({ ...bar, entries: [] }));
    expect(await engine.superGraph({ ...query, barsOnly: true })).toEqual({ ...whole, bars });
    expect(await engine.superGraph(query)).toEqual(whole);
  }
});
