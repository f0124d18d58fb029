import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { measuredTables } from "./callgrindTables";
import { noteConformance } from "./conformanceTable";

/** Rows as a person adds them up from the file. Costs by event. */
interface Table {
  readonly functions: readonly (readonly [name: string, inclusive: readonly number[]])[];
  readonly lines: readonly (readonly [name: string, place: string, costs: readonly number[]])[];
  readonly calls: readonly (readonly [pair: string, place: string, calls: number, costs: readonly number[]])[];
}

const example: Table = {
  functions: [
    ["func1", [400]],
    ["func2", [700]],
    ["main", [820]],
  ],
  lines: [
    ["func1", "file1.c:51", [100]],
    ["func2", "file2.c:20", [700]],
    ["main", "file1.c:16", [20]],
  ],
  calls: [
    ["func1 -> func2", "file1.c:51", 2, [300]],
    ["main -> func1", "file1.c:16", 1, [400]],
    ["main -> func2", "file1.c:16", 3, [400]],
  ],
};

const tables: Readonly<Record<string, Table>> = {
  "callgrind.example.log": example,
  "callgrind.name-compression.log": example,
  "callgrind.subposition-compression.log": example,
  // What is said of a called function holds for one call: gamma and delta are in alpha.c.
  "callgrind.cfn-reset.log": {
    functions: [
      ["alpha", [50]],
      ["beta", [10]],
      ["delta", [20]],
      ["gamma", [10]],
    ],
    lines: [
      ["alpha", "alpha.c:1", [10]],
      ["beta", "beta.c:1", [10]],
      ["delta", "alpha.c:1", [10]],
      ["gamma", "alpha.c:1", [10]],
    ],
    calls: [
      ["alpha -> beta", "alpha.c:1", 1, [10]],
      ["alpha -> delta", "alpha.c:1", 1, [20]],
      ["alpha -> gamma", "alpha.c:1", 1, [10]],
      ["delta -> gamma", "alpha.c:1", 1, [10]],
    ],
  },
  // Steps of 10 ns in seconds, and bytes.
  "callgrind.multiple-event-types.log": {
    functions: [
      ["func1", [4e-6, 20000]],
      ["func2", [7e-6, 8000]],
      ["main", [8.2e-6, 38000]],
    ],
    lines: [
      ["func1", "file1.c:51", [1e-6, 15000]],
      ["func2", "file2.c:20", [7e-6, 8000]],
      ["main", "file1.c:16", [2e-7, 15000]],
    ],
    calls: [
      ["func1 -> func2", "file1.c:51", 2, [3e-6, 5000]],
      ["main -> func1", "file1.c:16", 1, [4e-6, 20000]],
      ["main -> func2", "file1.c:16", 3, [4e-6, 3000]],
    ],
  },
};

const shared = recordings();

describe.skipIf(shared === undefined)("samples of callgrind's format", () => {
  it.each(Object.keys(tables))("%s gives what its lines add up to", async (name) => {
    const file = path.join(shared ?? "", "data/other/callgrind", name);
    const [dataSet] = await openRecordings([file], {}, quietTask);
    const found = measuredTables(dataSet);
    const { functions, lines, calls } = tables[name];
    let values = 0;
    let largest = 0;
    const compare = (own: readonly number[], wanted: readonly number[]) => {
      expect(own.length).toBe(wanted.length);
      own.forEach((value, at) => {
        values++;
        largest = Math.max(largest, Math.abs(value - wanted[at]) / Math.abs(wanted[at]));
        expect(Math.abs(value - wanted[at])).toBeLessThanOrEqual(1e-12 * wanted[at]);
      });
    };
    expect(found.functions.map((row) => row.name)).toEqual(functions.map(([function_]) => function_));
    found.functions.forEach((row, at) => compare(row.inclusive, functions[at][1]));
    expect(found.lines.map((row) => [row.name, row.place])).toEqual(lines.map(([own, place]) => [own, place]));
    found.lines.forEach((row, at) => compare(row.costs, lines[at][2]));
    expect(found.calls.map((row) => [row.pair, row.place, row.calls])).toEqual(
      calls.map(([...row]) => row.slice(0, 3)),
    );
    found.calls.forEach((row, at) => compare(row.costs, calls[at][3]));
    // Estimated contexts hold the same total.
    const total = (of: readonly (readonly number[])[]) => of.reduce((sum, costs) => sum + costs[0], 0);
    const estimated = dataSet.values[0].value.reduce((sum, value) => sum + value, 0);
    expect(estimated).toBeCloseTo(total(lines.map((row) => row[2])), 9);
    noteConformance("callgrind samples", { recordings: 1, values, largestDifference: largest });
  });
});
