import { describe, expect, it } from "vitest";
import type { Format } from "../../../src/formats/format";
import { perf } from "../../../src/formats/perf/format";
import { chromeTrace } from "../../../src/formats/chrome/format";
import {
  contextsMessage,
  functionsMessage,
  metricsMessage,
  noMetricText,
  overviewMessage,
  resourcesMessage,
  statesMessage,
  superGraphMessage,
  timelineMessage,
} from "../../../src/session/notRecorded";
import { readFixture } from "../formats/formatLaws";
import { dataSetInfo } from "./sampleInfo";

const elsewhere = "Data Sets lists what was recorded.";

describe("what views say of a recording that has nothing for them", () => {
  it("is nothing where it has", () => {
    const info = dataSetInfo();
    expect([contextsMessage(info), functionsMessage(info), superGraphMessage(info)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("names calling contexts in the reader's words, or in its own", () => {
    const empty = { contexts: 0, functions: 0 };
    const told = dataSetInfo({
      ...empty,
      notRecorded: ["no sizes of messages", "no calling contexts in this recording: stacks were not recorded"],
    });
    expect(contextsMessage(told)).toBe(`No calling contexts in this recording: stacks were not recorded. ${elsewhere}`);
    expect(contextsMessage(dataSetInfo(empty))).toBe(`No calling contexts in this recording. ${elsewhere}`);
    expect(functionsMessage(told)).toBe(`No functions with values in this recording. ${elsewhere}`);
    expect(superGraphMessage(told)).toMatch(/^No calling contexts.*Without them there is no super graph\./);
  });

  it("names the recording that has no metric to choose or to search", () => {
    expect(noMetricText(dataSetInfo({ name: "a.trace", metrics: [] }))).toBe("a.trace has no metric");
    const levels = [{ ...dataSetInfo().metrics[0], additive: false }];
    expect(noMetricText(dataSetInfo({ name: "a.cali", metrics: levels }))).toBe("a.cali has no metric that adds up");
  });

  it("says where nothing adds up, and where contexts are estimated", () => {
    const levels = dataSetInfo({ defaultMetric: -1 });
    for (const message of [contextsMessage, functionsMessage, superGraphMessage])
      expect(message(levels)).toMatch(/^No metric of this recording adds up/);
    const estimated = dataSetInfo({ estimated: true });
    expect(contextsMessage(estimated)).toBe("Estimated from a call graph.");
    expect(functionsMessage(estimated)).toBeUndefined(); // those are measured
  });
});

describe("what views of states say of a recording of moments", () => {
  const views = [statesMessage, overviewMessage, resourcesMessage, metricsMessage];
  const moments = /^Only samples or marks were recorded, and nothing that lasts.*The timeline shows them\.$/;
  const of = async (format: Format, name: string, text: string) => {
    const [{ outline }] = await readFixture(format, { [name]: text }, { outlineOnly: true });
    return dataSetInfo({ trace: outline });
  };
  const traced = (...events: readonly object[]) =>
    of(
      chromeTrace,
      "a.json",
      JSON.stringify({ traceEvents: events.map((event) => ({ pid: 1, tid: 1, name: "step", ...event })) }),
    );
  const mark = { ph: "i", ts: 5 };
  const counter = { ph: "C", ts: 7, args: { load: 1 } };

  it("is that nothing lasts, and that the timeline has the samples", async () => {
    const sampled = ["1", "2"].map((at) => `solve 12/12 7.00000${at}: 5 cycles: \n\t1000 f (/a)\n\n`).join("");
    const info = await of(perf, "a.perf-script", sampled);
    expect(timelineMessage(info)).toBeUndefined();
    for (const view of views) expect(view(info)).toMatch(moments);
    for (const view of views) expect(view(await traced(mark))).toMatch(moments);
  });

  it("is nothing if one event lasts, if only for no time", async () => {
    for (const dur of [0, 3])
      for (const view of views) expect(view(await traced(mark, { ph: "X", ts: 6, dur }))).toBeUndefined();
  });

  it("leaves counters to views of variables", async () => {
    const info = await traced(mark, counter);
    expect(views.map((view) => view(info) === undefined)).toEqual([false, true, true, true]);
  });
});
