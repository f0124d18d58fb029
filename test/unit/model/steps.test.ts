import { describe, expect, it, vi } from "vitest";
import { lastOf, paced, type Steps } from "../../../src/model/steps";

/** Three steps that write down when they are done. @param last what the last one does */
function* threeSteps(order: string[], last = () => "the result"): Steps<string> {
  for (const step of ["first", "second"]) {
    order.push(step);
    yield;
  }
  order.push("third");
  return last();
}

const fails = () => {
  throw new RangeError("no");
};

describe("work in steps", () => {
  it.each([
    ["comes between them when they took long", 1000, ["first", "another", "second", "third"]],
    ["waits for short ones", 0, ["first", "second", "third"]],
  ])("another event %s", async (_, milliseconds, expected) => {
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += milliseconds));
    try {
      const order: string[] = [];
      setImmediate(() => order.push("another"));
      expect(await paced(threeSteps(order))).toBe("the result");
      expect(order).toEqual(expected);
    } finally {
      clock.mockRestore();
    }
  });

  it("has the result, or the error, of its last step", async () => {
    const order: string[] = [];
    expect(lastOf(threeSteps(order))).toBe("the result");
    expect(order).toEqual(["first", "second", "third"]);
    expect(() => lastOf(threeSteps([], fails))).toThrow(RangeError);
    await expect(paced(threeSteps([], fails))).rejects.toThrow(RangeError);
  });
});
