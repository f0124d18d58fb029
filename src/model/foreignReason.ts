import { fileName } from "./placeText";

/** Reason why a recording of another program is not linked (semantics 16). @returns a sentence */
export function foreignReason(file: string): string {
  return `Recorded from ${notHere(file)}.`;
}

/** The same as a clause about the recording. */
export function foreignClause(file: string): string {
  return `recorded from ${notHere(file)}`;
}

function notHere(file: string): string {
  return `${fileName(file)}, which is not in these folders`;
}
