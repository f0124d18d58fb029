/** First pictures of several runs: chosen on their union, on the largest share in any of them. */
import { describe, expect, it } from "vitest";
import { inclusive } from "../../../../src/model/contextTree";
import { CancelledError } from "../../../../src/model/errors";
import { inclusiveByFunction } from "../../../../src/model/functions";
import { lastOf } from "../../../../src/model/steps";
import { quietTask } from "../../../../src/model/task";
import { choose, FirstAttempts, LADDER } from "../../../../src/supergraph/first/choice";
import { firstBasis } from "../../../../src/supergraph/first/firstBasis";
import { graphBasis, type GraphBasis, graphStructure, measuredGraph } from "../../../../src/supergraph/superGraph";
import { casesOf, seeds } from "../../randomCases";
import { brokenLaws } from "../graphLaws";
import { seeded } from "../random";
import { basisOf } from "../treeOf";
import { randomProgram } from "./randomPrograms";

function attributesOf({ frames, functions }: GraphBasis) {
  const frameOf = (id: number) => frames.get(functions.frame[id] as never);
  return {
    file: (id: number) => frameOf(id).file,
    className: () => undefined,
    module: (id: number) => frameOf(id).module,
  };
}

/** The union of runs on one tree. */
function unionOf({ tree, frames, functions }: GraphBasis, runs: readonly Float64Array[]): GraphBasis {
  const all = runs[0].map((_, context) => runs.reduce((sum, run) => sum + run[context], 0));
  const parts = runs.map((run) => ({
    byFunction: inclusiveByFunction(functions, inclusive(tree, run)),
    total: run.reduce((sum, own) => sum + own, 0),
    exclusive: () => run,
  }));
  return { ...graphBasis(tree, frames, functions, all), parts };
}

function chosen(basis: GraphBasis) {
  return lastOf(
    choose(new FirstAttempts(firstBasis({ ...basis, attributes: attributesOf(basis) }), LADDER, quietTask)),
  );
}

/** Costs of another run on the same contexts: some are far larger, some gone. */
function another(basis: GraphBasis, seed: number): Float64Array {
  const random = seeded(seed);
  return basis.exclusive.map(() => (random() < 0.3 ? 0 : Math.floor(random() ** 4 * 2 ** 30)));
}

describe("first pictures of several runs", () => {
  it(`of runs that differ in length only are those of one, on ${casesOf(200)} trees`, () => {
    for (const seed of seeds(200)) {
      const one = basisOf(randomProgram(seed, 150));
      const twice = unionOf(
        one,
        [1, 4, 1].map((factor) => one.exclusive.map((own) => own * factor)),
      );
      expect(chosen(twice).choice, `seed ${seed}`).toEqual(chosen(one).choice);
    }
  });

  it("hide little of each run, and have bars that are large in one, whatever their order", () => {
    let beside = 0;
    for (const seed of seeds(100)) {
      const one = basisOf(randomProgram(seed, 150));
      const runs = [one.exclusive, another(one, seed), another(one, seed + 1)];
      const basis = unionOf(one, runs);
      const result = chosen(basis);
      const structure = graphStructure(basis, attributesOf(basis), { filter: 0, groupBy: "first" }, quietTask);
      const graphs = runs.map((exclusive) => measuredGraph(structure, { exclusive }, quietTask));
      for (const graph of graphs) expect(brokenLaws(graph), `seed ${seed}`).toEqual([]);
      expect(chosen(unionOf(one, [runs[2], runs[0], runs[1]])).choice, `seed ${seed}`).toEqual(result.choice);
      if (result.isBeyond) continue;
      for (const { filtered, total } of graphs)
        expect(filtered.exclusive / total, `seed ${seed}`).toBeLessThanOrEqual(result.picture.hidden + 1e-9);
      graphs[0].bars.forEach(({ id }, bar) => {
        const shares = graphs.map((graph) => graph.bars[bar].inclusive / graph.total);
        expect(Math.max(...shares), `seed ${seed} ${id}`).toBeGreaterThanOrEqual(result.choice.filter / 100 - 1e-9);
        if (shares[0] < result.choice.filter / 100) beside++;
      });
    }
    expect(beside).toBeGreaterThan(0);
  });
});

describe("choosing a first picture", () => {
  it("ends soon after it is cancelled", () => {
    const basis = basisOf(randomProgram(1));
    for (const most of [1, 10, 100]) {
      let checks = 0;
      const check = () => {
        if (++checks >= most) throw new CancelledError();
      };
      const task = { ...quietTask, check };
      expect(() => graphStructure(basis, attributesOf(basis), { filter: 0, groupBy: "first" }, task)).toThrow(
        CancelledError,
      );
      expect(checks).toBe(most);
    }
  });
});
