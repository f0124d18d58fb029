import { describe, expect, it } from "vitest";
import { NONE } from "../../../src/model/ids";
import { cellsByMember } from "../../../src/model/memberCells";
import { quietTask } from "../../../src/model/task";
import type { SparseValues } from "../../../src/model/values";
import { memberMatrix } from "../../../src/supergraph/memberMatrix";
import type { Measurement } from "../../../src/supergraph/measure";
import {
  barOfContext,
  contextsOfBar,
  graphStructure,
  type GraphStructure,
  type MeasuredGraph,
  measuredGraph,
} from "../../../src/supergraph/superGraph";
import { randomTree, seeded } from "./random";
import { attributesOf, basisOf } from "./treeOf";

/** A random recording of several ranks with two threads each; its last location has no rank. */
function randomRecording(seed: number) {
  const random = seeded(seed);
  const { rows, fileOf } = randomTree(seed);
  const basis = basisOf(rows);
  const attributes = attributesOf(basis, { file: (name) => fileOf.get(name) });
  const structure = graphStructure(basis, attributes, { filter: seed % 3 ? 0 : 5, groupBy: "file" }, quietTask);
  const ranks = 1 + Math.floor(random() * 4);
  const locations = ranks * 2 + 1;
  // Values of every (context, location); many are missing.
  const dense = Array.from({ length: basis.tree.size }, () =>
    Array.from({ length: locations }, () => (random() < 0.5 ? 0 : Math.floor(random() * 64) / 8)),
  );
  return {
    structure,
    ranks,
    dense,
    rankOf: Int32Array.from({ length: locations }, (_, at) => (at < ranks * 2 ? at >> 1 : NONE)),
  };
}

function sparse(dense: readonly (readonly number[])[]): SparseValues {
  const rowStart = [0];
  const column: number[] = [];
  const value: number[] = [];
  for (const row of dense) {
    row.forEach((cell, at) => {
      if (cell === 0) return;
      column.push(at);
      value.push(cell);
    });
    rowStart.push(value.length);
  }
  return { rowStart: Int32Array.from(rowStart), column: Int32Array.from(column), value: Float64Array.from(value) };
}

/** The numbers of one rank, from its values alone. */
function ofRank({ structure, dense, rankOf }: ReturnType<typeof randomRecording>, rank: number): MeasuredGraph {
  const exclusive = Float64Array.from(dense, (row) =>
    row.reduce((sum, value, at) => (rankOf[at] === rank ? sum + value : sum), 0),
  );
  return measuredGraph(structure, { exclusive }, quietTask);
}

function numbersOf(graph: MeasuredGraph): Map<string, number> {
  const numbers = new Map<string, number>();
  numbers.set("total", graph.total).set("hidden", graph.hidden).set("filtered", graph.filtered.exclusive);
  for (const { id, inclusive, exclusive, hidden, entries } of graph.bars) {
    numbers.set(`${id} inclusive`, inclusive).set(`${id} exclusive`, exclusive).set(`${id} hidden`, hidden);
    for (const entry of entries)
      numbers.set(`${id} ${entry.name} in`, entry.inclusive).set(`${id} ${entry.name} ex`, entry.exclusive);
  }
  for (const edge of graph.edges) numbers.set(`${edge.source} → ${edge.target}`, edge.inclusive);
  return numbers;
}

describe("numbers of a super graph", () => {
  it.each(["max", "min"] as const)("over ranks as %s are the extreme of each number over the ranks", (extreme) => {
    const pick = extreme === "max" ? Math.max : Math.min;
    for (let seed = 1; seed <= 300; seed++) {
      const recording = randomRecording(seed);
      const what: Measurement = {
        extreme,
        cells: cellsByMember(sparse(recording.dense), recording.rankOf, recording.ranks),
      };
      const graph = measuredGraph(recording.structure, what, quietTask);
      const byRank = Array.from({ length: recording.ranks }, (_, rank) => numbersOf(ofRank(recording, rank)));
      for (const [name, value] of numbersOf(graph))
        expect(value, `seed ${seed}: ${name}`).toBe(
          byRank.map((one) => one.get(name) ?? NaN).reduce((a, b) => pick(a, b)),
        );
      expect(graph.notes.join()).toMatch(/do not add up/);
    }
  });

  it("of a restriction are on the same bars, and add up", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const recording = randomRecording(seed);
      const graph = ofRank(recording, 0);
      expect(graph.bars.map((bar) => bar.id)).toEqual(recording.structure.bars.id);
      for (const bar of graph.bars) {
        const flows = graph.edges
          .filter(({ source }) => source === bar.id)
          .reduce((sum, { inclusive }) => sum + inclusive, 0);
        expect(bar.inclusive).toBe(bar.exclusive + bar.hidden + flows);
        expect(bar.entries.reduce((sum, entry) => sum + entry.exclusive, 0)).toBe(bar.exclusive);
        expect(bar.entries.reduce((sum, entry) => sum + entry.inclusive, 0)).toBe(bar.inclusive);
      }
      const sum = graph.bars.reduce((all, bar) => all + bar.exclusive + bar.hidden, graph.hidden);
      expect(sum).toBe(graph.total);
      expect(graph.filtered.exclusive).toBe(graph.bars.reduce((all, bar) => all + bar.hidden, graph.hidden));
    }
  });

  it.each(["exclusive", "inclusive"] as const)("of all bars on all members are each member's own graph (%s)", (of) => {
    for (let seed = 1; seed <= 300; seed++) {
      const { structure, dense, rankOf, ranks } = randomRecording(seed);
      const keys = Array.from({ length: ranks }, (_, rank) => `${rank}`);
      const members = { keys, of: rankOf };
      const matrix = memberMatrix(structure, of, sparse(dense), members, (context) => context, quietTask);
      expect([matrix.bars, matrix.members]).toEqual([structure.bars.size, ranks]);
      for (let rank = 0; rank < ranks; rank++)
        ofRank({ structure, dense, rankOf, ranks }, rank).bars.forEach((bar, at) =>
          expect(matrix.value[at * ranks + rank], `seed ${seed}: ${bar.id} of rank ${rank}`).toBe(bar[of]),
        );
    }
  });

  it("leave out values that are no number, and count a rank without values as 0", () => {
    const basis = basisOf([{ name: "main", exclusive: 1 }]);
    const structure = graphStructure(basis, attributesOf(basis, {}), { filter: 0, groupBy: "function" }, quietTask);
    const values = sparse([[5, NaN, Infinity, 7]]);
    const measured = (extreme: "max" | "min", ranks: number) =>
      measuredGraph(structure, { extreme, cells: cellsByMember(values, Int32Array.of(0, 0, 1, 1), ranks) }, quietTask)
        .total;
    expect([measured("max", 2), measured("min", 2), measured("min", 3)]).toEqual([7, 5, 0]);
    const members = { keys: ["0", "1"], of: Int32Array.of(0, 0, 1, 1) };
    const matrix = memberMatrix(structure, "exclusive", values, members, (context) => context, quietTask);
    expect([...matrix.value]).toEqual([5, 7]);
  });

  it("belong to contexts that can be found from both sides", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const { structure } = randomRecording(seed);
      for (const id of structure.bars.id)
        for (const context of contextsOfBar(structure, id)) expect(barOfContext(structure, context)).toBe(id);
      expect(structure.bars.id.flatMap((id) => contextsOfBar(structure, id)).length).toBe(structure.kept.size);
      expectHiddenWithAncestors(structure);
    }
  });
});

function expectHiddenWithAncestors(structure: GraphStructure): void {
  const { basis, kept } = structure;
  for (let context = 0; context < basis.tree.size; context++) {
    if (kept.keptFunction[basis.functions.ofContext[context]] === 1) continue;
    const parent = basis.tree.parent[context];
    expect(barOfContext(structure, context)).toBe(parent === NONE ? undefined : barOfContext(structure, parent));
  }
}
