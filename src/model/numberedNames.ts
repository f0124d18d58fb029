/** Names that differ by a number at their end alone. Pure. */

/** `ProfilerStep#12`, `iteration 3`: regions that are one but for their number. */
const NUMBERED = /^(.*[#\s])\d+$/;

/** @returns undefined if the name has no number at its end */
export function stemOf(name: string): string | undefined {
  return NUMBERED.exec(name)?.[1];
}
