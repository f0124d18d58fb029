/** From coarse groups to fine ones and back: `expand` and `collapse` (semantics 2.6). */
import type { Expansion, GroupedContexts, OperationBasis } from "./groupedContexts";
import { RequestError } from "../model/errors";
import { NONE } from "../model/ids";
import { shortName } from "../model/shortName";
import { distinct, picked, pickedBytes, placesOf } from "./columns";
import { type Attribute, attributeNames, keptFunctions } from "./grouping";
import { type FinerNames, ON_THE_WAY } from "./first/firstPicture";
import type { GroupBy, GroupRef } from "./query";
import { GroupNames, targetOf } from "./targets";

/** From coarse to fine. What is grouped by module or map has no place among folders: it goes on with files. */
const LEVELS: readonly Attribute[] = ["folder", "file", "class", "function"];
/** Level of contexts that are grouped by module or map. */
const BEFORE_FILES = LEVELS.indexOf("file") - 1;
const FINEST = LEVELS.length - 1;

/** What a bar would be expanded to; `finer`: not known before files and classes are looked up. */
export type FinerLevel = Attribute | "finer";

/** How fine contexts are that are grouped so. */
export function startingLevel(groupBy: GroupBy): number {
  if (groupBy === "module" || groupBy === "map") return BEFORE_FILES;
  return groupBy === "none" ? FINEST : LEVELS.indexOf(groupBy);
}

/**
 * Names the contexts of a group anew at the next finer level that any of them has; those without it stay.
 *
 * @throws RequestError where there is none
 */
export function expand(
  basis: OperationBasis,
  state: GroupedContexts,
  target: GroupRef,
  check: () => void,
): GroupedContexts {
  const { kept, groups } = state;
  const { isIn } = targetOf(basis, state, target, check);
  const members = placesOf(isIn);
  if (state.finer) return expandFirst(state, state.finer, target, members);
  const before = pickedBytes(state.level, members);
  for (let level = coarsestOf(before) + 1; level <= FINEST; level++) {
    const nameOf = attributeNames(basis, kept, LEVELS[level]);
    const names = new GroupNames(groups);
    // Those that are as fine already keep their names.
    const coarser = picked(members, placesBelow(before, level));
    const functionOf = picked(basis.functions.ofContext, picked(kept.original, coarser));
    const groupOf = new Int32Array(basis.functions.size).fill(NONE);
    let named = false;
    for (const id of distinct(functionOf, basis.functions.size)) {
      const name = nameOf(id);
      if (name === undefined) continue;
      named = true;
      groupOf[id] = names.id(name);
    }
    if (!named) continue;
    const ofContext = groups.ofContext.slice();
    const levels = state.level.slice();
    putKnown(ofContext, coarser, picked(groupOf, functionOf));
    putLevel(levels, coarser, level);
    const expansion: Expansion = {
      target,
      contexts: picked(kept.original, members),
      groups: picked(groups.ofContext, members),
      levels: before,
    };
    return {
      ...state,
      groups: names.groups(ofContext),
      level: levels,
      expansions: [...state.expansions, expansion],
    };
  }
  throw new RequestError(`${shownRef(target)} cannot be expanded: its contexts have no finer level.`);
}

/** {@link expand} in a first picture: what a bar holds gets its own name, all else the next finer one. */
function expandFirst(
  state: GroupedContexts,
  finer: FinerNames,
  target: GroupRef,
  members: Int32Array,
): GroupedContexts {
  const { kept, groups } = state;
  const names = new GroupNames(groups);
  const ofContext = groups.ofContext.slice();
  const level = state.level.slice();
  const isIn = new Uint8Array(kept.size);
  let named = false;
  for (const at of members) {
    isIn[at] = 1;
    const above = kept.parent[at];
    if (level[at] === ON_THE_WAY) {
      // Parents stand before children.
      if (above !== NONE && isIn[above] === 1) ofContext[at] = ofContext[above];
      continue;
    }
    const next = finerName(finer, kept.original[at], groups.names[groups.ofContext[at]], level[at]);
    if (!next) continue;
    named = true;
    ofContext[at] = names.id(next.name);
    level[at] = next.level;
  }
  if (!named) throw new RequestError(`${shownRef(target)} cannot be expanded: its contexts have no finer level.`);
  const expansion: Expansion = {
    target,
    contexts: picked(kept.original, members),
    groups: picked(groups.ofContext, members),
    levels: pickedBytes(state.level, members),
  };
  return { ...state, groups: names.groups(ofContext), level, expansions: [...state.expansions, expansion] };
}

/** The name that a context of a first picture gets next; undefined where it has the finest already. */
function finerName({ pathOf, isHeld }: FinerNames, context: number, shown: string, level: number) {
  const path = pathOf(context);
  if (isHeld[context] === 1 && path[level] !== shown) return { name: path[level], level };
  return level + 1 < path.length ? { name: path[level + 1], level: level + 1 } : undefined;
}

/**
 * The level that {@link expand} would name the contexts of each bar at; undefined where there is none.
 *
 * @param areLookedUp whether files and classes of functions are known
 */
export function finerLevels(
  basis: OperationBasis,
  { kept, level, groups, finer: first }: GroupedContexts,
  bars: { readonly size: number; readonly ofContext: Int32Array },
  areLookedUp: boolean,
): (FinerLevel | undefined)[] {
  if (first) {
    const isFiner = new Uint8Array(bars.size);
    for (let at = 0; at < kept.size; at++)
      if (isFiner[bars.ofContext[at]] === 0 && level[at] !== ON_THE_WAY)
        isFiner[bars.ofContext[at]] = finerName(first, kept.original[at], groups.names[groups.ofContext[at]], level[at])
          ? 1
          : 0;
    return Array.from(isFiner, (is) => (is === 1 ? "finer" : undefined));
  }
  const { functions } = basis;
  const finer = new Int32Array(bars.size).fill(NONE);
  const coarsest = coarsestOf(level);
  const functionOf = picked(functions.ofContext, kept.original);
  for (let next = coarsest + 1; next <= FINEST && finer.includes(NONE); next++) {
    const nameOf = areLookedUp ? attributeNames(basis, kept, LEVELS[next]) : () => "";
    const isNamed = new Uint8Array(functions.size);
    for (const id of keptFunctions(kept)) if (nameOf(id) !== undefined) isNamed[id] = 1;
    markFiner(finer, next, bars.ofContext, level, functionOf, isNamed);
  }
  return Array.from(finer, (next) => (next === NONE ? undefined : areLookedUp ? LEVELS[next] : "finer"));
}

/** Sets the level of each bar that has none yet and holds a coarser context whose function has a name there. */
function markFiner(
  finer: Int32Array,
  next: number,
  barOf: Int32Array,
  level: Uint8Array,
  functionOf: Int32Array,
  isNamed: Uint8Array,
): void {
  for (let context = 0; context < barOf.length; context++)
    if (level[context] < next && isNamed[functionOf[context]] === 1 && finer[barOf[context]] === NONE)
      finer[barOf[context]] = next;
}

/** The least of some levels. */
function coarsestOf(levels: Uint8Array): number {
  let coarsest = FINEST;
  for (let at = 0; at < levels.length; at++) if (levels[at] < coarsest) coarsest = levels[at];
  return coarsest;
}

/** Where a level is coarser than this. */
function placesBelow(levels: Uint8Array, level: number): Int32Array {
  const isBelow = new Uint8Array(levels.length);
  for (let at = 0; at < levels.length; at++) isBelow[at] = levels[at] < level ? 1 : 0;
  return placesOf(isBelow);
}

function putLevel(levels: Uint8Array, places: Int32Array, level: number): void {
  for (let at = 0; at < places.length; at++) levels[places[at]] = level;
}

/** Puts values at places of a column, where they are known. */
function putKnown(column: Int32Array, places: Int32Array, values: Int32Array): void {
  for (let at = 0; at < places.length; at++) if (values[at] !== NONE) column[places[at]] = values[at];
}

/**
 * Takes the last expansion of a group back: its contexts that are still there get the group again that they had.
 *
 * @throws RequestError where it has not been expanded
 */
export function collapse(state: GroupedContexts, target: GroupRef): GroupedContexts {
  const at = state.expansions.findLastIndex(
    (expansion) => expansion.target.group === target.group && expansion.target.bar === target.bar,
  );
  if (at < 0) {
    const open = [...new Set(state.expansions.map((expansion) => shownRef(expansion.target)))].join(", ");
    const others =
      open === "" ? "No group has been." : `Expanded ${state.expansions.length === 1 ? "is" : "are"} ${open}.`;
    throw new RequestError(`${shownRef(target)} has not been expanded, so it cannot be collapsed. ${others}`);
  }
  const { kept, groups } = state;
  const { contexts, levels, groups: before } = state.expansions[at];
  const ofContext = groups.ofContext.slice();
  const level = state.level.slice();
  contexts.forEach((context, index) => {
    const home = kept.home[context];
    if (home < 0 || kept.original[home] !== context) return;
    ofContext[home] = before[index];
    level[home] = levels[index];
  });
  const taken = new Set(contexts);
  // What was expanded inside of it since has ended with it.
  const expansions = state.expansions.filter(
    (expansion, index) => index < at || (index > at && !expansion.contexts.some((context) => taken.has(context))),
  );
  return { ...state, groups: { names: groups.names, ofContext }, level, expansions };
}

function shownRef({ group, bar }: GroupRef): string {
  return `"${shortName(group, 120)}"${bar === undefined ? "" : `#${bar}`}`;
}
