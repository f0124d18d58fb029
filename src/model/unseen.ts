/** Text out of recordings, made fit to be shown: names may hold any character. */

/**
 * Control characters, and characters that change the direction of text or have no width. They could make a name look like another one,
 * and terminals execute some of them.
 */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** The same, plus single halves of surrogate pairs, which cannot be shown. */
const UNSEEN = new RegExp(
  `${INVISIBLE.source}|${/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.source}`,
  "g",
);

/** The text with a sign in place of every invisible character: for drawings. */
export function visible(text: string): string {
  return text.replace(UNSEEN, "\ufffd");
}

/** The text with every invisible character written as an escape (`\x1b`, `\u202e`): for terminals, which would obey it, and hovers. */
export function withEscapes(text: string): string {
  return text.replace(UNSEEN, escapeOf);
}

/** Lines for a terminal: {@link withEscapes}, except for tabs and line ends. */
export function linesWithEscapes(text: string): string {
  return text.replace(UNSEEN, (character, at: number) => {
    const isStructure = character === "\n" || character === "\t" || (character === "\r" && text[at + 1] === "\n");
    return isStructure ? character : escapeOf(character);
  });
}

/** A value as JSON on one line, with every invisible character as a JSON escape (`\u009b`). */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify escapes the first 32 characters and single surrogates itself.
  return typeof value === "number" ? text : text.replace(INVISIBLE, unicodeEscape);
}

function escapeOf(character: string): string {
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : unicodeEscape(character);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
