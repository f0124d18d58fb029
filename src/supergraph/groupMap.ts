import vm from "node:vm";
import { RequestError } from "../model/errors";
import type { GroupMap } from "./query";

/** Longer patterns are refused: they are not written by hand. */
export const LONGEST_PATTERN = 1000;
/** How long one regular expression may take on all names of a recording, and how long all patterns together. */
const MATCHING_MS = 500;
const ALL_MS = 5000;
/** Names between two looks at the clock. */
const NAMES_BETWEEN_LOOKS = 64;

/** The names of a list that a pattern matches. */
type Matcher = (names: readonly string[], clock: Clock) => boolean[];

/** The group that a part of the map gives each of some names. */
type Rule = (names: readonly string[], clock: Clock) => (string | undefined)[];

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
  const clock = new Clock();
  let left = names;
  for (const rule of rules) {
    const given = rule(left, clock);
    left.forEach((name, at) => given[at] !== undefined && groups.set(name, given[at]));
    left = left.filter((_, at) => given[at] === undefined);
  }
  return groups;
}

/** @throws RequestError where a group is no list of patterns */
export function checkGroups(map: GroupMap): void {
  rulesOf(map);
}

function rulesOf(map: GroupMap): Rule[] {
  const rules: Rule[] = [];
  // Names that stand one after the other: thousands of them cost one look-up per name.
  let exact: Map<string, string> | undefined;
  for (const [group, patterns] of Object.entries(map)) {
    if (!Array.isArray(patterns))
      throw new RequestError(`Group "${group}" needs a list of function names, globs or /regular expressions/.`);
    for (const pattern of patterns) {
      const meant = meaningOf(group, pattern);
      if (typeof meant !== "string") {
        rules.push((names, clock) => meant(names, clock).map((isHit) => (isHit ? group : undefined)));
        exact = undefined;
        continue;
      }
      const known = (exact ??= exactRule(rules));
      if (!known.has(meant)) known.set(meant, group);
    }
  }
  return rules;
}

/** Adds a rule, and gives what it looks names up in. */
function exactRule(rules: Rule[]): Map<string, string> {
  const groups = new Map<string, string>();
  rules.push((names) => names.map((name) => groups.get(name)));
  return groups;
}

/** The one name that a pattern means, or how names are matched with it. */
function meaningOf(group: string, pattern: unknown): string | Matcher {
  if (typeof pattern !== "string" || pattern === "" || pattern.length > LONGEST_PATTERN)
    throw new RequestError(
      `Group "${group}" has a pattern that is not a text of 1 to ${LONGEST_PATTERN} characters: ` +
        `${String(JSON.stringify(pattern)).slice(0, 80)}.`,
    );
  const expression = /^\/(.*)\/([a-z]*)$/s.exec(pattern);
  if (expression) return exactName(pattern) ?? expressionMatcher(group, pattern, expression[1], expression[2]);
  if (!/[*?]/.test(pattern)) return pattern;
  return (names, clock) =>
    names.map((name, at) => {
      if (at % NAMES_BETWEEN_LOOKS === 0 || name.length > LONGEST_PATTERN) clock.look(group, pattern);
      return matchesGlob(pattern, name);
    });
}

/**
 * The expression that means this name and no other, for a name that would be read as a glob or an expression.
 *
 * @returns the name itself where it is read as it is; undefined where it is too long for a pattern
 */
export function exactPattern(name: string): string | undefined {
  const isPlain = !/[*?]|^\/.*\/[a-z]*$/s.test(name);
  const pattern = isPlain ? name : `/^${name.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&")}$/`;
  return pattern.length <= LONGEST_PATTERN ? pattern : undefined;
}

/** The name that an expression of {@link exactPattern} means; undefined for every other expression. */
function exactName(pattern: string): string | undefined {
  const escaped = /^\/\^((?:[^$()*+./?[\\\]^{|}]|\\[$()*+./?[\\\]^{|}])*)\$\/$/.exec(pattern)?.[1];
  return escaped?.replace(/\\(.)/gs, "$1");
}

/** How long the patterns of a map have taken: no list of them may block all other questions. */
class Clock {
  private readonly end = performance.now() + ALL_MS;
  /** Made when the first expression is asked for: a realm of its own takes milliseconds. */
  private realm: vm.Context | undefined;

  /** @returns milliseconds that are left @throws RequestError where none are */
  look(group: string, pattern: string): number {
    const left = this.end - performance.now();
    if (left > 0) return left;
    throw new RequestError(
      `Group "${group}": at ${pattern} all patterns together have taken longer than ${ALL_MS / 1000} s on the names of ` +
        "this recording. Use fewer or simpler ones, or list the names.",
    );
  }

  /** Runs the one script that there is. @param limitMs whole milliseconds */
  run(what: { source: string; flags: string; names: readonly string[] }, limitMs: number): boolean[] {
    this.realm ??= vm.createContext({});
    Object.assign(this.realm, what);
    return Array.from<boolean>(matching.runInContext(this.realm, { timeout: limitMs }));
  }
}

const matching = new vm.Script(
  "{ const expression = new RegExp(source, flags); names.map((name) => expression.test(name)) }",
);

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
  return (names, clock) => {
    const limitMs = Math.ceil(Math.min(MATCHING_MS, clock.look(group, pattern)));
    try {
      return clock.run({ source, flags, names }, limitMs);
    } catch (error) {
      // The error is of another realm, so `instanceof Error` does not know it.
      const { code, message } = error as { code?: unknown; message?: unknown };
      if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT")
        throw new RequestError(
          `Group "${group}": ${pattern} cannot be matched with the names of this recording: ${String(message)}.`,
        );
      clock.look(group, pattern);
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
