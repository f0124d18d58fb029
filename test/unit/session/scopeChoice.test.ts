import { describe, expect, it } from "vitest";
import {
  combinedUnit,
  overText,
  rankCount,
  restrictionTexts,
  scopeOf,
  scopeText,
  shownUnit,
} from "../../../src/session/scopeChoice";
import { type Chosen, chosenRanks, chosenText } from "../../../src/model/members";
import type { EventKind } from "../../../src/model/eventKinds";
import type { DataSetInfo } from "../../../src/engine/api";
import { formatValue } from "../../../src/model/units";
import { dataSetInfo, metricInfo } from "./sampleInfo";

const info = dataSetInfo();

describe("scopes", () => {
  it("start with the default metric: times as mean, everything else as sum", () => {
    expect(scopeOf(info, {}, "mean")).toEqual({ dataSet: 1, metric: 0, over: "mean" });
    expect(scopeOf(info, { metric: "bytes" }, "mean")).toEqual({ dataSet: 1, metric: 1, over: "sum" });
  });

  it("let the setting decide for times only", () => {
    expect(scopeOf(info, {}, "max")?.over).toBe("max");
    expect(scopeOf(info, { metric: "bytes" }, "max")?.over).toBe("sum");
  });

  it("keep what was chosen, also by name when the metrics' order changed", () => {
    const turned = dataSetInfo({ metrics: [...info.metrics].reverse() });
    expect(scopeOf(turned, { metric: "time", over: "min", chosen: chosenRanks([0, 4]) }, "mean")).toEqual({
      dataSet: 1,
      metric: 1,
      over: "min",
      chosen: { by: "rank", members: ["0", "4"] },
    });
  });

  it("drop a choice that the recording does not have", () => {
    expect(scopeOf(info, { metric: "gone", over: { rank: 99 }, chosen: chosenRanks([99]) }, "mean")).toEqual({
      dataSet: 1,
      metric: 0,
      over: "mean",
    });
  });

  it("have the metric of events in a window of time, and no window where there is none", () => {
    const window = { from: 0.0617, to: 0.07 };
    const [time, bytes] = info.metrics;
    const traced = dataSetInfo({ metrics: [bytes, { ...time, ofEvents: true }] });
    const scope = scopeOf(traced, { metric: "bytes", window }, "mean");
    expect(scope).toEqual({ dataSet: 1, metric: 1, over: "mean", window });
    expect(scope && scopeText(traced, scope)).toBe("time · mean over 8 ranks · 61.7 – 70.0 ms");
    expect(scopeOf(info, { metric: "bytes", window }, "mean")).toEqual({ dataSet: 1, metric: 1, over: "sum" });
  });

  it("have the metric of events of some kinds of work, with the user's table, and no kinds where there is none", () => {
    const kinds = ["communication", "I/O"] as const;
    const named = { "I/O": ["dump"] };
    const [time, bytes] = info.metrics;
    const traced = dataSetInfo({ metrics: [bytes, { ...time, ofEvents: true }] });
    const scope = scopeOf(traced, { metric: "bytes", kinds: [...kinds].reverse() }, "mean", named);
    expect(scope).toEqual({ dataSet: 1, metric: 1, over: "mean", kinds: { of: ["I/O", "communication"], named } });
    expect(scope && scopeText(traced, scope)).toBe("time · mean over 8 ranks · communication, I/O");
    expect(scopeOf(traced, { kinds: [] }, "mean")?.kinds).toBeUndefined();
    expect(scopeOf(info, { metric: "bytes", kinds }, "mean")).toEqual({ dataSet: 1, metric: 1, over: "sum" });
    expect(
      restrictionTexts({ chosen: chosenRanks([0, 4]), window: { from: 3.04, to: 3.59 }, kinds: { of: kinds } }),
    ).toEqual({
      restriction: "ranks 0, 4",
      window: "3.04 – 3.59 s",
      kinds: "communication, I/O",
    });
  });

  it("say how many kinds of work were chosen where their names would be long", () => {
    const texts = (of: readonly EventKind[]) => restrictionTexts({ kinds: { of } }).kinds;
    expect(texts(["idle", "data movement", "communication"])).toBe("data movement, communication, idle");
    expect(texts(["computing", "GPU", "data movement", "communication"])).toBe("4 categories");
  });

  it("are nothing without a metric", () => {
    expect(scopeOf(dataSetInfo({ metrics: [], defaultMetric: -1, startingMetric: -1 }), {}, "mean")).toBeUndefined();
  });

  it("are written as people say them", () => {
    expect(overText(info, { metric: 0, over: "mean" })).toBe("mean over 8 ranks");
    expect(overText(info, { metric: 0, over: { rank: 3 } })).toBe("rank 3");
    expect(overText(info, { metric: 0, over: "max", chosen: chosenRanks([0, 4, 5, 6]) })).toBe("max over ranks 0, 4–6");
    expect(overText(dataSetInfo({ ranks: [0] }), { metric: 0, over: "mean" })).toBe("");
    const runs: DataSetInfo["units"] = [{ by: "run", members: ["0", "1", "2"] }];
    expect(overText(dataSetInfo({ ranks: [], units: runs }), { metric: 0, over: "mean" })).toBe("sum over 3 runs");
    const reduced = dataSetInfo({ ranks: [], metrics: [metricInfo({ reducedOverRanks: true })] });
    expect(overText(reduced, { metric: 0, over: "mean" })).toBe("combined over ranks when recorded");
    expect(chosenText(chosenRanks([7]))).toBe("rank 7");
    expect(chosenText({ by: "thread", members: ["0.1", "0.2"] })).toBe("threads 0.1, 0.2");
    expect(scopeText(info, { dataSet: 1, metric: 0, over: "mean" })).toBe("time · mean over 8 ranks");
    expect(
      scopeText(dataSetInfo({ metrics: [metricInfo({ name: "count" })] }), { dataSet: 1, metric: 0, over: "sum" }),
    ).toBe("count · sum over 8 ranks");
  });

  it("count what is long, threads and streams, and the ranks of hosts", () => {
    const over = (by: Chosen["by"], members: string[], units: DataSetInfo["units"] = []) =>
      overText(dataSetInfo({ units }), { metric: 0, over: "mean", chosen: { by, members } });
    expect(over("rank", ["3"])).toBe("rank 3");
    const odd = Array.from({ length: 32 }, (_, at) => `${2 * at + 1}`);
    expect(over("rank", odd)).toBe("mean over 32 ranks");
    expect(over("thread", ["0.0", "0.1", "1.0"])).toBe("mean over 3 threads");
    expect(over("stream", ["0.7"])).toBe("GPU stream 0.7");
    const hosts = [
      {
        by: "host",
        members: ["1", "2"],
        ranks: [
          [0, 1, 2, 3],
          [4, 5],
        ],
      },
    ] as const;
    expect(over("host", ["1"], hosts)).toBe("mean over the 4 ranks of host 1");
    expect(over("host", ["1", "2"], hosts)).toBe("mean over the 6 ranks of hosts 1–2");
    const withoutRanks = [{ by: "host", members: ["1", "2"], ranks: [[], []] }] as const;
    expect(over("host", ["1", "2"], withoutRanks)).toBe("mean over 2 hosts");
    const scope = { chosen: { by: "host", members: ["1"] } } as const;
    expect(rankCount(dataSetInfo({ units: hosts }), scope)).toBe(4);
    expect(combinedUnit(dataSetInfo({ units: hosts }), scope)).toBe("ranks");
    expect(combinedUnit(info, { chosen: { by: "thread", members: ["0", "1"] } })).toBe("threads");
  });

  it("never show one rank that was not chosen", () => {
    const choice = { over: { rank: 3 }, chosen: chosenRanks([0, 4]) };
    expect(scopeOf(info, choice, "mean")?.over).toBe("mean");
    expect(scopeOf(info, { ...choice, chosen: chosenRanks([3, 4]) }, "mean")?.over).toEqual({ rank: 3 });
  });

  it("say nothing about ranks where the recording has none", () => {
    const none = dataSetInfo({ ranks: [] });
    expect(overText(none, { metric: 0, over: "mean" })).toBe("");
    expect(scopeText(none, { dataSet: 1, metric: 0, over: "mean" })).toBe("time");
  });
});

describe("what stands behind numbers", () => {
  it("is the unit, and the metric's name where it has none", () => {
    expect(formatValue(1.2, shownUnit({ name: "time", unit: "s" }))).toBe("1.20 s");
    expect(formatValue(1.2e6, shownUnit({ name: "Ir", unit: "1" }))).toBe("1.20 M Ir");
    expect(formatValue(20, shownUnit({ name: "Ir", unit: "1" }))).toBe("20 Ir");
    expect(shownUnit({ name: "x".repeat(100_000), unit: "1" }).length).toBeLessThan(100);
    expect(shownUnit({ name: "\u202e1 rI\u0000", unit: "1" })).toBe("�1 rI�");
    expect(shownUnit({ name: "x", unit: "\u2066B\u2069/s\n" })).toBe("�B�/s�");
  });
});
