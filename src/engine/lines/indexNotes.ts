import type { SymbolIndex } from "../../source/symbolIndex";

/** Names that a sentence has. */
const MOST_NAMES = 3;

/** What an index does not know, in sentences. */
export function indexNotes({ words, unparsed }: Pick<SymbolIndex, "words" | "unparsed">, megabytes: number): string[] {
  const notes: string[] = [];
  if (words.unread.size > 0)
    notes.push(
      `The folders hold more source than the ${megabytes} MB that are read (heatflow.limits.source): ${words.unread.size} files are ` +
        "searched only where the recording or a file near the caller names them.",
    );
  if (unparsed.length > 0) {
    const names = unparsed.slice(0, MOST_NAMES).join(", ");
    const more = unparsed.length > MOST_NAMES ? ` and ${unparsed.length - MOST_NAMES} more` : "";
    notes.push(
      unparsed.length === 1
        ? `A source file could not be parsed, and nothing is found in it: ${names}.`
        : `${unparsed.length} source files could not be parsed, and nothing is found in them: ${names}${more}.`,
    );
  }
  return notes;
}
