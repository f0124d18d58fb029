import { describe, expect, it } from "vitest";
import { read, samples, valuesOf } from "../caliFixtures";

describe("samples", () => {
  it("hang below the innermost region, after the last call that is a region's function", async () => {
    const dataSet = await read(samples().text());
    expect(dataSet.hierarchies).toEqual(["combined", "regions", "callPaths"]);
    expect(valuesOf(dataSet, "count")).toEqual({
      "clone/poll/../poll.c:29 @-1": 4,
      "main/solve @1": 2,
      "main/solve/dot(Vec const&)/src/dot.cpp:7 @0": 5,
      "main/solve/src/solver.cpp:12 @0": 3,
    });
  });

  it("make call paths or regions alone, with as many samples", async () => {
    expect(valuesOf(await read(samples().text(), "regions"), "count")).toEqual({
      " @-1": 4,
      "main/solve @0": 8,
      "main/solve @1": 2,
    });
    const solve = "_start/main/ns::Solver<double>::solve(int)";
    expect(valuesOf(await read(samples().text(), "callPaths"), "count")).toEqual({
      "clone/poll/../poll.c:29 @-1": 4,
      [`${solve} @1`]: 2,
      [`${solve}/dot(Vec const&)/src/dot.cpp:7 @0`]: 5,
      [`${solve}/src/solver.cpp:12 @0`]: 3,
    });
  });

  it("give time by their frequency, and functions their load module", async () => {
    const dataSet = await read(samples().text());
    expect(dataSet.metrics.map(({ name, unit }) => [name, unit])).toEqual([
      ["time", "s"],
      ["count", "1"],
    ]);
    expect(valuesOf(dataSet, "time")["main/solve @1"]).toBe(0.02);
    const { frames, tree } = dataSet;
    const all = Array.from(tree.frame, (frame) => frames.get(frame as never));
    expect(all.find(({ name }) => name === "dot(Vec const&)")).toEqual({
      name: "dot(Vec const&)",
      kind: "function",
      module: "/home/user/app",
    });
    expect(all.find(({ kind }) => kind === "line")).toMatchObject({ file: "../poll.c", line: 29 });
  });
});
