import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { criticalPath } from "../../../../src/engine/traces/criticalPath";
import { waitCause } from "../../../../src/engine/traces/waitCauses";
import { type Wait, waitsOf } from "../../../../src/engine/traces/waits";
import { rankStarts } from "../../../../src/engine/traces/waitSums";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import { FrameTable } from "../../../../src/model/frames";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";
import type { Trace } from "../../../../src/model/trace";
import { casesOf } from "../../randomCases";

const RANKS = 4;
/** As C, Fortran and versions of the standard have them: of each list any one. */
const VARIANTS = [
  ["solve", "MPI_phase", "mpi_exchange"],
  ["MPI_Send", "PMPI_Ssend_c", "mpi_send_", "mpi_rsend_f08_", "MPI_SEND"],
  ["MPI_Recv", "PMPI_Recv_c", "mpi_recv__", "mpi_recv_f08ts_"],
  ["MPI_Wait", "pmpi_waitall_", "MPI_Waitany_f08"],
  ["MPI_Sendrecv", "mpi_sendrecv_"],
  ["MPI_Isend", "mpi_isend_f08_"],
  ["MPI_Barrier", "PMPI_Barrier", "mpi_barrier_", "MPI_Barrier_f08"],
];
const NAMES = ["solve", "send", "receive", "wait", "sendrecv", "isend", "barrier"] as const;
const [SOLVE, SEND, RECEIVE, WAIT, SENDRECV, ISEND, BARRIER] = NAMES.keys();

interface MpiEvent {
  readonly rank: number;
  readonly at: number;
  readonly length: number;
  /** Index into {@link NAMES}; and which of its variants. */
  readonly name: number;
  readonly variant?: number;
}

interface MpiMessage {
  readonly from: number;
  readonly to: number;
  readonly sent: number;
  readonly received: number;
}

// Quarters of a second: sums of them are exact, and many moments are the same.
const quarter = (max: number) => fc.integer({ min: 0, max }).map((one) => one / 4);
const mpiEvent = fc.record({
  rank: fc.nat(RANKS - 1),
  at: quarter(40),
  length: quarter(12),
  // Few collectives: of many, ranks hardly call the same.
  name: fc.oneof({ arbitrary: fc.nat(NAMES.length - 2), weight: 9 }, fc.constant(BARRIER)),
  variant: fc.nat(59),
});
const mpiMessage = fc.record({
  from: fc.integer({ min: -1, max: RANKS - 1 }),
  to: fc.nat(RANKS - 1),
  sent: fc.oneof({ arbitrary: quarter(40), weight: 9 }, fc.constant(Number.NaN)),
  received: quarter(44),
});
/** Barriers that all ranks call in one order. */
const barriers = fc.array(fc.tuple(...Array.from({ length: RANKS }, () => quarter(8))), { maxLength: 4 });

/** All names, and where those of each list begin. */
const WRITTEN = VARIANTS.flat();
const FIRST = VARIANTS.map((_, at) => VARIANTS.slice(0, at).flat().length);
const frameOfEvent = ({ name, variant = 0 }: MpiEvent) => FIRST[name] + (variant % VARIANTS[name].length);
/** Index into {@link NAMES}. */
const nameOfFrame = (frame: number) => FIRST.findLastIndex((first) => first <= frame);

async function traceOf(events: readonly MpiEvent[], messages: readonly MpiMessage[], clocks?: "separate") {
  const frames = new FrameTable(new StringTable());
  for (const name of WRITTEN) frames.intern({ name, kind: "region", line: 1 });
  const builder = new TraceBuilder(memoryColumnFiles);
  const category = builder.category("", "other");
  const ranks = Array.from({ length: RANKS }, (_, rank) =>
    builder.resource({ name: `rank ${rank}`, type: "process", parent: -1, location: rank }),
  );
  const lanes = ranks.map((resource, rank) =>
    builder.lane({ name: `rank ${rank}`, kind: "intervals", resource, location: rank }),
  );
  for (const one of events)
    builder.event(lanes[one.rank], one.at, one.at + one.length, frameOfEvent(one), -1, category);
  for (const { from, to, sent, received } of messages)
    builder.message("message", ranks[from] ?? -1, ranks[to], sent, received, 8, 0);
  const frameOf = Int32Array.from(WRITTEN, (_, at) => at);
  const { trace, topology } = await finishTrace([{ builder, frameOf }], { clocks }, quietTask);
  const locations = Array.from({ length: RANKS }, (_, rank) => ({ rank }));
  return { trace, dataSet: { topology, frames, locations } as never };
}

const random = fc.tuple(
  fc.array(mpiEvent, { maxLength: 30 }),
  fc.array(mpiMessage, { maxLength: 20 }),
  barriers.map((all) =>
    all.flatMap((lengths, order) =>
      lengths.map((length, rank) => ({ rank, at: 20 + 4 * order + length / 4, length, name: BARRIER })),
    ),
  ),
);

const at = ({ lane, event, kind, causeLane, causeEvent, startSeconds, untilSeconds }: Wait) => [
  lane,
  event,
  kind,
  causeLane,
  causeEvent,
  untilSeconds - startSeconds,
];
const inOrder = (waits: readonly unknown[][]) => waits.map((wait) => JSON.stringify(wait)).sort();

describe("waits", () => {
  it("are those that each call is asked for by itself", async () => {
    await fc.assert(
      fc.asyncProperty(random, async ([events, messages, collectives]) => {
        const { trace, dataSet } = await traceOf([...events, ...collectives], messages);
        const found = await waitsOf(dataSet, trace, quietTask);
        const expected: unknown[][] = [];
        for (const [lane, { events: count }] of trace.lanes.entries())
          for (let event = 0; event < count; event++) {
            const { startSeconds, endSeconds } = await trace.readEvents(lane, event, 1);
            const cause = await waitCause(dataSet, trace, lane, event, quietTask);
            const kind = { "late sender": "late sender", "last rank": "collective", transfer: "", none: "" }[
              cause.kind
            ];
            if (kind === "" || cause.kind === "none") continue;
            const waited = cause.waitedSeconds;
            expect(waited).toBeLessThanOrEqual(endSeconds[0] - startSeconds[0]);
            if (waited > 0) expected.push([lane, event, kind, cause.lane, cause.event, waited]);
          }
        const all = found.of.flat().filter(({ kind }) => kind !== "late receiver");
        expect(inOrder(all.map(at))).toEqual(inOrder(expected));
        await trace.close();
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("of sends end with the latest receive that began while they ran", async () => {
    await fc.assert(
      fc.asyncProperty(random, async ([events, messages]) => {
        const { trace, dataSet } = await traceOf(events, messages);
        const lanes = await Promise.all(trace.lanes.map(({ events: count }, lane) => trace.readEvents(lane, 0, count)));
        const calls = lanes.flatMap(({ count, startSeconds, endSeconds, frame }, lane) =>
          Array.from({ length: count }, (_, event) => ({
            lane,
            event,
            name: nameOfFrame(frame[event]),
            start: startSeconds[event],
            end: endSeconds[event],
          })),
        );
        const laneOf = (rank: number) => trace.lanes.findIndex(({ name }) => name === `rank ${rank}`);
        const expected = calls
          .filter(({ name }) => name === SEND)
          .flatMap(({ lane, event, start, end }) => {
            const begun = messages
              .filter(({ from, sent }) => laneOf(from) === lane && sent >= start && sent <= end)
              .flatMap(({ to, received }) =>
                calls.filter(
                  (call) =>
                    call.lane === laneOf(to) &&
                    [RECEIVE, SENDRECV].includes(call.name) &&
                    call.start <= received &&
                    call.end >= received,
                ),
              )
              .map((call) => call.start)
              .filter((one) => one > start && one <= end);
            return begun.length > 0 ? [[lane, event, Math.max(...begun) - start]] : [];
          });
        const { of } = await waitsOf(dataSet, trace, quietTask);
        const found = of.flat().filter(({ kind }) => kind === "late receiver");
        expect(inOrder(found.map((wait) => [wait.lane, wait.event, wait.untilSeconds - wait.startSeconds]))).toEqual(
          inOrder(expected),
        );
        await trace.close();
      }),
      { numRuns: casesOf(200) },
    );
  });
});

/** Waits for messages and in collectives, straight from what semantics 9 says: all calls and all messages are looked at for each. */
async function naiveWaits(trace: Trace, messages: readonly MpiMessage[]) {
  const lanes = await Promise.all(trace.lanes.map(({ events: count }, lane) => trace.readEvents(lane, 0, count)));
  const calls = lanes.map(({ count, startSeconds, endSeconds, frame }, lane) =>
    Array.from({ length: count }, (_, event) => ({
      lane,
      event,
      name: nameOfFrame(frame[event]),
      start: startSeconds[event],
      end: endSeconds[event],
    })),
  );
  const laneOf = (rank: number) => trace.lanes.findIndex(({ name }) => name === `rank ${rank}`);
  const found: unknown[][] = [];
  const add = (of: (typeof calls)[number][number], kind: string, lane: number, event: number, until: number) => {
    const waited = Math.min(until, of.end) - of.start;
    if (waited > 0) found.push([of.lane, of.event, kind, lane, event, waited]);
  };
  for (const call of calls.flat().filter(({ name }) => [RECEIVE, WAIT, SENDRECV].includes(name))) {
    const arriving = messages.filter(
      ({ to, received }) => laneOf(to) === call.lane && received >= call.start && received <= call.end,
    );
    const latest = Math.max(...arriving.map(({ received }) => received));
    // Of several at one moment the one that was sent first; one without a sender comes last.
    const [last] = arriving
      .filter(({ received }) => received === latest)
      .sort((a, b) => (Number.isNaN(a.sent) ? a.received : a.sent) - (Number.isNaN(b.sent) ? b.received : b.sent));
    if (last === undefined || last.from < 0 || Number.isNaN(last.sent)) continue;
    const sender = laneOf(last.from);
    // A call of MPI, not whatever region runs there.
    const sending = calls[sender].findLast(
      ({ name, start, end }) => name !== SOLVE && start <= last.sent && end > last.sent,
    );
    const begun = sending?.start ?? last.sent;
    if (begun > call.start) add(call, "late sender", sender, sending?.event ?? -1, begun);
  }
  const barriers = calls.map((own) => own.filter(({ name }) => name === BARRIER)).filter((own) => own.length > 0);
  if (barriers.length < 2) return found;
  for (let order = 0; barriers.every((own) => order < own.length); order++) {
    const entered = barriers.map((own) => own[order]);
    const last = entered.reduce((late, one) => (one.start > late.start ? one : late));
    for (const one of entered) if (one !== last) add(one, "collective", last.lane, last.event, last.start);
  }
  return found;
}

describe("waits in calls of any name", () => {
  it("are those that their definition gives, on four ranks", async () => {
    let compared = 0;
    // Messages that leave or arrive at one moment have an order of their own.
    const apart = random.filter(([, messages]) => {
      const keys = messages.map(({ to, received }) => `${to} ${received}`);
      return new Set(keys).size === keys.length;
    });
    await fc.assert(
      fc.asyncProperty(apart, async ([events, messages, collectives]) => {
        const { trace, dataSet } = await traceOf([...events, ...collectives], messages);
        const { of } = await waitsOf(dataSet, trace, quietTask);
        const expected = await naiveWaits(trace, messages);
        compared += expected.length;
        expect(
          inOrder(
            of
              .flat()
              .filter(({ kind }) => kind !== "late receiver")
              .map(at),
          ),
        ).toEqual(inOrder(expected));
        await trace.close();
      }),
      { numRuns: casesOf(400) },
    );
    expect(compared).toBeGreaterThan(0);
  });

  it("are any number: 150,000 sends to a receiver that is late", async () => {
    const count = 150_000;
    const events: MpiEvent[] = [];
    const messages: MpiMessage[] = [];
    for (let at = 0; at < count; at++) {
      events.push(
        { rank: 0, at: 4 * at, length: 2, name: SEND },
        { rank: 1, at: 4 * at + 1, length: 1, name: RECEIVE },
      );
      messages.push({ from: 0, to: 1, sent: 4 * at, received: 4 * at + 2 });
    }
    const { trace, dataSet } = await traceOf(events, messages);
    const { of } = await waitsOf(dataSet, trace, quietTask);
    expect(of.map(({ length }) => length)).toEqual([count, 0, 0, 0]);
    expect(of[0].at(-1)).toMatchObject({ kind: "late receiver", causeLane: 1, causeEvent: count - 1 });
    await trace.close();
  });

  it("begin with the call that sent, not with the region that it is in", async () => {
    const { trace, dataSet } = await traceOf(
      [
        { rank: 0, at: 0, length: 6, name: RECEIVE },
        // The message leaves while rank 1 computes: nobody recorded the call.
        { rank: 1, at: 0, length: 6, name: SOLVE },
        { rank: 2, at: 1, length: 5, name: RECEIVE, variant: 2 },
        { rank: 3, at: 0, length: 9, name: SOLVE, variant: 1 },
        { rank: 3, at: 4, length: 1, name: ISEND, variant: 1 },
      ],
      [
        { from: 1, to: 0, sent: 3, received: 5 },
        { from: 3, to: 2, sent: 4.5, received: 5 },
      ],
    );
    const { of } = await waitsOf(dataSet, trace, quietTask);
    expect(of.flat().map(at)).toEqual([
      [0, 0, "late sender", 1, -1, 3],
      [2, 0, "late sender", 3, 1, 3],
    ]);
  });
});

describe("ranks whose clocks have no common zero", () => {
  it("have no waits for each other, which is said, and none of them has a cause", async () => {
    await fc.assert(
      fc.asyncProperty(random, async ([events, messages, collectives]) => {
        const { trace, dataSet } = await traceOf([...events, ...collectives], messages, "separate");
        const { of, missing } = await waitsOf(dataSet, trace, quietTask);
        expect(missing.join()).toContain("the clocks of the ranks have no common zero");
        for (const wait of of.flat()) expect(wait.causeLane).toBe(wait.lane);
        expect(criticalPath(trace, of).length).toBeLessThan(2);
        for (const [lane, { events: count }] of trace.lanes.entries())
          for (let event = 0; event < count; event++) {
            const cause = await waitCause(dataSet, trace, lane, event, quietTask);
            if (cause.kind !== "none") expect(cause.lane).toBe(lane);
          }
        await trace.close();
      }),
      { numRuns: casesOf(100) },
    );
  });
});

describe("waits for messages", () => {
  it("are those of calls that receive or wait: a send that ends when a message arrives waited for no sender", async () => {
    const [solve, send, wait] = [SOLVE, SEND, WAIT];
    const { trace, dataSet } = await traceOf(
      [
        { rank: 0, at: 0, length: 5, name: send },
        { rank: 0, at: 5, length: 1, name: wait },
        { rank: 1, at: 0, length: 3, name: solve },
        { rank: 1, at: 3, length: 1, name: send },
      ],
      [{ from: 1, to: 0, sent: 3, received: 5 }],
    );
    const { of, missing } = await waitsOf(dataSet, trace, quietTask);
    expect(of.flat()).toEqual([]);
    expect(missing).toEqual([]);
    expect(criticalPath(trace, of)).toEqual([{ lane: 0, fromSeconds: 0, toSeconds: 6 }]);
  });
});

describe("the critical path", () => {
  it("covers each moment of the run once, and changes lanes only where a wait ended", async () => {
    await fc.assert(
      fc.asyncProperty(random, async ([events, messages, collectives]) => {
        const { trace, dataSet } = await traceOf([...events, ...collectives], messages);
        const { of } = await waitsOf(dataSet, trace, quietTask);
        const parts = criticalPath(trace, of);
        const length = trace.events > 0 ? trace.endSeconds - trace.startSeconds : 0;
        expect(parts.reduce((sum, { fromSeconds, toSeconds }) => sum + toSeconds - fromSeconds, 0)).toBe(length);
        for (const [index, { lane, fromSeconds, toSeconds }] of parts.entries()) {
          expect(toSeconds).toBeGreaterThan(fromSeconds);
          if (index === 0) continue;
          const before = parts[index - 1];
          expect(before.toSeconds).toBe(fromSeconds);
          expect(of[lane]).toContainEqual(
            expect.objectContaining({ causeLane: before.lane, untilSeconds: fromSeconds }),
          );
          // No wait of the lane ended later, while the path was in it.
          const later = of[lane].filter(
            ({ untilSeconds, causeLane }) =>
              causeLane !== lane && untilSeconds > fromSeconds && untilSeconds < toSeconds,
          );
          expect(later).toEqual([]);
        }
        const last = parts.at(-1);
        // A message may arrive after all events.
        const ends = trace.lanes.flatMap(({ events: own, endSeconds }) => (own > 0 ? [endSeconds] : []));
        if (last) expect(trace.lanes[last.lane].endSeconds).toBe(Math.max(...ends));
        await trace.close();
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("goes through who was waited for: a late sender, then the last rank at a barrier", async () => {
    const [solve, send, receive, barrier] = [SOLVE, SEND, RECEIVE, BARRIER];
    const { trace, dataSet } = await traceOf(
      [
        // Rank 1 computes until 2 s, sends to rank 0; rank 0 computes until 5 s, and all meet in a barrier.
        { rank: 1, at: 0, length: 2, name: solve },
        { rank: 1, at: 2, length: 0.25, name: send },
        { rank: 0, at: 0, length: 0.5, name: solve },
        { rank: 0, at: 0.5, length: 2, name: receive },
        { rank: 0, at: 2.5, length: 2.5, name: solve },
        ...[5, 2.25, 1].map((at, rank) => ({ rank, at, length: 5.5 - at, name: barrier })),
        { rank: 2, at: 5.5, length: 1, name: solve },
      ],
      [{ from: 1, to: 0, sent: 2, received: 2.5 }],
    );
    const { of } = await waitsOf(dataSet, trace, quietTask);
    expect(criticalPath(trace, of)).toEqual([
      { lane: 1, fromSeconds: 0, toSeconds: 2 },
      { lane: 0, fromSeconds: 2, toSeconds: 5 },
      { lane: 2, fromSeconds: 5, toSeconds: 6.5 },
    ]);
  });
});

describe("ranks of a run", () => {
  it("begin with the first event of any of their lanes; of one rank there is nothing to say", async () => {
    const builder = new TraceBuilder(memoryColumnFiles);
    const category = builder.category("", "other");
    const laneOf = (rank: number, thread: number, ...starts: number[]) => {
      const name = `rank ${rank}, thread ${thread}`;
      const resource = builder.resource({ name, type: "thread", parent: -1, location: 2 * rank + thread });
      const lane = builder.lane({ name, kind: "intervals", resource, location: 2 * rank + thread });
      for (const start of starts) builder.event(lane, start, start + 9, 0, -1, category);
    };
    laneOf(0, 0, 1, 4);
    laneOf(1, 0, 3);
    // Its second thread begins before its first one.
    laneOf(1, 1, 1.5);
    laneOf(2, 0, 2.25);
    laneOf(3, 0);
    const { trace, topology } = await finishTrace([{ builder, frameOf: Int32Array.of(0) }], {}, quietTask);
    if (!trace) throw new Error("no trace");
    const locations = Array.from({ length: 8 }, (_, at) => ({ rank: at >> 1, thread: at & 1 }));
    const dataSet = { topology, locations } as never;
    const of = (...ranks: number[]) => {
      const lanes = [...trace.lanes.keys()].filter((lane) =>
        ranks.some((rank) => trace.lanes[lane].name.includes(`rank ${rank}`)),
      );
      const found = rankStarts(dataSet, trace, lanes);
      return found && [found.firstSeconds, found.lastSeconds, trace.lanes[found.lastLane].name];
    };
    expect(of(0, 1, 2, 3)).toEqual([1, 2.25, "rank 2, thread 0"]);
    expect(of(0, 1)).toEqual([1, 1.5, "rank 1, thread 1"]);
    expect([of(1), of(0, 3), of()]).toEqual([undefined, undefined, undefined]);
    await trace.close();
  });
});
