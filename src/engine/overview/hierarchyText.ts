/** Which resources are part of which, as a user says it: a rule, or a hierarchy file (semantics 11). Pure. */
import { RequestError } from "../../model/errors";
import type { OverviewHierarchy } from "./overviewApi";

/** `every 8: host`. @throws RequestError */
export function hierarchyOfRule(text: string): Extract<OverviewHierarchy, { kind: "every" }> {
  const [, count, name] = /^every (\d{1,9}): ?(\S.*)$/.exec(text) ?? [];
  if (name === undefined || Number(count) < 1)
    throw new RequestError(`a rule is 'every N: NAME', such as 'every 8: host', not '${text}'`);
  return { kind: "every", count: Number(count), name };
}

/**
 * A line a leaf, `leaf = outermost/…/innermost group`; `#` begins a comment.
 *
 * @param file its name, for errors
 * @throws RequestError with the line that is wrong
 */
export function hierarchyOfFile(text: string, file: string): Extract<OverviewHierarchy, { kind: "paths" }> {
  const pathOf = new Map<string, readonly string[]>();
  for (const [at, line] of text.split("\n").entries()) {
    const [said] = line.split("#");
    if (said.trim() === "") continue;
    const equals = said.lastIndexOf("=");
    const leaf = said.slice(0, Math.max(0, equals)).trim();
    const path = said
      .slice(equals + 1)
      .split("/")
      .map((name) => name.trim());
    if (equals < 0 || leaf === "" || path.includes(""))
      throw new RequestError(`${file}:${at + 1}: a line is 'leaf = outermost/…/innermost group'`);
    if (pathOf.has(leaf)) throw new RequestError(`${file}:${at + 1}: '${leaf}' stands in the file twice`);
    pathOf.set(leaf, path);
  }
  return { kind: "paths", paths: [...pathOf] };
}
