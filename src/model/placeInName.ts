/** Places that tools write into the names of functions, since their formats have no field for them. */

export interface NamedPlace {
  /** The function alone. */
  readonly name: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Endings of source files. Without this check, a host with its port would match. */
const SOURCE =
  /\.(?:c|cc|cpp|cxx|c\+\+|cp|h|hh|hpp|hxx|inl|ipp|tpp|cu|cuh|hip|py|pyx|pxd|pyi|f|for|ftn|f77|f90|f95|f03|f08|rs|go|jl|java|kt|swift|d|zig|chpl|cs|js|mjs|cjs|jsx|ts|tsx|rb|php|lua|pl|r|m|mm|scala|hs|ml)$/i;
const LINE = /^(.+?):(\d{1,9})(?::\d{1,9})?$/s;

/**
 * Parses `solve (grid.py:12)` of py-spy, speedscope and folded stacks, `solve (grid.js:12:3)` with a column, and `grid.py(12): solve` of
 * PyTorch.
 *
 * @returns undefined if the name contains no line of a source file
 */
export function placeInName(name: string): NamedPlace | undefined {
  const behind = name.endsWith(")") ? placeBehind(name) : undefined;
  if (behind !== undefined) return behind;
  const end = name.indexOf("): ");
  return end < 0 ? undefined : placeBefore(name, end);
}

function placeBehind(name: string): NamedPlace | undefined {
  const open = openingOf(name);
  if (open <= 0) return undefined;
  const [, file, line] = LINE.exec(name.slice(open + 1, -1)) ?? [];
  return file === undefined ? undefined : placeOf(name.slice(0, open).trimEnd(), file, line);
}

function placeBefore(name: string, end: number): NamedPlace | undefined {
  const open = name.lastIndexOf("(", end);
  const line = name.slice(open + 1, end);
  return open > 0 && /^\d{1,9}$/.test(line) ? placeOf(name.slice(end + 3), name.slice(0, open), line) : undefined;
}

function placeOf(name: string, file: string, digits: string): NamedPlace | undefined {
  const line = Number(digits);
  return name !== "" && SOURCE.test(file) && line > 0 ? { name, file, line } : undefined;
}

/** Index of the parenthesis that the last character closes. Names of files may contain parentheses, too. */
function openingOf(name: string): number {
  let depth = 0;
  for (let at = name.length - 1; at >= 0; at--) {
    if (name[at] === ")") depth++;
    else if (name[at] === "(" && --depth === 0) return at;
  }
  return -1;
}
