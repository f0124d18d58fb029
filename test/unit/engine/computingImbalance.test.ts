import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computingImbalance } from "../../../src/engine/dataSets/computingImbalance";
import { imbalanceText, imbalanceWordings } from "../../../src/model/imbalance";
import { casesOf } from "../randomCases";
import { openMiniheat } from "./miniheat";
import { type Cost, openRecording } from "./recordings";

const scope = { dataSet: 1, metric: 0, over: "mean" } as const;

/** Whether a function computes; all that MPI calls does not. */
const COMPUTES: Readonly<Record<string, boolean>> = {
  main: true,
  solve: true,
  "a::pack": true,
  progress: true,
  MPI_Wait: false,
  mpi_send_: false,
  cudaMalloc: false,
  fopen: false,
  Sleeping: false,
  hook: false,
};
const NAMES = Object.keys(COMPUTES);

const cost = fc.tuple(
  fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }),
  fc.nat(3),
  fc.integer({ min: 0, max: 12 }).map((quarter) => quarter / 4),
);

interface Naive {
  readonly ratio: number;
  readonly values: readonly number[];
}

/** Sums per rank of the costs that count, one by one. */
function sumsOf(costs: readonly Cost[], ranks: readonly number[], counts: (path: readonly string[]) => boolean) {
  return ranks.map((one) =>
    costs.reduce((sum, [path, rank, value]) => (rank === one && counts(path as string[]) ? sum + value : sum), 0),
  );
}

function naiveOf(values: readonly number[]): Naive | undefined {
  const sum = values.reduce((all, value) => all + value, 0);
  return values.length > 1 && sum > 0 ? { ratio: (Math.max(...values) * values.length) / sum, values } : undefined;
}

const isCall = (name: string) => /^(?:MPI_Wait|mpi_send_)$/.test(name);
const computes = (path: readonly string[]) => COMPUTES[path.at(-1) ?? ""] && !path.some(isCall);

describe("the imbalance of computing", () => {
  it("is what the costs of each rank give, one by one, with the user's table", () => {
    fc.assert(
      fc.property(fc.array(cost, { minLength: 1, maxLength: 25 }), (costs) => {
        const { open } = openRecording(costs);
        const ranks = [...new Set(costs.map(([, rank]) => rank))].sort((a, b) => a - b);
        const found = computingImbalance(open, { scope, categories: { idle: ["hook"] } });
        const all = naiveOf(sumsOf(costs, ranks, () => true));
        const computing = naiveOf(sumsOf(costs, ranks, computes));
        const isKnown = costs.some(([path]) => (path as string[]).some((name) => !COMPUTES[name]));
        if (!isKnown || !all || !computing) {
          expect(found).toBeUndefined();
          return;
        }
        const own = (name: string) => sumsOf(costs, ranks, (path) => computes(path) && path.at(-1) === name);
        const dominant = NAMES.find((name) => own(name).every((value, at) => value > computing.values[at] / 2));
        const without = dominant && naiveOf(sumsOf(costs, ranks, (path) => computes(path) && path.at(-1) !== dominant));
        const close = ({ ratio, values }: Naive) => {
          const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
          const slowest = values.indexOf(Math.max(...values));
          // Values of equal sums come in the order of ranks.
          const order = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);
          const most = order.filter((at) => at === slowest || values[at] >= 1.25 * mean).slice(0, 3);
          return { ratio: expect.closeTo(ratio, 9) as number, most: most.map((at) => `${ranks[at]}`) };
        };
        expect(found).toEqual({
          by: "rank",
          computing: close(computing),
          all: close(all),
          ...(dominant && without ? { without: { ...close(without), name: dominant } } : {}),
        });
      }),
      { numRuns: casesOf(500) },
    );
  });

  it("of the sample is of ranks 0 and 4, which all of its time hides", async () => {
    const { engine, scope: sample } = await openMiniheat();
    const found = await engine.computingImbalance({ scope: sample });
    expect(found && imbalanceText(found)).toBe("computing 2.20×, ranks 0, 4 · all 1.01×");
    // Headlines with less room lose the other figures first, then the ranks.
    expect(found && imbalanceWordings(found)).toEqual([
      "computing 2.20×, ranks 0, 4 · all 1.01×",
      "computing 2.20×, ranks 0, 4",
      "computing 2.20×",
    ]);
  });

  it("names a function that has over half of it on each rank", () => {
    const { open } = openRecording(
      [9, 8, 8].flatMap((main, rank): Cost[] => [
        [["main"], rank, main],
        [["main", "solve"], rank, rank === 0 ? 3 : 1],
        [["main", "MPI_Wait"], rank, rank],
      ]),
    );
    const found = computingImbalance(open, { scope });
    expect(found && imbalanceText(found)).toBe("computing 1.20×, rank 0 · all 1.09× · without main 1.80×, rank 0");
  });
});
