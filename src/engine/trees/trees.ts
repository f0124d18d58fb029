/** Rows of the native trees: hot functions, calling contexts, callers. */
import type { DataSet } from "../../model/dataSet";
import { addressText } from "../../model/frames";
import { NONE } from "../../model/ids";
import { entryOf, groupBy } from "../../model/maps";
import { stemOf } from "../../model/numberedNames";
import { compareText } from "../../model/strings";
import { firstRows, heaviestFirst } from "../rows";
import type { Scope } from "../scope";
import type { CallerRow, ContextRow, FunctionRow, NamelessRow } from "./treeApi";
import { measuredCallerCount, measuredCallerRows } from "./measuredCallers";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { noRankPart, unrankedCost, unrankedIn } from "../dataSets/unranked";

/** Steps of a path that a hover may show: paths may be 100,000 deep. */
const LISTED_STEPS = 100;
/** Maximum number of functions among which numbered ones are joined, since each is made a row for it. */
const MAX_JOINED = 10_000;

/** Functions with a value, heaviest first; ties by name. */
export function hotFunctions(
  open: OpenDataSet,
  scope: Scope,
  by: "exclusive" | "inclusive",
  limit: number,
): FunctionRow[] {
  const numbers = open.numbers(scope);
  const key = by === "exclusive" ? numbers.functionExclusive : numbers.functionInclusive;
  const unranked = unrankedFunctions(open, scope);
  const contexts = new Int32Array(open.functions.size);
  for (const id of open.functions.ofContext) contexts[id]++;
  const heaviestNameless = namelessContexts(open, numbers.exclusive);
  const ids = heaviest(
    open.functions.size,
    (id) => key[id],
    (id) => unranked[by](id),
    (id) => open.functionName(id),
  );
  return ids.slice(0, limit).map((id) => ({
    function: id,
    ...open.namedFunction(id),
    detail: detailOf(open, open.functions.frame[id]),
    exclusive: numbers.functionExclusive[id],
    inclusive: numbers.functionInclusive[id],
    atMost: open.measured?.callGraph.atMost[id] === 1,
    ...noRankPart(unranked.exclusive(id), unranked.inclusive(id)),
    contexts: contexts[id],
    ...namelessPart(open, heaviestNameless.get(id)),
  }));
}

/**
 * The same, with functions that differ by a number at their end as one row (semantics 16, rule 7, names of a function): steps that a
 * profiler numbers would fill a short list one by one. A row of several leads to its heaviest function.
 */
export function joinedFunctions(open: OpenDataSet, scope: Scope, limit: number): FunctionRow[] {
  if (open.functions.size > MAX_JOINED) return hotFunctions(open, scope, "exclusive", limit);
  const rows = hotFunctions(open, scope, "exclusive", open.functions.size);
  const joined = [...groupBy(rows, ({ name, function: id }) => stemOf(name) ?? id)].map(([stem, own]): FunctionRow => {
    const [first] = own;
    if (own.length === 1) return first;
    const sum = (value: (row: FunctionRow) => number) => own.reduce((all, row) => all + value(row), 0);
    const name = `${stem}… (${own.length} functions)`;
    return {
      ...first,
      name,
      shown: name,
      contexts: sum(({ contexts }) => contexts),
      exclusive: sum(({ exclusive }) => exclusive),
      inclusive: sum(({ inclusive }) => inclusive),
      // One of them may call another.
      atMost: true,
    };
  });
  // Rows that were not joined stay in their order.
  return joined.sort((a, b) => b.exclusive - a.exclusive).slice(0, limit);
}

/** The context of each function that has frames without a name, with the largest exclusive cost. Among equal ones the first. */
function namelessContexts({ dataSet, functions }: OpenDataSet, exclusive: Float64Array): Map<number, number> {
  const heaviest = new Map<number, number>();
  for (const context of [...(dataSet.nameless?.keys() ?? [])].sort((a, b) => a - b)) {
    const id = functions.ofContext[context];
    const before = heaviest.get(id);
    if (before === undefined || exclusive[context] > exclusive[before]) heaviest.set(id, context);
  }
  return heaviest;
}

/** @returns the property of a row; empty if its context stands for no frames without a name */
export function namelessPart({ dataSet }: OpenDataSet, context: number | undefined): { nameless?: NamelessRow } {
  const found = context === undefined ? undefined : dataSet.nameless?.get(context);
  return found === undefined ? {} : { nameless: { address: addressText(found.address), frames: found.frames } };
}

function unrankedFunctions(open: OpenDataSet, scope: Scope) {
  return {
    exclusive: unrankedIn(open, scope, ({ functionExclusive }) => functionExclusive),
    inclusive: unrankedIn(open, scope, ({ functionInclusive }) => functionInclusive),
  };
}

/** Children of a context (of none: the roots), heaviest inclusive first; ties by name. */
export function contextRows(open: OpenDataSet, scope: Scope, parent: number | undefined, limit: number) {
  const children = shownChildren(open, parent ?? NONE);
  const numbers = open.numbers(scope);
  const unranked = unrankedIn(open, scope, ({ inclusive }) => inclusive);
  const order = heaviest(
    children.length,
    (at) => numbers.inclusive[children[at]],
    (at) => unranked(children[at]),
    (at) => open.contextName(children[at]),
  );
  return firstRows(order, limit, (at) => contextRow(open, scope, children[at]));
}

export function contextRow(open: OpenDataSet, scope: Scope, context: number): ContextRow {
  const { tree, frames } = open.dataSet;
  const numbers = open.numbers(scope);
  const frame = tree.frame[context];
  return {
    context,
    ...open.namedContext(context),
    kind: frames.kindOf(frame),
    origin: frames.originOf(frame),
    detail: detailOf(open, frame),
    exclusive: numbers.exclusive[context],
    inclusive: numbers.inclusive[context],
    ...noRankPart(
      unrankedCost(open, scope, [[context, context + 1]]),
      unrankedCost(open, scope, [[context, tree.end[context]]]),
    ),
    children: shownChildren(open, context).length,
    ...namelessPart(open, context),
  };
}

/**
 * Callers of a chain of functions: the calls of the chain's first function that were made along the chain, by who called
 * its last. A call inside another call of the same row counts once in the row's inclusive (semantics 1, Recursion).
 */
export function callerRows(open: OpenDataSet, scope: Scope, path: readonly number[], limit: number) {
  if (path.length === 0) {
    const numbers = open.numbers(scope);
    const unranked = unrankedFunctions(open, scope);
    const ids = functionsWithValues(open);
    const all = heaviest(
      ids.length,
      (at) => numbers.functionExclusive[ids[at]],
      (at) => unranked.exclusive(ids[at]),
      (at) => open.functionName(ids[at]),
    ).map((at) => ids[at]);
    const { measured } = open;
    const callers = measured ? undefined : callersOf(open);
    return firstRows(all, limit, (id): CallerRow => ({
      path: [id],
      ...open.namedFunction(id),
      exclusive: numbers.functionExclusive[id],
      inclusive: numbers.functionInclusive[id],
      atMost: measured?.callGraph.atMost[id] === 1,
      ...noRankPart(unranked.exclusive(id), unranked.inclusive(id)),
      callers: measured ? measuredCallerCount(measured, id) : (callers?.get(id)?.size ?? 0),
    }));
  }
  const all = open.measured ? measuredCallerRows(open, open.measured, scope, path) : rowsOfCallers(open, scope, path);
  return firstRows(all.sort(heaviestFirst), limit, (row) => row);
}

/**
 * What called the last of a chain in one of some contexts, as runs of an ensemble have them; of an empty chain all of their functions.
 *
 * @param some by context, and by function: whether it is one of these
 */
export function callersWithin(
  open: OpenDataSet,
  path: readonly number[],
  some: { readonly contexts: Uint8Array; readonly functions: Uint8Array },
): ReadonlySet<number> {
  if (path.length === 0) return new Set([...some.functions.keys()].filter((id) => some.functions[id] === 1));
  const calls = callsAlong(open, path).filter(({ call }) => some.contexts[call] === 1);
  return new Set(calls.map(({ caller }) => functionOfCall(open, caller)));
}

function rowsOfCallers(open: OpenDataSet, scope: Scope, path: readonly number[]): CallerRow[] {
  const byCaller = groupBy(callsAlong(open, path), ({ caller }) => functionOfCall(open, caller));
  byCaller.delete(NONE);
  return [...byCaller].map(([id, calls]) => callerRow(open, scope, [...path, id], calls));
}

function callerRow(
  open: OpenDataSet,
  scope: Scope,
  path: readonly number[],
  calls: readonly { call: number; caller: number }[],
): CallerRow {
  const { tree } = open.dataSet;
  const own: [number, number][] = [];
  const below: [number, number][] = [];
  for (const { call } of calls) {
    for (const context of ownContexts(open, call)) own.push([context, context + 1]);
    if (below.length === 0 || call >= below[below.length - 1][1]) below.push([call, tree.end[call]]);
  }
  const exclusive = open.cost(scope, own);
  const inclusive = open.cost(scope, below);
  const further = calls.map(({ caller }) => callerOf(open, caller));
  return {
    path,
    ...open.namedFunction(path[path.length - 1]),
    exclusive,
    inclusive,
    ...noRankPart(unrankedCost(open, scope, own), unrankedCost(open, scope, below)),
    callers: distinctFunctions(open, further),
  };
}

/** The functions that call each function, all found in one pass over the contexts. */
function callersOf(open: OpenDataSet): Map<number, Set<number>> {
  const callers = new Map<number, Set<number>>();
  for (let context = 0; context < open.callOf.length; context++) {
    const caller = open.callOf[context] === context ? callerOf(open, context) : NONE;
    if (caller === NONE) continue;
    const id = open.functions.ofContext[context];
    entryOf(callers, id, () => new Set<number>()).add(functionOfCall(open, caller));
  }
  return callers;
}

/** Calls of `path[0]` whose callers are `path[1]`, `path[2]` …, with the call that called the last of them. */
function callsAlong(open: OpenDataSet, path: readonly number[]): { call: number; caller: number }[] {
  const found: { call: number; caller: number }[] = [];
  const { ofContext } = open.functions;
  for (let context = 0; context < open.callOf.length; context++) {
    if (open.callOf[context] !== context || ofContext[context] !== path[0]) continue;
    let caller = callerOf(open, context);
    let at = 1;
    for (; at < path.length && caller !== NONE && ofContext[caller] === path[at]; at++) caller = callerOf(open, caller);
    if (at === path.length) found.push({ call: context, caller });
  }
  return found;
}

/** The contexts whose cost is the call's own: itself, and its lines, loops and statements outside further calls. */
export function* ownContexts(open: OpenDataSet, call: number): Iterable<number> {
  const { tree } = open.dataSet;
  for (let context = call; context < tree.end[call];) {
    if (open.callOf[context] === call) {
      yield context;
      context++;
    } else {
      context = tree.end[context];
    }
  }
}

/** Children that have, or lead to, a value of some metric: what is no time of a thread, as asynchronous events, has none. */
function shownChildren(open: OpenDataSet, parent: number): number[] {
  const hasValue = contextsWithValues(open.dataSet);
  return childrenOf(open, parent).filter((context) => hasValue[context] === 1);
}

function functionsWithValues(open: OpenDataSet): number[] {
  if (open.measured) return Array.from({ length: open.functions.size }, (_, id) => id);
  const hasValue = contextsWithValues(open.dataSet);
  const ids = new Set(open.functions.ofContext.filter((_, context) => hasValue[context] === 1));
  return [...ids].filter((id) => id !== NONE).sort((a, b) => a - b);
}

const known = new WeakMap<DataSet, Uint8Array>();

/** By context whether it, or one below it, has a value of some metric; where there are no values at all, each counts. */
function contextsWithValues(dataSet: DataSet): Uint8Array {
  const before = known.get(dataSet);
  if (before) return before;
  const { tree, values } = dataSet;
  const has = new Uint8Array(tree.size);
  for (const { rowStart } of values)
    for (let context = 0; context < tree.size; context++)
      if (rowStart[context + 1] > rowStart[context]) has[context] = 1;
  for (let context = tree.size - 1; context >= 0; context--) {
    const parent = tree.parent[context];
    if (parent !== NONE) has[parent] |= has[context];
  }
  if (!has.includes(1)) has.fill(1);
  known.set(dataSet, has);
  return has;
}

export function childrenOf(open: OpenDataSet, parent: number): number[] {
  const { tree } = open.dataSet;
  const children: number[] = [];
  const end = parent === NONE ? tree.size : tree.end[parent];
  for (let context = parent + 1; context < end; context = tree.end[context]) children.push(context);
  return children;
}

function callerOf(open: OpenDataSet, call: number): number {
  if (call === NONE) return NONE;
  const parent = open.dataSet.tree.parent[call];
  return parent === NONE ? NONE : open.callOf[parent];
}

function distinctFunctions(open: OpenDataSet, calls: readonly number[]): number {
  return new Set(calls.filter((call) => call !== NONE).map((call) => functionOfCall(open, call))).size;
}

function functionOfCall(open: OpenDataSet, call: number): number {
  return call === NONE ? NONE : open.functions.ofContext[call];
}

/** Shown names along the path of a context; of a deep one its innermost end, which distinguishes it from others. */
export function innermostPath(open: OpenDataSet, context: number): string[] {
  const path = open.pathOf(context);
  const names = path.slice(-LISTED_STEPS).map((at) => open.shownContext(at));
  return path.length > LISTED_STEPS ? ["…", ...names] : names;
}

export function detailOf(open: OpenDataSet, frame: number): string {
  const { frames } = open.dataSet;
  const file = frames.strings.get(frames.file[frame]);
  if (file !== "") return frames.line[frame] > 0 ? `${file}:${frames.line[frame]}` : file;
  return frames.strings.get(frames.moduleIndex(frame));
}

/** @param unranked what stands for a weight of 0: before what has nothing at all */
function heaviest(
  count: number,
  weight: (at: number) => number,
  unranked: (at: number) => number,
  name: (at: number) => string,
): number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  return order.sort(
    (a, b) => weight(b) - weight(a) || unranked(b) - unranked(a) || compareText(name(a), name(b)) || a - b,
  );
}
