/** The members of a recording that lanes, parts of the machine, or who takes part in a matrix stand for. Pure. */
import { NONE } from "../../model/ids";
import type { Location } from "../../model/locations";
import { type Chosen, type LocationUnit, type Members, membersOf } from "../../model/members";

/** In the order of trying: what is left of the whole numbers is said in the largest parts that say it exactly. */
const UNITS: readonly LocationUnit[] = ["host", "rank", "device", "stream", "thread"];

/** @returns for some locations: the members that are these and no more; undefined where none are, or all */
export function membersAt(locations: readonly Location[]): (own: readonly number[]) => Chosen | undefined {
  const units = UNITS.map((by) => membersOf(locations, by))
    .filter(({ keys }) => keys.length > 1)
    .map((members) => ({ ...members, sizes: sizesOf(members) }));
  return (own) => {
    const wanted = new Set(own.filter((location) => location !== NONE));
    if (wanted.size === 0) return undefined;
    for (const { by, keys, of, sizes } of units) {
      const chosen = new Set([...wanted].map((location) => of[location]));
      if (chosen.has(NONE) || chosen.size === keys.length) continue;
      // All of what is wanted is of them: they are no more where they have no more.
      const size = [...chosen].reduce((sum, member) => sum + sizes[member], 0);
      if (size === wanted.size) return { by, members: [...chosen].sort((a, b) => a - b).map((member) => keys[member]) };
    }
    return undefined;
  };
}

/** Locations of each member. */
function sizesOf({ keys, of }: Members): Int32Array {
  const sizes = new Int32Array(keys.length);
  for (const member of of) if (member !== NONE) sizes[member]++;
  return sizes;
}
