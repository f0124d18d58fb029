import { expect, it } from "vitest";
import { StringTable } from "../../../src/model/strings";

it("tables of texts that nothing is added to hold equal texts once, and find them again when something is", () => {
  const [one, other] = [new StringTable(), new StringTable()];
  for (const text of ["main", "solve", "exchange"]) one.intern(text);
  for (const text of ["exchange", "main", "write"]) other.intern(text);
  const held = new Map<string, string>();
  for (const table of [one, other]) table.settle(held);
  expect([...held.keys()].sort()).toEqual(["exchange", "main", "solve", "write"]);
  expect([0, 1, 2].map((id) => other.get(id))).toEqual(["exchange", "main", "write"]);
  expect(other.intern("main")).toBe(1);
  expect(other.intern("solve")).toBe(3);
  expect(one.get(1)).toBe("solve");
});
