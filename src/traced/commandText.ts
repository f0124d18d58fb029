/**
 * Arguments as a person types them: separated by spaces, kept together by quotes of either kind; a backslash stands for itself.
 * Nothing is expanded, since no shell sees them.
 *
 * @returns undefined where a quote is not closed
 */
export function splitArguments(text: string): string[] | undefined {
  const list: string[] = [];
  let own: string | undefined;
  let quote = "";
  for (const letter of text) {
    if (quote !== "") {
      if (letter === quote) quote = "";
      else own = (own ?? "") + letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      own ??= "";
    } else if (/\s/.test(letter)) {
      if (own !== undefined) list.push(own);
      own = undefined;
    } else own = (own ?? "") + letter;
  }
  if (quote !== "") return undefined;
  return own === undefined ? list : [...list, own];
}
