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
  const paths = alike.length === 0 ? [] : recordings.map(foldersOf);
  // One folder more at a time, of those only that have been alike so far.
  for (let count = 1; alike.length > 0; count++) {
    const endings = alike.map((group) => groupBy(group, (at) => paths[at].slice(-count).join("/")));
    for (const [ending, [at, ...others]] of endings.flatMap((groups) => [...groups]))
      if (others.length === 0) names[at] = `${ending}/${names[at]}`;
    // Where there is no further folder, nothing of the path tells them apart.
    alike = endings.flatMap(several).filter((group) => group.some((at) => paths[at].length > count));
  }
  return withoutDay(names);
}

/** Runs are called by when they were made. */
const DAY = /^\d{4}-\d{2}-\d{2} (?=\d)/;

/** Of several runs of one day the time is what differs, and comes first. */
function withoutDay(names: readonly string[]): string[] {
  const days = names.flatMap((name) => DAY.exec(name)?.[0] ?? []);
  const isOneDay = days.length > 1 && new Set(days).size === 1;
  return names.map((name) => (isOneDay ? name.replace(DAY, "") : name));
}

/** Characters of two names for which there is room beside each other. */
const ROOM = 30;

/** Two names in little room: without what both have at their beginning and end, so that what differs is seen. */
export function shortPair(one: string, other: string): readonly [string, string] {
  if (one.length + other.length <= ROOM || one === other) return [one, other];
  const [a, b] = [one, other].map((name) => name.match(/[^\s./\\]+|[\s./\\]+/g) ?? []);
  const most = Math.min(a.length, b.length) - 1;
  let first = 0;
  while (first < most && a[first] === b[first]) first++;
  let last = 0;
  while (last < most - first && a[a.length - 1 - last] === b[b.length - 1 - last]) last++;
  const differing = (parts: readonly string[]) => {
    const text = parts.slice(first, parts.length - last).join("");
    const half = Math.floor(ROOM / 4);
    const cut = text.length <= 2 * half + 1 ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
    return `${first > 0 ? "…" : ""}${cut}${last > 0 ? "…" : ""}`;
  };
  return [differing(a), differing(b)];
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
