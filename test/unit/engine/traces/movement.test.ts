import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { movementOf, type Movement } from "../../../../src/engine/traces/movement";
import type { Moved } from "../../../../src/engine/traces/movementApi";
import { communicationMatrix } from "../../../../src/engine/traces/movementMatrix";
import { type MovementSelection, movedBy } from "../../../../src/engine/traces/movementSums";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import { ContextTreeBuilder } from "../../../../src/model/contextTree";
import type { DataSet } from "../../../../src/model/dataSet";
import { FrameTable } from "../../../../src/model/frames";
import { NONE } from "../../../../src/model/ids";
import { location } from "../../../../src/model/locations";
import { chosenRanks } from "../../../../src/model/members";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";

/** One context each, in this order. */
const NAMES = ["MPI_Isend", "MPI_Wait", "cudaMemcpy", "init", "solve"];
const RANKS = 3;
const DIRECTIONS = ["HtoD", "DtoH", "memset"];

interface Event {
  rank: number;
  at: number;
  length: number;
  frame: number;
}
interface Message {
  from: number;
  to: number;
  sent: number;
  received: number;
  bytes: number;
  isCollective: boolean;
}
interface Transfer {
  rank: number;
  at: number;
  length: number;
  bytes: number;
  direction: number;
  from: number;
  to: number;
  /** NONE: of the call that launched it, {@link LAUNCHED}, or of the function of its name. */
  context: number;
  launchedAt: number | undefined;
}
interface Told {
  events: Event[];
  messages: Message[];
  transfers: Transfer[];
}

const time = fc.integer({ min: 0, max: 16 }).map((quarter) => quarter / 4);
const length = fc.integer({ min: 0, max: 8 }).map((quarter) => quarter / 4);
const rank = fc.nat(RANKS - 1);
const rankOrNone = fc.oneof({ arbitrary: rank, weight: 5 }, fc.constant(NONE));
const timeOrNone = fc.oneof({ arbitrary: time, weight: 4 }, fc.constant(Number.NaN));
const bytes = fc.oneof(fc.nat(2 ** 50), fc.constant(0), fc.constant(Number.NaN));
const told: fc.Arbitrary<Told> = fc.record({
  events: fc.array(fc.record({ rank, at: time, length, frame: fc.nat(NAMES.length - 1) }), { maxLength: 25 }),
  messages: fc.array(
    fc.record({
      from: rankOrNone,
      to: rankOrNone,
      sent: timeOrNone,
      received: timeOrNone,
      bytes,
      isCollective: fc.boolean(),
    }),
    { maxLength: 25 },
  ),
  transfers: fc.array(
    fc.record({
      rank,
      at: time,
      length,
      bytes,
      direction: fc.nat(DIRECTIONS.length - 1),
      from: fc.integer({ min: -1, max: 1 }),
      to: fc.integer({ min: -1, max: 1 }),
      context: fc.integer({ min: -1, max: NAMES.length - 1 }),
      launchedAt: fc.option(time, { nil: undefined }),
    }),
    { maxLength: 25 },
  ),
});

/** The name of a transfer without a context is that of the first function. */
const OWN_NAME = 0;

async function opened({
  events,
  messages,
  transfers,
}: Told): Promise<{ dataSet: DataSet; open: OpenDataSet; movement: Movement }> {
  const frames = new FrameTable(new StringTable());
  const builder = new TraceBuilder(memoryColumnFiles);
  const tree = new ContextTreeBuilder();
  const contexts = NAMES.map((name) => tree.child(NONE, frames.intern({ name, kind: "function" })));
  const built = tree.build(frames.canonicalRanks());
  expect(contexts.map((own) => built.finalOf[own])).toEqual([0, 1, 2, 3, 4]);
  const resources = [0, 1, 2].map((own) =>
    builder.resource({ name: `rank ${own}`, type: "process", parent: NONE, location: own }),
  );
  const lanes = resources.map((resource, own) =>
    builder.lane({ name: `rank ${own}`, resource, location: own, kind: "intervals" }),
  );
  const streams = resources.map((resource, own) => {
    const stream = builder.resource({ name: "stream", type: "stream", parent: resource, location: RANKS + own });
    return {
      stream,
      lane: builder.lane({ name: `stream of ${own}`, resource: stream, location: RANKS + own, kind: "intervals" }),
    };
  });
  const category = builder.category("state", "other");
  for (const one of events) builder.event(lanes[one.rank], one.at, one.at + one.length, one.frame, one.frame, category);
  const resourceOf = (own: number) => (own === NONE ? NONE : resources[own]);
  for (const { from, to, sent, received, bytes: size, isCollective } of messages)
    if (isCollective) builder.message("collective", resourceOf(from), NONE, sent, Number.NaN, size, NONE);
    else builder.message("message", resourceOf(from), resourceOf(to), sent, received, size, NONE);
  for (const one of transfers) {
    const { lane, stream } = streams[one.rank];
    const direction = builder.transferDirection(DIRECTIONS[one.direction]);
    const ends = { startSeconds: one.at, endSeconds: one.at + one.length, bytes: one.bytes, direction };
    const devices = { fromDevice: one.from, toDevice: one.to, bandwidth: Number.NaN };
    builder.transfer({ lane, ...ends, ...devices, frame: OWN_NAME, context: one.context });
    if (one.launchedAt !== undefined)
      builder.message("launch", resources[one.rank], stream, one.launchedAt, one.at, Number.NaN, NONE);
  }
  const { trace, topology, outline } = await finishTrace([{ builder }], {}, quietTask);
  const dataSet: DataSet = {
    name: "test",
    files: [],
    format: { id: "test", label: "Test" },
    frames,
    tree: built.tree,
    locations: [...resources.keys()]
      .flatMap((own) => location({ rank: own }))
      .concat([...resources.keys()].map((own) => location({ rank: own, stream: 7 }))),
    metrics: [],
    values: [],
    globals: new Map(),
    warnings: [],
    hierarchies: ["regions"],
    records: 0,
    outline,
    trace,
    topology,
  };
  const open = new OpenDataSet(1, dataSet, 0);
  return { dataSet, open, movement: await movementOf(open, dataSet, trace, quietTask) };
}

/** What ran on a rank, looked for among all events: the last one to begin of those wanted, else of all. */
function running(events: readonly Event[], own: number, at: number, wanted: RegExp): number {
  if (Number.isNaN(at)) return NONE;
  // As a trace has them: of equal starts the longer one first.
  const here = events
    .filter((one) => one.rank === own && one.at <= at && at <= one.at + one.length)
    .sort((a, b) => a.at - b.at || b.length - a.length);
  const goesOn = (one: Event) => one.at + one.length > at || one.at === at;
  const isWanted = (one: Event) => wanted.test(NAMES[one.frame]);
  const found =
    here.filter((one) => isWanted(one) && goesOn(one)).at(-1) ??
    here.filter(isWanted).at(-1) ??
    here.filter(goesOn).at(-1) ??
    here.at(-1);
  return found?.frame ?? NONE;
}

/** Events that begin and end together are in no order that anything depends on. */
function withoutTwins(events: readonly Event[]): Event[] {
  return events.filter(
    (one, at) =>
      !events
        .slice(0, at)
        .some((other) => other.rank === one.rank && other.at === one.at && other.length === one.length),
  );
}

interface NaiveMove {
  context: number;
  owner: number;
  what: string;
  bytes: number;
  at: number;
  start: number;
  end: number;
  moves: boolean;
  from: number;
  to: number;
}

function naiveMoves({ events, messages, transfers }: Told): NaiveMove[] {
  return [
    ...messages.map(({ from, to, sent, received, bytes: size, isCollective }): NaiveMove => {
      const isReceived = !isCollective && (from === NONE || (Number.isNaN(sent) && !Number.isNaN(received)));
      const [owner, partner] = isReceived ? [to, from] : [from, to];
      const at = !Number.isNaN(sent) ? sent : isCollective ? Number.NaN : received;
      const ownAt = Number.isNaN(sent) || from === NONE ? received : sent;
      const context =
        owner === NONE || (isCollective && Number.isNaN(sent))
          ? NONE
          : running(events, owner, isCollective ? sent : ownAt, /^MPI_/);
      const what = isCollective ? "collective" : `${isReceived ? "sender" : "receiver"} ${partner}`;
      const interval = isCollective ? { start: Number.NaN, end: Number.NaN } : { start: sent, end: received };
      return {
        context,
        owner,
        what,
        bytes: size || 0,
        at,
        ...interval,
        moves: false,
        from,
        to: isCollective ? NONE : to,
      };
    }),
    ...transfers.map((one): NaiveMove => {
      // Of launches of one moment the last one counts.
      const launch = transfers.filter(
        ({ rank: own, at, launchedAt }) => own === one.rank && at === one.at && launchedAt !== undefined,
      );
      const launched =
        launch.map(({ launchedAt }) => running(events, one.rank, launchedAt ?? NaN, /^cuda/)).at(-1) ?? NONE;
      const direction = DIRECTIONS[one.direction];
      const moves = direction !== "memset";
      return {
        context: one.context !== NONE ? one.context : launched !== NONE ? launched : OWN_NAME,
        owner: one.rank,
        what: `${direction} ${one.from} ${one.to}`,
        bytes: moves ? one.bytes || 0 : 0,
        at: one.at,
        start: one.at,
        end: one.at + one.length,
        moves,
        from: one.from,
        to: one.to,
      };
    }),
  ];
}

const isTransferMove = ({ what }: NaiveMove) => !/^(?:sender|receiver|collective)/.test(what);

/** Times are quarters of a second: each eighth between lies in some interval or in none. */
function unionOf(moves: readonly NaiveMove[], from: number, to: number): number {
  let seconds = 0;
  for (let at = 0.125; at < 10; at += 0.25)
    if (at > from && at < to && moves.some(({ start, end }) => start < at && at < end)) seconds += 0.25;
  return seconds;
}

/** Bytes and counts of a group by what it moved, and its times. */
function plain(moved: Moved) {
  const { transfers, parts, messages, received, collectives } = moved;
  const counted = ({ bytes: size, count, partners }: Moved["messages"]) => ({ bytes: size, count, partners });
  return {
    transfers,
    collectives,
    messages: counted(messages),
    received: counted(received),
    parts: new Map(
      parts.map(({ direction, fromDevice, toDevice, bytes: size, count, seconds }) => [
        `${direction} ${fromDevice} ${toDevice}`,
        { bytes: size, count, seconds },
      ]),
    ),
  };
}

function naiveMoved(moves: readonly NaiveMove[]) {
  const sum = (of: readonly NaiveMove[]) => ({ bytes: of.reduce((all, one) => all + one.bytes, 0), count: of.length });
  const kinds = new Set(moves.filter(isTransferMove).map(({ what }) => what));
  const moving = moves.filter((one) => isTransferMove(one) && one.moves);
  const partners = (kind: string) => {
    const own = moves.filter(({ what }) => what.startsWith(kind));
    const known = new Set(own.map(({ what }) => what).filter((what) => !what.endsWith(" -1")));
    return { ...sum(own), partners: known.size };
  };
  return {
    transfers: { ...sum(moving), seconds: unionOf(moving, 0, 10) },
    parts: new Map(
      [...kinds].map((kind) => {
        const own = moves.filter(({ what }) => what === kind);
        return [kind, { ...sum(own), seconds: unionOf(own, 0, 10) }];
      }),
    ),
    messages: partners("receiver"),
    received: partners("sender"),
    collectives: sum(moves.filter(({ what }) => what === "collective")),
  };
}

/** By context; the last group is of no context, the one before it of everything. */
async function byContext(dataSet: DataSet, movement: Movement, selection: MovementSelection): Promise<Moved[]> {
  const [all, none] = [NAMES.length, NAMES.length + 1];
  const groupsOf = (context: number) => [context === NONE ? none : context, all];
  return movedBy(dataSet, movement, selection, groupsOf, NAMES.length + 2, quietTask);
}

describe("data movement", () => {
  const runs = { numRuns: casesOf(600) };

  it("is of the context that an independent scan finds, and adds up to everything that was moved", async () => {
    await fc.assert(
      fc.asyncProperty(told, fc.subarray([0, 1, 2], { minLength: 1 }), async (random, ranks) => {
        const one = {
          ...random,
          events: withoutTwins(random.events),
          transfers: withoutEqualLaunches(random.transfers),
        };
        const { dataSet, movement } = await opened(one);
        const naive = naiveMoves(one);
        const wholeRun = await byContext(dataSet, movement, {});
        const expected = (of: readonly NaiveMove[]) => [
          ...NAMES.map((_, context) => naiveMoved(of.filter((move) => move.context === context))),
          naiveMoved(of),
          naiveMoved(of.filter(({ context }) => context === NONE)),
        ];
        expect(wholeRun.map(plain)).toEqual(expected(naive));
        const restricted = await byContext(dataSet, movement, { chosen: chosenRanks(ranks) });
        expect(restricted.map(plain)).toEqual(expected(naive.filter(({ owner }) => ranks.includes(owner))));
        const everything = wholeRun[NAMES.length];
        const parts = [...wholeRun.slice(0, NAMES.length), wholeRun[NAMES.length + 1]];
        const total = (amount: (moved: Moved) => number) => parts.reduce((sum, moved) => sum + amount(moved), 0);
        expect(total(({ transfers }) => transfers.bytes)).toBe(everything.transfers.bytes);
        expect(total(({ messages }) => messages.bytes)).toBe(everything.messages.bytes);
        expect(total(({ messages }) => messages.count)).toBe(everything.messages.count);
        expect(everything.transfers.bytes).toBe(dataSet.outline?.transfers.bytes);
        expect(everything.transfers.count).toBe(dataSet.outline?.transfers.count);
      }),
      runs,
    );
  });

  it("of windows that make up the run adds up to the run", async () => {
    const cuts = fc.uniqueArray(
      fc.integer({ min: 0, max: 24 }).map((eighth) => eighth / 4 + 0.1),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(told, cuts, async (one, between) => {
        const { dataSet, movement } = await opened(one);
        const [whole] = (await byContext(dataSet, movement, {})).slice(NAMES.length);
        const edges = [movement.trace.startSeconds, ...between.sort((a, b) => a - b), movement.trace.endSeconds];
        const inside = edges.filter((edge) => edge >= edges[0] && edge <= edges[edges.length - 1]);
        const windows = inside.slice(1).map((toSeconds, at) => ({ fromSeconds: inside[at], toSeconds }));
        const sums = { bytes: 0, count: 0, seconds: 0, sent: 0, sentBytes: 0, given: 0 };
        const cells = { bytes: 0, count: 0, seconds: 0 };
        for (const window of windows) {
          const moved = (await byContext(dataSet, movement, window))[NAMES.length];
          sums.bytes += moved.transfers.bytes;
          sums.count += moved.transfers.count;
          sums.seconds += moved.transfers.seconds;
          sums.sent += moved.messages.count + moved.received.count;
          sums.sentBytes += moved.messages.bytes + moved.received.bytes;
          sums.given += moved.collectives.bytes;
          const query = { scope: { dataSet: 1 }, of: "ranks", by: "bytes", ...window } as const;
          const { total } = await communicationMatrix(dataSet, movement, query, quietTask);
          cells.bytes += total.bytes;
          cells.count += total.count;
          cells.seconds += total.seconds;
        }
        const tolerance = 1e-9 * (1 + whole.transfers.bytes);
        expect(Math.abs(sums.bytes - whole.transfers.bytes)).toBeLessThanOrEqual(tolerance);
        expect(sums.count).toBe(whole.transfers.count);
        expect(sums.seconds).toBeCloseTo(whole.transfers.seconds, 9);
        expect([sums.sent, sums.sentBytes, sums.given]).toEqual([
          whole.messages.count + whole.received.count,
          whole.messages.bytes + whole.received.bytes,
          whole.collectives.bytes,
        ]);
        const query = { scope: { dataSet: 1 }, of: "ranks", by: "bytes" } as const;
        const { total } = await communicationMatrix(dataSet, movement, query, quietTask);
        expect([cells.bytes, cells.count]).toEqual([total.bytes, total.count]);
        expect(cells.seconds).toBeCloseTo(total.seconds, 9);
      }),
      runs,
    );
  });

  it("spreads a transfer's bytes evenly over its time", async () => {
    const copy = {
      rank: 0,
      at: 1,
      length: 2,
      bytes: 1000,
      direction: 0,
      from: NONE,
      to: 0,
      context: 2,
      launchedAt: undefined,
    };
    const { dataSet, movement } = await opened({
      events: [],
      messages: [],
      transfers: [copy, { ...copy, length: 0, bytes: 7 }],
    });
    const moved = async (fromSeconds: number, toSeconds: number) => {
      const { transfers } = (await byContext(dataSet, movement, { fromSeconds, toSeconds }))[2];
      return [transfers.bytes, transfers.count, transfers.seconds];
    };
    expect(await moved(1, 1.5)).toEqual([257, 2, 0.5]);
    expect(await moved(1.5, 2)).toEqual([250, 0, 0.5]);
    expect(await moved(0, 1)).toEqual([0, 0, 0]);
  });
});

describe("a communication matrix", () => {
  it("has a cell for each pair that moved something, as an independent scan finds them", async () => {
    await fc.assert(
      fc.asyncProperty(told, async (random) => {
        const one = {
          ...random,
          events: withoutTwins(random.events),
          transfers: withoutEqualLaunches(random.transfers),
        };
        const { dataSet, movement } = await opened(one);
        const naive = naiveMoves(one);
        for (const of of ["ranks", "devices"] as const) {
          const matrix = await communicationMatrix(
            dataSet,
            movement,
            { scope: { dataSet: 1 }, of, by: "bytes" },
            quietTask,
          );
          const own = naive.filter((move) =>
            of === "devices"
              ? isTransferMove(move) && move.moves
              : !isTransferMove(move) && move.from !== NONE && move.to !== NONE,
          );
          const nameOf = (end: number) => (of === "ranks" ? `rank ${end}` : end === NONE ? "host" : `GPU ${end}`);
          const pairs = new Set(own.map(({ from, to }) => `${nameOf(from)} to ${nameOf(to)}`));
          const { cells, rows, columns } = matrix;
          const found = new Map(
            Array.from(cells.row, (row, at) => [
              `${rows.groups[row].name} to ${columns.groups[cells.column[at]].name}`,
              [cells.bytes[at], cells.count[at], cells.seconds[at]],
            ]),
          );
          const sumOf = (moves: readonly NaiveMove[]) => [
            moves.reduce((sum, move) => sum + move.bytes, 0),
            moves.length,
            unionOf(moves, 0, 10),
          ];
          expect(found).toEqual(
            new Map(
              [...pairs].map((pair) => [
                pair,
                sumOf(own.filter(({ from, to }) => `${nameOf(from)} to ${nameOf(to)}` === pair)),
              ]),
            ),
          );
          rows.groups.forEach(({ name }, row) => {
            const { bytes: size, count, seconds } = matrix.ofRows;
            expect([size[row], count[row], seconds[row]]).toEqual(
              sumOf(own.filter(({ from }) => nameOf(from) === name)),
            );
          });
          columns.groups.forEach(({ name }, column) => {
            const { bytes: size, count, seconds } = matrix.ofColumns;
            expect([size[column], count[column], seconds[column]]).toEqual(
              sumOf(own.filter(({ to }) => nameOf(to) === name)),
            );
          });
          // Nothing is lost: what is in no cell stands beside them.
          const isOfKind = (move: NaiveMove) => isTransferMove(move) === (of === "devices");
          const beside = matrix.beside.reduce((sum, { count }) => sum + count, 0);
          expect(beside + matrix.total.count).toBe(naive.filter(isOfKind).length);
        }
      }),
      { numRuns: casesOf(300) },
    );
  });
});

describe("a matrix of many ranks", () => {
  /** Each rank sends one byte to the next one of its host, the last one to the first of the next host. */
  async function ring(hosts: number, perHost: number): Promise<[DataSet, Movement]> {
    const builder = new TraceBuilder(memoryColumnFiles);
    const ranks = Array.from({ length: hosts * perHost }, (_, own) => own);
    const machines = Array.from({ length: hosts }, (_, host) =>
      builder.resource({ name: `host ${host}`, type: "Machine", parent: NONE, location: NONE }),
    );
    // Ranks go round the hosts, as many machines place them.
    const processes = ranks.map((own) =>
      builder.resource({ name: `rank ${own}`, type: "process", parent: machines[own % hosts], location: own }),
    );
    ranks.forEach((own) =>
      builder.message("message", processes[own], processes[(own + 1) % ranks.length], 0, 1, 1, NONE),
    );
    const { trace, topology, outline } = await finishTrace([{ builder }], {}, quietTask);
    const { dataSet, open } = await opened({ events: [], messages: [], transfers: [] });
    const whole = { ...dataSet, trace, topology, outline, locations: ranks.map((own) => location({ rank: own })) };
    return [whole, await movementOf(open, whole, trace, quietTask)];
  }
  const query = { scope: { dataSet: 1 }, of: "ranks", by: "bytes" } as const;

  it("shows their hosts, which lead to their ranks", async () => {
    const [dataSet, movement] = await ring(4, 64);
    const matrix = await communicationMatrix(dataSet, movement, query, quietTask);
    expect(matrix.levels).toEqual(["rank", "Machine"]);
    expect(matrix.size).toBe(256);
    expect(matrix.rows).toEqual({
      level: "Machine",
      together: 1,
      groups: [0, 1, 2, 3].map((host) => ({
        name: `host ${host}`,
        first: host * 64,
        last: host * 64 + 63,
        members: chosenRanks(Array.from({ length: 64 }, (_, at) => host + 4 * at)),
        lanes: [],
      })),
    });
    expect([...matrix.cells.row].map((row, at) => [row, matrix.cells.column[at], matrix.cells.bytes[at]])).toEqual([
      [0, 1, 64],
      [1, 2, 64],
      [2, 3, 64],
      [3, 0, 64],
    ]);
    const [rows, columns] = [matrix.rows.groups[3], matrix.columns.groups[0]];
    const inside = await communicationMatrix(dataSet, movement, { ...query, rows, columns }, quietTask);
    expect(inside.rows.level).toBe("rank");
    expect(inside.rows.groups.map(({ name }) => name).slice(0, 3)).toEqual(["rank 3", "rank 7", "rank 11"]);
    expect(inside.columns.groups.map(({ name }) => name).slice(0, 3)).toEqual(["rank 0", "rank 4", "rank 8"]);
    expect(inside.total).toEqual({ bytes: 64, count: 64, seconds: 1 });
  });

  it("has neighbours in one row where there are more than 200", async () => {
    const [dataSet, movement] = await ring(1, 450);
    const matrix = await communicationMatrix(dataSet, movement, query, quietTask);
    expect(matrix.levels).toEqual(["rank"]);
    expect([matrix.rows.together, matrix.rows.groups.length]).toEqual([3, 150]);
    expect(matrix.rows.groups[1]).toEqual({
      name: "rank 3 – rank 5",
      first: 3,
      last: 5,
      members: chosenRanks([3, 4, 5]),
      lanes: [],
    });
    expect(matrix.total.bytes).toBe(450);
    // Two of three messages stay within their row.
    expect(
      matrix.cells.bytes.reduce(
        (sum, one, at) => sum + (matrix.cells.row[at] === matrix.cells.column[at] ? one : 0),
        0,
      ),
    ).toBe(300);
  });
});

/** Launches of one rank at one time lead to nobody knows which of its activities. */
function withoutEqualLaunches(transfers: readonly Transfer[]): Transfer[] {
  return transfers.map((one, at) =>
    transfers
      .slice(0, at)
      .some((other) => other.rank === one.rank && other.at === one.at && other.launchedAt !== undefined)
      ? { ...one, launchedAt: undefined }
      : one,
  );
}
