/** What tells names from each other, where there is no room for what all of them begin and end with. Pure. */
import { type Shared, sharedParts } from "../../src/model/sharedParts";
import { cutName, fit, type Measure } from "./text";

/** A cut name has so many characters at least. */
const FEWEST = 6;
const NOTHING: Shared = { begin: 0, end: 0 };

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
