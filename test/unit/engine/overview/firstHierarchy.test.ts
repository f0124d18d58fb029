import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstNodes, withFoundGroups } from "../../../../src/engine/overview/firstHierarchy";
import { nodesOf } from "../../../../src/engine/overview/hierarchy";
import type { TraceModel } from "../../../../src/engine/overview/namedModel";
import type { Resource } from "../../../../src/model/resources";

const resource = (name: string, parent: number, properties?: Record<string, string>): Resource => ({
  name,
  parent,
  type: "process",
  location: -1,
  ...(properties ? { properties: new Map(Object.entries(properties)) } : {}),
});
const lanes = (...names: readonly string[]) => names.map((name) => ({ name, resource: -1 }));
const shown = (nodes: readonly { readonly name: string; readonly parent: number }[]) =>
  nodes.map(({ name, parent }) => `${name} < ${nodes[parent]?.name ?? "-"}`);

describe("what resources belong to before anyone chose it", () => {
  it("is what was recorded, whatever their names say", () => {
    const resources = [resource("a", -1), resource("b", -1)];
    const leaves = [0, 0, 1, 1].map((at, lane) => ({ name: `node${lane % 2}-${lane}`, resource: at }));
    const { nodes, first } = firstNodes(leaves, resources);
    expect(first).toEqual({ hierarchy: "recorded", found: false });
    expect(nodes).toEqual(nodesOf(leaves, resources, { kind: "recorded" }));
  });

  it.each([
    [
      ["node1 rank 0", "node1 rank 1", "node2 rank 2", "node2 rank 3"],
      ["node1", "node1", "node2", "node2"],
    ],
    [
      ["rank 0, host-a7", "rank 1, host-a7", "rank 2, host-b7"],
      ["host-a7", "host-a7", "all"],
    ],
    [
      ["c401-101.0", "c401-101.1", "c401-102.2", "c401-102.3"],
      ["c401-101", "c401-101", "c401-102", "c401-102"],
    ],
    [
      ["nid01 (rank 0)", "nid01 (rank 1)", "nid02 (rank 2)"],
      ["nid01", "nid01", "all"],
    ],
    [
      ["east/thread 0", "east/thread 1", "west/thread 0"],
      ["east", "east", "all"],
    ],
  ])("is the hosts that names tell: %j", (names, groups) => {
    const { nodes, first } = firstNodes(lanes(...names), []);
    expect(first).toEqual({ hierarchy: "hosts", found: false });
    expect(names.map((_, leaf) => nodes[nodes[leaf].parent].name)).toEqual(groups);
  });

  it.each([
    [["rank 0", "rank 1", "rank 2"]],
    [["rank-0", "rank-1", "rank-12"]],
    [["thread 1", "thread 2", "main"]],
    [["node0, rank 0", "node1, rank 1", "node2, rank 2"]],
    [["node7 rank 0", "node7 rank 1"]],
    [["a", "b", "c"]],
    [["", "", "1"]],
  ])("is nothing where names part no lanes that share a host: %j", (names) => {
    const { nodes, first } = firstNodes(lanes(...names), []);
    expect(first).toEqual({ hierarchy: "none", found: false });
    expect(nodes).toHaveLength(names.length + 1);
  });

  it("is the hosts that were recorded of what lanes are on, before those of names", () => {
    const resources = [0, 1, 2, 3].map((rank) => resource(`rank ${rank}`, -1, { host: rank < 2 ? "east" : "west" }));
    const leaves = resources.map((_, at) => ({ name: `node${at % 2} x ${at}`, resource: at }));
    const { nodes, first } = firstNodes(leaves, resources);
    expect(first.hierarchy).toBe("hosts");
    expect(shown(nodes).slice(0, 4)).toEqual([
      "node0 x 0 < east",
      "node1 x 1 < east",
      "node0 x 2 < west",
      "node1 x 3 < west",
    ]);
  });

  it("is as recorded in one container for all, which has the ranks side by side", () => {
    const resources = [resource("machine", -1), resource("rank 0", 0), resource("rank 1", 0)];
    const { nodes, first } = firstNodes(
      [1, 2].map((at) => ({ name: resources[at].name, resource: at })),
      resources,
    );
    expect(first).toEqual({ hierarchy: "recorded", found: false });
    expect(shown(nodes)).toEqual(["rank 0 < machine", "rank 1 < machine", "machine < -"]);
  });

  it("has each lane once, and one root, whatever the names", () => {
    const name = fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom("node", "rank ", "x-", "host "), fc.nat(3), fc.nat(5)).map((parts) => parts.join(".")),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 2, maxLength: 40 }), (names) => {
        const { nodes, first } = firstNodes(lanes(...names), []);
        expect(nodes.slice(0, names.length).map((node) => node.name)).toEqual(names);
        expect(nodes.filter(({ parent }) => parent < 0)).toHaveLength(1);
        expect(nodes.length > names.length + 1).toBe(first.hierarchy === "hosts");
      }),
    );
  });
});

/** 32 ranks in one state for one slice: those of two groups of eight all of it, the others a quarter. */
function modelOf(order: readonly number[], first: TraceModel["first"]): TraceModel {
  const amounts = Float64Array.from(order, (rank) => ([1, 2].includes(Math.floor(rank / 8)) ? 2 : 0.5));
  const names = order.map((rank) => ({ name: `rank ${rank}`, parent: order.length }));
  return {
    leaves: order.length,
    states: 1,
    slices: 1,
    names: ["Send"],
    values: amounts,
    amounts,
    nodes: [...names, { name: "all", parent: -1 }],
    fromSeconds: 3,
    toSeconds: 5,
    ...(first ? { first } : {}),
  } as unknown as TraceModel;
}

describe("groups that the data shows", () => {
  const ranks = Array.from({ length: 32 }, (_, rank) => rank);
  const none = { hierarchy: "none", found: false };

  it("are of neighbours by the numbers in their names, in whatever order these were recorded", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ranks, { minLength: 32 }), (order) => {
        const { nodes, parents, first } = withFoundGroups(modelOf(order, none));
        expect(first).toEqual({ hierarchy: "every 8", found: true });
        expect(order.map((_, leaf) => nodes[nodes[leaf].parent].name)).toEqual(
          order.map((rank) => `group ${Math.floor(rank / 8)}`),
        );
        expect([...parents]).toEqual(nodes.map(({ parent }) => parent));
      }),
    );
  });

  it("are looked for in one container, too, but not of a variable, nor where somebody says what belongs together", () => {
    expect(withFoundGroups(modelOf(ranks, { hierarchy: "recorded", found: false })).first?.found).toBe(true);
    for (const first of [{ ...none, isOfVariable: true } as const, undefined]) {
      const model = modelOf(ranks, first);
      expect(withFoundGroups(model)).toBe(model);
    }
  });
});
