/** Names of resources or groups in a sentence. Pure. */

/** Names, or ranges of them, that a sentence lists. */
const MAX_NAMES = 6;
/** Fewer neighbours are listed one by one. */
const MIN_RANGE = 3;

const NUMBERED = /^(.*[A-Za-z])[-_ #:]*(0|[1-9]\d{0,14})$/s;

/** `ranks 16–23, 40–55`, `groups 2, 5, 6`, `io, main and 3 more`. @param names in their order */
export function membersText(names: readonly string[]): string {
  const numbers = numbersOf(names);
  if (!numbers) return namedText(names, names.length);
  const [word, ascending] = [numbers.word, numbers.of.toSorted((a, b) => a - b)];
  const ranges: string[] = [];
  let listed = 0;
  for (let at = 0; at < ascending.length && ranges.length < MAX_NAMES; at = listed) {
    let end = at;
    while (end + 1 < ascending.length && ascending[end + 1] === ascending[end] + 1) end++;
    const isRange = end + 1 - at >= MIN_RANGE;
    ranges.push(isRange ? `${ascending[at]}–${ascending[end]}` : `${ascending[at]}`);
    listed = isRange ? end + 1 : at + 1;
  }
  return `${severalOf(word)} ${moreText(ranges, names.length - listed)}`;
}

/** `groups 2, 5, 6 of 8`, `east, west (2 of 8 groups)`. @param others names of those that are not meant */
export function groupsText(names: readonly string[], others: readonly string[]): string {
  const all = names.length + others.length;
  const isNumbered = numbersOf([...names, ...others]) !== undefined;
  return isNumbered ? `${membersText(names)} of ${all}` : `${membersText(names)} (${names.length} of ${all} groups)`;
}

function namedText(names: readonly string[], all: number): string {
  const shown = names.slice(0, MAX_NAMES);
  return moreText(shown, all - shown.length);
}

function moreText(shown: readonly string[], more: number): string {
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The common word and the numbers of names such as `rank 3`. @returns undefined if there are fewer than two names, or one has another form */
function numbersOf(names: readonly string[]): { readonly word: string; readonly of: readonly number[] } | undefined {
  if (names.length < 2) return undefined;
  const parts = names.map((name) => NUMBERED.exec(name));
  const word = parts[0]?.[1];
  if (word === undefined || parts.some((part) => part?.[1] !== word)) return undefined;
  return { word, of: parts.map((part) => Number(part?.[2])) };
}

function severalOf(word: string): string {
  return /s$/i.test(word) ? word : `${word}s`;
}
