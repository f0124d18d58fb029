/** Operations on grouped contexts (semantics 2.6): each changes which contexts are there and which group each has. */
import type { GroupedContexts, OperationBasis } from "./groupedContexts";
import { RequestError } from "../model/errors";
import { isFunctionKind } from "../model/frames";
import { NONE } from "../model/ids";
import { distinct, picked, pickedBytes, pickedOrNone, placesOf } from "./columns";
import { type FilteredTree, functionsAtLeast, keepContexts, ofFunctions } from "./filter";
import { groupContexts, groupNames, type Groups } from "./grouping";
import { collapse, expand, startingLevel } from "./levels";
import { DEEPER_NAME } from "./bars";
import { meantName } from "./meantNames";
import type { GraphOperation, GroupBy } from "./query";
import { entriesOf, FunctionNames, GroupNames, type Target, targetOf } from "./targets";

/** Contexts as they are grouped before the first operation. */
export function startingGroups(kept: FilteredTree, groups: Groups, groupBy: GroupBy): GroupedContexts {
  return { kept, groups, groupBy, level: new Uint8Array(kept.size).fill(startingLevel(groupBy)), expansions: [] };
}

/**
 * Applies one operation.
 *
 * @throws RequestError where it names a group or function that is not there, or has nothing to do
 */
export function applyOperation(
  basis: OperationBasis,
  state: GroupedContexts,
  given: GraphOperation,
  check: () => void,
): GroupedContexts {
  const operation = withMeantGroup(state, given);
  switch (operation.kind) {
    case "filter": {
      return keepOnly(basis, state, ofFunctions(basis, functionsAtLeast(basis, operation.percent)));
    }
    case "group-by":
      return startingGroups(
        state.kept,
        groupContexts(basis, state.kept, operation.groupBy, basis.map),
        operation.groupBy,
      );
    case "hide": {
      const { isIn } = targetOf(basis, state, operation.target, check);
      return keepOnly(basis, state, marksOutside(state.kept.original, isIn, basis.tree.size));
    }
    case "split-by-entry":
      return splitByEntry(basis, state, operation, check);
    case "split-by-caller":
      return splitByCaller(basis, state, operation, check);
    case "reveal":
      return reveal(basis, state, operation, check);
    case "expand":
      return expand(basis, state, operation.target, check);
    case "collapse":
      return collapse(state, operation.target);
  }
}

/** Groups by function may be called by their functions' short names. @throws RequestError where several are meant */
function withMeantGroup({ groups, groupBy }: GroupedContexts, operation: GraphOperation): GraphOperation {
  if (groupBy !== "function" || operation.kind === "collapse" || !("target" in operation) || !operation.target)
    return operation;
  const { group } = operation.target;
  if (group === DEEPER_NAME || groups.names.includes(group)) return operation;
  return { ...operation, target: { ...operation.target, group: meantName(new Set(groups.names), group, "a group") } };
}

/**
 * Takes away contexts of those that are there; the others keep their groups.
 *
 * @param isLeft 1 for each context of the whole tree that stays, if it is there
 */
function keepOnly(basis: OperationBasis, state: GroupedContexts, isLeft: Uint8Array): GroupedContexts {
  const before = state.kept;
  const kept = keepContexts(basis, marksAt(before.original, isLeft));
  const wasAt = picked(before.home, kept.original);
  const groups = { names: state.groups.names, ofContext: picked(state.groups.ofContext, wasAt) };
  return { ...state, kept, groups, level: pickedBytes(state.level, wasAt) };
}

/** The marks at some places; 0 elsewhere. */
function marksAt(places: Int32Array, marks: Uint8Array): Uint8Array {
  const found = new Uint8Array(marks.length);
  for (let at = 0; at < places.length; at++) found[places[at]] = marks[places[at]];
  return found;
}

/** 1 for each of these contexts of the whole tree that is not in. */
function marksOutside(original: Int32Array, isIn: Uint8Array, contexts: number): Uint8Array {
  const marks = new Uint8Array(contexts);
  for (let at = 0; at < original.length; at++) marks[original[at]] = 1 - isIn[at];
  return marks;
}

/** The contexts under each set of entries get a group of their own. */
function splitByEntry(
  basis: OperationBasis,
  state: GroupedContexts,
  { target, sets }: Extract<GraphOperation, { kind: "split-by-entry" }>,
  check: () => void,
): GroupedContexts {
  const { kept } = state;
  const where = targetOf(basis, state, target, check);
  const entries = entriesOf(kept, where);
  const { functions } = basis;
  const callee = picked(functions.ofContext, picked(kept.original, entries));
  const what = `an entry function of ${target.group}`;
  const entered = new FunctionNames(basis, distinct(callee, functions.size), what);
  const names = new GroupNames(state.groups);
  const groupOf = new Int32Array(functions.size).fill(NONE);
  for (const found of sets.map((given) => [...new Set(given)].map((name) => entered.named(name)))) {
    const set = found.map(({ name }) => name);
    const group = names.id(`${target.group}-${set.length === 1 ? set[0] : `{${set.join(",")}}`}`);
    for (const id of found.flatMap(({ ids }) => ids)) {
      if (groupOf[id] !== NONE) throw new RequestError(`An entry function can be in one set only: ${set.join(", ")}.`);
      groupOf[id] = group;
    }
  }
  return regroupVisits(state, names, where, entries, picked(groupOf, callee));
}

/** The contexts under all entries of one caller get a group of their own. */
function splitByCaller(
  basis: OperationBasis,
  state: GroupedContexts,
  { target, by }: Extract<GraphOperation, { kind: "split-by-caller" }>,
  check: () => void,
): GroupedContexts {
  const { kept, groups } = state;
  const where = targetOf(basis, state, target, check);
  const names = new GroupNames(groups);
  // Named as groups by function are, so that two callers of one name stay two.
  const functionName = by === "function" ? groupNames(basis, kept, "function") : undefined;
  const named = (caller: string) => names.id(`${target.group} from ${caller}`);
  const entries = entriesOf(kept, where);
  const caller = picked(kept.parent, entries);
  const callerId = functionName
    ? pickedOrNone(basis.functions.ofContext, pickedOrNone(kept.original, caller))
    : pickedOrNone(groups.ofContext, caller);
  // Callers are few, entries many: each caller is named once.
  const groupFrom = new Int32Array(functionName ? basis.functions.size : groups.names.length).fill(NONE);
  for (const id of distinct(callerId.filter(isKnown), groupFrom.length))
    groupFrom[id] = named(functionName ? functionName(id) : groups.names[id]);
  const given = pickedOrNone(groupFrom, callerId);
  if (!callerId.every(isKnown)) {
    const fromNone = named("no caller");
    for (let at = 0; at < given.length; at++) if (callerId[at] === NONE) given[at] = fromNone;
  }
  return regroupVisits(state, names, where, entries, given);
}

const isKnown = (id: number) => id !== NONE;

/**
 * A function's contexts, and those between them and their entry, get a group of their own; with each frame go its loops and
 * lines of the same group, since what they cost is the frame's own (semantics 1).
 */
function reveal(
  basis: OperationBasis,
  state: GroupedContexts,
  operation: Extract<GraphOperation, { kind: "reveal" }>,
  check: () => void,
): GroupedContexts {
  const { kept, groups } = state;
  const where = operation.target && targetOf(basis, state, operation.target, check);
  const part = where?.part ?? groups.ofContext;
  const functionAt = (context: number) => basis.functions.ofContext[kept.original[context]];
  const reached = where ? picked(kept.original, placesOf(where.isIn)) : kept.original;
  const candidates = distinct(picked(basis.functions.ofContext, reached), basis.functions.size);
  const what = `a function of ${operation.target?.group ?? "this graph"}`;
  const { name, ids } = new FunctionNames(basis, candidates, what).named(operation.function);
  const wanted = new Set(ids);
  const names = new GroupNames(groups);
  const ofContext = groups.ofContext.slice();
  const revealed = new Uint8Array(kept.size);
  for (let context = 0; context < kept.size; context++) {
    if (where?.isIn[context] === 0 || !wanted.has(functionAt(context))) continue;
    const from = operation.target?.group ?? groups.names[groups.ofContext[context]];
    const group = names.id(`${from}: ${name}`);
    // Up to the entry, or to what is already on its way there.
    for (let at = context; at !== NONE && part[at] === part[context] && revealed[at] === 0; at = kept.parent[at]) {
      revealed[at] = 1;
      ofContext[at] = group;
    }
  }
  // Parents stand before children: a line in a loop follows the loop.
  for (let context = 0; context < kept.size; context++) {
    const above = kept.parent[context];
    if (above === NONE || revealed[above] === 0 || revealed[context] === 1) continue;
    if (part[above] !== part[context] || !isInFrame(basis, kept, context)) continue;
    revealed[context] = 1;
    ofContext[context] = ofContext[above];
  }
  return { ...state, groups: names.groups(ofContext) };
}

/** Whether a kept context is a loop, line, statement or instruction of the frame above it, and no frame itself. */
function isInFrame({ tree, frames, functions }: OperationBasis, kept: FilteredTree, context: number): boolean {
  const own = kept.original[context];
  const above = kept.original[kept.parent[context]];
  return functions.ofContext[own] === functions.ofContext[above] && !isFunctionKind(frames.kindOf(tree.frame[own]));
}

/**
 * Gives each visit of the target the group of its entry.
 *
 * @param groupOfEntry NONE: its contexts keep what they have, in `deeper` several
 */
function regroupVisits(
  { kept, groups, ...state }: GroupedContexts,
  names: GroupNames,
  { isIn }: Target,
  entries: Int32Array,
  groupOfEntry: Int32Array,
): GroupedContexts {
  const ofContext = groups.ofContext.slice();
  giveBelow(kept.parent, isIn, entries, groupOfEntry, ofContext);
  return { ...state, kept, groups: names.groups(ofContext) };
}

/** Gives what entries were given to all that lies below them in the target. */
function giveBelow(
  parent: Int32Array,
  isIn: Uint8Array,
  entries: Int32Array,
  groupOfEntry: Int32Array,
  ofContext: Int32Array,
): void {
  const given = new Int32Array(parent.length);
  let next = 0;
  // Parents stand before children, so what the parent was given is final.
  for (let context = 0; context < parent.length; context++) {
    if (isIn[context] === 0) continue;
    given[context] = entries[next] === context ? groupOfEntry[next++] : given[parent[context]];
    if (given[context] !== NONE) ofContext[context] = given[context];
  }
}
