import { describe, expect, it, vi } from "vitest";
import { RequestError } from "../../../src/model/errors";
import { exactPattern, groupsByMap, matchesGlob } from "../../../src/supergraph/groupMap";

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

  it("stops patterns that take too long only together, and says at which one", () => {
    let seconds = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => 1000 * seconds++);
    const globs = Array.from({ length: 100 }, (_, at) => `*a${at}`);
    try {
      expect(() => groupsByMap({ one: ["b"], g: globs }, ["c"])).toThrow(
        /Group "g": at \*a4 all patterns together have taken longer than 5 s/,
      );
    } finally {
      clock.mockRestore();
    }
  });

  it("says so where a regular expression needs more than there is", () => {
    // How far it comes depends on the machine: it ends for want of memory, or of time, its own or that of all patterns.
    const match = () => groupsByMap({ g: ["/^(?:(a)|b)*$/"] }, ["ab".repeat(5_000_000)]);
    expect(match).toThrow(RequestError);
    expect(match).toThrow(
      /Group "g": (?:at )?\/\^\(\?:\(a\)\|b\)\*\$\/ (?:cannot be matched|takes longer|all patterns together)/,
    );
  });

  it("takes thousands of names at once, and keeps their order among other patterns", { timeout: 5000 }, () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `mini::Solver<double>::step${at}(double*, int const&)`);
    const patterns = names.map((name) => exactPattern(name) ?? "");
    const groups = groupsByMap({ a: patterns.slice(0, 10_000), b: ["*step1999?(*"], c: patterns }, names);
    const expected = (at: number) => (at < 10_000 ? "a" : at >= 19_990 ? "b" : "c");
    expect(names.filter((name, at) => groups.get(name) !== expected(at))).toEqual([]);
  });

  it("writes a name as the pattern that means it alone, whatever it holds", () => {
    const names = ["f(int*)", "a?b", "/x/", "/^f$/", "/a.b/i", "$(x)[^\\]{1|2}+/", "*", "f\n*", "é*\u{1f600}", "x"];
    for (const name of names) {
      const pattern = exactPattern(name) ?? "";
      const others = [...names.filter((other) => other !== name), `${name}x`, name.replace(/[*?.]/g, "Z")];
      expect([...groupsByMap({ g: [pattern] }, [...new Set([name, ...others])]).keys()], name).toEqual([name]);
      // And so does an expression that is not looked up.
      expect([...groupsByMap({ g: [pattern.startsWith("/") ? `${pattern}m` : pattern] }, [name])], name).toHaveLength(
        1,
      );
    }
    expect(exactPattern("*".repeat(500))).toBeUndefined();
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
