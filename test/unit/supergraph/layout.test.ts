import { describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import { graphStructure, type MeasuredGraph, measuredGraph } from "../../../src/supergraph/superGraph";
import { crossingsOfOurs, crossingsOfPeer } from "./peer";
import { seeded } from "./random";
import { attributesOf, basisOf, type Row } from "./treeOf";

function randomGraph(seed: number): MeasuredGraph {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const functions = 8 + below(60);
  const files = 4 + below(20);
  const contexts = 20 + below(400);
  const rows: Row[] = [{ name: "f0", exclusive: 1 }];
  const taken = new Set<string>();
  for (let at = 0; at < contexts; at++) {
    const parent = random() < 0.4 ? rows.length - 1 : below(rows.length);
    const name = `f${below(functions)}`;
    if (taken.has(`${parent} ${name}`)) continue;
    taken.add(`${parent} ${name}`);
    rows.push({ name, parent, exclusive: (1 - random()) ** -0.8 });
  }
  const basis = basisOf(rows);
  const attributes = attributesOf(basis, { file: (name) => `file${Number(name.slice(1)) % files}.c` });
  const structure = graphStructure(basis, attributes, { filter: seed % 4, groupBy: "file" }, quietTask);
  return measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);
}

describe("layout", () => {
  it("has no more weighted crossings than d3-sankey in total over 200 random graphs", () => {
    let ours = 0;
    let peer = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const graph = randomGraph(seed);
      const [a, b] = [crossingsOfOurs(graph) / graph.total, crossingsOfPeer(graph) / graph.total];
      ours += a;
      peer += b;
    }
    expect(ours).toBeLessThanOrEqual(peer);
  });
});
