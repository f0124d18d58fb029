import { describe, expect, it } from "vitest";
import { contextsMessage, functionsMessage, noMetricText, superGraphMessage } from "../../../src/session/notRecorded";
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
