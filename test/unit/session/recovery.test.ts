import { describe, expect, it } from "vitest";
import { planRecovery, recoveryMessage } from "../../../src/session/recovery";

const minute = 60_000;

describe("recovery after the worker's end", () => {
  it("restarts and reopens everything when nothing was being worked on", () => {
    expect(planRecovery([{ atMs: 0, busyWith: [] }], 0)).toEqual({ restart: true, leaveClosed: [] });
  });

  it("gives a recording a second chance, and no third", () => {
    const first = { atMs: 0, busyWith: [3] };
    expect(planRecovery([first], 0).leaveClosed).toEqual([]);
    expect(planRecovery([first, { atMs: minute * 2, busyWith: [3, 4] }], minute * 2).leaveClosed).toEqual([3]);
  });

  it("counts one end once, however many questions were under way", () => {
    expect(planRecovery([{ atMs: 0, busyWith: [3, 3] }], 0).leaveClosed).toEqual([]);
  });

  it("forgets what is long ago", () => {
    const ends = [
      { atMs: 0, busyWith: [3] },
      { atMs: 30 * minute, busyWith: [3] },
    ];
    expect(planRecovery(ends, 30 * minute)).toEqual({ restart: true, leaveClosed: [] });
  });

  it("stops restarting a worker that ends again and again", () => {
    const ends = Array.from({ length: 6 }, (_, at) => ({ atMs: at * 100, busyWith: [] }));
    expect(planRecovery(ends.slice(0, 5), 500).restart).toBe(true);
    expect(planRecovery(ends, 500).restart).toBe(false);
    expect(planRecovery(ends, 10 * minute).restart).toBe(true);
  });

  it("says what was too large and what would help", () => {
    const message = recoveryMessage("the worker ran out of memory", "big.cali", [], 2);
    expect(message).toContain("opening big.cali");
    expect(message).toContain("heatflow.limits.memory");
    expect(message).toContain("heatflow summary");
    expect(message).toContain("Reopening 2 data sets");
  });

  it("gives no advice about size where size was not the reason", () => {
    const message = recoveryMessage("the worker ended with code 1", undefined, [], 1);
    expect(message).toBe("Heatflow's engine has stopped: the worker ended with code 1. Reopening 1 data set.");
  });

  it("names what stays closed", () => {
    expect(recoveryMessage("it failed", undefined, ["a.cali", "b.cali"], 0)).toContain(
      "a.cali, b.cali stopped it twice",
    );
  });
});
