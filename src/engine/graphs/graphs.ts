/** Super graphs of one data set, or of two that are compared: which structure a query means, its numbers, and the links of its entries (semantics 2). */
import { noRankPart } from "../dataSets/unranked";
import { RequestError } from "../../model/errors";
import { exclusiveByFunction } from "../../model/functions";
import { entryOf } from "../../model/maps";
import { NONE } from "../../model/ids";
import { shortName } from "../../model/shortName";
import type { OverRanks } from "../../model/metrics";
import type { Task } from "../../model/task";
import { filterContexts, type FilteredTree } from "../../supergraph/filter";
import { FilteredTrees } from "../../supergraph/filteredTrees";
import type { Measurement } from "../../supergraph/measure";
import { type FirstGraph, firstGraphSteps } from "../../supergraph/first/firstPicture";
import type { FirstStart } from "../../supergraph/first/naming";
import { paced } from "../../model/steps";
import { Pace } from "../../source/pace";
import { SharedWork } from "../lines/sharedWork";
import { groupContexts, keptFunctions, NOT_KNOWN } from "../../supergraph/grouping";
import { barOrigins } from "../../supergraph/origins";
import {
  barOfContext,
  contextsOfBar,
  entriesOfBar,
  type GraphBasis,
  type GraphRequest,
  type GraphStructure,
  graphStructure,
  type MeasuredEntry,
  type MeasuredGraph,
  measuredGraph,
} from "../../supergraph/superGraph";
import type { GraphEntry, SuperGraph } from "./graphApi";
import type { GraphQuery, Scope } from "../scope";
import type { SourceLink } from "../../model/sourceLinks";
import type { GroupBy } from "../../supergraph/query";
import { BarSpreads } from "./barSpreads";
import { attributesOf, type FunctionPlaces, type GraphSubject } from "./graphSubject";
import type { BarHistogramRequest, BarHistograms } from "../members/spreadApi";

/** Structures that are kept: going back to the filter or grouping before is usual. */
const KEPT_STRUCTURES = 4;
/** Entries of a bar that are linked before the graph is drawn; the others say so and are linked when asked for. */
const LINKED_ENTRIES = 20;

const NO_PLACES: FunctionPlaces = { files: new Map(), classes: new Map(), recorded: [] };

const notLinkedYet: SourceLink = {
  places: [],
  rule: "unknown",
  reason: "Not looked up: this bar has many entry functions. Open it to find its line.",
  considered: [],
};

/** What operations begin with. */
interface FilteredBasis {
  readonly basis: GraphBasis;
  readonly percent: number;
  readonly withFiles: boolean;
  readonly kept: FilteredTree;
  readonly places: FunctionPlaces;
}

/** A data set, and how many contexts it has. */
export interface ComparedTree {
  readonly dataSet: number;
  readonly contexts: number;
}

/** What is known of the functions of a graph in the recording of a scope, wherever they are called. */
interface WholeFunctions {
  /** The number of each in the recording; NONE where only the one that it is compared with has it. */
  readonly numberOf: Int32Array;
  /** What each costs itself; undefined for extremes over ranks. */
  readonly own?: Float64Array;
}

/** A bar with what makes it. */
export interface InsideOfBar {
  readonly structure: GraphStructure;
  /** Its index. */
  readonly bar: number;
  /** The context of the structure that a context of the query's data set is: another one where two are compared. */
  contextOf(context: number): number;
}

export class Graphs {
  private structures: {
    readonly basis: GraphBasis;
    readonly keys: readonly string[];
    readonly structure: GraphStructure;
  }[] = [];

  /** How often links have changed. */
  private changes = 0;
  private filteredLast: FilteredBasis | undefined;
  private firstAtWork:
    | {
        readonly basis: GraphBasis;
        readonly key: string;
        readonly changes: number;
        readonly work: SharedWork<FirstGraph>;
      }
    | undefined;
  private firstLast:
    | { readonly basis: GraphBasis; readonly keys: readonly string[]; readonly graph: FirstGraph }
    | undefined;
  private readonly trees = new FilteredTrees();
  private readonly spreads: BarSpreads;
  /** Exclusive of functions, by the values of contexts that they are sums of: the same for every step of a scope's graph. */
  private readonly ownSums = new WeakMap<Float64Array, Float64Array>();

  constructor(private readonly subject: GraphSubject) {
    this.spreads = new BarSpreads(subject);
  }

  /** @throws RequestError where the metric's total is not positive or a pattern is wrong */
  async superGraph(query: GraphQuery, task: Task): Promise<SuperGraph> {
    const structure = await this.structure(query, task);
    const { scope } = query;
    const measured = this.subject.measurement(scope);
    const graph = measuredGraph(structure, measured, task);
    const metric = this.subject.metric(scope);
    const entries =
      query.barsOnly === true
        ? graph.bars.map(() => [])
        : await this.entriesOf(graph, query, this.wholeFunctions(structure, measured, scope), task);
    const unranked = this.unrankedBars(structure, graph, scope, task);
    const has = this.hasBar(structure, query);
    const bars = graph.bars.map((bar, at) => {
      const collapsesTo = structure.collapsible[at];
      const finer = structure.finer[at];
      return {
        ...bar,
        ...(collapsesTo ? { collapsesTo } : {}),
        ...(finer ? { finer } : {}),
        ...unranked(at),
        ...(has(at) ? {} : { isMissing: true as const }),
        entries: entries[at],
      };
    });
    const notes = [...graph.notes, ...this.subject.notes(scope)];
    return {
      ...graph,
      bars,
      shownNames: this.shownNames(graph),
      notes,
      skipped: structure.skipped,
      metric: metric.name,
      unit: metric.unit,
      over: scope.over,
    };
  }

  /** Whether the scope's recording has any context of a bar. In a comparison one of the two recordings may have none. */
  private hasBar({ kept, bars }: GraphStructure, { scope, compared }: GraphQuery): (bar: number) => boolean {
    if (!compared) return () => true;
    const has = new Uint8Array(bars.size);
    for (const context of this.subject.recordingOf(scope).dataSet.tree.parent.keys()) {
      const home = kept.home[this.subject.contextOf(scope.dataSet, context)];
      if (home !== NONE) has[bars.ofContext[home]] = 1;
    }
    return (bar) => has[bar] === 1;
  }

  /** What a bar costs of no rank, where its numbers are 0 for that. One rank, or the least of all, may have 0 for other reasons than the mean. */
  private unrankedBars(
    structure: GraphStructure,
    shown: MeasuredGraph,
    scope: Scope,
    task: Task,
  ): (bar: number) => ReturnType<typeof noRankPart> {
    const isZero = shown.bars.some(({ exclusive, inclusive }) => exclusive === 0 || inclusive === 0);
    const { locations } = this.subject.recordingOf(scope).dataSet;
    if (!isZero || scope.over === "sum" || scope.chosen || !locations.some(({ rank }) => rank === NONE))
      return () => ({});
    const measured = (over: OverRanks) =>
      measuredGraph(structure, this.subject.measurement({ ...scope, over }), task).bars;
    const isMean = scope.over === "mean" || scope.over === "max";
    const [mean, sum] = [isMean ? shown.bars : measured("mean"), measured("sum")];
    return (bar) => {
      const of = (what: "exclusive" | "inclusive") => (mean[bar][what] === 0 ? sum[bar][what] : 0);
      return noRankPart(of("exclusive"), of("inclusive"));
    };
  }

  /** What is shown of what the graph names: its entries, and its groups by function. */
  private shownNames({ bars }: MeasuredGraph): ReadonlyMap<string, string> {
    const all = this.subject.shownNames();
    const shownNames = new Map<string, string>();
    const add = (name: string) => {
      const shown = all.get(name);
      if (shown !== undefined) shownNames.set(name, shown);
    };
    for (const { group, entries } of bars) {
      add(group);
      for (const { name } of entries) add(name);
    }
    return shownNames;
  }

  /** The entries of each bar, with the links of those that are drawn. */
  private async entriesOf(
    { bars }: MeasuredGraph,
    query: GraphQuery,
    { numberOf, own }: WholeFunctions,
    task: Task,
  ): Promise<GraphEntry[][]> {
    const linked = bars.map(({ entries }) =>
      query.linkEveryEntry === true ? entries : entries.slice(0, LINKED_ENTRIES),
    );
    const links = await this.subject.linksOf(
      linked.flatMap((entries) => entries.map(({ context }) => context)),
      task,
    );
    let next = 0;
    // Thousands are made, all of one shape and without a spread: that takes a third of the time.
    const entryAt = (
      { name, inclusive, exclusive, context, function: id }: MeasuredEntry,
      known: SourceLink | undefined,
    ): GraphEntry => ({
      name,
      inclusive,
      exclusive,
      link: known ?? notLinkedYet,
      unlinked: known ? undefined : context,
      function: numberOf[id] === NONE ? undefined : numberOf[id],
      own: own?.[id],
    });
    return bars.map(({ entries }, bar) =>
      entries.map((entry, at) => entryAt(entry, at < linked[bar].length ? links[next++] : undefined)),
    );
  }

  private wholeFunctions({ basis }: GraphStructure, measured: Measurement, scope: Scope): WholeFunctions {
    const own =
      "extreme" in measured
        ? undefined
        : entryOf(this.ownSums, measured.exclusive, () => exclusiveByFunction(basis.functions, measured.exclusive));
    const numberOf = new Int32Array(basis.functions.size).fill(NONE);
    this.subject.functionsIn(scope.dataSet).forEach((joined, id) => {
      if (joined !== NONE) numberOf[joined] = id;
    });
    return { numberOf, own };
  }

  /** Where a context of these graphs leads; undefined where there is no such context. */
  async linkOf(query: GraphQuery, context: number, task: Task): Promise<SourceLink | undefined> {
    const isKnown = Number.isInteger(context) && context >= 0 && context < this.subject.basis(query).tree.size;
    return isKnown ? (await this.subject.linksOf([context], task)).at(0) : undefined;
  }

  /** The bar that each context lies in, or is hidden in; undefined where it is hidden and no ancestor is kept. */
  async barsOf(query: GraphQuery, contexts: Iterable<number>, task: Task): Promise<(string | undefined)[]> {
    const structure = await this.structure(query, task);
    const { dataSet } = query.scope;
    return Array.from(contexts, (context) => barOfContext(structure, this.subject.contextOf(dataSet, context)));
  }

  /** The contexts that make a bar; none where there is no such bar. */
  async contextsOf(query: GraphQuery, bar: string, task: Task): Promise<number[]> {
    const contexts = contextsOfBar(await this.structure(query, task), bar);
    return this.subject.ownContexts(query.scope.dataSet, contexts);
  }

  /** The contexts that make a bar, and those of them that are its entries; none where there is no such bar. */
  async membersOfBar(
    query: GraphQuery,
    bar: string,
    task: Task,
  ): Promise<{ contexts: Int32Array; entries: Int32Array }> {
    const structure = await this.structure(query, task);
    const own = (contexts: Iterable<number>) =>
      Int32Array.from(this.subject.ownContexts(query.scope.dataSet, contexts));
    return { contexts: own(contextsOfBar(structure, bar)), entries: own(entriesOfBar(structure, bar)) };
  }

  /** How the numbers of all bars are spread, in the order of the graph. */
  async histograms(query: GraphQuery, what: BarHistogramRequest, task: Task): Promise<BarHistograms> {
    const structure = await this.structure(query, task);
    return this.spreads.histograms(structure, query.scope, what, task);
  }

  /** The first picture, kept for operations on it: these have its choice, and choose nothing. */
  private async firstGraph(
    grouping: Parameters<typeof firstGraphSteps>[0],
    basis: GraphBasis,
    start: FirstStart | undefined,
    task: Task,
  ): Promise<FirstGraph> {
    const key = JSON.stringify(start ?? null);
    const known = this.firstLast;
    if (known?.basis === basis && known.keys.includes(key)) return known.graph;
    const { changes, firstAtWork } = this;
    task.progress(undefined, "Choosing the first picture");
    // Both sides of a comparison ask at once.
    if (firstAtWork?.basis === basis && firstAtWork.key === key && firstAtWork.changes === changes)
      return firstAtWork.work.wait(task);
    const work = new SharedWork((shared) => this.madeFirst(grouping, basis, start, shared));
    const atWork = { basis, key, changes, work };
    this.firstAtWork = atWork;
    const ended = () => {
      if (this.firstAtWork === atWork) this.firstAtWork = undefined;
    };
    work.result.then(ended, ended);
    return work.wait(task);
  }

  private async madeFirst(
    grouping: Parameters<typeof firstGraphSteps>[0],
    basis: GraphBasis,
    start: FirstStart | undefined,
    task: Task,
  ): Promise<FirstGraph> {
    const key = JSON.stringify(start ?? null);
    const { changes } = this;
    // A step takes a tenth of a second in a large recording. Costs of a file that is jumped to come between.
    const graph = await paced(firstGraphSteps(grouping, start, task));
    const keys = [key, JSON.stringify(graph.picture.choice)];
    if (changes === this.changes) this.firstLast = { basis, keys, graph };
    return graph;
  }

  /** What makes the bars of a query, and the index of one of them. @throws RequestError where there is no such bar */
  async insideOf(query: GraphQuery, bar: string, task: Task): Promise<InsideOfBar> {
    const structure = await this.structure(query, task);
    const index = structure.bars.id.indexOf(bar);
    if (index < 0) throw new RequestError(`There is no bar ${shortName(bar)} with this metric and these groups.`);
    const { dataSet } = query.scope;
    return { structure, bar: index, contextOf: (context) => this.subject.contextOf(dataSet, context) };
  }

  /**
   * Groups of the functions that a query's filter keeps, whatever its operations are.
   *
   * @returns names, and the group of each function; NONE where it was not asked for
   */
  async groupsOfFunctions(query: GraphQuery & { readonly groupBy: Exclude<GroupBy, "none" | "map"> }, task: Task) {
    const { groupBy, filter } = query;
    const basis = this.subject.basis(query);
    const withFiles = needsSource(query);
    const kept = filterContexts(basis, filter);
    const places = withFiles ? await this.subject.places(basis, keptFunctions(kept), task) : NO_PLACES;
    const attributes = attributesOf(this.subject, places, withFiles);
    const { names, ofContext } = groupContexts({ ...basis, attributes }, kept, groupBy);
    const ofFunction = new Int32Array(basis.functions.size).fill(NONE);
    kept.original.forEach((context, at) => (ofFunction[basis.functions.ofContext[context]] = ofContext[at]));
    return { names, ofFunction };
  }

  /** Files of the definitions of all functions that have any, and the load module of each, or what stands for it (semantics 2.2). */
  async sourceOfFunctions(scope: Scope, task: Task) {
    const query = { scope, filter: 0, groupBy: "module" } as const;
    const basis = this.subject.basis(query);
    const functions = keptFunctions(filterContexts(basis, 0));
    const { files } = await this.subject.places(basis, functions, task);
    const modules = await this.groupsOfFunctions(query, task);
    const { frames } = basis;
    // What was marked as MPI, or is outside of all regions, is of no file, whatever an index says of a function of that name.
    const isOf = (id: number) => !["mpi", "outside"].includes(frames.originOf(basis.functions.frame[id]));
    return {
      fileOf: (id: number) => (isOf(id) ? files.get(id) : undefined),
      moduleOf: (id: number) => (modules.ofFunction[id] === NONE ? NOT_KNOWN : modules.names[modules.ofFunction[id]]),
    };
  }

  /**
   * For each context of a data set that is compared, the one of the other data set that is the same: of several the first; NONE where
   * there is none.
   */
  twins(from: ComparedTree, to: ComparedTree): Int32Array {
    const first = new Map<number, number>();
    for (let context = to.contexts - 1; context >= 0; context--)
      first.set(this.subject.contextOf(to.dataSet, context), context);
    return Int32Array.from(
      { length: from.contexts },
      (_, context) => first.get(this.subject.contextOf(from.dataSet, context)) ?? NONE,
    );
  }

  /** The context of these graphs that a context of a data set is. */
  contextOf(dataSet: number, context: number): number {
    return this.subject.contextOf(dataSet, context);
  }

  /** The function of these graphs that each function of a data set is; NONE where it has no context. */
  functionsIn(dataSet: number): Int32Array {
    return this.subject.functionsIn(dataSet);
  }

  /** The bar of `before` that each bar of `after` was made from, by its id; undefined: none. */
  async origins(before: GraphQuery, after: GraphQuery, task: Task): Promise<(string | undefined)[]> {
    const then = await this.structure(before, task);
    const origins = barOrigins(then, await this.structure(after, task));
    return Array.from(origins, (bar) => (bar === NONE ? undefined : then.bars.id[bar]));
  }

  /** What a filter leaves, and where its functions are; kept for the next operation on it. */
  private async filtered(basis: GraphBasis, percent: number, withFiles: boolean, task: Task): Promise<FilteredBasis> {
    const known = this.filteredLast;
    if (known?.basis === basis && known.percent === percent && known.withFiles === withFiles) return known;
    const { changes } = this;
    const kept = this.trees.of(basis, percent);
    const places = withFiles ? await this.subject.places(basis, keptFunctions(kept), task) : NO_PLACES;
    const filtered = { basis, percent, withFiles, kept, places };
    if (changes === this.changes) this.filteredLast = filtered;
    return filtered;
  }

  /** Links may differ: groups by file are to be built anew. */
  forgetStructures(): void {
    this.changes++;
    this.structures = [];
    this.filteredLast = undefined;
    this.firstLast = undefined;
  }

  /** What makes the bars of a query, whatever its numbers are. */
  async structure(query: Omit<GraphQuery, "barsOnly">, task: Task): Promise<GraphStructure> {
    const { groupBy, first, map, operations, lenient, mostBars } = query;
    // A first picture asks for the places of all functions: what costs are by is decided before anything is hidden.
    const filter = groupBy === "first" ? 0 : query.filter;
    const request: GraphRequest = { filter, groupBy, first, map, operations, lenient, mostBars };
    const basis = this.subject.basis(query);
    const key = JSON.stringify(request);
    const known = this.structures.find((kept) => kept.basis === basis && kept.keys.includes(key));
    if (known) return known.structure;
    const { changes } = this;
    const withFiles = needsSource(request);
    const pace = new Pace(task);
    const { kept, places } = await this.filtered(basis, filter, withFiles, task);
    await pace.breathe();
    const attributes = attributesOf(this.subject, places, withFiles);
    const filteredAt = (percent: number) => (percent === filter ? kept : this.trees.of(basis, percent));
    const picture =
      groupBy === "first" ? await this.firstGraph({ ...basis, attributes }, basis, first, task) : undefined;
    await pace.breathe();
    const structure = graphStructure(basis, attributes, request, task, filteredAt, picture && (() => picture));
    await pace.breathe();
    const choice = structure.chosen?.choice;
    // A question with the choice of a first picture has the answer of the one that chose, unless that one asked for another filter.
    const isAsked = choice !== undefined && (first === undefined || first.filter === choice.filter);
    const keys = isAsked ? [key, JSON.stringify({ ...request, first: choice })] : [key];
    // What was begun before links changed is not kept for those who ask after that.
    if (changes === this.changes)
      this.structures = [{ basis, keys, structure }, ...this.structures].slice(0, KEPT_STRUCTURES);
    return structure;
  }
}

const OF_SOURCE: ReadonlySet<GraphRequest["groupBy"]> = new Set(["default", "first", "file", "folder", "class"]);

/** Whether any step of a graph asks for files or classes, which the data may not have. */
function needsSource({ groupBy, operations = [] }: GraphRequest): boolean {
  return (
    OF_SOURCE.has(groupBy) ||
    operations.some((step) => step.kind === "expand" || (step.kind === "group-by" && OF_SOURCE.has(step.groupBy)))
  );
}
