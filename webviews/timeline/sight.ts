/** What gestures make of what is in sight, and what the host is asked for it. Pure. */
import * as v from "valibot";
import { parse } from "../../src/protocol/bounds";
import { MOST_ROWS, type TimelineContent, type TimelineLook } from "../../src/protocol/timeline";
import type { Place, Stretch } from "../../src/protocol/panel";
import { type TimelineList, timelineLists } from "../../src/protocol/timelineLists";
import type { SightSpec } from "../kit/definition";
import type { Box, DrawView, Point } from "../kit/stage/scene";
import type { Gesture } from "../kit/stage/sight";
import { momentsIn, movedInTime } from "../kit/time/moving";
import { Axis, endOf, RULER, shownWindow, withWindow } from "../kit/time/window";
import { windowTools } from "../kit/time/words";
import { isBaseline, measured } from "./describe";
import { marksOf } from "./marks";
import { phaseAt, phaseTools, phaseWindow, wholePhases } from "./phases";
import { askedRows, HEADING, type LaneRow, lanesBetween } from "./rows";
import { areaOf, layoutIn, listOf, PHASE_ROW, seenOf, timelineSeen, type TimelineSeen } from "./seen";
import { stripOf } from "./strip";

/** Events of fewer pixels may be within a cluster. */
const CLUSTERED = 4;
/** A window that shows what was hidden in a cluster is so much longer. */
const SHOWN_AS = 20;

export const timelineSight: SightSpec<TimelineContent, TimelineSeen> = {
  schema: timelineSeen,
  selectsSeveral: true,
  zoomsByWheel: (content, at, view) => at.x >= areaOf(content, view).x,
  measures: ({ phases }, at) => at.y < RULER + (phases && phases.name.length > 0 ? PHASE_ROW : 0),
  measured,
  tools: (content, seen) => [...windowTools(content && seenOf(content, seen)), ...phaseTools(content?.phases)],
  strip: stripOf,
  moved(content, seen, gesture, view) {
    const before = seenOf(content, seen);
    const after = moved(content, before, gesture, view);
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    return isSame ? seen : after;
  },
  openTable: (content, seen) => listOf(seenOf(content, seen), content),
  look(content, seen, view, search, hasTable): TimelineLook | undefined {
    const now = seenOf(content, seen);
    const area = areaOf(content, view);
    const layout = layoutIn(content, now, area);
    const pixel = (now.to - now.from) / area.width;
    const isThere = lanesBetween(layout, now.top, now.top + area.height).every((row) => {
      const { lane, firstDepth, depths } = askedRows(row);
      return content.rows.some((one) => one.lane === lane && one.firstDepth === firstDepth && one.depths === depths);
    });
    const { subject, start } = content;
    const end = endOf(content);
    const isCovered = content.from <= Math.max(start, now.from) && content.to >= Math.min(content.end, now.to);
    const wanted = search.trim() === "" ? undefined : search.slice(0, 1000);
    const isFound = wanted === content.found?.search;
    const keepsMarks = isThere && isCovered && isFound && stepOf(content.pixel) === stepOf(pixel);
    const isMeasured = now.range !== undefined && now.isMeasuring !== true;
    const { from, to } = isMeasured && now.range ? now.range : now;
    const list = hasTable ? listOf(now, content) : undefined;
    const lane = isMeasured ? now.lane : undefined;
    const { functions } = content;
    const isSummed = functions?.range.from === from && functions.range.to === to && functions.lane === lane;
    const areSumsThere = isSummed || now.isMeasuring || !(isMeasured || list === "functions");
    const areListed = list !== "occurrences" || content.occurrences?.state === now.of;
    const own = list === "waits" ? content.waits : list === "path" ? content.pathFunctions : undefined;
    const isOwnThere = (list !== "waits" && list !== "path") || (own?.range.from === from && own.range.to === to);
    const isIdle = now.isMeasuring === true;
    const areCompared = areDifferencesThere(content, now, { range: { from, to }, lane }, list);
    const keepsLists = keepsMarks && areSumsThere && areListed && (areCompared || isIdle) && (isOwnThere || isIdle);
    if (keepsLists && areCountersThere(content, now, pixel)) return undefined;
    const span = now.to - now.from;
    return {
      subject,
      from: Math.max(start, now.from - span / 2),
      to: Math.min(end, now.to + span / 2),
      pixel,
      lanes: keepsMarks
        ? []
        : lanesBetween(layout, now.top - area.height, now.top + 2 * area.height)
            .slice(0, MOST_ROWS)
            .map(askedRows),
      ...(wanted === undefined ? {} : { search: wanted }),
      window: { from: now.from, to: now.to },
      range: { from, to },
      isMeasured,
      ...(lane === undefined ? {} : { lane }),
      ...(now.baseline ? { baseline: now.baseline } : {}),
      ...(list ? { list } : {}),
      ...(now.of === undefined ? {} : { of: now.of }),
      ...(keepsMarks ? { keepsMarks } : {}),
      ...(keepsLists ? { keepsLists } : {}),
    };
  },
  placeOf(content, mark): Place | undefined {
    const at = marksOf(content).withNumber(mark);
    if (at === undefined) return undefined;
    const { start, end, lane, depth } = content.marks;
    const length = content.end - content.start || 1;
    return {
      mark,
      x: (start[at] - content.start) / length,
      width: (end[at] - start[at]) / length,
      row: lane[at],
      depth: depth[at],
    };
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
      mark,
      x: (found.start[at] - content.start) / length,
      row: found.lane[at],
      depth: found.depth[at],
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
  window: (content, seen) => shownWindow(content, seenOf(content, seen)),
};

/** Whether counters are here as far as they are in sight, in the order of this very window. */
function areCountersThere(content: TimelineContent, { from, to }: TimelineSeen, pixel: number): boolean {
  const { counterRows, counters, start, end } = content;
  if (counterRows === 0) return true;
  if (!counters || counters.window.from !== from || counters.window.to !== to) return false;
  const { bands } = counters;
  const isCovered = bands.from <= Math.max(start, from) && bands.to >= Math.min(end, to);
  return isCovered && stepOf(counters.pixel) === stepOf(pixel);
}

/** Of what is to be compared now, or of nothing where nothing is; they are only asked for where their table is open. */
function areDifferencesThere(
  { differences }: TimelineContent,
  { baseline }: TimelineSeen,
  { range, lane }: { readonly range: Stretch; readonly lane: number | undefined },
  list: TimelineList | undefined,
): boolean {
  if (!baseline || !differences) return baseline === undefined ? differences === undefined : list !== "differences";
  const { range: known, lane: knownLane, baseline: before } = differences;
  const isOwn = known.from === range.from && known.to === range.to && knownLane === lane;
  return list !== "differences" || (isOwn && isBaseline(baseline, before.range, before.lane));
}

/** Marks are made for steps that are powers of two: in what of them a pixel is, to the next one, all looks are alike. */
function stepOf(pixel: number): number {
  return Math.ceil(Math.log2(pixel));
}

function moved(content: TimelineContent, now: TimelineSeen, gesture: Gesture, view: DrawView): TimelineSeen {
  const area = areaOf(content, view);
  switch (gesture.kind) {
    case "reveal":
      return revealing(content, now, gesture.place, area);
    case "rows":
      return withOneOf(content, now, gesture.rows, area);
    case "fold":
      return folding(content, now, gesture.group === undefined ? [] : [...now.folded, gesture.group], area);
    case "press":
      return pressed(content, now, gesture.at, area);
    case "phase":
      return phaseWindow(content, now, gesture.to) ?? now;
    case "baseline":
      return withBaseline(now);
    case "list": {
      const list = parse(v.picklist(timelineLists), gesture.list);
      const { of = now.of } = gesture;
      return list ? { ...now, list, ...(of === undefined ? {} : { of }) } : now;
    }
    default: {
      const next = movedInTime(content, ofLane(now, gesture), gesture, {
        area,
        scrolled: (seen, top) => scrolled(content, seen, area, top),
        momentsOf: (mark) => {
          const place = timelineSight.placeOf(content, mark);
          return place && momentsIn(content, place);
        },
      });
      const isOfPhases = gesture.kind === "measure" && gesture.box !== undefined && isInPhaseRow(gesture.box, area);
      return isOfPhases && content.phases && next.range
        ? { ...next, range: wholePhases(content.phases, next.range) }
        : next;
    }
  }
}

/** What is measured is the baseline from now on; where it is that already, there is none any more. */
function withBaseline({ baseline, ...now }: TimelineSeen): TimelineSeen {
  const { range, lane } = now;
  return range && !isBaseline(baseline, range, lane)
    ? { ...now, baseline: { ...range, ...(lane === undefined ? {} : { lane }) }, list: "differences" }
    : now;
}

/** The same with the lane that a gesture measures in; of a place the table has what is done while it lasts. */
function ofLane({ lane, ...rest }: TimelineSeen, gesture: Gesture): TimelineSeen {
  const { place } = gesture.kind === "measure" ? gesture : {};
  const measured = gesture.kind === "measure" ? place?.row : lane;
  const next: TimelineSeen = place ? { ...rest, list: rest.baseline ? "differences" : "functions" } : rest;
  return measured === undefined ? next : { ...next, lane: measured };
}

function scrolled(content: TimelineContent, now: TimelineSeen, area: Box, top: number): number {
  const { height } = layoutIn(content, now, area);
  return Math.min(Math.max(0, height - area.height), Math.max(0, top));
}

/** The same window where the place is seen in it. */
function revealing(content: TimelineContent, now: TimelineSeen, place: Place, area: Box): TimelineSeen {
  const { from, to } = momentsIn(content, place);
  const span = now.to - now.from;
  const isNear = from < now.to && to > now.from;
  // What is within a cluster is not seen from here.
  const own = timelineSight.placeOf(content, place.mark);
  const isHidden = to > from && ((to - from) / span) * area.width < CLUSTERED && own?.width !== place.width;
  const wide = isHidden ? (to - from) * SHOWN_AS : span;
  const window = isNear && !isHidden ? now : { from: (from + to - wide) / 2, to: (from + to + wide) / 2 };
  const next = deepened(content, withUnfolded(now, content.group[place.row]), place, area);
  const row = layoutIn(content, next, area).of.get(place.row);
  const top = row === undefined ? now.top : topFor(row, now, area);
  return withWindow(content, next, window, { top: scrolled(content, next, area, top) });
}

/** The same where one of these lanes is in sight, or none has a place; else scrolled to the first of them. */
function withOneOf(content: TimelineContent, now: TimelineSeen, lanes: readonly number[], area: Box): TimelineSeen {
  const rowsIn = (seen: TimelineSeen) => {
    const { of } = layoutIn(content, seen, area);
    return lanes.flatMap((lane) => of.get(lane) ?? []).sort((a, b) => a.y - b.y);
  };
  const isFolded = rowsIn(now).length === 0 && lanes.length > 0;
  const next = isFolded ? withUnfolded(now, content.group[lanes[0]]) : now;
  const rows = rowsIn(next);
  const isSeen = rows.some(({ y, height }) => y >= next.top && y + height <= next.top + area.height);
  if (isSeen || rows.length === 0) return next;
  return { ...next, top: scrolled(content, next, area, topFor(rows[0], next, area)) };
}

/** A place in a folded group is shown by unfolding the group. */
function withUnfolded(now: TimelineSeen, group: number | undefined): TimelineSeen {
  if (group === undefined || !now.folded.includes(group)) return now;
  return { ...now, folded: now.folded.filter((one) => one !== group) };
}

/** From where on a row is in sight, with room for a heading beside it. */
function topFor({ y, height }: LaneRow, { top }: TimelineSeen, area: Box): number {
  if (y < top) return y - HEADING;
  return y + height > top + area.height ? y + height - area.height + HEADING : top;
}

/** Its lane shows the place's depth: as it does already, or by showing other depths than those with most time. */
function deepened(content: TimelineContent, now: TimelineSeen, { row: lane, depth }: Place, area: Box): TimelineSeen {
  const row = layoutIn(content, now, area).of.get(lane);
  if (content.look === "state" || depth === undefined || !row) return now;
  const isShown = depth >= row.firstDepth && depth < row.firstDepth + row.depths;
  return isShown ? now : { ...now, deep: { lane, depth } };
}

function isInPhaseRow({ y }: { readonly y: number }, area: Box): boolean {
  return y >= RULER && y < area.y;
}

/** A click on a phase makes it the window; one on the heading of a group folds or unfolds it. */
function pressed(content: TimelineContent, now: TimelineSeen, at: Point, area: Box): TimelineSeen {
  const phase =
    content.phases && isInPhaseRow(at, area) ? phaseAt(content.phases, new Axis(area, now).seconds(at.x)) : undefined;
  if (phase !== undefined && at.x >= area.x) return phaseWindow(content, now, phase) ?? now;
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
