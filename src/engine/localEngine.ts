import { openRecordings } from "../formats/registry";
import type { DataSet } from "../model/dataSet";
import { RequestError } from "../model/errors";
import { quietTask, type Task } from "../model/task";
import type { GrammarFiles } from "../source/grammar";
import { layoutGraph, layoutStacked } from "../supergraph/layout";
import type {
  BarHistogramRequest,
  BarHistograms,
  CallerRow,
  ContextRow,
  CorrelationAnswer,
  CorrelationQuery,
  CounterRow,
  DataSetInfo,
  Distribution,
  DistributionQuery,
  DocumentCosts,
  DocumentText,
  Engine,
  FlameDetails,
  FlamePlace,
  FlameQuery,
  Flames,
  FlameWindow,
  FunctionRow,
  GraphLayout,
  GraphQuery,
  HotPath,
  HotPlace,
  LaneRow,
  LayoutGraph,
  LayoutSize,
  LineCall,
  LineDetails,
  LocationUnit,
  MessagePairRow,
  OpenRequest,
  ResourceRow,
  Rows,
  Scope,
  SeriesRow,
  SourceLink,
  SourceSettings,
  Spread,
  StackedLayout,
  SuperGraph,
  SymbolsOfFile,
  Target,
  TraceInfo,
  TransferRow,
} from "./api";
import { correlationOf } from "./members/correlations";
import { barFunctions } from "./graphs/barFunctions";
import { dataSetInfo } from "./dataSets/dataSetInfo";
import { distribution } from "./members/distributions";
import { documentCosts, lineDetails, overRanks } from "./lines/documents";
import { ComparedSubject } from "./graphs/comparedSubject";
import { FlameGraphs } from "./flames/flames";
import { Graphs } from "./graphs/graphs";
import { SingleSubject } from "./graphs/graphSubject";
import { hotPlaces, measuredHotPlaces } from "./lines/hotPlaces";
import { hotPath } from "./lines/hotPaths";
import { lineCalls } from "./lines/lineCalls";
import { Links } from "./lines/links";
import { OpenDataSet } from "./dataSets/openDataSet";
import { spread } from "./members/spreads";
import type { TraceCache } from "./traces/traceCache";
import {
  counterRows,
  laneRows,
  messagePairRows,
  resourceRows,
  seriesRows,
  traceInfo,
  transferRows,
} from "./traces/traces";
import { callerRows, contextRow, contextRows, hotFunctions, ownContexts } from "./trees/trees";

/** A data set that is open, with its graphs. */
interface Held {
  readonly open: OpenDataSet;
  readonly graphs: Graphs;
  readonly flames: FlameGraphs;
}

export interface LocalEngineOptions {
  /** Where columns of traces go that need not stay in memory; absent: they stay. */
  readonly traceCache?: TraceCache;
  /** How many times larger than its file a packed recording may be. */
  readonly unpackedRatio?: number;
}

/** The engine in this thread: what the worker runs, and what the command line and tests use as it is. */
export class LocalEngine implements Engine {
  private readonly held = new Map<number, Held>();
  private readonly links: Links;
  /** The two data sets that were compared last. */
  private comparison: { readonly of: readonly number[]; readonly graphs: Graphs } | undefined;
  private lastId = 0;

  /** @param grammars where the parsers' .wasm files lie */
  constructor(
    grammars: GrammarFiles,
    private readonly options: LocalEngineOptions = {},
  ) {
    this.links = new Links(grammars);
    this.links.onChange = () => {
      for (const graphs of this.allGraphs()) graphs.forgetStructures();
      for (const { flames } of this.held.values()) flames.forget();
    };
  }

  async configure(settings: SourceSettings): Promise<void> {
    this.links.configure(settings);
  }

  async setOpenTexts(texts: readonly DocumentText[]): Promise<void> {
    this.links.setOpenTexts(texts);
  }

  async wantedSymbols(): Promise<string[]> {
    return this.links.wantedSymbols();
  }

  async setSymbols(files: readonly SymbolsOfFile[]): Promise<void> {
    return this.links.setSymbols(files);
  }

  async open(request: OpenRequest, task: Task = quietTask): Promise<DataSetInfo[]> {
    const started = performance.now();
    const columnFiles = this.options.traceCache?.opening();
    const { hierarchy, answer } = request;
    const { unpackedRatio } = this.options;
    try {
      const dataSets = await openRecordings(request.paths, { hierarchy, answer, columnFiles, unpackedRatio }, task);
      const seconds = (performance.now() - started) / 1000;
      const traces: (TraceInfo | undefined)[] = [];
      for (const dataSet of dataSets) traces.push(await traceInfo(dataSet, task));
      // All of them, before the first one counts as open: a cancel leaves none behind.
      const opened = dataSets.map(
        (dataSet, index) => new OpenDataSet(++this.lastId, dataSet, seconds, traces[index], task),
      );
      return opened.map((open) => this.hold(open));
    } catch (problem) {
      // What a reading that failed, or was cancelled, has written goes with it.
      await columnFiles?.close();
      throw problem;
    }
  }

  /** Closes everything and removes what is on disk. */
  async dispose(): Promise<void> {
    for (const id of [...this.held.keys()]) await this.close(id);
    await this.options.traceCache?.dispose();
  }

  /** The columns themselves, for who works in this thread and needs every value of them. */
  dataSet(id: number): DataSet {
    return this.get(id).open.dataSet;
  }

  async close(dataSet: number): Promise<void> {
    const held = this.held.get(dataSet);
    if (!held) return;
    held.open.closed = true;
    if (this.comparison?.of.includes(dataSet)) this.comparison = undefined;
    this.held.delete(dataSet);
    await held.open.dataSet.trace?.close();
  }

  async total(scope: Scope): Promise<number> {
    return this.get(scope.dataSet).open.numbers(scope).total;
  }

  async hotFunctions(scope: Scope, by: "exclusive" | "inclusive", limit: number): Promise<FunctionRow[]> {
    return hotFunctions(this.get(scope.dataSet).open, scope, by, limit);
  }

  async contexts(
    scope: Scope,
    parent: number | undefined,
    limit: number,
  ): Promise<{ rows: ContextRow[]; more: number }> {
    const { open } = this.get(scope.dataSet);
    return contextRows(open, scope, parent === undefined ? undefined : open.checkContext(parent), limit);
  }

  async callers(scope: Scope, path: readonly number[], limit: number): Promise<{ rows: CallerRow[]; more: number }> {
    const { open } = this.get(scope.dataSet);
    path.forEach((id) => open.checkFunction(id));
    return callerRows(open, scope, path, limit);
  }

  async pathOf(dataSet: number, context: number): Promise<number[]> {
    const { open } = this.get(dataSet);
    return open.pathOf(open.checkContext(context));
  }

  async describeContext(scope: Scope, context: number, task: Task = quietTask) {
    const { open } = this.get(scope.dataSet);
    open.checkContext(context);
    return {
      ...contextRow(open, scope, context),
      path: open.pathOf(context).map((at) => open.contextName(at)),
      overRanks: overRanks(open, scope, [[context, open.dataSet.tree.end[context]]]),
      link: await this.links.link(open, context, task),
      function: open.functions.ofContext[context],
    };
  }

  async link(dataSet: number, target: Target, task: Task = quietTask): Promise<SourceLink> {
    const { open } = this.get(dataSet);
    if (target.kind === "context") return this.links.link(open, open.checkContext(target.context), task);
    const metric = target.kind === "bar" ? target.query.scope.metric : dataSetInfo(open).defaultMetric;
    const scope: Scope = target.kind === "bar" ? target.query.scope : { dataSet, metric, over: "sum" };
    const [place] = await this.hotPlaces(scope, target, 1, task);
    if (!place) throw new RequestError("There is nothing to go to.");
    return place.link;
  }

  async hotPlaces(
    scope: Scope,
    target: Target | undefined,
    limit: number,
    task: Task = quietTask,
  ): Promise<HotPlace[]> {
    const { open } = this.get(scope.dataSet);
    if (open.measured && (target === undefined || target.kind === "function")) {
      const only = target && open.checkFunction(target.function);
      return measuredHotPlaces(open, open.measured.flat, this.links, scope, only, limit, task);
    }
    const contexts = await this.contextsOf(scope.dataSet, target, task);
    return hotPlaces(open, this.links, scope, contexts, limit, target === undefined, task);
  }

  async documentCosts(scope: Scope, document: DocumentText, task: Task = quietTask): Promise<DocumentCosts> {
    return documentCosts(this.get(scope.dataSet).open, this.links, scope, document, task);
  }

  async lineDetails(
    scope: Scope,
    document: DocumentText,
    line: number,
    task: Task = quietTask,
  ): Promise<LineDetails[]> {
    return lineDetails(this.get(scope.dataSet).open, this.links, scope, document, line, task);
  }

  async lineCalls(scope: Scope, document: DocumentText, line: number, task: Task = quietTask): Promise<LineCall[]> {
    return lineCalls(this.get(scope.dataSet).open, this.links, scope, document, line, task);
  }

  async barOf(query: GraphQuery, target: Target, task: Task = quietTask): Promise<string | undefined> {
    if (target.kind === "bar") return target.bar;
    const { open } = this.get(query.scope.dataSet);
    const graphs = this.graphsOf(query, task);
    if (target.kind === "context") return (await graphs.barsOf(query, [open.checkContext(target.context)], task))[0];
    // A function may lie in several bars: the one with most of its cost.
    const { exclusive } = open.numbers(query.scope);
    const costs = new Map<string, number>();
    const contexts = [...(await this.contextsOf(query.scope.dataSet, target, task))];
    for (const [at, bar] of (await graphs.barsOf(query, contexts, task)).entries())
      if (bar !== undefined) costs.set(bar, (costs.get(bar) ?? 0) + exclusive[contexts[at]]);
    return [...costs].sort(([a, costA], [b, costB]) => costB - costA || (a < b ? -1 : 1))[0]?.[0];
  }

  async superGraph(query: GraphQuery, task: Task = quietTask): Promise<SuperGraph> {
    return this.graphsOf(query, task).superGraph(query, task);
  }

  async barFunctions(query: GraphQuery, bar: string, task: Task = quietTask): Promise<FunctionRow[]> {
    return barFunctions(this.get(query.scope.dataSet).open, this.graphsOf(query, task), query, bar, task);
  }

  async barOrigins(before: GraphQuery, after: GraphQuery, task: Task = quietTask): Promise<(string | undefined)[]> {
    const graphs = this.graphsOf(after, task);
    // Of other recordings, no bar was made from any.
    if (this.graphsOf(before, task) !== graphs) return [];
    return graphs.origins(before, after, task);
  }

  async layout(graph: LayoutGraph, size: LayoutSize): Promise<GraphLayout> {
    return layoutGraph(graph, size);
  }

  async layoutStacked(graphs: readonly LayoutGraph[], size: LayoutSize): Promise<StackedLayout> {
    return layoutStacked(graphs, size);
  }

  async spread(
    scope: Scope,
    by: LocationUnit,
    targets: readonly (Target | undefined)[],
    task: Task = quietTask,
  ): Promise<Spread> {
    const graphsOf = (query: GraphQuery) => this.graphsOf(query, task);
    return spread(this.get(scope.dataSet).open, graphsOf, scope, by, targets, task);
  }

  async distribution(query: DistributionQuery, task: Task = quietTask): Promise<Distribution> {
    const graphsOf = (graph: GraphQuery) => this.graphsOf(graph, task);
    return distribution(this.get(query.scope.dataSet).open, graphsOf, query, task);
  }

  async correlation(query: CorrelationQuery, task: Task = quietTask): Promise<CorrelationAnswer> {
    const graphsOf = (asked: GraphQuery) => this.graphsOf(asked, task);
    return correlationOf(this.get(query.x.scope.dataSet).open, graphsOf, query, task);
  }

  async hotPath(
    scope: Scope,
    target: Target | undefined,
    threshold: number,
    task: Task = quietTask,
  ): Promise<HotPath | undefined> {
    const graphsOf = (query: GraphQuery) => this.graphsOf(query, task);
    return hotPath(this.get(scope.dataSet).open, graphsOf, this.links, scope, target, threshold, task);
  }

  async barHistograms(query: GraphQuery, what: BarHistogramRequest, task: Task = quietTask): Promise<BarHistograms> {
    return this.graphsOf(query, task).histograms(query, what, task);
  }

  async flames(query: FlameQuery, window: FlameWindow, task: Task = quietTask): Promise<Flames> {
    return this.get(query.scope.dataSet).flames.flames(query, window, task);
  }

  async flamePlace(query: FlameQuery, target: Target, task: Task = quietTask): Promise<FlamePlace | undefined> {
    return this.get(query.scope.dataSet).flames.place(query, target, task);
  }

  async flameDetails(query: FlameQuery, node: number, task: Task = quietTask): Promise<FlameDetails> {
    const { open, flames } = this.get(query.scope.dataSet);
    const details = await flames.details(query, node, task);
    return { ...details, link: await this.links.link(open, details.context, task) };
  }

  async lanes(dataSet: number, limit: number): Promise<Rows<LaneRow>> {
    return laneRows(this.dataSet(dataSet), limit);
  }

  async counters(dataSet: number, limit: number, task: Task = quietTask): Promise<Rows<CounterRow>> {
    return counterRows(this.dataSet(dataSet), limit, task);
  }

  async messagePairs(dataSet: number, limit: number, task: Task = quietTask): Promise<Rows<MessagePairRow>> {
    return messagePairRows(this.dataSet(dataSet), limit, task);
  }

  async transfers(dataSet: number, task: Task = quietTask): Promise<TransferRow[]> {
    return transferRows(this.dataSet(dataSet), task);
  }

  async seriesRows(dataSet: number, series: number, limit: number): Promise<Rows<SeriesRow>> {
    return seriesRows(this.dataSet(dataSet), series, limit);
  }

  async resources(dataSet: number, parent: number | undefined, limit: number): Promise<Rows<ResourceRow>> {
    return resourceRows(this.dataSet(dataSet), parent, limit);
  }

  private hold(open: OpenDataSet): DataSetInfo {
    const graphs = new Graphs(new SingleSubject(open, this.links));
    const flames = new FlameGraphs(open, graphs, (query, task) => this.graphsOf(query, task));
    this.held.set(open.id, { open, graphs, flames });
    // Goes on in the background; who asks for a link hears of what went wrong.
    this.links.noteOpened(open).catch(() => undefined);
    return dataSetInfo(open);
  }

  private *allGraphs(): Iterable<Graphs> {
    for (const { graphs } of this.held.values()) yield graphs;
    if (this.comparison) yield this.comparison.graphs;
  }

  /** The graphs that a query asks for: of its data set, or of both that it compares. */
  private graphsOf({ scope, compared }: GraphQuery, task: Task): Graphs {
    const { open, graphs } = this.get(scope.dataSet);
    if (!compared || compared.dataSet === scope.dataSet) return graphs;
    const both = [open, this.get(compared.dataSet).open].sort((a, b) => a.id - b.id);
    const known = this.comparison;
    if (known && both.every(({ id }, at) => id === known.of[at])) return known.graphs;
    const made = new Graphs(new ComparedSubject(both, this.links, task));
    this.comparison = { of: both.map(({ id }) => id), graphs: made };
    return made;
  }

  private get(dataSet: number): Held {
    const held = this.held.get(dataSet);
    if (!held) throw new RequestError(`Data set ${dataSet} is not open any more.`);
    return held;
  }

  /** The contexts that a target is about: those whose cost is its own. */
  private async contextsOf(dataSet: number, target: Target | undefined, task: Task): Promise<Iterable<number>> {
    const { open } = this.get(dataSet);
    if (target === undefined) return open.dataSet.tree.parent.keys();
    if (target.kind === "bar") return this.graphsOf(target.query, task).contextsOf(target.query, target.bar, task);
    if (target.kind === "context") return ownContexts(open, open.checkContext(target.context));
    const wanted = open.checkFunction(target.function);
    return [...open.functions.ofContext.keys()].filter((context) => open.functions.ofContext[context] === wanted);
  }
}
