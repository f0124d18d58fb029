import fc from "fast-check";
import { expect, it } from "vitest";
import { type JsonValue, parseJson } from "../../../../../src/formats/chrome/scan/jsonValues";
import { casesOf, seed } from "../../../randomCases";

/** Objects as they are read: never JavaScript's own, since keys come from a file. */
function asRead(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asRead);
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([key, one]) => [key, asRead(one)]));
}

it("takes any value of JSON as JSON.parse does, a number or a word that nothing follows, too", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(Buffer.from(text))).toEqual(asRead(JSON.parse(text)) as JsonValue);
    }),
    { numRuns: casesOf(1000), seed },
  );
});

it("has nothing of what is cut", () => {
  for (const text of ["", '"cut', "[1, 2", '{"a": 1', '{"a":']) expect(parseJson(Buffer.from(text))).toBeUndefined();
});
