import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RankValues } from "../../../src/analysis/rankValues";
import { inclusive } from "../../../src/model/contextTree";
import type { Location } from "../../../src/model/locations";
import { location } from "../../../src/model/locations";
import type { Chosen, LocationUnit } from "../../../src/model/members";
import { SparseBuilder } from "../../../src/model/values";
import { treeOf } from "../model/trees";

/** A value as a tool would list it: where, and at which of the contexts a/b/c. */
interface Listed {
  readonly place: Location;
  readonly context: number;
  readonly value: number;
}

/** Two hosts; ranks 0 and 1 at the first, 2 and 3 at the second, each with some threads and a stream; and values of none of these. */
const place = fc.oneof(
  fc
    .record({ rank: fc.integer({ min: 0, max: 3 }), thread: fc.integer({ min: 0, max: 2 }) })
    .map(({ rank, thread }) => location({ node: rank >> 1, rank, thread })),
  fc
    .record({ rank: fc.integer({ min: 0, max: 3 }), stream: fc.integer({ min: 5, max: 6 }) })
    .map(({ rank, stream }) => location({ node: rank >> 1, rank, thread: 0, stream })),
  fc.constant(location({})),
);
const listed = fc.array(
  fc.record({ place, context: fc.integer({ min: 0, max: 2 }), value: fc.integer({ min: -5, max: 50 }) }),
  { minLength: 1, maxLength: 30 },
);

/** How a person would say where a value belongs; undefined: nowhere. */
const nameOf: Readonly<Record<Exclude<LocationUnit, "run" | "device">, (at: Location) => string | undefined>> = {
  rank: ({ rank }) => (rank < 0 ? undefined : `${rank}`),
  thread: ({ rank, thread, stream }) => (thread < 0 || stream >= 0 ? undefined : `${rank}.${thread}`),
  stream: ({ rank, stream }) => (stream < 0 ? undefined : `${rank}.${stream}`),
  host: ({ node }) => (node < 0 ? undefined : `${node}`),
};
const units = fc.constantFrom("rank", "thread", "stream", "host" as const);

function rankValues(values: readonly Listed[], chosen: Chosen): RankValues {
  const { tree } = treeOf([["a", "b", "c"]]);
  // Locations in an order that has nothing to do with their names.
  const keys = [...new Set(values.map(({ place }) => JSON.stringify(place)))];
  const builder = new SparseBuilder();
  for (const { place, context, value } of values) builder.add(context, keys.indexOf(JSON.stringify(place)), value);
  const identity = Int32Array.from({ length: keys.length + 3 }, (_, at) => at);
  const locations = keys.map((key) => JSON.parse(key) as Location);
  return new RankValues({ tree, locations, values: [builder.build(tree.size, identity, identity)] }, 0, chosen);
}

const below = (exclusive: Float64Array) => inclusive({ size: 3, parent: Int32Array.of(-1, 0, 1) }, exclusive);

describe("values over what was chosen", () => {
  it("agree with a table of values, by rank, thread, stream and host, for every way of combining", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(listed, units, fc.integer({ min: 1, max: 15 }), (values, by, mask) => {
        const names = [...new Set(values.flatMap(({ place }) => nameOf[by](place) ?? []))];
        // Where one rank alone is known, what has none is its own; it has no thread, stream or host.
        const hasOneRank = by === "rank" && names.length === 1;
        const nameAt = (at: Location) => nameOf[by](at) ?? (hasOneRank ? names[0] : undefined);
        const members = names.filter((_, at) => (mask >> at) % 2 === 1);
        if (members.length === 0) return;
        seen.add(by);
        const counted = values.filter(({ place }) => members.includes(nameAt(place) ?? "none"));
        // Over hosts numbers are combined over the ranks there, over anything else over what was chosen.
        const each = by === "host" ? [...new Set(counted.map(({ place }) => `${place.rank}`))] : members;
        const one = (name: string, context: number) =>
          counted
            .filter(({ place }) => (by === "host" ? `${place.rank}` : nameAt(place)) === name)
            .filter((own) => own.context >= context)
            .reduce((sum, own) => sum + own.value, 0);
        const combined = rankValues(values, { by, members });
        for (let context = 0; context < 3; context++) {
          const all = each.map((name) => one(name, context));
          const sum = all.reduce((total, value) => total + value, 0);
          expect(combined.evaluate("sum", below)[context]).toBe(sum);
          expect(combined.evaluate("mean", below)[context]).toBe(sum / all.length);
          expect(combined.evaluate("max", below)[context]).toBe(Math.max(...all));
          expect(combined.evaluate("min", below)[context]).toBe(Math.min(...all));
          expect([...combined.perRank([[context, 3]])].sort()).toEqual([...all].sort());
        }
        expect(combined.rankCount).toBe(each.length);
      }),
      { numRuns: 300 },
    );
    expect([...seen].sort()).toEqual(["host", "rank", "stream", "thread"]);
  });

  it("of one rank are those of that rank only where it was chosen", () => {
    const at = (rank: number, value: number): Listed => ({
      place: location({ node: rank >> 1, rank }),
      context: 0,
      value,
    });
    const values = [at(0, 1), at(1, 2), at(2, 4)];
    const chosen: Chosen = { by: "host", members: ["0"] };
    const ofRank = (rank: number) => rankValues(values, chosen).evaluate({ rank }, (exclusive) => exclusive)[0];
    expect([ofRank(0), ofRank(1), ofRank(2)]).toEqual([1, 2, 0]);
  });
});
