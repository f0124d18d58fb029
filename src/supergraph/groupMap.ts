import vm from "node:vm";
import { RequestError } from "../model/errors";
import type { GroupMap } from "./query";

/** Longer patterns are refused: nobody writes them. */
const LONGEST_PATTERN = 1000;
/** How long one regular expression may take on all names of a recording. */
const MATCHING_MS = 500;

/** The names of a list that a pattern matches. */
type Matcher = (names: readonly string[]) => boolean[];

/**
 * Applies a user's map of groups: names, globs (`*` any text, `?` one character, both also across `::` and `/`) and
 * `/regular expressions/`. The first match wins, in the order of the map.
 *
 * @param names functions' names, each once
 * @returns the group of each name that a pattern matches
 * @throws RequestError where a pattern is not one or takes too long, with the group it stands in
 */
export function groupsByMap(map: GroupMap, names: readonly string[]): Map<string, string> {
  const rules = rulesOf(map);
  const groups = new Map<string, string>();
  let left = names;
  for (const { group, matches } of rules) {
    const hits = matches(left);
    left.forEach((name, at) => hits[at] && groups.set(name, group));
    left = left.filter((_, at) => !hits[at]);
  }
  return groups;
}

/** @throws RequestError where a group is no list of patterns */
export function checkGroups(map: GroupMap): void {
  rulesOf(map);
}

function rulesOf(map: GroupMap): { group: string; matches: Matcher }[] {
  return Object.entries(map).flatMap(([group, patterns]) => {
    if (!Array.isArray(patterns))
      throw new RequestError(`Group "${group}" needs a list of function names, globs or /regular expressions/.`);
    return patterns.map((pattern) => ({ group, matches: matcher(group, pattern) }));
  });
}

function matcher(group: string, pattern: unknown): Matcher {
  if (typeof pattern !== "string" || pattern === "" || pattern.length > LONGEST_PATTERN)
    throw new RequestError(
      `Group "${group}" has a pattern that is not a text of 1 to ${LONGEST_PATTERN} characters: ` +
        `${String(JSON.stringify(pattern)).slice(0, 80)}.`,
    );
  const expression = /^\/(.*)\/([a-z]*)$/s.exec(pattern);
  if (expression) return expressionMatcher(group, pattern, expression[1], expression[2]);
  if (/[*?]/.test(pattern)) return (names) => names.map((name) => matchesGlob(pattern, name));
  return (names) => names.map((name) => name === pattern);
}

/**
 * A user's regular expression can take exponential time, and a setting of the workspace may hold one. JavaScript can
 * stop one only from outside, so all names are matched in one script with a time limit; the script itself is fixed.
 */
function expressionMatcher(group: string, pattern: string, source: string, flags: string): Matcher {
  if (/[gyd]/.test(flags)) throw new RequestError(`Group "${group}": ${pattern} may have the flags i, m, s, u and v.`);
  try {
    new RegExp(source, flags);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /s, "") : String(error);
    throw new RequestError(`Group "${group}": ${pattern} is not a regular expression: ${why}.`);
  }
  return (names) => {
    const script = "const expression = new RegExp(source, flags); names.map((name) => expression.test(name))";
    try {
      return Array.from<boolean>(vm.runInNewContext(script, { source, flags, names }, { timeout: MATCHING_MS }));
    } catch (error) {
      // The error is of another realm, so `instanceof Error` does not know it.
      if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new RequestError(
        `Group "${group}": ${pattern} takes longer than ${MATCHING_MS} ms on the names of this recording. ` +
          "Avoid a repeat inside a repeat, or list the names.",
      );
    }
  };
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
