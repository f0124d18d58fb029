import { describe, expect, it } from "vitest";
import { cellsByMember } from "../../../src/model/memberCells";
import { NONE } from "../../../src/model/ids";
import type { MeasuredTree } from "../../../src/supergraph/measuredTree";
import { measure } from "../../../src/supergraph/measure";

/** A root in one bar, and so many contexts below it in another one, each an entry of its own. */
function wideTree(below: number): MeasuredTree {
  const size = below + 1;
  return {
    size,
    parent: Int32Array.from({ length: size }, (_, row) => (row === 0 ? NONE : 0)),
    bar: Int32Array.from({ length: size }, (_, row) => (row === 0 ? 0 : 1)),
    edge: Int32Array.from({ length: size }, (_, row) => (row === 0 ? NONE : 0)),
    entry: Int32Array.from({ length: size }, (_, row) => row),
    rowOf: Int32Array.from({ length: size }, (_, row) => row),
    isHidden: new Uint8Array(size),
    entries: Array.from({ length: size }, (_, row) => ({ bar: row === 0 ? 0 : 1, function: row, context: row })),
  };
}

describe("extremes over ranks", () => {
  // Ranks are summed two by two.
  it.each([
    { below: 70_000, rankCount: 3 },
    { below: 1_000, rankCount: 1 },
    { below: 1_000, rankCount: 2 },
    { below: 1_000, rankCount: 5 },
  ])("are those of each number by itself, of $below entries on $rankCount ranks", ({ below, rankCount }) => {
    const tree = wideTree(below);
    const valueOf = (row: number, rank: number) => ((row * 7919 + rank * 104_729) % 1013) - 200;
    const rows = Array.from({ length: tree.size }, (_, row) => row);
    const ranks = Array.from({ length: rankCount }, (_, rank) => rank);
    const cells = cellsByMember(
      {
        rowStart: Int32Array.from({ length: tree.size + 1 }, (_, row) => row * rankCount),
        column: Int32Array.from({ length: tree.size * rankCount }, (_, at) => at % rankCount),
        value: Float64Array.from({ length: tree.size * rankCount }, (_, at) =>
          valueOf(Math.floor(at / rankCount), at % rankCount),
        ),
      },
      Int32Array.from(ranks),
      rankCount,
    );
    const bars = { size: 2, source: Int32Array.of(0) };
    for (const extreme of ["max", "min"] as const) {
      const of = (numberOn: (rank: number) => number) => Math[extreme](...ranks.map(numberOn));
      const belowRoot = (rank: number) => rows.slice(1).reduce((sum, row) => sum + valueOf(row, rank), 0);
      const { total, bars: sums, edges, entries } = measure(tree, bars, { extreme, cells }, () => undefined);
      expect(total).toBe(of((rank) => belowRoot(rank) + valueOf(0, rank)));
      expect([...sums.inclusive]).toEqual([total, of(belowRoot)]);
      expect([...sums.exclusive]).toEqual([of((rank) => valueOf(0, rank)), of(belowRoot)]);
      expect([...edges]).toEqual([of(belowRoot)]);
      expect([...entries.exclusive]).toEqual(rows.map((row) => of((rank) => valueOf(row, rank))));
      expect([...entries.inclusive]).toEqual([total, ...rows.slice(1).map((row) => of((rank) => valueOf(row, rank)))]);
    }
  });
});
