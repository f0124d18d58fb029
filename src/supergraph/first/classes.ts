/** Class of a function, from its name. */

/** `heat::Solver` of `void heat::Solver::step(int)`. Scopes inside template arguments do not count. @returns undefined if the name has no scope */
export function classOf(recorded: string): string | undefined {
  const name = recorded.includes("[abi:") ? recorded.replace(/\[abi:\w+\]/g, "") : recorded;
  if (!name.includes("::")) return undefined;
  const qualified = name.slice(0, parametersAt(name));
  let depth = 0;
  let cut = 0;
  for (let at = 0; at < qualified.length; at++) {
    if (qualified[at] === "<") depth++;
    else if (qualified[at] === ">" && depth > 0) depth--;
    else if (depth === 0 && qualified.startsWith("::", at)) cut = at;
  }
  if (cut === 0) return undefined;
  const scope = qualified.slice(0, cut);
  // The text before the last space is a return type.
  return scope.includes("<") ? scope : scope.slice(lastSpace(scope) + 1);
}

/** Index of the first parenthesis outside of template arguments. Skips one at the start of the name and `(anonymous namespace)`. */
function parametersAt(name: string): number {
  let depth = 0;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === "<") depth++;
    else if (name[at] === ">" && depth > 0) depth--;
    else if (name[at] === "(" && depth === 0 && at > 0 && !name.startsWith("(anonymous", at)) return at;
  }
  return name.length;
}

/** Index of the last space, if only words and scopes follow. -1 for a space inside a name such as `(anonymous namespace)`. */
function lastSpace(scope: string): number {
  const space = scope.search(/\s[\w:]+$/);
  return space;
}
