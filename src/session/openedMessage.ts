/** What the window says when something was opened. Pure. */
import { basename } from "node:path";
import type { DataSetInfo } from "../engine/api";
import { joined } from "../model/texts";
import { distinctWarnings, timesText } from "../model/warningTexts";

/** Names of files for a title: `a.cali`, `a.cali and b.cali`, `a.cali and 7 more`. */
export function listOf(paths: readonly string[]): string {
  const names = paths.map((path) => basename(path) || path);
  if (names.length <= 2) return names.join(" and ");
  return `${names[0]} and ${names.length - 1} more`;
}

/** `left out: …`; of several the first one says how many files were opened: `3 of 4 files opened; left out: …`. */
const LEFT_OUT = /^(?:\d+ of \d+ files opened; )?left out: /;

/**
 * Message if the user may not expect what was opened: several runs, or warnings that matter.
 *
 * @param page the data set whose page is shown: the page lists its warnings, so that only files that were left out remain
 */
export function openedMessage(
  infos: readonly DataSetInfo[],
  page?: number,
): { text: string; warn: boolean } | undefined {
  const warnings = infos.flatMap(({ id, name, files, warnings }) =>
    // A file that was left out does not belong to the data set that reports it.
    distinctWarnings(
      warnings.filter(({ isMinor, message }) => isMinor !== true && (id !== page || LEFT_OUT.test(message))),
    ).map(({ warning: { file, message }, count }) => ({
      name: LEFT_OUT.test(message) && file !== undefined && !files.includes(file) ? basename(file) : name,
      message: joined([message, timesText(count)], " "),
    })),
  );
  const sentences: string[] = [];
  if (infos.length > 1) {
    const names = infos.map(({ name }) => name).join(", ");
    sentences.push(`The files belong to several runs and opened as ${infos.length} data sets: ${names}.`);
  }
  if (warnings.length > 0) {
    const more = warnings.length > 1 ? ` (${warnings.length - 1} more in the Data Sets view)` : "";
    sentences.push(`${warnings[0].name}: ${warnings[0].message}${more}`);
  }
  return sentences.length === 0 ? undefined : { text: sentences.join(" "), warn: warnings.length > 0 };
}
