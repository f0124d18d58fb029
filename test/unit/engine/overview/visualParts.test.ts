import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeOrder } from "../../../../src/aggregation/microscopicModel";
import { Modes, sumsOf } from "../../../../src/aggregation/modes";
import { Aggregation } from "../../../../src/aggregation/significant";
import { leafOrder, visualParts } from "../../../../src/engine/overview/visualParts";

/** Leaves below groups of any size, under one root. */
const model = fc
  .tuple(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 6 }))
  .chain(([groups, slices]) => {
    const leaves = groups.reduce((sum, one) => sum + one, 0);
    const root = leaves + groups.length;
    const parents = [
      ...groups.flatMap((count, group) => Array.from({ length: count }, () => leaves + group)),
      ...groups.map(() => root),
      -1,
    ];
    const values = fc.array(fc.integer({ min: 0, max: 3 }), {
      minLength: leaves * 2 * slices,
      maxLength: leaves * 2 * slices,
    });
    return values.map((all) => ({
      leaves,
      states: 2,
      slices,
      parents: Int32Array.from(parents),
      values: Float64Array.from(all),
    }));
  });

describe("what of a partition is drawn", () => {
  it("covers each cell once, in so few rows that each has room, and tells parts from several of them", () => {
    fc.assert(
      fc.property(model, fc.integer({ min: 1, max: 25 }), fc.nat(), (one, rows, which) => {
        const nodes = nodeOrder(one);
        const entries = new Aggregation(one).significant();
        const partition = entries[which % entries.length];
        const modes = new Modes(one);
        const drawn = visualParts({ model: one, nodes, modes }, partition, rows);
        const order = leafOrder(nodes);
        const placeOf = new Map(Array.from(order, (leaf, place) => [leaf, place]));
        const below = (node: number): number[] =>
          nodes.children[node].length === 0 ? [placeOf.get(node) ?? -1] : nodes.children[node].flatMap(below);
        const whole = Array.from(partition.node, (node, part) => ({
          places: below(node),
          start: partition.start[part],
          end: partition.end[part],
        }));
        const covered = new Int32Array(one.leaves * one.slices);
        let parts = 0;
        for (let at = 0; at < drawn.count; at++) {
          const [first, size, start, end] = [drawn.first[at], drawn.size[at], drawn.start[at], drawn.end[at]];
          for (let place = first; place < first + size; place++)
            for (let slice = start; slice <= end; slice++) covered[place * one.slices + slice]++;
          const inside = whole.filter(
            (part) =>
              part.places.some((place) => place >= first && place < first + size) &&
              part.start <= end &&
              part.end >= start,
          );
          // Nothing is cut through: what is inside is wholly inside.
          for (const part of inside) {
            expect(part.start >= start && part.end <= end).toBe(true);
            expect(part.places.every((place) => place >= first && place < first + size)).toBe(true);
          }
          const isSame = inside.length === 1;
          const isAlike = inside.every((part) => part.start === start && part.end === end);
          expect(drawn.sign[at]).toBe(isSame ? 0 : isAlike ? 1 : 2);
          expect(drawn.parts[at]).toBe(inside.length);
          parts += inside.length;
          const mode = modes.of(sumsOf(one, order.subarray(first, first + size), start, end));
          expect([drawn.mode[at], drawn.share[at]]).toEqual([mode.state, mode.share]);
        }
        expect([...covered].every((count) => count === 1)).toBe(true);
        expect(parts).toBe(partition.count);
        if (rows >= one.leaves) expect(drawn.sign.every((sign) => sign === 0)).toBe(true);
      }),
    );
  });
});
