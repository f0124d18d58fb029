/**
 * Short names of files and folders: the shortest ending of a path that no other path of the data set has (semantics 2.2).
 */

/** A path without `.`, `..` and doubled slashes, so that two spellings of one file are one group. No file is looked at. */
export function normalPath(path: string): string {
  const absolute = path.startsWith("/");
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts[parts.length - 1] !== "..") parts.pop();
    else if (part !== ".." || !absolute) parts.push(part);
  }
  return (absolute ? "/" : "") + parts.join("/");
}

/** The folder of a normal path; undefined where the path does not name one. */
export function folderOf(path: string): string | undefined {
  const slash = path.lastIndexOf("/");
  if (slash < 0) return undefined;
  return slash === 0 ? "/" : path.slice(0, slash);
}

/**
 * @param paths normal paths; repeated ones count once
 * @returns for each distinct path its shortest ending (whole parts) that is the ending of no other; the whole path where
 * every ending is shared
 */
export function shortestUniqueEndings(paths: Iterable<string>): Map<string, string> {
  const distinct = [...new Set(paths)];
  const count = new Map<string, number>();
  for (const path of distinct) for (const ending of endings(path)) count.set(ending, (count.get(ending) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const path of distinct) {
    let name = path;
    for (const ending of endings(path)) {
      if (count.get(ending) !== 1) continue;
      name = ending;
      break;
    }
    names.set(path, name);
  }
  return names;
}

/** Endings of a path from its last part on: `c`, `b/c`, `a/b/c`, and the path itself where it is absolute. */
function* endings(path: string): Generator<string> {
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    if (slash + 1 < path.length) yield path.slice(slash + 1);
  }
  if (path.startsWith("/") && path.length > 1) yield path.slice(1);
  yield path;
}
