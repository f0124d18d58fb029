/** What recordings are called beside each other: those of one name carry the folders that tell them apart. Pure. */
import type { DataSetInfo } from "../engine/api";

type Named = Pick<DataSetInfo, "name" | "files">;

/** Names in the order of the recordings: `run.cali`, or `old/run.cali` and `new/run.cali` where several have that name. */
export function distinctNames(recordings: readonly Named[]): string[] {
  const names = recordings.map(({ name }) => name);
  if (new Set(names).size === names.length) return names;
  return recordings.map((one) => {
    const others = recordings.filter((other) => other !== one && other.name === one.name);
    if (others.length === 0) return one.name;
    const path = foldersOf(one);
    const most = Math.max(path.length, ...others.map((other) => foldersOf(other).length));
    for (let count = 1; count <= most; count++) {
      const ending = path.slice(-count).join("/");
      if (others.every((other) => foldersOf(other).slice(-count).join("/") !== ending)) return `${ending}/${one.name}`;
    }
    // The same folder: nothing of the path tells them apart.
    return one.name;
  });
}

/** The recordings with those of a folder first, else in their order. */
export function sameFolderFirst<Recording extends Named>(recordings: readonly Recording[], own: Named): Recording[] {
  const folder = foldersOf(own).join("/");
  const isNear = (one: Named) => foldersOf(one).join("/") === folder;
  return [...recordings.filter(isNear), ...recordings.filter((one) => !isNear(one))];
}

/** Folders of its first file, outermost first. */
function foldersOf({ files }: Named): string[] {
  return (files.at(0) ?? "").split(/[/\\]/).slice(0, -1);
}
