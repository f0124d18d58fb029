/** What gestures make of what is in sight, and what the host is asked for it. Pure. */
import { MOST_ROWS, type TimelineContent, type TimelineLook } from "../../src/protocol/timeline";
import type { Place, Stretch } from "../../src/protocol/panel";
import type { SightSpec } from "../kit/definition";
import type { Box, DrawView, Point } from "../kit/stage/scene";
import type { Gesture } from "../kit/stage/sight";
import { measured, tools } from "./describe";
import { marksOf } from "./marks";
import { HEADING, lanesBetween } from "./rows";
import {
  areaOf,
  Axis,
  endOf,
  GUTTERS,
  layoutIn,
  LEAST_SPAN,
  MOST_WINDOWS,
  RULER,
  seenOf,
  timelineSeen,
  type TimelineSeen,
} from "./seen";
import { stripOf } from "./strip";

/** The part of the run that is the least. */
const LEAST_PART = 1e-10;
/** Events of fewer pixels may be within a cluster. */
const CLUSTERED = 4;
/** A window that shows what was hidden in a cluster is so much longer. */
const SHOWN_AS = 20;
/** On each side of what is zoomed to. */
const MARGIN = 0.05;
/** A window that differs by so much from the last one that was kept is kept. */
const APART = 2;

export const timelineSight: SightSpec<TimelineContent, TimelineSeen> = {
  schema: timelineSeen,
  selectsSeveral: true,
  zoomsByWheel: (_, at) => at.x >= GUTTERS.least,
  measures: (_, at) => at.y < RULER,
  measured,
  tools,
  strip: stripOf,
  moved(content, seen, gesture, view) {
    const before = seenOf(content, seen);
    const after = moved(content, before, gesture, view);
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    return isSame ? seen : after;
  },
  look(content, seen, view, search): TimelineLook | undefined {
    const now = seenOf(content, seen);
    const area = areaOf(content, view);
    const layout = layoutIn(content, now, area);
    const pixel = (now.to - now.from) / area.width;
    const isThere = lanesBetween(layout, now.top, now.top + area.height).every(({ lane, firstDepth, depths }) =>
      content.rows.some((row) => row.lane === lane && row.firstDepth === firstDepth && row.depths === depths),
    );
    const { subject, start } = content;
    const end = endOf(content);
    const isCovered = content.from <= Math.max(start, now.from) && content.to >= Math.min(content.end, now.to);
    const wanted = search.trim() === "" ? undefined : search.slice(0, 1000);
    const { range } = now;
    const isMeasured = !range || now.isMeasuring || JSON.stringify(content.measured?.range) === JSON.stringify(range);
    const isFound = wanted === content.found?.search;
    if (isThere && isCovered && isMeasured && isFound && stepOf(content.pixel) === stepOf(pixel)) return undefined;
    const span = now.to - now.from;
    return {
      subject,
      ...{ from: Math.max(start, now.from - span / 2), to: Math.min(end, now.to + span / 2), pixel },
      lanes: lanesBetween(layout, now.top - area.height, now.top + 2 * area.height)
        .slice(0, MOST_ROWS)
        .map(({ lane, firstDepth, depths }) => ({ lane, firstDepth, depths })),
      ...(wanted === undefined ? {} : { search: wanted }),
      ...(range && !now.isMeasuring ? { range: { from: range.from, to: range.to } } : {}),
    };
  },
  placeOf(content, mark): Place | undefined {
    const at = marksOf(content).withNumber(mark);
    if (at === undefined) return undefined;
    const { start, end, lane } = content.marks;
    const length = content.end - content.start || 1;
    return { mark, x: (start[at] - content.start) / length, width: (end[at] - start[at]) / length, row: lane[at] };
  },
  found(content, search) {
    const { found } = content;
    if (found?.search !== search.slice(0, 1000)) return undefined;
    const wanted = search.trim().toLowerCase();
    const isWanted = content.names.map((name) => name.toLowerCase().includes(wanted));
    const marks = marksOf(content);
    const numbers = new Set<number>();
    for (let at = 0; at < marks.count; at++)
      if (isWanted[content.marks.state[at]]) numbers.add(content.marks.number[at]);
    const length = content.end - content.start || 1;
    const places = Array.from(found.number, (mark, at) => ({
      ...{ mark, x: (found.start[at] - content.start) / length, row: found.lane[at] },
      width: (found.end[at] - found.start[at]) / length,
    }));
    return { marks: numbers, places, count: found.count };
  },
  isSeveral(content, mark) {
    const marks = marksOf(content);
    const at = marks.withNumber(mark);
    return at !== undefined && marks.isCluster(at);
  },
  crumbs: () => [],
  window(content, seen) {
    const { from, to } = seenOf(content, seen);
    return from <= content.start && to >= endOf(content) ? undefined : { from, to };
  },
};

/** Marks are made for steps that are powers of two: in what of them a pixel is, to the next one, all looks are alike. */
function stepOf(pixel: number): number {
  return Math.ceil(Math.log2(pixel));
}

function moved(content: TimelineContent, now: TimelineSeen, gesture: Gesture, view: DrawView): TimelineSeen {
  const area = areaOf(content, view);
  const axis = new Axis(area, now);
  const span = now.to - now.from;
  const to = (window: Stretch, top = now.top) =>
    withWindow(content, now, window, {
      ...{ top: scrolled(content, now, area, top), isStep: gesture.kind === "fit" || gesture.kind === "fill" },
    });
  switch (gesture.kind) {
    case "fit":
      return to({ from: content.start, to: endOf(content) }, 0);
    case "zoom": {
      const place = gesture.mark === undefined ? undefined : timelineSight.placeOf(content, gesture.mark);
      const middle = place && momentsOf(content, place);
      const about = gesture.at
        ? axis.seconds(Math.max(area.x, gesture.at.x))
        : middle && middle.from < now.to && middle.to > now.from
          ? (Math.max(middle.from, now.from) + Math.min(middle.to, now.to)) / 2
          : (now.from + now.to) / 2;
      const wide = span / gesture.factor;
      const from = about - ((about - now.from) / span) * wide;
      return to({ from, to: from + wide });
    }
    case "pan": {
      const by = (gesture.dx / area.width) * span;
      const shift = Math.min(endOf(content) - now.to, Math.max(content.start - now.from, by));
      return to({ from: now.from + shift, to: now.to + shift }, now.top + gesture.dy);
    }
    case "fill": {
      const { from, to: end } = momentsOf(content, gesture.place);
      const margin = (end - from) * MARGIN;
      return to({ from: from - margin, to: end + margin });
    }
    case "reveal":
      return revealing(content, now, gesture.place, area);
    case "window": {
      const length = content.end - content.start;
      return to({ from: content.start + gesture.from * length, to: content.start + gesture.to * length });
    }
    case "show":
      return to(gesture.window ?? { from: content.start, to: endOf(content) });
    case "measure": {
      const rest: TimelineSeen = { ...now };
      delete rest.range;
      delete rest.isMeasuring;
      const { box, isUnderWay } = gesture;
      if (!box) return rest;
      const within = (x: number) => Math.min(content.end, Math.max(content.start, axis.seconds(x)));
      const range = { from: within(Math.max(area.x, box.x)), to: within(box.x + box.width) };
      return range.to > range.from ? { ...rest, range, ...(isUnderWay ? { isMeasuring: true } : {}) } : rest;
    }
    case "fold":
      return folding(content, now, gesture.group === undefined ? [] : [...now.folded, gesture.group], area);
    case "press":
      return pressed(content, now, gesture.at, area);
    case "back":
    case "forward": {
      const other = gesture.kind === "back" ? "forward" : "back";
      const window = now[gesture.kind].at(-1);
      if (!window) return now;
      const kept = [...now[other], { from: now.from, to: now.to }].slice(-MOST_WINDOWS);
      return { ...now, ...window, [gesture.kind]: now[gesture.kind].slice(0, -1), [other]: kept };
    }
  }
}

/** What a window becomes, and what was in sight before where that differs by much, or where it is left in one step. */
function withWindow(
  content: TimelineContent,
  now: TimelineSeen,
  { from, to }: Stretch,
  { top, isStep = false }: { readonly top: number; readonly isStep?: boolean },
): TimelineSeen {
  const run = endOf(content) - content.start;
  const span = Math.min(run, Math.max(to - from, LEAST_SPAN, run * LEAST_PART));
  const wanted = to - from < span ? (from + to - span) / 2 : from;
  const left = Math.min(content.start + run - span, Math.max(content.start, wanted));
  const window = { from: left, to: left + span };
  const last = now.back.at(-1);
  const isOther = window.from !== now.from || window.to !== now.to;
  const isKept = last !== undefined && last.from === now.from && last.to === now.to;
  const keeps = isOther && !isKept && (isStep || !last || (isFar(last, window) && isFar(last, now)));
  const back = keeps ? [...now.back, { from: now.from, to: now.to }].slice(-MOST_WINDOWS) : now.back;
  return { ...now, ...window, top, back, forward: isOther ? [] : now.forward };
}

function isFar(a: Stretch, b: Stretch): boolean {
  const [long, short] = [a.to - a.from, b.to - b.from].sort((x, y) => y - x);
  return long > APART * short || Math.abs(a.from - b.from) > long / APART;
}

function scrolled(content: TimelineContent, now: TimelineSeen, area: Box, top: number): number {
  const { height } = layoutIn(content, now, area);
  return Math.min(Math.max(0, height - area.height), Math.max(0, top));
}

/** The same window where the place is seen in it. */
function revealing(content: TimelineContent, now: TimelineSeen, place: Place, area: Box): TimelineSeen {
  const { from, to } = momentsOf(content, place);
  const span = now.to - now.from;
  const isNear = from < now.to && to > now.from;
  // What is within a cluster is not seen from here.
  const own = timelineSight.placeOf(content, place.mark);
  const isHidden = to > from && ((to - from) / span) * area.width < CLUSTERED && own?.width !== place.width;
  const wide = isHidden ? (to - from) * SHOWN_AS : span;
  const window = isNear && !isHidden ? now : { from: (from + to - wide) / 2, to: (from + to + wide) / 2 };
  const row = layoutIn(content, now, area).of.get(place.row);
  const isAbove = row !== undefined && row.y < now.top;
  const isBelow = row !== undefined && row.y + row.height > now.top + area.height;
  const top = isAbove ? row.y - HEADING : isBelow ? row.y + row.height - area.height + HEADING : now.top;
  return withWindow(content, now, window, { top: scrolled(content, now, area, top) });
}

function momentsOf({ start, end }: TimelineContent, { x, width }: Place): Stretch {
  return { from: start + x * (end - start), to: start + (x + width) * (end - start) };
}

/** A click on the heading of a group folds or unfolds it. */
function pressed(content: TimelineContent, now: TimelineSeen, at: Point, area: Box): TimelineSeen {
  const y = at.y - area.y + now.top;
  const heading = layoutIn(content, now, area).headings.find((one) => y >= one.y && y < one.y + HEADING);
  if (!heading || at.y < area.y) return now;
  const { group, isOpen } = heading;
  return folding(content, now, isOpen ? [...now.folded, group] : now.folded.filter((one) => one !== group), area);
}

function folding(content: TimelineContent, now: TimelineSeen, folded: readonly number[], area: Box): TimelineSeen {
  const next = { ...now, folded: [...folded] };
  return { ...next, top: scrolled(content, next, area, now.top) };
}
