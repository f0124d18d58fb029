/** Functions below their files and these in their folders, or, where no file is known, below their load modules. Pure. */
import { NONE } from "../../model/ids";
import { NOT_KNOWN } from "../../supergraph/grouping";
import { type Tree, treeOf, type TreeEntry } from "../resources/resourceTree";
import type { CodeKind } from "./codeApi";

export interface CodeFunction {
  readonly function: number;
  readonly name: string;
  readonly value: number;
  /** Path of its definition's file; undefined: not known. */
  readonly file: string | undefined;
  readonly module: string;
}

export interface CodeTree extends Tree {
  /** By node: its function, NONE. */
  readonly functionOf: Int32Array;
  /** By node: the file or load module that it is, or is in; NONE: a folder. */
  readonly groupOf: Int32Array;
  readonly groups: readonly string[];
  /** By node: what its functions have in all. */
  readonly values: Float64Array;
  /** No function has a known file or load module. */
  readonly isUnplaced: boolean;
}

/** Name of the group of functions without file and load module. */
const UNPLACED = "no file or load module recorded";

interface Branch {
  name: string;
  readonly kind: CodeKind;
  readonly inside: Map<string, Branch>;
  readonly functions: CodeFunction[];
  value: number;
}

function branch(name: string, kind: CodeKind): Branch {
  return { name, kind, inside: new Map(), functions: [], value: 0 };
}

/** A folder that has nothing but one other folder is one with it. Of what is in one node the largest comes first. */
export function codeTree(functions: readonly CodeFunction[]): CodeTree {
  const root = branch("all", "all");
  for (const one of functions) {
    let at = root;
    root.value += one.value;
    for (const [name, kind] of wayTo(one)) {
      const key = `${kind} ${name}`;
      const next = at.inside.get(key) ?? branch(name, kind);
      at.inside.set(key, next);
      next.value += one.value;
      at = next;
    }
    at.functions.push(one);
  }
  const entries: (TreeEntry & { readonly value: number; readonly function: number; readonly group: number })[] = [];
  const groups: string[] = [];
  const waiting: { own: Branch; parent: number }[] = [{ own: root, parent: NONE }];
  // Without recursion: a path may have any number of folders.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { parent } = next;
    let { own } = next;
    for (let only = onlyFolder(own); only; only = onlyFolder(own)) {
      only.name = `${own.name}/${only.name}`;
      own = only;
    }
    const isGroup = own.kind === "file" || own.kind === "load module";
    const group = isGroup ? groups.push(own.name) - 1 : NONE;
    const { name, kind: type, value } = own;
    const at = entries.push({ name, type, parent, value, group, function: NONE }) - 1;
    for (const one of [...own.functions].sort((a, b) => b.value - a.value || a.function - b.function))
      entries.push({ name: one.name, type: "function", parent: at, value: one.value, function: one.function, group });
    // The last one is taken first.
    const inside = [...own.inside.values()].sort((a, b) => a.value - b.value);
    for (const one of inside) waiting.push({ own: one, parent: at });
  }
  return {
    ...treeOf(entries),
    groups,
    values: Float64Array.from(entries, ({ value }) => value),
    isUnplaced: functions.length > 0 && groups.length === 1 && groups[0] === UNPLACED,
    functionOf: Int32Array.from(entries, (entry) => entry.function),
    groupOf: Int32Array.from(entries, ({ group }) => group),
  };
}

function onlyFolder({ kind, inside, functions }: Branch): Branch | undefined {
  if (kind !== "folder" || inside.size !== 1 || functions.length > 0) return undefined;
  const [only] = inside.values();
  return only.kind === "folder" ? only : undefined;
}

/** Parts of a path without `.` and without `..` behind a folder: `./csu/../csu/libc-start.c` is in `csu`. */
function withoutDots(parts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const part of parts) {
    if (part === ".") continue;
    const isBack = part === ".." && !["", "..", undefined].includes(kept.at(-1));
    if (isBack) kept.pop();
    else kept.push(part);
  }
  return kept;
}

/** Folders from the outermost on, then the file; or the load module. */
function wayTo({ file, module }: CodeFunction): [string, CodeKind][] {
  if (file === undefined) return [[module === NOT_KNOWN ? UNPLACED : module, "load module"]];
  const parts = withoutDots(file.split(/[\\/]/));
  const last = parts.pop() ?? file;
  const isAbsolute = parts.at(0) === "";
  // Nothing is between two separators. The outermost folder of an absolute path begins with one: all of them are in no node of their own.
  const folders = parts.filter((name) => name !== "").map((name, at) => (isAbsolute && at === 0 ? `/${name}` : name));
  return [...folders.map((name): [string, CodeKind] => [name, "folder"]), [last, "file"]];
}
