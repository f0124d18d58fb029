import { shorten } from "../../model/texts";

/** Characters of a name, tried in turn. */
const CUTS = [1000, 200, 120, 40, 12];
const SHORTEST = 4;

/** Names for a message, all cut to a length at which they are together at most `most` characters as JSON. */
export function cutToFit(names: readonly string[], most = 400_000): string[] {
  for (const cut of CUTS) {
    const shown = names.map((name) => shorten(name, cut));
    if (JSON.stringify(shown).length <= most) return shown;
  }
  return names.map((name) => shorten(name, SHORTEST));
}
