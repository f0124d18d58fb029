import { withoutScopes } from "./qualifiedNames";

/** Text out of recordings, made fit to be shown: names may be of any length and hold any character. */

export { visible } from "../../src/model/unseen";

/** A number and its unit in a sentence, which may be broken into lines. */
const UNIT = /(\d) (?=(?:%|[nµm]?s|[kMGTP]?B)(?![\p{L}\d]))/gu;

/** The sentence with spaces that keep numbers and their units in one line. */
export function keepUnits(sentence: string): string {
  return sentence.replace(UNIT, "$1\u00a0");
}

/** At most 200 characters for a sentence, the end kept too: what tells long names apart is often there. */
export function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 120)}…${text.slice(-79)}`;
}

/** How wide a text is, in pixels. */
export type Measure = (text: string) => number;

/** The text, or its beginning with "…" where it is wider than `most` pixels; empty where not one character fits. */
export function fit(text: string, most: number, measure: Measure): string {
  if (text.length < 1000 && measure(text) <= most) return text;
  // By characters, not by UTF-16 units: half a pair is not a character. No label holds more than some hundred.
  const characters = Array.from(text.slice(0, 2000)).slice(0, 1000);
  let fits = 0;
  for (let from = 0, to = characters.length; from < to;) {
    const middle = (from + to + 1) >> 1;
    if (measure(`${characters.slice(0, middle).join("")}…`) <= most) from = fits = middle;
    else to = middle - 1;
  }
  return fits === 0 ? "" : `${characters.slice(0, fits).join("").trimEnd()}…`;
}

/** An absolute path, as of load modules and files: what tells one from another stands at its end. */
const PATH = /^(?:\/|[A-Za-z]:[\\/])[^/\\]*[/\\]./;

/** Names that are longer are cut at their end, whatever they are. */
const LONGEST_IN_PARTS = 4096;

/**
 * Like {@link fit}, but a path loses folders from its front (`…/lib/libmpi.so`, `…/libmpi.so`), and a qualified name scopes
 * (`…::Solver::dot()`, `…::dot()`), and what is still too wide its middle, as long as enough is left.
 */
export function fitName(text: string, most: number, measure: Measure): string {
  if (text.length > LONGEST_IN_PARTS || measure(text) <= most) return fit(text, most, measure);
  const shorter = shorterNames(text);
  const shown = shorter.find((name) => measure(name) <= most);
  if (shown !== undefined) return shown;
  const last = lastPart(shorter, text);
  // Of parameters the end says least.
  const isBare = !last.includes("(") && measure(last) > most;
  const cut = isBare ? withoutMiddle(Array.from(last), HEADS[0], FEWEST_CHARACTERS, most, measure) : "";
  if (cut !== "" || measure(last) <= most) return cut || last;
  const begun = fit(last, most, measure);
  return Array.from(begun).length > FEWEST_BEGUN ? begun : "";
}

/** Without what stands for the parts before it: where it is cut itself, that would take the room of its letters. */
function lastPart(shorter: readonly string[], text: string): string {
  return (shorter.at(-1) ?? text).replace(/^…(?:::|[/\\])/, "");
}

/** A name that is cut is not cut below this: what is left would say nothing. */
const FEWEST_CHARACTERS = 12;
/** Characters before and behind the cut: of fewer nobody knows a name again. */
const FEWEST_BESIDE = 3;
/** Of a beginning alone: fewer letters say nothing. */
const FEWEST_BEGUN = 4;
/** How much of a name that is cut stays in front of the cut, in the order of trying. */
const HEADS = [1 / 2, 2 / 3, 1 / 3];

/**
 * A name in little room: whole; else a path without its first folders, a qualified name without its first scopes; else without its
 * middle (`CalcMono…ForElems`), since names differ at both ends. A number that tells it from others of its name stays: `…/rtld.c (2)`.
 *
 * @param isFree whether nothing else is shown as this text
 * @param fewest characters that are left of it
 * @returns empty where less would be left
 */
export function cutName(
  text: string,
  most: number,
  measure: Measure,
  isFree: (shown: string) => boolean,
  fewest = FEWEST_CHARACTERS,
): string {
  if (text.length < 1000 && measure(text) <= most) return isFree(text) ? text : "";
  const number = NUMBER.exec(text)?.[0] ?? "";
  if (number !== "") {
    const bare = text.slice(0, -number.length);
    const room = most - measure(number);
    const cut = cutName(bare, room, measure, (shown) => isFree(shown + number), Math.max(1, fewest - number.length));
    return cut && cut + number;
  }
  const shorter = text.length > LONGEST_IN_PARTS ? [] : [...shorterNames(text), ...bareNames(text)];
  const shown = shorter.find((name) => measure(name) <= most && isFree(name));
  if (shown !== undefined) return shown;
  // Of several that end alike the whole names differ; without the scopes they would look like one that has none.
  const isAlike = shorter.length > 0 && !isFree(shorter[shorter.length - 1]);
  const last = isAlike ? text : lastPart(shorter, text);
  if (last.length < 1000 && measure(last) <= most && isFree(last)) return last;
  const characters = charactersOf(last);
  for (const head of HEADS) {
    const cut = withoutMiddle(characters, head, fewest, most, measure);
    if (cut !== "" && isFree(cut)) return cut;
  }
  return "";
}

/** Characters of a text; of a very long one those of its ends. */
function charactersOf(text: string): string[] {
  return Array.from(text.length < 2000 ? text : text.slice(0, 1000) + text.slice(-1000));
}

/** A name without its scopes has at least so many letters. */
const MIN_BARE_LETTERS = 6;

/**
 * A name, then ever less of what stands before it: `a::Stream::get`, `Stream::get`; of a path its last two parts, its last one. Without
 * its parameters, too, unless it keeps them.
 *
 * @param keepsArguments whether another name on screen differs in them alone
 */
export function namesInShort(text: string, keepsArguments: boolean): string[] {
  if (text.length > LONGEST_IN_PARTS) return [text];
  const number = NUMBER.exec(text)?.[0] ?? "";
  const whole = text.slice(0, text.length - number.length);
  const scopes = (name: string) =>
    shorterNames(name)
      .slice(-2)
      .map((short) => (PATH.test(name) ? short : short.replaceAll("…::", "")))
      .filter((short) => Array.from(short).length >= MIN_BARE_LETTERS);
  const bare = keepsArguments ? undefined : bareName(whole);
  const names = [whole, ...scopes(whole), ...(bare === undefined ? [] : [bare, ...scopes(bare)])];
  return [...new Set(names)].map((name) => name + number);
}

/** The name without parameters; undefined if it has none. */
export function bareName(text: string): string | undefined {
  const bare = WITH_PARAMETERS.exec(text)?.[1].trimEnd();
  return bare === undefined || bare.includes("operator") ? undefined : bare;
}

/**
 * A name without its middle, in so many letters: each of its ways to be cut, the best first. The number of one of several things of a
 * name stays.
 */
export function cutToLetters(text: string, letters: number): string[] {
  const number = NUMBER.exec(text)?.[0] ?? "";
  const characters = charactersOf(text.slice(0, text.length - number.length));
  const left = letters - number.length;
  if (left >= characters.length) return [text];
  return HEADS.flatMap((head) => {
    const first = Math.ceil(left * head);
    if (Math.min(first, left - first) < FEWEST_BESIDE) return [];
    return [
      `${characters.slice(0, first).join("")}…${characters.slice(characters.length - left + first).join("")}${number}`,
    ];
  });
}

function withoutMiddle(
  characters: readonly string[],
  head: number,
  fewest: number,
  most: number,
  measure: Measure,
): string {
  const firstOf = (length: number) => Math.ceil(length * head);
  const cutTo = (length: number) => {
    const first = firstOf(length);
    return `${characters.slice(0, first).join("")}…${characters.slice(characters.length - (length - first)).join("")}`;
  };
  let least = fewest;
  while (Math.min(firstOf(least), least - firstOf(least)) < FEWEST_BESIDE) least++;
  let fits = 0;
  for (let from = least, to = Math.min(200, characters.length - 1); from <= to;) {
    const middle = (from + to) >> 1;
    if (measure(cutTo(middle)) <= most) from = (fits = middle) + 1;
    else to = middle - 1;
  }
  return fits === 0 ? "" : cutTo(fits);
}

/** Behind a name that several things have. */
const NUMBER = / \(\d+\)$/;

/** A function with its parameters. */
const WITH_PARAMETERS = /^([^(]{2,}?)\(.*\)( const)?$/s;

/** Without parameters, then without scopes. */
function bareNames(text: string): string[] {
  const bare = bareName(text);
  return bare === undefined ? [] : [bare, ...withoutScopes(bare)];
}

/** Ever less of a path or of a qualified name, down to its last part. */
function shorterNames(text: string): string[] {
  if (!PATH.test(text)) return withoutScopes(text);
  const parts = text.split(/(?=[/\\])/);
  return parts.slice(1).map((_, at) => `…${parts.slice(at + 1).join("")}`);
}

/** Measures in this font, e.g. `600 12px sans-serif`; remembers what it measured. */
export function measureIn(font: string): Measure {
  const context = document.createElement("canvas").getContext("2d");
  const known = new Map<string, number>();
  return (text) => {
    let width = known.get(text);
    if (width === undefined) {
      if (context) context.font = font;
      width = context?.measureText(text).width ?? text.length * 7;
      if (known.size > 20_000) known.clear();
      known.set(text, width);
    }
    return width;
  };
}

/** Made once: making one takes longer than all that it writes. */
const counts = new Intl.NumberFormat("en");

/** "1 bar", "2 bars". */
/** `libc.so.6` of a path outside of the folders, if no other one of these ends so. Paths in the folders stay whole. */
export function shortPath(path: string, all: readonly string[]): string {
  if (!path.startsWith("/")) return path;
  const end = path.slice(path.lastIndexOf("/"));
  return end === "/" || all.some((other) => other !== path && other.endsWith(end)) ? path : end.slice(1);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${counts.format(count)} ${count === 1 ? one : many}`;
}

/** A text in as many lines as it needs. */
export function wrapped(text: string, room: number, measure: Measure): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trimStart();
    if (lines.length > 0 && measure(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
