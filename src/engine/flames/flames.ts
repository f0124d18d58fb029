/** Flame graphs of one data set: what of them is in sight, where something is drawn, what a rectangle stands for. */
import type { FlameLayout } from "../../analysis/flameLayout";
import { findFlames, type FoundFlames } from "../../analysis/flameSearch";
import { rectanglesInSight, type Seen } from "../../analysis/flameWindow";
import { hasNoName } from "../../supergraph/first/functionNames";
import { isKernelModule } from "../../supergraph/first/loadModules";
import { RequestError } from "../../model/errors";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import type { Scope, Target } from "../scope";
import { flameFlags, type FlameDetails, type FlameGrouping, type FlamePlace, type FlameQuery } from "./flameApi";
import type { Flames, FlameWindow } from "./flameApi";
import { FlameNames } from "./flameNames";
import { callerContext, drawnContext } from "./flameContexts";
import { drawnScope, KeptFlames, type FlameWorld, isOwn, type LaidFlames } from "./keptFlames";
import { flameNotes } from "./flameNotes";
import type { Graphs } from "../graphs/graphs";
import { namelessPart } from "../trees/trees";
import type { OpenDataSet } from "../dataSets/openDataSet";

const MOST_RECTANGLES = 20_000;
/** Where everything in sight is narrow, a level has at most so many rectangles. */
const RECTANGLES_A_LEVEL = 5;
/** Steps of a path that are listed: paths may be 100,000 deep. */
const LISTED_STEPS = 30;
const LISTED_COVERING = 8;
/** Functions below this percentage of the total are not looked up for a colour by their file. */
const COLOURED_PERCENT = 0.1;

interface FunctionGroups {
  readonly names: readonly string[];
  readonly ofFunction: Int32Array;
}

export class FlameGraphs {
  private readonly layouts: KeptFlames;
  private found: { laid: LaidFlames; text: string | undefined; value: FoundFlames | undefined } | undefined;
  private groups: { readonly key: string; readonly value: FunctionGroups } | undefined;

  constructor(
    private readonly open: OpenDataSet,
    private readonly graphs: Graphs,
    world: FlameWorld = { graphsOf: () => graphs, openOf: () => open },
  ) {
    this.layouts = new KeptFlames(open, world);
  }

  /** Links may differ: what is grouped by file is to be built anew. */
  forget(): void {
    this.layouts.forget();
    this.found = undefined;
    this.groups = undefined;
  }

  async flames(query: FlameQuery, given: FlameWindow, task: Task): Promise<Flames> {
    if (!(given.to > given.from) || !(given.width >= 1)) throw new RequestError("There is nothing in sight.");
    const laid = await this.layouts.of(query, task);
    const { layout } = laid;
    const unit = given.asShares ? layout.total || 1 : 1;
    const window = { ...given, from: given.from * unit, to: given.to * unit };
    const { seen, pixels } = inSight(laid, window, task);
    const found = this.search(laid, window.search, task);
    const groups = window.groupBy && (await this.groupsOf(query.scope, window.groupBy, task));
    const names = new FlameNames(this.open);
    const framesOf = this.namelessFrames(laid);
    const groupOf = (at: number, index: number) => {
      const id = seen.together[index] > 1 ? NONE : this.functionOf(laid, at);
      return groups === undefined || id === NONE ? NONE : groups.ofFunction[id];
    };
    return {
      rectangles: {
        count: seen.at.length,
        depth: Int32Array.from(seen.at, (at) => layout.depth[at]),
        x: Float64Array.from(seen.x),
        width: Float64Array.from(seen.width),
        inclusive: Float64Array.from(seen.inclusive),
        exclusive: Float64Array.from(seen.exclusive),
        parent: Int32Array.from(seen.parent),
        name: Int32Array.from(seen.at, (at) => names.indexOf(this.nameOf(laid, at), this.functionOf(laid, at))),
        node: Int32Array.from(seen.at),
        together: Int32Array.from(seen.together),
        frames: Int32Array.from(seen.at, (at) => framesOf.get(layout.node[at]) ?? 1),
        group: Int32Array.from(seen.at, groupOf),
        flags: Uint8Array.from(
          seen.at,
          (at, index) => flagsOf(laid, seen, index, found) | this.codeFlags(this.functionOf(laid, at)),
        ),
        ...(laid.baseline
          ? { baseline: Float64Array.from(seen.at, (at) => laid.baseline?.[layout.node[at]] ?? 0) }
          : {}),
      },
      names: names.whole,
      shown: names.shown,
      groups: groups ? groups.names : [],
      width: layout.total,
      total: this.open.numbers(query.scope).total,
      levels: layout.levels,
      nodes: layout.size - laid.empty,
      hottest: laid.hottest,
      ...(laid.largestDifference === undefined ? {} : { largestDifference: laid.largestDifference }),
      covering: covering(layout, window).map((at) => ({
        ...placeOf(layout, at),
        ...this.open.namedIn(this.nameOf(laid, at), this.functionOf(laid, at)),
      })),
      ...(found && {
        found: { count: found.count, width: found.width, places: found.widest.map((at) => placeOf(layout, at)) },
      }),
      notes: flameNotes(this.open, query, laid, pixels),
    };
  }

  async place(query: FlameQuery, target: Target, task: Task): Promise<FlamePlace | undefined> {
    if (target.kind === "bar") return undefined;
    const laid = await this.layouts.of(query, task);
    const { shape, layout } = laid;
    if (target.kind === "context") {
      const context = this.open.checkContext(target.context);
      if (shape.calls === undefined) {
        const node = shape.nodeOf[context];
        return node === NONE ? undefined : placeOf(layout, layout.placeOf[node]);
      }
      return this.widestOf(laid, this.open.functions.ofContext[context]);
    }
    return this.widestOf(laid, this.open.checkFunction(target.function));
  }

  async details(query: FlameQuery, at: number, task: Task): Promise<Omit<FlameDetails, "link">> {
    const laid = await this.layouts.of(query, task);
    const { layout, shape } = laid;
    if (!Number.isInteger(at) || at < 0 || at >= layout.size) throw new RequestError("There is no such rectangle.");
    const path: string[] = [];
    for (let step = at; step !== NONE && path.length < LISTED_STEPS; step = layout.parent[step])
      path.unshift(this.nameOf(laid, step));
    const weight = this.open.numbers(drawnScope(query.scope)).inclusive;
    const { context, contexts } =
      shape.calls === undefined
        ? drawnContext(this.open, laid, at, weight)
        : callerContext(this.open, laid, at, weight);
    return {
      name: path[path.length - 1],
      path,
      pathBefore: layout.depth[at] + 1 - path.length,
      context,
      function: this.open.functions.ofContext[context],
      contexts,
      ...namelessPart(this.open, context),
    };
  }

  private widestOf(laid: LaidFlames, id: number): FlamePlace | undefined {
    const { layout } = laid;
    let widest: number = NONE;
    for (let at = 0; at < layout.size; at++) {
      if (this.functionOf(laid, at) !== id) continue;
      if (widest === NONE || layout.width[at] > layout.width[widest]) widest = at;
    }
    return widest === NONE ? undefined : placeOf(layout, widest);
  }

  private nameOf({ shape, layout, bars }: LaidFlames, at: number): string {
    const key = shape.key[layout.node[at]];
    if ("firstBar" in shape && key >= shape.firstBar)
      return key === shape.hidden ? "hidden by the filter" : `→ ${bars[key - shape.firstBar]}`;
    return shape.keysAre === "functions" ? this.open.functionName(key) : this.open.contextName(key);
  }

  private functionOf({ shape, layout }: LaidFlames, at: number): number {
    const key = shape.key[layout.node[at]];
    if (!isOwn(shape, key)) return NONE;
    return shape.keysAre === "functions" ? key : this.open.functions.ofContext[key];
  }

  /** Frames without a name that were joined, by node: the largest number of its contexts. */
  private namelessFrames({ shape }: LaidFlames): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    for (const [context, { frames }] of this.open.dataSet.nameless ?? []) {
      const node = shape.nodeOf[context];
      if (node !== NONE) found.set(node, Math.max(frames, found.get(node) ?? 1));
    }
    return found;
  }

  private codeFlags(id: number): number {
    if (id === NONE) return 0;
    const { frames } = this.open.dataSet;
    const frame = this.open.functions.frame[id];
    const module = frames.moduleIndex(frame);
    const isKernel = module !== NONE && isKernelModule(frames.strings.get(module));
    return (hasNoName(frames.nameOf(frame)) ? flameFlags.nameless : 0) | (isKernel ? flameFlags.kernel : 0);
  }

  /** Kept while it is zoomed: the search does not change by that. */
  private search(laid: LaidFlames, text: string | undefined, task: Task): FoundFlames | undefined {
    const { found } = this;
    if (found && found.laid === laid && found.text === text) return found.value;
    const value = findFlames(laid.layout, this.matcher(laid, text), task);
    this.found = { laid, text, value };
    return value;
  }

  /** Whether the name of a rectangle holds the text; looked at once for each of what names it. */
  private matcher(laid: LaidFlames, search: string | undefined): ((at: number) => boolean) | undefined {
    const wanted = search?.trim().toLowerCase() ?? "";
    if (wanted === "") return undefined;
    const { shape, layout } = laid;
    const { tree, frames } = this.open.dataSet;
    const byFrame = shape.keysAre === "contexts";
    // By frame or key: 0 not looked at yet, 1 no, 2 yes.
    const known = new Uint8Array(byFrame ? frames.size : this.open.functions.size);
    const looked = (at: number) => this.nameOf(laid, at).toLowerCase().includes(wanted);
    return (at) => {
      const key = shape.key[layout.node[at]];
      if (!isOwn(shape, key)) return looked(at);
      const slot = byFrame ? tree.frame[key] : key;
      if (known[slot] === 0) known[slot] = looked(at) ? 2 : 1;
      return known[slot] === 2;
    };
  }

  /** Groups of the whole recording, heaviest first: a group has one colour, whatever is looked at. */
  private async groupsOf(scope: Scope, groupBy: FlameGrouping, task: Task): Promise<FunctionGroups> {
    const key = `${scope.metric} ${groupBy}`;
    if (this.groups?.key === key) return this.groups.value;
    const { names, ofFunction } = await this.graphs.groupsOfFunctions(
      { scope, groupBy, filter: groupBy === "file" ? COLOURED_PERCENT : 0 },
      task,
    );
    const { functionExclusive } = this.open.numbers({ dataSet: scope.dataSet, metric: scope.metric, over: "sum" });
    const weight = new Float64Array(names.length);
    ofFunction.forEach((group, id) => group !== NONE && (weight[group] += functionExclusive[id]));
    const order = names
      .map((_, group) => group)
      .sort((a, b) => weight[b] - weight[a] || (names[a] < names[b] ? -1 : 1));
    const rank = new Int32Array(names.length);
    order.forEach((group, at) => (rank[group] = at));
    const value = {
      names: order.map((group) => names[group]),
      ofFunction: ofFunction.map((group) => (group === NONE ? NONE : rank[group])),
    };
    this.groups = { key, value };
    return value;
  }
}

function inSight({ layout, numbers }: LaidFlames, window: FlameWindow, task: Task): { seen: Seen; pixels: number } {
  const most = Math.min(MOST_RECTANGLES, Math.max(100, window.mostRectangles ?? MOST_RECTANGLES));
  const pixel = (window.to - window.from) / window.width;
  const endDepth = Math.min(window.endDepth, window.firstDepth + Math.floor(most / RECTANGLES_A_LEVEL));
  for (let pixels = 1; ; pixels *= 2) {
    const seen = rectanglesInSight(layout, numbers, { ...window, endDepth, narrowest: pixels * pixel }, most, task);
    if (seen) return { seen, pixels };
  }
}

function flagsOf(
  { shape, layout, inBaseline }: LaidFlames,
  seen: Seen,
  index: number,
  found: FoundFlames | undefined,
): number {
  const at = seen.at[index];
  const key = shape.key[layout.node[at]];
  const isNarrow = seen.end[index] > at + 1 && seen.narrow[index];
  const holds = found?.anyIn(at, seen.narrow[index] ? seen.end[index] : at + 1);
  return (
    (holds ? flameFlags.found : 0) |
    (isOwn(shape, key) ? 0 : "hidden" in shape && key === shape.hidden ? flameFlags.hidden : flameFlags.outgoing) |
    (isNarrow ? flameFlags.narrow : 0) |
    (inBaseline?.[layout.node[at]] === 0 ? flameFlags.fresh : 0)
  );
}

/** The rectangles that reach across the whole window, outermost first; of many the innermost. */
function covering({ size, x, width, end }: FlameLayout, { from, to }: FlameWindow): number[] {
  const found: number[] = [];
  // What is left and right may differ by rounding.
  const slack = 1e-9 * (to - from);
  for (let at = 0; at < size;) {
    if (x[at] - slack <= from && x[at] + width[at] + slack >= to) found.push(at++);
    else at = end[at];
  }
  return found.slice(-LISTED_COVERING);
}

function placeOf({ depth, x, width }: FlameLayout, at: number): FlamePlace {
  return { node: at, depth: depth[at], x: x[at], width: width[at] };
}
