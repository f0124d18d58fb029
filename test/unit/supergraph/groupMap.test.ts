import { describe, expect, it } from "vitest";
import { RequestError } from "../../../src/model/errors";
import { groupsByMap, matchesGlob } from "../../../src/supergraph/groupMap";

const grouped = (map: Record<string, readonly string[]>, ...names: string[]) =>
  Object.fromEntries(groupsByMap(map, names));

describe("a user's map of groups", () => {
  it("takes names, globs and regular expressions", () => {
    const map = { solver: ["solve", "heat::*"], io: ["/^(read|write)/i"], one: ["f?"] };
    expect(grouped(map, "solve", "solver", "heat::a::b", "Write", "rewrite", "f1", "f12")).toEqual({
      solve: "solver",
      "heat::a::b": "solver",
      Write: "io",
      f1: "one",
    });
  });

  it("lets the first match win, in the order of the map", () => {
    expect(grouped({ b: ["x*"], a: ["xy", "*"] }, "xy", "z")).toEqual({ xy: "b", z: "a" });
  });

  it("takes names of prototypes for what they are", () => {
    const map: unknown = JSON.parse('{"__proto__": ["constructor"], "toString": ["/valueOf/"]}');
    const groups = groupsByMap(map as Record<string, string[]>, ["constructor", "valueOf", "x"]);
    expect([...groups]).toEqual([
      ["constructor", "__proto__"],
      ["valueOf", "toString"],
    ]);
  });

  it.each([
    [["/(/"], /Group "g": \/\(\/ is not a regular expression: Unterminated group/],
    [["/a/g"], /may have the flags/],
    [["/a/zz"], /is not a regular expression: .*flags/i],
    [[""], /not a text of 1 to 1000 characters/],
    [["x".repeat(1001)], /not a text of 1 to 1000 characters/],
    [[7], /not a text of 1 to 1000 characters: 7/],
    ["solve", /needs a list of function names/],
  ])("says what is wrong with a pattern (%#)", (patterns, message) => {
    const map: unknown = { g: patterns };
    expect(() => groupsByMap(map as Record<string, string[]>, ["a"])).toThrow(RequestError);
    expect(() => groupsByMap(map as Record<string, string[]>, ["a"])).toThrow(message);
  });

  it("stops a regular expression that takes exponential time", () => {
    expect(() => groupsByMap({ g: ["/^(a+)+$/"] }, [`${"a".repeat(60)}b`])).toThrow(/takes longer than 500 ms/);
  });

  it("matches globs as the equivalent regular expression does", () => {
    const letters = ["a", "b", "*", "?", "."];
    const texts = (length: number): string[] =>
      length === 0 ? [""] : texts(length - 1).flatMap((rest) => letters.map((letter) => letter + rest));
    const names = texts(4);
    for (const glob of texts(3)) {
      const escaped = glob.replace(/\./g, "\\.").replace(/\*/g, ".*").replace(/\?/g, ".");
      const expression = new RegExp(`^${escaped}$`);
      const wrong = names.filter((name) => matchesGlob(glob, name) !== expression.test(name));
      expect(wrong, glob).toEqual([]);
    }
  });

  it("matches globs of many stars at once", () => {
    expect(matchesGlob(`${"*a".repeat(200)}b`, "a".repeat(5000))).toBe(false);
  });
});
