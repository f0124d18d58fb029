import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphOperation, Scope } from "../../../../src/engine/api";
import { operationText } from "../../../../src/engine/graphs/operations";
import { commandLine, stepLabel } from "../../../../src/panels/superGraph/stepTexts";

const scope: Scope = { dataSet: 1, metric: 0, over: "mean", chosen: { by: "rank", members: ["0", "4", "5", "6"] } };
const dataSet = { files: ["/data/run one.cali"], metrics: [{ name: "time" }] } as never;

describe("an operation in a few words", () => {
  it.each<[string, GraphOperation]>([
    ["hide below 0.5 %", { kind: "filter", percent: 0.5 }],
    ["by module", { kind: "group-by", groupBy: "module" }],
    ["split MPI by caller function", { kind: "split-by-caller", target: { group: "MPI" }, by: "function" }],
    ["split lib1 (2) by caller group", { kind: "split-by-caller", target: { group: "lib1", bar: 2 }, by: "group" }],
    [
      "split lib5 by entry {f7, f8} f11",
      { kind: "split-by-entry", target: { group: "lib5" }, sets: [["f7", "f8"], ["f11"]] },
    ],
    ["reveal solve in solver.cpp", { kind: "reveal", function: "solve", target: { group: "solver.cpp" } }],
    ["reveal solve", { kind: "reveal", function: "solve" }],
    ["collapse src", { kind: "collapse", target: { group: "src" } }],
  ])("is %s", (label, operation) => expect(stepLabel(operation)).toBe(label));
});

describe("a graph as a command line", () => {
  it("has everything that its numbers depend on", () => {
    const operations: GraphOperation[] = [{ kind: "split-by-caller", target: { group: "MPI" }, by: "function" }];
    const { text, missing } = commandLine({
      dataSet,
      scope,
      filter: 0.1,
      groupBy: "file",
      operations,
      sources: ["/src"],
    });
    expect(text).toBe(
      "heatflow graph '/data/run one.cali' --metric time --over mean --filter 0.1 --group-by file " +
        "--ranks 0,4-6 --source /src --op 'split-by-caller MPI by function'",
    );
    expect(missing).toEqual([]);
  });

  it("says what it cannot say", () => {
    const threads: Scope = { ...scope, chosen: { by: "thread", members: ["0.1"] } };
    const { missing } = commandLine({
      dataSet,
      scope: threads,
      filter: 0,
      groupBy: "map",
      operations: [],
      sources: [],
      other: "the comparison with np8-r2.cali",
    });
    expect(missing).toEqual([
      "give your groups with --map FILE",
      "the restriction to thread 0.1 is not part of it",
      "the comparison with np8-r2.cali is not part of it",
    ]);
  });

  it("is read by a shell word for word, whatever names hold", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(name, name, (group, file) => {
        const operation: GraphOperation = { kind: "hide", target: { group } };
        const { text } = commandLine({
          dataSet: { files: [`/${file}`], metrics: [] },
          scope: { dataSet: 1, metric: 0, over: "sum" },
          filter: 0,
          groupBy: "file",
          operations: [operation],
          sources: [],
        });
        const words = execFileSync("sh", ["-c", `heatflow() { printf '%s\\0' "$@"; }; ${text}`], { encoding: "utf8" });
        expect(words.split("\0").slice(0, -1)).toEqual([
          "graph",
          `/${file}`,
          "--over",
          "sum",
          "--filter",
          "0",
          "--group-by",
          "file",
          "--op",
          operationText(operation),
        ]);
      }),
      { numRuns: 60 },
    );
  });
});
