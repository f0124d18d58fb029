import { describe, expect, it } from "vitest";
import { firstStep } from "../../../../src/panels/kit/frameMessage";

describe("the first step of a panel", () => {
  it.each([
    ["profile-8ranks.cali", "profile-8ranks"],
    ["run.2/np8-r1.json", "run.2/np8-r1"],
    ["callgrind.out.1234", "callgrind.out.1234"],
    ["callgrind.apart.O3", "callgrind.apart.O3"],
    ["v1.2", "v1.2"],
    [".cali", ".cali"],
    ["hpctoolkit-lulesh.m", "hpctoolkit-lulesh"],
  ])("calls %s %s, and has the whole name in its tooltip", (name, text) => {
    const { text: shown, title = shown } = firstStep({ name });
    expect([shown, title]).toEqual([text, name]);
  });
});
