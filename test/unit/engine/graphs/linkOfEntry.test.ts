import { describe, expect, it } from "vitest";
import { openMiniheat } from "../miniheat";

describe("the link of one entry of a bar", () => {
  it("is the one that a graph with all links has", async () => {
    const { engine, scope } = await openMiniheat("profiles/profile-8ranks.cali");
    const query = { scope, filter: 0, groupBy: "module" } as const;
    const { bars } = await engine.superGraph({ ...query, linkEveryEntry: true });
    const entries = bars.flatMap(({ id, entries: all }) => all.map(({ link }, entry) => ({ bar: id, entry, link })));
    expect(entries.length).toBeGreaterThan(5);
    for (const { bar, entry, link } of entries) expect(await engine.linkOfEntry({ query, bar, entry })).toEqual(link);
    expect(await engine.linkOfEntry({ query, bar: bars[0].id, entry: 1e6 })).toBeUndefined();
    expect(await engine.linkOfEntry({ query, bar: "none", entry: 0 })).toBeUndefined();
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
