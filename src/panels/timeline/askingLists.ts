/** What the timeline's tables ask the engine beside the marks in sight: when marks are there, and only for the table that is open. */
import type { TimelineSums } from "../../engine/api";
import { differenceOf } from "../../model/differences";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { Stretch } from "../../protocol/panel";
import type { TimelineLook } from "../../protocol/timeline";
import { MOST_LISTED } from "../../protocol/timelineLists";
import { type DifferenceOfSums, lanesOf, type TimelineShown, type TimelineView, traceOf } from "./shown";

/** All lists; those that are there, and stay, are not asked for. */
export async function listsIn(shown: TimelineShown, look: TimelineLook, view: TimelineView, task: Task) {
  const [sums, differences, occurrences, waits, pathSums] = await Promise.all([
    sumsIn(shown, look, view, task),
    differencesIn(shown, look, view, task),
    occurrencesOf(shown, look, view, task),
    waitsIn(shown, look, view, task),
    pathIn(shown, look, view, task),
  ]);
  return { sums, differences, occurrences, waits, pathSums };
}

function isOf(list: { readonly range: Stretch } | undefined, { from, to }: Stretch): boolean {
  return list?.range.from === from && list.range.to === to;
}

/** Sums over a lane, or all lanes that are shown; those that are there stay until others are asked for. */
async function sumsIn(shown: TimelineShown, look: TimelineLook, view: TimelineView, task: Task) {
  const { range, isMeasured, list, keepsMarks, lane } = look;
  if (!isMeasured && list !== "functions") return undefined;
  if (!keepsMarks || (isOf(shown.sums, range) && shown.sums?.lane === lane)) return shown.sums;
  const { engine } = view.session;
  const lanes = lane === undefined ? lanesOf(shown) : [lane];
  const query = { ...traceOf(view), lanes, fromSeconds: range.from, toSeconds: range.to };
  const sums = await engine.timelineSums(query, task);
  const events = sums.rows.slice(0, MOST_LISTED).map(({ lane, event }) => ({ lane, event }));
  const places = await engine.timelinePlaces({ ...traceOf(view), events }, task);
  return { ...sums, range, places, ...(lane === undefined ? {} : { lane }) };
}

/** Functions of a stretch beside those of the baseline; those that are there stay until others are asked for. */
async function differencesIn(shown: TimelineShown, look: TimelineLook, view: TimelineView, task: Task) {
  const { range, lane, list, keepsMarks, baseline } = look;
  if (!baseline) return undefined;
  const { differences: known } = shown;
  const isThere =
    known !== undefined &&
    isOf(known, range) &&
    known.lane === lane &&
    isOf(known.baseline, baseline) &&
    known.baseline.lane === baseline.lane;
  if (!keepsMarks || list !== "differences" || isThere) return known;
  const { engine } = view.session;
  const sumsOf = (of: Stretch, own: number | undefined) =>
    engine.timelineSums(
      { ...traceOf(view), lanes: own === undefined ? lanesOf(shown) : [own], fromSeconds: of.from, toSeconds: of.to },
      task,
    );
  const [now, before] = await Promise.all([sumsOf(range, lane), sumsOf(baseline, baseline.lane)]);
  const rows = sideBySide(now, before, shown);
  const events = rows.slice(0, MOST_LISTED).map(({ lane: own, event }) => ({ lane: own, event }));
  const places = await engine.timelinePlaces({ ...traceOf(view), events }, task);
  return {
    range,
    places,
    rows,
    ...(lane === undefined ? {} : { lane }),
    baseline: {
      range: { from: baseline.from, to: baseline.to },
      ...(baseline.lane === undefined ? {} : { lane: baseline.lane }),
    },
  };
}

function sideBySide(now: TimelineSums, before: TimelineSums, { facts }: TimelineShown): DifferenceOfSums[] {
  const had = new Map(before.rows.map((row) => [row.state, row]));
  const has = new Set(now.rows.map(({ state }) => state));
  const both = now.rows.map((row) => ({ row, was: had.get(row.state) }));
  const gone = before.rows.filter(({ state }) => !has.has(state));
  const rows = [
    ...both.map(({ row: { state, lane, event, exclusiveSeconds, count }, was }) => ({
      state,
      lane,
      event,
      exclusiveSeconds,
      count,
      exclusiveBefore: was?.exclusiveSeconds ?? 0,
      countBefore: was?.count ?? 0,
    })),
    ...gone.map(({ state, lane, event, exclusiveSeconds, count }) => ({
      state,
      lane,
      event,
      exclusiveSeconds: 0,
      count: 0,
      exclusiveBefore: exclusiveSeconds,
      countBefore: count,
    })),
  ];
  const size = ({ exclusiveSeconds, exclusiveBefore }: DifferenceOfSums) =>
    Math.abs(differenceOf(exclusiveBefore, exclusiveSeconds));
  return rows.sort((a, b) => size(b) - size(a) || compareText(facts.states[a.state].name, facts.states[b.state].name));
}

/** Of which function is said in the look; those that are there stay until others are asked for. */
async function occurrencesOf(shown: TimelineShown, look: TimelineLook, view: TimelineView, task: Task) {
  const { list, of: state, keepsMarks } = look;
  const isWanted = keepsMarks && list === "occurrences" && state !== undefined && state < shown.facts.states.length;
  if (!isWanted || shown.occurrences?.state === state) return shown.occurrences;
  const query = { ...traceOf(view), state, lanes: lanesOf(shown), most: MOST_LISTED };
  return { ...(await view.session.engine.timelineOccurrences(query, task)), state };
}

async function waitsIn(shown: TimelineShown, look: TimelineLook, view: TimelineView, task: Task) {
  const { range, list, keepsMarks } = look;
  if (!keepsMarks || list !== "waits" || isOf(shown.waits, range)) return shown.waits;
  const query = { ...traceOf(view), lanes: lanesOf(shown), fromSeconds: range.from, toSeconds: range.to };
  return { ...(await view.session.engine.timelineWaits(query, task)), range };
}

async function pathIn(shown: TimelineShown, look: TimelineLook, view: TimelineView, task: Task) {
  const { range, list, keepsMarks } = look;
  if (!keepsMarks || list !== "path" || !view.state.path || isOf(shown.pathSums, range)) return shown.pathSums;
  const { engine } = view.session;
  const query = { ...traceOf(view), fromSeconds: range.from, toSeconds: range.to, withFunctions: true };
  const path = await engine.timelinePath(query, task);
  const known = path.functions.slice(0, MOST_LISTED);
  const events = known.filter(({ event }) => event >= 0).map(({ lane, event }) => ({ lane, event }));
  const places = await engine.timelinePlaces({ ...traceOf(view), events }, task);
  let next = 0;
  return { ...path, range, places: known.map(({ event }) => (event >= 0 ? places[next++] : "")) };
}
