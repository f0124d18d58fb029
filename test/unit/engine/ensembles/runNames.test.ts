import { describe, expect, it } from "vitest";
import { binOf } from "../../../../src/engine/ensembles/gradients";
import { matchesPath } from "../../../../src/engine/ensembles/manifest";
import { namePattern } from "../../../../src/engine/ensembles/namePattern";
import { numberOf } from "../../../../src/engine/ensembles/runMetadata";
import { compareRunNames, runNames } from "../../../../src/engine/ensembles/runNames";

describe("names of runs", () => {
  it("are the shortest unique endings of their paths, without endings of file names", () => {
    expect(runNames(["/r/a/np4.cali", "/r/b/np4.cali.gz", "/r/b/np8.json"])).toEqual(["a/np4", "b/np4", "np8"]);
    // Where the ending is all that differs it stays.
    expect(runNames(["/r/np4.cali", "/r/np4.json"])).toEqual(["np4.cali", "np4.json"]);
    expect(runNames(["/r/v1.2_gcc10.3", "/r/callgrind.out.12"])).toEqual(["v1.2_gcc10.3", "callgrind.out.12"]);
    // Names of folders have no ending.
    expect(runNames(["/r/O2.gcc", "/r/O3.clang", "/r/a.cali"], new Set(["/r/O2.gcc", "/r/O3.clang"]))).toEqual([
      "O2.gcc",
      "O3.clang",
      "a",
    ]);
  });

  it("are in the order of code points, beyond those of one unit too", () => {
    const names = ["b", "a", "ab", "\u{ff5e}", "\u{1f600}", ""];
    expect([...names].sort(compareRunNames)).toEqual(["", "a", "ab", "b", "\u{ff5e}", "\u{1f600}"]);
  });
});

describe("a pattern of file names", () => {
  const valuesOf = (pattern: string, path: string) => {
    const values = namePattern(pattern).valuesIn(path);
    return values && Object.fromEntries(values);
  };

  it("reads each name up to the text that follows it", () => {
    expect(valuesOf("size_np{ranks}_s{size}.cali", "/r/size_np27_s512.cali")).toEqual({ ranks: "27", size: "512" });
    expect(valuesOf("{machine}/np{ranks}.cali", "/r/quartz/np4.cali")).toEqual({ machine: "quartz", ranks: "4" });
    expect(valuesOf("{name}-{rest}", "/r/a-b-c")).toEqual({ name: "a", rest: "b-c" });
  });

  it("says nothing of a file that is named otherwise, however long", () => {
    expect(valuesOf("np{ranks}.cali", "/r/run.cali")).toBeUndefined();
    expect(valuesOf("np{ranks}.cali", "/r/np.cali")).toBeUndefined();
    expect(valuesOf("{a}-{b}-{c}-{d}-{e}x", `/r/${"-".repeat(100_000)}`)).toBeUndefined();
  });

  it("says what is wrong with it", () => {
    for (const wrong of ["np.cali", "{a", "{}", "{a}{b}", "{a}-{a}", "a}"])
      expect(() => namePattern(wrong), wrong).toThrow(/The pattern .* written as size_np\{ranks\}/);
  });
});

describe("a glob of a manifest", () => {
  it("stands for any folders where it has two stars, and for text within one where it has one", () => {
    expect(matchesPath("/r/**/*.cali", "/r/a/b/c.cali")).toBe(true);
    expect(matchesPath("/r/**/*.cali", "/r/c.cali")).toBe(true);
    expect(matchesPath("/r/*.cali", "/r/a/c.cali")).toBe(false);
    expect(matchesPath("/r/np?/**", "/r/np4/x/y")).toBe(true);
    expect(matchesPath("/r/**/z", "/r/a/b")).toBe(false);
  });
});

it("numbers of parameters are what people and programs write, and nothing else", () => {
  expect(["27", " 1e3 ", "-0.5", "1048576.000000"].map(numberOf)).toEqual([27, 1000, -0.5, 1048576]);
  expect(["", "0x10", "1 2", "Infinity", "1e999", "v1"].map(numberOf)).toEqual(Array(6).fill(undefined));
});

it("a value on an edge belongs to the upper bin, the largest to the last, a negative one to the first", () => {
  for (const to of [0.3, 0.7, 1, 1.1, 3e-9, 7e12])
    for (const bins of [1, 7, 10, 20]) {
      for (let bin = 0; bin < bins; bin++) expect(binOf((to * bin) / bins, to, bins)).toBe(bin);
      expect(binOf(to, to, bins)).toBe(bins - 1);
      expect(binOf(-1, to, bins)).toBe(0);
    }
});
