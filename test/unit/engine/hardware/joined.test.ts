import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HardwareElement, HardwareLink } from "../../../../src/engine/api";
import { joinNeighbours } from "../../../../src/engine/hardware/joined";
import { casesOf } from "../../randomCases";

const types = ["Core", "PU", "L2"];

const machines = fc
  .array(fc.record({ type: fc.nat(2), parent: fc.nat(40), use: fc.option(fc.integer({ min: 0, max: 8 })) }), {
    maxLength: 40,
  })
  .map((rows) =>
    rows.map(({ type, parent, use }, at): HardwareElement => {
      const share = use === null ? NaN : use / 8;
      return {
        name: `${at}`,
        type: types[type],
        kind: "core",
        parent: (parent % (at + 1)) - 1,
        size: "",
        together: 1,
        share,
        by: use === null ? undefined : "threads",
        known: use === null ? 0 : 1,
        least: share,
        most: share,
        lanes: [at],
        members: undefined,
        bytes: NaN,
        capacity: NaN,
      };
    }),
  );

function linksOf(elements: readonly HardwareElement[], seed: number): HardwareLink[] {
  return elements.map((_, at) => ({
    of: "transfers",
    from: at,
    to: (at * 7 + seed) % elements.length,
    name: "",
    together: 1,
    bytes: at,
    bytesBack: 1,
    count: 1,
    capacity: NaN,
    rate: NaN,
    share: NaN,
    by: undefined,
  }));
}

/** Outermost first: what is called of each element, so that neighbours of one type are called alike. */
const pathOf = (elements: readonly HardwareElement[], at: number): string =>
  at < 0 ? "" : `${pathOf(elements, elements[at].parent)}/${elements[at].type}`;

describe("joining neighbours of one type", () => {
  it("keeps all that is few, and all lanes and bytes where there are many", () => {
    fc.assert(
      fc.property(machines, fc.nat(30), fc.nat(50), (elements, most, seed) => {
        const links = linksOf(elements, seed);
        const joined = joinNeighbours(elements, links, most);
        if (elements.length <= most) {
          expect(joined).toEqual({ elements, links });
          return;
        }
        joined.elements.forEach((one, at) => {
          expect(one.parent).toBeLessThan(at);
          if (one.known > 0) expect(one.share >= one.least && one.share <= one.most).toBe(true);
          expect(one.known).toBeLessThanOrEqual(one.together);
        });
        // Each recorded element has its own, or lies in one that stands for several; none is of two.
        const inSeveral = (at: number): boolean =>
          at >= 0 && (joined.elements[at].together > 1 || inSeveral(joined.elements[at].parent));
        joined.elements.forEach(({ parent }) => expect(inSeveral(parent)).toBe(false));
        const paths = new Map<string, number>();
        for (const at of elements.keys()) paths.set(pathOf(elements, at), (paths.get(pathOf(elements, at)) ?? 0) + 1);
        for (const at of joined.elements.keys()) expect(paths.has(pathOf(joined.elements, at))).toBe(true);
        const within = joined.elements.length > most;
        if (within) {
          // Nothing is left to be joined: each has another type than its neighbours.
          const seen = joined.elements.map(({ parent, type }) => `${parent} ${type}`);
          expect(new Set(seen).size).toBe(seen.length);
        }
      }),
      { numRuns: casesOf(500) },
    );
  });

  it("says mean, least and most of what is known, and sums bytes of links", () => {
    const core = (at: number, share: number): HardwareElement => ({
      name: `Core ${at}`,
      type: "Core",
      kind: "core",
      parent: 0,
      size: "",
      together: 1,
      share,
      by: "threads",
      known: Number.isNaN(share) ? 0 : 1,
      least: share,
      most: share,
      lanes: [at],
      members: undefined,
      bytes: NaN,
      capacity: NaN,
    });
    const machine = { ...core(0, NaN), name: "node", type: "Machine", parent: -1, by: undefined, lanes: [0, 1, 2] };
    const shares = [0.25, 0.75, NaN];
    const elements = [machine, ...shares.map((share, at) => core(at, share))];
    const gpu: HardwareElement = { ...core(3, 0.5), kind: "GPU", type: "GPU", parent: -1 };
    const links = linksOf([...elements, gpu], 0).map((link, at) => ({ ...link, from: at, to: 4 }));
    const joined = joinNeighbours([...elements, gpu], links, 3);
    expect(joined.elements.map(({ name }) => name)).toEqual(["node", "3 cores", "Core 3"]);
    expect(joined.elements[1]).toMatchObject({
      share: 0.5,
      least: 0.25,
      most: 0.75,
      known: 2,
      together: 3,
      lanes: [0, 1, 2],
    });
    // Of links 1 to 3 of the cores: 1 + 2 + 3 bytes.
    expect(joined.links.map(({ from, bytes, together }) => [from, bytes, together])).toEqual([
      [0, 0, 1],
      [1, 6, 3],
    ]);
  });
});
