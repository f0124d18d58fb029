/** Which function or group a name that was typed means: its whole name, or a short one that only one has. */
import { RequestError } from "../model/errors";
import { functionName } from "../model/functionName";
import { shortName } from "../model/shortName";

/** Names that a message lists. */
const LISTED = 8;
/** Of so many names those that are written nearly alike are looked for. */
const MOST_COMPARED = 20_000;
/** Sums of details that a short name may have (`functionName.ts`). */
const DETAILS = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * The name of those that is meant: itself, or the only one that is shown as it, or whose last part it is (`nplane` of `voro::cell::nplane`).
 *
 * @param what what it must be one of, for messages
 * @throws RequestError where there is none, or several are meant; with names that are near
 */
export function meantName(names: ReadonlySet<string>, typed: string, what: string): string {
  if (names.has(typed)) return typed;
  const all = [...names];
  const isShown = (name: string) => DETAILS.some((of) => functionName(name, of) === typed);
  const shown = all.filter(isShown);
  const meant = shown.length > 0 ? shown : all.filter((name) => functionName(name).endsWith(`::${typed}`));
  if (meant.length === 1) return meant[0];
  if (meant.length > 1) throw new RequestError(`${quoted(typed)} may be one of several: ${listed(meant.sort())}.`);
  const near = nearNames(all, typed);
  const there = near.length > 0 ? `Near it ${areListed(near)}` : `There ${areListed(all.sort())}`;
  throw new RequestError(`${quoted(typed)} is not ${what}. ${there}`);
}

/** Names that hold the text, then those that differ in few characters, nearest first. */
function nearNames(names: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  if (wanted === "") return [];
  const holding = names.filter((name) => name.toLowerCase().includes(wanted));
  if (holding.length > 0) return holding.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const most = Math.max(1, Math.floor(Math.min(wanted.length, 60) / 3));
  return names
    .slice(0, MOST_COMPARED)
    .map((name) => ({ name, edits: editsOf(wanted, lastPart(name).toLowerCase(), most) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

function lastPart(name: string): string {
  const short = functionName(name);
  return short.slice(short.lastIndexOf("::") + 1).replace(/^:/, "");
}

/** Characters that are added, left out or replaced (Wagner, Fischer 1974); more than `most` are not counted. */
function editsOf(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return most + 1;
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1];
    for (let of = 0; of < to.length; of++)
      next.push(Math.min(row[of] + Number(from[at] !== to[of]), row[of + 1] + 1, next[of] + 1));
    row = next;
  }
  return row[to.length];
}

/** `is "a".`, `are "a", "b", and 3 more.` */
export function areListed(names: readonly string[]): string {
  return `${names.length === 1 ? "is" : "are"} ${listed(names)}.`;
}

function listed(names: readonly string[]): string {
  const more = names.length > LISTED ? `, and ${names.length - LISTED} more` : "";
  return `${names.slice(0, LISTED).map(quoted).join(", ")}${more}`;
}

/** A name in a message. */
export function quoted(name: string): string {
  return `"${shortName(name, 120)}"`;
}
