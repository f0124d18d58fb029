/** What questions are answered from: the data sets that are open, what is derived of them, and where source is. */
import { openRecordings } from "../formats/registry";
import type { DataSet } from "../model/dataSet";
import { RequestError } from "../model/errors";
import type { Task } from "../model/task";
import type { GrammarFiles } from "../source/grammar";
import { KeptCode } from "./code/keptCode";
import type { DataSetInfo, OpenRequest } from "./dataSets/dataSetApi";
import { dataSetInfo } from "./dataSets/dataSetInfo";
import { OpenDataSet } from "./dataSets/openDataSet";
import type { Ensemble } from "./ensembles/ensemble";
import type { OpenEnsemble } from "./ensembles/ensembleGraphs";
import type { EnsembleCache } from "./ensembles/ensembleCache";
import { EnsembleSubject } from "./ensembles/ensembleSubject";
import { openEnsemble } from "./ensembles/openEnsemble";
import { FlameGraphs } from "./flames/flames";
import { jointFunctions, type JointFunctions, type Renamed } from "../model/jointFunctions";
import { ComparedSubject } from "./graphs/comparedSubject";
import { Graphs } from "./graphs/graphs";
import { SingleSubject } from "./graphs/graphSubject";
import { Links } from "./lines/links";
import type { GraphQuery, Target } from "./scope";
import { OpenTrace } from "./traces/openTrace";
import type { TraceCache } from "./traces/traceCache";
import { ownContexts } from "./trees/trees";
import type { FileReaders } from "../formats/format";

/** A data set that is open, with its graphs. */
interface Held {
  readonly open: OpenDataSet;
  readonly graphs: Graphs;
  readonly flames: FlameGraphs;
  readonly code: KeptCode;
  readonly trace: OpenTrace;
  /** Where it is one. */
  readonly ensemble?: Ensemble;
}

/** Data sets whose functions are one list, ascending, and the graphs of both where these are two. */
interface JoinedDataSets {
  readonly dataSets: readonly OpenDataSet[];
  readonly renamed: string;
  readonly joint: JointFunctions;
  graphs?: Graphs;
}

export interface EngineStateOptions {
  /** Where columns of traces go that need not stay in memory; absent: they stay. */
  readonly traceCache?: TraceCache;
  /** Where what was read of the runs of ensembles is kept; absent: nowhere. */
  readonly ensembleCache?: EnsembleCache;
  /** How many times larger than its file a packed recording may be. */
  readonly unpackedRatio?: number;
  /** Threads that read several files at once; absent: they are read in this one. */
  readonly readers?: FileReaders;
}

export class EngineState {
  readonly links: Links;
  private readonly held = new Map<number, Held>();
  private joined: JoinedDataSets | undefined;
  private lastId = 0;

  /** @param grammars where the parsers' .wasm files lie */
  constructor(
    grammars: GrammarFiles,
    private readonly options: EngineStateOptions = {},
  ) {
    this.links = new Links(grammars);
    this.links.onChange = () => {
      for (const graphs of this.allGraphs()) graphs.forgetStructures();
      for (const { flames, code } of this.held.values()) {
        flames.forget();
        code.forget();
      }
    };
  }

  /** @throws FormatError, AmbiguityError */
  async open(request: OpenRequest, task: Task): Promise<DataSetInfo[]> {
    const started = performance.now();
    const columnFiles = this.options.traceCache?.opening();
    const { hierarchy, answer } = request;
    const { unpackedRatio, readers, ensembleCache } = this.options;
    try {
      const options = { hierarchy, answer, columnFiles, unpackedRatio, readers, outlineOnly: true };
      if (request.ensemble) {
        const { ensemble, dataSet } = await openEnsemble(request.paths, request.ensemble, options, ensembleCache, task);
        const open = new OpenDataSet(++this.lastId, dataSet, (performance.now() - started) / 1000, task);
        return [this.hold(open, ensemble)];
      }
      const dataSets = await openRecordings(request.paths, options, task);
      const seconds = (performance.now() - started) / 1000;
      // All of them, before the first one counts as open: a cancel leaves none behind.
      const opened = dataSets.map((dataSet) => new OpenDataSet(++this.lastId, dataSet, seconds, task));
      return opened.map((open) => this.hold(open));
    } catch (problem) {
      // What a reading that failed, or was cancelled, has written goes with it.
      await columnFiles?.close();
      throw problem;
    }
  }

  async close(dataSet: number): Promise<void> {
    const held = this.held.get(dataSet);
    if (!held) return;
    held.open.closed = true;
    if (this.joined?.dataSets.includes(held.open)) this.joined = undefined;
    this.held.delete(dataSet);
    await held.trace.close();
  }

  /** Closes everything and removes what is on disk. */
  async dispose(): Promise<void> {
    for (const id of Array.from(this.held.keys())) await this.close(id);
    await this.options.ensembleCache?.settled();
    await this.options.traceCache?.dispose();
  }

  /** @throws RequestError where it is not open */
  get(dataSet: number): Held {
    const held = this.held.get(dataSet);
    if (!held) throw new RequestError(`Data set ${dataSet} is not open any more.`);
    return held;
  }

  /** What was recorded, for questions that need nothing derived. */
  dataSet(id: number): DataSet {
    return this.get(id).open.dataSet;
  }

  /** As {@link dataSet}, with the columns of its trace, where it has events. @throws FormatError, CancelledError */
  async withTrace(id: number, task: Task): Promise<DataSet> {
    return this.get(id).trace.withColumns(task);
  }

  /** The graphs that a query asks for: of its data set, or of both that it compares. */
  graphsOf({ scope, compared, renamed = [] }: Pick<GraphQuery, "scope" | "compared" | "renamed">, task: Task): Graphs {
    const { open, graphs } = this.get(scope.dataSet);
    if (!compared || compared.dataSet === scope.dataSet) return graphs;
    const joined = this.join([open, this.get(compared.dataSet).open], renamed, task);
    return (joined.graphs ??= new Graphs(new ComparedSubject(joined.dataSets, joined.joint, this.links, task)));
  }

  /** Which functions of data sets are the same, whatever the order is that these are given in; kept for those that were compared last. */
  join(dataSets: Iterable<OpenDataSet>, renamed: Renamed, task: Task): JoinedDataSets {
    const order = [...new Set(dataSets)].sort((a, b) => a.id - b.id);
    const names = JSON.stringify(renamed);
    const known = this.joined;
    const isKnown = known?.renamed === names && known.dataSets.length === order.length;
    if (isKnown && order.every((open, at) => open === known.dataSets[at])) return known;
    const runs = order.map(({ functions, dataSet: { frames } }) => ({ functions, frames }));
    this.joined = { dataSets: order, renamed: names, joint: jointFunctions(runs, renamed, task) };
    return this.joined;
  }

  /** The contexts that a target is about: those whose cost is its own. */
  async contextsOf(dataSet: number, target: Target | undefined, task: Task): Promise<Iterable<number>> {
    const { open } = this.get(dataSet);
    if (target === undefined) return open.dataSet.tree.parent.keys();
    if (target.kind === "bar") return this.graphsOf(target.query, task).contextsOf(target.query, target.bar, task);
    if (target.kind === "context") return ownContexts(open, open.checkContext(target.context));
    const wanted = open.checkFunction(target.function);
    return [...open.functions.ofContext.keys()].filter((context) => open.functions.ofContext[context] === wanted);
  }

  /** An ensemble with its graphs. @throws RequestError where the data set is none */
  ensemble(dataSet: number): OpenEnsemble {
    const { ensemble, open, graphs } = this.get(dataSet);
    if (!ensemble) throw new RequestError(`${open.dataSet.name} is one recording, and no ensemble of several runs.`);
    return { ensemble, open, graphs };
  }

  private hold(open: OpenDataSet, ensemble?: Ensemble): DataSetInfo {
    const { links } = this;
    const graphs = new Graphs(ensemble ? new EnsembleSubject(open, links, ensemble) : new SingleSubject(open, links));
    const flames = new FlameGraphs(open, graphs, {
      graphsOf: (query, task) => this.graphsOf(query, task),
      openOf: (dataSet) => this.get(dataSet).open,
    });
    const { traceCache } = this.options;
    const trace = new OpenTrace(open.dataSet, traceCache && (() => traceCache.opening()));
    const code = new KeptCode(open, graphs, () => links.folders);
    this.held.set(open.id, { open, graphs, flames, code, trace, ...(ensemble ? { ensemble } : {}) });
    // Goes on in the background; a question that needs a link fails with the error.
    this.links.noteOpened(open).catch(() => undefined);
    return { ...dataSetInfo(open), ...(ensemble ? { ensemble: ensemble.named() } : {}) };
  }

  private *allGraphs(): Iterable<Graphs> {
    for (const { graphs } of this.held.values()) yield graphs;
    if (this.joined?.graphs) yield this.joined.graphs;
  }
}
