/** Commits as people read them. */

/** Fewer digits say too little, however few commits there are. */
const LEAST_DIGITS = 7;

/**
 * The shortest prefixes, of one length, by which commits differ from each other, of seven digits at least.
 *
 * @returns the texts as they are where one of them is no commit: what people call so differs in words
 */
export function shortCommits(texts: readonly string[]): readonly string[] {
  if (!texts.every((text) => /^[0-9a-f]{8,64}$/.test(text) && /[a-f]/.test(text))) return texts;
  const sorted = [...new Set(texts)].sort();
  let digits = LEAST_DIGITS;
  for (let at = 1; at < sorted.length; at++)
    while (sorted[at].startsWith(sorted[at - 1].slice(0, digits)) && digits < sorted[at].length) digits++;
  return texts.map((text) => text.slice(0, digits));
}
