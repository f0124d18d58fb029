/** What recordings are called beside each other: those of one name carry the folders that tell them apart. Pure. */
import { groupBy } from "./maps";

interface Named {
  readonly name: string;
  /** Paths, as the system writes them. */
  readonly files: readonly string[];
}

/** Names in the order of the recordings: `run.cali`, or `old/run.cali` and `new/run.cali` where several have that name. */
export function distinctNames(recordings: readonly Named[]): string[] {
  const names = recordings.map(({ name }) => name);
  let alike = several(groupBy([...recordings.keys()], (at) => names[at]));
  if (alike.length === 0) return names;
  const paths = recordings.map(foldersOf);
  // One folder more at a time, of those only that have been alike so far.
  for (let count = 1; alike.length > 0; count++) {
    const endings = alike.map((group) => groupBy(group, (at) => paths[at].slice(-count).join("/")));
    for (const [ending, [at, ...others]] of endings.flatMap((groups) => [...groups]))
      if (others.length === 0) names[at] = `${ending}/${names[at]}`;
    // Where there is no further folder, nothing of the path tells them apart.
    alike = endings.flatMap(several).filter((group) => group.some((at) => paths[at].length > count));
  }
  return names;
}

function several(groups: ReadonlyMap<string, number[]>): number[][] {
  return [...groups.values()].filter(({ length }) => length > 1);
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
