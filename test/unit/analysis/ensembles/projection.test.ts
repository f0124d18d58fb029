import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classicalScaling, type RunPlane } from "../../../../src/analysis/ensembles/classicalScaling";
import { clusters } from "../../../../src/analysis/ensembles/clusters";
import type { RunColumn } from "../../../../src/model/runColumns";
import { runDistances, type RunDistances } from "../../../../src/analysis/ensembles/runDistances";
import cases from "./fixtures/projection.json";
import { casesOf } from "../../randomCases";
import { shuffled } from "./randomRuns";

function numbers(...values: (number | null)[]): RunColumn {
  return { name: "n", kind: "number", values: Float64Array.from(values, (value) => value ?? NaN) };
}

function texts(...values: (string | null)[]): RunColumn {
  return { name: "t", kind: "text", values };
}

function distancesOfCase({ columns }: (typeof cases)[number]): RunDistances {
  const given = Object.values(columns as Record<string, (string | number | null)[]>).map((values) =>
    values.some((value) => typeof value === "string")
      ? texts(...(values as (string | null)[]))
      : numbers(...(values as (number | null)[])),
  );
  return runDistances(given, given[0].values.length);
}

function distanceIn({ x, y }: { x: ArrayLike<number>; y: ArrayLike<number> }, a: number, b: number): number {
  return Math.hypot(x[a] - x[b], y[a] - y[b]);
}

/** How unlike two planes are: the largest difference of a distance. */
function apart(one: RunPlane, other: { x: ArrayLike<number>; y: ArrayLike<number> }): number {
  let most = 0;
  for (let a = 0; a < one.x.length; a++)
    for (let b = 0; b < a; b++) most = Math.max(most, Math.abs(distanceIn(one, a, b) - distanceIn(other, a, b)));
  return most;
}

/** Points as columns of coordinates: their squared distances. */
function distancesOf(points: readonly (readonly number[])[]): RunDistances {
  const runs = points.length;
  const squared = Float64Array.from({ length: runs * runs }, (_, at) =>
    points[Math.floor(at / runs)].reduce((sum, value, axis) => sum + (value - points[at % runs][axis]) ** 2, 0),
  );
  return { runs, squared };
}

/** Average linkage by its definition, every mean summed up anew; of pairs as near (some are always) the one of the first runs. */
function linkedByHand({ runs, squared }: RunDistances, count: number): number[] {
  const parts = Array.from({ length: runs }, (_, run) => [run]);
  while (parts.length > count) {
    const pairs = parts.flatMap((one, at) =>
      parts.slice(at + 1).map((other) => {
        const distances = one.flatMap((a) => other.map((b) => Math.sqrt(squared[a * runs + b])));
        return { one, other, mean: distances.reduce((a, b) => a + b, 0) / distances.length };
      }),
    );
    const least = Math.min(...pairs.map(({ mean }) => mean));
    const [{ one, other }] = pairs.filter(({ mean }) => mean <= least + 1e-9);
    one.push(...other);
    parts.splice(parts.indexOf(other), 1);
  }
  return Array.from({ length: runs }, (_, run) => parts.findIndex((part) => part.includes(run)));
}

/** Columns of a few values each: many distances are equal. */
const fewValues = fc.integer({ min: 2, max: 20 }).chain((runs) =>
  fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: runs, maxLength: runs }), {
    minLength: 1,
    maxLength: 3,
  }),
);

const plane = fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), {
  minLength: 2,
  maxLength: 25,
});

describe("distances between runs", () => {
  it("count numbers scaled to 0–1, texts that differ, and what one of two runs lacks", () => {
    const columns = [numbers(1, 3, 5, null), texts("a", "b", "a", null), numbers(2, 2, 2, null), numbers(1e308, -1e308, 0, 0)]; // prettier-ignore
    const { squared } = runDistances(columns, 4);
    expect([...squared]).toEqual([
      0,
      0.25 + 1 + 1,
      1 + 0 + 0.25,
      1 + 1 + 0.25,
      2.25,
      0,
      0.25 + 1 + 0.25,
      1 + 1 + 0.25,
      1.25,
      1.5,
      0,
      1 + 1 + 0,
      2.25,
      2.25,
      2,
      0,
    ]);
    expect([...runDistances([numbers(null, null, 1, 2), texts(null, null, "", "")], 4).squared].slice(0, 4)).toEqual([0, 0, 2, 2]); // prettier-ignore
  });
});

describe("classical scaling", () => {
  it.each(cases)("keeps distances, axes and signs of R's own: $x.length runs", (expected) => {
    const found = classicalScaling(distancesOfCase(expected));
    expect(apart(found, expected)).toBeLessThan(1e-9);
    found.eigenvalues.forEach((value, axis) => expect(value).toBeCloseTo(expected.eigenvalues[axis], 9));
    for (const axis of [found.x, found.y]) {
      const least = axis.reduce((a, b) => Math.min(a, b));
      const most = axis.reduce((a, b) => Math.max(a, b));
      expect(most).toBeGreaterThanOrEqual(-least - 1e-9);
    }
  });

  it("gives points of a plane back, but for where they lie and how they are turned", () => {
    fc.assert(
      fc.property(plane, (points) => {
        const found = classicalScaling(distancesOf(points));
        const given = { x: points.map(([x]) => x), y: points.map(([, y]) => y) };
        expect(apart(found, given)).toBeLessThan(1e-6);
        expect(Math.abs(found.x.reduce((a, b) => a + b, 0))).toBeLessThan(1e-6);
      }),
    );
  });

  it("puts runs at the same places in any order, and grows with distances", () => {
    const case3 = fc.constantFrom(...cases.slice(2)).map(distancesOfCase);
    const both = case3.chain((distances) => fc.tuple(fc.constant(distances), shuffled([...Array(distances.runs).keys()]))); // prettier-ignore
    fc.assert(
      fc.property(both, fc.integer({ min: 1, max: 1000 }), ([distances, order], factor) => {
        const { runs, squared } = distances;
        const moved = squared.map((_, at) => factor ** 2 * squared[order[Math.floor(at / runs)] * runs + order[at % runs]]); // prettier-ignore
        const [before, after] = [classicalScaling(distances), classicalScaling({ runs, squared: moved })];
        after.x.forEach((x, at) => expect(x / factor).toBeCloseTo(before.x[order[at]], 8));
        after.y.forEach((y, at) => expect(y / factor).toBeCloseTo(before.y[order[at]], 8));
      }),
      { numRuns: 30 },
    );
  });

  it("finds both axes of equal eigenvalues, turns ties to the first run, and has 0 where an axis is missing", () => {
    // Three runs as far from each other as from the next: both eigenvalues are 1/2.
    const triangle = classicalScaling(runDistances([texts("a", "b", "c")], 3));
    triangle.eigenvalues.forEach((value) => expect(value).toBeCloseTo(0.5, 12));
    for (const [a, b] of [[0, 1], [0, 2], [1, 2]]) expect(distanceIn(triangle, a, b)).toBeCloseTo(1, 12); // prettier-ignore
    const pair = classicalScaling(runDistances([numbers(7, 3)], 2));
    expect(pair.x[0]).toBeCloseTo(0.5, 12);
    expect(pair.x[1]).toBeCloseTo(-0.5, 12);
    expect([...pair.y]).toEqual([0, 0]);
    for (const runs of [1, 3]) {
      const same = classicalScaling(runDistances([numbers(...Array<number>(runs).fill(4))], runs));
      expect(same).toEqual({ x: new Float64Array(runs), y: new Float64Array(runs), eigenvalues: [0, 0] });
    }
    expect(classicalScaling(runDistances([], 0)).x).toHaveLength(0);
  });

  it("is the same bit for bit each time", () => {
    const distances = distancesOfCase(cases[4]);
    expect(classicalScaling(distances)).toEqual(classicalScaling(distances));
  });
});

describe("clusters of runs", () => {
  it.each(cases)("are R's average linkage, cut by the mean silhouette: $x.length runs", (expected) => {
    const distances = distancesOfCase(expected);
    expected.silhouettes.forEach((silhouette, at) => expect(clusters(distances, at + 2).silhouette).toBeCloseTo(silhouette, 9)); // prettier-ignore
    const found = clusters(distances);
    expect([...found.of]).toEqual(expected.clusters);
    expect(found.silhouette).toBeCloseTo(Math.max(...expected.silhouettes), 9);
  });

  it("are the fewest of several with the same silhouette, and one where no two runs differ", () => {
    // Two pairs of equal runs and four alone at the corners of a square have nothing to choose.
    expect(clusters(runDistances([texts("a", "b", "c", "d", "e")], 5))).toMatchObject({ count: 2 });
    expect(clusters(runDistances([texts("a", "a", "a")], 3))).toEqual({
      count: 1,
      of: Int32Array.of(0, 0, 0),
      silhouette: NaN,
    });
    expect(clusters(runDistances([texts("a", "b")], 2)).count).toBe(2);
    expect(clusters(runDistances([texts("a")], 1)).count).toBe(1);
    expect(clusters(runDistances([], 0)).count).toBe(0);
  });

  it("are those of every mean summed up anew where distances are equal, in any unit", () => {
    fc.assert(
      fc.property(fewValues, fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (columns, unit) => {
        const runs = columns[0].length;
        const given = runDistances(columns.map((values) => numbers(...values)), runs); // prettier-ignore
        const other = runDistances(columns.map((values) => numbers(...values.map((value) => value * unit))), runs); // prettier-ignore
        expect([...clusters(other).of]).toEqual([...clusters(given).of]);
        for (let count = 1; count <= Math.min(8, runs); count++) {
          const expected = linkedByHand(given, count);
          expect([...clusters(given, count).of]).toEqual(expected);
          expect([...clusters(other, count).of]).toEqual(expected);
        }
      }),
      { numRuns: casesOf(1000) },
    );
  });

  it("are as many as asked for, at most one for each run", () => {
    const distances = distancesOfCase(cases[1]);
    expect(clusters(distances, 3).count).toBe(3);
    expect([...clusters(distances, 100).of]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(clusters(distances, 0).count).toBe(1);
  });

  it("are a refinement of those with one cluster less", () => {
    fc.assert(
      fc.property(plane, (points) => {
        const distances = distancesOf(points);
        for (let count = 2; count <= points.length; count++) {
          const [fine, coarse] = [clusters(distances, count), clusters(distances, count - 1)];
          expect(new Set(fine.of).size).toBe(count);
          const coarseOf = new Map<number, number>();
          fine.of.forEach((cluster, run) => {
            if (!coarseOf.has(cluster)) coarseOf.set(cluster, coarse.of[run]);
            expect(coarseOf.get(cluster)).toBe(coarse.of[run]);
          });
        }
      }),
      { numRuns: 30 },
    );
  });
});
