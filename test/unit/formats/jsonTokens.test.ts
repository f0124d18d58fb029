import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memorySource, PieceWindow } from "../../../src/formats/byteSource";
import { JsonTokens } from "../../../src/formats/jsonTokens";
import { quietTask } from "../../../src/model/task";

function tokensOver(text: string, pieceBytes: number): JsonTokens {
  return new JsonTokens(new PieceWindow(memorySource(text), quietTask, pieceBytes), "test");
}

/** A value from its tokens. */
async function valueOf(tokens: JsonTokens): Promise<unknown> {
  const stack: { readonly list: unknown[]; readonly isList: boolean }[] = [];
  for (;;) {
    const token = await tokens.next();
    let value: unknown;
    if (token === "," || token === ":") continue;
    if (token === "[" || token === "{") {
      stack.push({ list: [], isList: token === "[" });
      continue;
    }
    if (token === "]" || token === "}") {
      const { list, isList } = stack.pop() ?? { list: [], isList: true };
      const pairs = list.flatMap((key, at) => (at % 2 === 0 ? [[key, list[at + 1]] as [string, unknown]] : []));
      value = isList ? list : Object.fromEntries(pairs);
    } else if (token === "string") value = tokens.text;
    else if (token === "number") value = tokens.number;
    else if (token === "boolean") value = tokens.text === "true";
    else value = null;
    const around = stack.at(-1);
    if (around === undefined) return value;
    around.list.push(value);
  }
}

describe("tokens of JSON", () => {
  it("are those of JSON.parse, in pieces of any size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(1, 3, 4096), async (wanted, pieceBytes) => {
        const text = JSON.stringify(wanted);
        expect(JSON.stringify(await valueOf(tokensOver(text, pieceBytes)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  it("may be strings of many pieces, each byte of which is looked at once", async () => {
    const long = `${"x".repeat(2_000_000)}\\"${"\\u0041".repeat(1000)}`;
    const tokens = tokensOver(`["${long}", 12]`, 64);
    const start = performance.now();
    expect(await valueOf(tokens)).toEqual([JSON.parse(`"${long}"`), 12]);
    // Anew with each piece would be 31 billion bytes.
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it("can be left out with all that is in a value", async () => {
    const tokens = tokensOver('{"a":[1,{"b":"]}"},"\\""],"c":2}', 1);
    await tokens.expect("{", "an object");
    await tokens.expect("string", "a key");
    await tokens.expect(":", "a colon");
    await tokens.skip(await tokens.next());
    await tokens.expect(",", "a comma");
    await tokens.expect("string", "a key");
    expect(tokens.text).toBe("c");
  });
});
