/**
 * What the window and the command line may ask of the engine. Everything is plain data, so the same interface works in
 * this process (command line, tests) and across a worker thread (the window). Units: values in the metric's unit,
 * shares 0 to 1, lines 1-based.
 */
import type { MemberStatistics } from "../analysis/rankStatistics";
import type { Hierarchy, Warning } from "../model/dataSet";
import type { FrameKind, RegionOrigin } from "../model/frames";
import type { Chosen, LocationUnit } from "../model/members";
import type { MetricKind, OverRanks, Unit } from "../model/metrics";
import type { SourceLink } from "../model/sourceLinks";
import type { Task } from "../model/task";
import type { SymbolsOfFile } from "../source/symbols";
import type { FinerLevel } from "../supergraph/levels";
import type { GraphLayout, LayoutGraph, LayoutSize, StackedLayout } from "../supergraph/layout";
import type { GraphOperation, GroupBy, GroupMap, GroupRef } from "../supergraph/query";
import type { CorrelationQueries } from "./members/correlationApi";
import type { DistributionQueries } from "./members/distributionApi";
import type { HotPathQueries } from "./lines/hotPathApi";
import type { FlameQueries } from "./flames/flameApi";
import type { BarQueries } from "./graphs/graphApi";
import type { SpreadQueries } from "./members/spreadApi";
import type { SeriesInfo, TraceInfo, TraceQueries } from "./traces/traceApi";

export type { Hierarchy, Warning } from "../model/dataSet";
export type { LinkRule, Place, SourceLink } from "../model/sourceLinks";
export type { FileSymbol, SymbolsOfFile } from "../source/symbols";
export type { MemberStatistics } from "../analysis/rankStatistics";
export type { Chosen, LocationUnit } from "../model/members";
export type { MetricKind, OverRanks, Unit } from "../model/metrics";
export type { FinerLevel } from "../supergraph/levels";
export type { GraphLayout, LayoutGraph, LayoutSize, NearBar, NearLayout, StackedLayout } from "../supergraph/layout";
export type { GraphOperation, GroupBy, GroupMap, GroupRef } from "../supergraph/query";
export type * from "./members/correlationApi";
export type * from "./members/distributionApi";
export type * from "./lines/hotPathApi";
export type * from "./flames/flameApi";
export type * from "./graphs/graphApi";
export type * from "./members/spreadApi";
export type * from "./traces/traceApi";

/** Which values a view shows: one metric, how ranks are combined, and the restriction (semantics 3). */
export interface Scope {
  readonly dataSet: number;
  /** Index into {@link DataSetInfo.metrics}. */
  readonly metric: number;
  readonly over: OverRanks;
  /** The restriction; undefined: none. */
  readonly chosen?: Chosen;
}

export interface OpenRequest {
  /** Absolute paths of files or folders, opened together. */
  readonly paths: readonly string[];
  readonly hierarchy?: Hierarchy;
  /** What the user answered where the same paths could be understood in several ways (AmbiguityError). */
  readonly answer?: string;
}

export interface MetricInfo {
  readonly name: string;
  readonly recordedName: string;
  readonly unit: Unit;
  readonly kind: MetricKind;
  readonly additive: boolean;
  readonly reducedOverRanks: boolean;
  readonly note?: string;
  /** Sum over everything; what shares are shares of. */
  readonly total: number;
}

export interface DataSetInfo {
  readonly id: number;
  readonly name: string;
  readonly files: readonly string[];
  readonly format: { readonly id: string; readonly label: string; readonly version?: string };
  readonly runs: number;
  readonly ranks: readonly number[];
  readonly locations: number;
  readonly contexts: number;
  readonly functions: number;
  readonly records: number;
  readonly metrics: readonly MetricInfo[];
  /** Index of `time`, else of the first metric that adds up; -1 where there is none. */
  readonly defaultMetric: number;
  readonly globals: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly warnings: readonly Warning[];
  /** What views must say is not there, each a sentence without a full stop: "no calling contexts in this recording". */
  readonly notRecorded: readonly string[];
  /** Calling contexts were not measured, but stand for a call graph (semantics 1, Call-graph formats). */
  readonly estimated: boolean;
  /** What values can be told apart by: kinds with two members or more. */
  readonly units: readonly {
    readonly by: LocationUnit;
    readonly members: readonly string[];
    /** Of hosts and runs: the ranks at each member. */
    readonly ranks?: readonly (readonly number[])[];
  }[];
  readonly locationCounts: { readonly ranks: number; readonly threads: number; readonly streams: number };
  /** What happened when, where the recording says so. */
  readonly trace?: TraceInfo;
  /** Values by iteration or time step. */
  readonly series: readonly SeriesInfo[];
  /** Machines, processes, streams, containers: how many of each type, in the order of the recording. */
  readonly resources: readonly { readonly type: string; readonly count: number }[];
  readonly hierarchies: readonly Hierarchy[];
  readonly recordedAt?: number;
  /** From the first byte read to the data set ready. */
  readonly seconds: number;
  /** The engine's own account of its array buffers. */
  readonly bytes: number;
}

/** A row of the hot function list. */
export interface FunctionRow {
  /** Id of the function in this data set (semantics 1, "Function of a context"). */
  readonly function: number;
  readonly name: string;
  readonly detail: string;
  readonly exclusive: number;
  readonly inclusive: number;
  readonly contexts: number;
}

/** A row of the calling context tree, top-down. */
export interface ContextRow {
  readonly context: number;
  readonly name: string;
  readonly kind: FrameKind;
  readonly origin: RegionOrigin;
  readonly detail: string;
  readonly exclusive: number;
  readonly inclusive: number;
  readonly children: number;
}

/** A row of the callers tree: `path` is the function asked for, then its callers, innermost first. */
export interface CallerRow {
  readonly path: readonly number[];
  readonly name: string;
  /** Of the function at the path's start, along this chain of callers. */
  readonly exclusive: number;
  readonly inclusive: number;
  readonly callers: number;
}

/** What a click can be about. */
export type Target =
  | { readonly kind: "context"; readonly context: number }
  | { readonly kind: "function"; readonly function: number }
  | { readonly kind: "bar"; readonly query: GraphQuery; readonly bar: string };

/** A place to go to, with what stands there. */
export interface HotPlace {
  readonly name: string;
  readonly context: number;
  readonly function: number;
  /** How many functions have a cost here: code in a header is compiled into many. `name` is the heaviest context's. */
  readonly functions: number;
  readonly exclusive: number;
  readonly link: SourceLink;
  /** The file as it was recorded, of the context or else of its function: what is known where the link has no place. */
  readonly recordedFile?: string;
  /** The line as it was recorded, where this is one; `link` leads to its function where the file is not here. */
  readonly recordedLine?: number;
}

/** Heat of a line: exclusive cost of what stands on it (semantics 4). */
export interface LineCost {
  readonly line: number;
  readonly exclusive: number;
  /** Of the metric's total. */
  readonly share: number;
  /** Set where the cost has several equally likely places: text only, never heat. */
  readonly oneOf?: number;
}

/** Text on a line that calls: its callees' inclusive. */
export interface CallCost {
  readonly line: number;
  readonly callee: string;
  readonly inclusive: number;
  /** Of `inclusive`, of the metric's total. */
  readonly share: number;
  readonly oneOf?: number;
}

/** A CodeLens: one a function with data. */
export interface FunctionCost {
  readonly line: number;
  readonly name: string;
  readonly function: number;
  readonly inclusive: number;
  readonly exclusive: number;
  /** Of `inclusive`, of the metric's total. */
  readonly share: number;
  /** Of inclusive over ranks; absent with one rank. */
  readonly imbalance?: number;
  readonly oneOf?: number;
}

/** Everything that one open document shows. Lines are those of the text that was handed in. */
export interface DocumentCosts {
  readonly lines: readonly LineCost[];
  readonly calls: readonly CallCost[];
  readonly functions: readonly FunctionCost[];
  /** How the text differs from what was recorded. */
  readonly drift: Drift;
}

export interface Drift {
  /** The file was already newer than the recording when it was first opened here: lines may be off. */
  readonly newerThanRecording: boolean;
  /** Lines with cost that are gone from the text. */
  readonly lostLines: number;
  /** Lines with cost that stand elsewhere than recorded. */
  readonly movedLines: number;
}

/** What the hover of a line says. */
export interface LineDetails {
  readonly line: number;
  readonly name: string;
  readonly function: number;
  readonly exclusive: number;
  readonly inclusive: number;
  readonly share: number;
  readonly overRanks?: MemberStatistics;
  /** Already reduced over ranks: recorded extremes, shown beside. */
  readonly recordedMinimum?: number;
  readonly recordedMaximum?: number;
  /** Contexts that lead here, heaviest first, at most 10. */
  readonly contexts: readonly {
    readonly context: number;
    readonly path: readonly string[];
    readonly exclusive: number;
    readonly inclusive: number;
  }[];
  readonly moreContexts: number;
  readonly link: SourceLink;
  /** Of others of its contexts, that stand here for another reason; absent where there are none. */
  readonly otherLinks?: readonly SourceLink[];
}

/** What is called from a line: the call's own place, and where the callee is. */
export interface LineCall {
  readonly line: number;
  readonly callee: string;
  readonly function: number;
  /** The heaviest of the called contexts; absent where calls were measured, not contexts. */
  readonly context?: number;
  readonly inclusive: number;
  /** Of `inclusive`, of the metric's total. */
  readonly share: number;
  /** Why the call is said to stand on this line. */
  readonly link: SourceLink;
  /** Where the callee is defined, or begins. */
  readonly definition: SourceLink;
}

/** A document as the window has it: text only when it differs from the disk. */
export interface DocumentText {
  readonly file: string;
  readonly text?: string;
}

export interface GraphQuery {
  readonly scope: Scope;
  /** Percent of the total (semantics 2.1). */
  readonly filter: number;
  /** "auto": by file, else by module, else by function, saying why (semantics 2.2). */
  readonly groupBy: GroupBy | "auto";
  readonly map?: GroupMap;
  readonly operations?: readonly GraphOperation[];
  /** Leave out operations that cannot be done, and say which in the notes and in {@link SuperGraph.skipped}. */
  readonly lenient?: boolean;
  /** The graph has the bars of this recording too; its numbers are those of `scope` (absent bars being 0). */
  readonly compared?: Scope;
  /** Largest number of bars, 500 unless said; above it the filter is raised (semantics 2.5). */
  readonly mostBars?: number;
  /** Link every entry function of every bar, however many there are: what the command line prints. */
  readonly linkEveryEntry?: boolean;
  /** Bars without their entries: all that heights are drawn of, where the numbers are those of another graph. */
  readonly barsOnly?: boolean;
}

export interface GraphEntry {
  readonly name: string;
  readonly inclusive: number;
  readonly exclusive: number;
  readonly link: SourceLink;
}

export interface GraphBar {
  /** `group`, or `group#2` for a further bar of the group. */
  readonly id: string;
  readonly group: string;
  readonly visit: number;
  readonly level: number;
  readonly inclusive: number;
  readonly exclusive: number;
  readonly hidden: number;
  readonly contexts: number;
  /** The group whose expansion made this bar: what `collapse` takes back here. */
  readonly collapsesTo?: GroupRef;
  /** What `expand` would lead to; absent: its contexts have no finer level. */
  readonly finer?: FinerLevel;
  /** Heaviest first. */
  readonly entries: readonly GraphEntry[];
}

export interface GraphEdge {
  /** Ids of bars. */
  readonly source: string;
  readonly target: string;
  readonly inclusive: number;
}

/** A super graph: numbers and structure, no geometry (semantics 2). */
export interface SuperGraph {
  readonly metric: string;
  readonly unit: Unit;
  readonly over: OverRanks;
  readonly total: number;
  readonly hidden: number;
  readonly filtered: { readonly functions: number; readonly contexts: number; readonly exclusive: number };
  readonly functions: number;
  readonly bars: readonly GraphBar[];
  readonly edges: readonly GraphEdge[];
  /** What was grouped by; differs from the query's when that was "auto". */
  readonly groupBy: GroupBy;
  /** What was filtered at: higher than asked for where more than 500 bars would be drawn. */
  readonly filter: number;
  /** Operations that were left out, by their index. */
  readonly skipped: readonly { readonly index: number; readonly reason: string }[];
  /** Sentences that the view must show: why by module, why filtered higher, estimated, extremes do not add up. */
  readonly notes: readonly string[];
}

export interface SourceSettings {
  /** Absolute paths of the folders of source: the workspace's, or `--source`. */
  readonly folders: readonly string[];
  /** From recorded path prefix → path (absolute, or relative to a folder). */
  readonly sourceMap: Readonly<Record<string, string>>;
  /** All of it is the user's own word: only then may it lead outside the folders. */
  readonly sourceMapTrusted?: boolean;
  /** Where baselines of edited files are kept; undefined: nowhere (command line). */
  readonly storage?: string;
}

/** The engine: owns every data set; answers are computed, never guessed by the caller. */
export interface Engine
  extends
    TraceQueries,
    SpreadQueries,
    DistributionQueries,
    CorrelationQueries,
    HotPathQueries,
    FlameQueries,
    BarQueries {
  configure(settings: SourceSettings): Promise<void>;
  /** Texts that differ from the disk (unsaved editors); they replace what was handed in before. */
  setOpenTexts(texts: readonly DocumentText[]): Promise<void>;
  /**
   * Files of languages without a grammar here that hold wanted names, as soon as there are any: who can ask language servers asks
   * them, and hands the symbols in. A file is named once until its text changes.
   */
  wantedSymbols(): Promise<string[]>;
  /** What language servers said of such files; links may lead elsewhere afterwards. */
  setSymbols(files: readonly SymbolsOfFile[]): Promise<void>;

  /** Opens recordings; several data sets where the files belong to several runs. @throws FormatError, AmbiguityError */
  open(request: OpenRequest, task?: Task): Promise<DataSetInfo[]>;
  close(dataSet: number): Promise<void>;

  /** What shares are shares of: the total of the chosen ranks, combined as the scope says. */
  total(scope: Scope): Promise<number>;
  hotFunctions(scope: Scope, by: "exclusive" | "inclusive", limit: number): Promise<FunctionRow[]>;
  /** Children of a context, heaviest inclusive first; of no context: the roots. */
  contexts(scope: Scope, parent: number | undefined, limit: number): Promise<{ rows: ContextRow[]; more: number }>;
  /** Callers of a chain of functions; of an empty chain: all functions, heaviest exclusive first. */
  callers(scope: Scope, path: readonly number[], limit: number): Promise<{ rows: CallerRow[]; more: number }>;
  /** The contexts from a root down to this one. */
  pathOf(dataSet: number, context: number): Promise<number[]>;
  /** Names along the path of a context. */
  describeContext(
    scope: Scope,
    context: number,
  ): Promise<ContextRow & { path: string[]; overRanks?: MemberStatistics; link: SourceLink; function: number }>;

  link(dataSet: number, target: Target, task?: Task): Promise<SourceLink>;
  /** Where to go for a target, or for the whole data set: heaviest exclusive first, MPI and runtime skipped. */
  hotPlaces(scope: Scope, target: Target | undefined, limit: number, task?: Task): Promise<HotPlace[]>;

  documentCosts(scope: Scope, document: DocumentText, task?: Task): Promise<DocumentCosts>;
  lineDetails(scope: Scope, document: DocumentText, line: number, task?: Task): Promise<LineDetails[]>;
  /** What is called from a line, heaviest first. */
  lineCalls(scope: Scope, document: DocumentText, line: number, task?: Task): Promise<LineCall[]>;
  /** Function of the nearest definition at or above this line that has data, and the bar it lies in. */
  barOf(query: GraphQuery, target: Target, task?: Task): Promise<string | undefined>;

  superGraph(query: GraphQuery, task?: Task): Promise<SuperGraph>;
  layout(graph: LayoutGraph, size: LayoutSize): Promise<GraphLayout>;
  /** Graphs of the same bars and edges, one below the other on one scale. */
  layoutStacked(graphs: readonly LayoutGraph[], size: LayoutSize): Promise<StackedLayout>;
}
