/** How warnings about recordings are written. */
import type { Warning } from "./dataSet";
import { positionText } from "./errors";
import { entryOf } from "./maps";
import { joined } from "./texts";

/** `file, line 3`; "" where neither is known. */
export function warningPlace({ file, at }: Warning): string {
  return joined([file, at && positionText(at)], ", ");
}

/** `file, line 3: what is wrong`. */
export function warningText(warning: Warning): string {
  const where = warningPlace(warning);
  return where === "" ? warning.message : `${where}: ${warning.message}`;
}

/** What is said several times, of other files or places, is said once, with the first place and how often it came. */
export function distinctWarnings(
  warnings: readonly Warning[],
): { readonly warning: Warning; readonly count: number }[] {
  const known = new Map<string, { warning: Warning; count: number }>();
  for (const warning of warnings) entryOf(known, warning.message, () => ({ warning, count: 0 })).count++;
  return [...known.values()];
}

/** `× 12`, where it came several times. */
export function timesText(count: number): string {
  return count > 1 ? `× ${count}` : "";
}
