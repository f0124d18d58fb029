/** Names that no compiler makes, but that a file may hold: each is read, or refused, at once. */
import { describe, expect, it } from "vitest";
import { demangleItanium } from "../../../src/source/itanium";
import { demangleRust } from "../../../src/source/rustNames";
import { parseSignature } from "../../../src/source/signature";

/** Far more than any of these takes, far less than what grows with the square of a name's length, or faster. */
const AT_ONCE = 5000;

describe("mangled names", { timeout: AT_ONCE }, () => {
  it("whose packs of packs would be written out as millions of types are refused", () => {
    const repeated = (pack: string) => `J${`Dp${pack}`.repeat(10)}E`;
    const packs = ["T_", "T0_", "T1_", "T2_", "T3_", "T4_", "T5_", "T6_"].map(repeated).join("");
    expect(demangleItanium(`_Z1fIJ${"i".repeat(10)}E${packs}Evv`)).toBeUndefined();
  });

  it("whose packs are as long as people write them are read", () => {
    // As c++filt writes them.
    expect(demangleItanium("_Z1fIJidEEvDpT_")).toBe("void f<int, double>(int, double)");
    expect(demangleItanium("_Z1gIJidfEEvDpPT_")).toBe("void g<int, double, float>(int*, double*, float*)");
  });

  it("with constructors and destructors behind templates are named after the class", () => {
    expect(demangleItanium("_ZN1aIiEC2Ev")).toBe("a<int>::a()");
    expect(demangleItanium("_ZNSt6vectorIiSaIiEED1Ev")).toBe("std::vector<int, std::allocator<int> >::~vector()");
  });

  it("of thousands of parts are refused", () => {
    expect(demangleItanium(`_ZN${"1a".repeat(9000)}Ev`)).toBeUndefined();
    expect(demangleItanium(`_Z1f${"P".repeat(19_000)}i`)).toBeUndefined();
  });

  it("of Rust with characters that do not exist are refused", () => {
    expect(demangleRust("_RINvC1a1fKcffffffff_E")).toBeUndefined();
    for (const coded of ["9".repeat(400), `${"9".repeat(400)}b`, "99999999"])
      expect(demangleRust(`_RNvC1au${coded.length}_${coded}`)).toBeUndefined();
    expect(demangleRust("_RNvC1au8_gdel_5qa")).toBe("a::gödel");
  });
});

describe("recorded names", { timeout: AT_ONCE }, () => {
  const long = 20_000;
  const repeated = (part: string) => part.repeat(Math.floor((long - 10) / part.length));
  const hostile: readonly (readonly [what: string, name: string])[] = [
    ["references", `f()${repeated("&")}x`],
    ["blanks", `f()${repeated(" ")}x`],
    ["one word", repeated("a")],
    ["numbers of copies", `${repeated(".1")}x`],
    ["marks of OpenMP", `${repeated("$omp$")}!`],
    ["marks of DIR", `${repeated(".DIR.OMP")}!`],
    ["words with as", `<${repeated(" as ")}`],
    ["qualifiers", `${repeated(")const ")}x`],
    ["numbered functions of Go", `(A).b.func${repeated("1")}x`],
  ];
  it.each(hostile)("of thousands of %s are read in one pass", (_, name) => {
    for (let again = 0; again < 10; again++) expect(parseSignature(name).parameters ?? []).toEqual([]);
  });

  it("lose every ending that compilers give to copies, in any number", () => {
    const endings = `${" [clone .a]".repeat(800)}${".isra.0".repeat(500)}`;
    expect(parseSignature(`mini::f(int)${endings}`)).toMatchObject({
      name: "f",
      scopes: ["mini"],
      parameters: ["int"],
    });
    expect(parseSignature("f.part.1.constprop.0 (.cold)")).toMatchObject({ name: "f" });
    expect(parseSignature("g() const &  [with T = int]")).toMatchObject({ name: "g", constant: true });
    expect(parseSignature("exp@@GLIBC_2.29")).toMatchObject({ name: "exp" });
    expect(parseSignature("work$omp$parallel@12")).toMatchObject({ name: "work" });
  });
});
