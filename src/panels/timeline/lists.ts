/** What the timeline's tables have beside the marks in sight. */
import { shorten } from "../../model/texts";
import type { Stretch } from "../../protocol/panel";
import type { TimelineContent } from "../../protocol/timeline";
import {
  MOST_LISTED,
  MOST_PARTS,
  type TimelineDifferences,
  type TimelineFunctions,
  type TimelineOccurrences,
  type TimelineWaits,
} from "../../protocol/timelineLists";
import { cutToFit } from "../kit/names";
import { stateName, type TimelineShown } from "./shown";

/** Characters of all names, and of all places, as JSON. */
const NAMES_LENGTH = 40_000;

/** What sums are of. */
export function summed(
  { range, lane }: { readonly range: Stretch; readonly lane?: number },
  { lanes }: TimelineShown["facts"],
) {
  return lane === undefined ? { range } : { range, lane, laneName: shorten(lanes[lane].name, 200) };
}

/** Functions of what was summed up; undefined where nothing was. */
export function functionsShown({ sums, facts, firstEvent }: TimelineShown): TimelineFunctions | undefined {
  if (!sums) return undefined;
  const rows = sums.rows.slice(0, MOST_LISTED);
  const column = (valueOf: (row: (typeof rows)[number]) => number) =>
    Float64Array.from(rows, (row) => valueOf(row) || 0);
  const whole = (valueOf: (row: (typeof rows)[number]) => number) => Int32Array.from(rows, valueOf);
  return {
    ...summed(sums, facts),
    name: cutToFit(
      rows.map(({ state }) => stateName(facts, state)),
      NAMES_LENGTH,
    ),
    place: cutToFit(
      sums.places.map((place) => shorten(place, 300)),
      NAMES_LENGTH,
    ),
    kind: whole(({ state }) => facts.states[state].kind),
    state: whole(({ state }) => state),
    exclusive: column(({ exclusiveSeconds }) => exclusiveSeconds),
    inclusive: column(({ inclusiveSeconds }) => inclusiveSeconds),
    count: whole((row) => row.count),
    shortest: column(({ shortestSeconds }) => shortestSeconds),
    mean: column(({ meanSeconds }) => meanSeconds),
    longest: column(({ longestSeconds }) => longestSeconds),
    number: whole(({ lane, event }) => firstEvent[lane] + event),
    more: sums.rows.length - rows.length,
  };
}

/** The same beside the baseline. */
export function differencesShown({ differences, facts, firstEvent }: TimelineShown): TimelineDifferences | undefined {
  if (!differences) return undefined;
  const rows = differences.rows.slice(0, MOST_LISTED);
  return {
    ...summed(differences, facts),
    baseline: summed(differences.baseline, facts),
    name: cutToFit(
      rows.map(({ state }) => stateName(facts, state)),
      NAMES_LENGTH,
    ),
    place: cutToFit(
      differences.places.map((place) => shorten(place, 300)),
      NAMES_LENGTH,
    ),
    kind: Int32Array.from(rows, ({ state }) => facts.states[state].kind),
    state: Int32Array.from(rows, ({ state }) => state),
    exclusive: Float64Array.from(rows, ({ exclusiveSeconds }) => exclusiveSeconds),
    exclusiveBefore: Float64Array.from(rows, ({ exclusiveBefore }) => exclusiveBefore),
    count: Int32Array.from(rows, ({ count }) => count),
    countBefore: Int32Array.from(rows, ({ countBefore }) => countBefore),
    number: Int32Array.from(rows, ({ lane, event }) => firstEvent[lane] + event),
    more: differences.rows.length - rows.length,
  };
}

/** Events of the function that was asked for last. */
export function occurrencesShown({ occurrences, facts, firstEvent }: TimelineShown): TimelineOccurrences | undefined {
  if (!occurrences) return undefined;
  const { state, count, totalSeconds, bins, longest } = occurrences;
  const lanes = Array.from(longest.lane);
  return {
    state,
    count,
    total: totalSeconds,
    bins,
    of: shorten(stateName(facts, state), 200),
    name: cutToFit(
      lanes.map((lane) => facts.lanes[lane].name),
      NAMES_LENGTH,
    ),
    lane: longest.lane,
    start: longest.startSeconds,
    end: longest.endSeconds,
    number: longest.event.map((event, at) => firstEvent[lanes[at]] + event),
  };
}

/** What is missing, as a sentence; "": nothing. */
export function missingText(missing: readonly string[]): string {
  return missing.length === 0 ? "" : `Not all waits are known: ${missing.join("; ")}.`;
}

export function waitsShown({ waits, facts, firstEvent }: TimelineShown): TimelineWaits | undefined {
  if (!waits) return undefined;
  const all = ({ lateSender, lateReceiver, collective }: (typeof waits.rows)[number]) =>
    lateSender + lateReceiver + collective;
  const rows = [...waits.rows].sort((a, b) => all(b) - all(a) || a.lane - b.lane).slice(0, MOST_LISTED);
  const column = (valueOf: (row: (typeof rows)[number]) => number) => Float64Array.from(rows, valueOf);
  return {
    range: waits.range,
    name: cutToFit(
      rows.map(({ lane }) => facts.lanes[lane].name),
      NAMES_LENGTH,
    ),
    lane: Int32Array.from(rows, ({ lane }) => lane),
    lateSender: column(({ lateSender }) => lateSender),
    lateReceiver: column(({ lateReceiver }) => lateReceiver),
    collective: column(({ collective }) => collective),
    longest: column(({ longestSeconds }) => longestSeconds),
    number: Int32Array.from(rows, ({ longest: { lane, event } }) => firstEvent[lane] + event),
    start: column(({ longest }) => longest.startSeconds),
    end: column(({ longest }) => longest.endSeconds),
    more: waits.rows.length - rows.length,
    missing: missingText(waits.missing),
  };
}

/** The path where marks are, and its functions where these were asked for. */
export function pathShown({
  path,
  pathSums,
  facts,
  firstEvent,
}: TimelineShown): Pick<TimelineContent, "path" | "pathFunctions"> {
  const isHidden = path !== undefined && path.lane.length > MOST_PARTS;
  const none = new Float64Array(0);
  const {
    lane,
    startSeconds: start,
    endSeconds: end,
  } = path && !isHidden ? path : { lane: new Int32Array(0), startSeconds: none, endSeconds: none };
  const rows = pathSums?.functions.slice(0, MOST_LISTED) ?? [];
  return {
    ...(path ? { path: { lane, start, end, isHidden } } : {}),
    ...(path && pathSums
      ? {
          pathFunctions: {
            range: pathSums.range,
            name: cutToFit(
              rows.map(({ state }) => (state < 0 ? "" : stateName(facts, state))),
              NAMES_LENGTH,
            ),
            place: cutToFit(
              pathSums.places.map((place) => shorten(place, 300)),
              NAMES_LENGTH,
            ),
            seconds: Float64Array.from(rows, ({ seconds }) => seconds),
            number: Int32Array.from(rows, (row) => (row.lane < 0 ? -1 : firstEvent[row.lane] + row.event)),
            state: Int32Array.from(rows, ({ state }) => state),
            more: pathSums.functions.length - rows.length,
            missing: missingText(pathSums.missing),
          },
        }
      : {}),
  };
}
