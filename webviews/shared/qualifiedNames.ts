/** C++ and Rust names in little room: what tells one from another stands behind the scopes that all of a program share. */

/** An operator's own brackets are none that close again. */
import { largestIn } from "../../src/model/longLists";

const OPERATOR = /operator *(?:\(\)|\[\]|->\*|->|<=>|<<=|>>=|<<|>>|<=|>=|<|>)/y;
const OPENS = "<([{";
const CLOSES = ">)]}";

/**
 * The text with ever more scopes left out of each of its words, longest first: of `f from heat::Solver::dot()` that is
 * `f from …::Solver::dot()` and `f from …::dot()`. Scopes of parameters and of template arguments stay.
 *
 * @returns none for a name without scopes
 */
export function withoutScopes(text: string): string[] {
  const words = wordsOf(text);
  const most = largestIn(words.map((parts) => parts.length)) - 1;
  return Array.from({ length: most }, (_, at) => {
    const dropped = at + 1;
    return words
      .map((parts) => {
        const from = Math.min(dropped, parts.length - 1);
        return from === 0 ? parts.join("::") : `…::${parts.slice(from).join("::")}`;
      })
      .join(" ");
  });
}

/** Words between spaces outside all brackets, each as its parts between `::` outside all brackets. */
function wordsOf(text: string): string[][] {
  const words: string[][] = [];
  let parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    OPERATOR.lastIndex = at;
    const operator = text[at] === "o" ? OPERATOR.exec(text) : null;
    if (operator) at += operator[0].length - 1;
    else if (OPENS.includes(text[at])) depth++;
    else if (CLOSES.includes(text[at])) depth--;
    else if (depth !== 0) continue;
    else if (text[at] === " ") {
      words.push([...parts, text.slice(from, at)]);
      parts = [];
      from = at + 1;
    } else if (text.startsWith("::", at)) {
      parts.push(text.slice(from, at));
      from = at + 2;
      at++;
    }
  }
  words.push([...parts, text.slice(from)]);
  return words;
}
