import fc from "fast-check";
import type { TraceSink } from "../../../../src/formats/trace/traceSink";

/** What a reader of one rank's file may tell of its lanes, in any order; numbers are its own. */
export type Telling =
  | { kind: "begin"; lane: number; at: number; frame: number; category: number }
  | { kind: "end"; event: number; at: number }
  | { kind: "event"; lane: number; at: number; length: number; frame: number; category: number }
  | { kind: "message"; to: number; sent: number; received: number; bytes: number; tag: number; isFlow: boolean }
  | { kind: "point"; counter: number; at: number; value: number }
  | { kind: "transfer"; lane: number; at: number; length: number; bytes: number; direction: number }
  | { kind: "settle" };

/** One rank's file. */
export interface Told {
  readonly rank: number;
  readonly lanes: readonly {
    name: string;
    kind: "intervals" | "instants";
    shift: number;
    /** Whether the lane is one of the locations of the data set. */
    isPlaced: boolean;
  }[];
  readonly tellings: readonly Telling[];
}

export const FRAMES = 5;
export const CATEGORIES = ["alpha", "beta", "gamma"];
export const DIRECTIONS = ["HtoD", "DtoH"];
export const COUNTERS = ["power", "clock"];
export const RANKS = 3;

// Few distinct times: equal starts, equal ends and touching events are what goes wrong.
const time = fc.integer({ min: 0, max: 12 }).map((quarter) => quarter / 4);
const timeOrNone = fc.oneof({ arbitrary: time, weight: 4 }, fc.constant(Number.NaN));
const frame = fc.nat(FRAMES - 1);
const category = fc.nat(CATEGORIES.length - 1);

const telling = (lanes: number): fc.Arbitrary<Telling> => {
  const lane = fc.nat(lanes - 1);
  const event = fc.record({ kind: fc.constant("event" as const), lane, at: time, length: time, frame, category });
  const begin = fc.record({ kind: fc.constant("begin" as const), lane, at: time, frame, category });
  const end = fc.record({ kind: fc.constant("end" as const), event: fc.nat(40), at: time });
  return fc.oneof(
    { arbitrary: event, weight: 5 },
    { arbitrary: begin, weight: 4 },
    { arbitrary: end, weight: 4 },
    fc.record({
      kind: fc.constant("message" as const),
      to: fc.nat(RANKS - 1),
      sent: timeOrNone,
      received: timeOrNone,
      bytes: fc.constantFrom(Number.NaN, 0, 8, 2048),
      tag: fc.constantFrom(-1, 0, 7),
      isFlow: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("point" as const),
      counter: fc.nat(1),
      at: time,
      value: fc.integer({ min: -3, max: 3 }),
    }),
    fc.record({
      kind: fc.constant("transfer" as const),
      lane,
      at: time,
      length: time,
      bytes: fc.nat(5),
      direction: fc.nat(DIRECTIONS.length - 1),
    }),
    fc.constant({ kind: "settle" as const }),
  );
};

/** Files of some ranks, each once. */
export const toldFiles: fc.Arbitrary<Told[]> = fc
  .uniqueArray(fc.nat(RANKS - 1), { minLength: 1, maxLength: RANKS })
  .chain((ranks) => fc.tuple(...ranks.map((rank) => toldFile(rank))));

function toldFile(rank: number): fc.Arbitrary<Told> {
  return fc.integer({ min: 1, max: 3 }).chain((lanes) =>
    fc.record({
      rank: fc.constant(rank),
      lanes: fc.tuple(
        ...Array.from({ length: lanes }, (_, lane) =>
          fc.record({
            name: fc.constant(`lane ${lane + 8}`),
            kind: fc.constantFrom("intervals" as const, "intervals" as const, "instants" as const),
            shift: fc.constantFrom(0, 0.5, 2),
            isPlaced: fc.boolean(),
          }),
        ),
      ),
      tellings: fc.array(telling(lanes), { maxLength: 60, size: "max" }),
    }),
  );
}

/** Tells it to a sink, as a reader would: with frames, contexts and categories numbered in its own way. */
export async function tell({ rank, lanes, tellings }: Told, sink: TraceSink): Promise<void> {
  const ranks = Array.from({ length: RANKS }, (_, number) => number).reverse();
  const resources = new Map(
    ranks.map((number) => [
      number,
      sink.resource({ name: `rank ${number}`, type: "process", parent: -1, location: number === rank ? 0 : -1 }),
    ]),
  );
  const own = resources.get(rank) ?? -1;
  const laneOf = lanes.map(({ name, kind, isPlaced }) =>
    sink.lane({ name, kind, resource: own, location: isPlaced ? 0 : -1 }),
  );
  const events: { event: number; lane: number; ended?: true }[] = [];
  for (const one of tellings) {
    if (one.kind === "begin")
      events.push({
        event: sink.begin(laneOf[one.lane], one.at, ownFrame(one.frame), one.frame, categoryOf(sink, one.category)),
        lane: laneOf[one.lane],
      });
    else if (one.kind === "end") {
      const begun = events.at(one.event);
      // Only the first end of an event counts.
      if (begun === undefined || one.event >= events.length || begun.ended) continue;
      begun.ended = true;
      sink.end(begun.event, one.at, begun.lane);
    } else if (one.kind === "event")
      sink.event(
        laneOf[one.lane],
        one.at,
        one.at + one.length,
        ownFrame(one.frame),
        -1,
        categoryOf(sink, one.category),
      );
    else if (one.kind === "message")
      sink.message(
        one.isFlow ? "flow" : "message",
        own,
        resources.get(one.to) ?? -1,
        one.sent,
        one.received,
        one.bytes,
        one.tag,
      );
    else if (one.kind === "point") sink.point(sink.counter(COUNTERS[one.counter], "W", own), one.at, one.value);
    else if (one.kind === "transfer")
      sink.transfer({
        lane: laneOf[one.lane],
        startSeconds: one.at,
        endSeconds: one.at + one.length,
        bytes: one.bytes,
        direction: sink.transferDirection(DIRECTIONS[one.direction]),
        fromDevice: -1,
        toDevice: rank,
        bandwidth: Number.NaN,
        frame: ownFrame(0),
        context: -1,
      });
    else await sink.settle();
  }
  lanes.forEach(({ shift }, lane) => sink.shift(laneOf[lane], shift));
}

/** A reader's own number of a frame, and the way back. */
export const ownFrame = (frame: number) => FRAMES - 1 - frame;
export const frameOf = Int32Array.from({ length: FRAMES }, (_, own) => FRAMES - 1 - own);

function categoryOf(sink: TraceSink, category: number): number {
  return sink.category(CATEGORIES[category], "other");
}
