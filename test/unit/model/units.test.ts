import { describe, expect, it } from "vitest";
import { parseRanks, rankRanges } from "../../../src/model/locations";
import { parseOverRanks } from "../../../src/model/metrics";
import { formatPercentile, formatRatio, formatShare, formatValue } from "../../../src/model/units";

describe("numbers on screen", () => {
  it.each([
    [1.2367, "s", "1.24 s"],
    [0.2639, "s", "264 ms"],
    [0.9996, "s", "1.00 s"],
    [59.96, "s", "60.0 s"],
    [1234.5, "s", "1235 s"],
    [3.4e-9, "s", "3.40 ns"],
    [0, "s", "0 s"],
    [-0.5, "s", "−500 ms"],
    [2.1e9, "B", "2.10 GB"],
    [512, "B", "512 B"],
    [35.3e9, "B/s", "35.3 GB/s"],
    [7, "1", "7"],
    [1_200_000, "1", "1.20 M"],
    [12.34, "furlongs", "12.3 furlongs"],
    [1, "cycles", "1 cycle"],
    [1.0001, "cycles", "1 cycle"],
    [2, "cycles", "2 cycles"],
    [-1, "cycles", "−1 cycles"],
    [1000, "cycles", "1.00 k cycles"],
    [1, "L1 cache misses", "1 L1 cache miss"],
    [1, "branch-misses", "1 branch-miss"],
    [1, "PAPI_TOT_INS", "1 PAPI_TOT_INS"],
    [1, "status", "1 status"],
    [1, "CPUTIME", "1 CPUTIME"],
    [NaN, "s", "not known"],
    [Infinity, "s", "∞"],
  ])("%s %s is written %s", (value, unit, text) => {
    expect(formatValue(value, unit)).toBe(text);
  });

  it.each([
    [0.3149, "31.5 %"],
    [1, "100 %"],
    [0.9995, "100 %"],
    [0.00004, "<0.01 %"],
    [0, "0 %"],
    [0.001, "0.100 %"],
    [0.79, "79.0 %"],
    [-0.000001, ">−0.01 %"],
  ])("a share of %s is written %s", (share, text) => {
    expect(formatShare(share)).toBe(text);
  });

  it("writes a ratio", () => {
    expect(formatRatio(3.8421)).toBe("3.84×");
    expect(formatRatio(NaN)).toBe("not known");
  });
});

describe("ranks", () => {
  it("are written as ranges and read back", () => {
    const ranks = [0, 1, 2, 3, 8, 12, 13, 14, 15];
    expect(rankRanges(ranks)).toBe("0–3, 8, 12–15");
    expect(rankRanges(ranks, "-")).toBe("0-3, 8, 12-15");
    for (const dash of ["-", "–"]) expect(parseRanks(rankRanges(ranks, dash))).toEqual(ranks);
    expect(parseRanks("0,4-7")).toEqual([0, 4, 5, 6, 7]);
  });

  it.each(["", "a", "1-", "3-1", "1,,2", "-1"])("are not read from '%s'", (text) => {
    expect(parseRanks(text)).toBeUndefined();
  });

  it("are combined by a word or by their number", () => {
    expect(parseOverRanks("mean")).toBe("mean");
    expect(parseOverRanks("rank=3")).toEqual({ rank: 3 });
    expect(parseOverRanks("median")).toBeUndefined();
  });
});

it.each([
  ...[1, 2, 3, 4, 11, 12, 13, 20, 21, 91, 100].map((percent) => [percent / 100, percent]),
  // The least of 300 runs, what is below all, and the second largest.
  [1 / 300, 1],
  [0, 0],
  [299 / 300, 99],
])("has %d as percentile %d, as people say it", (share, percent) => {
  const endings = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
  const ending = endings[new Intl.PluralRules("en", { type: "ordinal" }).select(percent)];
  expect(formatPercentile(share)).toBe(`${percent}${ending} percentile`);
});
