/** What tells names from each other, where there is no room for what all of them begin and end with. Pure. */
import { cutName, fit, type Measure } from "./text";

/** Words, numbers, and every sign by itself. */
const PARTS = /\p{L}+|\p{N}+|[^\p{L}\p{N}]/gu;
const SAYS = /[\p{L}\p{N}]/u;
/** Names that are longer, or more of them, share nothing that is looked for. */
const LONGEST = 300;
/** A cut name has so many characters at least. */
const FEWEST = 6;

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
  const shortest = Math.min(...parts.map(({ length }) => length));
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

/** A name whole, without what all end with, and without what all begin with, too: `rank-7: MPI_STATE`, `rank-7`, `7`. */
export function shorterWordings(name: string, { begin, end }: Shared): readonly string[] {
  const withoutEnd = name.slice(0, name.length - end);
  return [...new Set([name, withoutEnd, withoutEnd.slice(begin)])];
}

/** Names in so much room, all of them without as much of what they share; what has no room then is cut, in the middle if that tells it from the others. */
export function distinctNames(names: readonly string[], room: number, measure: Measure): string[] {
  const shared = sharedParts(names);
  const levels = [NOTHING, { begin: 0, end: shared.end }, shared].map(({ begin, end }) =>
    names.map((name) => name.slice(begin, name.length - end)),
  );
  const fits = levels.find((shown) => shown.every((name) => measure(name) <= room));
  if (fits) return fits;
  const last = levels[levels.length - 1];
  const shown = new Map<string, string>();
  const taken = new Set<string>();
  return last.map((name) => {
    const known = shown.get(name);
    if (known !== undefined) return known;
    const cut = cutName(name, room, measure, (one) => !taken.has(one), FEWEST) || fit(name, room, measure);
    taken.add(cut);
    shown.set(name, cut);
    return cut;
  });
}
