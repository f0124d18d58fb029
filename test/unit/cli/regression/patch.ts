/** The regression: one function of miniheat does all of its work twice. */

/** Of miniheat. */
export const PATCHED_FILE = "src/solver.cpp";
export const PATCHED_FUNCTION = "mini::HeatOperator::apply";

const FIRST_LINE = "void HeatOperator::apply(";
const LOOP = "    for (int k = 0; k < e.nz; ++k)\n";

/** @param source text of {@link PATCHED_FILE} */
export function patched(source: string): string {
  const at = source.indexOf(LOOP, source.indexOf(FIRST_LINE));
  if (at < 0) throw new Error(`${PATCHED_FILE} has no ${FIRST_LINE} with a loop over k`);
  return `${source.slice(0, at)}    for (int again = 0; again < 2; ++again)\n${source.slice(at)}`;
}

/** Where {@link PATCHED_FUNCTION} begins, 1-based; the same in both sources. */
export function patchedLine(source: string): number {
  return source.slice(0, source.indexOf(FIRST_LINE)).split("\n").length;
}
