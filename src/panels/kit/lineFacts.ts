import type { SourceLink } from "../../engine/api";
import { placeText } from "../../model/placeText";
import { shorten } from "../../model/texts";

const MAX_REASON = 300;

/**
 * Text for the line of a mark that leads to no line, with the reason.
 *
 * @param link undefined if the mark has no frame that could be linked
 * @returns empty if there is a line
 */
export function lineFacts(link: SourceLink | undefined): [string, string][] {
  if (link === undefined) return [["line", "not known"]];
  if (placeText(link) !== undefined) return [];
  const reason = shorten(link.reason.replace(/\.$/, ""), MAX_REASON);
  // A name stays as it is written: MPI_Send, libm.so.
  const clause = reason.replace(/^[A-Z](?=[a-z]+ )/, (first) => first.toLowerCase());
  return [["line", clause === "" ? "not known" : `not known: ${clause}`]];
}
