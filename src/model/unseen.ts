/** Text out of recordings, made fit to be shown: names may hold any character. */

/** Control characters and marks that turn the direction of writing: they could make a name look like another one. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The text with a sign in place of every invisible character: for drawings. */
export function visible(text: string): string {
  return text.replace(UNSEEN, "\ufffd");
}

/** The text with every invisible character written as an escape (`\x1b`, `\u202e`): for terminals, which would obey it, and hovers. */
export function withEscapes(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
