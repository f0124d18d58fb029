import { type ContextTree, inclusive } from "../model/contextTree";
import { RequestError } from "../model/errors";
import { type FunctionTable, inclusiveByFunction } from "../model/functions";
import { NONE } from "../model/ids";
import { picked, pickedOrNone } from "./columns";

/** What a filter is decided on: a metric's sums over all ranks and threads, whatever is shown later (semantics 2.1). */
export interface FilterBasis {
  readonly tree: ContextTree;
  readonly functions: FunctionTable;
  /** Exclusive of each context. */
  readonly exclusive: Float64Array;
  /** Inclusive of each context. */
  readonly inclusive: Float64Array;
  /** Inclusive of each function, recursion counted once. */
  readonly byFunction: Float64Array;
  /** Inclusive of all roots. */
  readonly total: number;
  /** Where recordings are compared: each one's own. A function is kept that has its share in one of them. */
  readonly parts?: readonly FilterPart[];
  /** Where bars do not weigh their inclusive. */
  readonly weigh?: Weigh;
}

/**
 * What bars weigh: those that are heavier are merged earlier and stand first.
 *
 * @param entries contexts of the whole tree that bars are entered by
 * @param bar of each of these
 * @param size number of bars
 */
export type Weigh = (entries: Int32Array, bar: Int32Array, size: number) => Float64Array;

/** Inclusive of each function and of all roots, in one of several recordings. */
export interface FilterPart {
  readonly byFunction: Float64Array;
  readonly total: number;
  /** Exclusive of each context there: made when it is asked for, since there may be many recordings. */
  exclusive(): Float64Array;
}

/**
 * Prepares filtering of one metric.
 *
 * @param exclusive sum over all ranks and threads, one value per context, any unit
 * @throws RequestError where the total is not positive: such a metric has no super graph
 */
export function filterBasis(tree: ContextTree, functions: FunctionTable, exclusive: Float64Array): FilterBasis {
  const sums = inclusive(tree, exclusive);
  let total = 0;
  for (let root = 0; root < tree.size; root = tree.end[root]) total += sums[root];
  if (!(total > 0) || total === Infinity)
    throw new RequestError(
      `This metric has no super graph: its total over all contexts is ${total}, and shares of it mean something ` +
        "only where it is positive. Choose another metric.",
    );
  return { tree, functions, exclusive, inclusive: sums, byFunction: inclusiveByFunction(functions, sums), total };
}

/** The contexts that a filter leaves, as a tree of their own. Preorder, in the order of the whole tree. */
export interface FilteredTree {
  readonly size: number;
  /** Nearest kept ancestor of each kept context, {@link NONE} for roots. */
  readonly parent: Int32Array;
  /** One past the subtree, in kept contexts. */
  readonly end: Int32Array;
  /** Context of the whole tree that each kept context is. */
  readonly original: Int32Array;
  /** For each context of the whole tree the kept context that it is or that hides it; NONE where no ancestor is kept. */
  readonly home: Int32Array;
  /** 1 for each function that has a context here. */
  readonly keptFunction: Uint8Array;
  /** How much is not shown. */
  readonly filtered: { readonly functions: number; readonly contexts: number };
}

/** Two sums that differ by rounding only are the same share. */
const ROUNDING = 1e-12;

/**
 * Keeps the functions whose inclusive is at least `percent` of the total; 0 keeps everything (semantics 2.1).
 * Kept contexts hang on their nearest kept ancestor.
 *
 * @param percent 0 to 100
 */
export function filterContexts(basis: FilterBasis, percent: number): FilteredTree {
  return keepContexts(basis, ofFunctions(basis, functionsAtLeast(basis, percent)));
}

/** For each function the largest percentage, but for rounding, at which it is kept; above 100 where it is more than the total. */
export function largestPercents(basis: FilterBasis): Float64Array {
  const largest = new Float64Array(basis.functions.size);
  for (const { byFunction, total } of basis.parts ?? [basis])
    byFunction.forEach((inclusive, id) => (largest[id] = Math.max(largest[id], (100 * inclusive) / total)));
  return largest;
}

/** 1 for each function whose inclusive is at least `percent` of the total. */
export function functionsAtLeast(basis: FilterBasis, percent: number): Uint8Array {
  if (!(percent >= 0 && percent <= 100))
    throw new RequestError(`A filter is a percentage from 0 to 100, not ${percent}.`);
  const kept = new Uint8Array(basis.functions.size);
  for (const { byFunction, total } of basis.parts ?? [basis]) {
    const threshold = (percent / 100) * total * (1 - ROUNDING);
    byFunction.forEach((inclusive, id) => {
      if (percent === 0 || inclusive >= threshold) kept[id] = 1;
    });
  }
  return kept;
}

/** The mark of each context's function. */
export function ofFunctions({ functions: { ofContext } }: Pick<FilterBasis, "functions">, marks: Uint8Array) {
  const ofContexts = new Uint8Array(ofContext.length);
  for (let context = 0; context < ofContext.length; context++) ofContexts[context] = marks[ofContext[context]];
  return ofContexts;
}

/**
 * The tree of the contexts that are to be kept, each on its nearest kept ancestor.
 *
 * @param isKept 1 for each context that is. Marks and no function: raising a filter does this often, and every caller's own
 * function would make the loop three times as slow for all of them.
 */
export function keepContexts(
  { tree, functions }: Pick<FilterBasis, "tree" | "functions">,
  isKept: Uint8Array,
): FilteredTree {
  const home = new Int32Array(tree.size);
  const before = new Int32Array(tree.size + 1);
  const found = new Int32Array(tree.size);
  const size = countKept(isKept, tree.parent, before, home, found);
  const original = found.slice(0, size);
  const above = picked(tree.parent, original);
  const keptFunction = distinctMarks(picked(functions.ofContext, original), functions.size);
  const isFunction = distinctMarks(functions.ofContext, functions.size);
  return {
    size,
    parent: pickedOrNone(home, above),
    // A subtree's end is the number of contexts that are kept before it.
    end: picked(before, picked(tree.end, original)),
    original,
    home,
    keptFunction,
    filtered: { functions: count(isFunction) - count(keptFunction), contexts: tree.size - size },
  };
}

/**
 * Fills in how many contexts are kept before each one, its home, and the contexts that are kept.
 *
 * @returns how many these are
 */
function countKept(
  isKept: Uint8Array,
  parent: Int32Array,
  before: Int32Array,
  home: Int32Array,
  found: Int32Array,
): number {
  let size = 0;
  for (let context = 0; context < isKept.length; context++) {
    before[context] = size;
    if (isKept[context] === 1) {
      found[size] = context;
      home[context] = size++;
    } else home[context] = parent[context] === NONE ? NONE : home[parent[context]];
  }
  before[isKept.length] = size;
  return size;
}

function distinctMarks(column: Int32Array, keys: number): Uint8Array {
  const marks = new Uint8Array(keys);
  for (let at = 0; at < column.length; at++) marks[column[at]] = 1;
  return marks;
}

function count(marks: Uint8Array): number {
  return marks.reduce((sum, mark) => sum + mark, 0);
}
