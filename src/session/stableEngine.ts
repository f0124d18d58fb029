/**
 * The engine under ids that outlive it. A data set keeps its number when the worker is restarted, the recording is read
 * again or the window is reloaded, so panels and views may keep it; here it is exchanged for the number that the present
 * worker gave, and a question asked while a recording is being reopened waits until it is there.
 */
import type {
  CorrelationAxis,
  CorrelationQuery,
  DistributionQuery,
  BarHistogramRequest,
  DocumentText,
  Engine,
  FlameQuery,
  FlameWindow,
  GraphLayout,
  GraphQuery,
  LayoutGraph,
  LayoutSize,
  LocationUnit,
  Scope,
  SuperGraph,
  Target,
} from "../engine/api";
import { RequestError } from "../model/errors";
import type { Task } from "../model/task";

/** A data set as the present worker knows it. */
export interface Resolved {
  readonly engine: Engine;
  readonly engineId: number;
}

export interface Directory {
  /** The present worker, started when there is none. */
  engine(): Engine;
  /** Waits while the data set is being reopened. @throws RequestError when it is not open */
  resolve(dataSet: number): Promise<Resolved>;
  /** Questions under way, so that it is known what the worker was busy with when it ended. */
  readonly busy: Map<number, number>;
}

export class StableEngine implements Engine {
  constructor(private readonly directory: Directory) {}

  configure(): Promise<void> {
    return Promise.reject(new RequestError("The session alone configures the engine."));
  }

  setOpenTexts(texts: readonly DocumentText[]): Promise<void> {
    return this.directory.engine().setOpenTexts(texts);
  }

  wantedSymbols(): Promise<never> {
    return Promise.reject(new RequestError("The session alone asks for symbols."));
  }

  setSymbols(): Promise<never> {
    return Promise.reject(new RequestError("The session alone hands in symbols."));
  }

  open(): Promise<never> {
    return Promise.reject(new RequestError("Recordings are opened through the session."));
  }

  close(): Promise<void> {
    return Promise.reject(new RequestError("Data sets are closed through the session."));
  }

  total(scope: Scope) {
    return this.inScope(scope, (engine, own) => engine.total(own));
  }

  hotFunctions(scope: Scope, by: "exclusive" | "inclusive", limit: number) {
    return this.inScope(scope, (engine, own) => engine.hotFunctions(own, by, limit));
  }

  contexts(scope: Scope, parent: number | undefined, limit: number) {
    return this.inScope(scope, (engine, own) => engine.contexts(own, parent, limit));
  }

  callers(scope: Scope, path: readonly number[], limit: number) {
    return this.inScope(scope, (engine, own) => engine.callers(own, path, limit));
  }

  pathOf(dataSet: number, context: number) {
    return this.inDataSet(dataSet, (engine, id) => engine.pathOf(id, context));
  }

  describeContext(scope: Scope, context: number) {
    return this.inScope(scope, (engine, own) => engine.describeContext(own, context));
  }

  link(dataSet: number, target: Target, task?: Task) {
    return this.inDataSet(dataSet, async (engine, id) => engine.link(id, await this.ownTarget(target, id), task));
  }

  hotPlaces(scope: Scope, target: Target | undefined, limit: number, task?: Task) {
    return this.inScope(scope, async (engine, own) =>
      engine.hotPlaces(own, target && (await this.ownTarget(target, own.dataSet)), limit, task),
    );
  }

  documentCosts(scope: Scope, document: DocumentText, task?: Task) {
    return this.inScope(scope, (engine, own) => engine.documentCosts(own, document, task));
  }

  lineDetails(scope: Scope, document: DocumentText, line: number, task?: Task) {
    return this.inScope(scope, (engine, own) => engine.lineDetails(own, document, line, task));
  }

  lineCalls(scope: Scope, document: DocumentText, line: number, task?: Task) {
    return this.inScope(scope, (engine, own) => engine.lineCalls(own, document, line, task));
  }

  barOf(query: GraphQuery, target: Target, task?: Task) {
    return this.inQuery(query, async (engine, own) =>
      engine.barOf(own, await this.ownTarget(target, own.scope.dataSet), task),
    );
  }

  superGraph(query: GraphQuery, task?: Task): Promise<SuperGraph> {
    return this.inQuery(query, (engine, own) => engine.superGraph(own, task));
  }

  barFunctions(query: GraphQuery, bar: string, task?: Task) {
    return this.inQuery(query, (engine, own) => engine.barFunctions(own, bar, task));
  }

  barOrigins(before: GraphQuery, after: GraphQuery, task?: Task) {
    return this.inQuery(before, (engine, then) => this.inQuery(after, (_, now) => engine.barOrigins(then, now, task)));
  }

  layout(graph: LayoutGraph, size: LayoutSize): Promise<GraphLayout> {
    return this.directory.engine().layout(graph, size);
  }

  layoutStacked(graphs: readonly LayoutGraph[], size: LayoutSize) {
    return this.directory.engine().layoutStacked(graphs, size);
  }

  spread(scope: Scope, by: LocationUnit, targets: readonly (Target | undefined)[], task?: Task) {
    return this.inScope(scope, async (engine, own) => {
      const ownTargets = targets.map((target) => target && this.ownTarget(target, own.dataSet));
      return engine.spread(own, by, await Promise.all(ownTargets), task);
    });
  }

  correlation({ x, y, ...query }: CorrelationQuery, task?: Task) {
    return this.inScope(x.scope, async (engine, { dataSet }) => {
      const own = async (axis: CorrelationAxis): Promise<CorrelationAxis> => ({
        ...axis,
        scope: { ...axis.scope, dataSet },
        ...(axis.target ? { target: await this.ownTarget(axis.target, dataSet) } : {}),
      });
      return engine.correlation({ ...query, x: await own(x), y: await own(y) }, task);
    });
  }

  distribution(query: DistributionQuery, task?: Task) {
    return this.inScope(query.scope, async (engine, scope) => {
      const target = query.target && (await this.ownTarget(query.target, scope.dataSet));
      return engine.distribution({ ...query, scope, target }, task);
    });
  }

  hotPath(scope: Scope, target: Target | undefined, threshold: number, task?: Task) {
    return this.inScope(scope, async (engine, own) =>
      engine.hotPath(own, target && (await this.ownTarget(target, own.dataSet)), threshold, task),
    );
  }

  barHistograms(query: GraphQuery, what: BarHistogramRequest, task?: Task) {
    return this.inQuery(query, (engine, own) => engine.barHistograms(own, what, task));
  }

  flames(query: FlameQuery, window: FlameWindow, task?: Task) {
    return this.inFlames(query, (engine, own) => engine.flames(own, window, task));
  }

  flamePlace(query: FlameQuery, target: Target, task?: Task) {
    return this.inFlames(query, async (engine, own) =>
      engine.flamePlace(own, await this.ownTarget(target, own.scope.dataSet), task),
    );
  }

  flameDetails(query: FlameQuery, node: number, task?: Task) {
    return this.inFlames(query, (engine, own) => engine.flameDetails(own, node, task));
  }

  lanes(dataSet: number, limit: number) {
    return this.inDataSet(dataSet, (engine, id) => engine.lanes(id, limit));
  }

  counters(dataSet: number, limit: number, task?: Task) {
    return this.inDataSet(dataSet, (engine, id) => engine.counters(id, limit, task));
  }

  messagePairs(dataSet: number, limit: number, task?: Task) {
    return this.inDataSet(dataSet, (engine, id) => engine.messagePairs(id, limit, task));
  }

  transfers(dataSet: number, task?: Task) {
    return this.inDataSet(dataSet, (engine, id) => engine.transfers(id, task));
  }

  seriesRows(dataSet: number, series: number, limit: number) {
    return this.inDataSet(dataSet, (engine, id) => engine.seriesRows(id, series, limit));
  }

  resources(dataSet: number, parent: number | undefined, limit: number) {
    return this.inDataSet(dataSet, (engine, id) => engine.resources(id, parent, limit));
  }

  private inFlames<T>(query: FlameQuery, ask: (engine: Engine, query: FlameQuery) => Promise<T>): Promise<T> {
    const { of } = query;
    return this.inScope(query.scope, (engine, scope) => {
      if (of.kind !== "bar") return ask(engine, { ...query, scope });
      return this.inQuery(of.query, (_, own) => ask(engine, { ...query, scope, of: { ...of, query: own } }));
    });
  }

  private inScope<T>(scope: Scope, ask: (engine: Engine, scope: Scope) => Promise<T>): Promise<T> {
    return this.inDataSet(scope.dataSet, (engine, dataSet) => ask(engine, { ...scope, dataSet }));
  }

  private inQuery<T>(query: GraphQuery, ask: (engine: Engine, query: GraphQuery) => Promise<T>): Promise<T> {
    const { compared } = query;
    return this.inScope(query.scope, (engine, scope) => {
      if (!compared) return ask(engine, { ...query, scope });
      return this.inScope(compared, (_, other) => ask(engine, { ...query, scope, compared: other }));
    });
  }

  private async inDataSet<T>(dataSet: number, ask: (engine: Engine, engineId: number) => Promise<T>): Promise<T> {
    const { engine, engineId } = await this.directory.resolve(dataSet);
    const { busy } = this.directory;
    busy.set(dataSet, (busy.get(dataSet) ?? 0) + 1);
    try {
      return await ask(engine, engineId);
    } finally {
      const left = (busy.get(dataSet) ?? 1) - 1;
      if (left > 0) busy.set(dataSet, left);
      else busy.delete(dataSet);
    }
  }

  /** A target as the present worker knows it; a bar may be one of a graph that compares two recordings. */
  private async ownTarget(target: Target, dataSet: number): Promise<Target> {
    if (target.kind !== "bar") return target;
    const { query } = target;
    const own = { ...query, scope: { ...query.scope, dataSet } };
    if (!query.compared) return { ...target, query: own };
    const { engineId } = await this.directory.resolve(query.compared.dataSet);
    return { ...target, query: { ...own, compared: { ...query.compared, dataSet: engineId } } };
  }
}
