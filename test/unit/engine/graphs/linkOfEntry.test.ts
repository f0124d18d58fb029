import { describe, expect, it } from "vitest";
import { contextOf, openMiniheat } from "../miniheat";

describe("the link of one entry of a bar", () => {
  it("is that of its context, for which nothing is measured", async () => {
    const { engine, scope } = await openMiniheat("profiles/profile-8ranks.cali");
    const query = { scope, filter: 0, groupBy: "file" } as const;
    const { bars } = await engine.superGraph(query);
    const [main] = bars.find(({ id }) => id === "main.cpp")?.entries ?? [];
    const context = await contextOf(engine, scope, ["main"]);
    expect(main.link.places.length).toBe(1);
    expect(await engine.linkOfEntry({ query, context })).toEqual(main.link);
    for (const none of [1e6, -1, 0.5]) expect(await engine.linkOfEntry({ query, context: none })).toBeUndefined();
  });
});

describe("a window of a flame graph", () => {
  it("may be given as shares of a width that is not known yet", async () => {
    const { engine, scope } = await openMiniheat("profiles/profile-8ranks.cali");
    const query = { scope, of: { kind: "recording" }, order: "left-heavy" } as const;
    const window = { width: 800, firstDepth: 0, endDepth: 20 };
    const shares = await engine.flames({ query, window: { ...window, from: 0.25, to: 0.5, asShares: true } });
    const { width } = shares;
    expect(shares.rectangles.count).toBeGreaterThan(1);
    expect(await engine.flames({ query, window: { ...window, from: 0.25 * width, to: 0.5 * width } })).toEqual(shares);
  });
});
