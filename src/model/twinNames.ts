/** Files and load modules of two runs: which of the second run's are which of the first's, as their functions are the same (semantics 10). */
import { addTo, entryOf, groupBy } from "./maps";
import { fileName } from "./placeText";

/** Names of one thing that both runs have: the first run's, then the second's. */
export type SharedNames = Iterable<readonly [first: string, second: string]>;

/**
 * Load modules are the same where their names or base names are; of what is left, where most of the functions that both runs have lie in
 * the two: `prog.O1` and `prog.O3` are one program.
 *
 * @param shared of each function of both runs, its module in either
 * @returns the first run's name of a module of the second; a module that only the second has keeps its own
 */
export function twinModules(
  first: Iterable<string>,
  second: Iterable<string>,
  shared: SharedNames,
): (module: string) => string {
  const twins = twinsOf(first, second, shared, () => true);
  return (module) => twins.get(module) ?? module;
}

/**
 * Files are the same where their paths are; of what is left, where their base names are and no other of a run could be meant, or most of
 * the functions that both runs have lie in the two. A file that only the second run has lies in the folder that is its own one's twin.
 *
 * @param shared of each function of both runs, its file in either
 * @returns the first run's path of a file of the second
 */
export function twinFiles(
  first: Iterable<string>,
  second: Iterable<string>,
  shared: SharedNames,
): (file: string) => string {
  const twins = twinsOf(first, second, shared, (own, other) => fileName(own) === fileName(other));
  const folders = new Map(
    [...groupBy(twins, ([other]) => folderOf(other))].map(([of, pairs]) => [of, folderIn(pairs)]),
  );
  return (file) => {
    const known = twins.get(file);
    const folder = known === undefined ? folders.get(folderOf(file)) : undefined;
    return known ?? (folder === undefined ? file : `${folder}${fileName(file)}`);
  };
}

/** With the separator behind it. */
function folderOf(file: string): string {
  return file.slice(0, file.length - fileName(file).length);
}

/** The one folder that all twins of the files of a folder lie in; undefined: they lie in several. */
function folderIn(twins: readonly (readonly [second: string, first: string])[]): string | undefined {
  const folders = new Set(twins.map(([, own]) => folderOf(own)));
  return folders.size === 1 ? [...folders][0] : undefined;
}

/** @returns by name of the second run */
function twinsOf(
  first: Iterable<string>,
  second: Iterable<string>,
  shared: SharedNames,
  mayBe: (first: string, second: string) => boolean,
): ReadonlyMap<string, string> {
  const [ours, theirs] = [new Set(first), new Set(second)];
  const twins = new Map<string, string>();
  const pair = (own: string | undefined, other: string | undefined) => {
    if (own === undefined || other === undefined) return;
    twins.set(other, own);
    ours.delete(own);
    theirs.delete(other);
  };
  for (const name of Array.from(ours)) if (theirs.has(name)) pair(name, name);
  const bases = [ours, theirs].map((names) => groupBy(names, fileName));
  for (const [base, [own, ...more]] of bases[0]) {
    const [other, ...others] = bases[1].get(base) ?? [];
    if (more.length + others.length === 0) pair(own, other);
  }
  const left = [...shared].filter(([own, other]) => ours.has(own) && theirs.has(other) && mayBe(own, other));
  const [of, back] = [mostShared(left), mostShared(left.map(([own, other]) => [other, own]))];
  for (const [own, other] of of) if (back.get(other) === own) pair(own, other);
  return twins;
}

/** For each first name, the second one that it shares most with; none where two are as good. */
function mostShared(shared: SharedNames): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const [own, other] of shared)
    addTo(
      entryOf(counts, own, () => new Map<string, number>()),
      other,
      1,
    );
  const found = new Map<string, string>();
  for (const [own, others] of counts) {
    const [[best, most], [, next] = ["", 0]] = [...others].sort(([, a], [, b]) => b - a);
    if (most > next) found.set(own, best);
  }
  return found;
}
