/**
 * Names as C++ writes them, in source and in demangled signatures: `mini::ConjugateGradient<Op>::solve`,
 * `(anonymous namespace)::f`, `operator<<`, `g(int)::{lambda(int)#1}::operator()`. All by one pass over the characters.
 */

import { operatorLength } from "../model/operators";

const opening = "(<[{";
const closing = ")>]}";

/**
 * Cuts a text at a separator outside all brackets.
 *
 * @param separator one or two characters: `,` or `::`
 */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const operator = operatorLength(text, at);
    if (operator > 0) {
      at += operator - 1;
      continue;
    }
    const char = text[at];
    if (char === "-" && text[at + 1] === ">") at++;
    else if (opening.includes(char)) depth++;
    else if (closing.includes(char)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(from, at));
      at += separator.length - 1;
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** The name without template arguments and blanks around it: `solve<double> ` → `solve`; operators keep their sign. */
export function bareName(part: string): string {
  const text = part.trim();
  const operator = operatorLength(text, 0);
  if (operator > 0) return operatorName(text.slice(0, operator));
  const template = text.indexOf("<");
  return (template > 0 ? text.slice(0, template) : text).trim();
}

/** One way to write an operator's name: `operator ()` → `operator()`, `operator  bool` → `operator bool`. */
export function operatorName(text: string): string {
  const rest = text.slice(8).trim();
  return /^\w/.test(rest) ? `operator ${rest.replace(/\s+/g, " ")}` : `operator${rest.replace(/\s+/g, "")}`;
}

/** A qualified name's parts, bare, without anonymous scopes: `mini::{anonymous}::CG<Op>::solve` → `mini`, `CG`, `solve`. */
export function qualifiedParts(text: string): string[] {
  return splitOutside(text, "::")
    .map(bareName)
    .filter((part) => part !== "" && !isAnonymous(part));
}

/** How well a definition's scopes fit recorded ones: 3 the same, 2 one is the end of the other, 1 parts left out, 0 another. */
export function scopesFit(recorded: readonly string[], defined: readonly string[]): 0 | 1 | 2 | 3 {
  const [short, long] = recorded.length < defined.length ? [recorded, defined] : [defined, recorded];
  const offset = long.length - short.length;
  if (short.every((scope, at) => scope === long[at + offset])) return offset === 0 ? 3 : 2;
  // Inline namespaces (`std::__1`, `v2`) stand in one and not in the other: the order of the rest must agree.
  let next = 0;
  for (const scope of long) if (next < short.length && scope === short[next]) next++;
  return next === short.length ? 1 : 0;
}

/** `(anonymous namespace)`, `{anonymous}`, `{lambda(int)#1}`, `'lambda'(int)`, `$_0`: scopes without a name of their own. */
export function isAnonymous(part: string): boolean {
  return /^[({']|^\$_|^<lambda|^__lambda|^unnamed/.test(part);
}
