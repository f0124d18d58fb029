import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharedParts } from "../../src/model/sharedParts";
import { distinctNames, shorterWordings } from "../../webviews/shared/distinct";

const measure = (text: string) => text.length;

describe("names in little room", () => {
  it("leave out what all of them end with, then what all begin with, at whole words and numbers", () => {
    const lanes = ["rank-0: MPI_STATE", "rank-1: MPI_STATE", "rank-10: MPI_STATE"];
    expect(distinctNames(lanes, 20, measure)).toEqual(lanes);
    expect(distinctNames(lanes, 10, measure)).toEqual(["rank-0", "rank-1", "rank-10"]);
    expect(distinctNames(lanes, 4, measure)).toEqual(["0", "1", "10"]);
    expect(shorterWordings(lanes[2], sharedParts(lanes))).toEqual(["rank-10: MPI_STATE", "rank-10", "10"]);
    // Not at letters, and never all of a name.
    expect(sharedParts(["solver", "solution"])).toEqual({ begin: 0, end: 0 });
    expect(distinctNames(["a b", "a b c"], 3, measure)).toEqual(["b", "b c"]);
    expect(sharedParts(["rank 0"])).toEqual({ begin: 0, end: 0 });
    expect(distinctNames(["rank 0", "rank 0"], 3, measure)).toEqual(["ra…", "ra…"]);
  });

  it("fit, say something, and are told apart where there is room for that", () => {
    const word = fc.constantFrom("rank", "GPU", "0", "1", "12", "stream", " ", "-", "_", ": ");
    const name = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => `x${words.join("")}`);
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 30 }),
        (names, room) => {
          const shown = distinctNames(names, room, measure);
          for (const text of shown) expect(measure(text)).toBeLessThanOrEqual(room);
          const { begin, end } = sharedParts(names);
          for (const one of names) {
            expect(one.slice(begin, one.length - end)).toMatch(/[\p{L}\p{N}]/u);
            expect(one.slice(0, begin)).toBe(names[0].slice(0, begin));
            expect(one.slice(one.length - end)).toBe(names[0].slice(names[0].length - end));
          }
          if (room === 30 || names.every(({ length }) => length <= room)) expect(shown).toEqual(names);
        },
      ),
    );
  });
});
