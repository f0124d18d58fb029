import fc from "fast-check";
import { NONE } from "../../../../src/model/ids";
import { attribute } from "./caliFixtures";
import {
  type Branch,
  CaliWriter,
  channel,
  durationNs,
  loop,
  mpiFunction,
  rank as rankAttribute,
  region,
  worldSize,
  type WrittenAttribute,
} from "./caliWriter";

const offset = attribute("time.offset.ns", "uint", 85, { "time.unit": "nsec" });
const inclusive = attribute("time.inclusive.duration.ns", "uint", 85, { "time.unit": "nsec" });
const pthread = attribute("pthread.id", "uint", 85);
const color = attribute("color", "string", 20);
const stage = attribute("stage", "string", 20);
const attributes = [region, loop, mpiFunction, color, stage];

/** One call as languages, interfaces and tools name it, and names of other calls. */
const NAMES = [
  "f",
  "g",
  "MPI_Init",
  "MPI_Send",
  "MPI_Send_c",
  "MPI_Send_f08",
  "MPI_Send_f08ts",
  "PMPI_Send",
  "mpi_send_",
];

/** What a thread does next: it enters something, leaves the innermost region or value, or sets a number. */
interface Act {
  readonly kind: "begin" | "end" | "set";
  readonly of: number;
  readonly name: string;
  /** Nanoseconds since the act before. */
  readonly after: number;
}

export interface RandomThread {
  readonly thread: number | undefined;
  readonly acts: readonly Act[];
  /** So many records have no rank yet. */
  readonly unranked: number;
}

export interface RandomProgram {
  readonly rank: number | undefined;
  readonly threads: readonly RandomThread[];
  readonly hasLengths: boolean;
}

/** An event as the program made it. Nanoseconds. */
export interface MadeEvent {
  readonly lane: string;
  readonly name: string;
  readonly start: number;
  end: number | undefined;
}

export interface MadeFile {
  /** Lines that define nodes, and that close the file. */
  readonly nodes: readonly string[];
  readonly globals: readonly string[];
  /** Snapshots in the order of time, with the number of the thread that they are of. */
  readonly records: readonly string[];
  readonly events: readonly MadeEvent[];
  /** Path of regions, thread and nanoseconds that were recorded of them. */
  readonly times: readonly string[];
}

/** Equal times are common, so that blocks meet in them. */
const acts = fc.array(
  fc.record({
    kind: fc.constantFrom(...(["begin", "begin", "begin", "end", "end", "end", "set"] satisfies Act["kind"][])),
    of: fc.nat(attributes.length - 1),
    name: fc.constantFrom(...NAMES),
    after: fc.constantFrom(0, 0, 1, 5, 1000),
  }),
  { minLength: 1, maxLength: 30 },
);

export function randomProgram(): fc.Arbitrary<RandomProgram> {
  return fc.record({
    rank: fc.constantFrom(undefined, 0, 3),
    hasLengths: fc.boolean(),
    threads: fc.uniqueArray(
      fc.record({
        thread: fc.option(fc.nat(9), { nil: undefined }),
        acts,
        unranked: fc.nat(4),
      }),
      { minLength: 1, maxLength: 3, selector: ({ thread }) => thread },
    ),
  });
}

/**
 * Writes the file of one process, in the order of time, and says which events it has.
 *
 * @param hasLateRanks the first records of each thread have no rank
 * @param firstId of nodes
 */
export function makeFile({ rank, threads, hasLengths }: RandomProgram, hasLateRanks = true, firstId = 1000n): MadeFile {
  const out = new CaliWriter(firstId, 3n);
  const events: MadeEvent[] = [];
  const times = new Map<string, number>();
  const records: { at: number; line: string }[] = [];
  for (const { thread, acts, unranked } of threads) {
    const process = rank === undefined ? "process" : `rank ${rank}`;
    const lane = thread === undefined ? process : `${process}, thread ${thread}`;
    const open: { of: WrittenAttribute; name: string; event: MadeEvent }[] = [];
    let [now, last, written] = [0, 0, 0];
    const record = (event: Branch, values: readonly (readonly [WrittenAttribute, number])[]) => {
      const isRanked = rank !== undefined && (!hasLateRanks || written >= unranked);
      const path = open.filter(({ of }) => of.properties & 256).map(({ of, name }) => [of, name] as const);
      const others = open.filter(({ of }) => !(of.properties & 256)).map(({ of, name }) => [of, name] as const);
      const branches = [[...path, ...event], others].filter(({ length }) => length > 0);
      out.snapshot(branches, [
        ...(isRanked ? [[rankAttribute, rank] as const] : []),
        ...(thread === undefined ? [] : [[pthread, thread] as const]),
        ...values,
        [offset, now],
        [durationNs, now - last],
      ]);
      records.push({ at: now, line: out.lines.pop() ?? "" });
      const key = `${JSON.stringify(path.map(([, text]) => text))} | ${thread ?? NONE}`;
      if (path.length > 0 && now > last) times.set(key, (times.get(key) ?? 0) + now - last);
      written++;
      last = now;
    };
    const lastValue = new Map<string, number>();
    const end = (at: number) => {
      const { of, name, event } = open[at];
      lastValue.set(`${of.name} ${name}`, now);
      const length = hasLengths ? [[inclusive, now - event.start] as const] : [];
      record([[attribute(`event.end#${of.name}`, "string", 84), name]], length);
      event.end = now;
      open.splice(at, 1);
    };
    for (const { kind, of, name, after } of acts) {
      now += after;
      const chosen = attributes[of];
      const isRegion = (chosen.properties & 256) !== 0;
      if (kind === "begin") {
        // Of two equal values that are no regions neither path nor time says which one ends.
        const isOpen = open.some((one) => one.of === chosen && one.name === name);
        if (!isRegion && (isOpen || lastValue.get(`${chosen.name} ${name}`) === now)) continue;
        record([[attribute(`event.begin#${chosen.name}`, "string", 84), name]], []);
        const event = {
          lane: isRegion ? lane : `${lane}: ${chosen.name}`,
          name: isRegion ? name : `${chosen.name} = ${name}`,
          start: now,
          end: undefined,
        };
        events.push(event);
        open.push({ of: chosen, name, event });
      } else if (kind === "end") {
        // Caliper records no end of a region that has others in it; other attributes end at any time.
        const at = open.findLastIndex((one) => (isRegion ? one.of.properties & 256 : one.of === chosen));
        if (at >= 0) end(at);
      } else if (kind === "set") record([], [[attribute("event.set#phase", "int", 85), now]]);
    }
    // A rank that no record has is not known.
    while (open.length > 0 || written <= unranked) {
      now += 3;
      if (open.length > 0) end(open.length - 1);
      else record([], [[attribute("event.set#phase", "int", 85), now]]);
    }
  }
  const nodes = out.lines.slice();
  out.globals([
    [worldSize, "4"],
    [channel, "event-trace"],
  ]);
  records.sort((a, b) => a.at - b.at);
  return {
    nodes,
    globals: out.lines.slice(nodes.length),
    records: records.map(({ line }) => line),
    events,
    times: [...times].map((parts) => parts.join(" | ")).sort(),
  };
}

/** The text of a file whose snapshots come in these lines. */
export function textOf({ nodes, globals }: MadeFile, records: readonly string[]): string {
  return [...nodes, ...records, ...globals].map((line) => `${line}\n`).join("");
}

/** The items cut into blocks at these places, in an order by these keys. */
export function rearranged<Item>(items: readonly Item[], cuts: readonly number[], keys: readonly number[]): Item[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (items.length + 1)), items.length])].sort((a, b) => a - b);
  const blocks = places.slice(1).map((to, at) => items.slice(places[at], to));
  return blocks
    .map((block, at) => ({ block, key: keys[at % keys.length] }))
    .sort((a, b) => a.key - b.key)
    .flatMap(({ block }) => block);
}
