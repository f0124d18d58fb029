import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MicroscopicModel, nodeOrder } from "../../../src/aggregation/microscopicModel";
import { CancelledError } from "../../../src/model/errors";
import { quietTask } from "../../../src/model/task";
import { areasOf } from "../../../src/aggregation/areas";
import { differing, Partitions } from "../../../src/aggregation/partition";
import { Aggregation, initialEntry } from "../../../src/aggregation/significant";
import { casesOf } from "../randomCases";

/** A part as it is written: "3:0-2". */
type Part = string;

/** Small trees: parents of leaves and inner nodes, one root. */
const tree = fc.oneof(
  fc.constant([-1]),
  fc.constant([2, 2, -1]),
  fc.constant([3, 3, 3, -1]),
  fc.constant([4, 4, 5, 6, 6, 6, -1].map((parent, at) => (at === 4 ? 5 : at === 5 ? 6 : parent))),
);

function modelOf(
  parents: readonly number[],
  states: number,
  slices: number,
  values: readonly number[],
): MicroscopicModel {
  const inner = new Set(parents.filter((parent) => parent >= 0));
  const leaves = parents.filter((_, node) => !inner.has(node)).length;
  const count = leaves * states * slices;
  return {
    leaves,
    states,
    slices,
    parents: Int32Array.from(parents),
    values: Float64Array.from({ length: count }, (_, at) => values[at % values.length]),
  };
}

const model = fc
  .tuple(tree, fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 4 }))
  .chain(([parents, states, slices]) =>
    fc
      .array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: 1e-6, max: 10, noNaN: true })), {
        minLength: 48,
        maxLength: 48,
      })
      .map((values) => modelOf(parents, states, slices, values)),
  );

/** Gain and loss of one area, from the formula, value by value. */
function areaOf({ states, slices, values }: MicroscopicModel, leaves: readonly number[], from: number, to: number) {
  let [gain, loss] = [0, 0];
  for (let state = 0; state < states; state++) {
    const own = leaves.flatMap((leaf) =>
      Array.from(values.subarray((leaf * states + state) * slices + from, (leaf * states + state) * slices + to + 1)),
    );
    const sum = own.reduce((a, b) => a + b, 0);
    if (sum === 0) continue;
    const information = own.reduce(
      (all, one) => all + (one > 0 ? (one / sum) * Math.log2((one / sum) * own.length) : 0),
      0,
    );
    loss += sum * information;
    gain += own.reduce((all, one) => all - (one > 0 ? one * Math.log2(one) : 0), sum * Math.log2(sum));
  }
  return { gain, loss };
}

/** All partitions of a node and an interval, each once, with what they gain and lose: no recursion over best ones. */
function allPartitions(model: MicroscopicModel) {
  const { children } = nodeOrder(model);
  const leavesOf = (node: number): number[] =>
    children[node].length === 0 ? [node] : children[node].flatMap(leavesOf);
  const root = model.parents.indexOf(-1);
  const known = new Map<string, Map<string, { parts: readonly Part[]; gain: number; loss: number }>>();
  const all = (
    node: number,
    from: number,
    to: number,
  ): Map<string, { parts: readonly Part[]; gain: number; loss: number }> => {
    const key = `${node}:${from}-${to}`;
    const before = known.get(key);
    if (before) return before;
    const found = new Map<string, { parts: readonly Part[]; gain: number; loss: number }>();
    const add = (parts: readonly Part[], gain: number, loss: number) => {
      const sorted = [...parts].sort();
      found.set(sorted.join(" "), { parts: sorted, gain, loss });
    };
    const whole = areaOf(model, leavesOf(node), from, to);
    add([key], whole.gain, whole.loss);
    const joined = (pieces: (readonly [number, number, number])[]) => {
      let made: { parts: readonly Part[]; gain: number; loss: number }[] = [{ parts: [], gain: 0, loss: 0 }];
      for (const [n, i, j] of pieces)
        made = made.flatMap((one) =>
          [...all(n, i, j).values()].map((other) => ({
            parts: [...one.parts, ...other.parts],
            gain: one.gain + other.gain,
            loss: one.loss + other.loss,
          })),
        );
      for (const one of made) add(one.parts, one.gain, one.loss);
    };
    if (children[node].length > 0) joined(children[node].map((child) => [child, from, to]));
    for (let cut = from; cut < to; cut++)
      joined([
        [node, from, cut],
        [node, cut + 1, to],
      ]);
    known.set(key, found);
    return found;
  };
  return all(root, 0, model.slices - 1);
}

function partsOf({ node, start, end }: { node: Int32Array; start: Int32Array; end: Int32Array }): Part[] {
  return Array.from(node, (one, at) => `${one}:${start[at]}-${end[at]}`).sort();
}

const small = model.filter(({ leaves, slices }) => leaves * slices <= 8);
/** With a hierarchy: of one resource alone nothing is kept from one strength to the next. */
const trees = model.filter(({ parents }) => parents.length > 1);

describe("the best partition", () => {
  it("is the best of all, at every strength", () => {
    fc.assert(
      fc.property(small, fc.integer({ min: 0, max: 16 }), (one, sixteenths) => {
        const strength = sixteenths / 16;
        const nodes = nodeOrder(one);
        const best = new Partitions(one.slices, nodes, areasOf(one, nodes)).best(strength);
        const value = ({ gain, loss }: { gain: number; loss: number }) => strength * gain - (1 - strength) * loss;
        const all = allPartitions(one);
        const own = all.get(partsOf(best).join(" "));
        if (!own) throw new Error(`${partsOf(best).join(" ")} is no partition`);
        const most = Math.max(...[...all.values()].map(value));
        const unit = 1 + one.values.reduce((a, b) => a + b * Math.abs(Math.log2(b || 1)), 0);
        expect(value(own)).toBeGreaterThanOrEqual(most - 1e-9 * unit);
        expect(Math.abs(own.gain - best.gain)).toBeLessThan(1e-9 * unit);
        expect(Math.abs(own.loss - best.loss)).toBeLessThan(1e-9 * unit);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the best partition of slices alone", () => {
  interface Sequence {
    readonly states: number;
    readonly slices: number;
    readonly cells: readonly number[];
  }
  /** Small whole numbers: many partitions are worth the same. */
  const valuesFrom = (least: number) =>
    fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 })).chain(([states, slices]) =>
      fc.record({
        states: fc.constant(states),
        slices: fc.constant(slices),
        cells: fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: least, max: 9, noNaN: true })), {
          minLength: states * slices,
          maxLength: states * slices,
        }),
      }),
    );
  const strengths = fc.integer({ min: 0, max: 64 });

  /** Found as a sequence, and as a hierarchy of one resource. */
  const found = ({ states, slices, cells }: Sequence, parts: number, isShare: boolean) => {
    const best = (parents: readonly number[]) => {
      const one = { leaves: 1, states, slices, values: Float64Array.from(cells), parents: Int32Array.from(parents) };
      const nodes = nodeOrder(one);
      const areas = areasOf(one, nodes);
      const whole = isShare ? { whole: { gain: 3, loss: 7 } } : {};
      return new Partitions(slices, nodes, { ...areas, ...whole }).best(parts / 64);
    };
    return { alone: best([-1]), below: best([1, -1]) };
  };

  it("is that of a hierarchy which has nothing but one resource", () => {
    fc.assert(
      fc.property(valuesFrom(1e-6), strengths, fc.boolean(), (values, parts, isShare) => {
        const { alone, below } = found(values, parts, isShare);
        expect([...alone.start]).toEqual([...below.start]);
        expect([...alone.end]).toEqual([...below.end]);
        expect(alone.gain).toBeCloseTo(below.gain, 9);
        expect(alone.loss).toBeCloseTo(below.loss, 9);
      }),
      { numRuns: casesOf(2000) },
    );
  });

  // What is less than rounding of the rest is worth nothing, wherever it is cut: the two recursions add the same numbers in another order.
  it("is worth as much as that, however small some values are beside the others", () => {
    const smallest = (cells: readonly number[]) => ({ states: 1, slices: cells.length, cells });
    fc.assert(
      fc.property(valuesFrom(0), strengths, fc.boolean(), (values, parts, isShare) => {
        const { alone, below } = found(values, parts, isShare);
        expect(alone.gain).toBeCloseTo(below.gain, 9);
        expect(alone.loss).toBeCloseTo(below.loss, 9);
      }),
      {
        numRuns: casesOf(2000),
        examples: [
          [smallest([0, 1, 1, 0, 0, 0, 0, 1e-323, 2.5e-323, 0, 0, 0]), 6, false],
          [smallest([0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 3.5e-323, 5.4e-323]), 2, false],
          [smallest([0, 2, 2, ...Array<number>(26).fill(0), 2.5e-323, 1e-323]), 6, true],
        ],
      },
    );
  });
});

describe("gains and losses of many slices", () => {
  it("can be cancelled at each of them", () => {
    const values = Float64Array.from({ length: 50 }, (_, at) => at);
    const one = { leaves: 1, states: 1, slices: 50, values, parents: Int32Array.of(-1) };
    let left = 40;
    const check = () => {
      if (left-- === 0) throw new CancelledError();
    };
    expect(() => areasOf(one, nodeOrder(one), { ...quietTask, check })).toThrow(CancelledError);
  });
});

describe("the best partition between two strengths", () => {
  const strength = fc.integer({ min: 0, max: 64 }).map((parts) => parts / 64);

  it("is found by looking only at nodes that are not the same at both", () => {
    let skipped = 0;
    fc.assert(
      fc.property(trees, strength, strength, strength, (one, ...three) => {
        const [low, middle, high] = three.sort((a, b) => a - b);
        const nodes = nodeOrder(one);
        const areas = areasOf(one, nodes);
        const kept = (partitions: Partitions) => {
          const bests = partitions.read(nodes.order);
          if (!bests) throw new Error("a small model is kept");
          return bests;
        };
        const partitions = new Partitions(one.slices, nodes, areas);
        const plain = new Partitions(one.slices, nodes, areas, 0);
        expect(partitions.best(low)).toEqual(plain.best(low));
        const atLow = kept(partitions);
        expect(partitions.best(high)).toEqual(plain.best(high));
        const atHigh = kept(partitions);
        const open = differing(nodes.order, atLow, atHigh).nodes;
        skipped += nodes.order.length - open.length;
        expect(partitions.bestWithin(middle, open)).toEqual(plain.best(middle));
        expect(plain.read(nodes.order)).toBeUndefined();
        // What was read is what it was, whatever was looked at since.
        partitions.write(nodes.order, atLow);
        expect(partitions.bestWithin(middle, open)).toEqual(plain.best(middle));
      }),
      { numRuns: casesOf(300) },
    );
    expect(skipped).toBeGreaterThan(0);
  });
});

describe("memory for partitions at several strengths", () => {
  /** Of an area at one strength. */
  const AREA = 18;

  it("has a limit in bytes, beyond which nothing more is kept", () => {
    fc.assert(
      fc.property(trees, fc.integer({ min: 3, max: 9 }), (one, sets) => {
        const nodes = nodeOrder(one);
        const areas = areasOf(one, nodes);
        const set = areas.gain.length * AREA;
        const partitions = new Partitions(one.slices, nodes, areas, sets * set);
        const held = [];
        for (let at = 0; at <= 16; at++) {
          expect(partitions.best(at / 16)).toEqual(new Partitions(one.slices, nodes, areas, 0).best(at / 16));
          const read = partitions.read(nodes.order);
          if (read) held.push(read);
          expect(partitions.bytes).toBeLessThanOrEqual(sets * set + areas.intervals * AREA);
        }
        // One set more is what the next strength is found in.
        expect(held).toHaveLength(sets - 1);
        // What is given back is used again.
        for (const read of held) partitions.release(read);
        partitions.best(0.3);
        expect(partitions.read(nodes.order)).toBeDefined();
        expect(partitions.bytes).toBeLessThanOrEqual(sets * set + areas.intervals * AREA);
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("changes no partition of resources that do the same, in one group or in several", () => {
    const row = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 5, maxLength: 5 });
    const leaves = fc.array(fc.nat(2), { minLength: 4, maxLength: 14 });
    fc.assert(
      fc.property(fc.tuple(row, row, row), leaves, fc.boolean(), (rows, of, isGrouped) => {
        const count = of.length;
        const parents = of.map((_, leaf) => count + (isGrouped ? 1 + (leaf % 2) : 0));
        const one = {
          leaves: count,
          states: 1,
          slices: 5,
          values: Float64Array.from(of.flatMap((which) => rows[which])),
          parents: Int32Array.from([...parents, -1, ...(isGrouped ? [count, count] : [])]),
        };
        expect(new Aggregation(one, { mostBytes: 0 }).significant()).toEqual(new Aggregation(one).significant());
      }),
      { numRuns: casesOf(400) },
    );
  });

  it("changes no partition of resources that all differ, of which only what they are made of is kept", () => {
    const random = fc.tuple(
      fc.integer({ min: 1, max: 2 }),
      fc.integer({ min: 2, max: 9 }),
      fc.integer({ min: 1, max: 12 }),
    );
    const cases = random.chain(([states, leaves, slices]) =>
      fc.tuple(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: 1e-6, max: 10, noNaN: true })), {
          minLength: leaves * states * slices,
          maxLength: leaves * states * slices,
        }),
        fc.boolean(),
        fc.constant({ states, leaves, slices }),
      ),
    );
    let copies = 0;
    fc.assert(
      fc.property(
        cases,
        fc.integer({ min: 2, max: 30 }),
        fc.boolean(),
        ([values, isGrouped, size], sets, normalize) => {
          const { leaves, slices } = size;
          const parents = Array.from({ length: leaves }, (_, leaf) => leaves + (isGrouped ? 1 + (leaf % 2) : 0));
          const one = {
            ...size,
            values: Float64Array.from(values),
            parents: Int32Array.from([...parents, -1, ...(isGrouped ? [leaves, leaves] : [])]),
          };
          // Room for some copies of all choices, and none for three sets of all that is known of nodes.
          const mostBytes = sets * leaves * areasOf(one, nodeOrder(one)).intervals;
          const plain = new Aggregation(one, { mostBytes: 0, normalize });
          expect(new Aggregation(one, { mostBytes, normalize }).significant()).toEqual(plain.significant());
          const nodes = nodeOrder(one);
          const partitions = new Partitions(slices, nodes, areasOf(one, nodes), mostBytes);
          partitions.best(0.5);
          for (let copy = partitions.readLeaves(); copy; copy = partitions.readLeaves()) copies++;
          expect(partitions.bytes).toBeLessThanOrEqual(
            mostBytes + 18 * (parents.length + 3) * areasOf(one, nodes).intervals,
          );
        },
      ),
      { numRuns: casesOf(400) },
    );
    expect(copies).toBeGreaterThan(0);
  });

  it("changes no partition", () => {
    fc.assert(
      fc.property(model, fc.integer({ min: 0, max: 9 }), (one, sets) => {
        const bytes = sets * AREA * areasOf(one, nodeOrder(one)).gain.length;
        expect(new Aggregation(one, { mostBytes: bytes }).significant()).toEqual(new Aggregation(one).significant());
      }),
      { numRuns: casesOf(1000) },
    );
  });
});

describe("significant strengths", () => {
  it("begin without a loss, end with the largest gain, and gain and lose more from one to the next", () => {
    fc.assert(
      fc.property(model, (one) => {
        const found = new Aggregation(one).significant();
        const nodes = nodeOrder(one);
        const { gain, intervals } = areasOf(one, nodes);
        const unit = 1e-9 * (1 + one.values.reduce((a, b) => a + b, 0));
        expect(found[0]).toMatchObject({ strength: 0, loss: 0 });
        const root = nodes.order[nodes.order.length - 1];
        expect(Math.abs(found[found.length - 1].gain - gain[root * intervals + one.slices - 1])).toBeLessThan(unit);
        for (let at = 1; at < found.length; at++) {
          expect(found[at].strength).toBeGreaterThan(found[at - 1].strength);
          expect(found[at].gain).toBeGreaterThanOrEqual(found[at - 1].gain - unit);
          expect(found[at].loss).toBeGreaterThanOrEqual(found[at - 1].loss - unit);
        }
        for (const { count, node, start, end } of found) {
          let cells = 0;
          for (let at = 0; at < count; at++) cells += nodes.sizes[node[at]] * (end[at] - start[at] + 1);
          expect(cells).toBe(one.leaves * one.slices);
        }
      }),
    );
  });

  it("are the same, with the same parts, whatever power of two the unit of the values is", () => {
    fc.assert(
      fc.property(model, fc.integer({ min: -60, max: 60 }), (one, exponent) => {
        const found = new Aggregation(one).significant();
        const other = new Aggregation({
          ...one,
          values: one.values.map((value) => value * 2 ** exponent),
        }).significant();
        expect(other.map(({ strength }) => strength)).toEqual(found.map(({ strength }) => strength));
        expect(other.map(partsOf)).toEqual(found.map(partsOf));
      }),
    );
  });

  it("show first the largest strength that hides at most 15 % of what the worst one does", () => {
    const chosen = (...losses: number[]) => initialEntry(losses.map((loss) => ({ loss })));
    expect(chosen(0)).toBe(0);
    expect(chosen(0, 0)).toBe(1);
    expect(chosen(0, 0.1, 5, 6, 10)).toBe(1);
    // 15 % itself is shown, also where it is none of the binary numbers.
    expect([chosen(0, 15, 100), chosen(0, 0.045, 0.3), chosen(0, 15.001, 100)]).toEqual([1, 1, 0]);
    // Losses that are shares of gains rise and fall: the largest need not be the last, nor all below it lie side by side.
    expect(chosen(0, 20, 3, 100, 60)).toBe(2);
  });

  it("show first none that is coarser than any other within the bound", () => {
    fc.assert(
      fc.property(model, fc.boolean(), (one, normalize) => {
        const entries = new Aggregation(one, { normalize }).significant();
        const losses = entries.map(({ loss }) => loss);
        const bound = 0.15 * Math.max(...losses) * (1 + 1e-12);
        const strengths = entries.filter(({ loss }) => loss <= bound).map(({ strength }) => strength);
        expect(entries[initialEntry(entries)].strength).toBe(Math.max(...strengths));
      }),
    );
  });
});

describe("what is unlike the rest", () => {
  it("is cut in at most half of the leaves, where the coarsest such partition cuts; its strength is what would be lost", () => {
    fc.assert(
      fc.property(model, (one) => {
        const aggregation = new Aggregation(one);
        const partitions = [...aggregation.significant()].reverse();
        const { children } = nodeOrder(one);
        const below = (node: number): number[] =>
          children[node].length === 0 ? [node] : children[node].flatMap(below);
        const leaves = Array.from({ length: one.leaves }, (_, leaf) => leaf);
        const partOf = (
          partition: (typeof partitions)[number],
          leaf: number,
          slice: number,
        ): readonly [number, number] => {
          const at = partition.node.findIndex(
            (node, part) =>
              partition.start[part] <= slice && slice <= partition.end[part] && below(node).includes(leaf),
          );
          return [partition.start[at], partition.end[at]];
        };
        const expected = Array.from({ length: one.slices - 1 }, (_, at) => at + 1).flatMap((boundary) => {
          const cuts = (partition: (typeof partitions)[number]) =>
            leaves.filter((leaf) => partOf(partition, leaf, boundary)[0] === boundary);
          const found = partitions.find((partition) => {
            const count = cuts(partition).length;
            return count > 0 && 2 * count <= one.leaves;
          });
          if (!found) return [];
          const own = cuts(found);
          const strength = own.reduce((sum, leaf) => {
            const [from, to] = [partOf(found, leaf, boundary - 1)[0], partOf(found, leaf, boundary)[1]];
            const loss = (first: number, last: number) => areaOf(one, [leaf], first, last).loss;
            return sum + loss(from, to) - loss(from, boundary - 1) - loss(boundary, to);
          }, 0);
          return [{ boundary, leaves: own.join(), strength }];
        });
        const inTime = aggregation.unlike().filter(({ kind }) => kind === "time");
        const found = inTime.flatMap((finding) =>
          finding.boundaries.map((boundary) => ({ boundary, leaves: finding.leaves.join() })),
        );
        found.sort((a, b) => a.boundary - b.boundary);
        expect(found).toEqual(expected.map(({ boundary, leaves: own }) => ({ boundary, leaves: own })));
        const sum = (all: readonly { strength: number }[]) => all.reduce((total, { strength }) => total + strength, 0);
        expect(sum(inTime)).toBeCloseTo(sum(expected), 6);
        expect(inTime.map(({ strength }) => strength)).toEqual(
          inTime.map(({ strength }) => strength).sort((a, b) => b - a),
        );
      }),
    );
  });

  it("in space are leaves of the deepest nodes, fewer than half, that are mostly in another state", () => {
    // Two nodes of four leaves over two slices; in the first one leaf is in the other state.
    const values = [
      [4, 4, 1, 1],
      [4, 4, 1, 1],
      [1, 1, 4, 4],
      [4, 4, 1, 1],
      [1, 1, 4, 4],
      [1, 1, 4, 4],
      [1, 1, 4, 4],
      [1, 1, 4, 4],
    ];
    const parents = [8, 8, 8, 8, 9, 9, 9, 9, 10, 10, -1];
    const one = {
      leaves: 8,
      states: 2,
      slices: 2,
      parents: Int32Array.from(parents),
      values: Float64Array.from(values.flat()),
    };
    const [found, ...others] = new Aggregation(one).unlike().filter(({ kind }) => kind === "space");
    expect(others).toEqual([]);
    expect(found.leaves).toEqual([2]);
    const lost = areaOf(one, [0, 1, 2, 3], 0, 1).loss - areaOf(one, [0, 1, 3], 0, 1).loss;
    expect(found.strength).toBeCloseTo(lost, 9);
  });
});

describe("resources that are no tree", () => {
  it.each([
    [[1, 0], 1],
    [[-1, -1], 2],
    [[5, -1], 1],
    [[2, 2, 3, 2], 2],
    [[-1, 2, 1], 1],
  ])("are refused: %j", (parents, leaves) => {
    expect(() => nodeOrder({ parents: Int32Array.from(parents), leaves })).toThrow(/model|resources/i);
  });
});
