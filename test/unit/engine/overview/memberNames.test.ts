import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupsText, membersText } from "../../../../src/engine/overview/memberNames";

const ranks = (...numbers: readonly number[]) => numbers.map((one) => `rank ${one}`);
const range = (from: number, to: number) => Array.from({ length: to + 1 - from }, (_, at) => from + at);

describe("names in a sentence", () => {
  it.each([
    [ranks(...range(16, 23), ...range(40, 55)), "ranks 16–23, 40–55"],
    [ranks(1, 3, 4, 7, 8, 11, 12, 15, ...range(24, 35)), "ranks 1, 3, 4, 7, 8, 11 and 14 more"],
    [ranks(9, 0, 1), "ranks 0, 1, 9"],
    [["rank-10", "rank-9", "rank-11"], "ranks 9–11"],
    [["thread 3"], "thread 3"],
    [["GPU 0, stream 7", "GPU 0, stream 20"], "GPU 0, streams 7, 20"],
    [["a", "b", "c", "d", "e", "f", "g", "h"], "a, b, c, d, e, f and 2 more"],
    [["rank 1", "thread 2"], "rank 1, thread 2"],
    [["rank 01", "rank 02"], "rank 01, rank 02"],
    [["cpus 1", "cpus 2"], "cpus 1, 2"],
    [["", ""], ", "],
  ])("are ranges where they are numbered, and six at most: %j", (names, text) => expect(membersText(names)).toBe(text));

  it("of groups say of how many", () => {
    const named = (...numbers: readonly number[]) => numbers.map((one) => `group ${one}`);
    expect(groupsText(named(2, 5, 6), named(0, 1, 3, 4, 7))).toBe("groups 2, 5, 6 of 8");
    expect(groupsText(named(2), named(0, 1, 3))).toBe("group 2 of 4");
    expect(groupsText(["east", "west"], ["north", "south"])).toBe("east, west (2 of 4 groups)");
  });

  it("account for all, each once", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(60), { minLength: 2, maxLength: 40 }), (numbers) => {
        const [, listed, more] = /^ranks (.*?)(?: and (\d+) more)?$/.exec(membersText(ranks(...numbers))) ?? [];
        const items = listed.split(", ").map((item) => item.split("–").map(Number));
        const named = items.flatMap(([from, to = from]) => range(from, to));
        const sorted = numbers.toSorted((a, b) => a - b);
        expect(items.length).toBeLessThanOrEqual(6);
        expect(named).toEqual(sorted.slice(0, named.length));
        expect(named.length + Number(more ?? 0)).toBe(numbers.length);
      }),
    );
  });
});
