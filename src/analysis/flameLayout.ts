/** Where the rectangles of a flame graph lie, and their numbers. No recursion: trees may be 100,000 deep. */
import type { FunctionTable } from "../model/functions";
import { inclusive } from "../model/contextTree";
import { NONE } from "../model/ids";
import { cancellable, STEPS_BETWEEN_CHECKS, type Task } from "../model/task";
import type { FlameShape } from "./flameShape";

/** Numbers of the rectangles of a shape, in the metric's unit. */
export interface FlameNumbers {
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
}

/** Rectangles in the order in which they are drawn: a parent before its children, these from left to right. */
export interface FlameLayout {
  readonly size: number;
  /** Rectangle of the shape. */
  readonly node: Int32Array;
  /** Drawn rectangle above; {@link NONE} for roots. */
  readonly parent: Int32Array;
  readonly end: Int32Array;
  readonly depth: Int32Array;
  readonly x: Float64Array;
  readonly width: Float64Array;
  /** Place in this order of each rectangle of the shape. */
  readonly placeOf: Int32Array;
  /** Width of all roots. */
  readonly total: number;
  readonly levels: number;
  /** Rectangles whose exclusive is negative, and drawn as 0. */
  readonly negative: number;
}

/** Sums of contexts by rectangle: what {@link FlameNumbers} are made of for one rank, or for all. */
export function flameNumbers(shape: FlameShape, functions: FunctionTable, exclusiveOf: Float64Array): FlameNumbers {
  const own = ownSums(shape, exclusiveOf);
  const sums = inclusive(shape, own);
  const { calls } = shape;
  if (calls === undefined) return { inclusive: sums, exclusive: own };
  const ofFunction = ownSums(shape, exclusiveOf, (context) => functions.ofContext[context] === calls);
  return { inclusive: sums, exclusive: inclusive(shape, ofFunction) };
}

function ownSums({ size, nodeOf }: FlameShape, exclusiveOf: Float64Array, counts?: (context: number) => boolean) {
  const sums = new Float64Array(size);
  for (let context = 0; context < nodeOf.length; context++) {
    const node = nodeOf[context];
    if (node !== NONE && (counts === undefined || counts(context))) sums[node] += exclusiveOf[context];
  }
  return sums;
}

/**
 * Lays rectangles out. The width of one is its own exclusive, 0 where that is negative, and the widths of its children: so
 * children never exceed their parent, and what they leave is its own.
 *
 * @param exclusiveOf what contexts are drawn with: a value each, which adds up
 * @param heaviestFirst siblings by width; else in the order of the shape
 */
export function layoutFlames(
  shape: FlameShape,
  exclusiveOf: Float64Array,
  heaviestFirst: boolean,
  task: Task,
): FlameLayout {
  const { size } = shape;
  const own = ownSums(shape, exclusiveOf);
  let negative = 0;
  for (let node = 0; node < size; node++) {
    if (own[node] >= 0) continue;
    if (own[node] < 0) negative++;
    own[node] = 0;
  }
  const widthOf = inclusive(shape, own);
  task.check();
  const children = childrenOf(shape);
  if (heaviestFirst) sortChildren(children, widthOf, task);
  return { ...drawn(shape, children, widthOf, task), negative };
}

/** Children of node n: `list[start[n + 1]] … list[start[n + 2] - 1]`; roots stand first. */
interface Children {
  readonly start: Int32Array;
  readonly list: Int32Array;
}

function childrenOf({ size, parent }: FlameShape): Children {
  const start = new Int32Array(size + 2);
  for (let node = 0; node < size; node++) start[parent[node] + 2]++;
  for (let at = 0; at <= size; at++) start[at + 1] += start[at];
  const next = start.slice();
  const list = new Int32Array(size);
  for (let node = 0; node < size; node++) list[next[parent[node] + 1]++] = node;
  return { start, list };
}

/** Up to so many siblings are put in order by insertion: most have few. */
const FEW = 24;

function sortChildren({ start, list }: Children, widthOf: Float64Array, task: Task): void {
  const heavier = cancellable((a: number, b: number) => widthOf[b] - widthOf[a] || a - b, task);
  for (let slot = 0; slot + 1 < start.length; slot++) {
    if (slot % STEPS_BETWEEN_CHECKS === 0) task.check();
    const from = start[slot];
    const to = start[slot + 1];
    if (to - from > FEW) {
      list.subarray(from, to).sort(heavier);
      continue;
    }
    for (let at = from + 1; at < to; at++) {
      const node = list[at];
      let free = at;
      for (; free > from && widthOf[list[free - 1]] < widthOf[node]; free--) list[free] = list[free - 1];
      list[free] = node;
    }
  }
}

function drawn(shape: FlameShape, { start, list }: Children, widthOf: Float64Array, task: Task) {
  const { size } = shape;
  const node = new Int32Array(size);
  const parent = new Int32Array(size);
  const end = new Int32Array(size);
  const depth = new Int32Array(size);
  const x = new Float64Array(size);
  const width = new Float64Array(size);
  const placeOf = new Int32Array(size);
  // Where the next child begins, by drawn parent.
  const cursor = new Float64Array(size);
  let total = 0;
  let levels = 0;
  // A preorder needs no stack: the subtree of each rectangle has as many rectangles as in the shape.
  const place = (own: number, at: number, above: number) => {
    placeOf[own] = at;
    node[at] = own;
    parent[at] = above;
    end[at] = at + shape.end[own] - own;
    width[at] = widthOf[own];
    depth[at] = above === NONE ? 0 : depth[above] + 1;
    x[at] = above === NONE ? total : cursor[above];
    cursor[at] = x[at];
    if (above === NONE) total += widthOf[own];
    else cursor[above] += widthOf[own];
    if (widthOf[own] > 0) levels = Math.max(levels, depth[at] + 1);
  };
  const placeChildren = (slot: number, from: number, above: number) => {
    let at = from;
    for (let child = start[slot]; child < start[slot + 1]; child++) {
      place(list[child], at, above);
      at = end[at];
    }
  };
  placeChildren(0, 0, NONE);
  for (let at = 0; at < size; at++) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    placeChildren(node[at] + 1, at + 1, at);
  }
  return { size, node, parent, end, depth, x, width, placeOf, total, levels };
}
