import { describe, expect, it } from "vitest";
import { namedMetric } from "../../../../src/formats/hpctoolkit/metricUnits";

describe("names of HPCToolkit's metrics", () => {
  it.each([
    ["CPUTIME (sec)", { name: "CPUTIME", unit: "s", kind: "time" }],
    ["REALTIME (usec)", { name: "REALTIME", unit: "s", kind: "time", divisor: 1e6 }],
    ["WALLCLOCK (us)", { name: "WALLCLOCK", unit: "s", kind: "time", divisor: 1e6 }],
    ["CPUTIME (usec):Sum (I)", { name: "CPUTIME:Sum (I)", unit: "s", kind: "time", divisor: 1e6 }],
    ["GXCOPY:H2D (B)", { name: "GXCOPY:H2D", unit: "B", kind: "bytes" }],
    ["cycles", { name: "cycles", unit: "1", kind: "count" }],
    ["perf::task-clock", { name: "perf::task-clock", unit: "1", kind: "count" }],
    ["(sec)", { name: "(sec)", unit: "s", kind: "time" }],
    ["PAPI_TOT_CYC (I)", { name: "PAPI_TOT_CYC (I)", unit: "1", kind: "count" }],
    ["", { name: "", unit: "1", kind: "count" }],
  ])("%s", (recorded, expected) => {
    expect(namedMetric(recorded)).toEqual(expected);
  });

  it("are scanned in time that grows with their length only", () => {
    expect(namedMetric("(".repeat(100_000)).unit).toBe("1");
  });
});
