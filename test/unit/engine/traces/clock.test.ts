import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundTimes, clockOf, SECTORS } from "../../../../src/engine/traces/clock";
import { eventStates } from "../../../../src/engine/traces/eventStates";
import { KINDS, KindTimes } from "../../../../src/engine/traces/kindTimes";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import type { DataSet } from "../../../../src/model/dataSet";
import { eventKinds } from "../../../../src/model/eventKinds";
import { FrameTable } from "../../../../src/model/frames";
import { NONE } from "../../../../src/model/ids";
import { location } from "../../../../src/model/locations";
import { chosenRanks } from "../../../../src/model/members";
import { StringTable } from "../../../../src/model/strings";
import { quietTask } from "../../../../src/model/task";
import type { CategoryKind } from "../../../../src/model/trace";
import { stretches } from "../../formats/trace/naiveSpans";
import { naiveTrace } from "../../formats/trace/naiveTrace";
import { toldFiles } from "../../formats/trace/tellings";
import { casesOf } from "../../randomCases";
import { namedFrames, toldTrace } from "./toldTraces";

/** What events are called, with the category that their tool gives them and the kind that they are of. */
const EVENTS = [
  ["solve", "other", "computing"],
  ["MPI_Wait", "other", "communication"],
  ["pack", "transfer", "data movement"],
  ["cudaLaunchKernel", "runtime", "runtime"],
  ["stencil", "gpuCompute", "GPU"],
  ["Memcpy HtoD", "transfer", "data movement"],
  ["Memset", "transfer", "data movement"],
] as const satisfies readonly (readonly [string, CategoryKind, string])[];
const KERNEL = 4;
const COPY = 5;
const DIRECTIONS = ["HtoD", "DtoD", "memset"];
const RANKS = 2;
const DEVICES = 2;
/** By rank: the main thread, another one, and the streams of two GPUs, the second one of the first GPU. */
const LANES = [
  { device: NONE, part: { thread: 0 } },
  { device: NONE, part: { thread: 1 } },
  { device: 0, part: { device: 0, stream: 7 } },
  { device: 1, part: { device: 1, stream: 7 } },
  { device: 0, part: { device: 0, stream: 13 } },
];

interface Event {
  lane: number;
  start: number;
  end: number;
  what: number;
}
interface Transfer {
  lane: number;
  start: number;
  end: number;
  bytes: number;
  direction: number;
  to: number;
}
interface Told {
  events: Event[];
  transfers: Transfer[];
}

const time = fc.integer({ min: 0, max: 20 }).map((quarter) => quarter / 4);
const length = fc.integer({ min: 0, max: 8 }).map((quarter) => quarter / 4);
const isGpu = (lane: number) => LANES[lane % LANES.length].device !== NONE;
const told = (hasGpus: boolean): fc.Arbitrary<Told> => {
  const lane = fc.nat(RANKS * LANES.length - 1).filter((one) => hasGpus || !isGpu(one));
  const event = fc
    .record({ lane, start: time, length, cpu: fc.nat(3), gpu: fc.integer({ min: KERNEL, max: EVENTS.length - 1 }) })
    .map(({ lane: at, start, length: own, cpu, gpu }) => ({
      lane: at,
      start,
      end: start + own,
      what: isGpu(at) ? gpu : cpu,
    }));
  const transfer = fc
    .record({
      lane: lane.filter((one) => !hasGpus || isGpu(one)),
      start: time,
      length,
      bytes: fc.constantFrom(0, 5, 2 ** 40, Number.NaN),
      direction: fc.nat(DIRECTIONS.length - 1),
      to: fc.integer({ min: -1, max: DEVICES - 1 }),
    })
    .map(({ length: own, ...one }) => ({ ...one, end: one.start + own }));
  return fc.record({
    // Events that begin and end together are in no order that anything depends on.
    events: fc.uniqueArray(event, {
      maxLength: 40,
      selector: ({ lane: at, start, end }) => `${at} ${start} ${end}`,
    }),
    transfers: fc.oneof(fc.constant<Transfer[]>([]), fc.array(transfer, { maxLength: 15 })),
  });
};
const anyTold = fc.oneof(told(true), told(false));

/** @param aside times of events that are of a process, but of no thread: asynchronous ones, and headings */
async function opened({ events, transfers }: Told, aside: readonly Pick<Event, "start" | "end">[] = []) {
  const frames = new FrameTable(new StringTable());
  for (const [name] of EVENTS) frames.intern({ name, kind: "function" });
  const builder = new TraceBuilder(memoryColumnFiles);
  const locations = Array.from({ length: RANKS }, (_, rank) => LANES.map(({ part }) => location({ rank, ...part })));
  const lanes = locations.flatMap((own, rank) => {
    const process = builder.resource({ name: `rank ${rank}`, type: "process", parent: NONE, location: NONE });
    const gpus = Array.from({ length: DEVICES }, (_, device) =>
      builder.resource({ name: `rank ${rank}, GPU ${device}`, type: "GPU", parent: NONE, location: NONE }),
    );
    return own.map((_, at) => {
      const { device } = LANES[at];
      const resource = device === NONE ? process : gpus[device];
      const place = rank * LANES.length + at;
      return builder.lane({ name: `lane ${place}`, resource, location: place, kind: "intervals" });
    });
  });
  for (const { lane, start, end, what } of events) {
    const [name, kind] = EVENTS[what];
    builder.event(lanes[lane], start, end, what, NONE, builder.category(name, kind));
  }
  for (const [number, { start, end }] of aside.entries()) {
    const process = builder.resource({ name: `rank ${number % RANKS}`, type: "process", parent: NONE, location: NONE });
    const heading = builder.resource({ name: "heading", type: "thread", parent: process, location: NONE });
    const resource = number % 3 === 0 ? heading : process;
    // By its name it would stand before every thread.
    const lane = builder.lane({ name: "a request", resource, location: NONE, kind: "intervals" });
    builder.event(lane, start, end, 0, NONE, builder.category("solve", "other"));
  }
  for (const { lane, start, end, bytes, direction, to } of transfers)
    builder.transfer({
      lane: lanes[lane],
      startSeconds: start,
      endSeconds: end,
      bytes,
      direction: builder.transferDirection(DIRECTIONS[direction]),
      fromDevice: NONE,
      toDevice: to,
      bandwidth: Number.NaN,
      frame: 0,
      context: NONE,
    });
  const { trace, topology } = await finishTrace([{ builder }], {}, quietTask);
  const dataSet = { frames, trace, topology, locations: locations.flat() } as unknown as DataSet;
  return { dataSet, trace, states: eventStates(dataSet, trace) };
}

type Naive = Record<"seconds" | "computing" | "movement" | "hidden" | "communication", number>;

const rankOf = (lane: number) => Math.floor(lane / LANES.length);
const deviceOf = (lane: number) => LANES[lane % LANES.length].device;

/** The GPUs and the main lanes of a told trace, as far as the ranks are chosen. */
function naivePlaces({ events }: Told, isIn: (rank: number) => boolean) {
  const here = events.filter(({ lane }) => isIn(rankOf(lane)));
  const gpus = new Set(here.flatMap(({ lane }) => (isGpu(lane) ? [`${rankOf(lane)} ${deviceOf(lane)}`] : [])));
  const mains = new Map<number, number>();
  for (const { lane } of here)
    if (!isGpu(lane)) mains.set(rankOf(lane), Math.min(lane, mains.get(rankOf(lane)) ?? Infinity));
  return { here, gpus, mains };
}

/** Moments in the middle between all edges, with the seconds that they stand for. */
function momentsOf({ events, transfers }: Told, from: number, to: number) {
  const edges = [...new Set([from, to, ...[...events, ...transfers].flatMap(({ start, end }) => [start, end])])]
    .filter((edge) => edge >= from && edge <= to)
    .sort((a, b) => a - b);
  return edges.slice(1).map((edge, at) => ({ moment: (edges[at] + edge) / 2, seconds: edge - edges[at] }));
}

function gpuAt({ transfers }: Told, here: readonly Event[], gpu: string, moment: number) {
  const runs = ({ start, end }: { start: number; end: number }) => start < moment && moment < end;
  // Lanes of which no event is there belong to no GPU.
  const used = new Set(here.map(({ lane }) => lane));
  const isOf = (lane: number) => isGpu(lane) && `${rankOf(lane)} ${deviceOf(lane)}` === gpu;
  const computes = here.some((one) => isOf(one.lane) && one.what === KERNEL && runs(one));
  const moves =
    transfers.length > 0
      ? transfers.some(
          (one) =>
            runs(one) &&
            one.direction !== 2 &&
            used.has(one.lane) &&
            (isOf(one.lane) || gpu === `${rankOf(one.lane)} ${one.to}`),
        )
      : here.some((one) => isOf(one.lane) && one.what === COPY && runs(one));
  return { computes, moves };
}

/** Moments between all edges, looked at one by one: what runs then, in which lane. */
function naiveBound(given: Told, isIn: (rank: number) => boolean, from: number, to: number): Naive {
  const { here, gpus, mains } = naivePlaces(given, isIn);
  const sums: Naive = { seconds: 0, computing: 0, movement: 0, hidden: 0, communication: 0 };
  sums.seconds = (gpus.size > 0 ? gpus.size : mains.size) * (to - from);
  for (const { moment, seconds } of momentsOf(given, from, to)) {
    for (const gpu of gpus) {
      const { computes, moves } = gpuAt(given, here, gpu, moment);
      if (computes) sums.computing += seconds;
      if (moves) sums.movement += seconds;
      if (computes && moves) sums.hidden += seconds;
    }
    if (gpus.size > 0) continue;
    for (const lane of mains.values()) {
      const kind = EVENTS[innermost(given.events, lane, moment)?.what ?? 3][2];
      if (kind === "computing") sums.computing += seconds;
      if (kind === "data movement" || kind === "communication") sums.movement += seconds;
      if (kind === "communication") sums.communication += seconds;
    }
  }
  return sums;
}

/**
 * Seconds of each state of CPU lanes in the time without work, moment by moment: summed over a rank's lanes while one of its GPUs has no
 * work (over all CPU lanes, once, if the rank has none), or over main lanes that do no work if there is no GPU. "" has the time in which no
 * lane of the host has an event.
 */
function naiveHosts(given: Told, isIn: (rank: number) => boolean, from: number, to: number): Map<string, number> {
  const { here, gpus, mains } = naivePlaces(given, isIn);
  const sums = new Map<string, number>();
  const add = (lanes: readonly number[], moment: number, seconds: number, isCounted: (kind: string) => boolean) => {
    const found = lanes.flatMap((lane) => innermost(given.events, lane, moment) ?? []);
    const states = found.map(({ what }) => EVENTS[what]).filter(([, , kind]) => isCounted(kind));
    for (const state of found.length === 0 ? [""] : states.map(([name, , kind]) => `${kind} ${name}`))
      sums.set(state, (sums.get(state) ?? 0) + seconds);
  };
  const cpu = [...new Set(here.map(({ lane }) => lane).filter((lane) => !isGpu(lane)))];
  for (const { moment, seconds } of momentsOf(given, from, to)) {
    for (const lane of gpus.size > 0 ? [] : mains.values()) add([lane], moment, seconds, (kind) => kind === "runtime");
    const free = [...gpus].filter((gpu) => Object.values(gpuAt(given, here, gpu, moment)).every((one) => !one));
    const hosts = new Set(free.map((gpu) => Number(gpu.split(" ")[0])).map((rank) => (mains.has(rank) ? rank : NONE)));
    for (const rank of hosts)
      add(
        cpu.filter((lane) => rank === NONE || rankOf(lane) === rank),
        moment,
        seconds,
        everybody,
      );
  }
  return sums;
}

/** Of those that run the last one to begin, of equal ones the first to end. */
function innermost(events: readonly Event[], lane: number, moment: number): Event | undefined {
  return events
    .filter((one) => one.lane === lane && one.start < moment && moment < one.end)
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .at(-1);
}

const everybody = () => true;
const sumOf = (values: Float64Array) => values.reduce((all, one) => all + one, 0);

describe("what a window is bound by", () => {
  it("is what is found when each moment is looked at", async () => {
    const edge = fc.integer({ min: -1, max: 30 }).map((quarter) => quarter / 4 + 0.125);
    await fc.assert(
      fc.asyncProperty(
        anyTold,
        edge,
        edge,
        fc.option(fc.nat(RANKS - 1), { nil: undefined }),
        async (given: Told, one: number, other: number, rank: number | undefined) => {
          const { dataSet, trace, states } = await opened(given);
          const window = { from: Math.min(one, other), to: Math.max(one, other) };
          const chosen = rank === undefined ? {} : { chosen: chosenRanks([rank]) };
          const query = { dataSet: 1, window, ...chosen };
          const { unit, count, host, ...found } = await boundTimes(dataSet, trace, states, query, quietTask);
          const inRun = (edge: number) => Math.min(trace.endSeconds, Math.max(trace.startSeconds, edge));
          const isIn = rank === undefined ? everybody : (own: number) => own === rank;
          const naive = naiveBound(given, isIn, inRun(window.from), inRun(window.to));
          for (const key of Object.keys(naive) as (keyof Naive)[])
            expect(found[key], `${key} over ${count} ${unit}`).toBeCloseTo(naive[key], 9);
          const free = naive.seconds - naive.computing - naive.movement + naive.hidden;
          expect(host !== undefined).toBe(naive.seconds > 0 && 3 * free >= naive.seconds);
          if (host) {
            const hosts = naiveHosts(given, isIn, inRun(window.from), inRun(window.to));
            const most = Math.max(0, ...hosts.values());
            expect(hosts.get(host.kind === undefined ? "" : `${host.kind} ${host.name}`) ?? 0).toBe(most);
          }
          await trace.close();
        },
      ),
      { numRuns: casesOf(500) },
    );
  });

  it("over the parts of a run adds up to the run", async () => {
    await fc.assert(
      fc.asyncProperty(anyTold, fc.uniqueArray(time, { maxLength: 4 }), async (given, cuts) => {
        const { dataSet, trace, states } = await opened(given);
        const whole = await boundTimes(dataSet, trace, states, { dataSet: 1 }, quietTask);
        const edges = [-1, ...[...cuts].sort((a, b) => a - b), 10];
        const sums = { seconds: 0, computing: 0, movement: 0, hidden: 0, communication: 0 };
        for (let at = 0; at + 1 < edges.length; at++) {
          const window = { from: edges[at], to: edges[at + 1] };
          const part = await boundTimes(dataSet, trace, states, { dataSet: 1, window }, quietTask);
          for (const key of Object.keys(sums) as (keyof Naive)[]) sums[key] += part[key];
        }
        for (const key of Object.keys(sums) as (keyof Naive)[]) expect(sums[key]).toBeCloseTo(whole[key], 9);
        await trace.close();
      }),
      { numRuns: casesOf(200) },
    );
  });
});

describe("a clock", () => {
  it("has in each sector what is found when each moment of it is looked at, and in all of them the run", async () => {
    await fc.assert(
      fc.asyncProperty(anyTold, fc.constantFrom(0, 0, 3, 12), async (given, lengthSeconds) => {
        const { dataSet, trace, states } = await opened(given);
        const clock = await clockOf(dataSet, trace, states, { dataSet: 1, lengthSeconds }, quietTask);
        const { sectors, fine, bound, fromSeconds, toSeconds, endSeconds } = clock;
        expect([sectors.count, fine.count]).toEqual([SECTORS, 10 * SECTORS]);
        expect(toSeconds - fromSeconds).toBeCloseTo(Math.max(trace.endSeconds - trace.startSeconds, lengthSeconds), 9);
        for (const { count, ...columns } of [sectors, fine])
          for (let at = 0; at < count; at++) {
            const edge = (number: number) =>
              Math.min(endSeconds, fromSeconds + ((toSeconds - fromSeconds) * number) / count);
            const naive = naiveBound(given, everybody, edge(at), edge(at + 1));
            for (const key of ["computing", "movement", "hidden", "communication"] as const)
              expect(columns[key][at], `${key} of ${at}`).toBeCloseTo(naive[key], 9);
          }
        for (const key of ["computing", "movement", "hidden", "communication"] as const)
          expect(sumOf(sectors[key])).toBeCloseTo(bound[key], 9);
        // Each lane's innermost time by kind, of all of its events.
        const kinds = new Float64Array(2 * KINDS);
        for (let lane = 0; lane < RANKS * LANES.length; lane++) {
          const events = given.events
            .filter((one) => one.lane === lane)
            .sort((a, b) => a.start - b.start || b.end - a.end);
          for (const { start, end, number } of stretches(events as never)) {
            const kind = eventKinds.indexOf(EVENTS[events[number].what][2]);
            kinds[(isGpu(lane) ? KINDS : 0) + kind] += end - start;
          }
        }
        for (let kind = 0; kind < KINDS; kind++) {
          const inKind = (values: Float64Array) => sumOf(values.filter((_, cell) => cell % KINDS === kind));
          expect(inKind(sectors.cpu)).toBeCloseTo(kinds[kind], 9);
          expect(inKind(sectors.gpu)).toBeCloseTo(kinds[KINDS + kind], 9);
        }
        const bytes = given.transfers.filter(({ direction }) => direction !== 2).map((one) => one.bytes || 0);
        expect(sumOf(sectors.bytes) / 2 ** 40).toBeCloseTo(bytes.reduce((all, one) => all + one, 0) / 2 ** 40, 9);
        await trace.close();
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("spreads a transfer's bytes evenly over its time, and has those of one that lasts none where it begins", async () => {
    const events = [{ lane: 0, start: 0, end: 12, what: 0 }];
    const transfer = { lane: 0, direction: 0, to: 0 };
    const transfers = [
      { ...transfer, start: 1, end: 3, bytes: 100 },
      { ...transfer, start: 12, end: 12, bytes: 7 },
      { ...transfer, start: 4, end: 4, bytes: 3 },
      { ...transfer, start: 0, end: 12, bytes: 1200, direction: 2 },
    ];
    const { dataSet, trace, states } = await opened({ events, transfers });
    const { sectors } = await clockOf(dataSet, trace, states, { dataSet: 1 }, quietTask);
    expect([...sectors.bytes]).toEqual([0, 50, 50, 0, 3, 0, 0, 0, 0, 0, 0, 7].map((one) => expect.closeTo(one, 9)));
    const window = { from: 2, to: 4 };
    const part = await clockOf(dataSet, trace, states, { dataSet: 1, window }, quietTask);
    expect(sumOf(part.sectors.bytes)).toBeCloseTo(50, 9);
    await trace.close();
  });

  it("leaves out of a restriction GPUs that name no rank, and says how many", async () => {
    const { dataSet, trace, states } = await opened({
      events: [
        { lane: 0, start: 0, end: 2, what: 0 },
        { lane: 2, start: 1, end: 2, what: KERNEL },
      ],
      transfers: [],
    });
    const locations = [...dataSet.locations];
    locations[2] = location({});
    const lanes = trace.lanes.map((lane, at) => (at === 2 ? { ...lane, location: NONE } : lane));
    const nameless = { ...trace, lanes };
    Object.setPrototypeOf(nameless, trace);
    const of = (query: object) =>
      clockOf({ ...dataSet, locations }, nameless, states, { dataSet: 1, ...query }, quietTask);
    expect(await of({})).toMatchObject({ bound: { unit: "GPU", count: 1 }, leftOutGpus: 0 });
    expect(await of({ chosen: chosenRanks([0]) })).toMatchObject({ bound: { unit: "rank", count: 1 }, leftOutGpus: 1 });
    await trace.close();
  });
});

describe("asynchronous events", () => {
  it("are no time of a rank's main thread, nor of any lane of a clock", async () => {
    const aside = fc.array(fc.record({ start: time, length }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(anyTold, aside, async (given, more) => {
        // A thread computes all along, so that the run is as long without them.
        const events = [{ lane: 1, start: 0, end: 8, what: 0 }, ...given.events.filter(({ lane }) => lane !== 1)];
        const told = { events, transfers: given.transfers };
        const asides = more.map(({ start, length: own }) => ({ start, end: Math.min(8, start + own) }));
        const [without, beside] = [await opened(told), await opened(told, asides)];
        const clockIn = ({ dataSet, trace, states }: typeof without) =>
          clockOf(dataSet, trace, states, { dataSet: 1 }, quietTask);
        expect(await clockIn(beside)).toEqual(await clockIn(without));
        const boundIn = ({ dataSet, trace, states }: typeof without) =>
          boundTimes(dataSet, trace, states, { dataSet: 1 }, quietTask);
        expect(await boundIn(beside)).toEqual(await boundIn(without));
        await Promise.all([without.trace.close(), beside.trace.close()]);
      }),
      { numRuns: casesOf(200) },
    );
  });
});

describe("time by kind", () => {
  it("is the same from levels of detail as from all events", async () => {
    const edge = fc.integer({ min: -4, max: 120 }).map((eighth) => eighth / 8);
    const frames = namedFrames();
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.uniqueArray(edge, { minLength: 2, maxLength: 6 }), async (files, given) => {
        const { trace } = await toldTrace(files);
        const states = eventStates({ frames } as never, trace);
        const edges = Float64Array.from(given).sort();
        for (const [lane, { events, kind: type }] of naiveTrace(files).lanes.entries()) {
          if (type === "instants") continue;
          const expected = new Float64Array((edges.length - 1) * KINDS);
          for (const { start, end, event } of stretches(events))
            for (let at = 0; at + 1 < edges.length; at++) {
              const name = frames.nameOf(event.frame);
              const kind = { MPI_Wait: "communication", memcpy: "data movement" }[name] ?? "computing";
              const seconds = Math.min(end, edges[at + 1]) - Math.max(start, edges[at]);
              if (seconds > 0) expected[at * KINDS + eventKinds.findIndex((one) => one === kind)] += seconds;
            }
          for (const few of [0, Infinity]) {
            const found = new Float64Array(expected.length);
            await new KindTimes(trace, states, quietTask, few).add(lane, edges, found);
            expect([...found]).toEqual([...expected].map((one) => expect.closeTo(one, 9)));
          }
        }
        await trace.close();
      }),
      { numRuns: casesOf(300) },
    );
  });
});
