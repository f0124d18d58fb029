import { expect, it } from "vitest";
import { leftResources } from "../../../../src/engine/traces/movement";
import type { DataSet } from "../../../../src/model/dataSet";
import { NONE } from "../../../../src/model/ids";
import { chosenRanks } from "../../../../src/model/members";

it("a restriction to a rank leaves what is of this rank, of several or of none", () => {
  const resources = [
    { name: "node", type: "node", parent: NONE, location: NONE },
    { name: "process of rank 0", type: "process", parent: 0, location: NONE },
    { name: "thread", type: "thread", parent: 1, location: 0 },
    { name: "its part", type: "part", parent: 2, location: NONE },
    { name: "process of rank 1", type: "process", parent: 0, location: NONE },
    { name: "thread", type: "thread", parent: 4, location: 1 },
    { name: "switch", type: "switch", parent: NONE, location: NONE },
  ];
  const locations = [{ rank: 0 }, { rank: 1 }];
  const dataSet = { topology: { resources, links: [] }, locations } as unknown as DataSet;
  const left = (ranks?: number[]) => {
    const isLeft = leftResources(dataSet, ranks && chosenRanks(ranks));
    return resources.flatMap(({ name }, at) => (isLeft(at) ? [name] : []));
  };
  expect(left([1])).toEqual(["node", "process of rank 1", "thread", "switch"]);
  expect(left([0])).toEqual(["node", "process of rank 0", "thread", "its part", "switch"]);
  expect(left()).toHaveLength(7);
});
