import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../../src/session/settings";

interface Property {
  readonly default: unknown;
  readonly scope?: string;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  contributes: { configuration: { properties: Record<string, Property> } };
};
const { properties } = manifest.contributes.configuration;

describe("settings", () => {
  it("have the manifest's defaults in the code too", () => {
    const asContributed = readSettings((name) => properties[`heatflow.${name}`]?.default);
    expect(readSettings(() => undefined)).toEqual(asContributed);
  });

  it("limit the machine for the machine alone, so that no workspace raises it", () => {
    const limits = Object.keys(properties).filter((name) => name.startsWith("heatflow.limits."));
    expect(limits).toEqual([
      "heatflow.limits.memory",
      "heatflow.limits.cache",
      "heatflow.limits.unpacked",
      "heatflow.limits.source",
    ]);
    for (const name of limits) expect(properties[name].scope).toBe("machine");
  });

  it("take a value of the wrong kind for none", () => {
    const settings = readSettings(
      (name) =>
        ({
          "heat.enabled": "yes",
          "heat.minimumShare": Number.NaN,
          "superGraph.groupBy": "colour",
          overRanks: { rank: 1 },
          groups: { good: ["a", 1], bad: "b" },
          sourceMap: { "/from": "/to", "/other": 1, "": "/all" },
        })[name],
    );
    expect(settings).toMatchObject({
      heatEnabled: true,
      minimumShare: 0.001,
      superGraphGroupBy: undefined,
      overRanks: "mean",
    });
    expect({ ...settings.groups }).toEqual({ good: ["a"] });
    expect({ ...settings.sourceMap }).toEqual({ "/from": "/to" });
  });

  it("leave filter and grouping of a new super graph to the first picture until somebody sets one", () => {
    const contributed = readSettings((name) => properties[`heatflow.${name}`]?.default);
    expect([contributed.superGraphFilterPercent, contributed.superGraphGroupBy]).toEqual([undefined, undefined]);
    const set = readSettings((name) => ({ "superGraph.filter": 0, "superGraph.groupBy": "file" })[name]);
    expect([set.superGraphFilterPercent, set.superGraphGroupBy]).toEqual([0, "file"]);
  });

  it("keep numbers within their bounds", () => {
    expect(readSettings(() => -5)).toMatchObject({
      minimumShare: 0,
      memoryLimitMegabytes: 64,
      cacheLimitGigabytes: 0,
      unpackedRatio: 1,
    });
    expect(readSettings(() => 1e9)).toMatchObject({ minimumShare: 1, superGraphFilterPercent: 100 });
  });

  it("take a pattern without the blanks around it, and nothing else for one", () => {
    expect(readSettings(() => " np{ranks}.cali ").ensemblePattern).toBe("np{ranks}.cali");
    expect(readSettings(() => 7).ensemblePattern).toBe("");
  });

  it("take __proto__ for a name like any other", () => {
    const settings = readSettings((name) => (name === "sourceMap" ? JSON.parse('{"__proto__": "/x"}') : undefined));
    expect(Object.keys(settings.sourceMap)).toEqual(["__proto__"]);
    expect(settings.memoryLimitMegabytes).toBe(4096);
  });
});
