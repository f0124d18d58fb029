/** What all of several names begin and end with. Pure. */

/** Words, numbers, and every sign by itself. */
import { smallestIn } from "./longLists";

const PARTS = /\p{L}+|\p{N}+|[^\p{L}\p{N}]/gu;
const SAYS = /[\p{L}\p{N}]/u;
/** Names that are longer, or more of them, share nothing that is looked for. */
const LONGEST = 300;
export interface Shared {
  /** Characters that all begin and end with: whole words and numbers, and never all of a name. */
  readonly begin: number;
  readonly end: number;
}

const NOTHING: Shared = { begin: 0, end: 0 };

export function sharedParts(names: readonly string[]): Shared {
  const own = [...new Set(names)];
  if (own.length < 2 || own.some(({ length }) => length > LONGEST)) return NOTHING;
  const parts = own.map((name) => name.match(PARTS) ?? []);
  const [first] = parts;
  const shortest = smallestIn(parts.map(({ length }) => length));
  const countWhile = (isShared: (at: number) => boolean) => {
    let count = 0;
    while (count < shortest && isShared(count)) count++;
    return count;
  };
  const saysSomething = (from: number, after: number) =>
    parts.every((all) => all.slice(from, all.length - after).some((part) => SAYS.test(part)));
  let end = countWhile((at) => parts.every((all) => all[all.length - 1 - at] === first[first.length - 1 - at]));
  while (end > 0 && !saysSomething(0, end)) end--;
  let begin = countWhile((at) => parts.every((all) => all[at] === first[at]));
  while (begin > 0 && !saysSomething(begin, end)) begin--;
  const lengthOf = (all: readonly string[]) => all.reduce((sum, { length }) => sum + length, 0);
  return { begin: lengthOf(first.slice(0, begin)), end: end === 0 ? 0 : lengthOf(first.slice(-end)) };
}

/** The name of a resource's lane without what its states are of, and without what it belongs to: of `MEMNODE1 / 19556: Thread State` both parts. */
export function resourceParts(name: string): { readonly untyped: string; readonly own: string } {
  const untyped = name.replace(/: [^:]*$/, "");
  return { untyped, own: untyped.slice(untyped.lastIndexOf(" / ") + 1).replace(/^\/ /, "") };
}
