import { describe, expect, it } from "vitest";
import { boundSentence, boundShares, boundTitle, boundWord, type BoundTimes } from "../../../src/model/boundBy";

const times = (changes: Partial<BoundTimes>): BoundTimes => ({
  ...{ unit: "GPU", count: 1, seconds: 100, computing: 0, movement: 0, hidden: 0, communication: 0, ...changes },
});

describe("what a run is bound by", () => {
  it("is movement where more of it is exposed than is computed without any", () => {
    expect(boundWord(times({ computing: 30, movement: 50, hidden: 10 }))).toBe("movement");
    expect(boundWord(times({ computing: 50, movement: 50, hidden: 10 }))).toBe("computation");
    expect(boundWord(times({ computing: 90, movement: 5, hidden: 5 }))).toBe("computation");
  });

  it("is communication where that is the larger part of what is exposed", () => {
    expect(boundWord(times({ computing: 10, movement: 60, communication: 31 }))).toBe("communication");
    expect(boundWord(times({ computing: 10, movement: 60, communication: 30 }))).toBe("movement");
  });

  it("is nothing where both are below a twentieth of the time", () => {
    expect(boundWord(times({ computing: 2, movement: 4.9 }))).toBe("neither");
    expect(boundWord(times({ computing: 2, movement: 5 }))).toBe("movement");
    expect(boundTitle(times({ computing: 2, movement: 1 }))).toBe(
      "Neither computing nor moving data for 97.0 % of the time",
    );
  });

  it("comes with the figures, and says of no movement how much is hidden", () => {
    expect(boundSentence(times({ computing: 30, movement: 50, hidden: 10 }))).toBe(
      "bound by movement: computing 30.0 %, exposed movement 40.0 %, 20.0 % of the movement hidden, neither 30.0 %",
    );
    expect(boundSentence(times({ computing: 100 }))).toBe(
      "bound by computation: computing 100 %, exposed movement 0 %, neither 0 %",
    );
    expect(boundShares(times({ computing: 100 + 1e-12 }))?.neither).toBe(0);
  });

  it("says nothing of no time", () => {
    expect(boundShares(times({ seconds: 0 }))).toBeUndefined();
    expect(boundSentence(times({ seconds: 0 }))).toBe("nothing that lasts was recorded");
  });
});
