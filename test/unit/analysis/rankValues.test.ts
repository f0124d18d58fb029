import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chosenRanks } from "../../../src/model/members";
import { RankValues } from "../../../src/analysis/rankValues";
import { rankSpread } from "../../../src/analysis/rankStatistics";
import { inclusive } from "../../../src/model/contextTree";
import type { DataSet } from "../../../src/model/dataSet";
import { location } from "../../../src/model/locations";
import { SparseBuilder } from "../../../src/model/values";
import { treeOf } from "../model/trees";

/** A chain a/b/c below one root, and values at (context, rank); rank -1 is a record without a rank. */
function chain(records: readonly (readonly [context: number, rank: number, value: number])[]): DataSet {
  const { tree, frames } = treeOf([["a", "b", "c"]]);
  const ranks = [...new Set(records.map(([, rank]) => rank))].sort((a, b) => a - b);
  const builder = new SparseBuilder();
  for (const [context, rank, value] of records) builder.add(context, ranks.indexOf(rank), value);
  const identity = Int32Array.from({ length: 16 }, (_, at) => at);
  return {
    name: "chain",
    files: [],
    format: { id: "test", label: "test" },
    frames,
    tree,
    locations: ranks.map((rank) => location({ rank })),
    metrics: [{ name: "time", recordedName: "time", unit: "s", kind: "time", additive: true, reducedOverRanks: false }],
    values: [builder.build(tree.size, identity, identity)],
    globals: new Map(),
    warnings: [],
    hierarchies: ["combined"],
    records: records.length,
  };
}

const record = fc.tuple(
  fc.integer({ min: 0, max: 2 }),
  fc.integer({ min: -1, max: 4 }),
  fc.integer({ min: 0, max: 50 }),
);
const records = fc.array(record, { minLength: 1, maxLength: 25 });
const chosen = fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1 }), { nil: undefined });

describe("values over ranks", () => {
  it("agree with a table of records, for every way of combining", () => {
    fc.assert(
      fc.property(records, chosen, (input, choice) => {
        const dataSet = chain(input);
        const present = [...new Set(input.map(([, rank]) => rank))].filter((rank) => rank >= 0);
        const ranks = present.filter((rank) => choice?.includes(rank) ?? true).sort((a, b) => a - b);
        const values = new RankValues(dataSet, 0, choice && chosenRanks(choice));
        const below = (exclusive: Float64Array) => inclusive(dataSet.tree, exclusive);
        // Inclusive of context c in a chain: everything at c or deeper.
        const sum = (context: number, counts: (rank: number) => boolean) =>
          input.filter(([at, rank]) => at >= context && counts(rank)).reduce((total, [, , value]) => total + value, 0);
        const noRanks = present.length === 0;
        for (let context = 0; context < 3; context++) {
          // Where one rank alone is known, what has none is its own.
          const isOnly = present.length === 1 && (choice?.includes(present[0]) ?? true);
          const ofRank = (rank: number) => sum(context, (own) => own === rank || (isOnly && own === -1));
          const counted = (rank: number) =>
            noRanks || ranks.includes(rank) || (isOnly && ranks.length > 0 && rank === -1);
          const all = sum(context, (rank) => (choice === undefined ? true : counted(rank)));
          expect(values.evaluate("sum", below)[context]).toBe(all);
          const mean = noRanks ? all : ranks.length === 0 ? 0 : sum(context, counted) / ranks.length;
          if (noRanks || ranks.length > 0) expect(values.evaluate("mean", below)[context]).toBe(mean);
          if (noRanks || ranks.length === 0) continue;
          expect(values.evaluate("max", below)[context]).toBe(Math.max(...ranks.map(ofRank)));
          expect(values.evaluate("min", below)[context]).toBe(Math.min(...ranks.map(ofRank)));
          expect(values.evaluate({ rank: ranks[0] }, below)[context]).toBe(ofRank(ranks[0]));
          expect([...values.perRank([[context, 3]])]).toEqual(ranks.map(ofRank));
        }
      }),
    );
  });

  it("leave out what is not a number", () => {
    const values = new RankValues(
      chain([
        [0, 0, NaN],
        [0, 1, 4],
        [1, 0, Infinity],
        [2, 0, 3],
      ]),
      0,
    );
    expect([...values.sums()]).toEqual([4, 0, 3]);
    expect([...values.evaluate("max", (exclusive) => exclusive)]).toEqual([4, 0, 3]);
    expect([...values.perRank([[0, 3]])]).toEqual([3, 4]);
  });

  it("spread: imbalance is max over mean, and the slowest rank is named", () => {
    expect(rankSpread(Float64Array.of(1, 3, 3, 1))).toEqual({
      minimum: 1,
      mean: 2,
      maximum: 3,
      slowest: 1,
      imbalance: 1.5,
    });
    expect(rankSpread(Float64Array.of(0, 0)).imbalance).toBeNaN();
  });
});
