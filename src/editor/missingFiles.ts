/** Which recorded files are not found here. Pure. */
import type { HotPlace } from "../engine/api";
import { entryOf } from "../model/maps";

/** Functions named beside a file. */
const MOST_NAMES = 4;

/** @param places heaviest first @returns each missing file once, in that order, with some functions that need it */
export function missingFiles(places: readonly HotPlace[]): { file: string; functions: string[] }[] {
  const files = new Map<string, string[]>();
  for (const { name, link } of places) {
    if (link.missingFile === undefined) continue;
    const functions = entryOf(files, link.missingFile, () => []);
    if (functions.length < MOST_NAMES && !functions.includes(name)) functions.push(name);
  }
  return [...files].map(([file, functions]) => ({ file, functions }));
}
