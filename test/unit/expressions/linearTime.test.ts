import path from "node:path";
import { describe, expect, it } from "vitest";
import { isFull } from "../randomCases";
import { attacksOn, textOf } from "./attacks";
import { type Expression, expressionsIn } from "./expressions";

const ROOT = path.join(import.meta.dirname, "../../..");
const ROOMS = ["src", "webviews"];

const FORTRAN = "sees names of at most 500 characters: longer ones are no Fortran names";

/** Expressions that never see long text of a recording or of a source file, by how they are written. */
const EXEMPT: Readonly<Record<string, string>> = {
  "/(?:\\.(?:_omp_fn|isra|part|constprop|cold|\\d+))+$/": FORTRAN,
  "/^__(\\w+?)_mod_(\\w+)$/": FORTRAN,
  "/^(\\w+?)_mp_(\\w+?)_?$/": FORTRAN,
};

/** Few characters first: with them a quadratic or cubic search is found without waiting for it. */
const CHARACTERS = isFull ? [2_000, 20_000, 100_000] : [2_000, 20_000];
/** What takes less is no quadratic search, which takes a hundred milliseconds for 20,000 characters. */
const FLOOR_MS = 5;

describe("an expression that sees recorded text takes time as the text is long", () => {
  const all = expressionsIn(ROOT, ROOMS);
  const different = new Map(all.map((one) => [`${one.text} ${one.splits}`, one]));

  it("finds the expressions of the sources", () => {
    expect(different.size).toBeGreaterThan(300);
    for (const text of Object.keys(EXEMPT)) expect(all.map((one) => one.text)).toContain(text);
  });

  it.each(
    [...different.values()].filter(({ text }) => !(text in EXEMPT)).map((one) => [one.place, one.text, one] as const),
  )("%s %s", (_place, _text, one) => {
    const slow = attacksOn(one.expression).find((attack) => {
      const isSlow = (characters: number) => {
        const short = searchTime(one, textOf(attack, characters));
        return short >= FLOOR_MS && searchTime(one, textOf(attack, 2 * characters)) > 3 * short;
      };
      // What the machine does beside it is not the expression's fault: three times in a row.
      return CHARACTERS.some((characters) => isSlow(characters) && isSlow(characters) && isSlow(characters));
    });
    expect(slow).toBeUndefined();
  });
});

/** Milliseconds of the processor that a search takes, as the source searches; the least of several, so that nothing else counts. */
function searchTime({ expression, splits }: Expression, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && least >= FLOOR_MS; run++) {
    expression.lastIndex = 0;
    const start = process.cpuUsage();
    if (splits) text.split(expression);
    else if (expression.global) text.replace(expression, "");
    else expression.exec(text);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
