import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinTopologies, type PartTopology } from "../../../../src/formats/trace/topology";
import { NONE } from "../../../../src/model/ids";
import { type Resource, resourcePath } from "../../../../src/model/resources";
import { compareNames } from "../../../../src/model/strings";

function resource(name: string, parent = NONE, parts: Partial<Resource> = {}): Resource {
  return { name, type: "process", parent, location: NONE, ...parts };
}

/** Forests whose names say nothing of their order. */
const forest: fc.Arbitrary<PartTopology> = fc
  .array(fc.record({ name: fc.constantFrom("a", "b", "rank 2", "rank 10"), up: fc.nat(8) }), { maxLength: 12 })
  .map((nodes) => ({
    resources: nodes.map(({ name, up }, index) => resource(name, up < index ? up : NONE)),
    links: nodes.length > 1 ? [{ from: 0, to: nodes.length - 1, type: "link", name: "" }] : [],
  }));

describe("resources of several parts", () => {
  it("keep the order of the only part", () => {
    const resources = [resource("z"), resource("b", 0), resource("a", 0), resource("y")];
    const { topology, finalOf } = joinTopologies([{ resources, links: [] }]);
    expect(topology.resources).toEqual(resources);
    expect(finalOf).toEqual([Int32Array.of(0, 1, 2, 3)]);
  });

  it("are one where two parts name the same path, whichever knows more of it", () => {
    const { topology, finalOf } = joinTopologies([
      { resources: [resource("rank 10", NONE, { location: 1, endSeconds: 5 }), resource("rank 2")], links: [] },
      {
        resources: [
          resource("rank 2", NONE, { location: 0, startSeconds: 1, properties: new Map([["pid", "7"]]) }),
          resource("rank 10", NONE, { startSeconds: 2, endSeconds: 9 }),
        ],
        links: [],
      },
    ]);
    expect(topology.resources).toEqual([
      resource("rank 2", NONE, { location: 0, startSeconds: 1, properties: new Map([["pid", "7"]]) }),
      resource("rank 10", NONE, { location: 1, startSeconds: 2, endSeconds: 9 }),
    ]);
    expect(finalOf).toEqual([Int32Array.of(1, 0), Int32Array.of(0, 1)]);
  });

  it("stay apart within one part: a process may end and another of its name begin", () => {
    const twice = {
      resources: [resource("p", NONE, { startSeconds: 0 }), resource("p", NONE, { startSeconds: 9 })],
      links: [],
    };
    expect(joinTopologies([twice, twice]).topology.resources).toEqual(twice.resources);
  });

  it("are a forest with parents first in which every part finds its own paths, whatever the order of parts", () => {
    fc.assert(
      fc.property(fc.array(forest, { maxLength: 4 }), (parts) => {
        const { topology, finalOf } = joinTopologies(parts);
        topology.resources.forEach(({ parent }, index) => expect(parent).toBeLessThan(index));
        parts.forEach(({ resources, links }, part) => {
          resources.forEach((_, index) =>
            expect(resourcePath(topology.resources, finalOf[part][index])).toBe(resourcePath(resources, index)),
          );
          expect(new Set(finalOf[part]).size).toBe(resources.length);
          for (const link of links)
            expect(topology.links).toContainEqual({
              ...link,
              from: finalOf[part][link.from],
              to: finalOf[part][link.to],
            });
        });
        if (parts.length > 1) expect(joinTopologies([...parts].reverse()).topology).toEqual(topology);
      }),
    );
  });

  it("take a parent that does not stand before its child for none", () => {
    const damaged = { resources: [resource("a", 1), resource("b", 0), resource("c", 2), resource("d", 99)], links: [] };
    expect(joinTopologies([damaged]).topology.resources.map(({ parent }) => parent)).toEqual([NONE, 0, NONE, NONE]);
  });

  it("are found however deep they lie", () => {
    const resources = Array.from({ length: 100_000 }, (_, index) => resource(`r${index}`, index - 1));
    const { topology } = joinTopologies([
      { resources, links: [] },
      { resources: resources.slice(0, 9), links: [] },
    ]);
    expect(topology.resources).toHaveLength(100_000);
  });

  it("are ordered as people count", () => {
    expect(["rank 10", "rank 9", "rank 1, thread 2", "rank 1", "a"].sort(compareNames)).toEqual([
      "a",
      "rank 1",
      "rank 1, thread 2",
      "rank 9",
      "rank 10",
    ]);
  });
});
