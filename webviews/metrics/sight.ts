/** What gestures make of what is in sight of metrics over time, and what the host is asked for. Pure. */
import { MOST_DRAWN, type MetricsContent, type MetricsLook } from "../../src/protocol/metrics";
import type { Place } from "../../src/protocol/panel";
import type { SightSpec } from "../kit/definition";
import type { Box, DrawView } from "../kit/stage/scene";
import type { Gesture } from "../kit/stage/sight";
import { movedInTime } from "../kit/time/moving";
import { Axis, endOf, RULER, shownWindow } from "../kit/time/window";
import { windowTools } from "../kit/time/words";
import { measured, rowName, runOf } from "./describe";
import { placesBetween, type RowPlace, rowPlace } from "./rows";
import { areaOf, GUTTER, layoutIn, metricsSeen, type MetricsSeen, seenOf } from "./seen";
import { stripOf } from "./strip";

/** What is asked for on each side of the window, as a part of it. */
const MARGIN = 0.25;
/** The part of the window around a moment that a double click goes on to. */
const MOMENT = 0.1;

export const metricsSight: SightSpec<MetricsContent, MetricsSeen> = {
  schema: metricsSeen,
  zoomsByWheel: (_, at) => at.x >= GUTTER,
  measures: (_, at) => at.y < RULER,
  measured,
  opens(content, seen, at, view) {
    const now = seenOf(content, seen);
    const area = areaOf(view);
    if (!content.hasEvents || at.x < area.x) return undefined;
    const moment = new Axis(area, now).seconds(at.x);
    const half = ((now.to - now.from) * MOMENT) / 2;
    return { kind: "show", window: { from: Math.max(content.start, moment - half), to: moment + half } };
  },
  tools: (content, seen) => windowTools(content && seenOf(content, seen)),
  strip: stripOf,
  moved(content, seen, gesture, view) {
    const before = seenOf(content, seen);
    const after = moved(content, before, gesture, view);
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    return isSame ? seen : after;
  },
  look(content, seen, view): MetricsLook | undefined {
    const now = seenOf(content, seen);
    const area = areaOf(view);
    const { subject, start, names, order, bands } = content;
    const end = endOf(content);
    const pixel = (now.to - now.from) / area.width;
    const rows = Array.from(
      placesBetween(layoutIn(content, area), names.length, now.top, now.top + area.height).slice(0, MOST_DRAWN),
      (place) => order[place],
    );
    const isThere = rows.every((row) => bands?.rows.includes(row));
    const isCovered =
      bands !== undefined && bands.from <= Math.max(start, now.from) && bands.to >= Math.min(content.end, now.to);
    const keepsColumns = isThere && isCovered && stepOf(content.pixel) === stepOf(pixel);
    const isMeasured = now.range !== undefined && now.isMeasuring !== true;
    const window = { from: now.from, to: now.to };
    const range = isMeasured && now.range ? now.range : window;
    const { asked } = content;
    const isSummed = asked.from === range.from && asked.to === range.to && content.isMeasured === isMeasured;
    if (keepsColumns && isSummed) return undefined;
    const span = now.to - now.from;
    return {
      subject,
      from: Math.max(start, now.from - span * MARGIN),
      to: Math.min(end, now.to + span * MARGIN),
      pixel,
      rows,
      window,
      range,
      isMeasured,
      ...(keepsColumns ? { keepsColumns } : {}),
    };
  },
  placeOf(content, row): Place | undefined {
    return row < content.names.length ? { mark: row, x: 0, width: 1, row } : undefined;
  },
  found(content, search) {
    const wanted = search.trim().toLowerCase();
    const rows = Array.from(content.order).filter((row) => rowName(content, row).toLowerCase().includes(wanted));
    return {
      marks: new Set(rows),
      places: rows.map((row) => ({ mark: row, x: 0, width: 1, row })),
      count: rows.length,
    };
  },
  isSeveral: () => false,
  crumbs: () => [],
  window: (content, seen) => shownWindow(runOf(content), seenOf(content, seen)),
};

/** Columns are as wide as a power of two: in what of them a pixel is, to the next one, all looks are alike. */
function stepOf(pixel: number): number {
  return Math.ceil(Math.log2(pixel));
}

function moved(content: MetricsContent, now: MetricsSeen, gesture: Gesture, view: DrawView): MetricsSeen {
  const area = areaOf(view);
  if (gesture.kind === "reveal") return revealing(content, now, [gesture.place.row], area);
  if (gesture.kind === "rows") return revealing(content, now, gesture.rows, area);
  return movedInTime(runOf(content), now, gesture, {
    area,
    scrolled: (_, top) => scrolled(content, area, top),
    momentsOf: () => undefined,
  });
}

function scrolled(content: MetricsContent, area: Box, top: number): number {
  return Math.min(Math.max(0, layoutIn(content, area).height - area.height), Math.max(0, top));
}

/** The same window: where none of these rows is in sight, the first one is scrolled to. */
function revealing(content: MetricsContent, now: MetricsSeen, rows: readonly number[], area: Box): MetricsSeen {
  const layout = layoutIn(content, area);
  const places = rows.map((row) => content.order.indexOf(row)).filter((place) => place >= 0);
  const own = places.sort((a, b) => a - b).map((place) => rowPlace(layout, place));
  const isBelow = ({ y, height }: RowPlace) => y + height > now.top + area.height;
  if (own.length === 0 || own.some((row) => row.y >= now.top && !isBelow(row))) return now;
  const [{ y, height }] = own;
  const top = y < now.top ? y : y + height - area.height;
  return { ...now, top: scrolled(content, area, top) };
}
