import { expect, it } from "vitest";
import { addTo, entryOf, groupBy, keepNewest } from "../../../src/model/maps";

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

it("groups items by a key, both in the order in which they come", () => {
  expect([...groupBy(["solve", "init", "send", "idle"], (name) => name[0])]).toEqual([
    ["s", ["solve", "send"]],
    ["i", ["init", "idle"]],
  ]);
});

it("adds up by key from 0", () => {
  const sums = new Map<string, number>();
  addTo(sums, "a", 2);
  addTo(sums, "b", -1);
  addTo(sums, "a", 3);
  expect(Object.fromEntries(sums)).toEqual({ a: 5, b: -1 });
});

it("keeps the newest, and lets what was set longest ago go", () => {
  const kept = new Map([
    ["a", 1],
    ["b", 2],
  ]);
  keepNewest(kept, "a", 3, 2);
  keepNewest(kept, "c", 4, 2);
  expect([...kept]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});
