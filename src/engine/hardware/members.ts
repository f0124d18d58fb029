/** The members of a recording that what runs on a part of the machine stands for. Pure. */
import { NONE } from "../../model/ids";
import type { Location } from "../../model/locations";
import { type Chosen, type LocationUnit, membersOf } from "../../model/members";

/** In the order of trying: what is left of the whole numbers is said in the largest parts that say it exactly. */
const UNITS: readonly LocationUnit[] = ["host", "rank", "stream", "thread"];

/** @returns for lanes by their locations: the members that are these and no more; undefined where none are, or all */
export function membersAt(locations: readonly Location[]): (own: readonly number[]) => Chosen | undefined {
  const units = UNITS.map((by) => membersOf(locations, by)).filter(({ keys }) => keys.length > 1);
  return (own) => {
    const wanted = new Set(own.filter((location) => location !== NONE));
    if (wanted.size === 0) return undefined;
    for (const { by, keys, of } of units) {
      const chosen = new Set([...wanted].map((location) => of[location]));
      if (chosen.has(NONE) || chosen.size === keys.length) continue;
      const isExact = of.every((member, location) => !chosen.has(member) || wanted.has(location));
      if (isExact) return { by, members: [...chosen].sort((a, b) => a - b).map((member) => keys[member]) };
    }
    return undefined;
  };
}
