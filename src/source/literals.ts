const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};

/**
 * The text of a string literal as written in C, C++ or Python: `"x"`, `L"x"`, `R"(x)"`, `'x'`, and several side by side.
 *
 * @returns undefined where the text is no literal
 */
export function readLiteral(written: string): string | undefined {
  const raw = /^(?:u8|u|U|L)?R"([^()\\\s]{0,16})\(([^]*)\)\1"$/.exec(written);
  if (raw) return raw[2];
  if (!/^\w{0,2}["']/.test(written)) return undefined;
  const piece = /\s*(?:u8|[uULrRbB])?(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)')\s*/y;
  let text = "";
  while (piece.lastIndex < written.length) {
    const found = piece.exec(written);
    if (found === null) return undefined;
    text += (found[1] ?? found[2]).replace(/\\([^])/g, (_, char: string) => escapes[char] ?? char);
  }
  return text;
}
