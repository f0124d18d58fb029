/** Where everything of a super graph is in one view, in the drawing's pixels. Pure. */
import { MARGIN } from "../../src/protocol/graphMargin";
import { MOST_ELEMENTS } from "../kit/stage/stage";
import type { Box } from "../kit/stage/scene";
import { barCount, entriesOf, type LaidOutGraph, largestDifference } from "./graph";
import { halfOf, type Ribbon } from "./ribbon";
import type { Viewport } from "./seen";

/** A bar where it is drawn. */
export interface PlacedBar extends Box {
  /** Height of the part that the filter hid, at the lower end of what is drawn. */
  readonly hiddenHeight: number;
  /** Its entry functions, the heaviest first, one below the other: each as high as its inclusive. */
  readonly entries: readonly Box[];
  /** Of two graphs that are drawn as one: how high the bar is in the one whose numbers it has, and in the other. The box has room for both. */
  readonly both?: readonly [own: number, other: number];
  /** The middle of the zigzag across a bar that is not to scale. */
  readonly brokenAt?: number;
}

/** What is drawn of a graph in one view, without what is put around it. */
export interface Placed {
  readonly graph: LaidOutGraph;
  readonly viewport: Viewport;
  readonly width: number;
  readonly height: number;
  readonly bars: readonly PlacedBar[];
  /** Undefined where a flow is out of sight. */
  readonly flows: readonly (Ribbon | undefined)[];
  /** Largest exclusive of a bar: the end of the heat. */
  readonly hottest: number;
  /** Largest difference of an exclusive: the ends of the colours; undefined where these show amounts. */
  readonly largestDifference?: number;
  /** Pixels per unit of the metric. */
  readonly pixelsPerUnit: number;
}

/** Pixels: a thinner flow is a hairline in one ink. Between its edges nothing of its own colour would be left. */
export const HAIRLINE = 3;
/** A bar that weighs nothing can still be pointed at. */
const LEAST_HEIGHT = 2;
/** Between the segments of a bar. */
const CUT = 1.5;
/** A hidden share below this is not drawn; one above it is at least so high. */
const LEAST_HIDDEN_SHARE = 0.004;
const LEAST_HIDDEN = 3;
/** A zigzag has room in so much of a bar. */
const LEAST_BROKEN = 16;

export function placeGraph(graph: LaidOutGraph, viewport: Viewport, area: { width: number; height: number }): Placed {
  const { bars, layout, look, pair } = graph;
  const byDifference = pair !== undefined && (pair.merged || look?.colour === "difference");
  const size = barCount(graph);
  const broken = new Set(layout.broken);
  let room = Math.max(0, MOST_ELEMENTS - size);
  const placed = Array.from({ length: size }, (_, bar): PlacedBar => {
    const [x, y, width, height] = layout.boxes.subarray(4 * bar, 4 * bar + 4);
    const box = {
      x: toX(x, viewport),
      y: toY(y, viewport),
      width: width * viewport.scale,
      height: Math.max(height * viewport.scale, LEAST_HEIGHT),
    };
    const both = bars.other && heightsOfBoth(box.height, bars.inclusive[bar], bars.other.inclusive[bar]);
    const drawn = both ? { ...box, height: both[0] } : box;
    const hiddenShare = bars.hiddenShare[bar];
    const hiddenHeight =
      hiddenShare < LEAST_HIDDEN_SHARE ? 0 : Math.min(drawn.height, Math.max(LEAST_HIDDEN, hiddenShare * drawn.height));
    const entries = segments(graph, bar, drawn, Math.min(room, entriesOf(graph, bar).count));
    room -= entries.length;
    const brokenAt = broken.has(bar) ? breakOf(graph, bar, box, broken, viewport) : undefined;
    return {
      ...box,
      hiddenHeight,
      entries,
      ...(brokenAt === undefined ? {} : { brokenAt }),
      ...(both ? { both } : {}),
    };
  });
  return {
    graph,
    viewport,
    width: area.width,
    height: area.height,
    bars: placed,
    flows: Array.from(layout.flows.thickness, (_, flow) => ribbonOf(graph, flow, viewport, area)),
    hottest: bars.exclusive.reduce((most, exclusive) => Math.max(most, exclusive), 0),
    ...(byDifference ? { largestDifference: largestDifference(graph) } : {}),
    pixelsPerUnit: layout.pixelsPerUnit * viewport.scale,
  };
}

/** The room is that of the higher one. */
function heightsOfBoth(room: number, own: number, other: number): readonly [own: number, other: number] {
  const scale = room / Math.max(own, other, Number.MIN_VALUE);
  return [Math.max(LEAST_HEIGHT, own * scale), Math.max(0, other * scale)];
}

/** Where a bar is lower than it should be: where the flow to another one that is leaves it, else in what no flow leaves. */
function breakOf(
  { layout: { flows } }: LaidOutGraph,
  bar: number,
  box: Box,
  broken: ReadonlySet<number>,
  viewport: Viewport,
) {
  if (box.height < LEAST_BROKEN) return undefined;
  let leaves = 0;
  let widest: number | undefined;
  flows.source.forEach((source, flow) => {
    if (source !== bar) return;
    leaves += flows.thickness[flow] * viewport.scale;
    const isWider = widest === undefined || flows.thickness[flow] > flows.thickness[widest];
    if (broken.has(flows.target[flow]) && isWider) widest = flow;
  });
  if (widest !== undefined && flows.first[widest] < flows.first[widest + 1])
    return toY(flows.points[flows.first[widest] + 1], viewport);
  return box.y + (leaves + box.height) / 2;
}

/** A bar cut into its entry functions, from its top. */
function segments({ bars, entries }: LaidOutGraph, bar: number, box: Box, count: number): Box[] {
  const first = bars.firstEntry[bar];
  const whole = Math.max(bars.inclusive[bar], 0);
  let top = 0;
  return Array.from({ length: count }, (_, at): Box => {
    const share = whole > 0 ? Math.max(0, entries.inclusive[first + at]) / whole : 0;
    const y = Math.min(top, box.height);
    // What adds up to more than the bar, where functions call each other, ends with it.
    const height = Math.min(share * box.height, box.height - y);
    top += height;
    return { x: box.x, y: box.y + y, width: box.width, height: height > 2 * CUT && count > 1 ? height - CUT : height };
  });
}

/** A flow as it is drawn; undefined where it is out of sight. */
function ribbonOf(
  { layout: { flows } }: LaidOutGraph,
  flow: number,
  viewport: Viewport,
  area: { width: number; height: number },
): Ribbon | undefined {
  const points: number[] = [];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = flows.first[flow]; at < flows.first[flow + 1]; at += 2) {
    const [x, y] = [toX(flows.points[at], viewport), toY(flows.points[at + 1], viewport)];
    points.push(x, y);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const thickness = flows.thickness[flow] * viewport.scale;
  const half = halfOf(thickness);
  const isInSight = right >= 0 && left <= area.width && bottom + half >= 0 && top - half <= area.height;
  return isInSight ? { points, thickness } : undefined;
}

export function toY(y: number, viewport: Viewport): number {
  return (y + MARGIN.top) * viewport.scale + viewport.y;
}

function toX(x: number, viewport: Viewport): number {
  return (x + MARGIN.left) * viewport.scale + viewport.x;
}
