import { expect, it } from "vitest";
import { nodeOrder } from "../../../src/aggregation/microscopicModel";
it("has a root with 300,000 leaves", () => {
  const leaves = 300_000;
  const parents = new Int32Array(leaves + 1).fill(leaves);
  parents[leaves] = -1;
  const { sizes, order } = nodeOrder({ leaves, parents });
  expect(sizes[leaves]).toBe(leaves);
  expect(order[leaves]).toBe(leaves);
});
