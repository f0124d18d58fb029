import { expect, it } from "vitest";
import { countedWarnings, WarningList } from "../../../src/formats/warnings";

it("lists the first warnings of each kind, and counts the others", () => {
  const list = new WarningList(2);
  for (const line of [1, 2, 3, 4]) list.note("times", "a", { line }, () => `line ${line}`);
  list.note("names", "b", undefined, () => "a name");
  expect(list.all((count, kind) => `${count} more: ${kind}`)).toEqual([
    { message: "line 1", file: "a", at: { line: 1 } },
    { message: "line 2", file: "a", at: { line: 2 } },
    { message: "2 more: times", file: "a" },
    { message: "a name", file: "b", at: undefined },
  ]);
});

it("says only what holds for something", () => {
  expect(
    countedWarnings("a", [
      [0, "never said"],
      [3, "rows are missing"],
    ]),
  ).toEqual([{ message: "3 rows are missing", file: "a" }]);
});

it("says of a single one what is said of one", () => {
  const sentences = (count: number) =>
    countedWarnings(undefined, [[count, "rows are missing", "row is missing"]]).map(({ message }) => message);
  expect([...sentences(1), ...sentences(2)]).toEqual(["1 row is missing", "2 rows are missing"]);
});
