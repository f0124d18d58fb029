import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countsOf, foundGroups } from "../../../src/aggregation/foundGroups";
import { groupsUnlike } from "../../../src/aggregation/groupsUnlike";
import { type MicroscopicModel, nodeOrder } from "../../../src/aggregation/microscopicModel";
import { separation, cutInTwo } from "../../../src/aggregation/twoSides";
import { RandomNumbers } from "../../../src/analysis/ensembles/randomNumbers";

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const squares = (values: readonly number[]) => values.reduce((sum, one) => sum + (one - mean(values)) ** 2, 0);
const nearly = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));

/** Every cut is tried, and every distance is measured. */
function naivelyInTwo(ascending: readonly number[]) {
  const cuts = ascending.slice(1).map((_, at) => [ascending.slice(0, at + 1), ascending.slice(at + 1)]);
  const costs = cuts.map(([low, high]) => squares(low) + squares(high));
  const least = Math.min(...costs);
  const [low, high] = cuts[costs.findIndex((cost) => cost <= least + 1e-12 * squares(ascending))];
  const away = (value: number, from: readonly number[]) => from.reduce((sum, one) => sum + Math.abs(one - value), 0);
  const silhouette = (value: number, own: readonly number[], others: readonly number[]) => {
    if (own.length === 1) return 0;
    const [near, far] = [away(value, own) / (own.length - 1), away(value, others) / others.length];
    return near === far ? 0 : (far - near) / Math.max(near, far);
  };
  const all = [...low.map((one) => silhouette(one, low, high)), ...high.map((one) => silhouette(one, high, low))];
  return { low: low.length, silhouette: mean(all), difference: mean(high) - mean(low), least, costs };
}

describe("values cut in two", () => {
  it("are as every cut and every distance say", () => {
    const values = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 24 });
    fc.assert(
      fc.property(values, fc.constantFrom(1, 0.1, 1 / 3), fc.constantFrom(0, 1e3), (some, unit, from) => {
        const ascending = some.map((one) => from + one * unit).sort((a, b) => a - b);
        const [found, known] = [cutInTwo(Float64Array.from(ascending)), naivelyInTwo(ascending)];
        expect(nearly(known.costs[found.low - 1], known.least)).toBe(true);
        if (found.low !== known.low) return;
        expect(found.difference).toBeCloseTo(known.difference, 7);
        if (squares(ascending) > 1e-6) expect(found.silhouette).toBeCloseTo(known.silhouette, 6);
      }),
    );
  });

  it.each([
    [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5], 0.45],
    [[0, 0, 0, 0, 0, 0, 0, 0, 0.5], 0],
    [[0.2, 0.2, 0.3, 0.3], 0.1],
    [[0.2, 0.2, 0.2999, 0.2999], 0],
    [[0.4, 0.4, 0.4, 0.4], 0],
  ])("are apart from a silhouette of 0.9 and a difference of 10 % on: %j", (ascending, expected) => {
    expect(separation(cutInTwo(Float64Array.from(ascending)))).toBeCloseTo(expected, 12);
  });
});

/** @param rows by state and slice: the share of each leaf */
function modelOf(rows: readonly (readonly number[])[], states: number, slices: number): MicroscopicModel {
  const leaves = rows[0].length;
  const values = new Float64Array(leaves * rows.length);
  rows.forEach((row, at) => row.forEach((share, leaf) => (values[leaf * rows.length + at] = share)));
  return { leaves, states, slices, parents: new Int32Array(leaves).fill(leaves), values };
}

const inOrder = (leaves: number) => Int32Array.from({ length: leaves }, (_, leaf) => leaf);

/** All rows of all orders, nothing left out. */
function naivelyFound(rows: readonly (readonly number[])[]) {
  const leaves = rows[0].length;
  const counts = [4, 8, 16, 32, 64].filter((count) => leaves >= 32 && leaves % count === 0 && leaves / count >= 4);
  const best = (order: readonly number[]) =>
    Math.max(
      0,
      ...counts.flatMap((count) =>
        rows.map((row) => {
          const groups = Array.from({ length: leaves / count }, (_, group) =>
            mean(order.slice(group * count, (group + 1) * count).map((leaf) => row[leaf])),
          );
          const { silhouette, difference } = naivelyInTwo(groups.sort((a, b) => a - b));
          return silhouette >= 0.9 - 1e-9 && difference >= 0.1 - 1e-9 ? silhouette * difference : 0;
        }),
      ),
    );
  const real = best([...inOrder(leaves)]);
  const random = new RandomNumbers(1979);
  const shuffled = Array.from({ length: 99 }, () => {
    const order = inOrder(leaves);
    random.shuffle(order, 0, leaves);
    return best([...order]);
  });
  return { real, shuffled: Math.max(...shuffled) };
}

const found = (rows: readonly (readonly number[])[], states = 1) =>
  foundGroups(modelOf(rows, states, rows.length / states), 1, inOrder(rows[0].length), new RandomNumbers(1979));

describe("groups that a model shows", () => {
  it("are of 4, 8, 16 … of 32 leaves or more: four at least, without a rest", () => {
    expect([31, 32, 34, 36, 48, 64, 256].map(countsOf)).toEqual([
      [],
      [4, 8],
      [],
      [4],
      [4, 8],
      [4, 8, 16],
      [4, 8, 16, 32, 64],
    ]);
  });

  it("are found where they are planted, in the state and slice that they are planted in", () => {
    const planted = fc.record({
      count: fc.constantFrom(4, 8, 16),
      groups: fc.integer({ min: 4, max: 8 }),
      seed: fc.integer(),
      isNoisy: fc.boolean(),
      at: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(planted, ({ count, groups, seed, isNoisy, at }) => {
        const random = new RandomNumbers(seed);
        const noise = () => (isNoisy ? random.below(1000) / 50_000 : 0);
        const leaves = count * groups;
        fc.pre(leaves >= 32);
        // Two groups or more on each side; neighbours of a pair differ, so that no larger groups are as far apart.
        const rows = Array.from({ length: 4 }, (_, row) =>
          Array.from({ length: leaves }, (_, leaf) => {
            const group = Math.floor(leaf / count);
            return noise() + (row === at && (group === 0 || group === 3) ? 0.6 : 0.2);
          }),
        );
        const answer = found(rows, 2);
        expect(answer).toMatchObject({ state: Math.floor(at / 2), slice: at % 2 });
        // Noise may make parts of the groups differ a little more than these.
        expect(isNoisy ? count % (answer?.count ?? NaN) : answer?.count).toBe(isNoisy ? 0 : count);
      }),
    );
  });

  it("are found, or not, as every row in every order says", () => {
    const rows = fc
      .record({ leaves: fc.constantFrom(32, 40, 48), rows: fc.integer({ min: 1, max: 3 }), seed: fc.integer() })
      .chain(({ leaves, rows: count, seed }) => {
        const random = new RandomNumbers(seed);
        // From what is pure noise to what is alike in fours: both answers come up.
        const one = (row: number) => {
          const ends = Array.from({ length: leaves / 4 }, () => random.below(2));
          return Array.from({ length: leaves }, (_, leaf) => {
            const isNoise = random.below(4) < (row + (seed & 3)) % 4;
            return isNoise ? random.below(101) / 100 : ends[Math.floor(leaf / 4)] * 0.8 + random.below(11) / 100;
          });
        };
        return fc.constant(Array.from({ length: count }, (_, row) => one(row)));
      });
    const answers = new Set<boolean>();
    fc.assert(
      fc.property(rows, (some) => {
        const { real, shuffled } = naivelyFound(some);
        // What is as good as an order by chance, but for rounding, is decided by neither.
        if (real > 0 && nearly(real, shuffled)) return;
        const answer = found(some);
        answers.add(answer !== undefined);
        expect(answer !== undefined).toBe(real > 0 && real > shuffled);
        if (answer) expect(answer.strength).toBeCloseTo(real, 9);
      }),
      { numRuns: 60 },
    );
    expect(answers.size).toBe(2);
  });

  it("are none in noise, but for the one in a hundred that such a test lets through", () => {
    const seeds = fc.sample(fc.integer(), 100);
    const wrong = seeds.filter((seed) => {
      const random = new RandomNumbers(seed);
      const row = () => Array.from({ length: 64 }, () => random.below(2));
      return found(Array.from({ length: 6 }, row)) !== undefined;
    });
    expect(wrong.length).toBeLessThan(9);
  });

  it("of equal ones are the largest", () => {
    const row = Array.from({ length: 64 }, (_, leaf) => (leaf < 32 ? 0.1 : 0.9));
    expect(found([row])).toMatchObject({ count: 16 });
  });
});

/** Groups of four leaves each below a root. */
function grouped(shares: readonly (readonly number[])[], states: number, slices: number) {
  const rows = shares.map((row) => row.flatMap((share) => [share, share, share, share]));
  const flat = modelOf(rows, states, slices);
  const [leaves, groups] = [flat.leaves, flat.leaves / 4];
  const parents = Int32Array.from({ length: leaves + groups + 1 }, (_, node) =>
    node < leaves ? leaves + 1 + Math.floor(node / 4) : node === leaves ? -1 : leaves,
  );
  const model = { ...flat, parents };
  const nodes = nodeOrder(model);
  return groupsUnlike(model, nodes, 1).map(({ groups: own, others, ...more }) => ({
    ...more,
    groups: own.map((node) => node - leaves - 1),
    others: others.map((node) => node - leaves - 1),
  }));
}

describe("groups unlike the others", () => {
  it("are one finding of slices side by side in which the same ones differ, with what both have there", () => {
    const apart = (share: number, other: number) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((g) => (g === 2 || g === 5 ? share : other));
    const send = [apart(0.3, 0.3), apart(0.9, 0.3), apart(0.7, 0.3), apart(0.35, 0.3), apart(0.9, 0.3)];
    const wait = send.map((row) => row.map((share) => 1 - share));
    const [one, other, ...more] = grouped([...send, ...wait], 2, 5);
    expect(more).toEqual([]);
    expect(one).toMatchObject({ groups: [2, 5], others: [0, 1, 3, 4, 6, 7], start: 1, end: 2, state: 0 });
    expect([one.share, one.otherShare, one.strength]).toEqual([0.8, 0.3, 0.6].map((x) => expect.closeTo(x, 12)));
    expect(other).toMatchObject({ groups: [2, 5], start: 4, end: 4, strength: expect.closeTo(0.6, 12) });
  });

  it("of equal sides are those that have more", () => {
    expect(grouped([[0.1, 0.8, 0.1, 0.8]], 1, 1)).toMatchObject([{ groups: [1, 3], share: expect.closeTo(0.8, 12) }]);
  });

  it("differ in the state that they have more of, then the rarer one, where several part them alike", () => {
    const few = [0.9, 0.2, 0.2, 0.2, 0.9, 0.2];
    const rest = few.map((share) => 1 - share);
    for (const rows of [
      [few, rest],
      [rest, few],
    ])
      expect(grouped(rows, 2, 1)).toMatchObject([{ groups: [0, 4], share: expect.closeTo(0.9, 12) }]);
    // Of equal sides both have more of one state; the first of these there is in one slice alone.
    const half = [
      [0, 0, 0, 0],
      [1, 0, 0, 1],
    ];
    const others = half.map((row) => row.map((share) => 1 - share));
    expect(grouped([...half, ...others], 2, 2)).toMatchObject([{ groups: [0, 3], state: 0, start: 1, end: 1 }]);
    expect(grouped([...others, ...half], 2, 2)).toMatchObject([{ groups: [0, 3], state: 1, start: 1, end: 1 }]);
  });

  it("are two findings where they have first more, then less", () => {
    const more = [0.9, 0.2, 0.2, 0.2, 0.9, 0.2];
    const less = [0.1, 0.6, 0.6, 0.6, 0.1, 0.6];
    expect(grouped([more, less], 1, 2)).toMatchObject([
      { groups: [0, 4], start: 0, end: 0, share: expect.closeTo(0.9, 12) },
      { groups: [0, 4], start: 1, end: 1, share: expect.closeTo(0.1, 12) },
    ]);
  });

  it("are none of three, which have no two sides of two", () => {
    expect(grouped([[0.1, 0.9, 0.9]], 1, 1)).toEqual([]);
  });

  it("cover the slices that every cut says, each once", () => {
    const share = fc.constantFrom(0.1, 0.12, 0.8, 0.82);
    const rows = fc.array(fc.array(share, { minLength: 6, maxLength: 6 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(rows, (some) => {
        const findings = grouped(some, 1, 6);
        const known = some.flatMap((row, slice) => {
          const places = [...row.keys()].sort((a, b) => row[a] - row[b]);
          const { low, silhouette, difference } = naivelyInTwo(places.map((place) => row[place]));
          if (!(silhouette >= 0.9 - 1e-9 && difference >= 0.1 - 1e-9)) return [];
          const [less, more] = [places.slice(0, low), places.slice(low)];
          return [{ slice, groups: (less.length < more.length ? less : more).sort((a, b) => a - b) }];
        });
        const own = findings.flatMap(({ start, end, groups }) =>
          Array.from({ length: end + 1 - start }, (_, at) => ({ slice: start + at, groups })),
        );
        expect(own.sort((a, b) => a.slice - b.slice)).toEqual(known);
        for (const one of findings) {
          const next = findings.find(({ start }) => start === one.end + 1);
          const isMore = (finding: typeof one) => finding.share > finding.otherShare;
          if (next && isMore(next) === isMore(one)) expect(next.groups).not.toEqual(one.groups);
        }
        expect(findings.map(({ strength }) => strength)).toEqual(
          findings.map(({ strength }) => strength).toSorted((a, b) => b - a),
        );
      }),
    );
  });
});
