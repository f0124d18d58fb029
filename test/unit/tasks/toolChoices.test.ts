import { describe, expect, it } from "vitest";
import { toolChoices } from "../../../src/tasks/toolChoices";

const inOrder = (canSample: boolean, hasMarks: boolean) =>
  toolChoices(canSample, hasMarks).map(({ tool, isRunning }) => (isRunning ? `${tool} running` : tool));

describe("tools of a new traced build", () => {
  it("begin with samples if perf may measure, then the marks that the program has", () => {
    expect(inOrder(true, true)).toEqual([
      "sample",
      "sample running",
      "tracker",
      "instrument",
      "callgrind",
      "caliper",
      "hpctoolkit",
    ]);
    expect(inOrder(true, false)).toEqual([
      "sample",
      "sample running",
      "instrument",
      "callgrind",
      "caliper",
      "hpctoolkit",
      "tracker",
    ]);
  });

  it("begin with every function if perf may not measure", () => {
    expect(inOrder(false, false)[0]).toBe("instrument");
    expect(inOrder(false, true)).toEqual([
      "instrument",
      "tracker",
      "callgrind",
      "caliper",
      "hpctoolkit",
      "sample",
      "sample running",
    ]);
  });

  it("say what they cost", () => {
    const costs = new Map(toolChoices(true, true).map(({ label, detail }) => [label, detail]));
    expect(costs.get("Samples (perf)")).toContain("A fifth to a quarter more CPU time");
    expect(costs.get("Every Function")).toContain("C++ often takes 2 to 8 times as long");
    expect(costs.get("Instructions (callgrind)")).toContain("20 to 100 times");
  });
});
