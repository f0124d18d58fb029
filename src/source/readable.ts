import { blank } from "./recovery";

/**
 * A text as the C and C++ grammars can read it, at the same length: offsets and lines stay those of the file.
 */
export function readable(text: string): string {
  return withEndedMacros(withoutDeviceWords(text));
}

/** CUDA's additions to C++ are blanked out, at the same length, so that its functions and calls are read as C++. */
function withoutDeviceWords(text: string): string {
  if (!/__global__|__device__|<<</.test(text)) return text;
  return text.replace(
    /__(?:global|device|host|forceinline|noinline|shared|constant|managed)__|__launch_bounds__\([^()\n]{0,200}\)|<<<[^;{}]{0,400}?>>>/g,
    blank,
  );
}

/**
 * A macro alone on its line may bring its own `;` (`REGION_FUNCTION` as the first line of a body): the line's end becomes one.
 * Only after a finished statement and before a word, so that lists of constants stay lists.
 */
function withEndedMacros(text: string): string {
  const lone = /^[ \t]*[A-Z][A-Z0-9_]+(?:\([ \t]*\))?[ \t]*(\r?\n)(?=\s*[A-Za-z_}])/gm;
  let result = "";
  let done = 0;
  for (const found of text.matchAll(lone)) {
    const end = found.index + found[0].length - found[1].length;
    if (!endsStatement(text, found.index)) continue;
    result += `${text.slice(done, end)};${" ".repeat(found[1].length - 1)}`;
    done = end + found[1].length;
  }
  return result + text.slice(done);
}

/** Whether the line before this offset (blank ones skipped) ends a statement, opens a body, or is a comment or a directive. */
function endsStatement(text: string, at: number): boolean {
  let end = at;
  while (end > 0 && /\s/.test(text[end - 1])) end--;
  if (end === 0) return true;
  const line = text.slice(text.lastIndexOf("\n", end - 1) + 1, end);
  return /[{};]$|\*\/$/.test(line) || /^\s*#|\/\//.test(line);
}
