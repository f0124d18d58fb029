import { RequestError } from "../model/errors";
import type { GroupMap } from "./query";

/** Patterns and names longer than this are refused: nobody writes them, and matching stays fast. */
const LONGEST_PATTERN = 1000;

/** The group of a function's name under a user's map; undefined: no pattern matches. */
export type GroupOf = (name: string) => string | undefined;

/**
 * Reads a user's map of groups: names, globs (`*` any text, `?` one character, both also across `::` and `/`) and
 * `/regular expressions/`. The first match wins, in the order of the map.
 *
 * @throws RequestError where a pattern is not one, with the group it stands in
 */
export function readGroupMap(map: GroupMap): GroupOf {
  const rules: { group: string; matches: (name: string) => boolean }[] = [];
  for (const [group, patterns] of Object.entries(map)) {
    if (!Array.isArray(patterns))
      throw new RequestError(`Group "${group}" needs a list of function names, globs or /regular expressions/.`);
    for (const pattern of patterns) rules.push({ group, matches: matcher(group, pattern) });
  }
  return (name) => rules.find((rule) => rule.matches(name))?.group;
}

function matcher(group: string, pattern: unknown): (name: string) => boolean {
  if (typeof pattern !== "string" || pattern === "" || pattern.length > LONGEST_PATTERN)
    throw new RequestError(
      `Group "${group}" has a pattern that is not a text of 1 to ${LONGEST_PATTERN} characters: ` +
        `${String(JSON.stringify(pattern)).slice(0, 80)}.`,
    );
  const expression = /^\/(.*)\/([a-z]*)$/s.exec(pattern);
  if (expression) return expressionMatcher(group, pattern, expression[1], expression[2]);
  if (/[*?]/.test(pattern)) return (name) => matchesGlob(pattern, name);
  return (name) => name === pattern;
}

function expressionMatcher(group: string, pattern: string, source: string, flags: string) {
  if (/[^isu]/.test(flags)) throw new RequestError(`Group "${group}": ${pattern} has flags other than i, s and u.`);
  const risk = catastrophe(source);
  if (risk)
    throw new RequestError(
      `Group "${group}": ${pattern} ${risk}, which can take very long on some names. Repeat single characters or ` +
        "sets instead, or list the names.",
    );
  let expression: RegExp;
  try {
    expression = new RegExp(source, flags);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /, "") : String(error);
    throw new RequestError(`Group "${group}": ${pattern} is not a regular expression: ${why}.`);
  }
  return (name: string) => expression.test(name.slice(0, LONGEST_PATTERN));
}

/**
 * Why a regular expression may need time that grows exponentially (a repeat around a repeat or around alternatives, a
 * back reference) or with a high power of the name's length (many open repeats); undefined where it cannot.
 * Careful rather than exact: some harmless patterns are refused.
 */
function catastrophe(source: string): string | undefined {
  // For each open group: whether it holds a repeat or an alternative.
  const variable: boolean[] = [false];
  let closed = false;
  let repeats = 0;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    let afterGroup = false;
    if (char === "\\") {
      const next = source[++at];
      if (/[1-9k]/.test(next ?? "")) return "refers back to a group";
    } else if (char === "[") {
      while (++at < source.length && source[at] !== "]") if (source[at] === "\\") at++;
    } else if (char === "(") {
      variable.push(false);
      if (source[at + 1] === "?") at++; // (?: (?= (?< are no repeats
    } else if (char === ")") {
      closed = variable.length > 1 ? (variable.pop() ?? false) : false;
      if (closed) variable[variable.length - 1] = true;
      afterGroup = true;
    } else if (char === "|") {
      variable[variable.length - 1] = true;
    } else if (char === "*" || char === "+" || (char === "{" && /^\{\d+(,\d*)?\}/.test(source.slice(at)))) {
      if (closed) return "repeats a group that itself repeats or has alternatives";
      variable[variable.length - 1] = true;
      if (++repeats > 4) return "has more than four repeats";
      if (source[at + 1] === "?") at++;
    } else if (char === "?") {
      variable[variable.length - 1] = true;
    }
    if (!afterGroup) closed = false;
  }
  return undefined;
}

/** Whether a glob matches a whole name: two pointers and one way back to the last star, so at most length × length steps. */
export function matchesGlob(glob: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let pattern = 0;
  while (at < name.length) {
    if (pattern < glob.length && glob[pattern] === "*") {
      star = pattern++;
      resume = at;
    } else if (pattern < glob.length && (glob[pattern] === "?" || glob[pattern] === name[at])) {
      pattern++;
      at++;
    } else if (star >= 0) {
      pattern = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern < glob.length && glob[pattern] === "*") pattern++;
  return pattern === glob.length;
}
