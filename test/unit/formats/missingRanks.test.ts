import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { missingRanks } from "../../../src/formats/missingRanks";
import { largestIn } from "../../../src/model/longLists";

describe("missing files of ranks", () => {
  it("are counted and named", () => {
    expect(missingRanks([0, 1, 5, 4, 7], 8)).toEqual([{ message: "files of 3 of 8 ranks are missing: 2–3, 6" }]);
    expect(missingRanks([3, 1], 4)).toEqual([{ message: "files of 2 of 4 ranks are missing: 0, 2" }]);
  });

  it("are all ranks of the world but those that are there", () => {
    const ranks = fc.uniqueArray(fc.nat(20), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(ranks, fc.nat(9), (recorded, more) => {
        const size = largestIn(recorded) + 1 + more;
        const missing = Array.from({ length: size }, (_, rank) => rank).filter((rank) => !recorded.includes(rank));
        const [message = "", ...others] = missingRanks(recorded, size).map((warning) => warning.message);
        expect(others).toEqual([]);
        const [head, list = ""] = message.split(": ");
        expect(head).toBe(missing.length === 0 ? "" : `files of ${missing.length} of ${size} ranks are missing`);
        const named = list.split(", ").flatMap((range) => {
          const [from, to = from] = range.split("–").map(Number);
          return range === "" ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
        });
        expect(named).toEqual(missing);
      }),
    );
  });

  it("are not said of one file, without the size of the world, or of a smaller world", () => {
    expect(missingRanks([3], 8)).toEqual([]);
    expect(missingRanks([], 8)).toEqual([]);
    expect(missingRanks([0, 1], undefined)).toEqual([]);
    expect(missingRanks([0, 9], 8)).toEqual([]);
  });

  it("of a world of a billion ranks are listed at once, and cut", () => {
    const evens = Array.from({ length: 1000 }, (_, at) => 2 * at);
    const [{ message }] = missingRanks(evens, 1_000_000_000);
    expect(message).toMatch(/^files of 999999000 of 1000000000 ranks are missing: 1, 3, 5, .* …$/);
    expect(message.length).toBeLessThan(200);
  });
});
