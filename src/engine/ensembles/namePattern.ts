/** What the names of files say of runs: `size_np{ranks}_s{size}.cali`. */
import { RequestError } from "../../model/errors";

export interface NamePattern {
  /** Parameters by name; undefined where a path is named otherwise. */
  valuesIn(path: string): ReadonlyMap<string, string> | undefined;
}

/**
 * Reads a pattern. `{name}` stands for any characters but `/`, at least one, up to the text that follows it for the first time; what
 * follows last stands at the end. A pattern with `/` is compared with as many folders of the path.
 *
 * @throws RequestError where it is none
 */
export function namePattern(pattern: string): NamePattern {
  const pieces = pattern.split(/\{([^{}]*)\}/);
  const names = pieces.filter((_, at) => at % 2 === 1).map((name) => name.trim());
  const texts = pieces.filter((_, at) => at % 2 === 0);
  const fail = (why: string): never => {
    throw new RequestError(
      `The pattern '${pattern}' ${why}. One is written as size_np{ranks}_s{size}.cali: each name in braces is a parameter.`,
    );
  };
  if (names.length === 0) fail("has no name in braces");
  if (texts.some((text) => /[{}]/.test(text))) fail("has a brace without the other");
  if (names.includes("")) fail("has braces without a name");
  if (new Set(names).size < names.length) fail("has one name twice");
  if (texts.slice(1, -1).includes("")) fail("has two names with nothing between them, which nothing tells apart");
  const folders = pattern.split("/").length;
  return {
    valuesIn(path) {
      const own = path.split("/").slice(-folders).join("/");
      return valuesOf(own, names, texts);
    },
  };
}

function valuesOf(
  text: string,
  names: readonly string[],
  texts: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const last = texts[texts.length - 1];
  if (!text.startsWith(texts[0]) || !text.endsWith(last)) return undefined;
  const values = new Map<string, string>();
  let at = texts[0].length;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const end = isLast ? text.length - last.length : text.indexOf(texts[index + 1], at + 1);
    if (end <= at || text.slice(at, end).includes("/")) return undefined;
    values.set(name, text.slice(at, end));
    at = end + texts[index + 1].length;
  }
  return values;
}
