/** Operators whose characters would otherwise be taken for brackets; longest first. */
const operatorSigns = ["()", "[]", "<<=", ">>=", "<=>", "->*", "->", "<<", ">>", "<=", ">=", "<", ">"];

/** Length of the C++ operator's name that starts at `at` (`operator()`, `operator<<`, `operator bool`), 0 where none does. */
export function operatorLength(text: string, at: number): number {
  if (!text.startsWith("operator", at)) return 0;
  if (at > 0 && /\w/.test(text[at - 1])) return 0;
  let next = at + 8;
  if (/\w/.test(text[next] ?? "")) return 0;
  while (text[next] === " ") next++;
  const sign = operatorSigns.find((candidate) => text.startsWith(candidate, next));
  if (sign !== undefined) return next + sign.length - at;
  while (next < text.length && !"(<".includes(text[next])) {
    if (text.startsWith("::", next)) next++;
    next++;
  }
  return next - at;
}
