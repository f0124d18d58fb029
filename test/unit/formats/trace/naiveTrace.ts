import { CATEGORIES, COUNTERS, DIRECTIONS, type Told } from "./tellings";

export interface NaiveEvent {
  start: number;
  end: number;
  frame: number;
  context: number;
  category: number;
  depth: number;
}

/**
 * What a trace of these files is, straight from its definition: lists of objects, every question answered by looking at all of
 * them.
 *
 * @param resourceOf the resource that stands for a rank
 */
export function naiveTrace(files: readonly Told[], resourceOf: (rank: number) => number = (rank) => rank) {
  const sorted = [...files].sort((a, b) => a.rank - b.rank);
  const lanes = sorted.flatMap((told) =>
    told.lanes
      .map((lane, index) => ({ ...lane, told, index, events: eventsOf(told, index) }))
      // Lanes that are no location stand before those that are.
      .sort((a, b) => Number(a.isPlaced) - Number(b.isPlaced)),
  );
  const messages = sorted.flatMap((told) => messagesOf(told, resourceOf));
  const transfers = lanes.flatMap((lane, number) =>
    lane.told.tellings.flatMap((one) =>
      one.kind === "transfer" && one.lane === lane.index
        ? [
            {
              lane: number,
              start: one.at + lane.shift,
              end: one.at + one.length + lane.shift,
              bytes: one.bytes,
              direction: directionsOf(sorted).indexOf(DIRECTIONS[one.direction]),
              toDevice: lane.told.rank,
            },
          ]
        : [],
    ),
  );
  const points = sorted.flatMap((told) => pointsOf(told));
  const times = [
    ...lanes.flatMap(({ events }) => events.flatMap(({ start, end }) => [start, end])),
    ...messages.flatMap(({ sent, received }) => [sent, received]),
    ...transfers.flatMap(({ start, end }) => [start, end]),
    ...points.flatMap(({ values }) => values.map(({ seconds }) => seconds)),
  ].filter((seconds) => !Number.isNaN(seconds));
  const last = times.length === 0 ? 0 : Math.max(...times);
  const categories = categoriesOf(sorted);
  return {
    start: times.length === 0 ? 0 : Math.min(...times),
    end: last,
    categories,
    directions: directionsOf(sorted),
    lanes: lanes.map(({ name, kind, told, events }) => ({
      name,
      kind,
      rank: told.rank,
      events: inOrder(
        events.map((event) => ({
          ...event,
          end: kind === "instants" ? event.start : Number.isNaN(event.end) ? last : event.end,
          category: categories.indexOf(CATEGORIES[event.category]),
        })),
        kind,
      ),
    })),
    messages: messages.sort(
      (a, b) =>
        timeOf(a) - timeOf(b) ||
        nanLast(a.sent, b.sent) ||
        nanLast(a.received, b.received) ||
        nanLast(a.bytes, b.bytes) ||
        a.from - b.from ||
        a.to - b.to ||
        a.tag - b.tag ||
        a.kind - b.kind,
    ),
    transfers: transfers.sort(
      (a, b) => a.start - b.start || a.end - b.end || a.bytes - b.bytes || a.lane - b.lane || a.direction - b.direction,
    ),
    points,
  };
}

function eventsOf(told: Told, lane: number): NaiveEvent[] {
  const begun: (NaiveEvent & { lane: number })[] = [];
  const events: (NaiveEvent & { lane: number })[] = [];
  for (const one of told.tellings) {
    if (one.kind === "event") events.push({ ...one, start: one.at, end: one.at + one.length, context: -1, depth: 0 });
    if (one.kind === "begin") {
      const event = { ...one, start: one.at, end: Number.NaN, context: one.frame, depth: 0 };
      begun.push(event);
      events.push(event);
    }
    // The first end counts, and nothing ends before it began.
    if (one.kind === "end" && one.event < begun.length && Number.isNaN(begun[one.event].end))
      begun[one.event].end = Math.max(one.at, begun[one.event].start);
  }
  const { shift } = told.lanes[lane];
  return events
    .filter((event) => event.lane === lane)
    .map(({ start, end, frame, context, category }) => ({
      start: start + shift,
      end: end + shift,
      frame,
      context,
      category,
      depth: 0,
    }));
}

/** In the order of the columns. The depth of an event is the number of events that are open when it begins. */
function inOrder(events: NaiveEvent[], kind: string): NaiveEvent[] {
  const sorted = events.sort((a, b) => a.start - b.start || b.end - a.end);
  return sorted.map((event, at) => ({
    ...event,
    depth: kind === "instants" ? 0 : sorted.slice(0, at).filter(({ end }) => end > event.start).length,
  }));
}

/** The innermost event at a moment that is no event's start or end: of those that run, the last one in order. */
export function innermost(events: readonly NaiveEvent[], seconds: number): NaiveEvent | undefined {
  return events.filter(({ start, end }) => start < seconds && seconds < end).at(-1);
}

function messagesOf(told: Told, resourceOf: (rank: number) => number) {
  const shift = told.lanes[0].shift;
  // The file knows only its own clock: the lanes of other ranks are in other files.
  const shiftOfReceiver = (to: number) => (to === told.rank ? shift : 0);
  return told.tellings.flatMap((one) =>
    one.kind === "message"
      ? [
          {
            kind: one.isFlow ? 1 : 0,
            from: resourceOf(told.rank),
            to: resourceOf(one.to),
            sent: one.sent + shift,
            received: one.received + shiftOfReceiver(one.to),
            bytes: one.bytes,
            tag: one.tag,
          },
        ]
      : [],
  );
}

function pointsOf(told: Told) {
  return COUNTERS.map((name, counter) => ({ name, rank: told.rank, counter }))
    .filter(({ counter }) => told.tellings.some((one) => one.kind === "point" && one.counter === counter))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, rank, counter }) => ({
      name,
      rank,
      values: told.tellings
        .flatMap((one) =>
          one.kind === "point" && one.counter === counter
            ? [{ seconds: one.at + told.lanes[0].shift, value: one.value }]
            : [],
        )
        .sort((a, b) => a.seconds - b.seconds),
    }));
}

function categoriesOf(files: readonly Told[]): string[] {
  const used = files.flatMap(({ tellings }) =>
    tellings.flatMap((one) => (one.kind === "begin" || one.kind === "event" ? [CATEGORIES[one.category]] : [])),
  );
  return [...new Set(used)].sort();
}

function directionsOf(files: readonly Told[]): string[] {
  const used = files.flatMap(({ tellings }) =>
    tellings.flatMap((one) => (one.kind === "transfer" ? [DIRECTIONS[one.direction]] : [])),
  );
  return [...new Set(used)].sort();
}

function timeOf({ sent, received }: { sent: number; received: number }): number {
  // Large, and finite: two that are never are equal.
  return !Number.isNaN(sent) ? sent : !Number.isNaN(received) ? received : 1e9;
}

function nanLast(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a - b;
}
