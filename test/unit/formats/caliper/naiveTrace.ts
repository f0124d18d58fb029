import { type NaiveRecording, readNaively } from "./naiveCali";

/** An event, in nanoseconds since 1970. */
export interface NaiveEvent {
  lane: string;
  name: string;
  /** Path of the region. */
  path: string[];
  start: bigint;
  /** Undefined where it never ended. */
  end: bigint | undefined;
  depth: number;
}

export interface NaiveMessage {
  from: number;
  to: number;
  bytes: number;
  tag: number;
  sent: bigint | undefined;
  received: bigint | undefined;
}

export interface NaiveTrace {
  events: NaiveEvent[];
  messages: NaiveMessage[];
  zero: bigint;
}

const REGIONS = ["region", "function", "annotation", "loop", "mpi.function"];

/** Events and messages of the files of one run, with objects and big integers only: knows nothing of the real reader. */
export function traceNaively(texts: readonly string[]): NaiveTrace {
  const files = texts.map((text) => readNaively(text));
  const starts = files.map(({ globals }) => {
    const of = (name: string) => BigInt(globals.get(name)?.[0] ?? 0);
    return of("starttime.sec") * 1_000_000_000n + of("starttime.nsec");
  });
  const events = files.flatMap((file, index) => eventsOf(file, starts[index]));
  const messages = matched(files, starts);
  return { events, messages, zero: starts.reduce((least, start) => (start < least ? start : least)) };
}

function eventsOf({ rows }: NaiveRecording, start: bigint): NaiveEvent[] {
  const events: NaiveEvent[] = [];
  const open = new Map<string, NaiveEvent[]>();
  for (const row of rows) {
    const first = (name: string) => row.find(({ of }) => of.name === name)?.data;
    const offset = first("time.offset.ns");
    const event = row.find(({ of }) => /^event\.(begin|end)#/.test(of.name));
    if (offset === undefined || event === undefined) continue;
    const rank = first("mpi.rank");
    const [, phase, attribute] = /^event\.(begin|end)#(.*)$/s.exec(event.of.name) ?? [];
    const ofThread = REGIONS.includes(attribute) || attribute.startsWith("iteration#");
    const place = rank === undefined ? "process" : `rank ${rank}`;
    const lane = ofThread ? place : `${place}: ${attribute}`;
    const list = open.get(lane) ?? [];
    open.set(lane, list);
    const time = start + BigInt(offset);
    if (phase === "begin") {
      const path = row.filter(({ of }) => of.properties & 256).map(({ data }) => data);
      const iteration = attribute.startsWith("iteration#");
      const name = iteration ? attribute : ofThread ? event.data : `${attribute} = ${event.data}`;
      // What is no region is in none either.
      const own = iteration ? path : ofThread ? [...path, event.data] : [];
      list.push({ lane, name, path: own, start: time, end: undefined, depth: list.length });
      events.push(list[list.length - 1]);
    } else {
      const last = list.pop();
      if (last !== undefined) last.end = time;
    }
  }
  return events;
}

function matched(files: readonly NaiveRecording[], starts: readonly bigint[]): NaiveMessage[] {
  const messages: NaiveMessage[] = [];
  const receives: NaiveMessage[] = [];
  files.forEach(({ rows }, index) => {
    for (const row of rows) {
      const first = (name: string) => row.find(({ of }) => of.name === name)?.data;
      const [destination, source] = [first("mpi.msg.dst"), first("mpi.msg.src")];
      if (destination === undefined && source === undefined) continue;
      const own = Number(first("mpi.rank"));
      const time = starts[index] + BigInt(first("time.offset.ns") ?? 0);
      const rest = { bytes: Number(first("mpi.msg.size")), tag: Number(first("mpi.msg.tag")) };
      if (destination !== undefined)
        messages.push({ from: own, to: Number(destination), ...rest, sent: time, received: undefined });
      else receives.push({ from: Number(source), to: own, ...rest, sent: undefined, received: time });
    }
  });
  for (const receive of receives) {
    const { from, to, tag } = receive;
    const send = messages.find(
      (one) => one.received === undefined && one.from === from && one.to === to && one.tag === tag,
    );
    if (send) send.received = receive.received;
    else messages.push(receive);
  }
  return messages;
}
