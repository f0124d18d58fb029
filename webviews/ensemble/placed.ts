/** Where bars and flows of an ensemble are in a drawing of any size. Pure. */
import { MARGIN } from "../../src/protocol/graphMargin";
import type { EnsembleContent, EnsembleSize } from "../../src/protocol/ensemble";
import type { Box } from "../kit/stage/scene";
import type { Ribbon } from "../superGraph/ribbon";

/** Above the drawing: a column for each run. */
export const STRIP = 52;
/** A bar is never lower than this, whatever it has. */
const LOWEST = 1.5;
const HIDDEN: Ribbon = { points: [], thickness: 0 };

/** What does not depend on the run that is set beside all. */
interface PlacedBase {
  /** As high as the bar's largest run among those that stay. */
  readonly bars: readonly Box[];
  /** Of flows that are drawn; what has no points is none. */
  readonly flows: readonly Ribbon[];
  /** Pixels between two levels. */
  readonly pitch: number;
  /** A flow, or, inside of it from the top of each end, a share of it. */
  ribbon(edge: number, share: number): Ribbon;
}

export interface Placed extends PlacedBase {
  /** The target's own flows, inside of all. */
  readonly targetFlows: readonly Ribbon[];
}

export function ensembleSize({ bars, runs, bins }: EnsembleContent): EnsembleSize {
  return { bars: bars.name.length, runs: runs.name.length, bins };
}

/**
 * The layout is that of all runs: where fewer stay, a bar is lower and begins where it began, so that each keeps its place. Ends of flows are
 * shares of their bars' heights, packed from the top in the order in which the layout has them (semantics 2.5 and 10, Flow).
 */
export function placed(content: EnsembleContent, size: Size): Placed {
  const { edges, beside } = content;
  const base = baseOf(content, size);
  const { target } = beside;
  const targetFlows = target ? [...edges.source.keys()].map((edge) => base.ribbon(edge, target.flow[edge])) : NO_FLOWS;
  return { ...base, targetFlows };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const NO_FLOWS: readonly Ribbon[] = [];
/** Another target comes with the same bars, many times a second. */
const known = new WeakMap<EnsembleContent["bars"], { readonly key: readonly unknown[]; readonly base: PlacedBase }>();

function baseOf(content: EnsembleContent, { width, height }: Size): PlacedBase {
  const key = [content.layout, content.edges, width, height];
  const last = known.get(content.bars);
  if (last && key.every((part, at) => part === last.key[at])) return last.base;
  const base = placedAnew(content, { width, height });
  known.set(content.bars, { key, base });
  return base;
}

function placedAnew({ bars, edges, layout }: EnsembleContent, { width, height }: Size): PlacedBase {
  const top = STRIP + MARGIN.top;
  const [across, down] = [
    Math.max(1, width - MARGIN.left - MARGIN.right) / Math.max(1, layout.width),
    Math.max(1, height - top - MARGIN.bottom) / Math.max(1, layout.height),
  ];
  const boxes = bars.name.map((_, bar): Box => {
    const [x, y, wide] = layout.boxes.subarray(4 * bar, 4 * bar + 3);
    const high = bars.height[bar] * layout.pixelsPerUnit * down;
    return { x: MARGIN.left + x * across, y: top + y * down, width: wide * across, height: Math.max(LOWEST, high) };
  });
  const flows = [...edges.source.keys()];
  const { points, first } = layout;
  const middles = flows.map((edge) => {
    const own: number[] = [];
    for (let at = first[edge]; at + 1 < first[edge + 1]; at += 2)
      own.push(MARGIN.left + points[at] * across, top + points[at + 1] * down);
    return own;
  });
  const drawn = flows.filter((edge) => middles[edge].length >= 4);
  const sourceTop = packed(drawn, edges.source, edges.sourceEnd, boxes, (edge) => points[first[edge] + 1]);
  const targetTop = packed(drawn, edges.target, edges.targetEnd, boxes, (edge) => points[first[edge + 1] - 1]);
  /** @param share of each end, from its top */
  const ribbon = (edge: number, share: number): Ribbon => {
    if (middles[edge].length < 4 || share <= 0) return HIDDEN;
    const [from, to] = [boxes[edges.source[edge]], boxes[edges.target[edge]]];
    const [thickness, until] = [edges.sourceEnd[edge] * from.height * share, edges.targetEnd[edge] * to.height * share];
    const moved = middles[edge].slice();
    moved[0] = from.x + from.width;
    moved[1] = sourceTop[edge] + thickness / 2;
    moved[moved.length - 2] = to.x;
    moved[moved.length - 1] = targetTop[edge] + until / 2;
    return { points: moved, thickness, until };
  };
  const xs = [...new Set(boxes.map(({ x }) => Math.round(x)))].sort((a, b) => a - b);
  return {
    bars: boxes,
    flows: flows.map((edge) => (edges.most[edge] > 0 ? ribbon(edge, 1) : HIDDEN)),
    pitch: xs.length > 1 ? (xs[xs.length - 1] - xs[0]) / (xs.length - 1) : width,
    ribbon,
  };
}

/** Where a value stands on the axis of a bar. */
export function placeOnAxis({ bars }: EnsembleContent, bar: number, value: number, { y, height }: Box): number {
  const to = bars.to[bar];
  return y + (to > 0 ? Math.min(1, Math.max(0, value / to)) : 0) * height;
}

/** Where each end begins: below those that stand above it at the same bar. */
function packed(
  flows: readonly number[],
  barOf: Int32Array,
  share: Float64Array,
  bars: readonly Box[],
  placeOf: (edge: number) => number,
): Float64Array {
  const next = Float64Array.from(bars, ({ y }) => y);
  const tops = new Float64Array(barOf.length);
  for (const edge of flows.slice().sort((a, b) => placeOf(a) - placeOf(b) || a - b)) {
    tops[edge] = next[barOf[edge]];
    next[barOf[edge]] += share[edge] * bars[barOf[edge]].height;
  }
  return tops;
}
