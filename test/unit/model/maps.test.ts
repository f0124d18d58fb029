import { expect, it } from "vitest";
import { entryOf, groupBy } from "../../../src/model/maps";

it("makes an entry once, whatever it is", () => {
  const map = new Map<string, number>();
  let made = 0;
  const make = () => made++;
  expect([entryOf(map, "a", make), entryOf(map, "a", make), entryOf(map, "b", make)]).toEqual([0, 0, 1]);
  expect([...map]).toEqual([
    ["a", 0],
    ["b", 1],
  ]);
});

it("groups items in their order", () => {
  expect([...groupBy([3, 1, 4, 1, 5], (one) => one % 2)]).toEqual([
    [1, [3, 1, 1, 5]],
    [0, [4]],
  ]);
});
