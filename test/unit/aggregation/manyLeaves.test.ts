import { expect, it } from "vitest";
import { nodeOrder } from "../../../src/aggregation/microscopicModel";
import { Aggregation } from "../../../src/aggregation/significant";
import { leavesBelow } from "../../../src/aggregation/unlike";
import { firstPlaces, leafOrder } from "../../../src/engine/overview/visualParts";
import { CancelledError } from "../../../src/model/errors";
import { quietTask } from "../../../src/model/task";

function flat(leaves: number) {
  const parents = new Int32Array(leaves + 1).fill(leaves);
  parents[leaves] = -1;
  return { leaves, parents };
}

it("has a root with 300,000 leaves, which stand in their order", () => {
  const leaves = 300_000;
  const nodes = nodeOrder(flat(leaves));
  const { sizes, order } = nodes;
  expect(sizes[leaves]).toBe(leaves);
  expect(order[leaves]).toBe(leaves);
  const placed = leafOrder(nodes);
  expect([placed.length, placed[0], placed[leaves - 1]]).toEqual([leaves, 0, leaves - 1]);
  expect(firstPlaces(nodes, placed)[leaves]).toBe(0);
  expect(leavesBelow(nodes, leaves)).toHaveLength(leaves);
});

it("is left at any node when it is cancelled", () => {
  const [leaves, slices] = [100, 10];
  const values = Float64Array.from({ length: leaves * slices }, (_, at) => (at * 7) % 11);
  const model = { ...flat(leaves), states: 1, slices, values };
  let checks = 0;
  const aggregated = new Aggregation(model);
  const task = { ...quietTask, check: () => void checks++ };
  const { length } = aggregated.significant(task);
  // Of areas, of the partition at no strength and of that at full strength each node.
  expect(checks).toBeGreaterThan(3 * leaves);
  expect(length).toBeGreaterThan(1);
  for (const last of [50, 150, 250]) {
    let left = last;
    const check = () => {
      if (left-- === 0) throw new CancelledError();
    };
    const cancelled = new Aggregation(model);
    expect(() => cancelled.significant({ ...quietTask, check })).toThrow(CancelledError);
    expect(cancelled.significant()).toEqual(aggregated.significant());
  }
});
