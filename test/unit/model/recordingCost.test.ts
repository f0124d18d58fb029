import { describe, expect, it } from "vitest";
import { badgeText, costShare, isLargeCost, LEFT_OUT, rankingText, slowdown } from "../../../src/model/recordingCost";
import { rankingNote } from "../../../src/session/notRecorded";

const cost = (seconds: number) => ({ seconds, processorSeconds: 1 });

describe("what recording has cost", () => {
  it("stands in headings from 1.5 times on", () => {
    expect(isLargeCost(undefined)).toBe(false);
    expect(isLargeCost(cost(0.33))).toBe(false);
    expect(isLargeCost(cost(0.34))).toBe(true);
    expect(isLargeCost({ seconds: 1, processorSeconds: 0 })).toBe(false);
  });

  it("is a lower bound that never ends, however much was measured", () => {
    for (const share of [0, 0.1, 0.5, 0.9, 0.99, 1, 3]) {
      const times = slowdown(cost(share));
      expect(times).toBeGreaterThanOrEqual(1);
      expect(times).toBeLessThanOrEqual(10.000001);
      // The measured cost taken as it is would say more.
      if (share > 0 && share < 1) expect(times).toBeLessThan(1 / (1 - share));
    }
    expect(costShare(cost(3))).toBe(1);
  });

  it("is a badge with the tool and one digit behind the point", () => {
    expect(badgeText("instrument", cost(0.5))).toBe("instrument · 1.8× as long");
    expect(badgeText("tracker", cost(0))).toBe("tracker · 1.0× as long");
    expect(badgeText("instrument", cost(1))).toBe("instrument · 10.0× as long");
  });

  it("is said above a ranking, with the functions that it cannot have", () => {
    const leftOut = `${LEFT_OUT}.h in their paths: their time is in their callers`;
    expect(rankingNote({ recordingCost: cost(0.2), notRecorded: ["no source lines in this recording"] })).toBe("");
    const large = cost(0.5);
    expect(rankingNote({ recordingCost: large, notRecorded: [leftOut] })).toBe(
      `${rankingText(large)} No functions of files with .h in their paths: their time is in their callers.`,
    );
    expect(rankingText(large)).toMatch(
      /^The ranking may be the tool's: recording took 500\sms \(50\.0\s%\) of the CPU time, a slowdown of at least 1\.82×\./,
    );
  });
});
