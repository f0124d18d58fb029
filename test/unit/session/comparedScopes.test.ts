import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/engine/api";
import {
  comparableWith,
  comparedPair,
  currentPairOrWhyNot,
  pairOrWhyNot,
  whyNotCompared,
} from "../../../src/session/comparedScopes";
import { dataSetInfo, metricInfo } from "./sampleInfo";

const [time, bytes] = [metricInfo(), metricInfo({ name: "bytes", unit: "B", kind: "bytes" })];
const before = dataSetInfo({ id: 1, name: "before", metrics: [time, bytes] });
const after = dataSetInfo({ id: 2, name: "after", metrics: [time] });
const third = dataSetInfo({ id: 3, name: "third" });

/** The first two are compared, and one is on screen. */
function session(current: typeof before, metric = 0) {
  return {
    dataSets: [before, after, third],
    comparison: { baseline: 1, candidate: 2 },
    renamed: [],
    current,
    scope: (dataSet = current.id): Scope => ({ dataSet, metric: dataSet === 1 ? metric : 0, over: "mean" }),
  };
}

describe("two recordings that are compared", () => {
  const pair = { baseline: { dataSet: 1 }, candidate: { dataSet: 2 } };

  it("are so whichever is on screen; lines and trees show it while one of them is", () => {
    for (const current of [before, after, third]) expect(pairOrWhyNot(session(current))).toMatchObject(pair);
    for (const current of [before, after]) {
      expect(currentPairOrWhyNot(session(current))).toMatchObject(pair);
      expect(comparedPair(session(current))).toMatchObject(pair);
    }
    expect(currentPairOrWhyNot(session(third))).toBe(
      "Lines and trees show third, which is not part of this comparison.",
    );
    expect(comparedPair(session(third))).toBeUndefined();
  });

  it("have no difference of a metric that one lacks, which is said wherever it is missing", () => {
    const reason = "Not compared: after has no metric bytes. Choose a metric that both have.";
    for (const current of [before, after, third]) {
      expect(pairOrWhyNot(session(current, 1))).toBe(reason);
      expect(currentPairOrWhyNot(session(current, 1))).toBe(reason);
    }
    expect(comparedPair(session(before, 1))).toBeUndefined();
  });

  it("have no difference in editor and trees where the one on screen shows what the other lacks: no number has its unit", () => {
    const wide = { ...after, metrics: [time, metricInfo({ name: "energy", unit: "J" })] };
    const showing = (current: typeof before) => ({
      ...session(current),
      dataSets: [before, wide, third],
      scope: (dataSet = current.id): Scope => ({ dataSet, metric: dataSet === 2 ? 1 : 0, over: "mean" }),
    });
    const reason = "Not compared: before has no metric energy. Choose a metric that both have.";
    expect([currentPairOrWhyNot(showing(wide)), whyNotCompared(showing(wide))]).toEqual([reason, reason]);
    expect(comparedPair(showing(wide))).toBeUndefined();
    // What the baseline shows, both have.
    expect(comparedPair(showing(before))).toMatchObject({ baseline: { metric: 0 }, candidate: { metric: 0 } });
    for (const current of [before, third]) expect(whyNotCompared(showing(current))).toBeUndefined();
  });

  it("are none where nothing is compared, or one of the two is not open", () => {
    for (const comparison of [undefined, { baseline: 1, candidate: 9 }])
      expect(currentPairOrWhyNot({ ...session(before), comparison })).toBeUndefined();
  });
});

describe("recordings that another one can be compared with", () => {
  const other = (id: number, ...metrics: Parameters<typeof metricInfo>[0][]) =>
    ({ ...dataSetInfo({ id, files: [`/runs/${id}.cali`], metrics: metrics.map(metricInfo) }), key: `${id}` }) as const;
  const all = [
    other(1, {}),
    other(2, { unit: "1" }),
    other(3, { name: "cycles", unit: "1" }),
    other(4, { name: "bytes", unit: "B" }, {}),
    other(5, { total: 0 }),
  ];

  it("are those that measured what it shows, in its unit", () => {
    const open = {
      dataSets: all,
      scope: (dataSet = 1): Scope | undefined => ({ dataSet, metric: 0, over: "mean" }),
    };
    expect(comparableWith(open, all[0]).map(({ id }) => id)).toEqual([4]);
    expect(comparableWith(open, all[2])).toEqual([]);
    expect(comparableWith({ ...open, scope: () => undefined }, all[0])).toEqual([]);
  });
});
