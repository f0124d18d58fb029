/** What the timeline's tables have beside the marks in sight. */
import { shorten } from "../../model/texts";
import { MOST_LISTED, type TimelineFunctions, type TimelineOccurrences } from "../../protocol/timelineLists";
import { cutToFit } from "../kit/names";
import type { TimelineShown } from "./asking";

/** Characters of all names, and of all places, as JSON. */
const NAMES_LENGTH = 40_000;

/** Functions of what was summed up; undefined where nothing was. */
export function functionsShown({ sums, facts, firstEvent }: TimelineShown): TimelineFunctions | undefined {
  if (!sums) return undefined;
  const rows = sums.rows.slice(0, MOST_LISTED);
  const column = (valueOf: (row: (typeof rows)[number]) => number) =>
    Float64Array.from(rows, (row) => valueOf(row) || 0);
  const whole = (valueOf: (row: (typeof rows)[number]) => number) => Int32Array.from(rows, valueOf);
  return {
    range: sums.range,
    name: cutToFit(
      rows.map(({ state }) => facts.states[state].name),
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

/** Events of the function that was asked for last. */
export function occurrencesShown({ occurrences, facts, firstEvent }: TimelineShown): TimelineOccurrences | undefined {
  if (!occurrences) return undefined;
  const { state, count, totalSeconds, bins, longest } = occurrences;
  const lanes = Array.from(longest.lane);
  return {
    ...{ state, count, total: totalSeconds, bins },
    of: shorten(facts.states[state].name, 200),
    name: cutToFit(
      lanes.map((lane) => facts.lanes[lane].name),
      NAMES_LENGTH,
    ),
    ...{ lane: longest.lane, start: longest.startSeconds, end: longest.endSeconds },
    number: longest.event.map((event, at) => firstEvent[lanes[at]] + event),
  };
}
