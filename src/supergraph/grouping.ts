import { addressText, ANY_ADDRESS, type FrameTable, isPlaceholderName } from "../model/frames";
import type { FunctionTable } from "../model/functions";
import { RequestError } from "../model/errors";
import { NONE } from "../model/ids";
import type { ContextTree } from "../model/contextTree";
import { entryOf } from "../model/maps";
import { isNamedAsMpi } from "../model/mpiNames";
import { distinct, picked } from "./columns";
import type { FilteredTree } from "./filter";
import { groupsByMap } from "./groupMap";
import { folderOf, normalPath, shortestUniqueEndings } from "./pathNames";
import type { GroupBy, GroupMap } from "./query";

/** What is known about functions: from the data, else from the symbol index. Asked for kept functions only. */
export interface FunctionAttributes {
  /** File of the definition: absolute, or as recorded. Never that of a call line. */
  file(id: number): string | undefined;
  /** Class with namespace: `heat::Solver`. */
  className(id: number): string | undefined;
  /** Load module: its path or name as recorded. */
  module(id: number): string | undefined;
  /** A mangled name as people read it; undefined where it is in no known way. */
  readable?(name: string): string | undefined;
  /** Further files of the data set, so that a group's short name is unique in all of it and not only in what is kept. */
  readonly files?: Iterable<string>;
  /** Files and classes were not asked for, since nothing is grouped by them. */
  readonly notLookedUp?: boolean;
}

/** The group of each kept context. */
export interface Groups {
  /** Name of each group. */
  readonly names: readonly string[];
  /** Group of each kept context. */
  readonly ofContext: Int32Array;
}

/** The tables that grouping reads. */
export interface GroupingBasis {
  readonly tree: ContextTree;
  readonly frames: FrameTable;
  readonly functions: FunctionTable;
  readonly attributes: FunctionAttributes;
}

/** Group of frames whose attribute is not known; it is never dropped. */
export const NOT_KNOWN = "not known";
/** Group of MPI calls, where they have no file, folder or class of their own. */
export const MPI = "MPI";

/**
 * Names the group of each kept context (semantics 2.2).
 *
 * @param map the user's map of groups, for `map`
 * @throws RequestError where the map has a pattern that is not one
 */
export function groupContexts(basis: GroupingBasis, kept: FilteredTree, groupBy: GroupBy, map?: GroupMap): Groups {
  if (groupBy === "none") return groupByPath(basis, kept);
  const nameOf = groupNames(basis, kept, groupBy, map);
  const names: string[] = [];
  const byName = new Map<string, number>();
  const { functions } = basis;
  const functionOf = picked(functions.ofContext, kept.original);
  const ofFunction = new Int32Array(functions.size).fill(NONE);
  for (const id of distinct(functionOf, functions.size)) {
    const name = nameOf(id);
    ofFunction[id] = entryOf(byName, name, () => names.push(name) - 1);
  }
  return { names, ofContext: picked(ofFunction, functionOf) };
}

/** All path names together: those of a wide tree below a deep chain would grow with the product of both. */
const MOST_PATH_CHARACTERS = 100e6;

/** The calling context tree itself: a group a path of names. */
function groupByPath({ tree, frames }: GroupingBasis, kept: FilteredTree): Groups {
  const names: string[] = [];
  const ofContext = new Int32Array(kept.size);
  const below = new Map<number, number>();
  let characters = 0;
  for (let context = 0; context < kept.size; context++) {
    const above = kept.parent[context] === NONE ? NONE : ofContext[kept.parent[context]];
    const frame = tree.frame[kept.original[context]];
    // Siblings of one name have one path. Names stay below 2^26, so the pair is an exact integer.
    const key = (above + 1) * 0x4000000 + frames.nameKey(frame);
    let group = below.get(key);
    if (group === undefined) {
      const own = frames.nameOf(frame);
      group = names.push(above === NONE ? own : `${names[above]}/${own}`) - 1;
      below.set(key, group);
      characters += names[group].length;
      if (characters > MOST_PATH_CHARACTERS) throw tooDeep(names.length);
    }
    ofContext[context] = group;
  }
  return { names, ofContext };
}

function tooDeep(paths: number): RequestError {
  return new RequestError(
    `Without groups every calling context is named by its path, and ${paths} of these paths already have more than ` +
      `${MOST_PATH_CHARACTERS / 1e6} million characters. Filter more, or group by function.`,
  );
}

export type NameOfFunction = (id: number) => string;

/** What the functions of a group have in common, from coarse to fine. */
export type Attribute = "folder" | "file" | "class" | "function";

/**
 * The name of each kept function's group, before contexts are looked at.
 *
 * @throws RequestError where the map has a pattern that is not one
 */
export function groupNames(
  basis: GroupingBasis,
  kept: FilteredTree,
  groupBy: Exclude<GroupBy, "none">,
  map: GroupMap = {},
): NameOfFunction {
  const nameOf =
    groupBy === "map"
      ? byMap(basis, kept, map)
      : groupBy === "module"
        ? byModule(basis)
        : orNotKnown(basis, groupBy, attributeNames(basis, kept, groupBy));
  return (id) => (isOutside(basis, id) ? functionName(basis, id) : nameOf(id));
}

/** What the group of each kept function is named by at one level; undefined where a function does not have it. */
export function attributeNames(
  basis: GroupingBasis,
  kept: FilteredTree,
  attribute: Attribute,
): (id: number) => string | undefined {
  const { attributes } = basis;
  const naming: Record<Attribute, () => (id: number) => string | undefined> = {
    folder: () => byPath(basis, kept, (path) => folderOf(normalPath(path))),
    file: () => byPath(basis, kept, (path) => normalPath(path)),
    class: () => (id) => attributes.className(id) || undefined,
    function: () => byFunction(basis, kept),
  };
  const nameOf = naming[attribute]();
  // What Caliper marks as MPI is of no file or class, whatever an index says of a function of that name.
  const isOf = (id: number) => attribute === "function" || !isMarkedMpi(basis, id);
  return (id) => (isOutside(basis, id) || !isOf(id) ? undefined : nameOf(id));
}

/** Groups by a path of the definition's file, under its shortest unique ending. */
function byPath(basis: GroupingBasis, kept: FilteredTree, pathOf: (file: string) => string | undefined) {
  const own = new Map<number, string>();
  const paths: string[] = [];
  const add = (file: string | undefined) => {
    const path = file ? pathOf(file) : undefined;
    if (path) paths.push(path);
    return path;
  };
  for (const file of basis.attributes.files ?? []) add(file);
  for (const id of keptFunctions(kept)) {
    const path = add(basis.attributes.file(id));
    if (path) own.set(id, path);
  }
  const names = shortestUniqueEndings(paths);
  return (id: number) => {
    const path = own.get(id);
    return path === undefined ? undefined : names.get(path);
  };
}

/** The user's own groups. */
function byMap(basis: GroupingBasis, kept: FilteredTree, map: GroupMap): NameOfFunction {
  const names = new Set(keptFunctions(kept).map((id) => functionName(basis, id)));
  const groups = groupsByMap(map, [...names]);
  return (id) => groups.get(functionName(basis, id)) ?? NOT_KNOWN;
}

/** Load modules as recorded. */
function byModule(basis: GroupingBasis): NameOfFunction {
  return (id) => basis.attributes.module(id) || (isMpi(basis, id) ? MPI : NOT_KNOWN);
}

/** Frames that Caliper marked as MPI, and `MPI_*` functions without a definition, are one group (semantics 2.2). */
function orNotKnown(
  basis: GroupingBasis,
  attribute: Attribute,
  nameOf: (id: number) => string | undefined,
): NameOfFunction {
  const isGroupMpi = (id: number) => isMarkedMpi(basis, id) || (isMpi(basis, id) && !basis.attributes.file(id));
  return (id) => nameOf(id) ?? (attribute !== "function" && isGroupMpi(id) ? MPI : NOT_KNOWN);
}

/** A group per function. Different functions of one name are distinguished by file, module or address. */
function byFunction(basis: GroupingBasis, kept: FilteredTree): (id: number) => string | undefined {
  const { frames, functions } = basis;
  const count = new Map<string, number>();
  for (const id of keptFunctions(kept)) {
    const name = functionName(basis, id);
    count.set(name, (count.get(name) ?? 0) + 1);
  }
  return (id) => {
    const name = functionName(basis, id);
    const frame = functions.frame[id];
    if (isPlaceholderName(name) && frames.addressOf(frame) === NONE) return undefined;
    if (count.get(name) === 1) return name;
    const { file, module, address } = frames.get(frame as never);
    const isOfAddress = address !== undefined && address !== ANY_ADDRESS;
    const place = isPlaceholderName(name) && isOfAddress ? addressText(address) : undefined;
    const detail = [place, file, module].filter((part) => part !== undefined);
    return detail.length === 0 ? name : `${name} (${detail.join(", ")})`;
  };
}

/** Functions of the filtered tree, ascending. */
export function keptFunctions(kept: FilteredTree): number[] {
  const ids: number[] = [];
  kept.keptFunction.forEach((isKept, id) => isKept && ids.push(id));
  return ids;
}

function functionName({ frames, functions }: GroupingBasis, id: number): string {
  return frames.nameOf(functions.frame[id]);
}

function isMpi(basis: GroupingBasis, id: number): boolean {
  return isMarkedMpi(basis, id) || isNamedAsMpi(functionName(basis, id));
}

function isMarkedMpi({ frames, functions }: GroupingBasis, id: number): boolean {
  return frames.originOf(functions.frame[id]) === "mpi";
}

function isOutside({ frames, functions }: GroupingBasis, id: number): boolean {
  return frames.originOf(functions.frame[id]) === "outside";
}
