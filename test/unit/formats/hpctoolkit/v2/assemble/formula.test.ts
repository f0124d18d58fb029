import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFormula } from "../../../../../../src/formats/hpctoolkit/v2/assemble/formula";

/** The value of a formula where metric n has the value n here, and 100 n in the whole program. */
function value(text: string): number | string {
  const formula = parseFormula(text);
  if ("wrong" in formula) return formula.wrong;
  return formula.evaluate(
    formula.metrics,
    formula.metrics.map((metric) => 100 * metric),
  );
}

describe("formulas of derived metrics", () => {
  it.each([
    ["$2", 2],
    ["  $2 / $4 ", 0.5],
    ["@3", 300],
    ["100 * $2 / @2", 1],
    ["2 + 3 * 4", 14],
    ["(2 + 3) * 4", 20],
    ["10 - 4 - 3", 3],
    ["100 / 10 / 5", 2],
    ["2 ^ 3 ^ 2", 512],
    ["-2 ^ 2", -4],
    ["2 * -3", -6],
    ["--4", 4],
    ["7 % 4", 3],
    ["1.5e3 + .5", 1500.5],
    ["sum($1, $2, $3)", 6],
    ["avg(1, 2, 6)", 3],
    ["min($3, $2)", 2],
    ["MAX(1, 5, 2)", 5],
    ["sqrt(pow($2, 4))", 4],
    ["stdev(1, 3)", 1],
    ["log(1000)", 3],
    ["log(8, 2)", 3],
    ["lg(8)", 3],
    ["ln(exp(2))", 2],
    ["abs(floor(-2.5))", 3],
    ["round(2.4) + ceil(2.1) + mod(7, 4)", 8],
    ["1 / 0", Infinity],
  ])("%s is %d", (text, expected) => expect(value(text)).toBeCloseTo(expected, 12));

  it.each([
    ["", "it ends where a value should be"],
    ["$2 +", "it ends where a value should be"],
    ["($2", '")" is missing'],
    ["$2 $3", "nothing can follow its first 5 characters"],
    ["$2; process.exit()", "nothing can follow its first 2 characters"],
    ["constructor(1)", "there is no function constructor"],
    ["__proto__", "there is no function __proto__"],
    ["sqrt(1, 2)", "sqrt cannot have 2 operands"],
    ["sum()", "sum cannot have 0 operands"],
    ["* 2", '"*" cannot stand where a value should be'],
    [`${"(".repeat(100_000)}`, "it nests deeper than 200"],
    [`${"-".repeat(99_999)}1`, "it nests deeper than 200"],
    [`${" ".repeat(100_001)}`, "it has 100001 characters"],
    [`${Array.from({ length: 300 }, (_, at) => `$${at}`).join("+")}`, "it needs more than 256 metrics"],
  ])("%.40s… is none: %s", (text, wrong) => expect(value(text)).toBe(wrong));

  it("gives what JavaScript gives for sums, differences, products, quotients and parentheses", () => {
    const term: fc.Memo<string> = fc.memo((depth) =>
      depth <= 1
        ? fc.integer({ min: 0, max: 99 }).map(String)
        : fc.oneof(
            term(),
            fc.tuple(term(), fc.constantFrom("+", "-", "*", "/"), term()).map((parts) => parts.join(" ")),
            term().map((inner) => `(${inner})`),
            term().map((inner) => `- ${inner}`),
          ),
    );
    fc.assert(
      fc.property(term(6), (text) => {
        // The test's own text of digits and signs, so that another parser says what it means.
        const expected = Number(new Function(`return ${text}`)());
        expect(value(text)).toEqual(expected);
      }),
    );
  });
});
