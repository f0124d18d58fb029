/** From coarse groups to fine ones and back: `expand` and `collapse` (semantics 2.6). */
import { RequestError } from "../model/errors";
import { NONE } from "../model/ids";
import { shortName } from "../model/shortName";
import type { FilteredTree } from "./filter";
import { type Attribute, attributeNames } from "./grouping";
import type { GroupedContexts, OperationBasis } from "./operations";
import type { GroupBy, GroupRef } from "./query";
import { GroupNames, targetOf } from "./targets";

/** From coarse to fine. What is grouped by module or map has no place among folders: it goes on with files. */
const LEVELS: readonly Attribute[] = ["folder", "file", "class", "function"];
/** Level of contexts that are grouped by module or map. */
const BEFORE_FILES = LEVELS.indexOf("file") - 1;
const FINEST = LEVELS.length - 1;

/** What a bar would be expanded to; `finer`: not known before files and classes are looked up. */
export type FinerLevel = Attribute | "finer";

/** A group that was expanded: what its contexts were before. */
export interface Expansion {
  readonly target: GroupRef;
  /** In the whole tree, ascending. */
  readonly contexts: Int32Array;
  readonly groups: Int32Array;
  readonly levels: Uint8Array;
}

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
  let coarsest = FINEST;
  for (let at = 0; at < members.length; at++) coarsest = Math.min(coarsest, state.level[members[at]]);
  for (let level = coarsest + 1; level <= FINEST; level++) {
    const nameOf = attributeNames(basis, kept, LEVELS[level]);
    const names = new GroupNames(groups);
    const groupOf = ofEachFunction(basis, kept, (id) => {
      const name = nameOf(id);
      return name === undefined ? NONE : names.id(name);
    });
    const ofContext = groups.ofContext.slice();
    const levels = state.level.slice();
    let named = false;
    for (let at = 0; at < members.length; at++) {
      const context = members[at];
      if (state.level[context] >= level) continue;
      levels[context] = level;
      const group = groupOf(context);
      if (group === NONE) continue;
      named = true;
      ofContext[context] = group;
    }
    if (!named) continue;
    const expansion: Expansion = {
      target,
      contexts: picked(kept.original, members),
      groups: picked(groups.ofContext, members),
      levels: Uint8Array.from(picked(state.level, members)),
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

/**
 * The level that {@link expand} would name the contexts of each bar at; undefined where there is none.
 *
 * @param areLookedUp whether files and classes of functions are known
 */
export function finerLevels(
  basis: OperationBasis,
  { kept, level }: GroupedContexts,
  bars: { readonly size: number; readonly ofContext: Int32Array },
  areLookedUp: boolean,
): (FinerLevel | undefined)[] {
  const finer = Array.from<FinerLevel | undefined>({ length: bars.size });
  let open = bars.size;
  const coarsest = level.reduce((least, own) => Math.min(least, own), FINEST);
  for (let next = coarsest + 1; next <= FINEST && open > 0; next++) {
    const nameOf = areLookedUp ? attributeNames(basis, kept, LEVELS[next]) : () => "";
    const isNamed = ofEachFunction(basis, kept, (id) => (nameOf(id) === undefined ? 0 : 1));
    for (let context = 0; context < kept.size && open > 0; context++) {
      const bar = bars.ofContext[context];
      if (level[context] >= next || finer[bar] !== undefined || isNamed(context) === 0) continue;
      finer[bar] = areLookedUp ? LEVELS[next] : "finer";
      open--;
    }
  }
  return finer;
}

/** Where there is a 1. */
function placesOf(marks: Uint8Array): Int32Array {
  const places = new Int32Array(marks.length);
  let count = 0;
  for (let at = 0; at < marks.length; at++) if (marks[at] === 1) places[count++] = at;
  return places.slice(0, count);
}

/** What a column has at some places. */
function picked(column: Int32Array | Uint8Array, places: Int32Array): Int32Array {
  const values = new Int32Array(places.length);
  for (let at = 0; at < places.length; at++) values[at] = column[places[at]];
  return values;
}

/** A number of each context that its function decides, asked for once a function. */
function ofEachFunction(
  { functions }: OperationBasis,
  { original }: FilteredTree,
  numberOf: (id: number) => number,
): (context: number) => number {
  const known = new Int32Array(functions.size);
  const isKnown = new Uint8Array(functions.size);
  return (context) => {
    const id = functions.ofContext[original[context]];
    if (isKnown[id] === 0) [known[id], isKnown[id]] = [numberOf(id), 1];
    return known[id];
  };
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
