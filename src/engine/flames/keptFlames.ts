/** What the rectangles of a question stand for, and where they lie: kept, since zooming asks for them again and again. */
import { type FlameLayout, type FlameNumbers, flameNumbers, layoutFlames } from "../../analysis/flameLayout";
import { byFunction, calleesOf, callersOf, everyContext, type FlameShape } from "../../analysis/flameShape";
import { NONE } from "../../model/ids";
import { keepNewest } from "../../model/maps";
import type { Task } from "../../model/task";
import { type BarShape, barShape } from "./flameBar";
import type { FlameOf, FlameOrder, FlameQuery } from "./flameApi";
import type { GraphQuery, Scope } from "../scope";
import type { Graphs } from "../graphs/graphs";
import { checkComparable } from "../comparisons/comparable";
import { type OpenDataSet, scopeKey } from "../dataSets/openDataSet";

/** A question's rectangles with their numbers. */
export interface LaidFlames {
  readonly shape: FlameShape | BarShape;
  /** Names of the groups of the bars that are called, by bar; empty where no bar is looked into. */
  readonly bars: readonly string[];
  readonly layout: FlameLayout;
  readonly numbers: FlameNumbers;
  /** Largest exclusive of a rectangle that stands for a function. */
  readonly hottest: number;
  /** Exclusive of each node in the baseline, where one is compared, and the largest |difference| from it. */
  readonly baseline?: Float64Array;
  /** How many contexts of each node the baseline has. */
  readonly inBaseline?: Float64Array;
  readonly largestDifference?: number;
  /** Rectangles without a value, which are not drawn. */
  readonly empty: number;
}

/** The graphs that a query asks for: of its data set, or of both that it compares. */
export type GraphsOf = (query: Pick<GraphQuery, "scope" | "compared" | "renamed">, task: Task) => Graphs;

/** What is asked of other parts of the engine. */
export interface FlameWorld {
  readonly graphsOf: GraphsOf;
  readonly openOf: (dataSet: number) => OpenDataSet;
}

type Shaped = Pick<LaidFlames, "shape" | "bars">;

/** What was looked at last, and a few before: a sandwich has two. */
const KEPT_SHAPES = 4;
const KEPT_LAYOUTS = 6;

export class KeptFlames {
  private shapes = new Map<string, Shaped>();
  private layouts = new Map<string, LaidFlames>();

  constructor(
    private readonly open: OpenDataSet,
    private readonly world: FlameWorld,
  ) {}

  /** Links may differ: bars by file are to be built anew. What is being built by those before is not kept either. */
  forget(): void {
    this.shapes = new Map();
    this.layouts = new Map();
  }

  async of(query: FlameQuery, task: Task): Promise<LaidFlames> {
    const { scope, of, order } = query;
    const { shapes, layouts } = this;
    const shapeKey = JSON.stringify([ofKey(of), order]);
    const { compared, renamed } = query;
    const against = compared ? JSON.stringify([compared.dataSet, scopeKey(compared), renamed]) : "";
    const key = `${scopeKey(scope)} ${shapeKey} ${against}`;
    const known = layouts.get(key);
    if (known) return known;
    const shaped = shapes.get(shapeKey) ?? (await this.shapeOf(of, order, task));
    keepNewest(shapes, shapeKey, shaped, KEPT_SHAPES);
    const { shape } = shaped;
    const layout = layoutFlames(shape, this.open.numbers(drawnScope(scope)).exclusive, order === "left-heavy", task);
    const numbers = this.numbersOf(shape, this.open, scope, task);
    let hottest = 0;
    let empty = 0;
    for (let at = 0; at < layout.size; at++) {
      if (layout.width[at] === 0) empty++;
      if (isOwn(shape, shape.key[layout.node[at]])) hottest = Math.max(hottest, numbers.exclusive[layout.node[at]]);
    }
    const before = compared && this.baselineOf(shape, { ...query, compared }, task);
    const largestDifference = before && largestDifferenceOf(shape, numbers, before.baseline);
    const laid = { ...shaped, layout, numbers, hottest, empty, ...before, largestDifference };
    keepNewest(layouts, key, laid, KEPT_LAYOUTS);
    return laid;
  }

  /**
   * What the contexts of each node cost themselves in the baseline, combined over its ranks as it says; those that it alone has are not drawn.
   *
   * @throws RequestError where it measured something else
   */
  private baselineOf(
    shape: FlameShape,
    { scope, compared, renamed }: FlameQuery & { readonly compared: Scope },
    task: Task,
  ): Required<Pick<LaidFlames, "baseline" | "inBaseline">> {
    const open = this.world.openOf(compared.dataSet);
    checkComparable([
      { open, scope: compared },
      { open: this.open, scope },
    ]);
    const [from, to] = [open, this.open].map(({ id, dataSet: { tree } }) => ({ dataSet: id, contexts: tree.size }));
    const twins = this.world.graphsOf({ scope, compared, renamed }, task).twins(from, to);
    const carried = (theirs: Float64Array) => {
      const own = new Float64Array(to.contexts);
      theirs.forEach((value, context) => twins[context] !== NONE && (own[twins[context]] += value));
      return own;
    };
    const contexts = new Float64Array(to.contexts);
    for (const twin of twins) if (twin !== NONE) contexts[twin] = 1;
    return {
      baseline: this.numbersOf(shape, open, compared, task, carried).exclusive,
      inBaseline: flameNumbers(shape, this.open.functions, contexts).exclusive,
    };
  }

  private async shapeOf(of: FlameOf, order: FlameOrder, task: Task): Promise<Shaped> {
    const source = { tree: this.open.dataSet.tree, functions: this.open.functions, callOf: this.open.callOf };
    const together = order === "left-heavy";
    if (of.kind === "recording") return { shape: together ? byFunction(source, task) : everyContext(source), bars: [] };
    if (of.kind === "bar") {
      const inside = await this.world.graphsOf(of.query, task).insideOf(of.query, of.bar, task);
      return { shape: barShape(source, inside, together, task), bars: inside.structure.bars.id };
    }
    const id = this.open.checkFunction(of.function);
    return { shape: of.kind === "callees" ? calleesOf(source, id, task) : callersOf(source, id, task), bars: [] };
  }

  /**
   * Minima and maxima are taken of each number by itself (semantics 1).
   *
   * @param carried what contexts of the scope's data set cost as what those of the drawn one do; another one only where two are compared
   */
  private numbersOf(
    shape: FlameShape,
    open: OpenDataSet,
    scope: Scope,
    task: Task,
    carried = (exclusive: Float64Array) => exclusive,
  ): FlameNumbers {
    const { functions } = this.open;
    if (!isExtreme(scope)) return flameNumbers(shape, functions, carried(open.numbers(scope).exclusive));
    const both = open.rankValues(scope).evaluate(scope.over, (exclusiveOf) => {
      task.check();
      const { inclusive, exclusive } = flameNumbers(shape, functions, carried(exclusiveOf));
      const joined = new Float64Array(2 * shape.size);
      joined.set(inclusive);
      joined.set(exclusive, shape.size);
      return joined;
    });
    return { inclusive: both.subarray(0, shape.size), exclusive: both.subarray(shape.size) };
  }
}

/** The largest |difference| of what stands for a function. */
function largestDifferenceOf(
  shape: FlameShape | BarShape,
  { exclusive }: FlameNumbers,
  baseline: Float64Array,
): number {
  let largestDifference = 0;
  for (let node = 0; node < exclusive.length; node++)
    if (isOwn(shape, shape.key[node]))
      largestDifference = Math.max(largestDifference, Math.abs(exclusive[node] - baseline[node]));
  return largestDifference;
}

export function isExtreme({ over }: Pick<Scope, "over">): boolean {
  return over === "max" || over === "min";
}

/** Extremes do not add up: the mean is what is drawn. */
export function drawnScope(scope: Scope): Scope {
  return isExtreme(scope) ? { ...scope, over: "mean" } : scope;
}

/** Whether a rectangle stands for a function or context, not for what is called out of a bar or hidden in it. */
export function isOwn(shape: FlameShape | BarShape, key: number): boolean {
  return !("firstBar" in shape) || key < shape.firstBar;
}

function ofKey(of: FlameOf): unknown {
  // Bars are decided on sums: neither restriction nor the way to combine ranks changes them.
  if (of.kind !== "bar") return of;
  const { scope, compared } = of.query;
  return [of.bar, { ...of.query, scope: scope.metric, compared: compared && [compared.dataSet, compared.metric] }];
}
