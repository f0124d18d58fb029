import { type GraphOperation, groupings } from "../supergraph/query";
import { ArgumentError, percentOf, wordOf } from "./arguments";

/** Reads an operation as a user writes it: `filter 0.5`, `group-by file` (semantics 2.6). @throws ArgumentError */
export function parseOperation(text: string): GraphOperation {
  const words = operationWords(text);
  const [name, ...rest] = words;
  if (name === "filter" && rest.length === 1) return { kind: "filter", percent: percentOf(rest[0], "filter") };
  if (name === "group-by" && rest.length === 1)
    return { kind: "group-by", groupBy: wordOf(rest[0], groupings, "group-by") };
  throw new ArgumentError(`--op takes 'filter PERCENT' or 'group-by GROUPING', not '${text}'`);
}

/** Words of an operation; names with other characters than letters, digits and `_ . / : ~ - ( )` stand in double quotes. */
function operationWords(text: string): string[] {
  const words: string[] = [];
  const word = /\s*(?:"((?:[^"\\]|\\.)*)"|([\p{L}\p{N}_./:~()-]+))(?=\s|$)/uy;
  for (let at = 0; at < text.trimEnd().length; at = word.lastIndex) {
    word.lastIndex = at;
    const found = word.exec(text);
    if (!found)
      throw new ArgumentError(
        `--op: cannot read '${text.slice(at).trim()}'; names with other characters stand in double quotes`,
      );
    words.push(found[1] === undefined ? found[2] : found[1].replace(/\\(.)/g, "$1"));
  }
  return words;
}
