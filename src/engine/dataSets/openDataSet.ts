import { rankSpread } from "../../analysis/rankStatistics";
import { RankValues } from "../../analysis/rankValues";
import { inclusive } from "../../model/contextTree";
import type { CallGraph } from "../../model/callGraph";
import type { DataSet } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import { exclusiveByFunction, type FunctionTable, functionsOf, inclusiveByFunction } from "../../model/functions";
import { isFunctionKind } from "../../model/frames";
import { NONE } from "../../model/ids";
import { keepNewest } from "../../model/maps";
import { overRanksText } from "../../model/metrics";
import { fileAndLine, fileName } from "../../model/placeText";
import { type Named, shownOf } from "../../model/shortName";
import { placedName, shownFunctionNames } from "../../model/placedNames";
import { quietTask, type Task } from "../../model/task";
import { type SparseValues, withLocations } from "../../model/values";
import { demangled } from "../../source/signature";
import type { Scope } from "../scope";
import { type CallsAt, flatProfile, MeasuredInclusive } from "./measuredProfile";

/** What every view of one scope is made of: values in the metric's unit, combined over ranks as the scope says. */
export interface Numbers {
  /** Of the contexts; extremes (max, min) are taken of each number by itself and do not add up. */
  readonly exclusive: Float64Array;
  readonly inclusive: Float64Array;
  /** Of the functions; a recursive function counts once in its inclusive. */
  readonly functionExclusive: Float64Array;
  readonly functionInclusive: Float64Array;
  /** What shares are shares of: the total of the chosen ranks, combined in the same way. */
  readonly total: number;
}

/** What was measured where a format measures a call graph: the contexts of the data set are only estimated from it. */
export interface Measured {
  readonly callGraph: CallGraph;
  /** Functions and their lines, without callers. Its functions have the same ids. */
  readonly flat: OpenDataSet;
  /** By context of `flat`. */
  readonly callsAt: CallsAt;
  readonly inclusive: MeasuredInclusive;
}

/** Parts of the events whose values are kept: the one on screen, and those of questions that are still being answered. */
const KEPT_PARTS = 16;
/** Scopes whose numbers are kept: the one on screen, and a few before it. */
const KEPT_SCOPES = 6;

/** A data set that is open, with what is derived from it once: functions, calls, and the numbers of recent scopes. */
export class OpenDataSet {
  readonly functions: FunctionTable;
  /**
   * The call that each context belongs to: itself for functions, inlined frames, kernels and regions, else the nearest
   * such ancestor ({@link NONE} for a line or loop above all functions).
   */
  readonly callOf: Int32Array;
  /** The measured values of a call graph, where the format has one; every number of lines and functions is theirs. */
  readonly measured: Measured | undefined;
  private isClosed = false;
  private knownShownNames: ReadonlyMap<string, string> | undefined;
  private readonly numbersOf = new Map<string, Numbers>();
  private readonly ranksOf = new Map<string, RankValues>();
  /** Of every context and location, by part of the events: see {@link keepPart}. */
  private readonly parts = new Map<string, SparseValues>();

  constructor(
    readonly id: number,
    readonly dataSet: DataSet,
    readonly seconds: number,
    task: Task = quietTask,
    known: Iterable<number> = dataSet.callGraph?.functions ?? [],
  ) {
    const { tree, frames, callGraph } = dataSet;
    this.functions = functionsOf(tree, frames, known, task);
    this.callOf = new Int32Array(tree.size);
    for (let context = 0; context < tree.size; context++) {
      const parent = tree.parent[context];
      if (isFunctionKind(frames.kindOf(tree.frame[context]))) this.callOf[context] = context;
      else this.callOf[context] = parent === NONE ? NONE : this.callOf[parent];
    }
    if (callGraph) {
      const profile = flatProfile(dataSet, callGraph, task);
      const flat = new OpenDataSet(id, profile.dataSet, seconds, task, callGraph.functions);
      const inclusive = new MeasuredInclusive(dataSet, callGraph);
      this.measured = { callGraph, flat, callsAt: profile.callsAt, inclusive };
    }
  }

  /** The user closed it: what still works on it may stop. */
  get closed(): boolean {
    return this.isClosed;
  }

  set closed(closed: boolean) {
    this.isClosed = closed;
    if (this.measured) this.measured.flat.closed = closed;
  }

  /** @throws RequestError when the scope's metric does not exist or does not add up */
  numbers(scope: Scope): Numbers {
    const key = scopeKey(scope);
    const known = this.numbersOf.get(key);
    if (known) return known;
    this.checkAdditive(scope.metric);
    const { tree } = this.dataSet;
    const values = this.rankValues(scope);
    const { size } = tree;
    // One pass per rank (or one in all) gives every number that a view may need; laid end to end, so that extremes are
    // taken of each by itself.
    const all = values.evaluate(scope.over, (exclusive) => {
      const sums = inclusive(tree, exclusive);
      const numbers = new Float64Array(2 * size + 2 * this.functions.size + 1);
      numbers.set(exclusive, 0);
      numbers.set(sums, size);
      numbers.set(exclusiveByFunction(this.functions, exclusive), 2 * size);
      numbers.set(inclusiveByFunction(this.functions, sums), 2 * size + this.functions.size);
      numbers[numbers.length - 1] = total(exclusive);
      return numbers;
    });
    const functionsAt = 2 * size;
    const numbers: Numbers = {
      exclusive: all.subarray(0, size),
      inclusive: all.subarray(size, functionsAt),
      functionExclusive: all.subarray(functionsAt, functionsAt + this.functions.size),
      functionInclusive: all.subarray(functionsAt + this.functions.size, functionsAt + 2 * this.functions.size),
      total: all[all.length - 1],
      ...this.measuredNumbers(scope),
    };
    keepNewest(this.numbersOf, key, numbers, KEPT_SCOPES);
    return numbers;
  }

  private measuredNumbers(scope: Scope): Partial<Numbers> {
    if (!this.measured) return {};
    const { functionExclusive, total } = this.measured.flat.numbers(scope);
    return { functionExclusive, total, functionInclusive: this.measured.inclusive.ofFunctions(scope) };
  }

  /**
   * The exclusive cost of a set of contexts as one number of a view.
   *
   * @param ranges half-open ranges of the preorder, none overlapping another
   */
  cost(scope: Scope, ranges: Iterable<readonly [from: number, to: number]>): number {
    if (scope.over === "max" || scope.over === "min") {
      const perRank = this.rankValues(scope).perRank(ranges);
      const { minimum, maximum } = rankSpread(perRank);
      return scope.over === "max" ? maximum : minimum;
    }
    const { exclusive } = this.numbers(scope);
    let sum = 0;
    for (const [from, to] of ranges) for (let context = from; context < to; context++) sum += exclusive[context];
    return sum;
  }

  /** The values of a scope's metric over its chosen ranks. */
  rankValues(scope: Pick<Scope, "metric" | "chosen" | "window" | "kinds">): RankValues {
    this.metric(scope.metric);
    const key = `${scope.metric}|${chosenKey(scope)}|${partKey(scope)}`;
    const known = this.ranksOf.get(key);
    if (known) return known;
    const { tree, locations } = this.dataSet;
    const values = new RankValues({ tree, locations, values: [this.valuesOf(scope)] }, 0, scope.chosen);
    keepNewest(this.ranksOf, key, values, KEPT_SCOPES);
    return values;
  }

  /** The exclusive values of a scope's metric, those of its window and its kinds where it has some. */
  valuesOf({ metric, ...part }: Pick<Scope, "metric" | "window" | "kinds">): SparseValues {
    const values = this.dataSet.values[metric];
    if (!part.window && !part.kinds) return values;
    const ofPart = this.parts.get(partKey(part));
    // Every question is asked after what it needs of the events was read (`engine/traces/windows.ts`).
    if (!ofPart) throw new Error("the events of this window were not read");
    // Of CPU threads or of GPU streams: what the metric was measured of. Threads may have traces and no values.
    const { locations } = this.dataSet;
    const isOfStream = (place: number) => locations[place].stream !== NONE;
    const kinds = new Set(Array.from(values.column, isOfStream));
    return withLocations(
      ofPart,
      Uint8Array.from(locations, (_, place) => (kinds.has(isOfStream(place)) ? 1 : 0)),
    );
  }

  hasPart(part: EventPart): boolean {
    return this.parts.has(partKey(part));
  }

  /** @param values seconds by context and location in which events of these kinds were innermost in the window */
  keepPart(part: EventPart, values: SparseValues): void {
    keepNewest(this.parts, partKey(part), values, KEPT_PARTS);
  }

  metric(index: number) {
    const metric = this.dataSet.metrics[index];
    if (!metric) throw new RequestError(`${this.dataSet.name} has no metric number ${index}.`);
    return metric;
  }

  /** @throws RequestError when there is no such metric, or sums of it mean nothing */
  checkAdditive(index: number): void {
    const metric = this.metric(index);
    if (!metric.additive)
      throw new RequestError(`${metric.name} does not add up over contexts: it is only shown beside another metric.`);
  }

  /** @throws RequestError when there is no such context */
  checkContext(context: number): number {
    if (!Number.isInteger(context) || context < 0 || context >= this.dataSet.tree.size)
      throw new RequestError(`${this.dataSet.name} has no calling context number ${context}.`);
    return context;
  }

  /** @throws RequestError when there is no such function */
  checkFunction(id: number): number {
    if (!Number.isInteger(id) || id < 0 || id >= this.functions.size)
      throw new RequestError(`${this.dataSet.name} has no function number ${id}.`);
    return id;
  }

  functionName(id: number): string {
    return displayName(this.dataSet.frames.nameOf(this.functions.frame[id]));
  }

  /** What is shown of functions whose names are shown shorter, by their whole names. */
  get shownNames(): ReadonlyMap<string, string> {
    return (this.knownShownNames ??= shownFunctionNames(this.dataSet.frames, this.functions.frame, demangled));
  }

  /** What stands in a function, or is one: its name with what is shown of it. @param id of the function; -1: none */
  namedIn(name: string, id: number): Named {
    return id !== NONE && this.functionName(id) === name ? this.namedFunction(id) : this.named(name);
  }

  /** A function's name, or another one, with what is shown of it. */
  named(name: string): Named {
    const shown = this.shownNames.get(name);
    return shown === undefined ? { name } : { name, shown };
  }

  /** Where the tool knew no name of a function, its load module says whose it is. */
  namedFunction(id: number): Named {
    const [name, placed] = [this.functionName(id), this.placedFunction(id)];
    return placed === name ? this.named(name) : { name, shown: placed };
  }

  /** A function's whole name; where the tool knew none, with its load module. */
  placedFunction(id: number): string {
    const name = this.functionName(id);
    return placedName(this.dataSet.frames, this.functions.frame[id], name) ?? name;
  }

  shownFunction(id: number): string {
    return shownOf(this.namedFunction(id));
  }

  shownContext(context: number): string {
    return shownOf(this.namedContext(context));
  }

  namedContext(context: number): Named {
    return this.namedIn(this.contextName(context), this.functions.ofContext[context]);
  }

  /** A name for a context that may stand apart from its function: a line with its file, `luf.c:604`. */
  nameAlone(context: number): string {
    const { kind, file, line } = this.dataSet.frames.get(this.dataSet.tree.frame[context] as never);
    return kind === "line" && file !== undefined ? fileAndLine(file, line ?? 0) : this.shownContext(context);
  }

  contextName(context: number): string {
    const { frames, tree } = this.dataSet;
    const frame = frames.get(tree.frame[context] as never);
    if (frame.kind === "line") return `line ${frame.line ?? 0}${this.otherFileOf(context)}`;
    if (frame.kind === "loop" && frame.name === "") return `loop at line ${frame.line ?? 0}`;
    // As HPCToolkit's own viewer has it: where all folders are shown, the loops of a program look alike.
    if (frame.kind === "loop" && frame.file !== undefined && frame.name === `loop at ${frame.file}:${frame.line ?? 0}`)
      return `loop at ${fileAndLine(frame.file, frame.line ?? 0)}`;
    return displayName(frame.name);
  }

  /** ` of internal.hpp` for a line of another file than its function's: code that was inlined. */
  private otherFileOf(context: number): string {
    const { frames, tree } = this.dataSet;
    const file = frames.file[tree.frame[context]];
    const call = this.callOf[context];
    const around = call === NONE ? NONE : frames.file[tree.frame[call]];
    if (file === NONE || around === NONE || file === around) return "";
    return ` of ${fileName(frames.strings.get(file))}`;
  }

  /** The contexts from a root down to this one. */
  pathOf(context: number): number[] {
    const { parent } = this.dataSet.tree;
    const path: number[] = [];
    for (let at = context; at !== NONE; at = parent[at]) path.push(at);
    return path.reverse();
  }
}

function total(exclusive: Float64Array): number {
  let sum = 0;
  for (const value of exclusive) sum += value;
  return sum;
}

function displayName(name: string): string {
  return name === "" ? "(no name)" : name;
}

export function scopeKey(scope: Scope): string {
  return `${scope.metric}|${overRanksText(scope.over)}|${chosenKey(scope)}|${partKey(scope)}`;
}

function chosenKey({ chosen }: Pick<Scope, "chosen">): string {
  return chosen === undefined ? "all" : `${chosen.by} ${chosen.members.join(",")}`;
}

/** Which events count. */
export type EventPart = Pick<Scope, "window" | "kinds">;

/** The same for the same events. */
export function partKey({ window, kinds }: EventPart): string {
  const ofWindow = window === undefined ? "run" : `${window.from} ${window.to}`;
  return kinds === undefined ? ofWindow : `${ofWindow} ${JSON.stringify([[...kinds.of].sort(), kinds.named ?? {}])}`;
}
