import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText, linesWithEscapes, visible, withEscapes } from "../../../src/model/unseen";
import { casesOf, seed } from "../randomCases";

/** What a terminal may obey, or a reader cannot see, by code: not the expression of the code under test. */
function isUnseen(code: number): boolean {
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const turnsDirection =
    (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || [0x200e, 0x200f, 0x061c].includes(code);
  return isControl || turnsDirection || code === 0x2028 || code === 0x2029;
}

/** Code points of a text; halves of characters are by themselves. */
function unseenIn(text: string): number[] {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return codes.filter((code) => isUnseen(code) || (code >= 0xd800 && code <= 0xdfff));
}

const hostile = fc.oneof(
  fc.constantFrom(
    "\u001b]0;x\u0007",
    "\u009b31m",
    "\u202e",
    "\u2066",
    "\u061c",
    "\u2028",
    "\ud83d",
    "\udc00",
    "\r",
    "\r\n",
    "\t",
    "\0",
  ),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom("main", "ünïcode", "😀", "名", "\\", '"', "\\u009b"),
);
const text = fc.array(hostile, { maxLength: 8 }).map((pieces) => pieces.join(""));
const cases = { numRuns: casesOf(2000), seed };

describe("text out of recordings", () => {
  it("is JSON that reads back equal, with nothing that a terminal obeys", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        text,
        fc.double(),
        fc.constant(null),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(text, tie("any")),
      ),
    })).any;
    fc.assert(
      fc.property(value, (one) => {
        const written = jsonText(one);
        expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(one));
        expect(unseenIn(written)).toEqual([]);
      }),
      cases,
    );
    expect(jsonText({ "\u009b31m": "\u202e" })).toBe('{"\\u009b31m":"\\u202e"}');
  });

  it("is lines for a terminal, whose ends and tabs stay", () => {
    fc.assert(
      fc.property(text, (one) => {
        const written = linesWithEscapes(one);
        expect(unseenIn(written.replaceAll("\r\n", "").replace(/[\n\t]/g, ""))).toEqual([]);
        expect(linesWithEscapes(written)).toBe(written);
        expect(written.split("\n").length).toBe(one.split("\n").length);
        if (unseenIn(one).length === 0 && !/[\u200b-\u200f\u2060-\u2069\ufeff]/.test(one)) expect(written).toBe(one);
        expect(unseenIn(withEscapes(one))).toEqual([]);
        expect(unseenIn(visible(one))).toEqual([]);
      }),
      cases,
    );
    expect(linesWithEscapes("a\u001b[31m\tb\r\n\rc\ud800😀\n")).toBe("a\\x1b[31m\tb\r\n\\x0dc\\ud800😀\n");
  });
});
