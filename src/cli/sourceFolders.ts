/** Folders of source that a command is given, and how files in them are printed. */
import fs from "node:fs";
import path from "node:path";
import type { DataSetInfo, Engine, FunctionPlace, SourceLink } from "../engine/api";
import { ArgumentError } from "./arguments";

/** `--source`, absolute; the working folder unless said. @throws ArgumentError */
export function sourceFolders(given: readonly string[] | undefined, workingFolder: string): string[] {
  const folders = (given ?? ["."]).map((folder) => path.resolve(workingFolder, folder));
  for (const folder of folders) {
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new ArgumentError(`--source: ${folder} is not a folder`);
  }
  return folders;
}

/**
 * A note if a recording is not of the folders that `--source` names: then none of its functions has a place in them.
 *
 * @param given `--source` as it was written; undefined: the working folder was not asked for, so nothing is said of it
 */
export async function sourceNotes(
  engine: Pick<Engine, "foreignClause">,
  { id, name }: Pick<DataSetInfo, "id" | "name">,
  given: readonly string[] | undefined,
): Promise<string[]> {
  const clause = given === undefined ? undefined : await engine.foreignClause({ dataSet: id });
  if (given === undefined || clause === undefined) return [];
  const advice = "Places are printed as recorded. Set --source to the folder of the recorded program.";
  return [`${name} does not belong to ${given.join(", ")}: ${clause}. ${advice}`];
}

/** `src/cell.cc:123`, or as it was recorded where it is not here; "": nothing is known. */
export function placeText({ link, recorded }: FunctionPlace, sources: readonly string[]): string {
  const [place] = link?.places ?? [];
  if (link && place) {
    const more = link.places.length > 1 ? ` and ${link.places.length - 1} more` : "";
    return `${shownFile(place.file, sources)}:${place.line}${more}`;
  }
  if (!recorded) return "";
  return recorded.line === undefined ? recorded.file : `${recorded.file}:${recorded.line}`;
}

/** The same as JSON. */
export function placeJson({ link, recorded }: FunctionPlace, sources: readonly string[]): object | undefined {
  return link && link.places.length > 0 ? placesJson(link, sources) : recorded;
}

/** `file` and `line`, of several equally likely places `places`, of none nothing (semantics 7). */
export function placesJson(link: SourceLink, sources: readonly string[]) {
  const places = link.places.map(({ file, line }) => ({ file: shownFile(file, sources), line }));
  if (places.length === 0) return {};
  return places.length === 1 ? places[0] : { places };
}

/** Relative to the parent of its source folder, else absolute; `/` on every system. */
function shownFile(file: string, sources: readonly string[]): string {
  const folder = sources.find((source) => file.startsWith(source + path.sep));
  return folder === undefined ? file : path.relative(path.dirname(folder), file).split(path.sep).join("/");
}
