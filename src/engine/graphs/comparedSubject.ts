/** Two data sets as one graph: the union of their contexts, with the numbers of either. */
import { inclusive } from "../../model/contextTree";
import { RequestError } from "../../model/errors";
import { type FunctionTable, functionsOf, inclusiveByFunction } from "../../model/functions";
import { NONE } from "../../model/ids";
import type { JointFunctions } from "../../model/jointFunctions";
import { cellsByMember } from "../../model/memberCells";
import type { Metric } from "../../model/metrics";
import { quietTask, type Task } from "../../model/task";
import { twinFiles, twinModules } from "../../model/twinNames";
import { shownFunctionNames } from "../../model/placedNames";
import { type UnionTree, unionTree } from "../../model/unionTree";
import { demangled } from "../../source/signature";
import { rowsAt } from "../../model/values";
import type { Measurement } from "../../supergraph/measure";
import { type GraphBasis, graphBasis } from "../../supergraph/superGraph";
import type { GraphQuery, Scope } from "../scope";
import type { SourceLink } from "../../model/sourceLinks";
import { type FunctionPlaces, type GraphSubject, SingleSubject } from "./graphSubject";
import type { Links } from "../lines/links";
import type { OpenDataSet } from "../dataSets/openDataSet";

/** One of the two, and where its contexts and functions are in the union. */
interface Part {
  readonly single: SingleSubject;
  readonly contextOf: Int32Array;
  /** A context of this data set for each of the union's; {@link NONE}: it has none. */
  readonly contextIn: Int32Array;
  /** A function of this data set for each of the union's; {@link NONE}: it has none. */
  readonly functionIn: Int32Array;
}

export class ComparedSubject implements GraphSubject {
  private readonly bases = new Map<string, GraphBasis>();
  /** What each basis was joined from, in the order of the parts. */
  private readonly joinedFrom = new WeakMap<GraphBasis, readonly GraphBasis[]>();
  private readonly union: UnionTree;
  private readonly functions: FunctionTable;
  private readonly parts: readonly Part[];
  /** The first recording's name of a load module of the second. */
  private toFirstModule: ((module: string) => string) | undefined;
  private knownShownNames: ReadonlyMap<string, string> | undefined;

  /**
   * @param dataSets two, in canonical order: the union is the same whichever was asked for first
   * @param joint which of their functions are the same
   */
  constructor(dataSets: readonly OpenDataSet[], joint: JointFunctions, links: Links, task: Task = quietTask) {
    const runs = dataSets.map(({ dataSet: { tree, frames }, functions }) => ({ tree, frames, functions }));
    this.union = unionTree(runs, joint, task);
    const { tree, frames, contextOf } = this.union;
    this.functions = functionsOf(tree, frames, [], task);
    this.parts = dataSets.map((open, at) => {
      const contextIn = new Int32Array(tree.size).fill(NONE);
      const functionIn = new Int32Array(this.functions.size).fill(NONE);
      // Backwards, so that the first context of several with one path remains.
      for (let context = open.dataSet.tree.size - 1; context >= 0; context--) {
        const joined = contextOf[at][context];
        contextIn[joined] = context;
        functionIn[this.functions.ofContext[joined]] = open.functions.ofContext[context];
      }
      return { single: new SingleSubject(open, links), contextOf: contextOf[at], contextIn, functionIn };
    });
  }

  /** A function is kept that has its share of either recording's total: the graph is the union of both graphs. */
  basis(query: GraphQuery): GraphBasis {
    const scopes = this.parts.map(({ single }) => scopeOf(query, single.open.id));
    const key = scopes.map(({ metric }) => metric).join(" ");
    const known = this.bases.get(key);
    if (known) return known;
    const { tree, frames } = this.union;
    const joined = new Float64Array(tree.size);
    const own = this.parts.map(({ single }, at) => single.basis({ scope: scopes[at] }));
    const parts = this.parts.map(({ contextOf }, at) => {
      const exclusiveHere = () => {
        const exclusive = new Float64Array(tree.size);
        own[at].exclusive.forEach((value, context) => (exclusive[contextOf[context]] += value));
        return exclusive;
      };
      const exclusive = exclusiveHere();
      exclusive.forEach((value, context) => (joined[context] += value));
      const byFunction = inclusiveByFunction(this.functions, inclusive(tree, exclusive));
      return { byFunction, total: own[at].total, exclusive: exclusiveHere };
    });
    const basis = { ...graphBasis(tree, frames, this.functions, joined), parts };
    this.bases.set(key, basis);
    this.joinedFrom.set(basis, own);
    return basis;
  }

  /** The first recording's word on a function, else the second's, in the first one's names of what both have. */
  async places(basis: GraphBasis, functions: readonly number[], task: Task): Promise<FunctionPlaces> {
    const bases = this.joinedFrom.get(basis) ?? [];
    const [first, second] = [
      await this.placesIn(0, bases[0], functions, task),
      await this.placesIn(1, bases[1], functions, task),
    ];
    const toFirst = twinFiles(
      [...first.recorded, ...first.files.values()],
      [...second.recorded, ...second.files.values()],
      pairsOf(functions, (id) => [first.files.get(id), second.files.get(id)]),
    );
    const others = [...second.files].map(([id, file]) => [id, toFirst(file)] as const);
    return {
      files: new Map([...others, ...first.files]),
      classes: new Map([...second.classes, ...first.classes]),
      recorded: [...new Set([...first.recorded, ...second.recorded.map(toFirst)])],
    };
  }

  /** What one of the two says of functions of the union. */
  private async placesIn(
    at: number,
    basis: GraphBasis,
    functions: readonly number[],
    task: Task,
  ): Promise<FunctionPlaces> {
    const { single, functionIn } = this.parts[at];
    const here = functions.filter((id) => functionIn[id] !== NONE);
    const own = await single.places(
      basis,
      here.map((id) => functionIn[id]),
      task,
    );
    const byUnion = (values: ReadonlyMap<number, string>) =>
      new Map(pairsOf(here, (id) => [id, values.get(functionIn[id])]));
    return { files: byUnion(own.files), classes: byUnion(own.classes), recorded: own.recorded };
  }

  /** As files are named, by {@link places}. */
  moduleOf(id: number): string | undefined {
    const own = this.moduleIn(0, id);
    const other = own === undefined ? this.moduleIn(1, id) : undefined;
    return other === undefined ? own : (this.toFirstModule ??= this.modulesOfBoth())(other);
  }

  private moduleIn(at: number, id: number): string | undefined {
    const { single, functionIn } = this.parts[at];
    return functionIn[id] === NONE ? undefined : single.moduleOf(functionIn[id]);
  }

  private modulesOfBoth(): (module: string) => string {
    const ids = Array.from({ length: this.functions.size }, (_, id) => id);
    const [first, second] = this.parts.map((_, at) => ids.flatMap((id) => this.moduleIn(at, id) ?? []));
    return twinModules(
      first,
      second,
      pairsOf(ids, (id) => [this.moduleIn(0, id), this.moduleIn(1, id)]),
    );
  }

  shownNames(): ReadonlyMap<string, string> {
    return (this.knownShownNames ??= shownFunctionNames(this.union.frames, this.functions.frame, demangled));
  }

  measurement(scope: Scope): Measurement {
    const { single, contextOf } = this.partOf(scope.dataSet);
    const own = single.measurement(scope);
    if ("extreme" in own) {
      const { values } = single.open.dataSet;
      const { keys, of } = single.open.rankValues(scope).members;
      const rows = rowsAt(values[scope.metric], contextOf, this.union.tree.size);
      return { extreme: own.extreme, cells: cellsByMember(rows, of, keys.length) };
    }
    const exclusive = new Float64Array(this.union.tree.size);
    own.exclusive.forEach((value, context) => (exclusive[contextOf[context]] += value));
    return { exclusive };
  }

  /** The first recording's word on a context, else the second's. */
  async linksOf(contexts: readonly number[], task: Task): Promise<SourceLink[]> {
    const partOf = (context: number) =>
      this.parts.find(({ contextIn }) => contextIn[context] !== NONE) ?? this.parts[0];
    const links = Array<SourceLink>(contexts.length);
    for (const part of this.parts) {
      const own = [...contexts.keys()].filter((at) => partOf(contexts[at]) === part);
      const found = await part.single.linksOf(
        own.map((at) => part.contextIn[contexts[at]]),
        task,
      );
      own.forEach((at, index) => (links[at] = found[index]));
    }
    return links;
  }

  metric(scope: Scope): Metric {
    return this.partOf(scope.dataSet).single.metric(scope);
  }

  recordingOf({ dataSet }: Scope): OpenDataSet {
    return this.partOf(dataSet).single.open;
  }

  notes(scope: Scope): string[] {
    return this.partOf(scope.dataSet).single.notes(scope);
  }

  contextOf(dataSet: number, context: number): number {
    return this.partOf(dataSet).contextOf[context];
  }

  functionsIn(dataSet: number): Int32Array {
    const { single, contextOf } = this.partOf(dataSet);
    const { ofContext, size } = single.open.functions;
    const functions = new Int32Array(size).fill(NONE);
    contextOf.forEach((joined, context) => (functions[ofContext[context]] = this.functions.ofContext[joined]));
    return functions;
  }

  ownContexts(dataSet: number, contexts: Iterable<number>): number[] {
    const wanted = new Uint8Array(this.union.tree.size);
    for (const context of contexts) wanted[context] = 1;
    const { contextOf } = this.partOf(dataSet);
    return [...contextOf.keys()].filter((context) => wanted[contextOf[context]] === 1);
  }

  private partOf(dataSet: number): Part {
    const part = this.parts.find(({ single }) => single.open.id === dataSet);
    if (!part) throw new RequestError(`Data set ${dataSet} is not part of this comparison.`);
    return part;
  }
}

/** The pairs of which both are known. */
function pairsOf<First, Second>(
  ids: readonly number[],
  pairOf: (id: number) => readonly [First | undefined, Second | undefined],
): [First, Second][] {
  return ids.flatMap((id): [First, Second][] => {
    const [first, second] = pairOf(id);
    return first === undefined || second === undefined ? [] : [[first, second]];
  });
}

/** The scope that a query has for one of its two data sets. */
function scopeOf({ scope, compared }: GraphQuery, dataSet: number): Scope {
  if (scope.dataSet === dataSet) return scope;
  if (compared?.dataSet === dataSet) return compared;
  throw new RequestError(`Data set ${dataSet} is not part of this comparison.`);
}
