import { RequestError } from "../../model/errors";
import { shorten } from "../../model/texts";
import { NODE_LIMIT } from "../../protocol/treemap";

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

/** More of a hierarchy is open than is drawn, with what to do about it. */
export function tooManyNodes(count: number, what: string): RequestError {
  const [found, most] = [count, NODE_LIMIT].map((one) => one.toLocaleString("en"));
  return new RequestError(
    `${found} ${what} are open, and at most ${most} are drawn: choose a smaller depth of the hierarchy, or close groups.`,
  );
}
