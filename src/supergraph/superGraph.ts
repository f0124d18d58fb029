import type { ContextTree } from "../model/contextTree";
import { RequestError } from "../model/errors";
import type { FrameTable } from "../model/frames";
import type { FunctionTable } from "../model/functions";
import { NONE } from "../model/ids";
import { compareText } from "../model/strings";
import type { Task } from "../model/task";
import { type Bars, type FirstBars, mergedBars, weighOf } from "./bars";
import { picked, pickedBytes, pickedOrNone } from "./columns";
import { type FilterBasis, filterBasis, filterContexts, type FilteredTree, largestPercents } from "./filter";
import { defaultGrouping, type StartGrouping } from "./defaultGrouping";
import { type FunctionAttributes, groupContexts } from "./grouping";
import type { MeasuredTree } from "./measuredTree";
import { measure, measuredTree, type Measurement } from "./measure";
import { type FinerLevel, finerLevels } from "./levels";
import type { GroupedContexts, OperationBasis } from "./groupedContexts";
import { applyOperation, startingGroups } from "./operations";
import { operationText } from "./operationText";
import { type FirstGraph, firstGraph, type FirstPicture } from "./first/firstPicture";
import { barsByName } from "./first/namesApart";
import { insideCosts } from "./first/inside";
import type { FirstChoice, FirstStart } from "./first/naming";
import type { GraphOperation, GroupBy, GroupMap, GroupRef, StartingGroups } from "./query";
import { type Attempt, fittingStep, stepsAbove } from "./raising";

/** At most so many bars are drawn (semantics 2.5). */
export const MOST_BARS = 500;

/** One metric of a data set, as the super graph sees it. Build it once a (data set, metric) with {@link graphBasis}. */
export interface GraphBasis extends FilterBasis {
  readonly frames: FrameTable;
}

/** Which graph is asked for; numbers and restriction come with the {@link Measurement}. */
export interface GraphRequest {
  /** Percent of the total (semantics 2.1). */
  readonly filter: number;
  readonly groupBy: GroupBy | OpenGrouping;
  /** For `first`: an earlier choice, or a filter to choose groups at; {@link filter} is ignored. */
  readonly first?: FirstStart;
  readonly map?: GroupMap;
  readonly operations?: readonly GraphOperation[];
  /** Leave out operations that cannot be done, and say so: they were made for another recording, or before others were taken back. */
  readonly lenient?: boolean;
  /** Largest number of bars, {@link MOST_BARS} unless said; above it the filter is raised. */
  readonly mostBars?: number;
}

/** A grouping that is left open: {@link defaultGrouping}; `first` chooses the filter, too ({@link firstGraph}). */
export type OpenGrouping = "default" | "first";

/** Bars and what they were made from: the same for every restriction and way to combine ranks, so worth keeping. */
export interface GraphStructure {
  readonly basis: GraphBasis;
  readonly kept: FilteredTree;
  readonly bars: Bars;
  readonly measured: MeasuredTree;
  readonly groupBy: StartingGroups;
  /** Facts of the first picture, before any operation. */
  readonly first?: FirstPicture;
  /** The first picture that operations begin with. */
  readonly chosen?: ChosenStart;
  /** Operations that were left out, by their index, and why. */
  readonly skipped: readonly SkippedOperation[];
  /** Groups whose expansion is in effect, by bar: what `collapse` can take back there; undefined: none. */
  readonly collapsible: readonly (GroupRef | undefined)[];
  /** What each bar would be expanded to; undefined: its contexts have no finer level. */
  readonly finer: readonly (FinerLevel | undefined)[];
  /** Percent that was filtered at: higher than asked for where there were too many bars. */
  readonly filter: number;
  readonly notes: readonly string[];
}

export interface SkippedOperation {
  readonly index: number;
  readonly reason: string;
}

export interface MeasuredEntry {
  readonly name: string;
  readonly function: number;
  /** A context of the whole tree that is such an entry. */
  readonly context: number;
  readonly inclusive: number;
  readonly exclusive: number;
}

export interface MeasuredBar {
  /** `group`, or `group#2` for a further bar of the group. */
  readonly id: string;
  readonly group: string;
  readonly visit: number;
  readonly level: number;
  readonly inclusive: number;
  readonly exclusive: number;
  readonly hidden: number;
  readonly contexts: number;
  /** Heaviest first. */
  readonly entries: readonly MeasuredEntry[];
}

/** The first picture that a graph begins with, also after operations. */
export type ChosenStart = Pick<FirstPicture, "choice" | "by" | "why">;

/** Facts of a first picture besides its numbers (semantics 2.7). Bars are given by their ids. */
export interface MeasuredFirst {
  readonly choice: FirstChoice;
  /** Groups that were opened, and functions that were set alone, as they are shown. */
  readonly opened: readonly string[];
  readonly alone: readonly string[];
  readonly why: string;
  /** The order in which bars get their names: the five hottest, then the tallest. */
  readonly names: readonly string[];
  /** Edges that are drawn before anything is pointed at, by their index. */
  readonly drawn: readonly number[];
  /** Groups that are folded into each bar, from the top, and its heaviest functions. */
  readonly bars: readonly {
    readonly holds: readonly string[];
    readonly inside: readonly (readonly [name: string, exclusive: number])[];
  }[];
}

/** A super graph with its numbers, in the metric's unit. */
export interface MeasuredGraph {
  readonly total: number;
  readonly hidden: number;
  /** What is not shown; `exclusive` is the sum of all `hidden`. */
  readonly filtered: { readonly functions: number; readonly contexts: number; readonly exclusive: number };
  /** Number of functions that are kept. */
  readonly functions: number;
  readonly bars: readonly MeasuredBar[];
  readonly edges: readonly { readonly source: string; readonly target: string; readonly inclusive: number }[];
  /** What was grouped by; differs from the query's where that was left open. */
  readonly groupBy: StartingGroups;
  /** Facts of the first picture, before any operation. */
  readonly first?: MeasuredFirst;
  /** The first picture that operations begin with. */
  readonly chosen?: ChosenStart;
  /** What was filtered at: higher than asked for where more than 500 bars would be drawn. */
  readonly filter: number;
  /** Sentences that the view must show: why by module, why filtered higher, estimated, extremes do not add up. */
  readonly notes: readonly string[];
}

/**
 * @param exclusive sums over all ranks and threads, one value per context, finite
 * @throws RequestError where their total is not positive
 */
export function graphBasis(
  tree: ContextTree,
  frames: FrameTable,
  functions: FunctionTable,
  exclusive: Float64Array,
): GraphBasis {
  return { ...filterBasis(tree, functions, exclusive), frames };
}

/**
 * Filter, groups, operations in the order given, and bars (semantics 2.1 to 2.3, 2.6).
 *
 * @param filtered what a filter leaves: asked for at several percentages where there would be too many bars
 * @param first the first picture, where that is what is grouped by
 * @throws RequestError where a pattern is wrong, an operation cannot be done, or no filter leaves few enough bars
 */
export function graphStructure(
  basis: GraphBasis,
  attributes: FunctionAttributes,
  request: GraphRequest,
  task: Task,
  filtered = (percent: number): FilteredTree => filterContexts(basis, percent),
  first = (): FirstGraph => firstGraph({ ...basis, attributes }, request.first, task),
): GraphStructure {
  if (request.groupBy === "first") return firstStructure(basis, attributes, request, first(), task);
  const asked = request.filter;
  const strictest = strictestFilter(request);
  const mostBars = request.mostBars ?? MOST_BARS;
  const weigh = weighOf(basis);
  const operationBasis: OperationBasis = { ...basis, attributes, map: request.map };
  const start = startOf(operationBasis, filtered(asked), request);
  const build = (percent: number): Attempt<BuiltBars> => {
    task.progress(undefined, percent === asked ? "Building the super graph" : `Filtering at ${percent} %`);
    // Where the filter was raised, what an operation is about may be hidden: that is no mistake of who asked.
    const lenient = request.lenient === true || percent > asked;
    const kept = filtered(percent);
    const groups = percent === asked ? start.groups : groupContexts(operationBasis, kept, start.groupBy, request.map);
    const grouped = groupedContexts(operationBasis, kept, { ...start, groups }, { ...request, lenient }, task);
    const { state } = grouped;
    const { numbered, remaining, first } = mergedBars(state.kept, state.groups, weigh, mostBars, () => task.check());
    return {
      result: numbered && { ...grouped, numbered, percent },
      bars: remaining,
      unmerged: first.size,
      lasting: () => heaviestEntries(basis, state.kept, first),
    };
  };
  const finished = ({ state, numbered, notes, skipped, percent }: BuiltBars): GraphStructure => {
    const bars = numbered();
    return {
      basis,
      kept: state.kept,
      bars,
      measured: measuredTree(state.kept, bars, basis.functions),
      groupBy: state.groupBy,
      filter: Math.max(percent, strictest),
      notes,
      skipped,
      collapsible: collapsibleBars(state, bars),
      finer: finerLevels(operationBasis, state, bars, attributes.notLookedUp !== true),
    };
  };
  const built = build(asked);
  if (built.result) return finished(built.result);
  const raised = fittingStep(stepsAbove(strictest), built, mostBars, build);
  if (raised === undefined)
    throw new RequestError(
      `Even a filter of 100 % leaves more than ${mostBars} bars. ` +
        "Group by something coarser: a file, a load module or a map of groups.",
    );
  const structure = finished(raised);
  return { ...structure, notes: [...structure.notes, raisedNote(structure.filter, strictest, mostBars)] };
}

function raisedNote(filter: number, asked: number, mostBars: number): string {
  return `Filtered at ${filter} % instead of ${asked} %: there would be more than ${mostBars} bars.`;
}

/** A first picture, or what operations have made of it: after these nothing is folded or hidden anew. */
function firstStructure(
  basis: GraphBasis,
  attributes: FunctionAttributes,
  request: GraphRequest,
  first: FirstGraph,
  task: Task,
): GraphStructure {
  const operationBasis: OperationBasis = { ...basis, attributes, map: request.map };
  const { operations = [], mostBars = MOST_BARS } = request;
  const { filter } = first.picture.choice;
  const asked = request.first?.filter ?? filter;
  const raised = filter > asked ? [raisedNote(filter, asked, MOST_BARS)] : [];
  const { state, notes, skipped } = operated(operationBasis, firstGroups(first), first.notes, request, task);
  const built =
    operations.length === 0
      ? first.bars
      : barsByName(state.kept, state.groups, weighOf(basis), mostBars, () => task.check());
  if (built === undefined)
    throw new RequestError(
      `The graph would have more than ${mostBars} bars. Undo some operations, or raise the filter.`,
    );
  return {
    basis,
    kept: state.kept,
    bars: built,
    measured: measuredTree(state.kept, built, basis.functions),
    groupBy: state.groupBy,
    ...(operations.length === 0 ? { first: first.picture } : {}),
    chosen: { choice: first.picture.choice, by: first.picture.by, why: first.picture.why },
    filter: strictestFilter({ ...request, filter }),
    notes: [...notes, ...raised],
    skipped,
    collapsible: collapsibleBars(state, built),
    finer: finerLevels(operationBasis, state, built, attributes.notLookedUp !== true),
  };
}

/** The contexts of a first picture, as operations take them. */
function firstGroups({ kept, groups, finer }: FirstGraph): GroupedContexts {
  return { kept, groups, groupBy: "first", level: pickedBytes(finer.level, kept.original), finer, expansions: [] };
}

/** Grouped contexts of which few enough bars remain. */
interface BuiltBars extends ReturnType<typeof groupedContexts> {
  readonly numbered: () => Bars;
  readonly percent: number;
}

/** What is filtered at in the end: filters only take away. */
function strictestFilter({ filter, operations = [] }: GraphRequest): number {
  return operations.reduce(
    (percent, step) => (step.kind === "filter" ? Math.max(percent, step.percent) : percent),
    filter,
  );
}

/** The first sentence of a reason, as it goes on after a colon; the whole is with the operation. */
function inSentence(reason: string): string {
  const [first] = reason.split(/\.(?:\s+(?=[A-Z])|$)/, 1);
  // A name stays as it is.
  return first.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
}

/**
 * What a graph is grouped by before any operation: decided once, on what the filter that was asked for leaves, so that raising it does
 * not change groups.
 */
function startOf(basis: OperationBasis, kept: FilteredTree, { groupBy, map }: GraphRequest): StartGrouping {
  if (groupBy === "default") return defaultGrouping(basis, kept);
  if (groupBy === "first") throw new Error("a first picture is no grouping alone");
  return { groups: groupContexts(basis, kept, groupBy, map), groupBy, notes: [] };
}

/** Applies the operations to what a filter has left, one after the other. */
function groupedContexts(
  basis: OperationBasis,
  kept: FilteredTree,
  start: StartGrouping,
  request: GraphRequest,
  task: Task,
) {
  const state = startingGroups(kept, start.groups, start.groupBy);
  return operated(basis, state, start.notes, request, task);
}

/** Applies operations to contexts as they are grouped. @param notes on how that is, until they are grouped by something else */
function operated(
  basis: OperationBasis,
  start: GroupedContexts,
  startNotes: readonly string[],
  request: GraphRequest,
  task: Task,
) {
  let state = start;
  let notes = startNotes;
  const skipped: SkippedOperation[] = [];
  for (const [index, operation] of (request.operations ?? []).entries()) {
    task.check();
    try {
      state = applyOperation(basis, state, operation, () => task.check());
      // They say why something else was grouped by than the file, and that has ended.
      if (operation.kind === "group-by") notes = [];
    } catch (error) {
      if (request.lenient !== true || !(error instanceof RequestError)) throw error;
      skipped.push({ index, reason: error.message });
    }
  }
  const left = skipped.map(
    ({ index, reason }) => `Left out: ${operationText((request.operations ?? [])[index])}: ${inSentence(reason)}`,
  );
  return { state, notes: [...notes, ...left], skipped };
}

/** For each bar the expansion that its first context is in, the innermost of several. */
function collapsibleBars({ kept, expansions }: GroupedContexts, bars: Bars): (GroupRef | undefined)[] {
  const ofBar = Array.from<GroupRef | undefined>({ length: bars.size });
  for (const { target, contexts } of expansions) {
    for (const context of contexts) {
      const home = kept.home[context];
      if (home !== NONE && kept.original[home] === context) ofBar[bars.ofContext[home]] = target;
    }
  }
  return ofBar;
}

/** For each bar the largest percentage that leaves a context which it is entered by and that one's caller. */
function heaviestEntries(
  basis: GraphBasis,
  { original, parent }: FilteredTree,
  { size, entries, ofContext }: FirstBars,
): Float64Array {
  const { functions } = basis;
  const percentOf = largestPercents(basis);
  const bar = picked(ofContext, entries);
  const callee = picked(functions.ofContext, picked(original, entries));
  const caller = pickedOrNone(functions.ofContext, pickedOrNone(original, picked(parent, entries)));
  const heaviest = new Float64Array(size);
  for (let at = 0; at < bar.length; at++) {
    const own = percentOf[callee[at]];
    const both = caller[at] === NONE ? own : Math.min(own, percentOf[caller[at]]);
    heaviest[bar[at]] = Math.max(heaviest[bar[at]], both);
  }
  return heaviest;
}

/** The numbers of a graph (semantics 2.4). */
export function measuredGraph(structure: GraphStructure, what: Measurement, task: Task): MeasuredGraph {
  const { basis, kept, bars, measured } = structure;
  const sums = measure(measured, bars, what, () => task.check());
  const entries: MeasuredEntry[][] = Array.from({ length: bars.size }, () => []);
  measured.entries.forEach((entry, at) =>
    entries[entry.bar].push({
      name: basis.frames.nameOf(basis.functions.frame[entry.function]),
      function: entry.function,
      context: entry.context,
      inclusive: sums.entries.inclusive[at],
      exclusive: sums.entries.exclusive[at],
    }),
  );
  const byWeight = (a: MeasuredEntry, b: MeasuredEntry) =>
    b.inclusive - a.inclusive || compareText(a.name, b.name) || a.function - b.function;
  return {
    total: sums.total,
    hidden: sums.hidden,
    filtered: { ...kept.filtered, exclusive: sums.filtered },
    // Functions without a context (a call graph has some that are too small for one) are neither kept nor filtered.
    functions: kept.keptFunction.reduce((count, isKept) => count + isKept, 0),
    bars: bars.id.map((id, bar) => ({
      id,
      group: bars.group[bar],
      visit: bars.visit[bar],
      level: bars.level[bar],
      inclusive: sums.bars.inclusive[bar],
      exclusive: sums.bars.exclusive[bar],
      hidden: sums.bars.hidden[bar],
      contexts: bars.contexts[bar],
      entries: entries[bar].sort(byWeight),
    })),
    edges: Array.from(sums.edges, (inclusive, edge) => ({
      source: bars.id[bars.source[edge]],
      target: bars.id[bars.target[edge]],
      inclusive,
    })),
    groupBy: structure.groupBy,
    ...(structure.first ? { first: measuredFirst(structure, structure.first, what) } : {}),
    ...(structure.chosen ? { chosen: structure.chosen } : {}),
    filter: structure.filter,
    notes: "extreme" in what ? [...structure.notes, extremeNote(what.extreme)] : structure.notes,
  };
}

/** Facts of a first picture, with measured costs of the functions inside its bars. */
export function measuredFirst(
  { basis, kept, bars }: GraphStructure,
  { choice, opened, alone, why, contents, named, drawn }: FirstPicture,
  what: Measurement,
): MeasuredFirst {
  const costs = insideCosts({ kept, bars, contents, functions: basis.functions }, what);
  return {
    choice,
    opened,
    alone,
    why,
    names: named.map((bar) => bars.id[bar]),
    drawn,
    bars: contents.map(({ holds, inside }, bar) => ({
      holds,
      inside: inside.map(({ name }, at) => [name, costs[bar][at]]),
    })),
  };
}

function extremeNote(extreme: "max" | "min"): string {
  return `Each number is the ${extreme === "max" ? "largest" : "smallest"} of its values over the ranks, so the numbers do not add up.`;
}

/** The bar that a context of the whole tree is in, or is hidden in; undefined where no ancestor is kept. */
export function barOfContext({ kept, bars }: GraphStructure, context: number): string | undefined {
  const home = kept.home[context];
  return home === NONE ? undefined : bars.id[bars.ofContext[home]];
}

/** The contexts of the whole tree that make a bar, ascending; hidden ones are not among them. */
export function contextsOfBar({ kept, bars }: GraphStructure, id: string): number[] {
  const bar = bars.id.indexOf(id);
  const contexts: number[] = [];
  bars.ofContext.forEach((of, context) => of === bar && contexts.push(kept.original[context]));
  return contexts;
}

/** The contexts of the whole tree that a bar is entered by, ascending. */
export function entriesOfBar({ kept, bars }: GraphStructure, id: string): Int32Array {
  const bar = bars.id.indexOf(id);
  return kept.original.filter((_, context) => bars.ofContext[context] === bar && bars.entryOf[context] === context);
}
