/** Files as arguments that can be pasted into a shell. */
import fs from "node:fs";
import path from "node:path";
import { groupBy } from "../model/maps";
import { shellQuoted } from "../model/shellText";

/**
 * Arguments that a shell expands to exactly these files: for each folder one pattern, `/runs/trace/events-*.cali`, or the files themselves if a
 * pattern would match others as well.
 *
 * @param namesIn names of all files of a folder
 */
export function filePatterns(
  files: readonly string[],
  namesIn: (folder: string) => readonly string[] = listed,
): string {
  const folders = groupBy(files, (file) => path.dirname(file));
  return [...folders].flatMap(([folder, own]) => patternOf(folder, own, namesIn) ?? own.map(shellQuoted)).join(" ");
}

function patternOf(
  folder: string,
  files: readonly string[],
  namesIn: (folder: string) => readonly string[],
): string | undefined {
  if (files.length < 2) return undefined;
  const names = files.map((file) => path.basename(file));
  const prefix = commonStart(names);
  const suffix = reversed(commonStart(names.map((name) => reversed(name.slice(prefix.length)))));
  const matches = (name: string) =>
    name.length >= prefix.length + suffix.length &&
    name.startsWith(prefix) &&
    name.endsWith(suffix) &&
    // A shell's `*` at the start leaves out hidden files.
    (prefix !== "" || !name.startsWith("."));
  const own = new Set(names);
  // Some shells expand `.*` to these as well.
  const matched = namesIn(folder).concat(".", "..").filter(matches);
  if (matched.length !== own.size || !matched.every((name) => own.has(name))) return undefined;
  const [first] = files;
  const start = first.slice(0, first.length - names[0].length) + prefix;
  return `${shellQuoted(start)}*${shellQuoted(suffix)}`;
}

function commonStart(names: readonly string[]): string {
  const [first, ...others] = names;
  let length = first.length;
  for (const name of others) {
    let same = 0;
    while (same < length && name[same] === first[same]) same++;
    length = same;
  }
  const start = first.slice(0, length);
  // Half a character is no text of a pattern.
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

function listed(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
