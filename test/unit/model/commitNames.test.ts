import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortCommits } from "../../../src/model/commitNames";

describe("commits as people read them", () => {
  it("have seven digits, or as many as tell them apart", () => {
    const [a, b] = ["1d90eeb1".padEnd(40, "a"), "1d90eeb2".padEnd(40, "b")];
    expect(shortCommits([a])).toEqual(["1d90eeb"]);
    expect(shortCommits([a, b, a])).toEqual(["1d90eeb1", "1d90eeb2", "1d90eeb1"]);
  });

  it("are different where the commits are, and no longer than they need be", () => {
    const commit = fc.tuple(fc.constantFrom("aaaaaaa", "aaaaaaab", "c0ffee12"), fc.nat(999)).map(([start, end]) => `${start}${String(end).padStart(4, "0")}`.padEnd(40, "f")); // prettier-ignore
    fc.assert(
      fc.property(fc.array(commit, { minLength: 1 }), (commits) => {
        const short = shortCommits(commits);
        const distinct = new Set(commits);
        expect(new Set(short).size).toBe(distinct.size);
        commits.forEach((one, at) => expect(one.startsWith(short[at])).toBe(true));
        const fewer = short[0].length - 1;
        if (fewer >= 7) expect(new Set(commits.map((one) => one.slice(0, fewer))).size).toBeLessThan(distinct.size);
        else expect(short[0].length).toBe(7);
      }),
    );
  });

  it("stay what they are where they are no commits", () => {
    for (const texts of [["1", "16"], ["gcc", "deadbeef0"], ["123456789", "987654321"], []]) expect(shortCommits(texts)).toEqual(texts); // prettier-ignore
  });
});
