/** What runs are called, and what their names say of them. */
import { groupBy } from "../../model/maps";
import { shortestUniqueEndings } from "../../supergraph/pathNames";

/**
 * The shortest ending of each path, without the ending of its file name, that is unique (semantics 10, Runs); with that ending
 * where it is all that tells two files apart.
 *
 * @param folders among the paths: their names have no ending
 */
export function runNames(paths: readonly string[], folders: ReadonlySet<string> = new Set()): string[] {
  const short = paths.map((path) => (folders.has(path) ? path : withoutEnding(path)));
  const shared = new Set([...groupBy(short, (path) => path)].flatMap(([path, { length }]) => (length > 1 ? path : [])));
  const told = short.map((path, at) => (shared.has(path) ? paths[at] : path));
  const names = shortestUniqueEndings(told);
  return told.map((path) => names.get(path) ?? path);
}

/** Names that nothing has twice: where several have one, the first keeps it, the next is `run (2)`. @param taken by others */
export function namesApart(names: readonly string[], taken: ReadonlySet<string>): string[] {
  const known = new Set(taken);
  return names.map((name) => {
    let own = name;
    for (let next = 2; known.has(own); next++) own = `${name} (${next})`;
    known.add(own);
    return own;
  });
}

/** `runs/np4` of `runs/np4.cali.gz`. */
function withoutEnding(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const [ending] = /(?:\.[A-Za-z][\w-]{0,15})?(?:\.gz)?$/.exec(name.slice(1)) ?? [""];
  return path.slice(0, path.length - ending.length);
}

/** By code points. */
export function compareRunNames(a: string, b: string): number {
  const [one, other] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (;;) {
    const [x, y] = [one.next(), other.next()];
    if (x.done === true || y.done === true) return Number(y.done === true) - Number(x.done === true);
    if (x.value !== y.value) return (x.value.codePointAt(0) ?? 0) - (y.value.codePointAt(0) ?? 0);
  }
}
