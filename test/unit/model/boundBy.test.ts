import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundSentence, boundShares, boundTitle, boundWord, type BoundTimes } from "../../../src/model/boundBy";
import { casesOf } from "../randomCases";

const times = (changes: Partial<BoundTimes>): BoundTimes => ({
  unit: "GPU",
  count: 1,
  seconds: 100,
  computing: 0,
  movement: 0,
  hidden: 0,
  communication: 0,
  ...changes,
});

describe("what a run is bound by", () => {
  it("is the first rule that holds, in whole percents of the time", () => {
    // Percents by what runs in them: computing alone, both, data alone, communication alone.
    const percents = fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }).filter((all) => sum(all) <= 99);
    fc.assert(
      fc.property(percents, fc.constantFrom(0.3, 1, 7, 1e-9), ([alone, both, data, communication], percent) => {
        const found = boundWord({
          unit: "rank",
          count: 1,
          seconds: 99 * percent,
          computing: (alone + both) * percent,
          movement: (both + data + communication) * percent,
          hidden: both * percent,
          communication: communication * percent,
        });
        const free = 99 - alone - both - data - communication;
        if (free >= 33) return found === "without work";
        if (alone + both >= 49.5) return found === "computation";
        if (data + communication >= 49.5) return found === (communication > data ? "communication" : "movement");
        return found === "no single cause";
      }),
      { numRuns: casesOf(2000) },
    );
  });

  it("names what the host did while nothing was done", () => {
    const host = (kind: "runtime" | "idle" | undefined, name = "cudaStreamCreate") =>
      boundTitle(times({ computing: 20, movement: 10, hidden: 3.3, host: { kind, name } }));
    expect(host("runtime")).toBe("Without work for 73.3 %, runtime: cudaStreamCreate");
    expect(host("runtime", "")).toBe("Without work for 73.3 %, runtime");
    expect(host("idle")).toBe("Without work for 73.3 %, idle");
    expect(host(undefined)).toBe("Without work for 73.3 %, nothing recorded");
  });

  it("comes with its figure, and with all three if there is no single cause", () => {
    expect(boundSentence(times({ computing: 75.4, movement: 10 }))).toBe("Bound by computation (75.4 %)");
    expect(boundSentence(times({ computing: 20, movement: 60, communication: 40 }))).toBe(
      "Bound by communication (60.0 %)",
    );
    const mixed = { computing: 40, movement: 40, hidden: 10 };
    expect(boundTitle(times(mixed))).toBe("No single cause");
    expect(boundSentence(times(mixed))).toBe(
      "No single cause: kernels 40.0 %, exposed movement 30.0 %, neither 30.0 %",
    );
    expect(boundSentence(times({ ...mixed, unit: "rank" }))).toContain("computing 40.0 %");
    expect(boundShares(times({ computing: 100 + 1e-12 }))?.neither).toBe(0);
  });

  it("says nothing of no time", () => {
    expect(boundShares(times({ seconds: 0 }))).toBeUndefined();
    expect(boundSentence(times({ seconds: 0 }))).toBe("Nothing that lasts was recorded");
  });
});

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
