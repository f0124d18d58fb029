/** How functions are called on screen: in short, and each unlike all others of its recording. */
import { detail, functionName } from "./functionName";
import { groupBy } from "./maps";

const { suffix, given, parameters, rest } = detail;
/** What may tell apart functions of one short name. */
const DETAILS = [
  suffix,
  parameters,
  given,
  suffix + parameters,
  suffix + given,
  given + parameters,
  suffix + given + parameters,
  suffix + given + parameters + rest,
];

/**
 * The names that are shown shorter than they were recorded: without return types, template arguments, parameters and what compilers
 * append. Where two would be shown as one, what tells them apart stays; where nothing does, they are shown whole.
 *
 * @param names of all functions of a recording, or of those that are compared
 * @param readable demangles a name; undefined where it is in no known way
 * @returns by whole name; of names that are not in it, the whole is shown
 */
export function shownNames(
  names: Iterable<string>,
  readable: (name: string) => string | undefined = (name) => name,
): ReadonlyMap<string, string> {
  const all = [...new Set(names)];
  const inFull = (name: string) => readable(name) ?? name;
  const shown = new Map<string, string>();
  for (const [short, group] of groupBy(all, (name) => functionName(inFull(name)))) {
    const apart = group.length === 1 ? [short] : toldApart(group.map(inFull));
    group.forEach((name, at) => shown.set(name, apart?.[at] ?? name));
  }
  // A short name may be another function's whole one: both are shown whole then, until no two are alike.
  for (let isUnique = false; !isUnique;) {
    isUnique = true;
    for (const group of groupBy(all, (name) => shown.get(name) ?? name).values()) {
      if (group.length === 1) continue;
      for (const name of group) shown.set(name, name);
      isUnique = false;
    }
  }
  for (const [name, short] of shown) if (name === short) shown.delete(name);
  return shown;
}

/** By what makes all of them different in the fewest characters; undefined where nothing does. */
function toldApart(names: readonly string[]): string[] | undefined {
  let fewest = Number.POSITIVE_INFINITY;
  let apart: string[] | undefined;
  for (const of of DETAILS) {
    const written = names.map((name) => functionName(name, of));
    const characters = written.reduce((sum, { length }) => sum + length, 0);
    if (characters >= fewest || new Set(written).size < names.length) continue;
    fewest = characters;
    apart = written;
  }
  return apart;
}
