/** A timeline as the content of a message of bounded size. */
import { resourceParts, sharedParts } from "../../model/sharedParts";
import { shorten } from "../../model/texts";
import { eventKinds, type TimelineContent, type TimelineMarksShown } from "../../protocol/timeline";
import { cutToFit } from "../kit/names";
import { ownColorsOf } from "../kit/ownColors";
import type { TimelineShown, TimelineView } from "./shown";
import { lanesText, laneText, orderOf } from "./lanes";
import { isMpiCall } from "../../model/mpiNames";
import { counterRows } from "./counters";
import { phasesShown } from "./phases";
import { differencesShown, functionsShown, occurrencesShown, pathShown, summed, waitsShown } from "./lists";

/** Characters of all names of a kind as JSON. */
const NAMES_LENGTH = 60_000;
const LANES_LENGTH = 40_000;

export function timelineContent(shown: TimelineShown, { state }: TimelineView): TimelineContent {
  const { subject, facts, groups, isShown, pinned, strip, look, marks, tones, shades } = shown;
  const lanes = facts.lanes.slice(0, isShown.length);
  const { drawn, states } = marksShown(shown);
  const names = states.map((at) => facts.states[at].name);
  const rows = look?.lanes ?? [];
  return {
    subject,
    look: state.look,
    byFunction: state.colour === "function",
    start: facts.startSeconds,
    end: facts.endSeconds,
    events: facts.events,
    messageCount: facts.messages,
    depths: Int32Array.from(lanes, ({ depths }, lane) => (isShown[lane] ? Math.max(1, depths) : 0)),
    firstDepth: Int32Array.from(lanes, ({ busiestDepth }) => busiestDepth),
    instants: Int32Array.from(lanes, ({ kind }) => (kind === "instants" ? 1 : 0)),
    order: Int32Array.from([
      ...pinned,
      ...orderOf(facts, isShown.length, state.order).filter((lane) => !pinned.includes(lane)),
    ]),
    pinned: pinned.length,
    // On top a lane stands by itself.
    group: groups.of.map((group, lane) => (pinned.includes(lane) ? -1 : group)),
    ...(groups.brief === undefined ? {} : { brief: groups.brief }),
    groups: cutToFit(groups.names, LANES_LENGTH),
    lanesText: lanesText(facts, isShown),
    longest: `${pinned.length > 0 ? "▴ " : ""}${shorten(longestOf(lanes.map(({ name }) => laneText(name))), 60)}`,
    laneShared: laneShared(lanes.filter((_, lane) => isShown[lane]).map(({ name }) => laneText(name))),
    rows,
    laneNames: cutToFit(
      rows.map(({ lane }) => laneText(lanes[lane].name)),
      LANES_LENGTH,
    ),
    communication: Float64Array.from(rows, ({ lane }) => {
      const { communicationSeconds, coveredSeconds } = lanes[lane];
      return coveredSeconds > 0 ? communicationSeconds / coveredSeconds : -1;
    }),
    from: marks?.fromSeconds ?? 0,
    to: marks?.toSeconds ?? 0,
    pixel: marks ? (look?.pixel ?? 0) : 0,
    marks: drawn,
    ...namesShown(names, shown),
    kinds: Int32Array.from(states, (at) => facts.states[at].kind),
    colors: ownColorsOf(
      states.map((at) => facts.states[at]),
      state.colour === "own",
    ),
    shades: Int32Array.from(states, (at) => shades.get(at) ?? 0),
    tones: Int32Array.from(names, (name) => tones.get(name) ?? 0),
    states: Int32Array.from(states),
    ...messagesShown(shown),
    ...foundShown(shown),
    ...measuredShown(shown),
    functions: functionsShown(shown),
    differences: differencesShown(shown),
    occurrences: occurrencesShown(shown),
    waits: waitsShown(shown),
    ...pathShown(shown),
    phases: phasesShown(shown),
    counterRows: counterRows(facts, state),
    hasWaits: facts.states.some(({ name }) => isMpiCall(name)),
    strip: { rows: strip.rows, columns: strip.columns, kind: strip.kind },
  };
}

/** Marks as the page has them: functions by numbers of their own, events by those among all lanes. */
function marksShown({ marks, firstEvent }: TimelineShown): { drawn: TimelineMarksShown; states: readonly number[] } {
  const states = new Map<number, number>();
  const localOf = (state: number) => {
    const known = states.get(state) ?? states.size;
    states.set(state, known);
    return known;
  };
  const none = new Int32Array(0);
  const drawn = marks
    ? {
        lane: marks.lane,
        depth: marks.depth,
        start: marks.startSeconds,
        end: marks.endSeconds,
        events: marks.events,
        share: marks.share,
        number: marks.event.map((event, at) => firstEvent[marks.lane[at]] + event),
        state: marks.state.map(localOf),
      }
    : {
        lane: none,
        depth: none,
        events: none,
        number: none,
        state: none,
        start: new Float64Array(0),
        end: new Float64Array(0),
        share: new Float64Array(0),
      };
  return { drawn, states: [...states.keys()] };
}

function namesShown(
  names: readonly string[],
  { facts: { shownNames } }: TimelineShown,
): Pick<TimelineContent, "names" | "shown"> {
  const shown = names.map((name) => shownNames.get(name) ?? name);
  const isShorter = shown.some((one, at) => one !== names[at]);
  if (!isShorter) return { names: cutToFit(names, NAMES_LENGTH) };
  return { names: cutToFit(names, NAMES_LENGTH / 2), shown: cutToFit(shown, NAMES_LENGTH / 2) };
}

function messagesShown({ messages }: TimelineShown): Pick<TimelineContent, "messages"> {
  if (!messages) return {};
  const { fromLane, toLane, sentSeconds, receivedSeconds, bytes, kind, count, hidden } = messages;
  // Without one of its sides it is a line from nowhere.
  const drawn = Array.from({ length: count }, (_, at) => at).filter(
    (at) => fromLane[at] >= 0 && toLane[at] >= 0 && Number.isFinite(sentSeconds[at] + receivedSeconds[at]),
  );
  const whole = (column: Int32Array | Uint8Array) => Int32Array.from(drawn, (at) => column[at]);
  const real = (column: Float64Array) => Float64Array.from(drawn, (at) => column[at]);
  return {
    messages: {
      from: whole(fromLane),
      to: whole(toLane),
      sent: real(sentSeconds),
      received: real(receivedSeconds),
      bytes: real(bytes).map((one) => (Number.isFinite(one) ? one : -1)),
      kind: whole(kind),
      hidden,
    },
  };
}

function foundShown({ found, firstEvent }: TimelineShown): Pick<TimelineContent, "found"> {
  if (!found) return {};
  const { search, count, lane, event, depth, startSeconds, endSeconds } = found;
  const number = event.map((one, at) => firstEvent[lane[at]] + one);
  return { found: { search, count, lane, number, depth, start: startSeconds, end: endSeconds } };
}

function measuredShown({ sums, look, facts }: TimelineShown): Pick<TimelineContent, "measured"> {
  if (!sums || look?.isMeasured !== true) return {};
  const { rows } = sums;
  const kinds = eventKinds.map((_, kind) =>
    rows.reduce((sum, row) => sum + (facts.states[row.state].kind === kind ? row.exclusiveSeconds : 0), 0),
  );
  return { measured: { ...summed(sums, facts), events: rows.reduce((sum, row) => sum + row.count, 0), kinds } };
}

function laneShared(names: readonly string[]): TimelineContent["laneShared"] {
  const [first = ""] = names;
  const { begin, end } = sharedParts(names);
  const parts = names.map(resourceParts);
  const isTold = (shown: readonly string[]) => new Set(shown).size === names.length && !shown.includes("");
  return {
    begin: first.slice(0, begin),
    end: first.slice(first.length - end),
    isUntypedTold: isTold(parts.map(({ untyped }) => untyped)),
    isOwnTold: isTold(parts.map(({ own }) => own)),
  };
}

function longestOf(names: readonly string[]): string {
  return names.reduce((long, name) => (name.length > long.length ? name : long), "");
}
