import { expect, it } from "vitest";
import type { ComparedRow, Scope } from "../../../src/engine/api";
import { changedRows, rowOfFunction } from "../../../src/views/changedRows";

const side = (dataSet: number): Scope => ({ dataSet, metric: 0, over: "sum" });
const [baseline, candidate] = [side(7), side(8)];

/** A row with the numbers of its function on both sides. */
function row(name: string, before: number | undefined, after: number | undefined, difference: number): ComparedRow {
  return {
    name,
    baseline: before ?? null,
    candidate: after ?? null,
    difference,
    baselineRuns: 1,
    candidateRuns: 1,
    ...(before === undefined ? {} : { baselineFunction: { run: 0, function: before } }),
    ...(after === undefined ? {} : { candidateFunction: { run: 0, function: after } }),
  };
}

it("a function of either recording is found in its own row, though numbers of the other one are the same", () => {
  const rows = changedRows(
    [row("gone", 3, undefined, -9), row("slower", 1, 3, 5), row("equal", 4, 4, 0), row("new", undefined, 1, 2)],
    { baseline, candidate },
  );
  expect(rows.map(({ name, dataSet }) => [name, dataSet])).toEqual([
    ["gone", 7],
    ["slower", 8],
    ["new", 8],
  ]);
  const found = (dataSet: number, id: number | undefined) => rowOfFunction(rows, dataSet, id)?.name;
  expect([found(7, 3), found(7, 1), found(8, 3), found(8, 1)]).toEqual(["gone", "slower", "slower", "new"]);
  expect([found(7, 4), found(8, undefined), found(9, 3)]).toEqual([undefined, undefined, undefined]);
});
