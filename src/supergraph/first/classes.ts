/** Classes of functions, as their names say them. */

/** `heat::Solver` of `void heat::Solver::step(int)`; undefined where a name has no scope. Template arguments are no scopes. */
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
  // What stands before the last space is a return type.
  return scope.includes("<") ? scope : scope.slice(lastSpace(scope) + 1);
}

/** The first bracket outside of template arguments, but for one that begins the name or is that of an anonymous namespace. */
function parametersAt(name: string): number {
  let depth = 0;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === "<") depth++;
    else if (name[at] === ">" && depth > 0) depth--;
    else if (name[at] === "(" && depth === 0 && at > 0 && !name.startsWith("(anonymous", at)) return at;
  }
  return name.length;
}

/** Before a scope of words only; NONE where the space belongs to a name such as `(anonymous namespace)`. */
function lastSpace(scope: string): number {
  const space = scope.search(/\s[\w:]+$/);
  return space;
}
