/** Names of groups of a first picture: short, and each different from the others on screen (semantics 2, rule 7, Name of a bar). */
import { addTo, groupBy } from "../../model/maps";
import { shownNames } from "../../model/shownNames";
import type { FirstNames, GroupName } from "./functionNames";
import type { Naming } from "./naming";

/** Names such as Python's `<module>` for code outside of functions. The name of the file is more useful. */
const NO_FUNCTION = /^<.*>$/;

/**
 * The finest name that all functions of each group share.
 *
 * @param functions those of the contexts that are shown under their own group's name
 * @returns by the index of the group's name
 */
export function finestNames({ names }: FirstNames, naming: Naming, functions: Iterable<number>): Map<number, number> {
  const shared = new Map<number, readonly number[]>();
  for (const id of functions) {
    const path = naming.pathOf(id).slice(naming.levelOf(id));
    const known = shared.get(path[0]);
    shared.set(path[0], known ? commonStart(known, path) : path);
  }
  const finest = new Map<number, number>();
  for (const [group, path] of shared) finest.set(group, withoutBrackets(names, path));
  return finest;
}

/**
 * The name that each group is shown under: its finest name, or its own if another group has the same finest name. Two load modules of one
 * folder are such a case.
 *
 * @param groups the name of each, by its key
 */
export function finestApart(
  groups: ReadonlyMap<string, number>,
  finest: ReadonlyMap<number, number>,
): Map<string, number> {
  const shown = (name: number) => finest.get(name) ?? name;
  const count = new Map<number, number>();
  for (const name of groups.values()) addTo(count, shown(name), 1);
  return new Map(Array.from(groups, ([key, name]) => [key, count.get(shown(name)) === 1 ? shown(name) : name]));
}

function commonStart(a: readonly number[], b: readonly number[]): readonly number[] {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** The last name, or the file's name if the last one is written `<…>`. */
function withoutBrackets(names: readonly GroupName[], path: readonly number[]): number {
  const last = path[path.length - 1];
  const before = path.at(-2);
  const isFile = before !== undefined && names[before].kind === "file";
  return isFile && NO_FUNCTION.test(names[last].text) ? before : last;
}

/**
 * Texts on screen for names.
 *
 * @param onScreen indices of names
 * @param readable demangles a name
 */
export function textsOf(
  { names }: FirstNames,
  onScreen: Iterable<number>,
  readable: (name: string) => string | undefined,
): Map<number, string> {
  const ids = [...new Set(onScreen)];
  const isCode = (id: number) => names[id].kind === "function" || names[id].kind === "class";
  const short = shownNames(
    ids.filter(isCode).map((id) => names[id].text),
    readable,
  );
  const forms: ((id: number) => string)[] = [
    (id) => (isCode(id) ? (short.get(names[id].text) ?? names[id].text) : names[id].text),
    (id) => names[id].text,
    (id) => withPlace(names[id], names[id].place.slice(names[id].place.lastIndexOf("/") + 1)),
    (id) => withPlace(names[id], names[id].place),
  ];
  const texts = new Map(ids.map((id) => [id, forms[0](id)]));
  for (const form of forms.slice(1))
    for (const alike of groupBy(ids, (id) => texts.get(id)).values())
      if (alike.length > 1) for (const id of alike) if (isCode(id)) texts.set(id, form(id));
  return texts;
}

function withPlace({ text, place }: GroupName, shown: string): string {
  return place === "" ? text : `${text} (${shown})`;
}
