import fc from "fast-check";
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
const attributes = [region, loop, mpiFunction, color];

/** What a thread does next: it enters something, leaves the innermost thing, or sets a number. */
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
}

/** Equal times are common, so that blocks meet in them. */
const acts = fc.array(
  fc.record({
    kind: fc.constantFrom("begin" as const, "begin" as const, "end" as const, "end" as const, "set" as const),
    of: fc.nat(attributes.length - 1),
    name: fc.constantFrom("f", "g", "MPI_Send", "MPI_Init"),
    after: fc.constantFrom(0, 0, 1, 5, 1000),
  }),
  { minLength: 1, maxLength: 30 },
);

export function randomProgram(threads = 3): fc.Arbitrary<RandomProgram> {
  return fc.record({
    rank: fc.constantFrom(undefined, 0, 3),
    hasLengths: fc.boolean(),
    threads: fc.uniqueArray(
      fc.record({
        thread: threads === 1 ? fc.constantFrom(undefined, 7) : fc.nat(9),
        acts,
        unranked: fc.nat(4),
      }),
      { minLength: 1, maxLength: threads, selector: ({ thread }) => thread },
    ),
  });
}

/** Writes the file of one process, in the order of time, and says which events it has. */
export function makeFile({ rank, threads, hasLengths }: RandomProgram): MadeFile {
  const out = new CaliWriter(1000n, 3n);
  const events: MadeEvent[] = [];
  const records: { at: number; line: string }[] = [];
  for (const { thread, acts, unranked } of threads) {
    const process = rank === undefined ? "process" : `rank ${rank}`;
    const lane = thread === undefined ? process : `${process}, thread ${thread}`;
    const open: { of: WrittenAttribute; name: string; event: MadeEvent }[] = [];
    let [now, last, written] = [0, 0, 0];
    const record = (branch: Branch, values: readonly (readonly [WrittenAttribute, number])[]) => {
      const isRanked = rank !== undefined && (rank !== 0 && rank !== 3 ? true : written >= unranked);
      out.snapshot(branch.length === 0 ? [] : [branch], [
        ...(isRanked ? [[rankAttribute, rank] as const] : []),
        ...(thread === undefined ? [] : [[pthread, thread] as const]),
        ...values,
        [offset, now],
        [durationNs, now - last],
      ]);
      records.push({ at: now, line: out.lines.pop() ?? "" });
      written++;
      last = now;
    };
    const path = (): Branch => open.filter(({ of }) => of.properties & 256).map(({ of, name }) => [of, name] as const);
    const lastColor = new Map<string, number>();
    const end = () => {
      const ended = open[open.length - 1];
      if (ended.of === color) lastColor.set(ended.name, now);
      const length = hasLengths ? [[inclusive, now - ended.event.start] as const] : [];
      record([...path(), [attribute(`event.end#${ended.of.name}`, "string", 84), ended.name]], length);
      ended.event.end = now;
      open.pop();
    };
    for (const { kind, of, name, after } of acts) {
      now += after;
      if (kind === "begin") {
        const begun = attributes[of];
        // Of two equal values that are no regions neither path nor time says which one ends.
        if (begun === color && lastColor.get(name) === now) continue;
        if (begun === color && open.some((one) => one.of === color && one.name === name)) continue;
        record([...path(), [attribute(`event.begin#${begun.name}`, "string", 84), name]], []);
        const isRegion = (begun.properties & 256) !== 0;
        const event = {
          lane: isRegion ? lane : `${lane}: ${begun.name}`,
          name: isRegion ? name : `${begun.name} = ${name}`,
          start: now,
          end: undefined,
        };
        events.push(event);
        open.push({ of: begun, name, event });
      } else if (kind === "end" && open.length > 0) end();
      else if (kind === "set") record(path(), [[attribute("event.set#phase", "int", 85), now]]);
    }
    // A rank that no record has is not known.
    while (open.length > 0 || written <= unranked) {
      now += 3;
      if (open.length > 0) end();
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
