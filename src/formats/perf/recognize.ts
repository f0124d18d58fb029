import { headText } from "../cursor";
import type { Head } from "../format";
import { type EventLine, eventLineOf } from "./eventLine";
import { isFrameText } from "./frameLine";

/** Characters that suffice to recognize a line. */
const MAX_CHARACTERS = 4096;
/** Lines above a first sample that has no frames below it, beside comments: warnings that were written into the same file. */
const MAX_OTHER_LINES = 20;
/** Messages of perf, and of tools that it calls, before the first sample. */
const OWN_LINE =
  /^(?:warning\b|failed to |cannot |can't |could(?: not|n't) |no symbols |unable to |\[ ?perf |addr2line|bfd: |dwarf error|processed \d|kernel address maps |as no suitable |samples in kernel |check (?:io|\/proc)|problems |\[vdso\] |[^:]{0,200} with build id |[^:]{0,200}, continuing without symbols)/i;

/**
 * Whether a file is the output of `perf script`, with or without `--header`. If a sample has frames in the lines below it, any number of
 * other lines may come before it.
 */
export function isPerfScript({ bytes, whole }: Head): boolean {
  const seen = { others: 0, own: 0, understood: 0, hasHeader: false };
  let sample: EventLine | undefined;
  let isFound = false;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    // The last line may continue after these bytes.
    if (newline < 0 && !whole) break;
    const line = headText(bytes.subarray(start, end), MAX_CHARACTERS).trimEnd();
    start = end + 1;
    const before = sample;
    sample = eventLineOf(line);
    if (sample?.evidence === "sure" && !isFound && seen.others < MAX_OTHER_LINES) return true;
    if (before !== undefined && isFrameText(line)) isFound = true;
    if (isFound) {
      // A document that only quotes a sample continues with other lines.
      if (sample !== undefined || line.trim() === "" || isFrameText(line) || /^\s/.test(line)) seen.understood++;
      else seen.understood--;
      sample = undefined;
    } else if (line.startsWith("#")) seen.hasHeader ||= /^# (?:captured on|perf version|cmdline) *:/.test(line);
    else if (line.trim() !== "" && sample === undefined) {
      if (OWN_LINE.test(line)) seen.own++;
      else seen.others++;
    }
  }
  if (isFound) return seen.understood > 0;
  // The first sample may stand far below: what stands above it is perf's alone.
  return !whole && seen.others === 0 && (seen.hasHeader || seen.own > 0);
}
