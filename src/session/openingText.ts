/** Text of the progress of an opening. Pure. */
import { isStage } from "../model/stages";
import { joined } from "../model/texts";
import { formatValue } from "../model/units";

/**
 * The bytes that were read, or the work that follows: `12.0 MB of 150 MB`, `150 MB read, putting it together`, `finding calling contexts`.
 *
 * @param fraction of the bytes, or of the work that the message names; undefined if it is not known
 * @param message a file, or the work
 * @param bytes of all files; NaN if that is not known
 */
export function openingText(fraction: number | undefined, message: string | undefined, bytes: number): string {
  if (isStage(message)) return message ?? "";
  if (fraction !== undefined && fraction >= 1) {
    const all = bytes > 0 ? formatValue(bytes, "B") : "all";
    return `${all} read, putting it together`;
  }
  const isKnown = fraction !== undefined && bytes > 0;
  const read = isKnown ? `${formatValue(fraction * bytes, "B")} of ${formatValue(bytes, "B")}` : undefined;
  return joined([read, message], ", ") || "reading";
}
